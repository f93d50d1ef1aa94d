#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Checks that each class with many public methods is in architecture.md, with its number.

A class of more than 25 public methods is a face of many parts, or a god class: the page says which.
Constructors, destructors and operators do not count; overloads of a name count once.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

MODULE = Path(__file__).resolve().parent.parent / "contrib" / "via"
PAGE = MODULE / "doc" / "architecture.md"
ROOMS = ("model", "profile", "programs", "protocols", "helper")
MOST = 25

_NOISE = re.compile(
    r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|(?<!\w)\'(?:\\\w*.|[^\'\\])\'|^[ \t]*#[^\n]*',
    re.M | re.S,
)
_ATTRIBUTE = re.compile(r"\[\[.*?\]\]|\balign(?:as|of)\([^()]*\)|\b__attribute__\(\(.*?\)\)")
_CLASS = re.compile(r"\b(class|struct)\s+(\w+)(?:\s+final)?\s*(?::[^;{]*)?$")
_NAME = re.compile(r"(~?\w+)\s*\(")
# What a parenthesis follows without being a method.
_WORDS = {"decltype", "noexcept", "sizeof", "static_assert"}


def public_methods(text: str) -> dict[str, set[str]]:
    """Return the names of the public methods of each class in a header, by the class's name."""
    text = _ATTRIBUTE.sub("", _NOISE.sub(" ", text))
    found: dict[str, set[str]] = {}
    inside: list[tuple[str, bool]] = []  # of each open brace: its class or "", is it public there?
    since = 0  # where the current declaration begins
    for mark in re.finditer(r"[{};]|\b(?:public|protected|private)\s*:(?!:)", text):
        declaration = text[since : mark.start()].strip()
        owner, is_public = inside[-1] if inside else ("", False)
        since = mark.end()
        if mark[0][0] in "{;" and owner and is_public:
            found[owner] |= _method(declaration, owner)
        if mark[0] == "{":
            opened = None if declaration.startswith("enum") else _CLASS.search(declaration)
            name, is_struct = (opened[2], opened[1] == "struct") if opened else ("", False)
            inside.append((name, is_struct))
            found.setdefault(name, set())
        elif mark[0] == "}":
            inside.pop()
        elif mark[0] != ";":
            inside[-1] = (owner, mark[0].startswith("public"))
    found.pop("", None)
    return found


def _method(declaration: str, owner: str) -> set[str]:
    """Return the name of the method that a declaration begins, or nothing."""
    start = re.sub(r"^(?:template\s*<[^()]*>\s*)+", "", declaration)
    if start.startswith(("using ", "friend ", "typedef ")) or "operator" in start:
        return set()
    name = _NAME.search(start)
    if name is None or name[1] in _WORDS | {owner, f"~{owner}"} or "=" in start[: name.start()]:
        return set()
    return {name[1]}


def classes(module: Path) -> dict[str, int]:
    """Return the number of public methods of the classes in a module's headers, by name."""
    found: dict[str, int] = {}
    for room in ROOMS:
        for path in sorted((module / room).rglob("*.h")):
            for name, methods in public_methods(path.read_text("utf-8")).items():
                found[name] = max(found.get(name, 0), len(methods))
    return found


def complaints(counted: dict[str, int], page: str) -> list[str]:
    """Return a line for each large class without its number on the page, and for each wrong one."""
    told = {name: int(number) for name, number in re.findall(r"`(\w+)` \((\d+)\)", page)}
    large = {name: number for name, number in counted.items() if number > MOST}
    found = [
        f"{name} has {number} public methods; {PAGE.name} says {told.get(name, 'nothing of it')}"
        for name, number in large.items()
        if told.get(name) != number
    ]
    return found + [
        f"{PAGE.name}: {name} ({told[name]}) is no class of more than {MOST} public methods"
        for name in told
        if name not in large
    ]


def main() -> int:
    found = complaints(classes(MODULE), PAGE.read_text("utf-8"))
    print("\n".join(found) or f"each class of more than {MOST} public methods has its reason")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
