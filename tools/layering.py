#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Checks which folders ("rooms") include which, from the #include lines.

    base <- profile <- {fabric, host}      host <- {fiber, nic} <- vipl      {fabric, nic} <- ip
    the machine (all of these) <- {programs, protocols} <- helper <- the rest

fabric and nic may not include each other: they share types of base. vipl may not include fabric,
and the machine may not include the programs that run on it. Inside protocols and helper, rooms
have an order. --fix corrects the form of header names ("ns3/via-foo.h"), not forbidden includes.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODULE = ROOT / "contrib" / "via"

# By folder of contrib/via, each after those that it may include, in the order of reading. A folder
# inside a room belongs to that room, unless it is a room itself.
MACHINE = {
    "model/base": set(),
    "profile": {"model/base"},
    "model/fabric": {"model/base", "profile"},
    "model/host": {"model/base", "profile"},
    "model/fiber": {"model/base", "model/host"},
    "model/nic": {"model/base", "profile", "model/host"},
    "model/vipl": {"model/base", "profile", "model/host", "model/fiber", "model/nic"},
    "model/ip": {"model/base", "profile", "model/fabric", "model/host", "model/nic"},
}
GUESTS = {
    "programs/sockets": set(MACHINE) | {"programs"},  # of programs, the seam
    "programs": set(MACHINE) | {"programs/sockets"},
    "protocols/messages": set(MACHINE),
    "protocols": set(MACHINE) | {"protocols/messages"},
    "protocols/library": set(MACHINE) | {"protocols/messages", "protocols"},
}
FLOOR = set(MACHINE) | set(GUESTS)
HELPER = {
    "helper/topology": {"model/base", "profile", "model/fabric"},
    "helper/faults": {"model/base", "model/fabric", "helper/topology"},
    "helper/partitions": {"model/base", "helper/topology"},
    "helper/report": {"model/base"},
    "helper/capture": set(MACHINE) | {"programs"},
    "helper/cluster": FLOOR
    | {f"helper/{room}" for room in ("topology", "faults", "partitions", "report", "capture")},
}
LIBRARY = FLOOR | set(HELPER) | {"helper"}
MAY_INCLUDE = {
    **MACHINE,
    **GUESTS,
    "programs/shim": {"programs"},  # C, linked into simulated programs
    **HELPER,
    "helper": FLOOR | set(HELPER),
    "mpi": LIBRARY,
    "bindings": LIBRARY,
    "examples": LIBRARY,
    "benchmarks": LIBRARY,
    "test": LIBRARY,
}
# Rooms whose headers are included as ns3/via-foo.h; other headers are beside the including file.
FLAT = LIBRARY
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
# vipl.h is the interface of simulated programs, found by its own include path.
PROGRAM_HEADERS = {"vipl.h": "model/vipl"}
# Made by the build: all headers in one, for scripts, not for use inside the module.
MODULE_HEADER = "ns3/via-module.h"


def room_of(path: Path) -> str:
    """Return the room of a file: the nearest folder above it that is one, or its folder's name."""
    parts = path.relative_to(ROOT).parts
    if parts[0] == "benchmarks":
        return "benchmarks"
    inside = parts[2:-1]  # contrib/via/...
    if inside[:2] == ("test", "external"):  # a third party's module
        return "examples"
    for length in range(len(inside), 0, -1):
        if "/".join(inside[:length]) in MAY_INCLUDE:
            return "/".join(inside[:length])
    return "/".join(inside)


def sources() -> list[Path]:
    folders = (MODULE, ROOT / "benchmarks")
    return sorted(p for f in folders for p in f.rglob("*") if p.suffix in (".cc", ".h"))


def violations(path: Path, owners: dict[str, str]) -> list[str]:
    room = room_of(path)
    where = path.relative_to(ROOT)
    if room not in MAY_INCLUDE:
        return [f"{where}: folder {room} is no room known to tools/layering.py"]
    found = []
    first = path.suffix == ".cc"
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        name = Path(match[2]).name
        if match[2] == MODULE_HEADER and room == "examples":
            continue
        if name.startswith("via-") and name not in owners:
            found.append(f"{where}:{number}: there is no {name}")
        owner = owners.get(name, room)
        if owner != room and owner not in MAY_INCLUDE[room]:
            found.append(f"{where}:{number}: {room} may not include {name} of {owner}")
        in_module = owners.get(name) in FLAT and name not in PROGRAM_HEADERS
        in_module = in_module and room != "programs/shim"  # programs have no ns-3 include path
        by_ns3 = match[2] == f"ns3/{name}"
        own = first and match[2] == name and owner == room
        first = False
        if in_module and not (by_ns3 or own):
            found.append(f'{where}:{number}: write "ns3/{name}"; a .cc names its own header, first')
    return found


def mend_names(path: Path, owners: dict[str, str]) -> None:
    """Write header names in ns-3's form, except for a .cc file's own header, which comes first."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    first = path.suffix == ".cc"
    for index, line in enumerate(lines):
        match = INCLUDE.match(line)
        flat = match and owners.get(match[2]) in FLAT and match[2] not in PROGRAM_HEADERS
        if match and flat and not first:
            lines[index] = line.replace(f'"{match[2]}"', f'"ns3/{match[2]}"')
        first = first and not match
    path.write_text("".join(lines), encoding="utf-8")


def main() -> int:
    files = sources()
    owners: dict[str, str] = dict(PROGRAM_HEADERS)
    found = []
    for path in files:
        if path.suffix == ".h" and path.name.startswith("via-"):
            if path.name in owners:
                found.append(f"{path.relative_to(ROOT)}: a second {path.name}; ns-3 keeps only one")
            owners[path.name] = room_of(path)
        elif path.suffix == ".h" and room_of(path) in FLAT and path.name not in PROGRAM_HEADERS:
            if "include" not in path.parts and "shim" not in path.parts:
                found.append(f"{path.relative_to(ROOT)}: header names start with via-")
    for path in files:
        if "--fix" in sys.argv[1:] and room_of(path) not in ("programs/shim", "test"):
            mend_names(path, owners)
        found += violations(path, owners)
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
