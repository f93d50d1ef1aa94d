# SPDX-License-Identifier: GPL-2.0-only
"""`via reproduce`: make a table or figure again and compare."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from via._base.jobs import MOST_JOBS
from via._cli.guard import answered
from via._cli.options import Parser
from via.errors import refuse

EPILOG = """\
The command that made a file is in its metadata (figures), or in FILE.provenance.json or
provenance.json beside it. It runs again in a separate folder and uses no old results. Tables must
be equal byte for byte; so must figures if the same matplotlib draws them. If not, their data must
be equal.

examples:
  via study barrier --quick && via reproduce --yes out/study/barrier
  via reproduce figure.png --yes --keep again
  via reproduce --lock figure.py && via reproduce --yes .    record results, then check them

The command line is shown first. It comes with the file, so it runs only with --yes, or after you
confirm it on a terminal.

Exit codes: 0 all files are the same; 1 a file differs, or its command fails; 2 usage error.
"""


def main(argv: Sequence[str]) -> int:
    """Run `via reproduce`; return the exit code."""
    given = parser().parse_intermixed_args(argv)  # options may stand between the words
    return answered(lambda: run(given), parser())


def parser() -> argparse.ArgumentParser:
    """Return the parser of all options."""
    made = Parser(
        prog="via reproduce",
        description="Makes tables and figures again from their provenance, and compares.",
        epilog=EPILOG,
    )
    made.add_argument(
        "files", metavar="FILE_OR_FOLDER", type=Path, nargs="+", help="what to make again"
    )
    made.add_argument(
        "--jobs", default="1", metavar="N", help="OS processes that simulate (default: 1)"
    )
    made.add_argument(
        "--lock", action="store_true",
        help="run a script and record the files it writes in provenance.json beside it",
    )  # fmt: skip
    made.add_argument("--yes", action="store_true", help="run the recorded commands without asking")
    made.add_argument(
        "--keep", type=Path, metavar="DIR", help="keep the new files in this folder, new or empty"
    )
    return made


def run(given: argparse.Namespace) -> int:
    """Reproduce the files and print the result for each; return the exit code."""
    from via._base.files import make_folder
    from via._cli import reproducing

    if not (given.jobs.isascii() and given.jobs.isdigit() and 1 <= int(given.jobs) <= MOST_JOBS):
        raise refuse("--jobs", given.jobs, f"a whole number from 1 to {MOST_JOBS} is needed")
    if given.lock:
        for script in given.files:
            place, names = reproducing.lock(script)
            print(f"recorded in {place}: {', '.join(names)}")
        return 0
    _ask(given)
    keep = None if given.keep is None else make_folder(given.keep, "--keep")
    for path in given.files:
        folder = path if path.is_dir() else path.parent
        if keep is not None and keep.samefile(folder):
            raise refuse("--keep", keep, f"another folder is needed, {path} is in it")
    if keep is not None and any(keep.iterdir()):  # old files would look like new ones
        raise refuse("--keep", keep, "a new or empty folder is needed")
    same = True
    for path in given.files:
        findings = reproducing.reproduce(path, jobs=int(given.jobs), keep=keep)
        for each in findings:
            line = f"{each.verdict:12}{each.file}"
            print(f"{line}: {each.detail}" if each.detail else line, flush=True)
        if any(each.verdict == reproducing.DIFFERS for each in findings):
            same = False
            for change in dict.fromkeys(reproducing.changes(path)):
                print(f"  made with {change}")
    return 0 if same else 1


def _ask(given: argparse.Namespace) -> None:
    """Show the commands, and return if the user agrees to run them.

    Raises:
        ConfigError: the user does not agree, or cannot be asked.
    """
    from via._cli import reproducing

    for path in given.files:
        for line in reproducing.commands(path):
            if not given.yes and not sys.stdin.isatty():
                raise refuse("file", path, f"it would run {line}: --yes allows it")
            print(f"via: {path} runs {line}", file=sys.stderr, flush=True)
    if given.yes:
        return
    print("via: run this? [y/N] ", end="", file=sys.stderr, flush=True)
    if not sys.stdin.readline().strip().lower().startswith("y"):
        raise refuse("--yes", "not given", "nothing was run")
