# SPDX-License-Identifier: GPL-2.0-only
"""Several runs of one experiment that differ in their seed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from via import confidence
from via._base import kinds
from via._base.units import whole
from via.errors import ConfigError, refuse, refuse_name
from via.results import Run

if TYPE_CHECKING:
    import pandas as pd

MOST_SEEDS = 100_000
LATENCIES = ("latency_us", "latency_p99_us")  # columns that some runs keep only with record=True


class Runs(Sequence[Run]):
    """The runs of Cluster.measure(), in the order of their seeds: a sequence of via.Run.

    Attributes:
        seeds: the seed of each run.
    """

    def __init__(self, runs: Sequence[Run]) -> None:
        """Keep runs; each has its seed in its provenance."""
        self._runs = tuple(runs)
        self.seeds = [int(run.provenance["seed"]) for run in self._runs]

    def __len__(self) -> int:
        return len(self._runs)

    def __getitem__(self, place: Any) -> Any:
        """Return a run by its place, or several for a slice."""
        return Runs(self._runs[place]) if isinstance(place, slice) else self._runs[place]

    def __iter__(self) -> Iterator[Run]:
        return iter(self._runs)

    def __repr__(self) -> str:
        return f"<via.Runs of {self._said()}>"

    def _repr_html_(self) -> str:
        return f"<p>{self._said()}</p>{self.table.to_html(index=False)}"

    def _said(self) -> str:
        kept = len(self) > 0 and self.table["latency_us"].notna().all()
        return f"{len(self)} seeds" + (f": latency_us {self.latency()}" if kept else "")

    @property
    def table(self) -> pd.DataFrame:
        """A row per run: seed, latency_us, latency_p99_us, round_trip_us, messages, end_ps, digest.

        `round_trip_us` is there for ping-pongs only; latencies are NaN for runs that kept none.
        """
        import pandas as pd  # takes a while to load

        rows = zip(self.seeds, self._runs, strict=True)
        made = pd.DataFrame([{"seed": seed, **summary(run)} for seed, run in rows])
        if self._runs:  # a slice may be empty
            made = made.astype(dict.fromkeys(LATENCIES, "float64"))
            made.attrs["via"] = dict(self._runs[0].provenance, seed=list(self.seeds))
        return made

    def latency(self, ci: float = confidence.USUAL_CI) -> confidence.Interval:
        """Return the mean over the seeds of each run's median latency, one way, in microseconds.

        Raises:
            ConfigError: ci is not more than 0 and at most 99.99 percent.
        """
        return self.interval("latency_us", ci)

    def interval(self, column: str, ci: float = confidence.USUAL_CI) -> confidence.Interval:
        """Return the mean of a column of `table` and its confidence interval.

        Raises:
            ConfigError: there is no such column of numbers, or ci is out of range.
        """
        table = self.table.select_dtypes("number").drop(columns="seed", errors="ignore")
        if column in LATENCIES and len(self) > 0 and table[column].isna().all():
            raise refuse("column", column, "no run has it: via.Cluster(..., record=True) is needed")
        if column not in table.columns:
            raise refuse_name("column", column, table.columns)
        return confidence.interval(table[column], ci)


def summary(run: Run) -> dict[str, Any]:
    """Return the columns for a run: one-way latencies, round trips, digest and others."""
    return {
        **_times(run),
        "messages": run.report["messages"],
        "end_ps": run.end_ps,
        "digest": run.digest,
    }


def _times(run: Run) -> dict[str, float | None]:
    try:
        spread = run.latency()
    except ConfigError:  # it was not recorded
        return {"latency_us": None, "latency_p99_us": None}
    times: dict[str, float | None] = {
        "latency_us": spread.median_us, "latency_p99_us": spread.p99_us,
    }  # fmt: skip
    if run.has_round_trips:
        times["round_trip_us"] = run.round_trip_us()
    return times


def seeds_of(seeds: object, first: int = 1) -> list[int]:
    """Return a list of seeds: `first` and those after it for a number, else the list itself.

    Raises:
        ConfigError: a number below 1, no seed, a seed twice, or one that is none.
    """
    if hasattr(seeds, "__index__") and np.ndim(seeds) == 0:  # arrays have it, too
        count = whole("seeds", seeds, 1, MOST_SEEDS)
        whole("seed", first + count - 1, 0, 2**64 - 1)
        return list(range(first, first + count))
    listed = [whole("seeds", seed, 0, 2**64 - 1) for seed in kinds.listed("seeds", seeds)]
    if not listed or len(set(listed)) < len(listed):
        raise refuse("seeds", listed, "at least one seed is needed, and none twice")
    return listed
