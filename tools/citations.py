#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Checks that every number of a profile has a source, and that cited rows and keys exist.

A key is { value, unit, source, trust }. A source that begins with "provider/metric" names a row
of published.csv, and one that begins with "conditions of provider/metric" the text beside it; one
that begins with "as table.key" names another key. A trust of VERIFIED or MEMORY-* is a claim about
a measurement: it must name a row, and the row must say the same.
"""

from __future__ import annotations

import csv
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROFILES = ROOT / "contrib" / "via" / "profiles"
FIELDS = {"value", "unit", "source", "trust"}
OWN_TRUST = {"assumed", "derived", "fitted"}
ROW = re.compile(r"^(?:conditions of )?([A-Za-z][\w-]*/[A-Za-z][\w.-]*?)(?=:|,|\s|$)")
OTHER_KEY = re.compile(r"^as ([a-z_]+\.[a-z_0-9]+)")


def published() -> dict[str, set[str]]:
    """Return the trust levels of every row, by provider/metric."""
    rows: dict[str, set[str]] = {}
    with (PROFILES / "published.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            rows.setdefault(f"{row['provider']}/{row['metric']}", set()).add(row["status"])
    return rows


def keys_of(profile: dict) -> dict[str, object]:
    tables = {name: table for name, table in profile.items() if isinstance(table, dict)}
    return {
        f"{name}.{key}": value for name, table in tables.items() for key, value in table.items()
    }


def complaint(entry: object, known_keys: set[str], rows: dict[str, set[str]]) -> str | None:
    if not isinstance(entry, dict) or not set(entry) >= FIELDS:
        return "needs value, unit, source and trust"
    source, trust = entry["source"], entry["trust"]
    if not source.strip():
        return "an empty source"
    row, other = ROW.match(source), OTHER_KEY.match(source)
    if row and row[1] not in rows:
        return f"published.csv has no row {row[1]}"
    if other and other[1] not in known_keys:
        return f"there is no key {other[1]}"
    if trust in OWN_TRUST:
        return (
            "a fitted value names the row it was fitted on"
            if trust == "fitted" and not row
            else None
        )
    if not row:
        return f"trust {trust} is a claim about a measurement: name its row of published.csv first"
    if trust not in rows[row[1]]:
        return f"trust {trust}, but row {row[1]} says {' or '.join(sorted(rows[row[1]]))}"
    return None


def main() -> int:
    # The folder calibration has tables about profiles, and no profile.
    files = sorted(p for p in PROFILES.rglob("*.toml") if p.parent.name != "calibration")
    if not files:
        return 0
    rows = published()
    entries = {path: keys_of(tomllib.loads(path.read_text(encoding="utf-8"))) for path in files}
    known_keys = {key for keys in entries.values() for key in keys}
    found = [
        f"{path.relative_to(ROOT)}: {key}: {text}"
        for path, keys in entries.items()
        for key, entry in keys.items()
        if (text := complaint(entry, known_keys, rows))
    ]
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
