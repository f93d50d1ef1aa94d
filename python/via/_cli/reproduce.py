# SPDX-License-Identifier: GPL-2.0-only
"""`via reproduce`: make a table or figure again, and compare."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from via.cli.guard import answered
from via.cli.options import Parser
from via.errors import refuse

EPILOG = """\
What made a file is said by its metadata (figures), or by FILE.provenance.json or provenance.json
beside it. That is run once more in a folder of its own, and no old result is used. Tables must be
equal byte for byte; figures, too, if the same matplotlib draws them, else the data that are drawn.

examples:
  via study barrier --quick && via reproduce --yes out/study/barrier
  via reproduce figure.png --yes --keep again
  via reproduce --lock figure.py && via reproduce --yes .    an artifact's promise, and the proof

What is run is shown first. It is a program that came with the file, so it runs only if you say so:
at the question on a terminal, or by --yes.

Exit codes: 0 all is the same; 1 something differs, or what made it does not run; 2 usage.
"""
MOST_JOBS = 1024


def main(argv: Sequence[str]) -> int:
    """Run `via reproduce`; return the exit code."""
    given = parser().parse_args(argv)
    return answered(lambda: run(given), parser())


def parser() -> argparse.ArgumentParser:
    """Return the parser of all options."""
    made = Parser(
        prog="via reproduce",
        description="Makes tables and figures again as their provenance says, and compares.",
        epilog=EPILOG,
    )
    made.add_argument(
        "files", metavar="FILE_OR_FOLDER", type=Path, nargs="+", help="what is to be made again"
    )
    made.add_argument(
        "--jobs", default="1", metavar="N", help="OS processes to simulate in (default: 1)"
    )
    made.add_argument(
        "--lock", action="store_true",
        help="of a script: run it and write down what it leaves, into provenance.json beside it",
    )  # fmt: skip
    made.add_argument("--yes", action="store_true", help="run what the files say, unasked")
    made.add_argument("--keep", type=Path, metavar="DIR", help="leave what is made in this folder")
    return made


def run(given: argparse.Namespace) -> int:
    """Reproduce, print what came of each file; return the exit code."""
    from via import reproducing
    from via.files import make_folder

    if not (given.jobs.isascii() and given.jobs.isdigit() and 1 <= int(given.jobs) <= MOST_JOBS):
        raise refuse("--jobs", given.jobs, f"a whole number from 1 to {MOST_JOBS} is needed")
    if given.lock:
        for script in given.files:
            print(f"written down in {script.parent / 'provenance.json'}:",
                  ", ".join(reproducing.lock(script)))  # fmt: skip
        return 0
    _ask(given)
    keep = None if given.keep is None else make_folder(given.keep, "--keep")
    for path in given.files:
        folder = path if path.is_dir() else path.parent
        if keep is not None and keep.samefile(folder):
            raise refuse("--keep", keep, f"another folder is needed, {path} is in it")
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
    """Show what would be run; go on if the user says so.

    Raises:
        ConfigError: nobody said so.
    """
    from via import reproducing

    for path in given.files:
        for line in reproducing.commands(path):
            if not given.yes and not sys.stdin.isatty():
                raise refuse("file", path, f"it would run {line}: --yes lets it")
            print(f"via: {path} runs {line}", file=sys.stderr, flush=True)
    if given.yes:
        return
    print("via: run this? [y/N] ", end="", file=sys.stderr, flush=True)
    if not sys.stdin.readline().strip().lower().startswith("y"):
        raise refuse("--yes", "not given", "nothing was run")
