# SPDX-License-Identifier: GPL-2.0-only
"""Studies: experiments that leave tables and figures, the same bytes every time."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Protocol, cast

from via.errors import refuse_name

if TYPE_CHECKING:
    from via.studies.plan import Outcome, Plan

# A study is a module with run(plan) -> Outcome; it is imported when it is asked for.
STUDIES = {
    "barrier": ("via.studies.barrier", "latency of a dissemination barrier on 2 to 64 nodes"),
    "breakdown": ("via.studies.breakdown", "what the time of a message goes on, by its size"),
    "calibration": ("via.studies.calibration", "simulated beside published measurements"),
    "fabric": ("via.studies.fabric", "known results of switches and networks under raw traffic"),
    "faults": ("via.studies.faults", "time to a new leader or view after a crash or partition"),
    "mscs": (
        "via.studies.mscs",
        "Microsoft Cluster Server: how many nodes a deadline carries",
    ),
    "multiround": (
        "via.studies.multiround",
        "protocols with many rounds on 2 to 4,096 nodes, VIA beside UDP and TCP",
    ),
    "small-messages": (
        "via.studies.small_messages",
        "bandwidth and CPU time by message size, windows by latency",
    ),
    "vibe": ("via.studies.vibe", "VIBe: what each mechanism of a product costs, 15 experiments"),
    "what-if": ("via.studies.what_if", "each stage halved, one at a time: which one buys most"),
}


class Study(Protocol):
    """What a module of a study offers."""

    def run(self, plan: Plan) -> Outcome:
        """Simulate, write the files, return what was done."""


def find(name: str) -> Study:
    """Return a study.

    Raises:
        ConfigError: there is none of this name.
    """
    if name not in STUDIES:
        raise refuse_name("study", name, STUDIES)
    return cast(Study, importlib.import_module(STUDIES[name][0]))
