# SPDX-License-Identifier: GPL-2.0-only
"""Measurements with the example programs, read from a run's recording.

The recorded messages give the start of each round to the picosecond, and the breakdown gives the
stages of its time.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from via._runs.stages import node_of, parts, stage_names
from via.cluster import Cluster
from via.errors import ViaError
from via.results import Run, quantile_us

# Rounds that ping-pong.c and barrier.c run before they read the clock.
WARM_UP = 10

RESIDUAL = "residual"


@dataclass(frozen=True)
class PingPong:
    """A ping-pong run of two processes."""

    size_bytes: int
    rounds_ps: NDArray[np.int64]  # round trips, after the warm-up
    printed_us: float  # the program's own figure
    run: Run

    @property
    def latency_us(self) -> float:
        """Half of the median round trip."""
        return quantile_us(self.rounds_ps, 0.5) / 2

    @property
    def latency_p99_us(self) -> float:
        """Half of the 99 % quantile of the round trips."""
        return quantile_us(self.rounds_ps, 0.99) / 2


def ping_pong(program: Path, cluster: Cluster, size: int, rounds: int) -> PingPong:
    """Run ping-pong.c between two nodes and time its rounds."""
    run = cluster.run_program(program, ["-s", size, "-n", rounds], capture=True)
    starts = ping_starts(run.messages)
    trips = np.diff(starts)[WARM_UP:]
    return PingPong(size, trips, printed_number(run), run)


def ping_starts(messages: pd.DataFrame) -> NDArray[np.int64]:
    """Return when rank 0 posted each ping."""
    starts: NDArray[np.int64] = messages.loc[messages["src_rank"] == 0, "posted_ps"].to_numpy()
    return np.sort(starts)


def printed_line(run: Run) -> str:
    """Return the line that rank 0 of an example program prints."""
    lines = (run.stdout or "").splitlines()
    if len(lines) != 1:
        raise ViaError(f"one line of results was expected, not {lines!r}")
    return lines[0]


def printed_number(run: Run) -> float:
    """Return the last number of the line that rank 0 of an example program prints."""
    return float(printed_line(run).split()[-1])


def round_stages(result: PingPong) -> pd.DataFrame:
    """Return the stages of half a round trip: stage, owner, latency_ps (mean) and share_pct.

    The rows of ping, pong and the program between them tile each round, which is checked. They are
    in the order of their first appearance in a round.
    """
    return stages_of(result.run, result.rounds_ps)


def stages_of(run: Run, rounds_ps: NDArray[np.int64]) -> pd.DataFrame:
    """Return the same as round_stages, for a run and its rounds after the warm-up."""
    rows = run.breakdown
    starts = ping_starts(run.messages)[WARM_UP:]
    which = np.searchsorted(starts, rows["start_ps"].to_numpy(), side="right") - 1
    rows = rows.assign(round=which, ps=rows["end_ps"] - rows["start_ps"])
    rows = rows[(rows["round"] >= 0) & (rows["round"] < len(starts) - 1)]
    tiled = rows.groupby("round")["ps"].sum().to_numpy()
    if not np.array_equal(tiled, rounds_ps):
        raise ViaError("the rows of the breakdown do not tile the rounds of the ping-pong")

    rows = rows.assign(stage=stage_names(rows), owner=parts(rows, node_of(run.report)))
    rows = rows.sort_values(["start_ps", "end_ps"], kind="stable")
    sums = rows.groupby(["stage", "owner"], sort=False)["ps"].sum().reset_index()
    sums["latency_ps"] = sums.pop("ps") / (2 * len(rounds_ps))
    sums["share_pct"] = 100 * sums["latency_ps"] / sums["latency_ps"].sum()
    return sums


def residual_share_pct(stages: pd.DataFrame) -> float:
    """Return the share of a latency, in percent, that no modelled stage explains."""
    return float(stages.loc[stages["stage"] == RESIDUAL, "share_pct"].sum())


@dataclass(frozen=True)
class Figure:
    """One number that an example program printed, and the digest of its run."""

    value: float
    digest: str


def bandwidth_mb_s(
    program: Path, cluster: Cluster, size: int, messages: int, *, checked: bool
) -> Figure:
    """Run stream.c between two nodes; if checked, the receiver compares and clears the bytes."""
    arguments = ["-s", size, "-n", messages, *([] if checked else ["-u"])]
    run = cluster.run_program(program, arguments, capture=True)
    return Figure(printed_number(run), run.digest)


def barrier_us(program: Path, cluster: Cluster, mode: str, rounds: int) -> Figure:
    """Run barrier.c on all nodes; mode is "send" or "rdma"."""
    run = cluster.run_program(program, ["-n", rounds, "-m", mode], capture=True)
    return Figure(printed_number(run), run.digest)
