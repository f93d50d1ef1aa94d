# SPDX-License-Identifier: GPL-2.0-only
"""Keeps Napoleon from taking the words of a property before a colon for its type.

Of "One row per process: its node" it makes the type "One row per process". Types are in the
signatures here. It looks at the first line alone, so an empty comment there leaves it nothing to
find.
"""

from __future__ import annotations

from sphinx.application import Sphinx

BEFORE_NAPOLEON = 400  # its own is 500


def spared(app: Sphinx, what: str, name: str, value: object, options: object, lines: list[str]):
    """Put an empty comment before the text of a property or attribute."""
    if what in ("property", "attribute", "data"):
        lines[:0] = ["..", ""]


def setup(app: Sphinx) -> dict[str, bool]:
    """Change docstrings before Napoleon does."""
    app.connect("autodoc-process-docstring", spared, priority=BEFORE_NAPOLEON)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
