# SPDX-License-Identifier: GPL-2.0-only
"""What processes written in Python returned, in the folder of a run.

Only what JSON holds exactly is kept: a tuple that came back as a list, or a key 3 as the text "3",
would compare as another result.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from via._base.files import read_json
from via.errors import refuse

NAME = "returned.json"

_DEEPEST = 60  # read_json() takes 64 levels, and the file adds some


def write(folder: Path, returned: Mapping[int, Any]) -> None:
    """Write the values that JSON holds exactly, by rank; no file if there are none."""
    kept = {str(rank): returned[rank] for rank in sorted(returned) if _is_exact(returned[rank])}
    if kept:
        (folder / NAME).write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def read(folder: Path, ranks: Iterable[int]) -> dict[int, Any]:
    """Return the values by rank; none from a folder without the file, as older ones are.

    Args:
        folder: the folder of a run.
        ranks: those of the run's processes.

    Raises:
        ConfigError: the file is not what write() writes.
    """
    path = folder / NAME
    if not path.exists():
        return {}
    values = read_json(path, "folder")
    known = {str(rank): rank for rank in ranks}
    if not isinstance(values, dict):
        raise refuse("folder", folder, f"{NAME} is not a JSON object")
    for name, value in values.items():
        if name not in known:
            raise refuse("folder", folder, f"{NAME}: the run has no process {name!r}")
        if not _is_exact(value):
            raise refuse("folder", folder, f"{NAME}: what process {name} returned is no JSON value")
    return {known[name]: value for name, value in values.items()}


def _is_exact(value: object, depth: int = 0) -> bool:
    """Return whether JSON gives a value back as it is. A subclass would come back as its base."""
    if depth > _DEEPEST:
        return False
    kind = type(value)
    if isinstance(value, int) and kind is int:
        return _has_digits(value)
    if isinstance(value, float) and kind is float:
        return math.isfinite(value)
    if isinstance(value, list) and kind is list:
        return all(_is_exact(each, depth + 1) for each in value)
    if isinstance(value, dict) and kind is dict:
        return all(type(name) is str and _is_exact(each, depth + 1) for name, each in value.items())
    return value is None or kind in (bool, str)


def _has_digits(number: int) -> bool:
    """Return whether Python writes a number in decimal: it refuses those of thousands of digits."""
    try:
        return bool(str(number))
    except ValueError:
        return False
