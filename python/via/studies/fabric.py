# SPDX-License-Identifier: GPL-2.0-only
"""Known results of switches and networks under raw traffic, without hosts and cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import sqrt

import pandas as pd

from via import profiles
from via._base.text import table
from via._drawing import plots
from via.raw_traffic import traffic
from via.studies.parallel import run_all
from via.studies.plan import Outcome, Plan, write_csv

# Karol, Hluchyj and Morgan, IEEE Trans. Communications 35 (1987): many ports, saturated.
FIFO_LIMIT = 2 - sqrt(2)

# A slotted switch: clocks in phase, a latency of one 53-byte cell, buffers for thousands of cells.
SLOTS = {"switch.clock": "125 MHz", "switch.latency": 53, "link.credits": 4096}
SWITCHES: dict[str, dict[str, object]] = {
    "fifo": {"switch.queueing": "fifo", "switch.arbitration": "round-robin"},
    "voq": {"switch.queueing": "voq", "switch.arbitration": "islip", "switch.iterations": 4},
    "output": {"switch.queueing": "output"},
}
NETWORKS = (
    ("fat-tree:k=4,n=3", "uniform"),
    ("torus:8x8", "all-to-all"),
    ("torus:8x8", "transpose"),
    ("torus:8x8", "hot-spot"),
)
WARM_UP = 2_000  # slots, enough to fill the queues before a hot spot
LOADS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.55, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)
QUICK_LOADS = (0.3, 0.55, 0.9, 1.0)

COLUMNS = (
    "profile", "experiment", "topology", "queueing", "pattern", "nodes", "load_pct",
    "throughput_pct", "bound_pct", "mean_slots", "p50_us", "p99_us", "dropped", "events_per_hop",
    "digest",
)  # fmt: skip


@dataclass(frozen=True)
class Task:
    """One fabric to measure."""

    profile: str
    topology: str
    nodes: int
    pattern: str
    load: float
    slots: int
    queueing: str = ""
    overrides: Mapping[str, object] = field(default_factory=dict)


def run(plan: Plan) -> Outcome:
    """Measure a wide slotted crossbar, and networks of each product's links and switches."""
    slots = 1_500 if plan.quick else 10_000
    ports = 16 if plan.quick else 32
    crossbars = [
        Task("ideal", "crossbar", ports, "uniform", load, slots, name, {**SLOTS, **keys})
        for name, keys in SWITCHES.items()
        for load in (QUICK_LOADS if plan.quick else LOADS)
    ]
    slots = 500 if plan.quick else 3_000
    networks = [
        Task(name, topology, 64, pattern, 1.0, slots)
        for name in plan.profiles
        if _has_one_wire(name)
        for topology, pattern in NETWORKS
    ]
    rows = run_all(measure, [*crossbars, *networks], jobs=plan.jobs, what="fabric")
    found = pd.DataFrame(rows, columns=list(COLUMNS))
    csv = write_csv(plan.out / "fabric.csv", rows, COLUMNS)
    figure = plan.figure("fabric")
    slotted = found[found["experiment"] == "crossbar"]
    panels = [
        partial(plots.throughput_by_load, rows=slotted, limit=100 * FIFO_LIMIT),
        partial(plots.latency_by_load, rows=slotted),
    ]
    plots.compose(figure, panels, (1, 2), (8.6, 3.6))
    return Outcome(_text(found), [csv, figure], list(found["digest"]))


def measure(task: Task) -> list[object]:
    """Run one fabric; throughput is the delivered share of the nodes' wire capacity."""
    is_crossbar = task.topology == "crossbar"
    done = traffic(
        task.topology, task.nodes, task.profile, pattern=task.pattern, load=task.load,
        slots=task.slots, warm_up=WARM_UP, slotted=is_crossbar, overrides=task.overrides,
    )  # fmt: skip
    bound = min(100 * done.bound, 100 * task.load)
    if task.queueing == "fifo":
        bound = min(bound, 100 * FIFO_LIMIT)
    return [
        "" if is_crossbar else profiles.load(task.profile).name,
        "crossbar" if is_crossbar else "network", task.topology, task.queueing, task.pattern,
        task.nodes, round(100 * task.load, 1), round(100 * done.throughput, 2), round(bound, 2),
        round(done.mean_slots(), 2), round(done.latency_us(), 3), round(done.latency_us(0.99), 3),
        done.dropped, round(done.events_per_hop, 2), done.digest,
    ]  # fmt: skip


def _has_one_wire(name: str) -> bool:
    ports = profiles.entries(name).query("key == 'nic.ports'")["value"].item()
    return str(ports) == "1"


def _text(found: pd.DataFrame) -> str:
    crossbar = found[(found["experiment"] == "crossbar") & (found["load_pct"] == 100)]
    network = found[found["experiment"] == "network"]
    return "\n\n".join(
        [
            f"A crossbar of {crossbar['nodes'].iloc[0]} ports in slots, cells to any of the others"
            f" at full load\n(theory: fifo {100 * FIFO_LIMIT:.1f} % for many ports, the others"
            " 100 %)",
            _table(crossbar, ["queueing", "throughput_pct", "bound_pct", "events_per_hop"]),
            "64 nodes, one packet of one cell always waiting; the bound is where the busiest wire"
            " is full\nif all sources send the same",
            _table(
                network,
                ["profile", "topology", "pattern", "throughput_pct", "bound_pct", "p99_us",
                 "dropped", "events_per_hop"],
            ),
        ]
    )  # fmt: skip


def _table(rows: pd.DataFrame, columns: Sequence[str]) -> str:
    header = [
        name.replace("_pct", " %").replace("_us", " us").replace("_", " ") for name in columns
    ]
    return table(header, rows[list(columns)].to_numpy().tolist(), "  ")
