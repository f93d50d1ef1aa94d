# SPDX-License-Identifier: GPL-2.0-only
"""Published measurements of real products, with a trust level for each."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from via import _core

# Bytes per second are counted in units of 10^6.
_MB_PER_S = {"MB/s": 1.0, "Mb/s": 1 / 8}

# Relative uncertainty of a published value by trust level. LOW gives only the order of magnitude:
# its errors are counted in factors of ten.
UNCERTAINTY = {"VERIFIED": 0.03, "MEMORY-high": 0.10, "MEMORY-medium": 0.15}
# A kernel's numbers are each fitted to rows of several hosts, so VERIFIED rows fit less closely.
KERNEL_UNCERTAINTY = UNCERTAINTY | {"VERIFIED": 0.05}
LOW = "MEMORY-low"
LOW_FACTOR = 10.0

_CITED_ROW = re.compile(r"^([A-Za-z][\w-]*)/([A-Za-z][\w.-]*?)(?=:|,|\s|$)")
_NAMED_ROW = re.compile(
    r"(?<!conditions of )(?<![\w/-])([A-Za-z][\w-]*)/([A-Za-z][\w.-]*\w)(?:: \[([^]]+)\])?"
)

# What names a machine in the text beside a row: a processor with its clock; a chipset or model.
_CLOCK = r"(?:\d{3,4}\b|\d+(?:\.\d+)? [GM]Hz|\d\.\d\b)"
_FAMILY = r"(?:Pentium(?: Pro| II| III| 4)?|P(?:II|III|Pro)|Xeon|Itanium ?2|Opteron|Alpha|EV\d|G5)"
_MACHINE = re.compile(rf"\b{_FAMILY} {_CLOCK}|{_CLOCK} {_FAMILY}\b")
_CHIPSET = re.compile(
    r"\b(?:ServerWorks|Intel (?:4|8)\d\d|AMD \d{4}|HP \w+|Apple|Supermicro|MiataGL)\b"
)


@dataclass(frozen=True)
class Citation:
    """A row that the source of a profile's entry names.

    Attributes:
        provider, metric: of the row.
        where: words of its conditions or source, where several rows have this name; empty: all.
    """

    provider: str
    metric: str
    where: str = ""


def cited(source: str) -> Citation | None:
    """Return the row that a source cites first; None: it cites none."""
    match = _CITED_ROW.match(source)
    return Citation(match[1], match[2]) if match else None


def named(source: str) -> set[Citation]:
    """Return the rows from which a number was taken: all that its source names, wherever.

    A number that follows from two rows names both; "provider/metric: [words]" is the row whose
    conditions or source have these words, if several rows have the name. "conditions of ROW" names
    the text from which a property was read, such as a clock or a number of ports; the measurement
    itself was not used.
    """
    return {Citation(*match.groups("")) for match in _NAMED_ROW.finditer(source)}


def load() -> pd.DataFrame:
    """Return all rows: provider, metric, size_bytes, value, unit, conditions, source, status."""
    path = Path(_core.profile_folder()) / "published.csv"
    return pd.read_csv(path, dtype={"value": str, "size_bytes": "Int64"})


def latencies_us(provider: str) -> pd.DataFrame:
    """Return a provider's one-way latencies with known message size; column `value_us`."""
    rows = load()
    wanted = rows["metric"].str.match(r"latency_one_way(_base)?$") & rows["size_bytes"].notna()
    found = rows[(rows["provider"] == provider) & wanted & (rows["unit"] == "us")].copy()
    found["value_us"] = found["value"].astype(float)
    return found.reset_index(drop=True)


def bandwidths_mb_s(provider: str) -> pd.DataFrame:
    """Return the bandwidths of a provider's native interface; column `value_mb_s`.

    A peak has no size: it belongs to the largest messages.
    """
    rows = load()
    wanted = rows["metric"].isin(["bandwidth", "bandwidth_peak"]) & rows["unit"].isin(_MB_PER_S)
    found = rows[(rows["provider"] == provider) & wanted].copy()
    found["value_mb_s"] = found["value"].astype(float) * found["unit"].map(_MB_PER_S)
    return found.reset_index(drop=True)


def limits(value: float, trust: str, *, kernel: bool = False) -> tuple[float, float]:
    """Return the lower and upper limit of the true value at this trust level.

    Args:
        kernel: whether the row measures kernel sockets.
    """
    if trust == LOW:
        return value / LOW_FACTOR, value * LOW_FACTOR
    part = (KERNEL_UNCERTAINTY if kernel else UNCERTAINTY)[trust]
    return value * (1 - part), value * (1 + part)


def multiple(simulated: float, value: float, trust: str, *, kernel: bool = False) -> float:
    """Return the error as a multiple of the row's uncertainty; up to 1 is within it.

    Args:
        kernel: whether the row measures kernel sockets.
    """
    if trust == LOW:
        return abs(math.log(simulated / value, LOW_FACTOR))
    part = (KERNEL_UNCERTAINTY if kernel else UNCERTAINTY)[trust]
    return abs(simulated / value - 1) / part


def work(source: str) -> str:
    """Return the publication that a source names, without the place where it was read."""
    return source.partition(";")[0]


def names_machine(conditions: str, *, of_bus: bool) -> bool:
    """Return whether the text beside a row names the machine on which it was measured.

    Args:
        of_bus: a bus by itself was measured, which a chipset or a model names; what passes a
            network and its hosts, a processor with its clock does, too.
    """
    if _CHIPSET.search(conditions):
        return True
    return not of_bus and bool(_MACHINE.search(conditions))


def is_verified(status: str) -> bool:
    """Return whether a row was read in its publication, not recalled."""
    return status == "VERIFIED"


def short_source(source: str) -> str:
    """Return the first author and year of a source, for a table or a figure."""
    told = source.removeprefix("(authors from memory: ")
    author = re.split(r",| & | et al\.| '| \(|: ", told, maxsplit=1)[0].strip()
    year = re.search(r"(?<![-/\w])(?:19|20)\d\d\b", source)
    return f"{author} {year[0]}" if year and year[0] not in author else author
