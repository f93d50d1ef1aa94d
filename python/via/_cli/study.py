# SPDX-License-Identifier: GPL-2.0-only
"""`via study`: reproduce a study's tables and figures."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from via._base.jobs import MOST_JOBS, usual_jobs
from via._cli.guard import EXIT_INTERNAL, answered, guarded
from via._cli.options import FORMATS, Parser, add_format
from via._programs import plug_ins
from via.errors import refuse
from via.studies import STUDIES

if TYPE_CHECKING:
    from via._base import commands

RESERVED = "provenance.json"  # how other JSON files in a folder of results end

EPILOG = """\
studies:
{studies}

examples:
  via study calibration
  via study calibration --quick --bands
  via study barrier --quick --out /tmp/barrier
  via study breakdown --size 4 --size 1024 --json study.json
"""


def main(argv: Sequence[str]) -> int:
    """Run `via study`; return the exit code."""
    given = parser().parse_args(argv)
    with plug_ins.permitted(given.allow_plug_in):
        return answered(lambda: check(given), parser()) or guarded(lambda: run(given), parser())


def parser() -> argparse.ArgumentParser:
    """Return the parser of all options."""
    listing = "\n".join(f"  {name:16}{text}" for name, (_, text) in STUDIES.items())
    made = Parser(
        prog="via study",
        description="Runs a study: simulations that produce CSV tables and figures.",
        epilog=EPILOG.format(studies=listing),
    )
    made.add_argument("study", metavar="NAME", help="see below")
    made.add_argument("--quick", action="store_true", help="fewer points, shorter runs")
    made.add_argument(
        "--out", type=Path, metavar="DIR", help="folder of the results (default: out/study/NAME)"
    )
    made.add_argument(
        "--json", type=Path, metavar="FILE",
        help="record of the study as a JSON list (default: NAME.json in that folder)",
    )  # fmt: skip
    made.add_argument(
        "--jobs", default=str(usual_jobs()), metavar="N",
        help="OS processes that simulate (default: %(default)s); results do not depend on it",
    )  # fmt: skip
    made.add_argument(
        "--profile", action="append", default=[], metavar="P",
        help="product: a name of `via profiles`, or a TOML file; may be repeated (default: all, or"
        " those of the study)",
    )  # fmt: skip
    add_format(made)
    plug_ins.add_option(made)
    made.add_argument(
        "--size", action="append", default=[], metavar="BYTES",
        help="message size for breakdown; may be repeated",
    )  # fmt: skip
    made.add_argument(
        "--refit", action="store_true",
        help="calibration: fit each fitted number again, predict each row without itself, and vary"
        " each number (default without --quick)",
    )  # fmt: skip
    made.add_argument(
        "--bands", action="store_true",
        help="calibration: bands of the predicted rows, and how many measurements are in them",
    )  # fmt: skip
    return made


def check(given: argparse.Namespace) -> int:
    """Check the options before anything is simulated; return 0.

    Raises:
        ConfigError: the text names the option, its value and what is allowed.
    """
    from via import profiles, studies
    from via._base.files import check_outputs, make_folder
    from via._cli.sources import profile_files
    from via._runs import provenance

    usual = getattr(studies.find(given.study), "PROFILES", None) or profiles.names()
    given.jobs = _whole("--jobs", given.jobs, 1, MOST_JOBS)
    if given.size and given.study != "breakdown":
        raise refuse("--size", given.size[0], "only the study breakdown has message sizes")
    if given.refit and given.study != "calibration":
        raise refuse("--refit", "given", "only the study calibration has fitted parameters")
    if given.bands and given.study != "calibration":
        raise refuse("--bands", "given", "only the study calibration has bands")
    given.refit = given.refit or (given.study == "calibration" and not given.quick)
    given.profile = given.profile or list(usual)
    least = min(_largest_message(name) for name in given.profile)
    given.size = [_whole("--size", text, 0, least) for text in given.size]
    for option, values in (("--profile", given.profile), ("--size", given.size)):
        for value in values:
            if values.count(value) > 1:
                raise refuse(option, value, "once is enough")
    given.out = given.out or Path("out/study") / given.study
    provenance.check_folder(given.out, "--out")
    make_folder(given.out, "--out")
    if given.json is None:
        given.json = given.out / f"{given.study}.json"
    is_among_results = given.json.resolve().parent == given.out.resolve()
    if is_among_results and (given.json.suffix != ".json" or given.json.name.endswith(RESERVED)):
        raise refuse("--json", given.json, "a result may have that name: in --out, NAME.json")
    read = [("--profile", file) for name in given.profile for file in profile_files(name)]
    check_outputs({"--json": given.json}, read)
    return 0


def _whole(option: str, text: str, least: int, most: int) -> int:
    if not (text.isascii() and text.isdigit() and least <= int(text) <= most):
        raise refuse(option, text, f"a whole number from {least} to {most} is needed")
    return int(text)


def _largest_message(name: str) -> int:
    from via import profiles

    entries = profiles.load(name).entries
    return next(int(each.value) for each in entries if each.key == "nic.max_transfer_size")


def command_of(given: argparse.Namespace) -> commands.Command:
    """Return the command line that repeats this study, without --jobs and output paths."""
    from via._base import commands

    options = [f"--{name}" for name in ("quick", "refit", "bands") if getattr(given, name)]
    for name in ("profile", "size"):
        options += [word for each in getattr(given, name) for word in (f"--{name}", str(each))]
    if given.format != FORMATS[0]:
        options += ["--format", given.format]
    return commands.of_command("study", given.study, *options, *plug_ins.words())


def run(given: argparse.Namespace) -> int:
    """Run the study, print it, write its files."""
    from concurrent.futures.process import BrokenProcessPool

    from via import studies
    from via._base import commands
    from via._base.files import written
    from via._runs import provenance
    from via.studies.plan import Plan, report, sketches

    plan = Plan(
        given.out, given.profile, given.quick, given.jobs, given.size, given.refit, given.format,
        given.bands,
    )  # fmt: skip
    command = command_of(given)
    try:
        with commands.recording(command):
            outcome = studies.find(given.study).run(plan)
    except BrokenProcessPool:
        print("via: internal error: a simulation crashed; --jobs 1 shows where", file=sys.stderr)
        return EXIT_INTERNAL
    provenance.add(plan.out, command, outcome.files)
    print(outcome.text)
    if told := sketches(plan):
        print(f"\n{told}")
    with written(given.json) as file:
        file.write(json.dumps([report(given.study, plan, outcome)], indent=1) + "\n")
    print(f"\nwritten to {plan.out}/: {', '.join(path.name for path in outcome.files)}")
    print(f"digest of all {len(outcome.digests)} runs: {outcome.digest()}", flush=True)
    return 0
