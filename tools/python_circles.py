#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Checks the imports in python/via: no circles, and only imports from rooms below.

Every import counts, including those inside functions and those for types only. `via._core` and
`via._partitions` are compiled and import modules by name, so they are not checked. `from via import
x` imports via.x; nothing inside the package may import the package itself, which is the interface
for users.

A folder of python/via is a room, and so is each module beside these folders.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "via"
COMPILED = {"via._core", "via._partitions"}

# Modules that belong to a room but are not in its folder.
MEMBERS = {"errors": "_base", "versions": "_base"}
# Each room after those that it may import, in the order of reading.
MAY_IMPORT: dict[str, set[str]] = {
    "_base": set(),
    "protocol": set(),
    "profiles": {"_base", "_drawing"},
    "workloads": {"_base", "profiles"},
    "faults": {"_base"},
    "ns3": {"_base"},
    "figures": {"_base"},
    "_drawing": {"_base", "figures"},
    "topology": {"_base", "profiles", "_drawing"},
    "_runs": {"_base", "figures"},
    "_page": {"_base", "_drawing", "topology", "_runs"},
    "results": {"_base", "workloads", "_runs", "_page", "_drawing"},
    "critical_path": {"_base", "_runs", "results"},
    "_programs": {"_base", "profiles", "workloads", "protocol", "ns3", "_runs"},
    "programs": {"_base", "_programs"},
    "_cluster": {"_base", "profiles", "faults", "ns3", "topology", "_runs", "_programs"},
    "cluster": {
        "_base", "workloads", "protocol", "results", "_programs", "_cluster", "measured",
    },
    "confidence": {"_base"},
    "measured": {"_base", "confidence", "results"},
    "raw_traffic": {"_base", "cluster"},
    "charts": {"_base", "confidence", "figures", "_drawing", "_runs", "results"},
}  # fmt: skip
LIBRARY = set(MAY_IMPORT)
MAY_IMPORT |= {
    "sweeps": LIBRARY - {"_drawing", "charts"},
    "studies": LIBRARY - {"charts"},
    "_cli": LIBRARY | {"sweeps", "studies"},
    "__main__": {"_cli"},
    "": LIBRARY | {"sweeps", "studies"},  # the package itself
}

Modules = Mapping[str, Path]
Imports = Mapping[str, Mapping[str, int]]  # by module: imported modules, with a line number


def modules(python: Path) -> dict[str, Path]:
    """Return the paths of the modules in a folder, by name; a package is its __init__.py."""
    found = {}
    for path in sorted((python / PACKAGE).rglob("*.py")):
        parts = path.relative_to(python).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports_of(name: str, known: Modules) -> dict[str, int]:
    """Return the modules of the package that a module imports, each with a line number."""
    tree = ast.parse(known[name].read_text(encoding="utf-8"))
    found: dict[str, int] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            for other in _named(node, name, known):
                if other != name:
                    found.setdefault(other, node.lineno)
    return found


def _named(node: ast.Import | ast.ImportFrom, name: str, known: Modules) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (each.name for each in node.names if each.name in known)
        return
    base = node.module or ""
    if node.level:
        is_package = known[name].name == "__init__.py"
        above = name.split(".")[: len(name.split(".")) - node.level + is_package]
        base = ".".join([*above, base] if base else above)
    for each in node.names:
        whole = f"{base}.{each.name}"
        if COMPILED & {base, whole}:
            continue
        if whole in known:
            yield whole
        elif base in known:
            yield base


def circles(graph: Imports) -> list[list[str]]:
    """Return the modules that import each other, directly or indirectly, a list per circle."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    open_: list[str] = []
    found = []

    def visit(name: str) -> None:
        order[name] = low[name] = len(order)
        open_.append(name)
        for other in graph[name]:
            if other not in order:
                visit(other)
                low[name] = min(low[name], low[other])
            elif other in open_:
                low[name] = min(low[name], order[other])
        if low[name] == order[name]:
            start = open_.index(name)
            if len(open_) - start > 1:
                found.append(sorted(open_[start:]))
            del open_[start:]

    for name in graph:
        if name not in order:
            visit(name)
    return found


def room_of(name: str) -> str:
    """Return the room of a module: its folder in python/via, or itself; "": the package."""
    first = name.split(".")[1:2]
    return MEMBERS.get(first[0], first[0]) if first else ""


def violations(graph: Imports, known: Modules) -> list[str]:
    """Return a line for each circle, and for each forbidden import."""
    found = []
    for members in circles(graph):
        found.append(f"{', '.join(members)}: import each other")
        found += [
            f"    {name}:{line}: imports {other}"
            for name in members
            for other, line in graph[name].items()
            if other in members
        ]
    for name, others in graph.items():
        room = room_of(name)
        if room not in MAY_IMPORT:
            found.append(f"{name}: room {room} is not known to tools/python_circles.py")
            continue
        for other, line in others.items():
            if other == PACKAGE:
                found.append(f"{name}:{line}: imports {PACKAGE} itself, the users' face")
            elif room_of(other) != room and room_of(other) not in MAY_IMPORT[room]:
                found.append(f"{name}:{line}: {room or PACKAGE} may not import {other}")
    unused = set(MAY_IMPORT) - {room_of(name) for name in known}
    return found + [f"room {room} is empty" for room in sorted(unused)]


def main(python: Path = ROOT / "python") -> int:
    """Print what is wrong; return the exit code."""
    known = modules(python)
    found = violations({name: imports_of(name, known) for name in known}, known)
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
