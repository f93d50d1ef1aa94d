#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Writes or checks contrib/via/doc/attributes.md, the reference of the module's ns-3 types.

./via python tools/attribute_reference.py          check that the page is up to date
./via python tools/attribute_reference.py --fix    write the page
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent / "contrib" / "via" / "doc" / "attributes.md"
HEAD = """\
# Attributes, trace sources, global values

<!-- Written by tools/attribute_reference.py: help texts are changed in the sources. -->

What ns-3's configuration system knows of the module. Profiles of products have keys of their own
([](profiles.md)): what a product costs is data, and no attribute. [](via.rst) shows how to use all
of this.
"""
PATHS = {
    "ns3::via::ViaFabricObject": "/",
    "ns3::via::ViaIpDevice": "/NodeList/[i]/DeviceList/[i]/$ns3::via::ViaIpDevice",
    "ns3::via::ViaNicObject": "/NodeList/[i]/$ns3::via::ViaNicObject",
    "ns3::via::ViaProcessApplication": (
        "/NodeList/[i]/ApplicationList/[i]/$ns3::via::ViaProcessApplication"
    ),
    "ns3::via::ViaSwitchObject": "/ViaSwitchList/[i]",
}


def cell(text: str) -> str:
    """Return a text as a table cell."""
    return text.replace("|", "\\|")


def kind_of(text: str) -> str:
    """Return the type of a value, with its range if the type allows more."""
    text = re.sub(r"^Time .*", "Time", text)  # its range depends on the resolution
    return re.sub(r"^(uint\d+_t) 0:(?:4294967295|18446744073709551615)$", r"\1", text)


def initial(value: str) -> str:
    """Return an initial value in one form; releases of ns-3 write times differently."""
    time = re.fullmatch(r"\+(\d+)(?:\.0+)?(\w+)", value)
    text = f"{time[1]} {time[2]}" if time else value
    return f"`{text}`" if text else ""


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """Return a Markdown table."""
    lines = [f"| {' | '.join(map(cell, row))} |" for row in rows]
    return "\n".join([f"| {' | '.join(head)} |", "|---" * len(head) + "|", *lines]) + "\n"


def section(kind: dict) -> str:
    """Return the section about one type."""
    text = f"## {kind['name']}\n\nA `{kind['parent']}`."
    if kind["name"] in PATHS:
        text += f" Path: `{PATHS[kind['name']]}`"
    text += "\n"
    if kind["attributes"]:
        rows = (
            (
                f"`{each['name']}`",
                each["help"],
                kind_of(each["type"]),
                initial(each["initial"]),
                each["use"],
            )
            for each in kind["attributes"]
        )
        text += "\n" + table(("attribute", "meaning", "type, range", "initial", "use"), rows)
    if kind["trace_sources"]:
        sources = (
            (f"`{each['name']}`", each["help"], f"`{each['callback']}`")
            for each in kind["trace_sources"]
        )
        text += "\n" + table(("trace source", "fires when", "callback"), sources)
    return text


def page() -> str:
    """Return the whole page."""
    from via import _core

    known = sorted(_core.types(), key=lambda kind: str(kind["name"]))
    values = (
        (f"`{each['name']}`", each["help"], initial(each["initial"]))
        for each in sorted(_core.global_values(), key=lambda each: each["name"])
    )
    told = [kind for kind in known if kind["attributes"] or kind["trace_sources"]]
    parts = [HEAD, *map(section, told)]
    names = ", ".join(f"`{kind['name']}`" for kind in known if kind not in told)
    parts += [
        f"## Others\n\nWithout attributes and trace sources of their own: {names}.\n",
        "## Global values\n\nArguments of every script that parses a `CommandLine`, such as "
        "`--ViaProfile=ideal`.\n\n" + table(("name", "meaning", "initial"), values),
    ]
    return "\n".join(parts)


def main() -> int:
    wanted = page()
    if PAGE.is_file() and PAGE.read_text("utf-8") == wanted:
        return 0
    if "--fix" in sys.argv[1:]:
        PAGE.write_text(wanted, encoding="utf-8")
        print(f"wrote {PAGE.relative_to(Path.cwd())}")
        return 0
    print("doc/attributes.md is stale: ./via python tools/attribute_reference.py --fix")
    return 1


if __name__ == "__main__":
    sys.exit(main())
