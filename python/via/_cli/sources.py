# SPDX-License-Identifier: GPL-2.0-only
"""Sources of messages for commands: a run's folder or a CSV file; shared checks of options."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from via._base.doing import WORKS, doing
from via.errors import ConfigError, refuse

if TYPE_CHECKING:
    import argparse

    import pandas as pd

    from via.results import Run

_NUMBERS = (
    "src_rank",
    "dst_rank",
    "vi",
    "seq",
    "bytes",
    "clock_hz",
    "cycles",
    "start_ps",
    "end_ps",
)


def open_run(folder: Path, option: str) -> Run:
    """Return the run of a folder that `via run --save` made.

    Raises:
        ConfigError: there is none; the text says how to make one.
    """
    from via.results import Run

    if not folder.exists():
        raise refuse(option, folder, "there is no such folder; via run --save FOLDER makes one")
    return Run.load(folder)


def breakdown_of(source: Path, option: str) -> pd.DataFrame:
    """Return the breakdown in a run's folder or in a CSV that `via run --breakdown` wrote.

    Raises:
        ConfigError: it is neither, or incomplete.
    """
    from via._runs import tables

    if source.is_dir():
        return open_run(source, option).breakdown
    return tables.Breakdown(_read(source, option))


def _read(source: Path, option: str) -> pd.DataFrame:
    import pandas as pd

    from via._runs.store import read_csv
    from via._runs.tables import BREAKDOWN_COLUMNS

    if not source.is_file():
        raise refuse(option, source, "there is no such file or folder; via run --save, or "
                     "--breakdown, makes one")  # fmt: skip
    types = {name: "int64" if name in _NUMBERS else "category" for name in BREAKDOWN_COLUMNS}
    try:
        return read_csv(source, types)
    except (OSError, ValueError, KeyError, pd.errors.ParserError) as error:
        raise refuse(option, source, f"not a file of via run --breakdown: {error}") from error


def files_of_cluster(given: argparse.Namespace) -> list[tuple[str, str]]:
    """Return the files that a command line reads for its cluster, with their options."""
    from via._cluster import reading

    options = {"node_profiles": "node_profile"}  # the others have the names of arguments
    named = {name: getattr(given, options.get(name, name), None) for name in reading.NAMING}
    chosen = {name: value for name, value in named.items() if value is not None}
    return [(f"--{options.get(name, name).replace('_', '-')}", file)
            for name, file in reading.files(chosen)]  # fmt: skip


def profile_files(product: str, host: str | None = None) -> list[str]:
    """Return the files of a product and its host, and the file of its plug-in.

    For a wrong profile the list is empty: the error is reported when the profile is used.
    """
    from via import profiles
    from via._cluster.files import card_files

    try:
        return card_files(profiles.load(product, host))
    except ConfigError:
        return []


def whole(option: str, text: str, least: int, most: int) -> int:
    """Return a whole number from a command line.

    Raises:
        ConfigError: it is not a whole number, or out of range.
    """
    if not re.fullmatch(r"-?\d{1,20}", text, re.ASCII) or not least <= int(text) <= most:
        raise refuse(option, text, f"a whole number from {least} to {most} is needed")
    return int(text)


def check_message(rows: pd.DataFrame, message: str) -> None:
    """Refuse a message that does not exist.

    Raises:
        ConfigError: the text names some that exist.
    """
    names = rows["message"].unique()
    if message not in names:
        few = ", ".join(map(str, names[:3])) or "none"
        raise refuse("--message", message, f"there is no such message; there are {few}, ... "
                     "(via breakdown SOURCE --list)")  # fmt: skip


def effort(row: Any) -> str:
    """Return the cycles of a stage at its owner's clock, or what it does without a clock."""
    what = doing(row.stage, row.clock_hz)
    return f"{row.cycles} at {row.clock_hz / 1e6:g} MHz" if what == WORKS else what
