#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Checks all text files of the tree: ASCII, a licence line in sources, no banned words."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BINARY = {".png", ".svg", ".ico", ".gz"}
CPP = {".cc", ".h", ".hpp"}
LICENSED = {".cc", ".h", ".hpp", ".c", ".py", ".sh"}
# Banned words, and what to write instead. They are split so that this file passes its own check.
BANNED = {
    "TO" + "DO": "do it, or open an issue",
    "FIX" + "ME": "fix it, or open an issue",
    "XX" + "X": "say what is meant",
    "NS_LOG_" + "FUNCTION": "spans of the trace replace it",
    "using namespace " + "std;": "std::",
    "/wo" + "rk": "a path inside the tree",
}
MODEL_BANNED = {
    r"\bsrand\b|\brand\(": "an ns-3 RngStream assigned by component",
    r"\bstd::unordered_": "an ordered container or a vector: iteration order must not be luck",
    r"\bsystem_clock\b|\bsteady_clock\b|\bgettimeofday\(": "simulated time",
    r"\bstd::cout\b": "a trace sink, or a value that is returned",
}


def tracked() -> list[Path]:
    listing = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "-co", "--exclude-standard", "-z"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    paths = (ROOT / name for name in listing.split("\0") if name)
    return sorted(p for p in paths if p.is_file() and p.suffix not in BINARY)


def complaints(path: Path) -> list[str]:
    where = path.relative_to(ROOT)
    content = path.read_bytes()
    found = []
    text = content.decode("utf-8", errors="replace")
    lines = text.splitlines()
    if content and not content.endswith(b"\n"):
        found.append(f"{where}: no newline at the end")
    licensed = "SPDX-License-Identifier: " in "\n".join(lines[:4])
    if path.suffix in LICENSED and lines and not licensed:
        found.append(f"{where}: no SPDX-License-Identifier in its first lines")
    for number, line in enumerate(lines, 1):
        if not line.isascii():
            found.append(f"{where}:{number}: not ASCII: {line.strip()[:60]!a}")
        if line != line.rstrip() and path.name != "LICENSE":
            found.append(f"{where}:{number}: space at the end of the line")
        for word, instead in BANNED.items():
            if re.search(rf"(?<!\w){word}(?!\w)", line):
                found.append(f"{where}:{number}: {word}: {instead}")
        if "model" in path.parts and "shim" not in path.parts and path.suffix in CPP:
            for pattern, instead in MODEL_BANNED.items():
                if re.search(pattern, line.split("//")[0]) and not line.lstrip().startswith("*"):
                    found.append(f"{where}:{number}: {line.strip()[:50]}: {instead}")
    return found


def main() -> int:
    found = [complaint for path in tracked() for complaint in complaints(path)]
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
