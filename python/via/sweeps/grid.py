# SPDX-License-Identifier: GPL-2.0-only
"""The points of a sweep."""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from via._base import kinds
from via.errors import ConfigError, refuse

Point: TypeAlias = dict[str, Any]
Grid: TypeAlias = Mapping[str, object] | Iterable[Mapping[str, object]]

MAX_POINTS = 10_000_000
ERROR = "error"  # the column that says why a point has no results


def points(grid: Grid) -> list[Point]:
    """Return all points; a mapping gives every combination, the last name changing fastest.

    Args:
        grid: {"nodes": [2, 4], "profile": "ideal"}, where a value that is not a list is a single
            value; or the points themselves, as mappings.

    Raises:
        ConfigError: there is no point, a point occurs twice, or a value cannot be written.
    """
    found = _combined(grid) if isinstance(grid, Mapping) else _listed(grid)
    if not found or not found[0]:
        raise refuse("grid", "{}", "a sweep needs at least one point")
    seen: dict[str, Point] = {}
    for point in found:
        text = canonical(point)
        if text in seen:
            raise refuse("grid", point, "the same point occurs twice")
        seen[text] = point
    return found


def _combined(grid: Mapping[str, object]) -> list[Point]:
    axes = {_name(name): _axis(name, values) for name, values in grid.items()}
    count = math.prod(map(len, axes.values()))
    if count > MAX_POINTS:
        raise refuse("grid", f"{count} points", f"at most {MAX_POINTS} are possible")
    return [dict(zip(axes, values, strict=True)) for values in itertools.product(*axes.values())]


def _listed(grid: Iterable[Mapping[str, object]]) -> list[Point]:
    return [
        {_name(name): _plain(name, value) for name, value in row.items()} for row in rows_of(grid)
    ]


def rows_of(
    points: object, option: str = "grid", limit: str = "a mapping of lists, or a list of mappings"
) -> list[Point]:
    """Return the points of a list, as they are given.

    Raises:
        ConfigError: it is no list of mappings; the text says what is possible.
    """
    try:
        rows = kinds.listed(option, points)
    except ConfigError:
        raise refuse(option, repr(points), limit) from None
    for row in rows:
        if not isinstance(row, Mapping):
            raise refuse(option, repr(row), "each point must be a mapping of names to values")
    return [dict(row) for row in rows]


def _axis(name: str, values: object) -> list[Any]:
    if isinstance(values, set | frozenset):
        raise refuse(name, repr(values), "a set has no order: a list is needed")
    if isinstance(values, str | bytes | Path | Mapping) or not isinstance(values, Iterable):
        values = [values]
    elif isinstance(values, np.ndarray) and values.ndim == 0:
        values = [values]  # it is no value either, see _plain()
    listed = [_plain(name, value) for value in values]
    if not listed:
        raise refuse(name, "[]", "at least one value is needed")
    return listed


def _name(name: object) -> str:
    if not isinstance(name, str) or not name.isidentifier():
        raise refuse("grid", repr(name), "names must be those of Python's arguments")
    if name == ERROR:
        raise refuse("grid", name, "the table has another column with this name")
    return name


def _plain(name: str, value: object) -> Any:
    """Return a value as plain numbers, strings, and lists and mappings of them; paths as text."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        raise refuse(name, value, "a finite number is needed")
    if isinstance(value, str | Path):
        kinds.written(name, value)
        return value
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, Mapping):
        return {key: _plain(name, each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(name, each) for each in value]
    raise refuse(name, repr(value), "numbers, strings, paths, and lists and mappings of them")


def canonical(value: object) -> str:
    """Return a unique text for a value; a file counts by its path and its content."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), default=_path)


def _path(value: object) -> object:
    if not isinstance(value, Path):
        raise TypeError(f"{value!r} cannot be written down")
    if os.path.isfile(value):  # Path.is_file() raises an error if the name is too long
        with suppress(OSError):  # who uses it says that it cannot be read
            content = hashlib.sha256(value.read_bytes()).hexdigest()
            return {"path": str(value), "file": content}  # a function may use the name, too
    return {"path": str(value)}


def shown(value: object) -> object:
    """Return a value as a table cell that a CSV file can hold."""
    if isinstance(value, Path):
        return str(value)
    return canonical(value) if isinstance(value, dict | list | tuple) else value
