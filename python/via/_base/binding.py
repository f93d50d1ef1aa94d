# SPDX-License-Identifier: GPL-2.0-only
"""Checks that the compiled module fits the installed numpy: if not, it would misread tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from via import _core

_KNOWN = {
    "u32": [1, 2, 3],
    "u64": [1 << 32, 2 << 32, 3 << 32],
    "ps": [-1, -2, -3],
    "bool": [False, True, False],
}
_TEXT = ([0, 1, 2], ["1", "2", "3"])


def check(table: Mapping[str, Any], build: Mapping[str, str]) -> None:
    """Compare a table of known content with what it should be.

    Args:
        table: _core.known_table().
        build: _core.build().

    Raises:
        ImportError: the text says what does not fit and what to do.
    """
    found = {name: table[name].tolist() for name in _KNOWN}
    codes, texts = table["text"]
    if found == _KNOWN and (codes.tolist(), texts) == _TEXT:
        return
    raise ImportError(
        f"via was built with pybind11 {build['pybind11']}, which misreads the tables of numpy "
        f"{np.__version__}, which is installed: build it again with pybind11 2.12 or later "
        "(pip install 'pybind11>=2.12', then ./via build or pip install), or install 'numpy<2'"
    )


BUILD = _core.build()  # versions that the module was built with
check(_core.known_table(), BUILD)  # before any other part of the package reads a table
