# SPDX-License-Identifier: GPL-2.0-only
"""`via trace`: the time line of a run for Perfetto, or the log of a message."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from via._cli.guard import answered
from via._cli.options import Parser
from via._cli.sources import breakdown_of, check_message, effort, open_run
from via.errors import refuse

if TYPE_CHECKING:
    import pandas as pd

DESCRIPTION = """\
Shows what happened in a run: as a Chrome trace for Perfetto (https://ui.perfetto.dev) or
chrome://tracing, with a process per host and switch and a thread per engine and VI; or as a text
log of one message.
"""

EPILOG = """\
SOURCE is a folder of `via run --save`; for a log it can also be a file of `via run --breakdown`.

exit codes: 0 done, 2 usage or a wrong value

examples:
  via run --save ping ping-pong.so -- -n 10
  via trace ping --out ping.json                    open it in Perfetto
  via trace ping --message 0.0.3                    its critical path, line by line
  via trace ping --message 0.0.3 --all              with overlapping work of other parts
"""


def main(argv: Sequence[str]) -> int:
    """Run `via trace`; return the exit code."""
    given = parser().parse_args(argv)
    return answered(lambda: tell(given), parser())


def parser() -> argparse.ArgumentParser:
    """Return the parser of all options."""
    made = Parser(prog="via trace", description=DESCRIPTION, epilog=EPILOG)
    made.add_argument("source", type=Path, metavar="SOURCE", help="see below")
    made.add_argument("--out", type=Path, metavar="FILE", help="write the Chrome trace as JSON")
    made.add_argument("--message", metavar="M", help="print the log of a message, such as 0.0.3")
    made.add_argument(
        "--all", action="store_true", help="with --message: also work off its critical path"
    )
    return made


def tell(given: argparse.Namespace) -> int:
    """Write the time line or print the log."""
    from via._base.files import check_outputs

    if given.out is None and given.message is None:
        raise refuse("source", given.source, "--out FILE writes its time line, --message M a log")
    if given.all and given.message is None:
        raise refuse("--all", "given", "it needs --message")
    if given.out is not None:
        check_outputs({"--out": given.out}, [("SOURCE", given.source)])
        open_run(given.source, "source").timeline(given.out)
    if given.message is not None:
        rows = breakdown_of(given.source, "source")
        check_message(rows, given.message)
        spans = open_run(given.source, "source").spans if given.all else None
        print("\n".join(log(rows[rows["message"] == given.message], spans)))
    return 0


def log(rows: pd.DataFrame, spans: pd.DataFrame | None) -> list[str]:
    """Return the log of a message: time, duration, owner, stage; "*" marks the critical path."""
    from via._base.text import table

    begin, end = int(rows["start_ps"].min()), int(rows["end_ps"].max())
    events = [(row.start_ps, row.end_ps, "*", row) for row in rows.itertuples()]
    if spans is not None:
        own = {(row.start_ps, row.end_ps, row.owner, row.stage) for row in rows.itertuples()}
        inside = spans[(spans["end_ps"] > begin) & (spans["start_ps"] < end)]
        events += [
            (row.start_ps, row.end_ps, "", row)
            for row in inside.itertuples()
            if (row.start_ps, row.end_ps, row.owner, row.stage) not in own
        ]
    first = rows.iloc[0]
    lines = [
        [f"{(start - begin) / 1e6:+.6f}", f"{(until - start) / 1e6:.6f}", mark, row.owner,
         row.stage, effort(row)]
        for start, until, mark, row in sorted(events, key=lambda event: event[:3])
    ]  # fmt: skip
    title = (
        f"message {first['message']}: {first['op']} of {first['bytes']} bytes, rank "
        f"{first['src_rank']} to rank {first['dst_rank']}, posted at {begin} ps, "
        f"took {(end - begin) / 1e6:.6f} us"
    )
    return [title, table(["at us", "for us", "", "who", "what", "cycles"], lines)]
