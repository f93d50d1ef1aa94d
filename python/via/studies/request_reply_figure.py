# SPDX-License-Identifier: GPL-2.0-only
"""The figure of a service over sockets and over VIPL: latency, CPU time, deadlines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from via._drawing import plots
from via.studies.request_reply_cases import TRANSPORTS, Served, line_of

NOTES = (
    "request-reply.c: rank 0 asks all others one after the other, collects their replies, and does"
    " so three times; 64 bytes each way, one process on each node, which does nothing else.",
    "TCP: the usual kernel of the product's host, TCP_NODELAY, calls that block. VIPL: sends into"
    " posted receives, VipRecvWait, data copied into and out of registered memory.",
    "CPU time: system calls, copies, checksums, protocols, interrupts, wake-ups, library calls and"
    " cache misses of the node; polling counts as waiting.",
    "A star of cascaded switches with nothing else on it, no faults; connections are open before"
    " the first request that counts. A deadline is met if the mean request meets it.",
)

_DASHES = {"tcp": "--", "via": "-"}
_MARKS = {"tcp": "^", "via": "o"}


def draw(path: Path, found: Sequence[Served], called: Mapping[str, str]) -> None:
    """Draw latency and CPU time against nodes, and nodes against deadlines."""
    draws: list[plots.Draw] = [
        lambda axes: _by_nodes(axes, found, called, "latency_us"),
        lambda axes: _by_nodes(axes, found, called, "coordinator_cpu_us"),
        lambda axes: _by_nodes(axes, found, called, "member_cpu_us"),
        lambda axes: _deadlines(axes, found, called),
    ]
    plots.compose(path, draws, (2, 2), (11, 8.8), notes=NOTES)


def _by_nodes(axes: Any, found: Sequence[Served], called: Mapping[str, str], what: str) -> None:
    for line, look in _lines(found, called):
        axes.plot(
            [each.task.nodes for each in line], [getattr(each, what) for each in line], **look
        )
    values = [getattr(each, what) for each in found]
    plots.nodes_axis(axes, sorted({each.task.nodes for each in found}))
    plots.log_axis(axes, (min(values), max(values)))
    title, unit = {
        "latency_us": ("A request of three rounds", "mean time of a request"),
        "coordinator_cpu_us": ("CPU time of the node that asks", "CPU time of a request"),
        "member_cpu_us": ("CPU time of a node that answers", "CPU time of a request"),
    }[what]
    axes.set(title=title, xlabel="nodes", ylabel=f"{unit} ({plots.US})")
    if what == "latency_us":
        axes.legend(loc="upper left", fontsize=7)


def _deadlines(axes: Any, found: Sequence[Served], called: Mapping[str, str]) -> None:
    """Draw the cluster size that a deadline carries: the longest of all clusters up to it."""
    times: list[float] = []
    for line, look in _lines(found, called):
        worst = [max(each.latency_us for each in line[: i + 1]) for i in range(len(line))]
        axes.plot(worst, [each.task.nodes for each in line], **look)
        times += worst
    axes.set_xscale("log")
    axes.set_xlim(min(times) / 1.5, max(times) * 1.5)
    plots.written_out(axes.xaxis)
    most = max(each.task.nodes for each in found)
    axes.set_yscale("log", base=2)
    axes.set_yticks([2**power for power in range(1, most.bit_length())])
    plots.written_out(axes.yaxis, ticks=False)
    axes.set(
        title="Nodes against deadline", xlabel=f"deadline ({plots.US})", ylabel="nodes carried"
    )


def _lines(
    found: Sequence[Served], called: Mapping[str, str]
) -> list[tuple[list[Served], dict[str, Any]]]:
    """Return the points and the look of each line."""
    lines = []
    for place, name in enumerate(called):
        colour, fill = plots.nth(plots.LINES, place)
        for transport, title in TRANSPORTS.items():
            look = {
                "color": colour, "fillstyle": fill, "linestyle": _DASHES[transport],
                "marker": _MARKS[transport], "label": f"{called[name]}: {title}",
            }  # fmt: skip
            lines.append((line_of(found, name, transport), look))
    return lines
