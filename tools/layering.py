#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Folders are layers: who may include whom, judged from the #include lines.

    base <- fabric      base <- host <- nic <- vipl      {host, nic, fabric} <- ip
    all <- workload <- helper <- the rest

fabric and nic never see each other: they share nouns of base. vipl never sees fabric.
--fix mends how headers are named ("ns3/via-foo.h"), not who includes whom.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODULE = ROOT / "contrib" / "via"

MODEL = {"base", "fabric", "host", "nic", "vipl", "ip"}
MAY_INCLUDE = {
    "base": set(),
    "fabric": {"base"},
    "host": {"base"},
    "nic": {"base", "host"},
    "vipl": {"base", "host", "nic"},
    "ip": {"base", "fabric", "host", "nic"},
    "shim": {"host"},
    "workload": MODEL,
    "helper": MODEL | {"workload"},
    "bindings": MODEL | {"workload", "helper"},
    "mpi": MODEL | {"workload", "helper"},
    "examples": MODEL | {"workload", "helper"},
    "benchmarks": MODEL | {"workload", "helper"},
    "test": MODEL | {"workload", "helper", "test"},
}
# Whose headers are laid out as ns3/via-foo.h; the others are found beside who includes them.
FLAT = MODEL | {"workload", "helper"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
# vipl.h is the face simulated programs see, found by its own include path.
PROGRAM_HEADERS = {"vipl.h": "vipl"}
# Made by the build: all headers in one, for scripts and never inside the module.
MODULE_HEADER = "ns3/via-module.h"


def layer_of(path: Path) -> str:
    parts = path.relative_to(ROOT).parts
    if parts[0] == "benchmarks":
        return "benchmarks"
    if parts[2:5] == ("model", "vipl", "shim"):  # C, linked into simulated programs
        return "shim"
    inside = parts[2:]  # contrib/via/...
    if inside[:2] == ("test", "external"):  # a module of somebody else
        return "examples"
    return inside[1] if inside[0] == "model" else inside[0]


def sources() -> list[Path]:
    folders = (MODULE, ROOT / "benchmarks")
    return sorted(p for f in folders for p in f.rglob("*") if p.suffix in (".cc", ".h"))


def violations(path: Path, owners: dict[str, str]) -> list[str]:
    layer = layer_of(path)
    where = path.relative_to(ROOT)
    if layer not in MAY_INCLUDE:
        return [f"{where}: folder {layer} is no layer known to tools/layering.py"]
    found = []
    first = path.suffix == ".cc"
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        name = Path(match[2]).name
        if match[2] == MODULE_HEADER and layer == "examples":
            continue
        if name.startswith("via-") and name not in owners:
            found.append(f"{where}:{number}: there is no {name}")
        owner = owners.get(name, layer)
        if owner != layer and owner not in MAY_INCLUDE[layer]:
            found.append(f"{where}:{number}: {layer} may not include {name} of {owner}")
        in_module = owners.get(name) in FLAT and name not in PROGRAM_HEADERS
        in_module = in_module and layer != "shim"  # programs do not see ns-3's include path
        by_ns3 = match[2] == f"ns3/{name}"
        own = first and match[2] == name and owner == layer
        first = False
        if in_module and not (by_ns3 or own):
            found.append(f'{where}:{number}: write "ns3/{name}"; a .cc names its own header, first')
    return found


def mend_names(path: Path, owners: dict[str, str]) -> None:
    """Name every header of the module as ns-3 does, but for a .cc's own, which comes first."""
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
            owners[path.name] = layer_of(path)
        elif path.suffix == ".h" and "model" in path.parts and path.name not in PROGRAM_HEADERS:
            if "include" not in path.parts and "shim" not in path.parts:
                found.append(f"{path.relative_to(ROOT)}: header names start with via-")
    for path in files:
        if "--fix" in sys.argv[1:] and layer_of(path) not in ("shim", "test"):
            mend_names(path, owners)
        found += violations(path, owners)
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
