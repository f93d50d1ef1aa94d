# SPDX-License-Identifier: GPL-2.0-only
"""The figure of the Microsoft Cluster Server: cluster size against deadline, published rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from via._drawing import plots
from via.studies.mscs_cases import REGROUP, UPDATE, Beats
from via.studies.protocol_runs import TRANSPORTS, Timed

NOTES = (
    "Pentium II 450 MHz hosts, kernel of NT 4 (fitted to TCP over cLAN on this host), a star of"
    " cascaded switches with nothing else on it, idle nodes, nothing written to disks.",
    "A deadline is met if 99 % of the rounds meet it; one update or regroup at a time. A failover"
    " makes many updates one after the other: divide its deadline by their number.",
    "Update: youngest node to locker, to each member in order of age, back to the locker: 2 N - 1"
    " messages in a row (Vogels et al., FTCS-28 1998, from memory).",
    "Regroup: five stages of all to all, each over when all members have told it; status is told"
    " when a stage begins, not at the next tick of 300 ms, which would add up to 1.5 s (our"
    " reading); nobody has crashed.",
    "Heartbeats every 1.2 s, 6 missed (Microsoft KB 892422); credits of the window are not counted."
    " 8 nodes: the limit of Windows Server 2003 (from memory).",
    "VIA processes poll; those on sockets sleep in select; TCP_NODELAY, TCP is connected before the"
    " first round that is counted.",
)

_COLOURS = {"via-send": plots.BLUE, "kernel-udp": plots.ORANGE, "kernel-tcp": plots.VERMILION}
_MARKS = {"via-send": "o", "kernel-udp": "s", "kernel-tcp": "^"}
_DASHES = ("-", "--", ":", "-.")
_PRODUCTS = ("o", "s", "^", "D")  # heartbeats of all are as many, so each next mark is larger


def draw(
    path: Path, found: Sequence[Timed], beats: Sequence[Beats], called: Mapping[str, str],
    limit: int,
) -> None:  # fmt: skip
    """Draw all four panels."""
    whose = f" of {next(iter(called.values()))}" if len(called) == 1 else ""
    draws: list[plots.Draw] = [
        lambda axes: _deadlines(
            axes,
            _lines(found, UPDATE, called),
            f"Global update{whose}: nodes against deadline",
            limit,
        ),
        lambda axes: _deadlines(
            axes, _lines(found, REGROUP, called), f"Regroup{whose}: nodes against deadline", limit
        ),
        lambda axes: _linear(axes, _lines(found, UPDATE, called), whose),
        lambda axes: _heartbeats(axes, beats, called),
    ]
    plots.compose(path, draws, (2, 2), (11, 8.6), notes=NOTES)


Lines = Sequence[tuple[str, dict[str, Any], Sequence[Timed]]]


def _lines(found: Sequence[Timed], what: str, called: Mapping[str, str]) -> Lines:
    """Return transport, look and runs of every line of a panel."""
    lines = []
    for place, name in enumerate(called):
        dashes, fill = plots.nth(_DASHES, place)
        for transport in _COLOURS:
            mine = sorted(
                (
                    each for each in found
                    if (each.name, each.case.transport, each.case.protocol)
                    == (name, transport, what)
                ),
                key=lambda each: each.case.nodes,
            )  # fmt: skip
            prefix = f"{called[name]}: " if len(called) > 1 else ""
            look = {
                "color": _COLOURS[transport], "linestyle": dashes, "fillstyle": fill,
                "marker": _MARKS[transport], "label": prefix + TRANSPORTS[transport],
            }  # fmt: skip
            lines.append((transport, look, mine))
    return lines


def _deadlines(axes: Any, lines: Lines, title: str, limit: int) -> None:
    """Draw the cluster size against the deadline that it meets."""
    times: list[float] = []
    single = len(lines) == len(_COLOURS)  # the numbers of several products would hide each other
    for transport, look, mine in lines:
        worst, xs = 0.0, []
        for each in mine:
            worst = max(worst, each.p99_ps / 1e6)
            xs.append(worst)
        ys = [each.case.nodes for each in mine]
        colour = _COLOURS[transport]
        axes.plot(xs, ys, **look)
        times += xs
        if not single:
            continue
        at = xs[ys.index(limit)]
        axes.plot([at, at], [1, limit], color=colour, linestyle=":", linewidth=1.0)
        axes.annotate(
            _microseconds(at), (at, 1.12), rotation=90, fontsize=7, color=colour, va="bottom",
            xytext=(2 if transport == "kernel-tcp" else -2, 0), textcoords="offset points",
            ha="left" if transport == "kernel-tcp" else "right",
        )  # fmt: skip
    axes.axhline(limit, color=plots.GREY, linestyle="--", linewidth=1)
    axes.annotate(
        f"{limit} nodes", (1.0, limit), xycoords=("axes fraction", "data"), xytext=(-2, 3),
        textcoords="offset points", ha="right", fontsize=7.5, color="#666666",
    )  # fmt: skip
    axes.set_xscale("log")
    axes.set_xlim(min(times) / 1.6, max(times) * 1.6)
    plots.written_out(axes.xaxis)
    most = max(each.case.nodes for *_, mine in lines for each in mine)
    axes.set_yscale("log", base=2)
    axes.set_yticks([2**power for power in range(1, most.bit_length())])
    plots.written_out(axes.yaxis, ticks=False)
    axes.set_ylim(1, most * 1.4)
    axes.set(title=title, xlabel=f"deadline ({plots.US})", ylabel="nodes carried")
    axes.legend(loc="upper left" if single else "lower right", fontsize=None if single else 7)


def _microseconds(value: float) -> str:
    return f"{value:,.0f} {plots.US}" if value < 10_000 else f"{value / 1000:,.1f} ms"


def _linear(axes: Any, lines: Lines, whose: str) -> None:
    """Draw the median on linear axes."""
    for _, look, mine in lines:
        few = [each for each in mine if each.case.nodes <= 64]
        axes.plot([each.case.nodes for each in few], [each.median_ps / 1e9 for each in few], **look)
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.set(title=f"Global update{whose} is linear in the nodes", xlabel="nodes")
    axes.set_ylabel("median time of an update (ms)")
    axes.legend(loc="upper left")


def _heartbeats(axes: Any, beats: Sequence[Beats], called: Mapping[str, str]) -> None:
    """Draw what was counted for each product beside the rule."""
    nodes = sorted({each.case.nodes for each in beats})
    axes.plot(
        nodes, [count * (count - 1) / 1.2 for count in nodes], color=plots.GREY, linestyle="--",
        label="n (n - 1) / 1.2 s",
    )  # fmt: skip
    for place, (name, label) in enumerate(called.items()):
        mine = [each for each in beats if each.name == name]
        mark, fill = plots.nth(_PRODUCTS, place)
        axes.plot(
            [each.case.nodes for each in mine], [each.per_second for each in mine],
            linestyle="none", marker=mark, color=plots.GREEN, fillstyle=fill, alpha=0.7,
            markersize=6 + 2 * (place % len(_PRODUCTS)),
            label=f"{label}, simulated" if len(called) > 1 else "simulated",
        )  # fmt: skip
    silence = max(each.silence_us for each in beats) / 1e6
    axes.annotate(
        f"a silent node is held for dead\nafter {silence:.3f} s at the latest", (0.96, 0.06),
        xycoords="axes fraction", ha="right", fontsize=8,
    )  # fmt: skip
    plots.nodes_axis(axes, nodes)
    counts = [each.per_second for each in beats]
    plots.log_axis(axes, (min(counts), max(counts)))
    axes.set(
        title="Heartbeats of all nodes together", xlabel="nodes", ylabel="heartbeats per second"
    )
    axes.legend(loc="upper left")
