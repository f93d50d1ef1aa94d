# SPDX-License-Identifier: GPL-2.0-only
"""What no program can exceed on a product, from its profile alone: wire, host bus, code.

Nothing of the simulator is used but the numbers of its profiles, so that a test which holds a
measurement against this does not hold the simulator against itself.
"""

from __future__ import annotations

from fractions import Fraction

from via import profiles

MIN = "link.min_payload"


class Limits:
    """The numbers of a product on its usual host."""

    def __init__(self, profile: str) -> None:
        self._values = {each.key: each.value for each in profiles.load(profile).entries}

    def least_us(self, size: int) -> float:
        """Return the least time from message to message of a long row of them."""
        return max(self.wire_us(size), self.bus_us(size), self.code_us())

    def wire_us(self, size: int) -> float:
        """Return how long the cells of a message take on all wires of the card together."""
        payload, header = self._number("link.cell_payload"), self._number("link.message_header")
        around = self._number("link.cell_bytes") - payload
        full, rest = divmod(size + header, payload)
        if rest or not full:
            least = payload if self._values["link.framing"] == "cells" else self._or(MIN, 0)
            rest = around + max(rest, least)
        coded = Fraction(self._number("link.code_symbols"), self._number("link.code_data"))
        symbols = 8 * coded * (full * (around + payload) + rest)
        return float(1_000_000 * symbols / self._clock("link.symbol_rate") / self._or("nic.ports"))

    def bus_us(self, size: int) -> float:
        """Return how long the payload takes on the slower bus, in its longest bursts."""
        width = self._number("bus.width")
        timer = self._number("bus.latency_timer") * width
        burst = min(timer, self._number("bus.burst_bytes"), self._number("nic.dma_burst"))
        around = sum(map(self._number, ("bus.arbitration", "bus.address", "bus.turnaround")))
        overlaps = self._number("bus.split_reads") or self._or("nic.read_ahead", 0)
        waits = 0 if overlaps else self._number("bus.read_initial")
        first = max(waits, self._number("bus.write_initial"))
        clocks = -(-size // burst) * (around + first) + -(-size // width)
        return float(1_000_000 * clocks / self._clock("bus.clock"))

    def code_us(self) -> float:
        """Return how long the calls take that each message needs, of the busier of the two."""
        post = max(self._number("vipl.post_send"), self._number("vipl.post_recv"))
        cycles = post + self._number("vipl.done_hit")
        return float(1_000_000 * cycles / self._clock("cpu.clock"))

    def wake_up_us(self) -> float:
        """Return how long a program that waits sleeps on after what it waits for."""
        cycles = self._number("os.interrupt") + self._number("os.context_switch")
        return float(1_000_000 * cycles / self._clock("cpu.clock"))

    def frame_us(self, size: int) -> float:
        """Return how long the kernel works for a frame of a message; 0: the card does."""
        if self._values["nic.processor"] != "host":
            return 0.0
        keys = ("receive", "residual", "descriptor", "translate")
        kernel = sum(self._or(f"vipl.kernel_{key}", 0) for key in keys)
        lines = -(-min(size, self._number("link.cell_payload")) // self._number("cpu.line_bytes"))
        copy = self._number("cpu.copy_base") + lines * self._number("cpu.copy_line")
        cycles = self._number("os.interrupt") + kernel + copy
        return float(1_000_000 * cycles / self._clock("cpu.clock"))

    def _number(self, key: str) -> int:
        return int(self._values[key].split()[0])

    def _or(self, key: str, otherwise: int = 1) -> int:
        return int(self._values[key].split()[0]) if key in self._values else otherwise

    def _clock(self, key: str) -> Fraction:
        return Fraction(self._values[key].removesuffix(" Hz"))
