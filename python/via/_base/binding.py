# SPDX-License-Identifier: GPL-2.0-only
"""Whether the compiled module fits the numpy that is here: one for another reads tables wrong."""

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
    """Compare the table that is always the same with what it should be.

    Args:
        table: _core.known_table().
        build: _core.build().

    Raises:
        ImportError: saying what does not fit, and what to do.
    """
    found = {name: table[name].tolist() for name in _KNOWN}
    codes, texts = table["text"]
    if found == _KNOWN and (codes.tolist(), texts) == _TEXT:
        return
    raise ImportError(
        f"via was built with pybind11 {build['pybind11']}, which misreads the tables of numpy "
        f"{np.__version__} that is here: build it again with pybind11 2.12 or later "
        "(pip install 'pybind11>=2.12', then ./via build or pip install), or install 'numpy<2'"
    )


BUILD = _core.build()  # what the module was built of
check(_core.known_table(), BUILD)  # before anything else of the package reads a table
