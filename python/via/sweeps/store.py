# SPDX-License-Identifier: GPL-2.0-only
"""What was done before: a file per point, whole or not there."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path

from via.errors import ConfigError, refuse
from via.files import cache_folder, make_folder, written
from via.sweeps.grid import Point, canonical
from via.sweeps.point import Outcome

SCHEMA = "via-point/1"
VARIABLE = "VIA_SWEEP_CACHE"
USUAL, NOTHING = "usual", "none"


def folder_of(cache: str | os.PathLike[str] | None) -> Path | None:
    """Return where outcomes are kept: a folder, or None for nowhere.

    "usual" is $VIA_SWEEP_CACHE, else a folder among the user's caches. VIA_SWEEP_CACHE=none goes
    before everything: whoever reproduces a result wants nothing of what was.
    """
    named = os.environ.get(VARIABLE)
    if cache is None or named == NOTHING:
        return None
    if cache != USUAL:
        return Path(cache)
    return Path(named) if named else cache_folder() / "sweeps"


class Store:
    """Outcomes of points by what they depend on.

    Args:
        folder: of the files; None: nothing is kept.

    Raises:
        ConfigError: the folder cannot be made or written to.
    """

    def __init__(self, folder: Path | None) -> None:
        self.trouble = ""  # why something was not kept; the sweep goes on without
        self._folder = None if folder is None else make_folder(folder, "cache")

    def key(self, about: Mapping[str, str], point: Point) -> str:
        """Return the name of a point: a digest of its arguments and of all it depends on."""
        try:
            text = canonical([about, point])
        except TypeError as error:
            raise refuse("grid", point, f"must have names and values in order: {error}") from None
        return hashlib.sha256(text.encode()).hexdigest()

    def get(self, key: str) -> Outcome | None:
        """Return what was kept; None: nothing, or a file that is not what was written."""
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
        """Keep what came of a point, unless it went wrong: then it is tried again next time."""
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
