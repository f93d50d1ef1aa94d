# SPDX-License-Identifier: GPL-2.0-only
"""Reproduces files: runs their command again in another folder and compares the results."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from via import figures
from via._base.commands import COMMAND, INTERACTIVE, OUTSIDE, SCRIPT, of_script
from via._base.files import place_for, sha256
from via._runs import provenance
from via._runs.provenance import Record
from via.errors import ViaError, refuse
from via.sweeps.store import NOTHING, VARIABLE
from via.versions import about

SAME_BYTES, SAME_DATA, DIFFERS = "same bytes", "same data", "DIFFERS"

_OF_JOBS = ("study", "sweep", "uncertainty")  # commands with --jobs; the others use one OS process
_OF_FIGURES = ("breakdown", "topology")  # commands with --plot

MAX_COPIED = 1 << 30  # largest size of a script's folder, in bytes
_NOT_COPIED = shutil.ignore_patterns(".git", "__pycache__", ".cache", ".venv")


@dataclass(frozen=True)
class Finding:
    """The result for one file."""

    file: str
    verdict: str
    detail: str = ""


def reproduce(path: Path, *, jobs: int, keep: Path | None = None) -> list[Finding]:
    """Make a file, or all files of a folder, again and compare.

    Args:
        path: a table or figure, or a folder with a provenance file.
        jobs: OS processes that simulate.
        keep: an existing folder for the new files; None: they are deleted. Files whose names are
            taken there go to its folder 2, 3, ..., and copies of a script's folder to copy-2, ....

    Raises:
        ConfigError: the file has no provenance, or was made in an interactive session.
        ViaError: the command that made it fails.
    """
    findings = []
    for record in _records(path):
        with _workshop(keep) as folder:
            made = _run(record, folder, jobs)
            findings += [
                _compared(record.folder / name, made / name, facts)
                for name, facts in record.files.items()
            ]
    return findings


def commands(path: Path) -> list[str]:
    """Return the commands that would make a file, or a folder, again: one line each.

    Raises:
        ConfigError: the file has no provenance, or was made in an interactive session.
    """
    return [_shown(record) for record in _records(path)]


def _shown(record: Record) -> str:
    """Return a command as a line for a terminal, without control characters of the file."""
    command = record.command
    _check_can_run(record)
    root = _root_of(record)
    if command["kind"] == COMMAND:
        points = f" at {len(command['points'])} points" if "points" in command else ""
        text = f"via {shlex.join(_words(command))}{points}, in {root}"
    else:
        text = f"{shlex.join([command['script'], *command['args']])}, in a copy of {root}"
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in text)


def _words(command: Mapping[str, Any]) -> list[str]:
    """Return the words after `via`; old records have a --refit of studies that refuse it."""
    words: list[str] = list(command["args"])
    is_other_study = words[0] == "study" and "calibration" not in words[1:2]
    return [word for word in words if not (is_other_study and word == "--refit")]


def _root_of(record: Record) -> Path:
    return (record.folder / record.command.get("cwd", ".")).resolve()


def _check_can_run(record: Record) -> None:
    if record.command["kind"] == INTERACTIVE:
        limit = (
            "it was made at a prompt or in a notebook: only scripts and commands can be run again"
        )
        if record.command.get("reason") == OUTSIDE:
            limit = f"{OUTSIDE}: run it from its own folder, or from one above"
        raise refuse("file", record.folder / next(iter(record.files)), limit)
    if record.command["kind"] == SCRIPT and not record.folder.resolve().is_relative_to(
        _root_of(record)
    ):
        raise refuse("file", record.folder, "its script would run in a folder that this one is not"
                     " in")  # fmt: skip


def lock(script: Path) -> tuple[Path, list[str]]:
    """Run a script in a copy of its folder; record the files it writes, for reproduce().

    Returns:
        The provenance file, and the names of the files.

    Raises:
        ConfigError: there is no such script, or it writes no file.
        ViaError: it fails.
    """
    if not script.is_file() or script.suffix != ".py":
        raise refuse("file", script, "a Python script is needed")
    root = script.resolve().parent
    command = of_script(script, root)
    own = _place_for(command, root)
    with _workshop(None) as folder:
        copy = folder / "copy"
        _copy(root, copy)
        before = _times(copy)
        _call([script.name], copy, 1)
        after = _times(copy)
        left = [copy / name for name, time in after.items() if before.get(name) != time]
        if not left:
            raise refuse("file", script, "it leaves no file")
        place = copy / provenance.FOLDER_FILE
        provenance.write(place, command, left)
        with place_for(own) as beside:
            shutil.copyfile(place, beside)
    return own, [str(file.relative_to(copy)) for file in left]


def _place_for(command: dict[str, Any], folder: Path) -> Path:
    """Return the provenance file of a script: that of its folder, unless it is of another command.

    Raises:
        ConfigError: a file of this name is no provenance.
    """
    usual = folder / provenance.FOLDER_FILE
    known = provenance.read_record(usual)
    is_own = known is None or known.command.get("script") == command["script"]
    return usual if is_own else folder / (Path(command["script"]).name + provenance.SUFFIX)


def _times(folder: Path) -> dict[str, int]:
    """Return the modification time of each file that could be a result."""
    return {
        str(file.relative_to(folder)): file.stat().st_mtime_ns
        for file in sorted(folder.rglob("*"))
        if file.is_file()
        and file.suffix != ".pyc"
        and not file.name.endswith(provenance.FOLDER_FILE)
    }


def changes(path: Path) -> list[str]:
    """Return what has changed since a file was made: versions, profiles, commit."""
    now = about()
    return [
        f"{name}: {then or 'unknown'}, here {now.get(name) or 'unknown'}"
        for record in _records(path)
        for name, then in record.about.items()
        if now.get(name) != then
    ]


def _records(path: Path) -> list[Record]:
    if not path.is_dir():
        return [provenance.read(path)]
    records = map(provenance.read_record, provenance.places(path))
    found = [record for record in records if record is not None]
    if not found:
        raise refuse("file", path, f"the folder has no {provenance.FOLDER_FILE}, which would say"
                     " what made its files")  # fmt: skip
    return found


@contextmanager
def _workshop(keep: Path | None) -> Iterator[Path]:
    if keep is not None:
        yield keep.resolve()
        return
    with tempfile.TemporaryDirectory(prefix="via-reproduce-") as folder:
        yield Path(folder).resolve()


def _run(record: Record, folder: Path, jobs: int) -> Path:
    """Run the command that made some files; return the folder with the new ones."""
    command = record.command
    _check_can_run(record)
    root = _root_of(record)
    if command["kind"] == COMMAND:
        made = _place_without(["points.json", *record.files], folder)
        _run_command(command, record, root, made, jobs)
        return made
    script = root / command["script"]
    if not script.is_file():
        raise refuse("file", record.folder, f"it was made by {command['script']}, and there is"
                     f" no {script}")  # fmt: skip
    copies = (folder / ("copy" if number == 1 else f"copy-{number}") for number in count(1))
    copy = next(each for each in copies if not each.exists())
    _copy(root, copy)
    place = copy / os.path.relpath(record.folder.resolve(), root)
    for name in record.files:  # if not, the old file would be compared with itself
        old = place / name
        if old.parent.resolve().is_relative_to(copy):  # a link may lead out of the copy
            old.unlink(missing_ok=True)
    _call([command["script"], *command["args"]], copy, jobs)
    return place


def _place_without(names: Sequence[str], folder: Path) -> Path:
    """Return a folder, or else a numbered one in it, that has no file of these names."""
    places = (folder if number == 1 else folder / str(number) for number in count(1))
    free = next(each for each in places if not any((each / name).exists() for name in names))
    free.mkdir(exist_ok=True)
    return free


def _run_command(
    command: Mapping[str, Any], record: Record, root: Path, folder: Path, jobs: int
) -> None:
    words = _words(command)
    if words[0] in _OF_JOBS:
        words += ["--jobs", str(jobs)]
    if "points" in command:
        points = folder / "points.json"
        points.write_text(json.dumps(command["points"]), "utf-8")
        words += ["--points", str(points)]
    # These write one table, or one figure; other commands fill a folder.
    is_table, is_figure = words[0] in ("sweep", "uncertainty"), words[0] in _OF_FIGURES
    out = folder / next(iter(record.files)) if is_table or is_figure else folder
    option = "--plot" if is_figure else "--out"
    # Points without results are part of a table, so a sweep may exit with 1.
    _call(["-m", "via", *words, option, str(out)], root, jobs, may_fail=is_table)


def _copy(root: Path, copy: Path) -> None:
    total = sum(file.stat().st_size for file in root.rglob("*") if file.is_file())
    if total > MAX_COPIED:
        raise refuse("file", root, f"has {total >> 20} MiB, and at most {MAX_COPIED >> 20} are"
                     " copied: keep a script and its data in a folder of their own")  # fmt: skip

    def left_out(folder: str, names: list[str]) -> set[str]:
        own = (copy, copy.parent)  # the copy may lie in what is copied
        return _NOT_COPIED(folder, names) | {name for name in names if Path(folder, name) in own}

    shutil.copytree(root, copy, ignore=left_out, symlinks=True)


def _call(words: list[str], folder: Path, jobs: int, *, may_fail: bool = False) -> None:
    environment = {**os.environ, VARIABLE: NOTHING, "VIA_JOBS": str(jobs)}
    done = subprocess.run(
        [sys.executable, *words], cwd=folder, env=environment, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    if done.returncode != 0 and not (may_fail and done.returncode == 1):
        last = "\n  ".join(done.stderr.splitlines()[-8:])
        raise ViaError(f"{' '.join(words)} ended with exit code {done.returncode}:\n  {last}")


def _compared(file: Path, made: Path, facts: Mapping[str, Any]) -> Finding:
    if not made.is_file():
        return Finding(file.name, DIFFERS, "what made it does not make it now")
    is_there = file.is_file()
    wanted = sha256(file) if is_there else facts.get("sha256")
    if wanted == sha256(made):
        return Finding(file.name, SAME_BYTES)
    if "data" in facts:
        return _figures(file, made, facts)
    how = _first_difference(file, made) if is_there else "other bytes than were written down"
    return Finding(file.name, DIFFERS, how)


def _figures(file: Path, made: Path, facts: Mapping[str, Any]) -> Finding:
    now = provenance.of_figure(made)
    if now is None or now["data"] != facts["data"]:
        return Finding(file.name, DIFFERS, "other data are drawn")
    here = figures.stack()
    versions = [
        f"{name} {then}, here {here.get(name)}"
        for name, then in facts.get("stack", {}).items()
        if here.get(name) != then
    ]
    if versions:
        return Finding(file.name, SAME_DATA, "; ".join(versions))
    if "stack" in facts:
        return Finding(file.name, DIFFERS, "the same data and the same matplotlib, other bytes")
    return Finding(file.name, SAME_DATA, "the matplotlib that drew it is unknown")


def _first_difference(file: Path, made: Path) -> str:
    try:
        old, new = (each.read_text("utf-8").splitlines() for each in (file, made))
    except UnicodeDecodeError:
        return "other bytes"
    for number, (was, now) in enumerate(zip(old, new, strict=False), 1):
        if was != now:
            return f"line {number} was {was!r}, is now {now!r}"
    return f"{len(old)} lines, now {len(new)}"
