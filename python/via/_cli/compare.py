# SPDX-License-Identifier: GPL-2.0-only
"""`via compare`: two runs, benchmarks or studies side by side."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from via._cli.guard import answered
from via._cli.options import Parser
from via.errors import refuse

if TYPE_CHECKING:
    from via._cli.comparing import Difference, Spread
    from via.results import Run

DESCRIPTION = """\
Compares two results and shows the differences: runs (files of `via run --json` or folders of
--save), benchmarks (`via bench --json`) or studies (`via study --json`). For two folders it also
compares the distributions of times.
"""

EPILOG = """\
exit codes:
  0  the results are the same, within the tolerance
  1  they differ
  2  usage error, or a file that is not a result

The tolerance does not apply to digests; --ignore leaves them out. Memory and CPU time of MPI ranks
are never compared.

examples:
  via run --json a.json ping-pong.so; via run --json b.json --seed 2 ping-pong.so
  via compare a.json b.json
  via compare yesterday.json today.json --tolerance 5          benchmarks: 5 % is noise
  via compare ping-cLAN ping-GM --ignore digest --ignore profile
"""

MOST = 24  # rows printed without --all
LONGEST = 34  # characters of a value


def main(argv: Sequence[str]) -> int:
    """Run `via compare`; return the exit code."""
    given = parser().parse_args(argv)
    return answered(lambda: compare(given), parser())


def parser() -> argparse.ArgumentParser:
    """Return the parser of all options."""
    made = Parser(prog="via compare", description=DESCRIPTION, epilog=EPILOG)
    made.add_argument("a", type=Path, metavar="A", help="a JSON file, or a folder with a run")
    made.add_argument("b", type=Path, metavar="B", help="the result to compare with")
    made.add_argument(
        "--tolerance", default="0", metavar="PCT",
        help="numbers that differ by up to this many percent are equal (default: %(default)s)",
    )  # fmt: skip
    made.add_argument(
        "--ignore", action="append", default=[], metavar="NAME",
        help="leave out fields with this name, such as digest or cpu; may be repeated",
    )  # fmt: skip
    made.add_argument("--all", action="store_true", help=f"print more than {MOST} rows")
    made.add_argument("--json", type=Path, metavar="FILE", help="write the differences as JSON")
    return made


def compare(given: argparse.Namespace) -> int:
    """Print the differences; return 1 if there are any."""
    from via._base.files import check_outputs
    from via._cli import comparing

    tolerance = _percent(given.tolerance)
    check_outputs({"--json": given.json}, [("A", given.a), ("B", given.b)])
    (a, run_a), (b, run_b) = (_load(path, name) for path, name in ((given.a, "a"), (given.b, "b")))
    if type(a) is not type(b):
        raise refuse("b", given.b, f"it is a {_kind(b)}, and {given.a} is a {_kind(a)}")
    found = [
        each
        for each in comparing.differences(a, b, tolerance)
        if not set(given.ignore) & set(re.split(r"[.\[\]]+", each.where))
        and not comparing.is_of_machine(each)
    ]
    times = _spread(run_a, run_b)
    if given.json is not None:
        _write(given.json, found, times)
    print(_text(given, found, times))
    return 1 if found else 0


def _percent(text: str) -> float:
    if not re.fullmatch(r"\d{1,9}(\.\d{1,9})?", text, re.ASCII):
        raise refuse("--tolerance", text, "a percentage is needed: 0 or more")
    return float(text)


def _load(path: Path, name: str) -> tuple[Any, Run | None]:
    """Return a result as JSON values, and the run if the path is a run's folder."""
    from via._base.files import read_json

    if path.is_dir():
        from via.results import Run

        run = Run.load(path)
        return run.report, run
    value = read_json(path, name)
    if _kind(value) == "something else":
        raise refuse(name, path, "is not a result of via run, bench or study")
    return value, None


def _kind(value: Any) -> str:
    """Return what a JSON value is; a run says its schema, benchmarks and studies their names."""
    if isinstance(value, dict):
        return "run" if str(value.get("schema")).startswith("via-run/") else "something else"
    listed = value if isinstance(value, list) else []
    named = [isinstance(each, dict) and bool(each.keys() & {"name", "study"}) for each in listed]
    return "list of benchmarks or studies" if named and all(named) else "something else"


def _spread(a: Run | None, b: Run | None) -> Spread | None:
    from via._cli import comparing
    from via.errors import ConfigError

    if a is None or b is None:
        return None
    try:
        return comparing.spread(a.times_ps(), b.times_ps())
    except ConfigError:  # one of the runs recorded no times
        return None


def _write(path: Path, found: Sequence[Difference], times: Spread | None) -> None:
    from dataclasses import asdict

    from via._base.files import written

    told = {
        "schema": "via-compare/1",
        "same": not found,
        "differences": [{**asdict(each), "change_pct": each.change_pct} for each in found],
        "times": None if times is None else asdict(times),
    }
    with written(path) as file:
        file.write(json.dumps(told, indent=1) + "\n")


def _text(given: argparse.Namespace, found: Sequence[Difference], times: Spread | None) -> str:
    from via._base import text

    parts = [f"A: {given.a}\nB: {given.b}"]
    if not found:
        within = f" within {given.tolerance} %" if given.tolerance != "0" else ""
        left_out = f", {', '.join(given.ignore)} left out" if given.ignore else ""
        parts.append(f"the same{within}{left_out}")
    else:
        shown = found if given.all else found[:MOST]
        rows = [[each.where, _cut(each.a), _cut(each.b), _change(each)] for each in shown]
        parts.append(text.table(["what", "A", "B", "B to A"], rows))
        more = len(found) - len(shown)
        rest = f"; {more} of them not shown: --all" if more else ""
        parts.append(f"{len(found)} value{' differs' if len(found) == 1 else 's differ'}{rest}")
    if times is not None:
        parts.append(_times(times))
    return "\n\n".join(parts)


def _times(times: Spread) -> str:
    from via._base import text

    rows = [[_QUANTILES.get(q, f"{100 * q:g} %"), a, b, f"{100 * (b - a) / a:+.2f} %" if a else ""]
            for q, a, b in times.quantiles]  # fmt: skip
    return (
        f"{text.table(['times', 'A us', 'B us', 'B to A'], rows)}\n"
        f"medians differ by {times.median_us:+.3f} us "
        f"(95 %: {times.low_us:+.3f} to {times.high_us:+.3f}), "
        f"distributions by {times.distance:.3f} of 1 (Kolmogorov-Smirnov)"
    )


_QUANTILES = {0.0: "least", 0.5: "median", 1.0: "most"}


def _change(each: Difference) -> str:
    return "" if each.change_pct is None else f"{each.change_pct:+.2f} %"


def _cut(value: Any) -> str:
    text = "-" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."
