# SPDX-License-Identifier: GPL-2.0-only
"""The figure of faults: how long protocols stand still, by nodes, products and time-outs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from via._drawing import plots
from via.studies import faults_cases as study
from via.studies.faults_cases import Outage

NOTES = (
    "Time without progress: the longest between two decisions (Raft, Multi-Paxos), views (MSCS) or"
    " multicasts that are delivered (view synchrony), each when the first process has it. It holds"
    " detection, election or agreement on a view, and the next decision.",
    "Crash: the leader, or with MSCS and view synchrony the youngest node, in the middle of the"
    " run. Partition: the leader with as few others as its number allows, or the youngest node, is"
    " cut off; the majority goes on.",
    f"Fitted time-outs: {study.ROUNDS_PER_TIME_OUT} fault-free rounds of that product, transport"
    f" and size, at least {study.LEAST_TIME_OUT_US} \u00b5s. Raft draws elections from one to two"
    " time-outs; Multi-Paxos' process r waits for 1 + r.",
    "Usual: Raft 20 ms and 0.2 ms a node, Multi-Paxos and view synchrony 10 ms and 0.1 ms a node,"
    " MSCS 4 ticks of 300 ms (tick from memory, low trust); VIA. A star with nothing else on it;"
    " idle hosts; the card of a crashed process lives, nobody is told; nothing is written to"
    " disks.",
)

_DASHES = {"via-send": "-", "kernel-udp": "--"}
_MARKS = {"via-send": "o", "kernel-udp": "s"}
_NAMES = {"via-send": "VIA", "kernel-udp": "UDP"}


def draw(path: Path, found: Sequence[Outage], called: Mapping[str, str]) -> None:
    """Draw a panel for each protocol and fault, and the legend."""
    panels = [
        (protocol, fault) for fault in (study.CRASH, study.PARTITION)
        for protocol, about in study.PROTOCOLS.items() if fault in about.faults
    ]  # fmt: skip
    limits = (min(each.outage_us for each in found), max(each.outage_us for each in found))

    def panel(protocol: str, fault: str) -> plots.Draw:
        mine = [
            each for each in found if (each.task.protocol, each.task.fault) == (protocol, fault)
        ]
        title = f"{study.PROTOCOLS[protocol].title} after a {fault}"
        return lambda axes: _panel(axes, mine, called, title, limits)

    draws = [panel(*each) for each in panels]
    plots.compose(path, [*draws, lambda axes: _legend(axes, called)], (2, 4), (16, 7.6), NOTES)


def _line(axes: Any, mine: Sequence[Outage], **look: Any) -> None:
    line = sorted(mine, key=lambda each: each.task.nodes)
    axes.plot(
        [each.task.nodes for each in line], [each.outage_us for each in line], **look
    )  # fmt: skip


def _look(place: int, transport: str) -> dict[str, Any]:
    colour, fill = plots.nth(plots.LINES, place)
    return {
        "color": colour, "fillstyle": fill, "linestyle": _DASHES[transport],
        "marker": _MARKS[transport],
    }  # fmt: skip


_USUAL: dict[str, Any] = {"color": plots.GREY, "linestyle": ":", "marker": "D"}


def _panel(
    axes: Any, mine: Sequence[Outage], called: Mapping[str, str], title: str,
    limits: tuple[float, float],
) -> None:  # fmt: skip
    _line(axes, [each for each in mine if each.task.time_outs == study.USUAL], **_USUAL)
    for place, name in enumerate(called):
        for transport in _DASHES:
            line = [
                each for each in mine
                if (each.name, each.task.transport, each.task.time_outs)
                == (name, transport, study.FITTED)
            ]  # fmt: skip
            _line(axes, line, **_look(place, transport))
    axes.set_xscale("log", base=2)
    axes.set_xticks(sorted({each.task.nodes for each in mine}))
    plots.written_out(axes.xaxis, ticks=False)
    plots.log_axis(axes, limits)
    axes.set(xlabel="nodes", ylabel=f"time without progress ({plots.US})")
    axes.set_title(title, fontsize=9)


def _legend(axes: Any, called: Mapping[str, str]) -> None:
    axes.set_axis_off()
    axes.plot([], [], label="usual time-outs, VIA", **_USUAL)
    for place, label in enumerate(called.values()):
        for transport, name in _NAMES.items():
            axes.plot([], [], label=f"{label}: {name}, fitted time-outs", **_look(place, transport))
    axes.legend(loc="center left", fontsize=9)
