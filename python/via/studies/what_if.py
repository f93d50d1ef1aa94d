# SPDX-License-Identifier: GPL-2.0-only
"""Gain of each stage: halves each time of a product, one at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from via import profiles
from via._base.text import table
from via._drawing import plots
from via.errors import ConfigError
from via.studies.parallel import run_all
from via.studies.plan import Outcome, Plan, write_csv
from via.studies.protocol_runs import Case, cluster_of, labels, timed

PROFILES = ("giganet-clan1000", "gm-lanai9-200", "mvia-gnic2")
PROTOCOLS = {"barrier": "Dissemination barrier", "two-phase-commit": "Two-phase commit"}
NODES, QUICK_NODES = (2, 16, 128), (4,)
ROUNDS, QUICK_ROUNDS = 20, 4

# Most stages are in cycles; a doubled clock halves all stages of its owner. A cable's time is
# halved by that of a metre, so its length is not halved, too.
_TIMES = ("host cycles", "nic cycles", "bus clocks", "switch cycles", "ps", "us", "ps/m")
_CLOCK = "Hz"
_SHOWN = 10  # bars per panel

COLUMNS = (
    "profile", "host", "protocol", "nodes", "key", "unit", "value", "changed", "mean_us",
    "base_us", "gain_pct", "digest",
)  # fmt: skip

_NOTES = (
    "Gain: what the mean round loses if one time of the profile is halved, all others left as"
    " they are. Clocks are doubled instead, so that all stages of that owner take half. Of each"
    f" panel the {_SHOWN} numbers that buy most at the largest size; what leaves the digest as"
    " it is is left out.",
    "VIA send and receive, processes poll, a star of switches with nothing else on it, no faults;"
    " {rounds} rounds, one seed: clocks that change meet others at other phases, which is worth up"
    " to about a percent.",
)


@dataclass(frozen=True)
class Task:
    """A protocol on a product with one number changed; key: empty if none is changed."""

    protocol: str
    profile: str
    nodes: int
    rounds: int
    key: str = ""
    unit: str = ""
    value: str = ""
    changed: str = ""

    def __str__(self) -> str:
        return f"{self.protocol} on {self.nodes} nodes, {self.profile}, {self.key}={self.changed}"


@dataclass(frozen=True)
class Found:
    """The result of a task: the mean round."""

    task: Task
    name: str
    host: str
    mean_us: float
    digest: str


def run(plan: Plan) -> Outcome:
    """Halve every time of every product under every protocol."""
    found = run_all(measure, tasks(plan), jobs=plan.jobs, what="what-if")
    base = {_place(each.task): each for each in found if not each.task.key}
    # If the digest is the same, the run does not use this number.
    changed = [
        each for each in found if each.task.key and each.digest != base[_place(each.task)].digest
    ]
    csv = write_csv(plan.out / "what-if.csv", [_row(each, base) for each in changed], COLUMNS)
    figure = plan.figure("what-if")
    called = labels(list(plan.profiles))
    _draw(figure, changed, base, called)
    return Outcome(_text(changed, base, called), [csv, figure], [each.digest for each in found])


Place = tuple[str, str, int]
Bases = Mapping[Place, Found]


def _place(task: Task) -> Place:
    return task.protocol, task.profile, task.nodes


def tasks(plan: Plan) -> list[Task]:
    """Return a task for each product unchanged, and for each of its times changed."""
    sizes, rounds = (QUICK_NODES, QUICK_ROUNDS) if plan.quick else (NODES, ROUNDS)
    return [
        Task(protocol, profile, nodes, rounds, *change)
        for profile in plan.profiles
        for change in [("", "", "", ""), *changes(profile)]
        for protocol in PROTOCOLS
        for nodes in sizes
    ]


def changes(profile: str) -> list[tuple[str, str, str, str]]:
    """Return key, unit, value and changed value of each time that can be halved."""
    card = profiles.load(profile)
    found = []
    for entry in card.entries:
        changed = ""
        if entry.unit in _TIMES and int(entry.value) > 1:
            changed = str(int(entry.value) // 2)
        elif entry.unit == _CLOCK:
            changed = _doubled(entry.value)
        if changed and _is_possible(card, entry.key, changed):
            found.append((entry.key, entry.unit, entry.value, changed))
    return found


def _doubled(clock: str) -> str:
    """Return twice a clock, such as "100000000/3 Hz"."""
    number, unit = clock.split()
    above, slash, below = number.partition("/")
    return f"{2 * int(above)}{slash}{below} {unit}"


def _is_possible(card: profiles.Profile, key: str, value: str) -> bool:
    try:
        card.with_value(key, value)
    except ConfigError:  # out of range, or in conflict with another key
        return False
    return True


def measure(task: Task) -> Found:
    """Return the mean round of a task; a median would jump by one iteration of a polling loop."""
    overrides = ((task.key, task.changed),) if task.key else ()
    case = Case(
        task.protocol, "via-send", task.profile, task.nodes, task.rounds, overrides=overrides
    )
    done = timed(case)
    mean_us = int(done.times_ps.sum()) / len(done.times_ps) / 1e6
    return Found(task, done.name, cluster_of(case).profile.host, mean_us, done.digest)


def _gain(each: Found, base: Bases) -> float:
    before = base[_place(each.task)].mean_us
    return round(100 * (before - each.mean_us) / before, 4)


def _row(each: Found, base: Bases) -> list[object]:
    task = each.task
    return [
        each.name, each.host, task.protocol, task.nodes, task.key, task.unit, task.value,
        task.changed, round(each.mean_us, 6), round(base[_place(task)].mean_us, 6),
        _gain(each, base), each.digest,
    ]  # fmt: skip


def best(found: Sequence[Found], base: Bases, protocol: str, name: str) -> list[str]:
    """Return the keys that gain most at the largest size, best first."""
    mine = [each for each in found if (each.task.protocol, each.name) == (protocol, name)]
    largest = max(each.task.nodes for each in mine)
    at_largest = [each for each in mine if each.task.nodes == largest]
    ranked = sorted(at_largest, key=lambda each: (-_gain(each, base), each.task.key))
    return [each.task.key for each in ranked[:_SHOWN]]


def _text(found: Sequence[Found], base: Bases, called: Mapping[str, str]) -> str:
    blocks = []
    for protocol, title in PROTOCOLS.items():
        for name, label in called.items():
            gains = _gains(found, base, protocol, name)
            sizes = sorted({nodes for _, nodes in gains})
            rows = [
                [key, *(gains.get((key, nodes)) for nodes in sizes)]
                for key in best(found, base, protocol, name)
            ]
            header = ["halved, or clock doubled", *(f"% at {nodes}" for nodes in sizes)]
            blocks.append(f"{title}, {label}: gain\n\n{table(header, rows, '  ')}")
    return "\n\n".join(blocks)


def _gains(
    found: Sequence[Found], base: Bases, protocol: str, name: str
) -> dict[tuple[str, int], float]:
    return {
        (each.task.key, each.task.nodes): _gain(each, base)
        for each in found
        if (each.task.protocol, each.name) == (protocol, name)
    }


def _draw(path: Path, found: Sequence[Found], base: Bases, called: Mapping[str, str]) -> None:
    def panel(protocol: str, name: str) -> plots.Draw:
        gains = _gains(found, base, protocol, name)
        keys = best(found, base, protocol, name)
        title = f"{PROTOCOLS[protocol]}: {called[name]}"
        return lambda axes: _bars(axes, keys, gains, title)

    draws = [panel(protocol, name) for protocol in PROTOCOLS for name in called]
    size = (1.0 + 4.4 * len(called), 9.2)
    (rounds,) = {each.task.rounds for each in base.values()}
    notes = [note.format(rounds=rounds) for note in _NOTES]
    plots.compose(path, draws, (len(PROTOCOLS), len(called)), size, notes=notes)


def _bars(
    axes: Any, keys: Sequence[str], gains: Mapping[tuple[str, int], float], title: str
) -> None:
    sizes = sorted({nodes for _, nodes in gains})
    thick = 0.8 / len(sizes)
    for i, (nodes, colour) in enumerate(
        zip(sizes, (plots.SKY, plots.BLUE, plots.BLACK), strict=False)
    ):
        places = [place - 0.4 + thick * (i + 0.5) for place in range(len(keys))]
        axes.barh(
            places, [gains.get((key, nodes), 0.0) for key in keys], height=thick, color=colour,
            label=f"{nodes} nodes",
        )  # fmt: skip
    names = [f"{key} x 2" if key.endswith(("clock", "_rate")) else key for key in keys]
    axes.set_yticks(range(len(keys)), names, fontsize=7.5)
    axes.invert_yaxis()
    axes.grid(axis="y", visible=False)
    axes.set_title(title, fontsize=9)
    axes.set_xlabel("gain in the time of a round (%)")
    axes.legend(loc="lower right")
