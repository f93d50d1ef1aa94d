# SPDX-License-Identifier: GPL-2.0-only
"""Studies: experiments that produce tables and figures, byte for byte reproducible."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Protocol, cast

from via.errors import refuse_name

if TYPE_CHECKING:
    from via.studies.plan import Outcome, Plan

# A study is a module with run(plan) -> Outcome; it is imported when it is run.
STUDIES = {
    "barrier": ("via.studies.barrier", "latency of a dissemination barrier on 2 to 64 nodes"),
    "breakdown": ("via.studies.breakdown", "where the time of a message goes, by message size"),
    "calibration": ("via.studies.calibration", "simulated against published measurements"),
    "fabric": ("via.studies.fabric", "known results of switches and networks under raw traffic"),
    "faults": ("via.studies.faults", "time to a new leader or view after a crash or partition"),
    "mscs": (
        "via.studies.mscs",
        "Microsoft Cluster Server: the largest cluster that meets a deadline",
    ),
    "multiround": (
        "via.studies.multiround",
        "protocols with many rounds on 2 to 4,096 nodes: VIA, UDP and TCP",
    ),
    "request-reply": (
        "via.studies.request_reply",
        "one service in C over sockets and VIPL: latency, CPU time, largest cluster",
    ),
    "small-messages": (
        "via.studies.small_messages",
        "bandwidth and CPU time by message size, windows by latency",
    ),
    "vibe": ("via.studies.vibe", "VIBe: the cost of each mechanism of a product, 15 experiments"),
    "what-if": ("via.studies.what_if", "each stage halved, one at a time: which gains most"),
}


class Study(Protocol):
    """The interface of a study's module."""

    def run(self, plan: Plan) -> Outcome:
        """Simulate, write the files and return the outcome."""


def find(name: str) -> Study:
    """Return a study.

    Raises:
        ConfigError: there is no study with this name.
    """
    if name not in STUDIES:
        raise refuse_name("study", name, STUDIES)
    return cast(Study, importlib.import_module(STUDIES[name][0]))
