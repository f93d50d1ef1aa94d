# SPDX-License-Identifier: GPL-2.0-only
"""Provenance of files: what `via reproduce` runs again, and what it compares.

A figure has its provenance in its metadata, a table in FILE.provenance.json beside it, and a study
in provenance.json in its folder, or in NAME.provenance.json if another command has that. Compared
content has no date, no host and no absolute path.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from via import figures
from via._base.commands import (
    COMMAND,
    INTERACTIVE,
    SCRIPT,
    Command,
    needs_place,
    placed,
)
from via._base.files import read_json, sha256, written
from via._runs import store
from via.errors import ConfigError, refuse
from via.versions import about

SCHEMA = "via-provenance/1"
SUFFIX = ".provenance.json"
FOLDER_FILE = "provenance.json"


@dataclass(frozen=True)
class Record:
    """The provenance of some files.

    Attributes:
        command: the command that made them.
        folder: the folder to which their names are relative.
        files: by name: their sha256, and "data" for figures.
        about: the versions that made them; empty if unknown.
    """

    command: Command
    folder: Path
    files: Mapping[str, Mapping[str, Any]]
    about: Mapping[str, str]


def beside(path: Path) -> Path:
    """Return the path of the provenance file for one file."""
    return path.with_name(path.name + SUFFIX)


def write(place: Path, command: Command, files: Sequence[Path]) -> None:
    """Write the provenance of files into a file in their folder."""
    folder = place.parent
    known = {
        os.path.relpath(file, folder): _facts(file) for file in sorted(files, key=lambda f: f.name)
    }
    record = {
        "schema": SCHEMA,
        "command": placed(command, folder) if needs_place(command) else command,
        "files": known,
        "about": about(),
    }
    with written(place) as file:
        file.write(json.dumps(record, indent=1) + "\n")


def check_folder(folder: Path, option: str) -> None:
    """Refuse a folder for results that holds a run, or a provenance file of something else.

    Raises:
        ConfigError: the text names the folder.
    """
    if store.is_run(folder):
        raise refuse(option, folder, "it holds a run: give another name")
    for place in places(folder):
        try:
            read_record(place)
        except ConfigError as error:
            limit = f"{place.name} there is not of results: give another name"
            raise refuse(option, folder, limit) from error


def add(folder: Path, command: Command, files: Sequence[Path]) -> None:
    """Write the provenance of files into their folder, which other commands may have filled, too.

    A file belongs to the command that made it last: the records of others lose it.
    """
    known = {place: read_record(place) for place in places(folder)}
    title = _title(command)
    own = folder / (f"{title[-1]}{SUFFIX}" if folder / FOLDER_FILE in known else FOLDER_FILE)
    for place, record in known.items():
        if record is not None and _title(record.command) == title:
            own = place
    write(own, command, files)
    made = {os.path.relpath(file, folder) for file in files}
    for place in known.keys() - {own}:
        _forget(place, made)


def _title(command: Command) -> list[str]:
    """Return the words that name a command of which a folder has one record: a study, a demo."""
    args = command.get("args", []) if command["kind"] == COMMAND else []
    return list(args[: 2 if args[:1] == ["study"] else 1])


def _forget(place: Path, names: set[str]) -> None:
    record = read_json(place, "file")
    left = {name: facts for name, facts in record["files"].items() if name not in names}
    if not left:
        place.unlink()
    elif left != record["files"]:
        with written(place) as file:
            file.write(json.dumps({**record, "files": left}, indent=1) + "\n")


def places(folder: Path) -> list[Path]:
    """Return the provenance files of a folder, that of the folder itself first."""
    own = folder / FOLDER_FILE
    return [*([own] if own.is_file() else []), *sorted(folder.glob(f"*{SUFFIX}"))]


def read(path: Path) -> Record:
    """Find the provenance of a file.

    Raises:
        ConfigError: there is no such file, or it has no provenance.
    """
    if not path.is_file():
        raise refuse("file", path, "there is no such file")
    for place in (beside(path), *places(path.parent)):
        record = read_record(place)
        if record is not None and path.name in record.files:
            return Record(
                record.command, record.folder, {path.name: record.files[path.name]}, record.about
            )
    embedded = of_figure(path)
    if embedded is not None:
        facts = {"data": embedded["data"]}
        try:
            return _record(path.parent, embedded["command"], {path.name: facts}, {})
        except ValueError as error:
            raise refuse("file", path, f"its provenance is wrong: {error}") from None
    raise refuse(
        "file", path,
        f"it has no provenance: there is neither {beside(path).name} nor {FOLDER_FILE} that"
        " names it, and it is not a figure that via drew",
    )  # fmt: skip


def of_figure(path: Path) -> dict[str, Any] | None:
    """Return the provenance in a figure; None: the file is not a figure that via drew."""
    if path.suffix not in figures.KINDS:
        return None
    try:
        told = figures.read(path)
    except ConfigError:
        return None
    return told if "command" in told else None


def read_record(place: Path) -> Record | None:
    """Read a provenance file; None: there is none.

    Raises:
        ConfigError: it is not a file that this package writes.
    """
    if not place.is_file():
        return None
    try:
        found = read_json(place, "file")
        if found["schema"] != SCHEMA:
            raise ValueError(f"schema {found['schema']}")
        return _record(place.parent, found["command"], found["files"], found["about"])
    except (ValueError, KeyError, TypeError) as error:
        raise refuse("file", place, f"is not {SCHEMA}: {error}") from None


def _record(folder: Path, command: Any, files: Any, versions: Any) -> Record:
    """Return a checked record; it may not name files outside its folders.

    Raises:
        ValueError: the text says what is wrong.
    """
    texts = {COMMAND: [], SCRIPT: ["script"], INTERACTIVE: []}
    if not isinstance(command, dict) or command.get("kind") not in texts:
        raise ValueError(f"kind is none of {', '.join(texts)}")
    args = command.get("args", [])
    if not isinstance(args, list) or not all(isinstance(word, str) for word in args):
        raise ValueError("args is not a list of strings")
    if command["kind"] == COMMAND and not args:
        raise ValueError("there is no command")
    for name in ("cwd", *texts[command["kind"]]):
        if not isinstance(command.get(name, ""), str) or "\0" in command.get(name, ""):
            raise ValueError(f"{name} is not a path")
    if command["kind"] == SCRIPT and not _is_below(command["script"]):
        raise ValueError(f"script {command['script']!r} is not in its folder")
    if not isinstance(files, dict) or not files or not isinstance(versions, dict):
        raise ValueError("it names no files")
    for name, facts in files.items():
        if not _is_below(name) or not isinstance(facts, dict):
            raise ValueError(f"file {name!r} is not in this folder")
    return Record(command, folder, files, versions)


def _is_below(name: str) -> bool:
    """Return whether a relative path stays inside its folder."""
    path = Path(name)
    return (
        bool(path.parts) and not path.is_absolute() and ".." not in path.parts and "\0" not in name
    )


def _facts(file: Path) -> dict[str, Any]:
    facts: dict[str, Any] = {"sha256": sha256(file)}
    embedded = of_figure(file)
    if embedded is not None:
        facts |= {"data": embedded["data"], "stack": figures.stack()}
    return facts
