# SPDX-License-Identifier: GPL-2.0-only
"""Where a file comes from: what `via reproduce` runs again, and what it compares.

A figure carries this in its metadata; beside a table lies FILE.provenance.json, and in the folder
of a study provenance.json. What is compared holds no date, no host and no path but relative ones.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from via import figures, plug_ins
from via.errors import ConfigError, refuse
from via.files import read_json, written
from via.versions import PACKAGE, about

SCHEMA = "via-provenance/1"
SUFFIX = ".provenance.json"
FOLDER_FILE = "provenance.json"

COMMAND, SCRIPT, INTERACTIVE = "command", "script", "interactive"

Command: TypeAlias = Mapping[str, Any]

_recorded: ContextVar[Command | None] = ContextVar("via_command", default=None)


@dataclass(frozen=True)
class Record:
    """What is known of some files.

    Attributes:
        command: what made them.
        folder: the one their names are relative to.
        files: what they were, by name: their sha256, and "data" of figures.
        about: the versions of then; empty if they are not known.
    """

    command: Command
    folder: Path
    files: Mapping[str, Mapping[str, Any]]
    about: Mapping[str, str]


@contextmanager
def recording(command: Command) -> Iterator[None]:
    """Say what makes the files that are written in this block."""
    token = _recorded.set(command)
    try:
        yield
    finally:
        _recorded.reset(token)


def of_command(*args: str) -> Command:
    """Return the command that `via` and these arguments are; where to write is not among them."""
    return {"kind": COMMAND, "args": list(args)}


def of_sweep(workload: str, points: Sequence[Mapping[str, Any]], seed: int) -> Command:
    """Return the command that sweeps a workload."""
    plain = json.loads(json.dumps(points, default=str))
    command = of_command("sweep", workload, "--seed", str(seed), *plug_ins.words())
    return {**command, "points": plain}


def of_script(script: Path, root: Path, args: Sequence[str] = ()) -> dict[str, Any]:
    """Return the command that runs a script in a folder it lies in, or below; files lie there."""
    return {
        "kind": SCRIPT,
        "script": script.resolve().relative_to(root).as_posix(),
        "sha256": sha256(script),
        "args": list(args),
        "cwd": ".",
    }


def current() -> Command:
    """Return what makes files now: a command of via, a script, or somebody at a prompt."""
    return _recorded.get() or _script()


def _script() -> Command:
    file = getattr(sys.modules.get("__main__"), "__file__", None)
    script = Path(file).resolve() if file else None
    here = Path.cwd()
    is_here = script is not None and script.is_file() and script.is_relative_to(here)
    if script is None or not is_here or script.is_relative_to(PACKAGE):
        return {"kind": INTERACTIVE}
    command = of_script(script, here, sys.argv[1:])
    del command["cwd"]
    return command


def command_for(folder: Path) -> Command:
    """Return what makes files now, for a file of a folder."""
    command = current()
    return placed(command, folder) if needs_place(command) else command


def placed(command: Command, folder: Path) -> Command:
    """Return a command with the folder it ran in, seen from the one its files lie in."""
    if command["kind"] == INTERACTIVE or "cwd" in command:
        return command
    return {**command, "cwd": os.path.relpath(Path.cwd(), folder.resolve())}


def beside(path: Path) -> Path:
    """Return the place of what is known of one file."""
    return path.with_name(path.name + SUFFIX)


def write(place: Path, command: Command, files: Sequence[Path]) -> None:
    """Write what is known of files into a file of their folder."""
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


def needs_place(command: Command) -> bool:
    """Tell whether a command names files by paths, so that it matters where it runs."""
    if command["kind"] == SCRIPT:
        return True
    values = [value for point in command.get("points", ()) for value in point.values()]
    words = [*command.get("args", ()), *map(str, values)]
    return any("/" in word or ".py:" in word or word.endswith((".toml", ".json")) for word in words)


def read(path: Path) -> Record:
    """Find what is known of a file.

    Raises:
        ConfigError: there is no such file, or nothing is known of it.
    """
    if not path.is_file():
        raise refuse("file", path, "there is no such file")
    for place in (beside(path), path.with_name(FOLDER_FILE)):
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
            raise refuse("file", path, f"what it says of itself is wrong: {error}") from None
    raise refuse(
        "file", path,
        f"nobody knows what made it: there is neither {beside(path).name} nor {FOLDER_FILE} that"
        " names it, and it is no figure that via drew",
    )  # fmt: skip


def of_figure(path: Path) -> dict[str, Any] | None:
    """Return what a figure says of itself; None: it is none, or none that via drew."""
    if path.suffix not in figures.KINDS:
        return None
    try:
        told = figures.read(path)
    except ConfigError:
        return None
    return told if "command" in told else None


def read_record(place: Path) -> Record | None:
    """Read what is known of some files; None: there is no such file.

    Raises:
        ConfigError: it is not what this package writes.
    """
    if not place.is_file():
        return None
    try:
        found = read_json(place, "file")
        if found["schema"] != SCHEMA:
            raise ValueError(f"schema {found['schema']}")
        return _record(place.parent, found["command"], found["files"], found["about"])
    except (ValueError, KeyError, TypeError) as error:
        raise refuse("file", place, f"is no {SCHEMA}: {error}") from None


def _record(folder: Path, command: Any, files: Any, versions: Any) -> Record:
    """Return a record if it is one, and names no file outside the folders it is about.

    Raises:
        ValueError: saying what is wrong.
    """
    texts = {COMMAND: [], SCRIPT: ["script"], INTERACTIVE: []}
    if not isinstance(command, dict) or command.get("kind") not in texts:
        raise ValueError(f"kind is none of {', '.join(texts)}")
    args = command.get("args", [])
    if not isinstance(args, list) or not all(isinstance(word, str) for word in args):
        raise ValueError("args is no list of texts")
    if command["kind"] == COMMAND and not args:
        raise ValueError("there is no command")
    for name in ("cwd", *texts[command["kind"]]):
        if not isinstance(command.get(name, ""), str) or "\0" in command.get(name, ""):
            raise ValueError(f"{name} is no path")
    if command["kind"] == SCRIPT and not _is_below(command["script"]):
        raise ValueError(f"script {command['script']!r} is not in its folder")
    if not isinstance(files, dict) or not files or not isinstance(versions, dict):
        raise ValueError("it names no files")
    for name, facts in files.items():
        if not _is_below(name) or not isinstance(facts, dict):
            raise ValueError(f"file {name!r} is not in this folder")
    return Record(command, folder, files, versions)


def _is_below(name: str) -> bool:
    """Tell whether a path stays in the folder that it is relative to."""
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


def sha256(file: Path) -> str:
    """Return the digest of a file."""
    return hashlib.sha256(file.read_bytes()).hexdigest()
