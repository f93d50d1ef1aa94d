#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Draws the diagrams of the page on concepts."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import matplotlib as mpl
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch
from via import figures
from via._base import commands

DOC = Path(__file__).resolve().parent
IMAGES = DOC / "images" / "concepts"

# Who does something: the colours that are told apart by everybody (Okabe and Ito).
PROGRAM, KERNEL, CARD, WIRE = "#0072B2", "#D55E00", "#009E73", "#555555"


def box(axes: Axes, x: float, y: float, text: str, colour: str, width: float = 2.6) -> None:
    """Draw a part of the machine around a middle."""
    axes.add_patch(
        FancyBboxPatch(
            (x - width / 2, y - 0.3), width, 0.6, boxstyle="round,pad=0.02,rounding_size=0.08",
            facecolor=colour + "22", edgecolor=colour, linewidth=1.4,
        )
    )  # fmt: skip
    axes.text(x, y, text, ha="center", va="center", fontsize=9)


def arrow(
    axes: Axes,
    start: tuple[float, float],
    end: tuple[float, float],
    text: str = "",
    colour: str = "#222222",
    bend: float = 0.0,
    at: tuple[float, float] = (0.08, 0.0),
    align: str = "left",
) -> None:
    """Draw what goes from one part to another; the text stands so far from its middle."""
    axes.add_patch(
        FancyArrowPatch(
            start, end, arrowstyle="-|>", mutation_scale=11, color=colour, linewidth=1.3,
            connectionstyle=f"arc3,rad={bend}", shrinkA=0, shrinkB=0,
        )
    )  # fmt: skip
    x, y = (start[0] + end[0]) / 2 + at[0], (start[1] + end[1]) / 2 + at[1]
    axes.text(x, y, text, ha=align, va="center", fontsize=8, color=colour)


def title(axes: Axes, x: float, y: float, text: str) -> None:
    """Write a heading."""
    axes.text(x, y, text, ha="center", va="center", fontsize=10, fontweight="bold")


def two_paths(axes: Axes) -> None:
    """The way of a message through the kernel, and beside it."""
    title(axes, 1.6, 5.6, "sockets")
    for y, text, colour in (
        (5.0, "program", PROGRAM),
        (4.0, "socket layer", KERNEL),
        (3.0, "TCP, IP", KERNEL),
        (2.0, "driver", KERNEL),
        (1.0, "NIC", CARD),
    ):
        box(axes, 1.6, y, text, colour)
    for y, text in (
        (4.5, "system call"),
        (3.5, "copy, checksum"),
        (2.5, "frames"),
        (1.5, "interrupt back"),
    ):
        arrow(axes, (1.6, y + 0.18), (1.6, y - 0.18), text)
    title(axes, 7.2, 5.6, "Virtual Interface Architecture")
    box(axes, 6.4, 5.0, "program", PROGRAM)
    box(axes, 6.4, 4.0, "VIPL, a library", PROGRAM)
    box(axes, 9.6, 3.0, "kernel agent", KERNEL, 2.0)
    box(axes, 6.4, 1.0, "NIC", CARD)
    arrow(axes, (6.4, 4.68), (6.4, 4.32), "call")
    arrow(axes, (6.0, 3.68), (6.0, 1.32), "doorbell", CARD, at=(-0.08, 0.0), align="right")
    arrow(axes, (6.7, 1.32), (6.7, 3.68), "descriptors, data,\nstatus: by DMA", CARD)
    arrow(axes, (7.72, 4.0), (9.6, 3.32), "open, register,\nconnect", KERNEL, at=(0.0, 0.35))
    arrow(axes, (9.6, 2.68), (7.72, 1.05), "", KERNEL)


def virtual_interface(axes: Axes) -> None:
    """What belongs to a VI, and where it lies."""
    title(axes, 2.5, 5.6, "memory of the process")
    title(axes, 9.9, 5.6, "NIC")
    for y, name in ((4.6, "send queue"), (3.2, "receive queue")):
        axes.text(0.0, y + 0.5, name, fontsize=9)
        for place in range(3):
            box(axes, 0.8 + 1.75 * place, y, f"descriptor {place}", PROGRAM, 1.5)
        for place in range(2):
            arrow(axes, (1.57 + 1.75 * place, y), (1.78 + 1.75 * place, y))
    box(axes, 2.55, 1.9, "registered buffers", PROGRAM, 5.0)
    box(axes, 2.55, 0.7, "completion queue: (VI, send or receive)", PROGRAM, 5.0)
    for y, part in (
        (4.6, "send doorbell of the VI"),
        (3.2, "receive doorbell of the VI"),
        (1.9, "translation and protection"),
        (0.7, "engines, DMA"),
    ):
        box(axes, 9.9, y, part, CARD, 3.3)
    for y, text, colour in (
        (4.6, "VipPostSend rings", PROGRAM),
        (3.2, "VipPostRecv rings", PROGRAM),
        (1.9, "may this VI touch them?", CARD),
        (0.7, "status, entry", CARD),
    ):
        memory, card = (5.12, y), (8.2, y)
        start, end = (memory, card) if colour == PROGRAM else (card, memory)
        arrow(axes, start, end, "", colour)
        axes.text(6.65, y + 0.2, text, ha="center", fontsize=8, color=colour)


def descriptor(axes: Axes) -> None:
    """The bytes of a descriptor."""
    rows = (
        ("control", PROGRAM,
         (("Next", 8), ("NextHandle", 4), ("Seg-\nCount", 2), ("Con-\ntrol", 2))),
        ("segment", PROGRAM,
         (("Reserved", 4), ("ImmediateData", 4), ("Length", 4), ("Status", 4))),
        ("address segment", KERNEL,
         (("remote address", 8), ("remote handle", 4), ("Reserved", 4))),
        ("data segment", CARD, (("address", 8), ("handle", 4), ("Length", 4))),
    )  # fmt: skip
    for row, (name, colour, fields) in enumerate(rows):
        y = 4.0 - 0.95 * row - (0.25 if row > 1 else 0) - (0.25 if row > 2 else 0)
        axes.text(0.0, y, name, fontsize=9, va="center")
        place = 0
        for field, size in fields:
            width = 0.5 * size
            box(axes, 2.4 + 0.5 * place + width / 2, y, field, colour, width - 0.08)
            axes.text(2.42 + 0.5 * place, y + 0.36, str(16 * row + place), fontsize=6)
            place += size
    axes.text(2.4, -0.25, "An RDMA operation has the address segment; a send begins with data.\n"
              "More data segments follow, as many as the product allows.", fontsize=8)  # fmt: skip


def translation(axes: Axes) -> None:
    """From a handle and an address to the bytes of a page."""
    title(axes, 1.5, 5.4, "descriptor")
    for y, text in ((4.6, "handle 7"), (3.8, "address 0x13080"), (3.0, "length 4096")):
        box(axes, 1.5, y, text, PROGRAM)
    title(axes, 6.0, 5.4, "table on the NIC, entry 7")
    for y, text in (
        (4.6, "range 0x12000 .. 0x16fff"),
        (3.8, "protection tag 3"),
        (3.0, "RDMA write: yes, read: no"),
        (2.2, "frames 88, 12, 13, 47, 9"),
    ):
        box(axes, 6.0, y, text, CARD, 3.4)
    title(axes, 11.2, 5.4, "memory")
    for y, text in (
        (4.6, "page frame 12: 3,968 bytes"),
        (3.8, "page frame 13: 128 bytes"),
        (3.0, "page frame 47"),
        (2.2, "page frame 88"),
    ):
        box(axes, 11.2, y, text, WIRE, 3.1)
    arrow(axes, (2.85, 4.6), (4.25, 4.6))
    arrow(axes, (2.85, 3.8), (4.25, 4.45), "inside?", at=(-0.2, -0.25))
    arrow(axes, (7.75, 2.3), (9.6, 4.5), "", CARD)
    arrow(axes, (7.75, 2.15), (9.6, 3.65), "", CARD)
    box(axes, 1.5, 2.2, "tag 3 of the VI", PROGRAM)
    arrow(axes, (2.85, 2.2), (4.25, 3.7), "equal?", at=(-0.25, -0.35))


def states(axes: Axes) -> None:
    """The states of a VI."""
    for x, y, text, colour in (
        (1.5, 3.0, "idle", PROGRAM),
        (5.6, 4.6, "connect pending", PROGRAM),
        (9.7, 3.0, "connected", CARD),
        (5.6, 0.6, "error", KERNEL),
    ):
        box(axes, x, y, text, colour, 2.2)
    arrow(axes, (1.5, 3.32), (4.48, 4.6), "a request", bend=-0.15, at=(-1.4, 0.35))
    arrow(axes, (4.9, 4.28), (2.3, 3.32), "refused, timed out,\ntaken back", at=(0.1, -0.3))
    arrow(axes, (6.72, 4.6), (9.7, 3.32), "both agree", bend=-0.15, at=(0.5, 0.4))
    arrow(axes, (2.62, 3.1), (8.58, 3.1), "accepted (server)", at=(0.3, 0.17))
    arrow(axes, (8.58, 2.9), (2.62, 2.9), "VipDisconnect: queues flushed", at=(-1.3, -0.2))
    arrow(axes, (9.7, 2.68), (6.72, 0.6), "an error, the peer is gone:\nqueues flushed", bend=-0.15,
          at=(0.4, -0.25))  # fmt: skip
    arrow(axes, (4.48, 0.6), (1.5, 2.68), "VipDisconnect", bend=-0.15, at=(-1.9, -0.2))


def credits(axes: Axes) -> None:
    """How nothing is lost on a wire."""
    title(axes, 1.4, 4.0, "sender")
    box(axes, 1.4, 3.2, "credits: 2", CARD)
    for place in range(4):
        box(axes, 4.6 + 0.62 * place, 3.2, "cell", WIRE, 0.5)
    arrow(axes, (2.75, 3.2), (4.3, 3.2))
    arrow(axes, (6.8, 3.2), (7.65, 3.2))
    title(axes, 9.3, 4.0, "receiver: room for 8 cells")
    for place in range(8):
        used = place < 2
        box(axes, 7.9 + 0.42 * place, 3.2, "", CARD if used else WIRE, 0.32)
    arrow(axes, (8.1, 2.85), (8.1, 1.3), "a cell goes on:\nits place is free", CARD)
    arrow(axes, (8.1, 1.3), (1.4, 1.3), "a credit goes home", CARD, at=(-1.0, 0.2))
    arrow(axes, (1.4, 1.3), (1.4, 2.85), "", CARD)
    axes.text(0.0, 0.4, "2 credits + 4 cells on the wire + 2 in the buffer = 8, at every instant",
              fontsize=9)  # fmt: skip


INCH = 0.66  # of one unit; the texts of boxes are chosen for it

# Each with the width, the bottom and the top of its drawing.
DRAWINGS: dict[str, tuple[Callable[[Axes], None], float, float, float]] = {
    "two-paths": (two_paths, 11.0, 0.5, 6.0),
    "virtual-interface": (virtual_interface, 11.7, 0.2, 6.0),
    "descriptor": (descriptor, 10.6, -0.4, 4.6),
    "translation": (translation, 12.9, 1.7, 5.8),
    "states": (states, 11.6, 0.1, 5.1),
    "credits": (credits, 11.4, 0.2, 4.4),
}


def draw_all() -> None:
    """Draw all of them; each says that this script makes it."""
    mpl.use("Agg")
    for name, (draw, width, bottom, top) in DRAWINGS.items():
        figure, axes = plt.subplots(figsize=((width + 0.1) * INCH, (top - bottom) * INCH))
        figure.subplots_adjust(0, 0, 1, 1)
        draw(axes)
        axes.set(xlim=(-0.1, width), ylim=(bottom, top))
        axes.set_aspect("equal")
        axes.axis("off")
        path = IMAGES / f"{name}.png"
        origin = figures.metadata(figure, path, ())
        figure.savefig(path, dpi=130, bbox_inches="tight", metadata=origin)
        plt.close(figure)


if __name__ == "__main__":
    script = commands.of_script(Path(__file__), DOC)
    with commands.recording(script | {"cwd": os.path.relpath(DOC, IMAGES)}):
        draw_all()
