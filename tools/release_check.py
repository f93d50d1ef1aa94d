#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Checks whether the tree can be released: `./via release-check`.

release_check.py          check version, changelog, names of tests, metadata
release_check.py --tag    also check that the changelog is dated, all is committed and tagged

contrib/via/VERSION is the only place of the version. CHANGELOG.md begins with it:
`## 0.1.0, unreleased` during development, `## 0.1.0, 2026-11-21` for the release.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VERSION = re.compile(r"\d+\.\d+\.\d+(?:-rc\d+)?")
HEADING = re.compile(r"^## (\S+), (unreleased|\d{4}-\d{2}-\d{2})$", re.M)
# Files that must not repeat the version.
SECOND = (
    ("pyproject.toml", r"^version\s*="),
    ("python/via/__init__.py", r"__version__\s*=\s*[\"']"),
    ("CMakeLists.txt", r"project\([^)]*\bVERSION\b"),
    ("contrib/via/CMakeLists.txt", r"project\([^)]*\bVERSION\b"),
    ("contrib/via/doc/conf.py", r"^(?:version|release)\s*=\s*[\"']"),
)
METADATA = ("name", "title", "abstract", "license", "ns3", "tags", "documentation")
BOOST_CASE = re.compile(r"^BOOST_(?:AUTO|FIXTURE|DATA)_TEST_CASE\((?:\n\s*)?(\w+)", re.M)
PYTEST_CASE = re.compile(r"^(?:async )?def (test\w*)\(", re.M)


def version(root: Path) -> str:
    """Return the content of contrib/via/VERSION."""
    return (root / "contrib" / "via" / "VERSION").read_text("ascii").strip()


def check_version(root: Path) -> list[str]:
    """Check that the version is well formed and is only in its one place."""
    said = version(root)
    found = [] if VERSION.fullmatch(said) else [f"contrib/via/VERSION: {said!r} is no version"]
    for name, pattern in SECOND:
        path = root / name
        if path.is_file() and re.search(pattern, path.read_text("utf-8"), re.M):
            found.append(f"{name}: has a version of its own; contrib/via/VERSION is the place")
    return found


def check_changelog(root: Path, *, tag: bool) -> list[str]:
    """Check that the version comes first and that no entry occurs twice."""
    text = (root / "CHANGELOG.md").read_text("utf-8")
    found = []
    first = HEADING.search(text)
    if first is None or first[1] != version(root):
        found.append(f"CHANGELOG.md: the first heading must be '## {version(root)}, unreleased'")
    elif tag and first[2] == "unreleased":
        found.append(f"CHANGELOG.md: {version(root)} has no date yet")
    entries = Counter(re.findall(r"^- .*(?:\n  .*)*", text, re.M))
    found += [f"CHANGELOG.md: twice: {entry[:60]}" for entry, n in entries.items() if n > 1]
    return found


def check_names(root: Path) -> list[str]:
    """Check that test names are sentences and unique in their files."""
    found = []
    for suffix, pattern, shape in (
        ("*.cc", BOOST_CASE, r"(?:[A-Z0-9][a-z0-9]*){2,}"),
        ("test_*.py", PYTEST_CASE, r"test(?:_[a-z0-9]+){2,}"),
    ):
        for path in sorted(root.rglob(suffix)):
            where = path.relative_to(root)
            if where.parts[0] in {"build", "out"} or where.parts[0].startswith("."):
                continue
            names = Counter(pattern.findall(path.read_text("utf-8")))
            for name, times in names.items():
                if not re.fullmatch(shape, name):
                    found.append(f"{where}: {name}: no sentence")
                if times > 1:
                    found.append(f"{where}: {name}: {times} times")
    return found


def check_metadata(root: Path) -> list[str]:
    """Check the metadata for a list of modules, such as ns-3's app store."""
    path = root / "contrib" / "via" / "metadata.toml"
    told = tomllib.loads(path.read_text("utf-8"))
    where = path.relative_to(root)
    found = [f"{where}: {key} is missing" for key in METADATA if not told.get(key)]
    if "version" in told:
        found.append(f"{where}: has a version of its own; contrib/via/VERSION is the place")
    if not (root / "contrib" / "via" / str(told.get("documentation"))).is_file():
        found.append(f"{where}: documentation = {told.get('documentation')}: no such file")
    return found


def check_tag(root: Path) -> list[str]:
    """Check that everything is committed and that the commit has the version's tag."""

    def git(*arguments: str) -> str:
        command = ["git", "-C", str(root), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    found = ["not all is committed"] if git("status", "--porcelain").strip() else []
    wanted = f"v{version(root)}"
    if wanted not in git("tag", "--points-at", "HEAD").split():
        found.append(f"the commit is not tagged {wanted}")
    return found


def complaints(root: Path, *, tag: bool) -> list[str]:
    """Return everything that blocks a release."""
    return [
        *check_version(root),
        *check_changelog(root, tag=tag),
        *check_names(root),
        *check_metadata(root),
        *(check_tag(root) if tag else []),
    ]


def main() -> int:
    found = complaints(ROOT, tag="--tag" in sys.argv[1:])
    print("\n".join(found) if found else f"version {version(ROOT)}: nothing blocks a release")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
