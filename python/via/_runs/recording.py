# SPDX-License-Identifier: GPL-2.0-only
"""What a simulation leaves behind before it is closed: columns of C++, and what was printed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from via import store, tables

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from via import _core
    from via._core import Column

_RECORDED = {
    "messages": tables.MESSAGE_COLUMNS,
    "breakdown": tables.BREAKDOWN_COLUMNS,
    "spans": tables.SPAN_COLUMNS,
    "decisions": tables.DECISION_COLUMNS,
}


@dataclass(frozen=True)
class Recording:
    """The columns a run left behind, and what its processes printed; None: not kept."""

    messages: Mapping[str, Column] | None = None
    breakdown: Mapping[str, Column] | None = None
    spans: Mapping[str, Column] | None = None
    samples: NDArray[np.int64] | None = None
    stdout: str | None = None
    stderr: str | None = None
    decisions: Mapping[str, Column] | None = None
    links: Mapping[str, Column] | None = None
    ports: Mapping[str, Column] | None = None
    cards: Mapping[str, Column] | None = None
    topology: _core.Topology | None = None  # whose cables the links are
    returned: Mapping[int, Any] = field(default_factory=dict)  # by processes written in Python
    errors: Mapping[int, BaseException] = field(default_factory=dict)

    def sources(self, end_ps: int) -> store.Sources:
        """Return how to make the table of each name, which costs only when it is asked for."""
        made: store.Sources = {}
        for name, columns in _RECORDED.items():
            recorded = getattr(self, name)
            if recorded is not None:
                made[name] = partial(tables.frame, recorded, columns)
        if self.links is not None and self.topology is not None:
            made["links"] = partial(tables.links, self.links, self.topology, end_ps)
        if self.ports is not None and self.cards is not None:
            made["counters"] = partial(tables.counters, self.ports, self.cards)
        if self.samples is not None:
            made["samples"] = partial(pd.DataFrame, {"ps": self.samples})
        return made
