# SPDX-License-Identifier: GPL-2.0-only
"""Type checks of arguments; errors name the argument."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from via.errors import refuse


def text(option: str, value: object) -> str:
    """Return value if it is a string.

    Raises:
        ConfigError: it is something else, or files and the simulator cannot hold it.
    """
    if not isinstance(value, str | Path) or "\0" in str(value):
        raise refuse(option, repr(value), "a string is needed")
    return written(option, value)


def written(option: str, value: object) -> str:
    """Return the text of a value.

    Raises:
        ConfigError: it has lone surrogates, as Python has for bytes that are not UTF-8.
    """
    made = str(value)
    if made != encodable(made):
        raise refuse(option, repr(value), "a text without lone surrogates is needed")
    return made


def encodable(text: str) -> str:
    """Return a text with its lone surrogates, which UTF-8 cannot hold, as escapes."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def flag(option: str, value: object) -> bool:
    """Return value if it is True or False, of numpy, too.

    Raises:
        ConfigError: it is something else, such as the text "False", which counts as true.
    """
    if not isinstance(value, bool | np.bool_):
        raise refuse(option, repr(value), "True or False is needed")
    return bool(value)


def path(option: str, value: object) -> Path:
    """Return value as the path of a file or folder.

    Raises:
        ConfigError: it is something else.
    """
    if isinstance(value, str | os.PathLike):
        named = os.fspath(value)
        if isinstance(named, str) and named and "\0" not in named:
            return Path(named)
    raise refuse(option, repr(value), "a path is needed")


def mapping(option: str, value: object) -> dict[Any, Any]:
    """Return a mapping as a dictionary; None gives an empty one.

    Raises:
        ConfigError: it is something else.
    """
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise refuse(option, repr(value), "a mapping of names to values is needed")
    return dict(value)


def listed(option: str, value: object) -> list[Any]:
    """Return the elements of an iterable that is not a string.

    Raises:
        ConfigError: it is something else.
    """
    if isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping):
        with suppress(TypeError):  # from an array without dimensions
            return list(value)
    raise refuse(option, repr(value), "a list is needed")
