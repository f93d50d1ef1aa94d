# SPDX-License-Identifier: GPL-2.0-only
"""The numbers of a product and a host from their TOML files, and the cost of actions.

This file does not use the simulator: its rules are those of doc/mechanisms.md, doc/hosts.md and
profiles/README.md.
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
CONTROL_BYTES = 32  # control segment of a VIA descriptor
SEGMENT_BYTES = 16
DESCRIPTOR_ALIGNMENT = 64


class Step(NamedTuple):
    """Cycles that a component spends: least and most."""

    stage: str
    owner: str  # "src.bus", "link", "dst.nic-receive", ...
    least: int
    most: int


def hertz(text: str) -> Fraction:
    """Return the hertz of a frequency such as "62.5 MHz" or "100/3 MHz"."""
    number, unit = text.split()
    return Fraction(number) * SCALES[unit]


def up(a: int, b: int) -> int:
    """Return a / b, rounded up."""
    return -(-a // b)


def _leaves(path: Path) -> tuple[dict[str, Any], str]:
    file = tomllib.loads(path.read_text("utf-8"))
    base = _path(str(file["extends"]), path.parent) if "extends" in file else None
    inherited, usual = _leaves(base) if base else ({}, "")
    tables = {name: table for name, table in file.items() if isinstance(table, dict)}
    values = {f"{t}.{k}": leaf["value"] for t, table in tables.items() for k, leaf in table.items()}
    return inherited | values, file.get("default_host", usual)


def _path(name: str, folder: Path) -> Path:
    return Path(name) if name.endswith(".toml") else folder / f"{name}.toml"


class Tables:
    """All keys of a product on a host.

    Args:
        profile: a product in contrib/via/profiles, or the path of its file.
        host: a host, or a path; empty: the product's own.
        changes: other values for keys.
    """

    def __init__(
        self, profile: str, host: str = "", changes: Mapping[str, object] | None = None
    ) -> None:
        product, usual = _leaves(_path(profile, PROFILES))
        machine, _ = _leaves(_path(host or usual, PROFILES / "hosts"))
        self._values = product | machine | dict(changes or {})

    def number(self, key: str) -> int:
        """Return an integer; 0 if the key belongs to a mechanism that is not selected."""
        return int(self._values.get(key, 0))

    def numbers(self, key: str) -> list[int]:
        """Return a list of integers."""
        return [int(number) for number in self._values[key]]

    def word(self, key: str) -> str:
        return str(self._values[key])

    def is_kernel(self) -> bool:
        return self.word("nic.processor") == "host"

    def clock(self, engine: str) -> Fraction:
        """Return the clock of an owner, by the last part of its name: "bus", "nic-send", ..."""
        if engine == "link":
            bits = hertz(self.word("link.symbol_rate")) * self.number("link.code_data")
            return bits / self.number("link.code_symbols") / BITS_PER_BYTE
        table = {"crossbar": "switch", "nic-send": "nic", "nic-receive": "nic"}
        return hertz(self.word(f"{table.get(engine, engine)}.clock"))

    def flight_ps(self) -> int:
        """Return the time of flight between a host and its switch."""
        per_m = self.number("link.propagation_ps_per_m")
        cable = self.number("link.cable_length_mm") * per_m // MM_PER_M
        return cable + self.number("link.host_phy_ps")

    # ---- the bus

    def _burst(self, initial: str, bytes_: int) -> int:
        keys = ("bus.arbitration", "bus.address", f"bus.{initial}_initial", "bus.turnaround")
        gaps = self._gaps(bytes_) if initial == "read" else 0
        return sum(map(self.number, keys)) + up(bytes_, self.number("bus.width")) + gaps

    def _gaps(self, bytes_: int) -> int:
        piece = self.number("bus.read_piece")
        return (max(bytes_, 1) - 1) // piece * self.number("bus.read_gap") if piece else 0

    def _cut(self, bytes_: int) -> list[int]:
        """Cut a transfer into the bursts that bridge and latency timer allow."""
        timer = self.number("bus.latency_timer") * self.number("bus.width")
        most = min(self.number("bus.burst_bytes"), timer)
        full = (max(bytes_, 1) - 1) // most
        return [most] * full + [bytes_ - full * most]

    def bus_read(self, bytes_: int) -> list[int]:
        """Return the bus clocks of each transaction of a DMA read."""
        if not self.number("bus.split_reads"):
            return [self._burst("read", burst) for burst in self._cut(bytes_)]
        request = self.number("bus.arbitration") + self.number("bus.address")
        initial = self.number("bus.read_initial")
        return [
            clocks
            for burst in self._cut(bytes_)
            for clocks in (request, initial, self._burst("read", burst) - request - initial)
        ]

    def bus_read_on(self, bytes_: int) -> list[int]:
        """Return the least bus clocks of each transaction of a read that was requested ahead.

        Its wait for memory may have passed; without split reads, the burst before may go on.
        """
        if self.number("bus.split_reads"):
            return [0 if i % 3 == 1 else clocks for i, clocks in enumerate(self.bus_read(bytes_))]
        first, *rest = self.bus_read(bytes_)
        return [min(first, up(bytes_, self.number("bus.width"))), *rest]

    def bus_write(self, bytes_: int) -> list[int]:
        """Return the bus clocks of each transaction of a DMA write."""
        return [self._burst("write", burst) for burst in self._cut(bytes_)]

    def bus_store(self, bytes_: int) -> list[int]:
        """Return the bus clocks of each transaction of stores by the CPU."""
        most = max(self.number("bus.store_bytes"), self.number("bus.write_combining"))
        full = (max(bytes_, 1) - 1) // most
        cut = [most] * full + [bytes_ - full * most]
        return [self._burst("store", burst) for burst in cut]

    # ---- CPU and memory

    def copy(self, bytes_: int) -> int:
        """Return the host cycles of a copy from memory."""
        lines = up(bytes_, self.number("cpu.line_bytes"))
        return self.number("cpu.copy_base") + lines * self.number("cpu.copy_line")

    def pages(self, bytes_: int) -> tuple[int, int]:
        """Return the fewest and the most pages that this many bytes can span."""
        page = self.number("os.page_bytes")
        return (up(bytes_, page), up(bytes_ - 1, page) + 1) if bytes_ else (0, 0)

    def trap(self) -> int:
        trap = "os.syscall" if self.word("nic.doorbell") == "system-call" else "vipl.trap"
        return self.number(trap)

    def descriptor_bytes(self, segments: int) -> int:
        """Return the bytes of a descriptor that a CPU writes."""
        return CONTROL_BYTES + SEGMENT_BYTES * segments

    def descriptor_lines(self, segments: int) -> int:
        """Return the bytes of a descriptor that a card fetches: whole cache lines."""
        return up(self.descriptor_bytes(segments), DESCRIPTOR_ALIGNMENT) * DESCRIPTOR_ALIGNMENT


class Cut:
    """The division of a message into cells, groups, pieces and DMA bursts."""

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
        """Return the payload bytes in the cells before this one."""
        return min(max(cell * self.cell_payload - self.header, 0), self.size)

    def piece_end(self, cell: int) -> int:
        """Return the end of the piece that contains this cell."""
        return min((cell // self.piece + 1) * self.piece, self.cells)

    def group_end(self, cell: int) -> int:
        """Return the end of this cell's group, whose cells follow on the wire without a gap."""
        if self.wires > 1:
            return cell + 1
        return min((cell // self.group + 1) * self.group, self.cells)

    def bursts(self, begin: int, end: int) -> list[int]:
        """Return the DMA bursts for bytes begin to end: at most nic.dma_burst each."""
        return [min(self.burst, end - at) for at in range(begin, end, self.burst)]

    def reads(self, first: int, end: int) -> list[int]:
        """Return the bursts that read the payload of cells; each group starts a new burst."""
        ends = [min(g + self.group, end) for g in range(first, end, self.group)]
        begins = [first, *ends[:-1]]
        until = self.bytes_until
        return [
            burst
            for begin, stop in zip(begins, ends, strict=True)
            for burst in self.bursts(until(begin), until(stop))
        ]

    def wire_bytes(self, first: int, end: int) -> int:
        """Return the wire bytes of cells first to end; the last cell of a message may be short."""
        whole = (end - first) * self.tables.number("link.cell_bytes")
        if end < self.cells or self.tables.word("link.framing") == "cells":
            return whole
        content = self.size + self.header - (self.cells - 1) * self.cell_payload
        least = max(content, self.tables.number("link.min_payload"), 1)
        return whole - (self.cell_payload - least)
