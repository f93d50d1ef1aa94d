#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The table of all products in contrib/via/profiles/README.md, from their files.

profile_catalogue.py          is the table what the files say?
profile_catalogue.py --fix    write it
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections import Counter
from pathlib import Path

PROFILES = Path(__file__).resolve().parent.parent / "contrib" / "via" / "profiles"
TABLE = re.compile(r"(<!-- products -->\n)(.*?)(<!-- end of products -->)", re.S)
HEAD = ("product", "what it is", "host", "status", "mechanisms", "numbers: read, recalled, other")
WORDS = ("processor", "doorbell", "descriptor", "translation", "data", "completion")


def numbers(profile: dict) -> str:
    """How many numbers were read where they were published, are recalled, or are neither."""
    tables = [table for table in profile.values() if isinstance(table, dict)]
    trusts = Counter(entry["trust"] for table in tables for entry in table.values())
    recalled = sum(count for trust, count in trusts.items() if trust.startswith("MEMORY"))
    read = trusts["VERIFIED"]
    return f"{read}, {recalled}, {trusts.total() - read - recalled}"


def row(path: Path) -> str:
    """One product's line."""
    profile = tomllib.loads(path.read_text("utf-8"))
    nic = profile["nic"]
    cells = (
        f"`{path.stem}`",
        profile["title"],
        f"`{profile['default_host']}`",
        "sketch" if "sketch" in profile else "",
        ", ".join(nic[word]["value"] for word in WORDS if word in nic),
        numbers(profile),
    )
    return f"| {' | '.join(cells)} |"


def table(folder: Path) -> str:
    """All products, by name."""
    lines = [f"| {' | '.join(HEAD)} |", "|---" * len(HEAD) + "|"]
    lines += [row(path) for path in sorted(folder.glob("*.toml"))]
    return "\n".join(lines) + "\n"


def check(folder: Path, *, fix: bool) -> bool:
    """Prints what is wrong. @return whether anything is"""
    page = folder / "README.md"
    text = page.read_text("utf-8")
    wanted = table(folder)
    fixed = TABLE.sub(lambda match: match[1] + wanted + match[3], text)
    if fixed == text:
        return False
    if fix:
        page.write_text(fixed, "utf-8")
        return False
    print(f"{page.name}: the table of products is stale; profile_catalogue.py --fix writes it")
    return True


def main() -> int:
    return int(check(PROFILES, fix="--fix" in sys.argv[1:]))


if __name__ == "__main__":
    sys.exit(main())
