#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Checks the lists of sources in contrib/via/CMakeLists.txt against the existing files.

A file in no list would silently not be built. --fix rewrites the lists from the folders.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

MODULE = Path(__file__).resolve().parent.parent / "contrib" / "via"
# In the order of reading; tools/layering.py defines allowed includes.
ROOMS = (
    "model/base",
    "profile",
    "model/fabric",
    "model/host",
    "model/fiber",
    "model/nic",
    "model/vipl",
    "model/ip",
    "programs",
    "protocols",
    "helper",
)
# Compiled into simulated programs, not into the library.
FOREIGN = ("programs/shim/",)


def files_of(suffix: str) -> list[str]:
    folders = [MODULE / room for room in ROOMS]
    found = (
        str(path.relative_to(MODULE))
        for folder in folders
        for path in sorted(folder.rglob(f"*{suffix}"))
    )
    if suffix == ".h":  # vipl.h and the shim's headers are found by their own include path
        found = (name for name in found if Path(name).name.startswith("via-"))
    return [name for name in found if not name.startswith(FOREIGN)]


def rewritten(text: str) -> str:
    for variable, suffix in (("via_sources", ".cc"), ("via_headers", ".h")):
        body = "".join(f"    {name}\n" for name in files_of(suffix))
        text = re.sub(
            rf"^set\({variable}\n.*?^\)\n", f"set({variable}\n{body})\n", text, flags=re.M | re.S
        )
    return text


def main() -> int:
    cmake = MODULE / "CMakeLists.txt"
    text = cmake.read_text(encoding="utf-8")
    wanted = rewritten(text)
    if wanted == text:
        return 0
    if "--fix" in sys.argv[1:]:
        cmake.write_text(wanted, encoding="utf-8")
        print(f"rewrote the lists of {cmake.relative_to(Path.cwd())}")
        return 0
    listed, there = set(text.splitlines()), set(wanted.splitlines())
    for line in sorted(there - listed):
        print(f"contrib/via/CMakeLists.txt: not listed: {line.strip()}")
    for line in sorted(listed - there):
        print(f"contrib/via/CMakeLists.txt: listed, but not there: {line.strip()}")
    print("tools/sources.py --fix (or ./via format) rewrites the lists")
    return 1


if __name__ == "__main__":
    sys.exit(main())
