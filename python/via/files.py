# SPDX-License-Identifier: GPL-2.0-only
"""Files that are whole or not there: written beside their place, then renamed."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from via.errors import refuse


def check_writable(path: Path, option: str) -> None:
    """Refuse a place no file can be written to, before anything expensive is done.

    Raises:
        ConfigError: a folder, a folder that is missing, or no permission.
    """
    if path.is_dir():
        raise refuse(option, path, "a file is needed, this is a folder")
    if not path.parent.is_dir():
        raise refuse(option, path, f"the folder {path.parent} does not exist")
    if not _is_special(path):
        _try_folder(path.parent, option, path)


def make_folder(path: Path, option: str) -> Path:
    """Make a folder for results, with its parents, unless it is there.

    Raises:
        ConfigError: it cannot be made or written to.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise refuse(option, path, f"cannot be made a folder: {error.strerror}") from error
    _try_folder(path, option, path)
    return path


def _try_folder(folder: Path, option: str, value: Path) -> None:
    """Refuse a folder in which no file can be made; permissions alone do not tell."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise refuse(option, value, f"cannot write there: {error.strerror}") from error


def _is_special(path: Path) -> bool:
    """Tell pipes and devices, such as /dev/stdout: they are written to as they are."""
    return path.exists() and not path.is_file()


@contextmanager
def place_for(path: Path) -> Iterator[Path]:
    """Yield a path to write to; it becomes `path` when the block ends well, and vanishes else."""
    if _is_special(path):
        yield path
        return
    # The suffix stays: writers such as matplotlib's choose the format by it.
    beside = path.with_name(f".{path.stem}.{os.getpid()}{path.suffix}")
    try:
        yield beside
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


@contextmanager
def written(path: Path) -> Iterator[TextIO]:
    """Open a text file that takes its name when the block ends well."""
    with place_for(path) as place, place.open("w", encoding="utf-8", newline="") as file:
        yield file
