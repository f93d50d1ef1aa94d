# SPDX-License-Identifier: GPL-2.0-only
"""VIPL programs in C and C++: those of yours and the examples, compiled on demand."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from via._base import kinds
from via._programs import compiler
from via.errors import ViaError, refuse, refuse_name

COMMON_SOURCES = ("vipl-util.c", "vipl-bytes.c", "vipl-connect.c", "vipl-options.c")
PARTS = {
    "block-storage": ("block-target.c", "block-initiator.c"),
    "event-server": ("event-service.c", "event-client.c"),
    "messages": ("msg.c", "msg-collectives.c", "msg-pins.c", "msg-wire.c"),
    "shared-memory": ("dsm.c", "dsm-manager.c", "dsm-wire.c"),
    "vibe": (
        "vibe-base.c",
        "vibe-channel.c",
        "vibe-effects.c",
        "vibe-measure.c",
        "vibe-setup.c",
    ),  # fmt: skip
}


def folder() -> Path:
    """Return the folder of the examples: in the installed package, or in the source tree."""
    package = Path(__file__).resolve().parent
    return next(
        place
        for place in (package / "examples", package.parents[1] / "contrib" / "via" / "examples")
        if place.is_dir()
    )


def names() -> list[str]:
    """Return the names of the examples in C."""
    shared = {part for parts in PARTS.values() for part in parts} | set(COMMON_SOURCES)
    return sorted(path.stem for path in folder().glob("*.c") if path.name not in shared)


def compile(
    sources: Sequence[str | os.PathLike[str]],
    program: str | os.PathLike[str],
    *options: str,
) -> Path:
    """Compile a VIPL program, as `via cc` does.

    Args:
        sources: its files in C, or in C++.
        program: the shared object to make, for Cluster.run_program().
        options: of the compiler, such as "-O3" or "-DSIZE=4".

    Returns:
        The path of the program.

    Raises:
        ConfigError: there is no source, or a source does not exist.
        ViaError: the compiler failed; its messages are on stderr.
    """
    files = [str(kinds.path("sources", each)) for each in kinds.listed("sources", sources)]
    if not files:
        raise refuse("sources", "[]", "a program has at least one source")
    for file in files:
        if not Path(file).is_file():
            raise refuse("sources", file, "there is no such file")
    made = kinds.path("program", program)
    if compiler.main([*options, *files, "-o", str(made)]) != 0:
        raise ViaError(f"via cc could not compile {made.name}")
    return made


def build(name: str, into: str | os.PathLike[str]) -> Path:
    """Compile an example program unless it is newer than all its sources.

    Args:
        name: the program's name, such as "ping-pong".
        into: an existing folder.

    Returns:
        The shared object, into/NAME.so.

    Raises:
        ConfigError: there is no such example.
        ViaError: the compiler failed; its messages are on stderr.
    """
    if name not in names():
        raise refuse_name("program", name, names())
    sources = [folder() / each for each in (f"{name}.c", *PARTS.get(name, ()), *COMMON_SOURCES)]
    program = kinds.path("into", into) / f"{name}.so"
    return program if _is_current(program) else compile(sources, program)


def _is_current(program: Path) -> bool:
    places = compiler.find_places()
    made_of = [folder(), places.include, places.include / "vipl", places.shim]
    newest = max(path.stat().st_mtime_ns for place in made_of for path in place.iterdir())
    return program.is_file() and program.stat().st_mtime_ns > newest
