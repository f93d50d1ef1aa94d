# SPDX-License-Identifier: GPL-2.0-only
"""The recording of a simulation: columns of C++, and captured output."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from via import _runs
from via._runs import store

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
        log, decisions, counters, samples = self.log, self.decisions, self.counters, self.samples
        if log is not None:
            made["messages"] = lambda: _runs.tables.frame("messages", log.messages())
            made["breakdown"] = lambda: _runs.tables.frame("breakdown", log.breakdown())
            made["spans"] = lambda: _runs.tables.frame("spans", log.spans())
        if decisions is not None:
            made["decisions"] = lambda: _runs.tables.frame("decisions", decisions)
        if counters is not None:
            topology = self.topology
            made["counters"] = lambda: _runs.tables.counters(counters.ports(), counters.cards())
            if topology is not None:
                made["links"] = lambda: _runs.tables.links(counters.links(), topology, end_ps)
        if samples is not None:
            made["samples"] = lambda: _runs.tables.frame("samples", {"ps": samples})
        return made
