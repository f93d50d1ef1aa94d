#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Makes the tables of products, hosts and kernels in contrib/via/profiles/README.md.

profile_catalogue.py          check that the tables match the profile files
profile_catalogue.py --fix    write the tables
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections import Counter
from pathlib import Path

PROFILES = Path(__file__).resolve().parent.parent / "contrib" / "via" / "profiles"
TABLE = "(<!-- {0} -->\n)(.*?)(<!-- end of {0} -->)"
HOST_HEAD = ("host", "machine", "numbers: read, recalled, other")
KERNEL_HEAD = ("kernel", "system", "numbers: read, recalled, other")
HEAD = ("product", "what it is", "host", "status", "mechanisms", "numbers: read, recalled, other")
WORDS = ("processor", "doorbell", "descriptor", "translation", "data", "completion")


def numbers(profile: dict) -> str:
    """Return how many numbers were read in a publication, are recalled, or are neither."""
    tables = [table for table in profile.values() if isinstance(table, dict)]
    trusts = Counter(entry["trust"] for table in tables for entry in table.values())
    recalled = sum(count for trust, count in trusts.items() if trust.startswith("MEMORY"))
    read = trusts["VERIFIED"]
    return f"{read}, {recalled}, {trusts.total() - read - recalled}"


def loaded(path: Path) -> dict:
    """Return a profile with what it has from the one that it extends."""
    own = tomllib.loads(path.read_text("utf-8"))
    if "extends" not in own:
        return own
    whole = loaded(path.parent / f"{own['extends']}.toml")
    for name, value in own.items():
        whole[name] = {**whole.get(name, {}), **value} if isinstance(value, dict) else value
    return whole


def row(path: Path) -> str:
    """Return one product's line."""
    profile = loaded(path)
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


def host_row(path: Path) -> str:
    """Return one host's line."""
    profile = loaded(path)
    return f"| `{path.stem}` | {profile['title']} | {numbers(profile)} |"


def table(head: tuple[str, ...], rows: list[str]) -> str:
    """Return a Markdown table."""
    return "\n".join([f"| {' | '.join(head)} |", "|---" * len(head) + "|", *rows]) + "\n"


def tables(folder: Path) -> dict[str, str]:
    """Return the tables of products, hosts and kernels, by name."""
    return {
        "products": table(HEAD, [row(path) for path in sorted(folder.glob("*.toml"))]),
        "hosts": table(HOST_HEAD, [host_row(path) for path in sorted(folder.glob("hosts/*.toml"))]),
        "kernels": table(
            KERNEL_HEAD, [host_row(path) for path in sorted(folder.glob("kernels/*.toml"))]
        ),
    }


def check(folder: Path, *, fix: bool) -> bool:
    """Print what is wrong; return whether anything is."""
    page = folder / "README.md"
    text = fixed = page.read_text("utf-8")
    for name, wanted in tables(folder).items():
        for found in re.finditer(TABLE.format(name), fixed, re.S):
            fixed = fixed[: found.start(2)] + wanted + fixed[found.end(2) :]
    if fixed == text:
        return False
    if fix:
        page.write_text(fixed, "utf-8")
        return False
    print(f"{page.name}: the tables are stale; profile_catalogue.py --fix writes them")
    return True


def main() -> int:
    return int(check(PROFILES, fix="--fix" in sys.argv[1:]))


if __name__ == "__main__":
    sys.exit(main())
