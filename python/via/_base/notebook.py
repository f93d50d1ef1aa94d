# SPDX-License-Identifier: GPL-2.0-only
"""HTML that notebooks show for objects of the package."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path


def table(title: str, rows: Mapping[str, object]) -> str:
    """Return a table of names and values under a title."""
    cells = "".join(
        f"<tr><th style='text-align:left'>{escape(name)}</th>"
        f"<td style='text-align:left'>{escape(str(value))}</td></tr>"
        for name, value in rows.items()
    )
    return f"<table><caption><b>{escape(title)}</b></caption>{cells}</table>"


def lines(texts: Iterable[str]) -> str:
    """Return lines of plain text, "" for none."""
    joined = "\n".join(texts)
    return f"<pre>{escape(joined)}</pre>" if joined else ""


def show(figure: Path) -> None:
    """Show a .png or .svg file below the cell of a notebook; elsewhere nothing happens."""
    if "IPython" not in sys.modules:
        return
    from IPython import display, get_ipython

    ways = {".png": display.Image, ".svg": display.SVG}
    if hasattr(get_ipython(), "kernel") and figure.suffix in ways:
        display.display(ways[figure.suffix](filename=str(figure)))
