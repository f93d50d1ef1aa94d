# SPDX-License-Identifier: GPL-2.0-only
"""What is writing files now, as plain JSON: a via command, a script or an interactive session."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, TypeAlias

from via._base.files import sha256
from via.versions import PACKAGE

COMMAND, SCRIPT, INTERACTIVE = "command", "script", "interactive"

OUTSIDE = "the script was not below the folder in which it ran"  # a reason of INTERACTIVE

Command: TypeAlias = Mapping[str, Any]

# In a word that names a file; a false find costs only a line in the record.
_PATH = re.compile(r"/|\.py:|(^|=)file:|\.(toml|json|csv|graphml|xml)\b")

_recorded: ContextVar[Command | None] = ContextVar("via_command", default=None)


@contextmanager
def recording(command: Command) -> Iterator[None]:
    """Record the command that makes the files written in this block."""
    token = _recorded.set(command)
    try:
        yield
    finally:
        _recorded.reset(token)


def of_command(*args: str) -> Command:
    """Return the command `via` with these arguments, which do not include the output place."""
    return {"kind": COMMAND, "args": list(args)}


def of_sweep(
    workload: str, points: Sequence[Mapping[str, Any]], seed: int, options: Sequence[str] = ()
) -> Command:
    """Return the command that sweeps a workload; options: further words of the command line."""
    plain = json.loads(json.dumps(points, default=str))
    command = of_command("sweep", workload, "--seed", str(seed), *options)
    return {**command, "points": plain}


def of_script(script: Path, root: Path, args: Sequence[str] = ()) -> dict[str, Any]:
    """Return the command that runs a script in root, which contains the script and its files."""
    return {
        "kind": SCRIPT,
        "script": script.resolve().relative_to(root).as_posix(),
        "sha256": sha256(script),
        "args": list(args),
        "cwd": ".",
    }


def current() -> Command:
    """Return what is writing files now: a via command, a script or an interactive session."""
    return _recorded.get() or _script()


def _script() -> Command:
    file = getattr(sys.modules.get("__main__"), "__file__", None)
    script = Path(file).resolve() if file else None
    here = Path.cwd()
    if script is None or script.is_relative_to(PACKAGE) or not script.is_file():
        return {"kind": INTERACTIVE}
    if not script.is_relative_to(here):
        return {"kind": INTERACTIVE, "reason": OUTSIDE}
    command = of_script(script, here, sys.argv[1:])
    del command["cwd"]
    return command


def command_for(folder: Path) -> Command:
    """Return what is writing files now, for a file in this folder."""
    command = current()
    return placed(command, folder) if needs_place(command) else command


def placed(command: Command, folder: Path) -> Command:
    """Return a command with the folder it ran in, relative to the folder of its files."""
    if command["kind"] == INTERACTIVE or "cwd" in command:
        return command
    return {**command, "cwd": os.path.relpath(Path.cwd(), folder.resolve())}


def needs_place(command: Command) -> bool:
    """Return whether a command names files by path, so that its working folder matters."""
    if command["kind"] == SCRIPT:
        return True
    values = [value for point in command.get("points", ()) for value in point.values()]
    words = [*command.get("args", ()), *map(str, values)]
    return any(map(_PATH.search, words))
