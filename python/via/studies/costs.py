# SPDX-License-Identifier: GPL-2.0-only
"""The simulations that a published measurement is held against."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from via import measure
from via.cluster import Cluster
from via.errors import ViaError

LATENCY, BANDWIDTH, SLOPE, CALLS = "latency", "bandwidth", "slope", "calls"

# The region of sizes whose latencies a straight line is laid through.
SLOPE_SIZES = (16, 32, 64, 128, 256, 512, 1024)
# A published peak has no size: the largest of these counts.
PEAK_SIZES = (4096, 8192, 16384, 32768, 65536)

_ROUNDS, _QUICK_ROUNDS = 200, 40
_MESSAGES, _QUICK_MESSAGES = 400, 100
_CALLS, _QUICK_CALLS = 500, 50


@dataclass(frozen=True)
class Task:
    """One simulation, or a few that give one number.

    Attributes:
        kind: LATENCY and BANDWIDTH of one size or, without a size, the peak; SLOPE of the latency;
            CALLS: costs.c.
        residual: False: with all residuals of the profile set to zero.
        program: costs.so, if the kind needs it.
    """

    profile: str
    host: str | None
    kind: str
    size: int | None
    quick: bool
    residual: bool = True
    program: Path | None = None

    def __str__(self) -> str:
        size = "" if self.size is None else f" of {self.size} bytes"
        return f"{self.kind}{size}, {self.profile} on {self.host or 'its usual host'}"


@dataclass(frozen=True)
class Found:
    """Numbers by name, in microseconds, MB/s or ns/B, and the digests of the runs."""

    values: Mapping[str, float]
    digests: tuple[str, ...]


def simulate(task: Task) -> Found:
    """Do what a task asks for."""
    overrides = {} if task.residual else dict.fromkeys(residual_keys(task.profile, task.host), 0)
    cluster = Cluster(
        nodes=2, profile=task.profile, host=task.host, record=False, overrides=overrides
    )
    if task.kind == CALLS:
        return _calls(cluster, task)
    if task.kind == SLOPE:
        return _slope(cluster, task)
    if task.kind == BANDWIDTH:
        return _bandwidth(cluster, task)
    return _latency(cluster, task.size or 0, quick=task.quick)


def residual_keys(profile: str, host: str | None) -> list[str]:
    """Return the keys of a profile that stand for what no mechanism explains."""
    entries = Cluster(nodes=2, profile=profile, host=host).profile.entries
    return [entry.key for entry in entries if entry.key.endswith(measure.RESIDUAL)]


def _latency(cluster: Cluster, size: int, *, quick: bool) -> Found:
    run = cluster.run("ping-pong", size=size, rounds=_QUICK_ROUNDS if quick else _ROUNDS)
    return Found({LATENCY: run.latency_us() / 2}, (run.digest,))


def _bandwidth(cluster: Cluster, task: Task) -> Found:
    messages = _QUICK_MESSAGES if task.quick else _MESSAGES
    rates, digests = [], []
    for size in _peak_sizes(cluster) if task.size is None else [task.size]:
        run = cluster.run("stream", size=size, messages=messages)
        rates.append(messages * size / (int(run.samples[0]) / 1e6))
        digests.append(run.digest)
    return Found({BANDWIDTH: max(rates)}, tuple(digests))


def _peak_sizes(cluster: Cluster) -> list[int]:
    most = next(
        int(each.value) for each in cluster.profile.entries if each.key == "nic.max_transfer_size"
    )
    return [size for size in PEAK_SIZES if size <= most]


def _slope(cluster: Cluster, task: Task) -> Found:
    found = [_latency(cluster, size, quick=task.quick) for size in SLOPE_SIZES]
    times_ns = np.array([each.values[LATENCY] for each in found]) * 1e3
    sizes = np.array(SLOPE_SIZES, dtype=float)
    # Least squares in one expression: no library whose rounding differs from machine to machine.
    away = sizes - sizes.mean()
    slope = float((away * times_ns).sum() / (away * away).sum())
    return Found({SLOPE: slope}, tuple(digest for each in found for digest in each.digests))


def _calls(cluster: Cluster, task: Task) -> Found:
    if task.program is None:
        raise ViaError("costs.c was not compiled")
    count = _QUICK_CALLS if task.quick else _CALLS
    run = cluster.run_program(task.program, ["-n", count, "-s", task.size or 8192], capture=True)
    return Found(read_costs(run.stdout or ""), (run.digest,))


def read_costs(text: str) -> dict[str, float]:
    """Read what costs.c prints: name, calls and microseconds per call in each line."""
    lines = [line.split() for line in text.splitlines()]
    if not lines or any(len(line) != 3 for line in lines):
        raise ViaError(f"costs.c printed {text!r}")
    return {name: float(us) for name, _, us in lines}
