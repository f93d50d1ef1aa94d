# SPDX-License-Identifier: GPL-2.0-only
"""Files that are complete or absent: checked early, written beside their final place, renamed."""

from __future__ import annotations

import hashlib
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
from via._base import kinds
from via.errors import ConfigError, refuse

Place = str | os.PathLike[str]

_STDOUT = "-"  # as an output, by the custom of Unix commands
_STREAMS = {"/dev/stdout": 1, "/dev/stderr": 2}
_NUMBERED = re.compile(r"/(?:dev|proc/self)/fd/(\d{1,9})")
_LONGEST_STEM = 64  # letters in the temporary name of a file that is being written


def check_outputs(
    outputs: Mapping[str, Place | None],
    inputs: Iterable[tuple[str, Place | None]] = (),
    folders: Mapping[str, Place | None] | None = None,
) -> None:
    """Refuse, before expensive work, files that cannot be written or that would overwrite another
    file of the same command.

    Args:
        outputs: files to be written, by option; "-": standard output; None: not requested.
        inputs: options with the file or folder that each reads; a missing file is ignored.
        folders: folders to be made, by option; None: not requested.

    Raises:
        ConfigError: an output cannot be written, is an input or lies in an input folder, is also
            another output, lies in a folder to be made or above it, or is the file to which
            standard output or error goes.
    """
    made = [(option, Path(place)) for option, place in (folders or {}).items() if place]
    read = [(option, Path(place)) for option, place in inputs if place and os.path.exists(place)]
    known: list[tuple[str, Path]] = []
    for option, given in outputs.items():
        if given is None:
            continue
        place = _named(given)
        check_writable(place, option)
        for other, path in made:
            if _is_inside(path, place) or _is_inside(place, path):
                raise refuse(option, place, f"another file is needed, {other} makes a folder there")
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
    """Refuse, before expensive work, a path that no file can be written to.

    Raises:
        ConfigError: the path is a folder, its folder is missing, or permission is denied.
    """
    path = _named(path)
    if _descriptor(path) is not None:
        return  # an open stream; an error shows only when it is written to
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
    """Refuse a folder that cannot be made or replaced at this path.

    Raises:
        ConfigError: its parent is not a folder or cannot be written to.
    """
    _check_is_folder(folder, option)
    above = Path(os.path.realpath(folder)).parent
    while not os.path.lexists(above):
        above = above.parent
    _try_folder(above, option, folder)


def _kind_of(path: Path, option: str) -> int:
    """Return the mode of the file at this path; 0: there is none."""
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return 0
    except OSError as error:  # a name that is too long, a loop of links
        raise refuse(option, path, f"cannot write there: {error.strerror}") from error


def make_folder(path: Path, option: str) -> Path:
    """Make a folder for results, with its parents, unless it exists.

    Raises:
        ConfigError: it cannot be made or written to.
    """
    _check_is_folder(path, option)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise refuse(option, path, f"cannot be made a folder: {error.strerror}") from error
    _try_folder(path, option, path)
    return path


def cache_folder() -> Path:
    """Return the folder for this user's cached files: $XDG_CACHE_HOME/via.

    Raises:
        ConfigError: the user's home folder is unknown.
    """
    named = os.environ.get("XDG_CACHE_HOME")
    try:
        return Path(named or Path.home() / ".cache") / "via"
    except RuntimeError:
        raise refuse("XDG_CACHE_HOME", "unset", "this user has no home: name a folder") from None


def _check_is_folder(path: Path, option: str) -> None:
    if os.fspath(path) == _STDOUT:
        raise refuse(option, path, "a folder is needed, this is standard output")


def _try_folder(folder: Path, option: str, value: Path) -> None:
    """Refuse a folder in which no file can be made; permissions alone do not show this."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise refuse(option, value, f"cannot write there: {error.strerror}") from error


def is_kept(path: Place) -> bool:
    """Return whether a path is a file that can be read later: no stream, pipe or device."""
    path = _named(path)
    return _descriptor(path) is None and not _is_special(Path(os.path.realpath(path)))


def _is_special(path: Path) -> bool:
    """Return whether a path is a pipe or device, which is written to in place."""
    return os.path.exists(path) and not os.path.isfile(path)


def _is_terminal(path: Path) -> bool:
    """Return whether a path takes output from any number of writers, such as /dev/null."""
    return os.path.exists(path) and stat.S_ISCHR(os.stat(path).st_mode)


def _is_same(a: Path, b: Path) -> bool:
    try:
        return os.path.samefile(a, b)
    except OSError:  # one does not exist yet
        return os.path.realpath(a) == os.path.realpath(b)


def _is_inside(path: Path, folder: Path) -> bool:
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def _check_is_no_stream(path: Path, option: str) -> None:
    """Refuse a file to which the shell redirects our output: renaming would replace it."""
    if _descriptor(path) is not None or not os.path.isfile(path):
        return
    for number, name in ((1, "output"), (2, "error")):
        try:
            is_stream = os.path.samestat(os.fstat(number), os.stat(path))
        except OSError:  # closed
            continue
        if is_stream:
            raise refuse(option, path, f"standard {name} goes there already")


def _named(place: Place) -> Path:
    """Return the path of an output; "-" is standard output."""
    return Path("/dev/stdout" if os.fspath(place) == _STDOUT else place)


def _descriptor(path: Place) -> int | None:
    """Return the file descriptor that a path such as /dev/stdout names."""
    text = os.path.abspath(path)
    numbered = _NUMBERED.fullmatch(text)
    number = int(numbered[1]) if numbered else _STREAMS.get(text)
    try:
        return number if number is None or os.fstat(number) else None
    except OSError:
        return None


@contextmanager
def place_for(path: Path) -> Iterator[Path]:
    """Yield a path to write to; it becomes `path` if the block succeeds, and is removed if not.

    A link is kept and its target replaced. Pipes, devices and streams such as /dev/stdout, or "-",
    are not replaced: they receive the whole content at the end.

    Raises:
        ConfigError: writing failed: a full disk, or a pipe whose reader is gone.
    """
    path = _named(path)
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
    # Keep the suffix: writers such as matplotlib's choose the format by it.
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
    """Return the permissions of a file, or those that a new file gets."""
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
        for stream in (sys.stdout, sys.stderr):  # keep the order of output
            if stream is not None:
                stream.flush()
        opened = os.dup(number)
    with source.open("rb") as content, os.fdopen(opened, "wb") as out:
        shutil.copyfileobj(content, out)


@contextmanager
def written(path: Path) -> Iterator[TextIO]:
    """Open a text file that gets its name when the block succeeds."""
    with place_for(path) as place, place.open("w", encoding="utf-8", newline="") as file:
        yield file


def read_json(path: Path, option: str) -> Any:
    """Return the content of a JSON file.

    Raises:
        ConfigError: the file cannot be read, is no JSON, or is nested too deeply.
    """
    text = _shallow(path, option)
    try:
        return json.loads(text)
    except ValueError as error:
        raise refuse(option, path, f"is not JSON: {error}") from error


def read_toml(path: Path, option: str) -> dict[str, Any]:
    """Return the content of a TOML file.

    Raises:
        ConfigError: the file cannot be read, is no TOML, or is nested too deeply.
    """
    text = _shallow(path, option)
    try:
        return tomllib.loads(text)
    except ValueError as error:
        raise refuse(option, path, f"is not TOML: {error}") from error


def _shallow(path: Path, option: str) -> str:
    """Return the text of a file that is not nested too deeply for a recursive parser."""
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise refuse(option, path, f"cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise refuse(option, path, f"is not text: {error}") from error
    _core.check_nesting(text, kinds.encodable(str(path)))
    return text


def sha256(file: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal."""
    return hashlib.sha256(file.read_bytes()).hexdigest()
