# SPDX-License-Identifier: GPL-2.0-only
"""Profiles: all numbers of a product on a host, each with its source."""

from __future__ import annotations

import os
from pathlib import Path

import pandas as pd

from via import _core
from via._base import kinds
from via.errors import refuse

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

_ENTRY_COLUMNS = ("key", "value", "unit", "trust", "source", "file", "line")


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
    folders = [*os.environ.get("VIA_PROFILE_PATH", "").split(":"), _core.profile_folder()]
    places = [Path(folder) / kind for folder in folders if folder]
    return sorted({file.stem for place in places for file in place.glob("*.toml")})


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
    return pd.DataFrame(rows, columns=list(_ENTRY_COLUMNS))


def mechanisms(profile: Profile | str) -> dict[str, str]:
    """Return the value of each key in MECHANISMS."""
    profile = _loaded(profile)
    return {each.key: each.value for each in profile.entries if each.key in MECHANISMS}


def label(profile: Profile | str) -> str:
    """Return the name of a product for tables and figures; it marks a sketch as such."""
    profile = _loaded(profile)
    return f"{profile.name} (sketch)" if profile.sketch else profile.name


def key(name: str) -> _core.ProfileKey:
    """Return the meaning and the allowed values of a profile key.

    Raises:
        ConfigError: there is no such key.
    """
    return _core.profile_key(kinds.text("name", name))
