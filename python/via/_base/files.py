# SPDX-License-Identifier: GPL-2.0-only
"""Files that are whole or not there: checked early, written beside their place, then renamed."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from via import _core
from via.errors import ConfigError, refuse

Place = str | os.PathLike[str]

_STREAMS = {"/dev/stdout": 1, "/dev/stderr": 2}
_NUMBERED = re.compile(r"/(?:dev|proc/self)/fd/(\d{1,9})")
_LONGEST_STEM = 64  # of the name of a file that is being written


def check_outputs(
    outputs: Mapping[str, Place | None], inputs: Iterable[tuple[str, Place | None]] = ()
) -> None:
    """Refuse, before anything expensive is done, files that could not be written, or that would
    cost another file of the same command.

    Args:
        outputs: files to be written, by option; None: not asked for.
        inputs: an option and a file, or folder, that is read; what is not there is no input.

    Raises:
        ConfigError: a place that cannot be written to; one of the inputs, or in a folder that is
            one; the place of another output; the file that standard output or error goes to.
    """
    read = [(option, Path(place)) for option, place in inputs if place and os.path.exists(place)]
    known: list[tuple[str, Path]] = []
    for option, given in outputs.items():
        if given is None:
            continue
        place = Path(given)
        check_writable(place, option)
        for other, path in read:
            if _is_same(place, path):
                raise refuse(option, place, f"another file is needed, this is {other}")
            if path.is_dir() and _is_inside(place, path):
                raise refuse(option, place, f"another folder is needed, this is {other}")
        for other, path in known:
            if _is_same(place, path) and not _is_terminal(place):
                raise refuse(option, place, f"another file is needed, {other} goes there")
        _check_is_no_stream(place, option)
        known.append((option, place))


def check_writable(path: Path, option: str) -> None:
    """Refuse a place no file can be written to, before anything expensive is done.

    Raises:
        ConfigError: a folder, a folder that is missing, or no permission.
    """
    if _descriptor(path) is not None:
        return  # a stream that is open; whether it takes anything is seen when it is written to
    if os.path.isdir(path):
        raise refuse(option, path, "a file is needed, this is a folder")
    real = Path(os.path.realpath(path))
    if not os.path.isdir(real.parent):
        raise refuse(option, path, f"the folder {real.parent if path.is_symlink() else path.parent}"
                     " does not exist")  # fmt: skip
    kind = _kind_of(real, option)
    if kind:
        if stat.S_ISBLK(kind) or stat.S_ISSOCK(kind):
            raise refuse(option, path, "a file is needed, this is a disk or a socket")
        if not os.access(real, os.W_OK):
            raise refuse(option, path, "cannot write there: Permission denied")
    if not _is_special(real):
        _try_folder(real.parent, option, path)


def check_room_for(folder: Path, option: str) -> None:
    """Refuse a folder that could not be made, or replaced, where it is to be.

    Raises:
        ConfigError: what is above it is no folder, or cannot be written to.
    """
    above = Path(os.path.realpath(folder)).parent
    while not os.path.lexists(above):
        above = above.parent
    _try_folder(above, option, folder)


def _kind_of(path: Path, option: str) -> int:
    """Return the mode of what is there; 0: nothing."""
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return 0
    except OSError as error:  # a name that is too long, links in a circle
        raise refuse(option, path, f"cannot write there: {error.strerror}") from error


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


def cache_folder() -> Path:
    """Return where this user's programs keep what they can make again: $XDG_CACHE_HOME/via.

    Raises:
        ConfigError: nobody knows where this user's home is.
    """
    named = os.environ.get("XDG_CACHE_HOME")
    try:
        return Path(named or Path.home() / ".cache") / "via"
    except RuntimeError:
        raise refuse("XDG_CACHE_HOME", "unset", "this user has no home: name a folder") from None


def _try_folder(folder: Path, option: str, value: Path) -> None:
    """Refuse a folder in which no file can be made; permissions alone do not tell."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise refuse(option, value, f"cannot write there: {error.strerror}") from error


def is_kept(path: Place) -> bool:
    """Tell a file, which there is to be read afterwards, from streams, pipes and devices."""
    return _descriptor(path) is None and not _is_special(Path(os.path.realpath(path)))


def _is_special(path: Path) -> bool:
    """Tell pipes and devices, which are written to as they are."""
    return os.path.exists(path) and not os.path.isfile(path)


def _is_terminal(path: Path) -> bool:
    """Tell what takes the output of any number of writers, such as /dev/null."""
    return os.path.exists(path) and stat.S_ISCHR(os.stat(path).st_mode)


def _is_same(a: Path, b: Path) -> bool:
    try:
        return os.path.samefile(a, b)
    except OSError:  # one is not there yet
        return os.path.realpath(a) == os.path.realpath(b)


def _is_inside(path: Path, folder: Path) -> bool:
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def _check_is_no_stream(path: Path, option: str) -> None:
    """Refuse a file that the shell sends our output to: it would be replaced under it."""
    if _descriptor(path) is not None or not os.path.isfile(path):
        return
    for number, name in ((1, "output"), (2, "error")):
        try:
            is_stream = os.path.samestat(os.fstat(number), os.stat(path))
        except OSError:  # closed
            continue
        if is_stream:
            raise refuse(option, path, f"standard {name} goes there already")


def _descriptor(path: Place) -> int | None:
    """Return the number of an open stream that a path such as /dev/stdout names."""
    text = os.path.abspath(path)
    numbered = _NUMBERED.fullmatch(text)
    number = int(numbered[1]) if numbered else _STREAMS.get(text)
    try:
        return number if number is None or os.fstat(number) else None
    except OSError:
        return None


@contextmanager
def place_for(path: Path) -> Iterator[Path]:
    """Yield a path to write to; it becomes `path` when the block ends well, and vanishes else.

    A link stays, and what it leads to is replaced. Pipes, devices and streams such as /dev/stdout
    are not replaced: they get the whole content at the end.

    Raises:
        ConfigError: what is to be written cannot be: a full disk, a reader that is gone.
    """
    try:
        with _beside(path) as place:
            yield place
    except OSError as error:
        raise ConfigError(f"{path}: cannot be written: {error.strerror or error}") from error


@contextmanager
def _beside(path: Path) -> Iterator[Path]:
    real = Path(os.path.realpath(path))
    if not is_kept(path):
        with tempfile.TemporaryDirectory(prefix="via-") as folder:
            place = Path(folder, path.name)
            yield place
            _pour(place, path)
        return
    # The suffix stays: writers such as matplotlib's choose the format by it.
    stem = f".{real.stem[:_LONGEST_STEM]}."
    number, name = tempfile.mkstemp(prefix=stem, suffix=real.suffix, dir=real.parent)
    os.close(number)
    place = Path(name)
    try:
        place.chmod(_mode_of(real))
        yield place
        place.replace(real)
    finally:
        place.unlink(missing_ok=True)


def _mode_of(path: Path) -> int:
    """Return the permissions that a file has, or gets when it is made."""
    if path.exists():
        return stat.S_IMODE(path.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _pour(source: Path, target: Path) -> None:
    """Copy a file into a pipe, a device or an open stream."""
    number = _descriptor(target)
    if number is None:
        opened = os.open(target, os.O_WRONLY)
    else:
        for stream in (sys.stdout, sys.stderr):  # what was printed before comes before
            if stream is not None:
                stream.flush()
        opened = os.dup(number)
    with source.open("rb") as content, os.fdopen(opened, "wb") as out:
        shutil.copyfileobj(content, out)


@contextmanager
def written(path: Path) -> Iterator[TextIO]:
    """Open a text file that takes its name when the block ends well."""
    with place_for(path) as place, place.open("w", encoding="utf-8", newline="") as file:
        yield file


def read_json(path: Path, option: str) -> Any:
    """Return what a JSON file holds.

    Raises:
        ConfigError: it cannot be read, is no JSON, or is nested too deeply.
    """
    text = _shallow(path, option)
    try:
        return json.loads(text)
    except ValueError as error:
        raise refuse(option, path, f"is no JSON: {error}") from error


def read_toml(path: Path, option: str) -> dict[str, Any]:
    """Return what a TOML file holds.

    Raises:
        ConfigError: it cannot be read, is no TOML, or is nested too deeply.
    """
    text = _shallow(path, option)
    try:
        return tomllib.loads(text)
    except ValueError as error:
        raise refuse(option, path, f"is no TOML: {error}") from error


def _shallow(path: Path, option: str) -> str:
    """Return a text that no parser calls itself too often for."""
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise refuse(option, path, f"cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise refuse(option, path, f"is no text: {error}") from error
    _core.check_nesting(text, str(path))
    return text
