# SPDX-License-Identifier: GPL-2.0-only
"""The figure of small messages: bandwidth, CPU time, windows and latency."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from via._drawing import plots
from via.studies import small_messages_cases as study
from via.studies.small_messages_cases import Stream

_NOTES = (
    "Two nodes on one switch, one process each that does nothing else; up to 64 messages on their"
    " way, credits every 32; all but the first quarter of {messages:,} messages is timed.",
    "VIA: sends into posted receives, programs build messages in registered memory, no copy;"
    " completion by polling, which is waiting and no CPU time of a message. TCP: the usual kernel"
    " of the product's host, TCP_NODELAY, buffers of 64 KiB.",
    "CPU time: both hosts, system calls, copies, checksums, interrupts, protocol; library calls and"
    " cache misses with VIA. Per message, all sizes in one stream of their own.",
    "Half-bandwidth size: between the sizes that were simulated, on a straight line of the"
    " logarithms.",
    "Latency: longer cables between the first product's hosts and switch, with as many link credits"
    " and as much retransmission memory as they need. Window: TCP's receive buffer; with VIA"
    " messages of 1 KiB without a credit. Needed is the smallest of those simulated (a factor of"
    " {apart:g} apart).",
)

_DASHES = {"via-send": "-", "kernel-tcp": "--"}
_MARKS = {"via-send": "o", "kernel-tcp": "^"}
_NAMES = {"via-send": "VIA", "kernel-tcp": "TCP"}


def draw(path: Path, found: Sequence[Stream], called: Mapping[str, str]) -> None:
    """Draw all four panels."""
    by_size = [each for each in found if each.task.experiment == study.SIZE]
    first = next(iter(called.values()))
    draws: list[plots.Draw] = [
        lambda axes: _by_size(axes, by_size, called, "mb_s"),
        lambda axes: _by_size(axes, by_size, called, "cpu_us"),
        lambda axes: _windows(axes, study.latency_lines(found), first),
        lambda axes: _needs(axes, study.latency_lines(found), first),
    ]
    plots.compose(path, draws, (2, 2), (11, 9), notes=_notes(found))


def _notes(found: Sequence[Stream]) -> list[str]:
    """Return the notes with the numbers of these streams."""
    windows = sorted({each.task.window for each in found if each.task.experiment == study.LATENCY})
    apart = max((more / less for less, more in pairwise(windows)), default=1)
    return [note.format(messages=found[0].task.messages, apart=apart) for note in _NOTES]


def _by_size(axes: Any, found: Sequence[Stream], called: Mapping[str, str], what: str) -> None:
    for place, name in enumerate(called):
        colour, fill = plots.nth(plots.LINES, place)
        for transport, dashes in _DASHES.items():
            mine = sorted(
                (each for each in found if (each.name, each.task.transport) == (name, transport)),
                key=lambda each: each.task.size,
            )
            axes.plot(
                [each.task.size for each in mine], [getattr(each, what) for each in mine],
                color=colour, linestyle=dashes, marker=_MARKS[transport], markersize=3.5,
                fillstyle=fill, label=f"{called[name]}: {_NAMES[transport]}",
            )  # fmt: skip
            if what == "mb_s":
                half = max(each.mb_s for each in mine) / 2
                axes.plot(
                    study.half_size(mine), half, "D", color=colour, markersize=7,
                    markerfacecolor="none", markeredgewidth=1.4,
                )  # fmt: skip
    sizes = sorted({each.task.size for each in found})
    values = [getattr(each, what) for each in found]
    plots.sizes_axis(axes, sizes)
    plots.log_axis(axes, (min(values), max(values)))
    title, unit = {
        "mb_s": ("Bandwidth; diamonds: half of the best", "bandwidth (MB/s)"),
        "cpu_us": ("CPU time of a message, both ends", f"CPU time ({plots.US})"),
    }[what]
    axes.set(title=title, xlabel="message size", ylabel=unit)
    axes.legend(loc="lower right" if what == "mb_s" else "upper left", fontsize=7)


def _windows(axes: Any, lines: Sequence[Sequence[Stream]], product: str) -> None:
    cables = list(dict.fromkeys(line[0].task.cable_km for line in lines))
    for line in lines:
        first = line[0]
        axes.plot(
            [each.task.window for each in line], [each.mb_s for each in line],
            color=plots.LINES[cables.index(first.task.cable_km)],
            linestyle=_DASHES[first.task.transport], marker=_MARKS[first.task.transport],
            label=f"{_NAMES[first.task.transport]}, {_length(first.task.cable_km)}",
        )  # fmt: skip
    values = [each.mb_s for line in lines for each in line]
    plots.sizes_axis(axes, sorted({each.task.window for line in lines for each in line}))
    plots.log_axis(axes, (min(values), max(values)))
    axes.set(
        title=f"{product}: bandwidth by window and cable length",
        xlabel="window: bytes on their way",
    )
    axes.set_ylabel("bandwidth (MB/s)")
    axes.legend(loc="lower right", fontsize=7, ncol=2)


def _length(km: float) -> str:
    return f"{km:g} km" if km >= 1 else f"{1000 * km:g} m"


def _needs(axes: Any, lines: Sequence[Sequence[Stream]], product: str) -> None:
    for transport, colour in (("via-send", plots.BLUE), ("kernel-tcp", plots.VERMILION)):
        mine = [line for line in lines if line[0].task.transport == transport]
        trips = [line[0].round_trip_us for line in mine]
        axes.plot(
            trips, [study.window_needed(line) for line in mine], color=colour,
            linestyle=_DASHES[transport], marker=_MARKS[transport],
            label=f"{_NAMES[transport]}: window for {study.ENOUGH:.0%} of the best",
        )  # fmt: skip
        best = [max(each.mb_s for each in line) for line in mine]
        axes.plot(
            trips, [rate * trip for rate, trip in zip(best, trips, strict=True)], color=colour,
            linestyle=":", linewidth=1.0, label=f"{_NAMES[transport]}: bandwidth x round trip",
        )  # fmt: skip
    axes.set_xscale("log")
    plots.written_out(axes.xaxis, steps=(1, 2, 5))
    axes.set_yscale("log", base=2)
    axes.set_yticks([2**power for power in range(8, 20, 2)])
    plots.in_bytes_axis(axes.yaxis)
    axes.set(
        title=f"{product}: window that a latency needs",
        xlabel=f"round trip of a request ({plots.US})",
    )
    axes.set_ylabel("window")
    axes.legend(loc="upper left", fontsize=7)
