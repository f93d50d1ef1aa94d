# SPDX-License-Identifier: GPL-2.0-only
"""Profiles: all numbers of a product on a host, each with its source."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from via import _core
from via._base import kinds, notebook
from via._base import ranges as _ranges
from via._base.files import place_for, read_toml
from via._base.units import PS_PER_US, whole
from via.errors import ConfigError, refuse, refuse_name

if TYPE_CHECKING:
    import pandas as pd

Profile = _core.Profile

# Keys whose values select among the simulator's mechanisms.
MECHANISMS = (
    "nic.processor", "nic.doorbell", "nic.descriptor", "nic.translation", "nic.data",
    "nic.completion",
)  # fmt: skip

# Trust levels of a number, strongest first; profiles/README.md defines them.
TRUSTS = (
    "VERIFIED", "MEMORY-high", "MEMORY-medium", "MEMORY-low", "derived", "fitted", "assumed",
)  # fmt: skip

BURST_BYTES = (8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096)
MOST_BURST_BYTES = 1 << 20
_BURSTS = 64  # one after the other, so that the first does not count
_DMA_WAYS = ("read", "write", "both")

_ENTRY_COLUMNS = ("key", "value", "unit", "trust", "source", "file", "line")
_RANGE_COLUMNS = ("key", "value", "unit", "trust", "low", "high", "moves_with", "reason")


def names() -> list[str]:
    """Return the sorted names of the products that have profiles.

    Profiles are read from the package's folder and from the folders in VIA_PROFILE_PATH.
    """
    return _core.profile_names()


def hosts() -> list[str]:
    """Return the sorted names of the host computers that have profiles."""
    return _files("hosts")


def kernels() -> list[str]:
    """Return the sorted names of the kernels, whose network stacks carry IP."""
    return _files("kernels")


def _files(kind: str) -> list[str]:
    places = [folder / kind for folder in _folders()]
    return sorted({file.stem for place in places for file in place.glob("*.toml")})


def _folders() -> list[Path]:
    folders = [*os.environ.get("VIA_PROFILE_PATH", "").split(":"), _core.profile_folder()]
    return [Path(folder) for folder in folders if folder]


def load(name: str = "giganet-clan1000", host: str | None = None) -> Profile:
    """Load the profile of a product on a host.

    Args:
        name: one of names(), or the path of a TOML file.
        host: one of hosts(), or a path; None: the test bed on which the product was measured.

    Raises:
        ConfigError: the text names file, line, key, value, allowed range and unit.
    """
    if host == "":
        raise refuse("host", repr(host), f"must be a path or one of: {', '.join(hosts())}")
    found = "" if host is None else kinds.text("host", host)
    return _core.load_profile(kinds.text("name", name), found)


def _loaded(profile: Profile | str, host: str | None = None) -> Profile:
    if isinstance(profile, Profile):
        return profile
    return load(kinds.text("profile", profile), host)


def entries(profile: Profile | str, host: str | None = None) -> pd.DataFrame:
    """Return the entries of a profile, a row each: key, value, unit, trust, source, file, line."""
    profile = _loaded(profile, host)
    rows = [[getattr(entry, column) for column in _ENTRY_COLUMNS] for entry in profile.entries]
    return _table(rows, _ENTRY_COLUMNS)


def ranges(
    profile: Profile | str, host: str | None = None, kernel: str | None = None
) -> pd.DataFrame:
    """Return how far each number of a profile may be from the truth, by its trust.

    Returns:
        A row per number that has a range, with key, value, unit, trust, low, high (nine chances of
        ten that the truth is between), moves_with (the key whose errors it shares, or empty) and
        reason. Widths, counts, sizes and words are of the structure and have none.
    """
    card = _loaded(profile, host)
    card = card if kernel is None else card.with_kernel(kinds.text("kernel", kernel))
    rows = []
    for entry in card.entries:
        found = _ranges.of(entry.key, entry.unit, entry.trust)
        if found.factor > 1 and _ranges.amount(entry.value):
            low, high = (_ranges.scaled(entry.value, f) for f in (1 / found.factor, found.factor))
            moves_with = _ranges.follows(entry.source) or ""
            rows.append([entry.key, entry.value, entry.unit, entry.trust, low, high, moves_with,
                         found.reason])  # fmt: skip
    return _table(rows, _RANGE_COLUMNS)


def dma_rates(host: Profile | str, sizes: Iterable[int] = BURST_BYTES) -> pd.DataFrame:
    """Return how fast a card without costs moves data over the bus of a host, by burst size.

    What chipsets are known by: their bridges cost the same for a short burst as for a long one.

    Args:
        host: one of hosts(), a path, or a profile, whose host is taken.
        sizes: bytes of a burst, 1 to 1048576 each; a bus may split them.

    Returns:
        A row per size, with burst_bytes, and read_mb_s, write_mb_s, both_mb_s in 10^6 bytes per
        second of 64 bursts one after the other. A read takes data from the host's memory to the
        card; "both" is the sum of a read and a write at the same time.

    Raises:
        ConfigError: there is no such host, or a size is out of range.
    """
    card = host if isinstance(host, Profile) else load("ideal", kinds.text("host", host))
    rows = []
    for given in kinds.listed("sizes", sizes):
        size = whole("sizes", given, 1, MOST_BURST_BYTES)
        times_ps = {way: _core.dma_time_ps(card, way, size, _BURSTS) for way in _DMA_WAYS}
        moved = {way: (2 if way == "both" else 1) * _BURSTS * size for way in _DMA_WAYS}
        rows.append([size, *(moved[way] * PS_PER_US / times_ps[way] for way in _DMA_WAYS)])
    return _table(rows, ["burst_bytes", *(f"{way}_mb_s" for way in _DMA_WAYS)])


def _table(rows: Sequence[Sequence[object]], columns: Sequence[str]) -> pd.DataFrame:
    import pandas as pd  # takes a while to load

    return pd.DataFrame(rows, columns=list(columns))


def mechanisms(profile: Profile | str) -> dict[str, str]:
    """Return the value of each key in MECHANISMS."""
    profile = _loaded(profile)
    return {each.key: each.value for each in profile.entries if each.key in MECHANISMS}


def label(profile: Profile | str) -> str:
    """Return the name of a product for tables and figures; it marks a sketch as such."""
    profile = _loaded(profile)
    return f"{profile.name} (sketch)" if profile.sketch else profile.name


def extend(
    path: str | os.PathLike[str],
    base: str,
    changes: Mapping[str, object],
    *,
    title: str,
    source: str,
    trust: str = "assumed",
    host: str | None = None,
) -> Profile:
    """Write the profile of a product that differs from another in some keys, and load it.

    The file says `extends = "base"`: whatever it does not say is that of the other product.

    Args:
        path: the file to write, NAME.toml; NAME is not that of the other product.
        base: one of names().
        changes: other values by key: {"nic.clock": "125 MHz"}.
        title: the full name of the product.
        source: where the values come from, or why they are assumed.
        trust: one of TRUSTS.
        host: its test bed: one of hosts(); None: that of the other product.

    Raises:
        ConfigError: there is no such product, key or host, a value is out of range, or the file
            would not be a profile; it is not written then, and an old one stays.
    """
    place = kinds.path("path", path)
    if place.suffix != ".toml":
        raise refuse("path", place, "a profile ends in .toml")
    kinds.written("path", place)  # the simulator reads it
    if trust not in TRUSTS:
        raise refuse_name("trust", trust, TRUSTS)
    if kinds.text("base", base) not in names():
        raise refuse_name("base", base, names())
    if place.stem == base or place.resolve() in map(Path.resolve, _origins(base)):
        raise refuse("path", place, "another name is needed, not that of its base or of a product"
                     " that its base extends")  # fmt: skip
    given = {
        kinds.written("changes", name): kinds.written("changes", value)
        for name, value in kinds.mapping("changes", changes).items()
    }
    wanted = load(base, host).with_values(given)
    lines = [
        'schema = "via-product/1"',
        f"title = {_quoted(kinds.text('title', title))}",
        f"extends = {_quoted(base)}",
        *([] if host is None else [f"default_host = {_quoted(wanted.host)}"]),
    ]
    said = _quoted(kinds.text("source", source))
    for entry in wanted.entries:
        if entry.key in given:
            value = _toml(entry)
            unit = _quoted(entry.unit)
            lines.append(f"{entry.key} = {{ value = {value}, unit = {unit}, source = {said}, "
                         f"trust = {_quoted(trust)} }}")  # fmt: skip
    with place_for(place) as beside:
        beside.write_text("\n".join(lines) + "\n", encoding="utf-8")
        try:
            load(str(beside))
        except ConfigError as error:
            raise ConfigError(str(error).replace(str(beside), str(place))) from None
    return load(str(place))


def _origins(name: str) -> list[Path]:
    """Return the file of a product, and those of the products that it extends."""
    files: list[Path] = []
    while name:
        found = (folder / f"{name}.toml" for folder in _folders())
        file = next((each for each in found if each.is_file()), None)
        if file is None or file in files:
            break  # load() says what is wrong
        files.append(file)
        name = str(read_toml(file, "base").get("extends", ""))
    return files


def _toml(entry: _core.ProfileEntry) -> str:
    """Return a value as a profile file has it: text in quotes, lists in brackets."""
    parts = [part.strip() for part in entry.value.strip("[]").split(",")]
    texts = [part if part.lstrip("-").isdigit() else _quoted(part) for part in parts]
    is_list = key(entry.key).allowed.startswith("a list") or len(parts) > 1
    return f"[{', '.join(texts)}]" if is_list else texts[0]


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _trust(profile: Profile) -> dict[str, int]:
    """Return how many of its numbers have each trust, the best first."""
    counts = entries(profile)["trust"].value_counts()
    return {each: int(counts[each]) for each in TRUSTS if each in counts}


def _svg(profile: Profile) -> str:
    from via._drawing import inline  # matplotlib takes a while to load

    return inline.shares(_trust(profile), "numbers of the profile by trust")


def _html(profile: Profile) -> str:
    shown: dict[str, object] = {
        "product": profile.title, "host": profile.host, "fingerprint": profile.fingerprint,
        **{key(name).meaning: word for name, word in mechanisms(profile).items()},
        "evidence": ", ".join(f"{count} {each}" for each, count in _trust(profile).items()),
    }  # fmt: skip
    if profile.sketch:
        shown["sketch"] = profile.sketch
    return notebook.table("via.Profile", shown) + _svg(profile)


def _repr(profile: Profile) -> str:
    return f"<via.Profile of {profile.title} on {profile.host}>"


# The class is compiled; what a prompt and notebooks show of it is Python.
Profile.__repr__ = _repr  # type: ignore[assignment, method-assign]
Profile._repr_html_ = _html  # type: ignore[attr-defined]
Profile._repr_svg_ = _svg  # type: ignore[attr-defined]


def key(name: str) -> _core.ProfileKey:
    """Return the meaning and the allowed values of a profile key.

    Raises:
        ConfigError: there is no such key.
    """
    return _core.profile_key(kinds.text("name", name))
