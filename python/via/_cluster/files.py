# SPDX-License-Identifier: GPL-2.0-only
"""The files that arguments of via.Cluster name."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from via import profiles


def card_files(card: profiles.Profile) -> list[str]:
    """Return the files of a profile: of the product, its host and its kernel, and a plug-in."""
    return sorted({entry.file for entry in card.entries} | {card.plug_in_file} - {""})


def topology_file(given: Mapping[str, Any]) -> str:
    """Return the file of a topology such as "file:ring.csv,rails=2"; "": it is another."""
    name = named(given.get("topology"))
    return name.removeprefix("file:").split(",")[0] if name.startswith("file:") else ""


def faults_file(given: Mapping[str, Any]) -> str:
    """Return the file of a fault plan; "": it is a value, or there is none."""
    return named(given.get("faults"))


def named(value: object) -> str:
    """Return a name or path as text; "": it is a value of another kind."""
    return str(value) if isinstance(value, str | os.PathLike) else ""
