# SPDX-License-Identifier: GPL-2.0-only
"""Cases of the study of the Microsoft Cluster Server, and the results of its heartbeats."""

from __future__ import annotations

from dataclasses import dataclass

from via.studies.protocol_runs import Case

UPDATE, REGROUP, HEARTBEAT = "mscs-global-update", "mscs-regroup", "mscs-heartbeat"


@dataclass(frozen=True)
class Beats:
    """Heartbeats of a cluster in which the last node crashes.

    Attributes:
        per_second: heartbeats per second of all nodes together while all live.
        silence_us: the longest silence after which a node was declared dead.
    """

    case: Case
    name: str
    host: str
    heartbeats: int
    per_second: float
    silence_us: float
    digest: str
