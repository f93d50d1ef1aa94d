# SPDX-License-Identifier: GPL-2.0-only
"""Provider profiles: all numbers of a product on a host, each with its source."""

from __future__ import annotations

import os
from pathlib import Path

import pandas as pd

from via import _core, kinds
from via.errors import refuse

Profile = _core.Profile

# How a product does its work: the words that choose among the mechanisms of the simulator.
MECHANISMS = (
    "nic.processor", "nic.doorbell", "nic.descriptor", "nic.translation", "nic.data",
    "nic.completion",
)  # fmt: skip

# How far to believe a number, the strongest claim first; profiles/README.md says what each means.
TRUSTS = (
    "VERIFIED", "MEMORY-high", "MEMORY-medium", "MEMORY-low", "derived", "fitted", "assumed",
)  # fmt: skip

_ENTRY_COLUMNS = ("key", "value", "unit", "trust", "source", "file", "line")


def names() -> list[str]:
    """Return the sorted names of the products there are profiles of.

    They lie in the package's folder and in those that VIA_PROFILE_PATH names.
    """
    return _core.profile_names()


def hosts() -> list[str]:
    """Return the sorted names of the hosts a product can be plugged into."""
    return _files("hosts")


def kernels() -> list[str]:
    """Return the sorted names of the network stacks that carry IP."""
    return _files("kernels")


def _files(kind: str) -> list[str]:
    folders = [*os.environ.get("VIA_PROFILE_PATH", "").split(":"), _core.profile_folder()]
    places = [Path(folder) / kind for folder in folders if folder]
    return sorted({file.stem for place in places for file in place.glob("*.toml")})


def load(name: str = "giganet-clan1000", host: str | None = None) -> Profile:
    """Read a product's file and its host's.

    Args:
        name: one of names(), or a path to a TOML file.
        host: one of hosts(), or a path; None: the test bed the product was measured on.

    Raises:
        ConfigError: naming file, line, key, value, allowed range and unit.
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
    """Return every entry of a profile: key, value, unit, trust, source, file and line."""
    profile = _loaded(profile, host)
    rows = [[getattr(entry, column) for column in _ENTRY_COLUMNS] for entry in profile.entries]
    return pd.DataFrame(rows, columns=list(_ENTRY_COLUMNS))


def mechanisms(profile: Profile | str) -> dict[str, str]:
    """Return how a product does its work: the word chosen for each of MECHANISMS."""
    profile = _loaded(profile)
    return {each.key: each.value for each in profile.entries if each.key in MECHANISMS}


def label(profile: Profile | str) -> str:
    """Return the name of a product for tables and figures; a sketch is called one."""
    profile = _loaded(profile)
    return f"{profile.name} (sketch)" if profile.sketch else profile.name


def key(name: str) -> _core.ProfileKey:
    """Return what a key means and what values it may have.

    Raises:
        ConfigError: no profile has such a key.
    """
    return _core.profile_key(kinds.text("name", name))
