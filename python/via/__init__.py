# SPDX-License-Identifier: GPL-2.0-only
"""Simulated clusters whose nodes communicate through Virtual Interface Architecture NICs.

    import via

    cluster = via.Cluster("star", nodes=2, profile="giganet-clan1000", seed=1)
    run = cluster.run("ping-pong", size=4, rounds=100)
    print(run.latency())
    print(run.messages.head())

Times are integer picoseconds. Runs are deterministic: the same program, profile and seed give the
same digest on every machine.
"""

import importlib
import pkgutil
import signal
import sys
from typing import TYPE_CHECKING

# As a command, python3 -m via, it ends at once by Ctrl-C until all is imported: see __main__.
if sys.orig_argv[1:3] == ["-m", "via"] and signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

# The compiled module is beside the sources (installed) or in a build folder on sys.path.
__path__ = pkgutil.extend_path(__path__, __name__)

from via import profiles, programs, topology, workloads
from via._base import binding
from via._core import (
    Completion,
    CompletionQueue,
    Connection,
    Nic,
    Process,
    ProtectionTag,
    Region,
    RemoteMemory,
    Vi,
)
from via.cluster import Cluster
from via.confidence import Interval, interval, intervals
from via.errors import (
    ConfigError,
    Deadlock,
    ProcessFailed,
    RunError,
    ViaError,
    Vip,
    ViplError,
    VipStatus,
)
from via.faults import Faults
from via.figures import save_figure
from via.measured import Runs
from via.profiles import Profile
from via.protocol import Protocol
from via.raw_traffic import Traffic, traffic
from via.results import Latency, Run
from via.sweeps import SweepWarning, sweep
from via.topology import Topology, plot_topology
from via.versions import about

if TYPE_CHECKING:
    from via import charts
    from via.studies.uncertainty import Uncertainty, uncertainty

__version__ = binding.BUILD["via"]

__all__ = [
    "Cluster",
    "Completion",
    "CompletionQueue",
    "ConfigError",
    "Connection",
    "Deadlock",
    "Faults",
    "Interval",
    "Latency",
    "Nic",
    "Process",
    "ProcessFailed",
    "Profile",
    "ProtectionTag",
    "Protocol",
    "Region",
    "RemoteMemory",
    "Run",
    "RunError",
    "Runs",
    "SweepWarning",
    "Topology",
    "Traffic",
    "Uncertainty",
    "Vi",
    "ViaError",
    "Vip",
    "VipStatus",
    "ViplError",
    "about",
    "charts",
    "interval",
    "intervals",
    "plot_topology",
    "profiles",
    "programs",
    "save_figure",
    "sweep",
    "topology",
    "traffic",
    "uncertainty",
    "workloads",
]


def __getattr__(name: str) -> object:
    """Import on first use what is slow to load: via.charts for matplotlib, the studies."""
    if name == "charts":
        return importlib.import_module("via.charts")
    if name in ("Uncertainty", "uncertainty"):
        return getattr(importlib.import_module("via.studies.uncertainty"), name)
    # Python uses name and obj to suggest a similar name.
    raise AttributeError(
        f"module 'via' has no attribute {name!r}", name=name, obj=sys.modules[__name__]
    )
