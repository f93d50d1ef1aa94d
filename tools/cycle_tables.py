# SPDX-License-Identifier: GPL-2.0-only
"""The numbers of a product and a host from their TOML files, and what one action costs by them.

Nothing here asks the simulator: the rules are those that doc/mechanisms.md, doc/hosts.md and
profiles/README.md state.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

PROFILES = Path(__file__).resolve().parent.parent / "contrib" / "via" / "profiles"
SCALES = {"Hz": 1, "kHz": 10**3, "MHz": 10**6, "GHz": 10**9}
BITS_PER_BYTE = 8
MM_PER_M = 1000
CONTROL_BYTES = 32  # of a descriptor: VIA's format
SEGMENT_BYTES = 16
DESCRIPTOR_ALIGNMENT = 64


class Step(NamedTuple):
    """Cycles that a part spends: least to most, both the same where nothing varies."""

    stage: str
    owner: str  # "src.bus", "link", "dst.nic-receive", ...
    least: int
    most: int


def hertz(text: str) -> Fraction:
    """A frequency as the files write it: "62.5 MHz", "100/3 MHz"."""
    number, unit = text.split()
    return Fraction(number) * SCALES[unit]


def up(a: int, b: int) -> int:
    """a / b, rounded up."""
    return -(-a // b)


def _leaves(path: Path) -> tuple[dict[str, Any], str]:
    file = tomllib.loads(path.read_text("utf-8"))
    tables = {name: table for name, table in file.items() if isinstance(table, dict)}
    values = {f"{t}.{k}": leaf["value"] for t, table in tables.items() for k, leaf in table.items()}
    return values, file.get("default_host", "")


def _path(name: str, folder: Path) -> Path:
    return Path(name) if name.endswith(".toml") else folder / f"{name}.toml"


class Tables:
    """All keys of a product in a host.

    Args:
        profile: a product of contrib/via/profiles, or a path to its file.
        host: one of its hosts, or a path; empty: the product's own.
        changes: keys with other values.
    """

    def __init__(
        self, profile: str, host: str = "", changes: Mapping[str, object] | None = None
    ) -> None:
        product, usual = _leaves(_path(profile, PROFILES))
        machine, _ = _leaves(_path(host or usual, PROFILES / "hosts"))
        self._values = product | machine | dict(changes or {})

    def number(self, key: str) -> int:
        """A whole number; 0 where the key belongs to a choice that was not made."""
        return int(self._values.get(key, 0))

    def word(self, key: str) -> str:
        return str(self._values[key])

    def is_kernel(self) -> bool:
        return self.word("nic.processor") == "host"

    def clock(self, engine: str) -> Fraction:
        """The clock of an owner, by the last part of its name: "bus", "nic-send", ..."""
        if engine == "link":
            bits = hertz(self.word("link.symbol_rate")) * self.number("link.code_data")
            return bits / self.number("link.code_symbols") / BITS_PER_BYTE
        table = {"crossbar": "switch", "nic-send": "nic", "nic-receive": "nic"}
        return hertz(self.word(f"{table.get(engine, engine)}.clock"))

    def flight_ps(self) -> int:
        per_m = self.number("link.propagation_ps_per_m")
        return self.number("link.cable_length_mm") * per_m // MM_PER_M

    # ---- the bus

    def _burst(self, initial: str, bytes_: int) -> int:
        keys = ("bus.arbitration", "bus.address", f"bus.{initial}_initial", "bus.turnaround")
        return sum(map(self.number, keys)) + up(bytes_, self.number("bus.width"))

    def _cut(self, bytes_: int) -> list[int]:
        """A transfer in the bursts that bridge and latency timer allow."""
        timer = self.number("bus.latency_timer") * self.number("bus.width")
        most = min(self.number("bus.burst_bytes"), timer)
        full = (max(bytes_, 1) - 1) // most
        return [most] * full + [bytes_ - full * most]

    def bus_read(self, bytes_: int) -> list[int]:
        """Clocks of each transaction of a DMA read."""
        if not self.number("bus.split_reads"):
            return [self._burst("read", burst) for burst in self._cut(bytes_)]
        request = self.number("bus.arbitration") + self.number("bus.address")
        initial = self.number("bus.read_initial")
        return [
            clocks
            for burst in self._cut(bytes_)
            for clocks in (request, initial, self._burst("read", burst) - request - initial)
        ]

    def bus_write(self, bytes_: int) -> list[int]:
        """Clocks of each transaction of a DMA write."""
        return [self._burst("write", burst) for burst in self._cut(bytes_)]

    def bus_store(self, bytes_: int) -> list[int]:
        """Clocks of each transaction of stores by the CPU."""
        most = max(self.number("bus.store_bytes"), self.number("bus.write_combining"))
        full = (max(bytes_, 1) - 1) // most
        cut = [most] * full + [bytes_ - full * most]
        return [self._burst("store", burst) for burst in cut]

    # ---- CPU and memory

    def copy(self, bytes_: int) -> int:
        """Host cycles of a copy from memory."""
        lines = up(bytes_, self.number("cpu.line_bytes"))
        return self.number("cpu.copy_base") + lines * self.number("cpu.copy_line")

    def pages(self, bytes_: int) -> tuple[int, int]:
        """The fewest and the most pages that so many bytes lie in: it depends on where."""
        page = self.number("os.page_bytes")
        return (up(bytes_, page), up(bytes_ - 1, page) + 1) if bytes_ else (0, 0)

    def trap(self) -> int:
        trap = "os.syscall" if self.word("nic.doorbell") == "system-call" else "vipl.trap"
        return self.number(trap)

    def descriptor_bytes(self, segments: int) -> int:
        """What a CPU writes of a descriptor."""
        return CONTROL_BYTES + SEGMENT_BYTES * segments

    def descriptor_lines(self, segments: int) -> int:
        """What a card fetches of it: whole lines."""
        return up(self.descriptor_bytes(segments), DESCRIPTOR_ALIGNMENT) * DESCRIPTOR_ALIGNMENT


class Cut:
    """How a message of so many bytes is cut: into cells, groups, pieces and DMA bursts."""

    def __init__(self, tables: Tables, size: int) -> None:
        self.size = size
        self.tables = tables
        self.cell_payload = tables.number("link.cell_payload")
        self.header = tables.number("link.message_header")
        self.burst = tables.number("nic.dma_burst")
        self.cells = max(up(size + self.header, self.cell_payload), 1)
        self.group = 1 if tables.is_kernel() else max(self.burst // self.cell_payload, 1)
        self.stores = tables.word("nic.data") == "store-and-forward"
        groups = tables.number("nic.store_bytes") // (self.group * self.cell_payload)
        self.piece = self.group * (max(groups, 1) if self.stores else 1)  # cells
        self.wires = tables.number("nic.ports")

    def bytes_until(self, cell: int) -> int:
        """Payload in the cells before this one."""
        return min(max(cell * self.cell_payload - self.header, 0), self.size)

    def piece_end(self, cell: int) -> int:
        """Where the piece ends that this cell is in."""
        return min((cell // self.piece + 1) * self.piece, self.cells)

    def group_end(self, cell: int) -> int:
        """Where the cells end that follow this one on its wire without a gap."""
        if self.wires > 1:
            return cell + 1
        return min((cell // self.group + 1) * self.group, self.cells)

    def bursts(self, begin: int, end: int) -> list[int]:
        """Bytes begin to end as the card moves them: at most nic.dma_burst each."""
        return [min(self.burst, end - at) for at in range(begin, end, self.burst)]

    def reads(self, first: int, end: int) -> list[int]:
        """The bursts that bring the payload of cells into the card; they start anew per group."""
        ends = [min(g + self.group, end) for g in range(first, end, self.group)]
        begins = [first, *ends[:-1]]
        until = self.bytes_until
        return [
            burst
            for begin, stop in zip(begins, ends, strict=True)
            for burst in self.bursts(until(begin), until(stop))
        ]

    def wire_bytes(self, first: int, end: int) -> int:
        """Bytes on the wire of cells first to end; the last of a message may be a short one."""
        whole = (end - first) * self.tables.number("link.cell_bytes")
        if end < self.cells or self.tables.word("link.framing") == "cells":
            return whole
        content = self.size + self.header - (self.cells - 1) * self.cell_payload
        least = max(content, self.tables.number("link.min_payload"), 1)
        return whole - (self.cell_payload - least)
