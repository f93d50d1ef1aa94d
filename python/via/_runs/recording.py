# SPDX-License-Identifier: GPL-2.0-only
"""The recording of a simulation: columns of C++, and captured output."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from via._runs import store, tables

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from via import _core
    from via._core import Column


@dataclass(frozen=True)
class Recording:
    """What a run left behind, and what its processes printed; None: not kept."""

    log: _core.RunLog | None = None  # of messages and spans; a table costs when it is read
    samples: NDArray[np.int64] | None = None
    stdout: str | None = None
    stderr: str | None = None
    decisions: Mapping[str, Column] | None = None
    links: Mapping[str, Column] | None = None
    ports: Mapping[str, Column] | None = None
    cards: Mapping[str, Column] | None = None
    topology: _core.Topology | None = None  # the links are its cables
    returned: Mapping[int, Any] = field(default_factory=dict)  # by processes written in Python
    errors: Mapping[int, BaseException] = field(default_factory=dict)

    def sources(self, end_ps: int) -> store.Sources:
        """Return, by name, functions that make the tables on demand."""
        made: store.Sources = {}
        log = self.log
        if log is not None:
            made["messages"] = lambda: tables.frame(log.messages(), tables.MESSAGE_COLUMNS)
            made["breakdown"] = lambda: tables.frame(log.breakdown(), tables.BREAKDOWN_COLUMNS)
            made["spans"] = lambda: tables.frame(log.spans(), tables.SPAN_COLUMNS)
        if self.decisions is not None:
            made["decisions"] = partial(tables.frame, self.decisions, tables.DECISION_COLUMNS)
        if self.links is not None and self.topology is not None:
            made["links"] = partial(tables.links, self.links, self.topology, end_ps)
        if self.ports is not None and self.cards is not None:
            made["counters"] = partial(tables.counters, self.ports, self.cards)
        if self.samples is not None:
            made["samples"] = partial(pd.DataFrame, {"ps": self.samples})
        return made
