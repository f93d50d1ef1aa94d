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
    counters: _core.RunCounters | None = None  # of wires, ports and cards
    topology: _core.Topology | None = None  # the links are its cables
    returned: Mapping[int, Any] = field(default_factory=dict)  # by processes written in Python
    errors: Mapping[int, BaseException] = field(default_factory=dict)

    def sources(self, end_ps: int) -> store.Sources:
        """Return, by name, functions that make the tables on demand."""
        made: store.Sources = {}
        log, counters = self.log, self.counters
        if log is not None:
            made["messages"] = lambda: tables.frame(log.messages(), tables.MESSAGE_COLUMNS)
            made["breakdown"] = lambda: tables.frame(log.breakdown(), tables.BREAKDOWN_COLUMNS)
            made["spans"] = lambda: tables.frame(log.spans(), tables.SPAN_COLUMNS)
        if self.decisions is not None:
            made["decisions"] = partial(tables.frame, self.decisions, tables.DECISION_COLUMNS)
        if counters is not None:
            topology = self.topology
            made["counters"] = lambda: tables.counters(counters.ports(), counters.cards())
            if topology is not None:
                made["links"] = lambda: tables.links(counters.links(), topology, end_ps)
        if self.samples is not None:
            made["samples"] = partial(pd.DataFrame, {"ps": self.samples})
        return made
