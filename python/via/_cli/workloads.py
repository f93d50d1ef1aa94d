# SPDX-License-Identifier: GPL-2.0-only
"""`via workloads`: the built-in workloads and protocols, and the options of one."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from via._cli.guard import answered
from via._cli.options import Parser
from via._programs import plug_ins

EPILOG = """\
The same classes are in via.workloads for Python; `via sweep NAME nodes=2,4,8` runs one at many
points.

examples:
  via workloads                                    all, a line each
  via workloads paxos                              its options: default, limits, meaning
  via workloads paxos --nodes 64                   as they are on 64 nodes
  via workloads stream --profile gm-lanai9-200 --csv
"""


def main(argv: Sequence[str]) -> int:
    """Run `via workloads`; return the exit code."""
    given = parser().parse_args(argv)
    with plug_ins.permitted(given.allow_plug_in):
        return answered(lambda: answer(given), parser())


def parser() -> argparse.ArgumentParser:
    """Return the parser of all options."""
    made = Parser(
        prog="via workloads",
        description="Lists the workloads and protocols that are built in, or the options of one.",
        epilog=EPILOG,
    )
    made.add_argument("workload", nargs="?", metavar="NAME", help="show the options of this one")
    made.add_argument(
        "--nodes", default="2", metavar="N", help="nodes of the cluster (default: %(default)s)"
    )
    made.add_argument(
        "--profile", default="giganet-clan1000", metavar="P",
        help="product, whose card limits sizes and windows (default: %(default)s)",
    )  # fmt: skip
    plug_ins.add_option(made)
    made.add_argument("--csv", action="store_true", help="print as CSV")
    return made


def answer(given: argparse.Namespace) -> int:
    """Print the list of workloads, or of one's options."""
    from via import _core, workloads
    from via._base.text import table
    from via._cli.sources import whole

    nodes = whole("--nodes", given.nodes, 1, _core.MOST_HOSTS)
    classes = {each.name: each for each in workloads.CLASSES}
    if given.workload is None:
        rows = [[name, getattr(classes.get(name), "__name__", ""), _first_line(classes.get(name))]
                for name in workloads.names()]  # fmt: skip
        header = ["name", "class of via.workloads", "what it does"]
        if given.csv:
            _print_csv(header, rows)
        else:
            print(table(header, rows))
        return 0
    options = workloads.options(given.workload, nodes, given.profile)
    header = list(options.columns)
    rows = options.astype(object).where(options.notna(), None).to_numpy().tolist()
    if given.csv:
        _print_csv(header, rows)
        return 0
    if given.workload in classes:
        print(f"{_first_line(classes[given.workload])}\n")
    print(table(header, rows))
    return 0


def _first_line(kind: type | None) -> str:
    return (kind.__doc__ or "").strip().splitlines()[0] if kind else ""


def _print_csv(header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    import csv

    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(["" if cell is None else cell for cell in row] for row in rows)
