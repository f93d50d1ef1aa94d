# SPDX-License-Identifier: GPL-2.0-only
"""Outcomes of earlier sweeps: a file per point, complete or absent."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path

from via._base.files import cache_folder, make_folder, written
from via.errors import ConfigError, refuse
from via.sweeps.grid import Point, canonical
from via.sweeps.point import Outcome

SCHEMA = "via-point/1"
VARIABLE = "VIA_SWEEP_CACHE"
USUAL, NOTHING = "usual", "none"


def folder_of(cache: str | os.PathLike[str] | None) -> Path | None:
    """Return the folder where outcomes are kept, or None for nowhere.

    "usual" is $VIA_SWEEP_CACHE, or a folder in the user's cache. VIA_SWEEP_CACHE=none overrides
    everything: a reproduction must not use old results.
    """
    named = os.environ.get(VARIABLE)
    if cache is None or named == NOTHING:
        return None
    if cache != USUAL:
        return Path(cache)
    return Path(named) if named else cache_folder() / "sweeps"


class Store:
    """Outcomes of points, by everything they depend on.

    Args:
        folder: the folder of the files; None: nothing is kept.

    Raises:
        ConfigError: the folder cannot be made or written to.
    """

    def __init__(self, folder: Path | None) -> None:
        self.trouble = ""  # why something was not kept; the sweep goes on
        self._folder = None if folder is None else make_folder(folder, "cache")

    def key(self, about: Mapping[str, str], point: Point) -> str:
        """Return the key of a point: a digest of its arguments and of everything it depends on."""
        try:
            text = canonical([about, point])
        except TypeError as error:
            raise refuse("grid", point, f"must have names and values in order: {error}") from None
        return hashlib.sha256(text.encode()).hexdigest()

    def get(self, key: str) -> Outcome | None:
        """Return the kept outcome; None: there is none, or its file is damaged."""
        if self._folder is None:
            return None
        try:
            kept = json.loads(self._file(key).read_text("utf-8"))
            values = kept["values"]
            whole = kept["schema"] == SCHEMA and kept["key"] == key and kept["sum"] == _sum(values)
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None
        return Outcome(values) if whole and isinstance(values, dict) else None

    def put(self, key: str, outcome: Outcome) -> None:
        """Keep the outcome of a point, unless it failed: then it is tried again next time."""
        if self._folder is None or outcome.error:
            return
        file = self._file(key)
        kept = {"schema": SCHEMA, "key": key, "values": outcome.values, "sum": _sum(outcome.values)}
        try:
            file.parent.mkdir(exist_ok=True)
            with written(file) as text:
                text.write(json.dumps(kept) + "\n")
        except (OSError, ConfigError) as error:
            self.trouble = self.trouble or str(error)

    def _file(self, key: str) -> Path:
        assert self._folder is not None
        return self._folder / key[:2] / f"{key}.json"


def _sum(values: object) -> str:
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()
