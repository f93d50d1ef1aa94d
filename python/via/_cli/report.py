# SPDX-License-Identifier: GPL-2.0-only
"""`via report`: a run as one HTML page."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from via._cli.guard import answered, guarded
from via._cli.options import Parser
from via._cli.sources import open_run

DESCRIPTION = """\
Writes a page on a saved run: a time line of messages and stages with the faults, a table of
messages with a search, percentiles, a breakdown by stage, the load of links on the topology,
counters, provenance, and how to make the run again. The page is one file that any browser shows
without a network. What does not fit is sampled, and the page says so.
"""

EPILOG = """\
SOURCE is a folder of `via run --save` or of run.save(). The page needs Bokeh to be written (pip
install bokeh), and nothing to be read.

exit codes: 0 written, 2 usage, a wrong value or no Bokeh, 4 internal error

examples:
  via run --save ping ping-pong.so -- -n 100
  via report ping -o ping.html
"""


def main(argv: Sequence[str]) -> int:
    """Run `via report`; return the exit code."""
    given = parser().parse_args(argv)
    return answered(lambda: check(given), parser()) or guarded(lambda: write(given), parser())


def parser() -> argparse.ArgumentParser:
    """Return the parser of all options."""
    made = Parser(prog="via report", description=DESCRIPTION, epilog=EPILOG)
    made.add_argument("source", type=Path, metavar="SOURCE", help="see below")
    made.add_argument("-o", "--out", type=Path, metavar="FILE", required=True, help="the page")
    return made


def check(given: argparse.Namespace) -> int:
    """Check the options; return 0.

    Raises:
        ConfigError: the text names the option, its value and what is allowed.
    """
    from via._base.files import check_outputs

    check_outputs({"--out": given.out}, [("SOURCE", given.source)])
    return 0


def write(given: argparse.Namespace) -> int:
    """Write the page."""
    open_run(given.source, "source").report_page(given.out)
    return 0
