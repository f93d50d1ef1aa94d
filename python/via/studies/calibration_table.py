# SPDX-License-Identifier: GPL-2.0-only
"""The table of published measurements and the simulations with which they are compared."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

from via import _core, profiles
from via._base import published
from via.errors import refuse
from via.studies.costs import DMA, MEASURES

SCHEMA = "via-calibration/1"
USES = ("fit", "judge", "context")
_COMPARE = {"row", "where", "profile", "host", "kernel", "topology", "nodes", "measure", "size",
            "use", "reason", "outside", "chose", "same_as"}  # fmt: skip
_LEAVE = {"row", "where", "reason"}


@dataclass(frozen=True)
class Published:
    """One row of published.csv."""

    provider: str
    metric: str
    size: int | None
    value: str
    unit: str
    conditions: str
    source: str
    trust: str


@dataclass(frozen=True)
class Comparison:
    """A published row and what is simulated for it.

    Attributes:
        profile, host, topology, nodes: the simulated cluster; no host: the product's own; no
            profile: the host by itself.
        kernel: the kernel whose sockets carry the messages; None: the product's own interface.
        measure: one of costs.MEASURES.
        size: message size in bytes; None: the measure has its own.
        use: one of USES.
        reason: remarks for the reader.
        outside: why our value is outside the uncertainty, if it is.
        chose: what of the product was chosen because of the row, beside the numbers that name it.
        same_as: the row, as provider/metric, that is of the same measurement.
    """

    row: Published
    profile: str
    host: str | None
    kernel: str | None
    topology: str
    nodes: int
    measure: str
    size: int | None
    use: str
    reason: str
    outside: str
    chose: str = ""
    same_as: str = ""


@dataclass(frozen=True)
class Left:
    """A published row that is not compared, and why."""

    row: Published
    reason: str


@dataclass(frozen=True)
class Table:
    """The content of the file: rows, and what is known to be wrong beside them."""

    comparisons: Sequence[Comparison]
    left: Sequence[Left]
    wrong: Sequence[str] = ()

    def of(self, card: profiles.Profile) -> list[Comparison]:
        """Return the comparisons for a profile.

        A user's profile gets the comparisons of the product whose rows its sources cite most.
        """
        mine = [each for each in self.comparisons if each.profile == card.name]
        return mine or self._of_most_cited(card)

    def of_hosts(self) -> list[Comparison]:
        """Return the comparisons of hosts by themselves."""
        return [each for each in self.comparisons if not each.profile]

    def _of_most_cited(self, card: profiles.Profile) -> list[Comparison]:
        cited = Counter(
            (citation.provider, citation.metric)
            for entry in card.entries
            if not is_of_host(entry) and (citation := published.cited(entry.source))
        )
        weights: Counter[str] = Counter()
        for each in self.comparisons:
            weights[each.profile] += cited[each.row.provider, each.row.metric]
        name = max(sorted(weights), key=weights.__getitem__)
        if not weights[name]:
            return []
        return [each for each in self.comparisons if each.profile == name]


def is_of_host(entry: _core.ProfileEntry) -> bool:
    """Return whether an entry is in a host's file."""
    return entry.key.split(".")[0] in ("cpu", "os", "bus")


def path() -> Path:
    """Return the path of the table."""
    return Path(_core.profile_folder()) / "calibration" / "rows.toml"


@cache
def load() -> Table:
    """Read the table.

    Raises:
        ConfigError: an entry is wrong, or a published row is missing from the table.
    """
    return read(path(), published.load())


def read(file: Path, measurements: pd.DataFrame) -> Table:
    """Read the table like load(), from any file and for any measurements."""
    with file.open("rb") as stream:
        given = tomllib.load(stream)
    if given.get("schema") != SCHEMA:
        raise refuse("schema", given.get("schema"), f"{file}: must be {SCHEMA}")
    rows = [_published(each) for each in measurements.itertuples()]
    comparisons = [_comparison(file, entry, rows) for entry in given.get("compare", [])]
    left = [each for entry in given.get("leave", []) for each in _left(file, entry, rows)]
    _check_complete(file, rows, comparisons, left)
    return Table(comparisons, left, given.get("wrong", []))


def _published(each: Any) -> Published:
    size = None if pd.isna(each.size_bytes) else int(each.size_bytes)
    conditions = "" if pd.isna(each.conditions) else each.conditions
    return Published(
        each.provider, each.metric, size, each.value, each.unit, conditions, each.source,
        each.status,
    )  # fmt: skip


def _comparison(file: Path, entry: Mapping[str, Any], rows: Sequence[Published]) -> Comparison:
    _check_fields(file, entry, _COMPARE, {"row", "measure", "use", "reason"})
    found = _selected(file, entry, rows)
    if len(found) != 1:
        raise refuse("row", entry["row"], f"{file}: {len(found)} published rows match, not 1")
    for field, known in (("measure", list(MEASURES)), ("use", USES)):
        if entry[field] not in known:
            raise refuse(field, entry[field], f"{file}, {entry['row']}: {', '.join(known)}")
    row = found[0]
    size = entry.get("size", row.size)
    if size is None and MEASURES[entry["measure"]].needs_size:
        raise refuse("size", "", f"{file}, {entry['row']}: {entry['measure']} needs one")
    needed = "host" if MEASURES[entry["measure"]].kind == DMA else "profile"
    if needed not in entry:
        raise refuse(needed, "", f"{file}, {entry['row']}: is missing")
    if "same_as" in entry and entry["same_as"] not in {f"{r.provider}/{r.metric}" for r in rows}:
        raise refuse("same_as", entry["same_as"], f"{file}, {entry['row']}: there is no such row")
    if MEASURES[entry["measure"]].nodes != ("nodes" in entry):
        wanted = "barriers need it, and nothing else may have it"
        raise refuse("nodes", entry.get("nodes", ""), f"{file}, {entry['row']}: {wanted}")
    if MEASURES[entry["measure"]].needs_kernel != ("kernel" in entry):
        wanted = "sockets need one, and nothing else may have one"
        raise refuse("kernel", entry.get("kernel", ""), f"{file}, {entry['row']}: {wanted}")
    return Comparison(
        row, entry.get("profile", ""), entry.get("host"), entry.get("kernel"),
        entry.get("topology", "star"), entry.get("nodes", 2), entry["measure"], size,
        entry["use"], entry["reason"], entry.get("outside", ""), entry.get("chose", ""),
        entry.get("same_as", ""),
    )  # fmt: skip


def _left(file: Path, entry: Mapping[str, Any], rows: Sequence[Published]) -> list[Left]:
    _check_fields(file, entry, _LEAVE, {"row", "reason"})
    found = _selected(file, entry, rows)
    if not found:
        raise refuse("row", entry["row"], f"{file}: no published row matches")
    return [Left(row, entry["reason"]) for row in found]


def _check_fields(file: Path, entry: Mapping[str, Any], known: set[str], must: set[str]) -> None:
    name = entry.get("row", "an entry")
    for field in sorted(set(entry) - known):
        raise refuse(field, entry[field], f"{file}, {name}: there are {', '.join(sorted(known))}")
    for field in sorted(must - set(entry)):
        raise refuse(field, "", f"{file}, {name}: is missing")


def _selected(file: Path, entry: Mapping[str, Any], rows: Sequence[Published]) -> list[Published]:
    provider, slash, metric = entry["row"].partition("/")
    if not slash:
        raise refuse("row", entry["row"], f"{file}: provider/metric is needed")
    where = entry.get("where", "")
    return [
        row
        for row in rows
        if row.provider == provider
        and metric in (row.metric, "*")
        and (where in row.source or where in row.conditions)
    ]


def _check_complete(
    file: Path,
    rows: Sequence[Published],
    comparisons: Sequence[Comparison],
    left: Sequence[Left],
) -> None:
    compared = {each.row for each in comparisons}
    put_aside = Counter(each.row for each in left)
    for row in rows:
        name = f"{row.provider}/{row.metric}"
        if (row in compared) + put_aside[row] == 0:
            raise refuse("row", name, f"{file}: neither compared nor left, with a reason")
        if row in put_aside and ((row in compared) or put_aside[row] > 1):
            raise refuse("row", name, f"{file}: occurs twice")
