# SPDX-License-Identifier: GPL-2.0-only
"""Stages of the one-way time of a message, for several sizes, and of a protocol round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from via import profiles
from via._base.text import table
from via._drawing import plots
from via.cluster import Cluster
from via.studies import breakdown_rounds, measure
from via.studies.parallel import run_all
from via.studies.plan import Outcome, Plan, write_csv

SIZES = (4, 64, 256, 1024, 4096, 16384)
QUICK_SIZES = (4, 4096)
ROUNDS = 50
QUICK_ROUNDS = 10

COLUMNS = ("profile", "host", "size_bytes", "stage", "owner", "latency_ps", "share_pct")
# Width of a letter in percent, to decide whether a label fits into its stage.
_PCT_PER_LETTER = 1.05
_DARK_TEXT = (plots.ORANGE, plots.SKY)
_COLUMNS = 2


@dataclass(frozen=True)
class Task:
    """One message size to measure."""

    profile: str
    size: int
    rounds: int


@dataclass(frozen=True)
class Parts:
    """The stages for one message size; label is the profile's name in text and figure."""

    profile: str
    label: str
    host: str
    size: int
    stages: pd.DataFrame
    digest: str

    @property
    def latency_us(self) -> float:
        """Half of a round trip, the sum of the stages."""
        return float(self.stages["latency_ps"].sum()) / 1e6

    def rows(self) -> list[list[object]]:
        """Return the rows of the CSV file."""
        return [
            [self.profile, self.host, self.size, row.stage, row.owner, round(row.latency_ps, 3),
             round(row.share_pct, 4)]
            for row in self.stages.itertuples()
        ]  # fmt: skip


def run(plan: Plan) -> Outcome:
    """Measure the stages of messages for each size and product."""
    sizes = plan.sizes or (QUICK_SIZES if plan.quick else SIZES)
    rounds = QUICK_ROUNDS if plan.quick else ROUNDS
    tasks = [Task(name, size, rounds) for name in plan.profiles for size in sizes]
    found = run_all(take_apart, tasks, jobs=plan.jobs, what="breakdown")
    rows = [row for parts in found for row in parts.rows()]
    csv = write_csv(plan.out / "breakdown.csv", rows, COLUMNS)
    figure = plan.figure("breakdown")
    _draw(figure, found)
    text = [_text(parts) for parts in found]
    digests = [parts.digest for parts in found]
    files = [csv, figure]
    if not plan.sizes:  # --size selects messages only
        rounds_of = breakdown_rounds.tasks(plan.profiles, quick=plan.quick)
        whole = run_all(breakdown_rounds.take_apart, rounds_of, jobs=plan.jobs, what="rounds")
        rows = [row for parts in whole for row in parts.rows()]
        columns = breakdown_rounds.COLUMNS
        files.append(write_csv(plan.out / "breakdown-rounds.csv", rows, columns))
        files.append(plan.figure("breakdown-rounds"))
        breakdown_rounds.draw(files[-1], whole)
        text.append(breakdown_rounds.text(whole))
        digests += [parts.digest for parts in whole]
    return Outcome("\n\n".join(text), files, digests)


def take_apart(task: Task) -> Parts:
    """Run the built-in ping-pong and average the stages of its rounds."""
    cluster = Cluster(nodes=2, profile=task.profile)
    done = cluster.run("ping-pong", size=task.size, rounds=measure.WARM_UP + task.rounds)
    # No next ping ends the last round.
    stages = measure.stages_of(done, done.samples[measure.WARM_UP : -1])
    profile = cluster.profile
    label = profiles.label(profile)
    return Parts(profile.name, label, profile.host, task.size, stages, done.digest)


def _text(parts: Parts) -> str:
    rows = [
        [row.stage, row.owner, row.latency_ps / 1e3, f"{row.share_pct:.1f} %"]
        for row in parts.stages.itertuples()
    ]
    title = f"{parts.size} bytes, {parts.label} on {parts.host}: {parts.latency_us:.3f} us"
    return f"{title}\n\n{table(['stage', 'owner', 'ns', 'share'], rows, '  ')}"


def _draw(path: Any, found: Sequence[Parts]) -> None:
    products = sorted({parts.profile for parts in found})
    groups = [[parts for parts in found if parts.profile == name] for name in products]

    columns = min(len(groups), _COLUMNS)
    rows = len(groups) // columns + 1  # one place at least is left for the legend
    height = 0.75 + 0.42 * max(map(len, groups))
    used: dict[str, str] = {}
    with plots.panels(path, (rows, columns), (6.6 * columns, height * rows)) as panels:
        for axes, group in zip(panels, groups, strict=False):
            used |= _stack(axes, group)
        for axes in panels[len(groups) :]:
            axes.set_axis_off()
        panels[len(groups)].legend(handles=plots.engine_keys(used), loc="center left", ncols=2)


def _stack(axes: Any, group: Sequence[Parts]) -> dict[str, str]:
    """Draw a bar per size, stages in the order of a message; return the colours by owner."""
    used: dict[str, str] = {}
    for place, parts in enumerate(group):
        left = 0.0
        for row in parts.stages.itertuples():
            what, colour = plots.ENGINES.get(row.owner.split()[-1], ("other", plots.GREY))
            used[what] = colour
            residual = row.stage == measure.RESIDUAL
            axes.barh(
                place, row.share_pct, left=left, color=colour, edgecolor="white", height=0.78,
                linewidth=0.6, hatch=plots.RESIDUAL_HATCH if residual else None,
            )  # fmt: skip
            if row.share_pct >= _PCT_PER_LETTER * len(row.stage) and not residual:
                axes.text(
                    left + row.share_pct / 2, place, row.stage, ha="center", va="center",
                    fontsize=6, color=plots.BLACK if colour in _DARK_TEXT else "white",
                )  # fmt: skip
            left += row.share_pct
    names = [f"{plots.in_bytes(parts.size)}\n{parts.latency_us:.2f} {plots.US}" for parts in group]
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.grid(axis="y", visible=False)
    axes.set_xlim(0, 100)
    axes.set(title=f"{group[0].label} on {group[0].host}")
    axes.set_xlabel("share of the one-way time (%)")
    return used
