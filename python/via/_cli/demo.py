# SPDX-License-Identifier: GPL-2.0-only
"""`via demo`: latency, bandwidth, where the time goes, a barrier."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from via._cli.guard import guarded
from via._cli.options import FORMATS, Parser, add_format

DESCRIPTION = """\
Runs the C programs ping-pong.c, stream.c and barrier.c on a simulated Giganet cLAN cluster. Prints
latency, bandwidth, the stages of a 4-byte message and a barrier on up to 64 nodes, with published
measurements for comparison; writes tables as CSV and figures. Bandwidth is measured twice:
with a receiver that ignores the bytes, as in benchmarks, and one that compares and clears them.
"""

EPILOG = """\
files:
  latency.csv bandwidth.csv stages.csv barrier.csv published.csv   the tables
  breakdown.csv          one round of the 4-byte ping-pong, stage by stage, in picoseconds
  demo.png (--format)    all figures; each also has its own file
  programs/*.so          the compiled programs, for via run
  provenance.json        for via reproduce

examples:
  via demo
  via demo --quick --out /tmp/look
"""


def main(argv: Sequence[str]) -> int:
    """Run `via demo`; return the exit code."""
    given = parser().parse_args(argv)
    return guarded(lambda: run(given.out, given.format, quick=given.quick), parser())


def parser() -> argparse.ArgumentParser:
    """Return the parser of all options."""
    made = Parser(
        prog="via demo",
        description=DESCRIPTION,
        epilog=EPILOG,
    )
    made.add_argument(
        "--out", type=Path, default=Path("out/demo"), metavar="DIR",
        help="folder of the results (default: %(default)s)",
    )  # fmt: skip
    made.add_argument("--quick", action="store_true", help="fewer sizes, at most 8 nodes")
    add_format(made)
    return made


def run(out: Path, form: str = FORMATS[0], *, quick: bool) -> int:
    """Measure, print, write and draw."""
    began = time.perf_counter()
    from via._base import commands
    from via._base.files import make_folder
    from via._cli import demonstration as demo
    from via._cli import demonstration_report as demo_report
    from via._runs import provenance

    provenance.check_folder(out, "--out")
    make_folder(out, "--out")
    built = make_folder(out / "programs", "--out")
    plan = demo.QUICK if quick else demo.FULL
    results = demo.measure_all(plan, built, lambda line: print(f"via: {line}", file=sys.stderr))
    print(demo_report.text(results))
    options = [*(["--quick"] if quick else []), *(["--format", form] if form != FORMATS[0] else [])]
    command = commands.of_command("demo", *options)
    with commands.recording(command):
        written = [
            *demo_report.write_tables(results, out),
            *demo_report.draw_figures(results, out, form),
        ]
    provenance.add(out, command, written)
    print(f"\nwritten to {out}/: {', '.join(path.name for path in written)}")
    print(f"to run one yourself: ./via run --breakdown stages.csv {built}/ping-pong.so -- -s 4")
    print(f"digest of all runs: {results.digest()}")
    print(f"wall time: {time.perf_counter() - began:.1f} s, the build not included", flush=True)
    return 0
