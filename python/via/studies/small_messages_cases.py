# SPDX-License-Identifier: GPL-2.0-only
"""The streams of the study of small messages, and results computed from several of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log2

ENOUGH = 0.9  # of the best bandwidth
SIZE, LATENCY = "size", "latency"


@dataclass(frozen=True)
class Task:
    """One stream. window: bytes that may be in flight; 0: no limit."""

    experiment: str
    profile: str
    transport: str
    size: int
    messages: int
    cable_km: float = 0.0
    window: int = 0

    def __str__(self) -> str:
        return f"messages of {self.size} bytes, {self.transport}, {self.profile}"


@dataclass(frozen=True)
class Stream:
    """The result of a task; round_trip_us: of a request and its reply; 0: not measured."""

    task: Task
    name: str
    host: str
    mb_s: float
    cpu_us: float
    round_trip_us: float
    digest: str


def half_size(line: Sequence[Stream]) -> float:
    """Return the message size with half of the best bandwidth.

    It is interpolated between simulated sizes on a logarithmic scale.
    """
    line = sorted(line, key=lambda each: each.task.size)
    half = max(each.mb_s for each in line) / 2
    for below, above in pairwise(line):
        if below.mb_s < half <= above.mb_s:
            part = log2(half / below.mb_s) / log2(above.mb_s / below.mb_s)
            low, high = log2(below.task.size), log2(above.task.size)
            return float(2 ** (low + part * (high - low)))
    return float(line[0].task.size)


def window_needed(line: Sequence[Stream]) -> int:
    """Return the smallest window that reaches the share ENOUGH of the best bandwidth."""
    best = max(each.mb_s for each in line)
    return min(each.task.window for each in line if each.mb_s >= ENOUGH * best)


def latency_lines(found: Sequence[Stream]) -> list[list[Stream]]:
    """Return the streams of each transport and cable, by window."""
    lines: dict[tuple[str, float], list[Stream]] = {}
    for each in found:
        if each.task.experiment == LATENCY:
            lines.setdefault((each.task.transport, each.task.cable_km), []).append(each)
    return list(lines.values())
