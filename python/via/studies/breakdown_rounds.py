# SPDX-License-Identifier: GPL-2.0-only
"""Stages on the critical path of a protocol round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from via import critical_path
from via._base.text import table
from via._drawing import plots
from via.cluster import Cluster
from via.studies import measure
from via.studies.protocol_runs import labels

PROTOCOLS = {"barrier": "dissemination barrier", "two-phase-commit": "two-phase commit"}
NODES, QUICK_NODES = 16, 4
ROUNDS, QUICK_ROUNDS = 20, 5

COLUMNS = (
    "profile", "host", "protocol", "nodes", "rounds", "stage", "owner", "round_ps", "share_pct",
    "digest",
)  # fmt: skip

NOTES = (
    "The critical path of a run, divided by its rounds: from the message that was reaped last to"
    " the message that its sender had reaped before, and so on to the start. The stages tile it.",
    "What a sender does between the two is other messages' work (posting to others first) or the"
    " program's. A two-phase commit has its DONE messages in it, which the latencies have not.",
    "VIA send and receive, processes poll, a star of switches with nothing else on it, no faults.",
)

# Width of a letter in percent, to decide whether a label fits into its stage.
_PCT_PER_LETTER = 0.72
_OTHER = ("other", plots.GREY)
_COLOURS = dict([*plots.ENGINES.values(), _OTHER])
_DARK_TEXT = (plots.ORANGE, plots.SKY, plots.GREY)


@dataclass(frozen=True)
class Task:
    """A protocol on a product."""

    protocol: str
    profile: str
    nodes: int
    rounds: int


@dataclass(frozen=True)
class Parts:
    """The stages of a mean round, in picoseconds."""

    task: Task
    name: str
    host: str
    stages: pd.DataFrame
    digest: str

    @property
    def round_us(self) -> float:
        """The whole path, divided by the rounds."""
        return float(self.stages["round_ps"].sum()) / 1e6

    def rows(self) -> list[list[object]]:
        """Return the rows of the CSV file."""
        task = self.task
        return [
            [self.name, self.host, task.protocol, task.nodes, task.rounds, row.stage, row.owner,
             round(row.round_ps, 3), round(row.share_pct, 4), self.digest]
            for row in self.stages.itertuples()
        ]  # fmt: skip


def tasks(profiles: Sequence[str], *, quick: bool) -> list[Task]:
    """Return a task for each protocol and product."""
    nodes, rounds = (QUICK_NODES, QUICK_ROUNDS) if quick else (NODES, ROUNDS)
    return [Task(protocol, name, nodes, rounds) for protocol in PROTOCOLS for name in profiles]


def take_apart(task: Task) -> Parts:
    """Run a protocol and walk its critical path."""
    cluster = Cluster(nodes=task.nodes, profile=task.profile)
    done = cluster.run(task.protocol, rounds=task.rounds)
    stages = critical_path.stages(done).sort_values("ps", ascending=False, kind="stable")
    stages = stages.assign(
        round_ps=stages["ps"] / task.rounds, share_pct=100 * stages["ps"] / stages["ps"].sum()
    )
    profile = cluster.profile
    return Parts(task, profile.name, profile.host, stages, done.digest)


def text(found: Sequence[Parts]) -> str:
    """Return a table of the largest stages of each round."""
    blocks = []
    for parts in found:
        rows = [
            [row.stage, row.owner, row.round_ps / 1e6, f"{row.share_pct:.1f} %"]
            for row in parts.stages.head(8).itertuples()
        ]
        title = (
            f"A round of the {PROTOCOLS[parts.task.protocol]} on {parts.task.nodes} nodes,"
            f" {parts.name}: {parts.round_us:.3f} us, most of it"
        )
        blocks.append(f"{title}\n\n{table(['stage', 'owner', 'us', 'share'], rows, '  ')}")
    return "\n\n".join(blocks)


def draw(path: Path, found: Sequence[Parts]) -> None:
    """Draw a panel for each protocol, a bar for each product."""
    called = labels([parts.task.profile for parts in found])
    groups = [
        [parts for parts in found if parts.task.protocol == protocol] for protocol in PROTOCOLS
    ]

    def panel(group: Sequence[Parts]) -> plots.Draw:
        return lambda axes: _bars(axes, group, called)

    height = 1.5 + 0.42 * len(groups[0])
    plots.compose(
        path, [panel(group) for group in groups], (len(groups), 1), (10.5, height * len(groups)),
        notes=NOTES,
    )  # fmt: skip


def _both_sides(stages: pd.DataFrame) -> list[tuple[str, str, float]]:
    """Return engine, stage and share, sender and receiver combined, largest first."""
    engines = [plots.ENGINES.get(owner.split()[-1], _OTHER)[0] for owner in stages["owner"]]
    sums = stages.assign(engine=engines).groupby(["engine", "stage"], sort=False)["share_pct"].sum()
    order = list(_COLOURS)
    return sorted(
        ((str(engine), str(stage), float(share)) for (engine, stage), share in sums.items()),
        key=lambda bar: (order.index(bar[0]), -bar[2], bar[1]),
    )


def _bars(axes: Any, group: Sequence[Parts], called: dict[str, str]) -> None:
    used: dict[str, str] = {}
    for place, parts in enumerate(group):
        left = 0.0
        for what, stage, share_pct in _both_sides(parts.stages):
            colour = _COLOURS[what]
            used[what] = colour
            residual = stage == measure.RESIDUAL
            axes.barh(
                place, share_pct, left=left, color=colour, edgecolor="white", height=0.78,
                linewidth=0.6, hatch=plots.RESIDUAL_HATCH if residual else None,
            )  # fmt: skip
            if share_pct >= _PCT_PER_LETTER * len(stage) and not residual:
                axes.text(
                    left + share_pct / 2, place, stage, ha="center", va="center",
                    fontsize=6, color=plots.BLACK if colour in _DARK_TEXT else "white",
                )  # fmt: skip
            left += share_pct
    names = [f"{called[parts.name]}\n{parts.round_us:,.1f} {plots.US}" for parts in group]
    axes.set_yticks(range(len(names)), names, fontsize=7.5)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.grid(axis="y", visible=False)
    axes.set_xlim(0, 100)
    first = group[0].task
    axes.set_title(f"Where a round goes: {PROTOCOLS[first.protocol]} on {first.nodes} nodes")
    axes.set_xlabel("share of a round (%), both sides' stages together, the widest first")
    axes.legend(handles=plots.engine_keys(used), loc="upper left", bbox_to_anchor=(1.0, 1.0))
