# SPDX-License-Identifier: GPL-2.0-only
"""Latency of protocols with many rounds against the number of nodes, over VIA and the kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, log2
from typing import Any

from via._base.text import table
from via._drawing import plots
from via.studies.parallel import run_all
from via.studies.plan import Outcome, Plan, write_csv
from via.studies.protocol_runs import TRANSPORTS, WARM_UP, Case, Timed, labels, timed

# VIs served by hardware, by firmware and by the kernel.
PROFILES = ("giganet-clan1000", "gm-lanai9-200", "mvia-gnic2")

NODES = tuple(2**power for power in range(1, 13))
QUICK_NODES = (2, 4, 8, 16)
# A connection per pair is expensive, and so is a run of ns-3's TCP.
MOST_NODES = {"via-send": 4096, "kernel-udp": 512, "kernel-tcp": 256}
QUICK_ROUNDS = 10

# Rounds are those that are timed; messages and credits those of WARM_UP rounds more.
COLUMNS = (
    "protocol", "transport", "profile", "nodes", "seed", "rounds", "messages", "median_ps",
    "p99_ps", "digest", "host", "steps",
)  # fmt: skip

_COLOURS = {"via-send": plots.BLUE, "kernel-udp": plots.ORANGE, "kernel-tcp": plots.VERMILION}
_MARKS = {"via-send": "o", "kernel-udp": "s", "kernel-tcp": "^"}


@dataclass(frozen=True)
class Protocol:
    """A protocol of the study.

    Attributes:
        messages, steps: number per round, by the protocol's rule; steps are sequential.
    """

    title: str
    messages: str
    steps: str
    parameters: tuple[tuple[str, object], ...] = ()


PROTOCOLS: Mapping[str, Protocol] = {
    "barrier": Protocol("Dissemination barrier", "N ceil(log2 N)", "ceil(log2 N)"),
    "two-phase-commit": Protocol("Two-phase commit", "4 (N - 1)", "3, DONE not timed"),
    "multi-paxos": Protocol(
        "Multi-Paxos, one leader", "3 (N - 1)", "3", (("proposers", 1),)
    ),
    "mscs-global-update": Protocol("MSCS global update", "2 N - 1", "2 N - 2"),
}  # fmt: skip

_NOTES = (
    "Full lines, filled marks: median. Dotted lines, hollow marks: 99 % of the rounds.",
    "A star of cascaded switches with nothing else on it; one process on each node, which does"
    " nothing else; no faults; nothing is written to disks; messages of the protocol's own size,"
    " 8 to 40 bytes.",
    "VIA processes poll; those on sockets sleep in select. Buffers are registered and VIs connected"
    f" before time starts, TCP in the first {WARM_UP} rounds, which are not counted.",
    "Cards have as many VIs as a coordinator needs (a cLAN1000 has 1,024). Windows of 8 messages to"
    " each peer, credits included in the messages that are counted.",
    "Kernels: the usual one of the product's host, TCP_NODELAY, 64 frames in the receive ring. What"
    " comes beyond is lost: TCP and protocols then wait for their time-outs.",
    "No mark: datagrams were lost that the protocol does not repeat, so the run had no end.",
)
_BEYOND = (
    f"UDP to {MOST_NODES['kernel-udp']} nodes and TCP to {MOST_NODES['kernel-tcp']}: beyond, ns-3's"
    " stacks take longer than the study may."
)


def rounds_for(nodes: int) -> int:
    """Return the number of counted rounds, fewer for larger clusters."""
    return max(20, min(100, 25_600 // nodes))


def run(plan: Plan) -> Outcome:
    """Time every protocol over every transport on every product and size."""
    found = run_all(timed, cases(plan), jobs=plan.jobs, what="multiround")
    rows = [row_of(each) for each in found]
    csv = write_csv(plan.out / "multiround.csv", rows, COLUMNS)
    figure = plan.figure("multiround")
    called = labels(list(plan.profiles))
    _draw(figure, found, called)
    return Outcome(_text(found, called), [csv, figure], [each.digest for each in found])


def cases(plan: Plan) -> list[Case]:
    """Return all runs of the study, long ones first, so that no processor idles at the end."""
    nodes = QUICK_NODES if plan.quick else NODES
    return [
        Case(
            protocol, transport, profile, count, QUICK_ROUNDS if plan.quick else rounds_for(count),
            parameters=PROTOCOLS[protocol].parameters,
        )
        for count in reversed(nodes)
        for protocol in PROTOCOLS
        for transport, most in MOST_NODES.items()
        if count <= most
        for profile in plan.profiles
    ]  # fmt: skip


def steps(protocol: str, nodes: int) -> int:
    """Return the number of sequential messages of a round, by the protocol's rule."""
    if protocol == "barrier":
        return ceil(log2(nodes))
    return 2 * nodes - 2 if protocol == "mscs-global-update" else 3


def row_of(each: Timed) -> list[object]:
    """Return the row of the CSV file."""
    case = each.case
    return [
        case.protocol, case.transport, each.name, case.nodes, case.seed, len(each.times_ps),
        each.messages, each.median_ps if each.ended else None,
        each.p99_ps if each.ended else None, each.digest, each.host,
        steps(case.protocol, case.nodes),
    ]  # fmt: skip


def _text(found: Sequence[Timed], called: Mapping[str, str]) -> str:
    blocks = []
    for protocol, about in PROTOCOLS.items():
        mine = [each for each in found if each.case.protocol == protocol]
        rows = [
            [called[each.name], each.case.transport, each.case.nodes,
             each.median_ps / 1e6 if each.ended else None,
             each.p99_ps / 1e6 if each.ended else None, each.messages]
            for each in sorted(
                mine, key=lambda each: (each.name, each.case.transport, each.case.nodes)
            )
        ]  # fmt: skip
        header = ["product", "transport", "nodes", "median us", "99 % us", "messages, warm-up too"]
        title = f"{about.title}: {about.messages} messages, steps: {about.steps}"
        blocks.append(f"{title}\n\n{table(header, rows, '  ')}")
    return "\n\n".join(blocks)


def _draw(path: Any, found: Sequence[Timed], called: Mapping[str, str]) -> None:
    names = list(called)
    found = [each for each in found if each.ended]

    def panel(protocol: str, name: str) -> plots.Draw:
        mine = [each for each in found if (each.case.protocol, each.name) == (protocol, name)]
        high = max(each.p99_ps for each in found if each.case.protocol == protocol)
        low = min(each.median_ps for each in found if each.case.protocol == protocol)
        return lambda axes: _panel(axes, mine, protocol, called[name], (low / 1e6, high / 1e6))

    draws = [panel(protocol, name) for protocol in PROTOCOLS for name in names]
    size = (1.2 + 3.9 * len(names), 12.6)
    most = max(each.case.nodes for each in found)
    notes = [*_NOTES, _BEYOND] if most > min(MOST_NODES.values()) else _NOTES
    plots.compose(path, draws, (len(PROTOCOLS), len(names)), size, notes=notes)


def _panel(
    axes: Any, mine: Sequence[Timed], protocol: str, called: str, limits: tuple[float, float]
) -> None:
    for transport, colour in _COLOURS.items():
        line = sorted(
            (each for each in mine if each.case.transport == transport),
            key=lambda each: each.case.nodes,
        )
        nodes = [each.case.nodes for each in line]
        axes.plot(
            nodes, [each.median_ps / 1e6 for each in line], marker=_MARKS[transport],
            color=colour, label=TRANSPORTS[transport],
        )  # fmt: skip
        axes.plot(
            nodes, [each.p99_ps / 1e6 for each in line], marker=_MARKS[transport], color=colour,
            linestyle=":", linewidth=1.0, markersize=3, markerfacecolor="white",
        )  # fmt: skip
    about = PROTOCOLS[protocol]
    plots.nodes_axis(axes, sorted({each.case.nodes for each in mine}))
    plots.log_axis(axes, (limits[0], 5 * limits[1]))  # room for the legend
    axes.set_title(f"{about.title}: {called}", fontsize=9)
    axes.set_xlabel(f"nodes N; {about.messages} messages a round", fontsize=8)
    axes.set_ylabel(f"time of a round ({plots.US})", fontsize=8)
    axes.legend(loc="upper left", fontsize=7)
