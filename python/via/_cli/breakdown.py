# SPDX-License-Identifier: GPL-2.0-only
"""`via breakdown`: where the time of a message goes."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from via._cli.guard import answered, guarded
from via._cli.options import Parser, add_override, overrides
from via._cli.sources import breakdown_of, check_message, effort, whole
from via._programs import plug_ins
from via.errors import refuse

if TYPE_CHECKING:
    import pandas as pd

DESCRIPTION = """\
Shows the stages of a message's critical path, which tile its life: what each part of each node
did, and for how long. The messages are those of a saved run, or of a ping-pong run now.
"""

EPILOG = """\
SOURCE is a folder of `via run --save` or a file of `via run --breakdown`. Without --message, the
command shows the mean of the messages that arrived, without the credits of a stream. A file of
`--breakdown` does not say which messages were dropped or are credits: its mean is of all messages.
Without SOURCE, the command runs a ping-pong of two nodes and shows the last ping of node 0.

exit codes: 0 shown, 2 usage or a wrong value, 4 internal error

examples:
  via breakdown                                        4 bytes between two cLAN cards
  via breakdown --profile mvia-gnic2 --size 1024 --by part
  via breakdown --size 4096 --plot message.svg
  via run --save ping ping-pong.so && via breakdown ping --list
  via breakdown ping --message 0.0.3 --csv > stages.csv
  via breakdown ping --by stage --json stages.json
"""

ROUNDS = 12  # enough for caches to be fully warm
LARGEST = 2**32 - 1
USUAL_PROFILE = "giganet-clan1000"
BY = ("stage", "owner", "part", "message")


def main(argv: Sequence[str]) -> int:
    """Run `via breakdown`; return the exit code."""
    given = parser().parse_args(argv)
    with plug_ins.permitted(given.allow_plug_in):
        return answered(lambda: check(given), parser()) or guarded(lambda: show(given), parser())


def parser() -> argparse.ArgumentParser:
    """Return the parser of all options."""
    made = Parser(prog="via breakdown", description=DESCRIPTION, epilog=EPILOG)
    made.add_argument("source", nargs="?", type=Path, metavar="SOURCE", help="see below")
    made.add_argument("--message", metavar="M", help="such as 0.0.3: source rank, VI, sequence")
    made.add_argument(
        "--list", action="store_true", help="list the messages and how long they took"
    )
    made.add_argument("--by", choices=BY, help="sum by stage, owner, part of a node or message")
    own = made.add_argument_group("ping-pong, without SOURCE")
    own.add_argument("--profile", metavar="P", help="product (default: giganet-clan1000)")
    own.add_argument("--host", metavar="H", help="host computer (default: the product's test bed)")
    add_override(own)
    plug_ins.add_option(own)
    own.add_argument("--size", metavar="BYTES", help="message size (default: 4)")
    own.add_argument("--seed", metavar="S", help="seed of all randomness (default: 1)")
    results = made.add_argument_group("results")
    results.add_argument("--csv", action="store_true", help="print as CSV")
    results.add_argument("--json", type=Path, metavar="FILE", help="write as a JSON list")
    results.add_argument(
        "--plot", type=Path, metavar="FILE",
        help="draw a .png, .svg or .pdf: the time line of a message, or the mean as a bar",
    )  # fmt: skip
    return made


def check(given: argparse.Namespace) -> int:
    """Check the options before anything is simulated; return 0.

    Raises:
        ConfigError: the text names the option, its value and what is allowed.
    """
    from via._base.files import check_outputs
    from via._cli.sources import profile_files
    from via.figures import check_kind

    if given.source is not None:
        for option in ("profile", "host", "size", "seed"):
            if getattr(given, option) is not None:
                raise refuse(f"--{option}", getattr(given, option), "only without SOURCE")
        if given.override:
            raise refuse("--override", given.override[0], "only without SOURCE")
    given.override = overrides(given.override)
    given.size = whole("--size", given.size or "4", 0, LARGEST)
    given.seed = whole("--seed", given.seed or "1", 0, 2**64 - 1)
    if given.list and (given.message or given.by or given.plot):
        raise refuse("--list", "given", "it can be combined only with --csv and --json")
    read = [("SOURCE", given.source)]
    if given.source is None:
        read = [("--profile", Path(file))
                for file in profile_files(given.profile or USUAL_PROFILE, given.host)]  # fmt: skip
    check_outputs({"--json": given.json, "--plot": given.plot}, read)
    if given.plot is not None:
        check_kind(given.plot, "--plot")
    return 0


def show(given: argparse.Namespace) -> int:
    """Print, write and draw the requested results."""
    from via._base import commands

    command = commands.of_command("breakdown", *_words(given))
    rows, spans, origin = _messages(given)
    if given.message is not None:
        check_message(rows, given.message)
        rows = rows[rows["message"] == given.message]
    else:
        _check_has_messages(given, rows)
    table = _table(given, rows)
    if given.csv:
        table.to_csv(sys.stdout, index=False, lineterminator="\n")
    else:
        print(_text(given, rows, table))
    if given.json is not None:
        from via._base.files import written

        with written(given.json) as file:
            file.write(json.dumps(table.to_dict("records"), indent=1) + "\n")
    if given.plot is not None:
        with commands.recording(command):
            _plot(given, rows, spans, origin)
    return 0


def _words(given: argparse.Namespace) -> list[str]:
    """Return the words that draw the figure again, without its file."""
    words: list[str] = []
    if given.source is not None:  # with a slash, so that the record has the folder it is in
        source = str(given.source)
        words = [source if "/" in source else f"./{source}"]
    else:
        for name in ("profile", "host"):
            value = getattr(given, name)
            words += [] if value is None else [f"--{name}", value]
        for key, value in given.override.items():
            words += ["--override", f"{key}={value}"]
        words += ["--size", str(given.size), "--seed", str(given.seed), *plug_ins.words()]
    return words + ([] if given.message is None else ["--message", given.message])


def _check_has_messages(given: argparse.Namespace, rows: pd.DataFrame) -> None:
    from via._runs import tables

    if len(rows[rows["op"] != "program"]) == 0:
        raise refuse("source", given.source, "it has no messages")
    if len(tables.counted(rows)) == 0 and not given.list and given.by != "message":
        raise refuse("source", given.source, f"no message arrived{tables.without(rows)}: --list"
                     " shows them, --message one")  # fmt: skip


def _messages(given: argparse.Namespace) -> tuple[pd.DataFrame, pd.DataFrame | None, Any]:
    """Return breakdown, spans and provenance."""
    if given.source is None:
        run = _ping_pong(given)
        if given.message is None and not given.list:
            given.message = f"0.0.{ROUNDS - 1}"
        return run.breakdown, run.spans, run.provenance
    if given.source.is_dir():
        from via._cli.sources import open_run

        run = open_run(given.source, "source")
        return run.breakdown, run.table("spans"), run.provenance
    return breakdown_of(given.source, "source"), None, ()


def _ping_pong(given: argparse.Namespace) -> Any:
    from via.cluster import Cluster

    cluster = Cluster(
        profile=given.profile or USUAL_PROFILE, host=given.host, seed=given.seed,
        overrides=given.override,
    )  # fmt: skip
    return cluster.run("ping-pong", size=given.size, rounds=ROUNDS)


def _table(given: argparse.Namespace, rows: pd.DataFrame) -> pd.DataFrame:
    """Return the table to show; the times of a single message are integer picoseconds."""
    from via._runs import tables

    if given.list:
        lives = tables.summary(rows, ["message", "op", "bytes", "src_rank", "dst_rank"])
        return lives.drop(columns="share_pct").astype({"ps": "int64"})
    if given.message is None or given.by:
        return tables.summary(rows, [given.by] if given.by else ["stage", "owner"])
    shown = rows[["stage", "owner", "clock_hz", "cycles", "start_ps", "end_ps"]].copy()
    shown["ps"] = shown["end_ps"] - shown["start_ps"]
    shown["share_pct"] = 100 * shown["ps"] / max(1, shown["ps"].sum())
    return shown.reset_index(drop=True)


def _text(given: argparse.Namespace, rows: pd.DataFrame, table: pd.DataFrame) -> str:
    from via._base import text
    from via._runs import tables

    if given.list:
        lines = [[*row[:-1], row[-1] / 1e6] for row in table.itertuples(index=False)]
        return text.table(["message", "op", "bytes", "from rank", "to rank", "us"], lines)
    total = float(table["ps"].sum())
    what = f"message {given.message}" if given.message else "a message"
    messages = rows if given.message else tables.counted(rows)
    mean = f", mean of {messages['message'].nunique()}{tables.without(rows)}"
    kind = f"{_kind(messages)}{'' if given.message else mean}"
    title = f"Where the {total / 1e6:.3f} us of {what} go ({kind})"
    if given.by == "message":
        title = "How long messages took"
    lines, header = _lines(given, table)
    return f"{title}\n\n{text.table(header, lines, '  ')}"


def _kind(messages: pd.DataFrame) -> str:
    """Return what messages are: "send, 8 bytes", or "rdma-write and send, 0 to 4096 bytes"."""
    operations = " and ".join(sorted(messages["op"].astype(str).unique()))
    sizes = " to ".join(map(str, sorted({messages["bytes"].min(), messages["bytes"].max()})))
    return f"{operations}, {sizes} bytes"


def _lines(given: argparse.Namespace, table: pd.DataFrame) -> tuple[list[list[object]], list[str]]:
    if "start_ps" not in table.columns:
        keys = [name for name in table.columns if name not in ("ps", "share_pct")]
        lines = [[*(getattr(row, key) for key in keys), row.ps / 1e3, f"{row.share_pct:.1f} %"]
                 for row in table.itertuples()]  # fmt: skip
        return lines, [*keys, "ns", "share"]
    begin = int(table["start_ps"].min())
    lines = [
        [(row.start_ps - begin) / 1e6, row.stage, row.owner,
         effort(row),
         row.ps / 1e3, f"{row.share_pct:.1f} %"]
        for row in table.itertuples()
    ]  # fmt: skip
    return lines, ["at us", "stage", "owner", "cycles", "ns", "share"]


def _plot(
    given: argparse.Namespace, rows: pd.DataFrame, spans: pd.DataFrame | None, origin: Any
) -> None:
    from via import charts

    if given.message is not None:
        with charts.figure(given.plot, size=(10, 3.6), provenance=origin) as panel:
            charts.gantt(panel, rows, spans)
        return
    label = str(given.source.name if given.source else "messages")
    with charts.figure(given.plot, size=(8.5, 1.9), provenance=origin) as panel:
        charts.stacked(panel, {label: rows})
