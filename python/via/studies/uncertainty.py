# SPDX-License-Identifier: GPL-2.0-only
"""via.uncertainty: a simulated value with its band, and the numbers that the band comes from."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from via import _core, workloads
from via._base import commands, kinds, notebook
from via._base.files import check_outputs, is_kept, written
from via._base.jobs import MOST_JOBS
from via._base.ranges import CONFIDENCE_PCT
from via._base.text import table
from via._base.units import whole
from via._programs.task import named
from via._runs import provenance
from via.errors import refuse, refuse_name
from via.studies.numbers import given_ranges
from via.studies.parallel import run_all
from via.studies.quantities import Changes, Experiment
from via.studies.spread import Spread

MOST_SAMPLES = 100_000
LEAST_SAMPLES = 20  # of fewer the twentieth part on each side is nothing
MOST_PHASES = 1024
SHOWN = 3
COLUMNS = (
    "workload", "profile", "host", "simulated", "band_low", "band_high", "number", "moved_with_it",
    "value", "unit", "low", "high", "trust", "effect_of_low_pct", "effect_of_high_pct",
    "share_pct", "source",
)  # fmt: skip


@dataclass(frozen=True, eq=False)  # tables have no single answer to ==
class Uncertainty:
    """A simulated value and how far it can be trusted.

    Attributes:
        value: of the profile as it is.
        low, high: the band; nine chances of ten that the truth is between, as far as it lies in
            the numbers of the profile and not in the model.
        unit: "us" or "MB/s".
        what: the experiment in words.
        parts: a row per number that moves the value, the largest share first: the columns of the
            CSV file, see the page "Uncertainty".
        samples: a row per sample: sample, value, and the numbers that were drawn; empty if the
            band is linear.
    """

    value: float
    low: float
    high: float
    unit: str
    what: str
    parts: pd.DataFrame
    samples: pd.DataFrame

    def __str__(self) -> str:
        how = f"{len(self.samples)} samples" if len(self.samples) else "linear"
        return (
            f"{self.value:.3f} {self.unit}, {CONFIDENCE_PCT:g} % within {self.low:.3f} to"
            f" {self.high:.3f} ({how})"
        )

    def text(self, shown: int = SHOWN) -> str:
        """Return value, band and the numbers with the largest shares, for a terminal."""
        header = ["number", "value", "unit", "range", "trust", "low end", "high end", "share"]
        lines = [
            [row.number + (f" and {row.moved_with_it} more" if row.moved_with_it else ""),
             row.value, row.unit, f"{row.low} to {row.high}", row.trust,
             f"{row.effect_of_low_pct:+.1f} %", f"{row.effect_of_high_pct:+.1f} %",
             f"{row.share_pct:.1f} %"]
            for row in self.parts.head(shown).itertuples()
        ]  # fmt: skip
        if not lines:
            return f"{self.what}: {self}\n\n  No uncertain number moves it."
        rest = self.parts["share_pct"].iloc[shown:]
        told = f"\n\n  {len(rest)} others share {rest.sum():.1f} %." if len(rest) else ""
        return (
            f"{self.what}: {self}\n\nWhere the spread comes from\n\n"
            f"{table(header, lines, '  ')}{told}"
        )

    def _repr_html_(self) -> str:
        shown = {"value": str(self), "of": self.what}
        return notebook.table("via.Uncertainty", shown) + self.parts.head(SHOWN).to_html(
            index=False
        )


@dataclass(frozen=True)
class _Sample:
    experiment: Experiment
    changes: Changes

    def __str__(self) -> str:
        return f"{self.experiment.workload} with {dict(self.changes)}"


def _simulate(sample: _Sample) -> float:
    return sample.experiment.value(sample.changes)


def uncertainty(
    workload: str | workloads.Workload | type[workloads.Workload],
    *,
    topology: str = "star",
    nodes: int = 2,
    profile: str = "giganet-clan1000",
    host: str | None = None,
    kernel: str | None = None,
    overrides: Mapping[str, object] | None = None,
    ranges: Mapping[str, Sequence[object]] | None = None,
    samples: int = 200,
    linear: bool = False,
    seed: int = 1,
    phases: int = 8,
    jobs: int = 1,
    out: str | os.PathLike[str] | None = None,
    **parameters: object,
) -> Uncertainty:
    """Return a simulated value with the band that the trust of the profile's numbers leaves.

    The value is the one-way latency of ping-pong and socket-ping-pong, and the bandwidth of stream,
    socket-stream and message-stream; of every other workload and protocol it is the mean time of
    its rounds. Each number of product, host and kernel has a range by its trust: profiles.ranges().
    A fitted number moves with the published row that it was fitted to. The result depends on the
    arguments alone, not on jobs.

    Args:
        workload: one of via.workloads, or its name.
        topology, nodes, profile, host, kernel, overrides: as for via.Cluster; a number that is
            overridden is certain.
        ranges: other ranges, from low to high: {"nic.clock": ("50 MHz", "66 MHz")}.
        samples: 20 to 100000 draws of all numbers; the band holds 90 % of their values.
        linear: sum the effects of one number at a time instead, which takes fewer simulations.
        seed: of the draws.
        phases: 1 to 1024 clusters, each with other phases of its clocks, whose mean is the value.
        jobs: number of OS processes.
        out: a CSV file for `parts`; the file that `via reproduce` needs is written beside it.
        parameters: of the workload, such as size=4.

    Raises:
        ConfigError: the text names the option, its value and what is allowed.
    """
    name, found = named(workload, parameters)
    if not isinstance(name, str) or name not in _core.workload_names():
        raise refuse_name("workload", str(name), _core.workload_names())
    whole("samples", samples, LEAST_SAMPLES, MOST_SAMPLES)
    whole("seed", seed, 0, 2**64 - 1)
    whole("jobs", jobs, 1, MOST_JOBS)
    kinds.flag("linear", linear)
    if out is not None:
        check_outputs({"out": out, "file beside out": provenance.beside(Path(out))}, [])
    given = {kinds.text("overrides", key): kinds.written("overrides", value)
             for key, value in kinds.mapping("overrides", overrides).items()}  # fmt: skip
    experiment = Experiment(
        name, tuple(sorted(found.items())), kinds.text("topology", topology), nodes, profile, host,
        kernel, tuple(sorted(given.items())), whole("phases", phases, 1, MOST_PHASES),
    )  # fmt: skip
    wanted = {str(key): _ends(key, ends) for key, ends in kinds.mapping("ranges", ranges).items()}
    spread = Spread(experiment, given_ranges(experiment, wanted), jobs=jobs)
    drawn = pd.DataFrame() if linear else _samples(spread, samples, seed, jobs)
    made = _made(spread, drawn)
    if out is not None:
        _write(Path(out), made.parts)
    return made


def _ends(key: object, ends: object) -> tuple[str, str]:
    listed = kinds.listed("ranges", ends)
    if len(listed) != 2:
        raise refuse("ranges", f"{key}: {ends!r}", "low and high are needed")
    return str(listed[0]), str(listed[1])


def _samples(spread: Spread, count: int, seed: int, jobs: int) -> pd.DataFrame:
    experiment = spread.quantity
    assert isinstance(experiment, Experiment)
    drawn = [spread.draw(seed, number) for number in range(count)]
    tasks = [_Sample(experiment, changes) for changes in drawn]
    values = run_all(_simulate, tasks, jobs=jobs, what="samples")
    usual = {entry.key: entry.value for entry in experiment.card().entries}
    keys = spread.moving_keys()
    rows = [
        [number, round(value, 6), *(dict(changes).get(key, usual[key]) for key in keys)]
        for number, (value, changes) in enumerate(zip(values, drawn, strict=True))
    ]
    return pd.DataFrame(rows, columns=["sample", "value", *keys])


def _made(spread: Spread, drawn: pd.DataFrame) -> Uncertainty:
    experiment = spread.quantity
    assert isinstance(experiment, Experiment)
    low, high = spread.linear()
    if len(drawn):
        tail = (100 - CONFIDENCE_PCT) / 200
        low, high = (float(np.quantile(drawn["value"], part)) for part in (tail, 1 - tail))
    card = experiment.card()
    chosen = "".join(f" {name}={value}" for name, value in experiment.parameters)
    what = f"{experiment.workload}{chosen}, {card.name} on {card.host}"
    value, low, high = (round(each, 6) for each in (spread.value, low, high))
    rows = _parts(spread, (experiment.workload, card.name, card.host, value, low, high))
    return Uncertainty(
        value, low, high, experiment.unit, what,
        pd.DataFrame(rows, columns=list(COLUMNS)), drawn,
    )  # fmt: skip


def _parts(spread: Spread, head: tuple[object, ...]) -> list[list[object]]:
    total = sum(each.square for each in spread.contributions)
    return [
        [*head, each.name, each.others, each.value, each.unit, each.low, each.high, each.trust,
         _percent(each.down), _percent(each.up), round(100 * each.square / total, 4), each.source]
        for each in spread.contributions
    ]  # fmt: skip


def _percent(moved: float) -> float:
    """Return the logarithm of a ratio in percent."""
    return round(100 * float(np.expm1(moved)), 4)


def _write(path: Path, parts: pd.DataFrame) -> None:
    with written(path) as file:
        parts.to_csv(file, index=False, lineterminator="\n")
    if is_kept(path):
        provenance.write(provenance.beside(path), commands.current(), [path])
