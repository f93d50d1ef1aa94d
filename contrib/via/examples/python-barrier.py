#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A dissemination barrier written in Python, beside the built-in one: the same picoseconds.

usage: ./via python contrib/via/examples/python-barrier.py [NODES [ROUNDS]]
"""

from __future__ import annotations

import sys
import time

import via


class Barrier(via.Protocol):
    """In step k process i tells process i + 2^k, and waits for i - 2^k."""

    window = 2  # a peer may be one barrier ahead of us
    bounded = True
    selective = True
    span = "last-entry-to-last-exit"

    def steps(self) -> list[tuple[int, int]]:
        """Whom to tell and whom to wait for, step by step."""
        distances = [2**k for k in range((self.size - 1).bit_length())]
        return [((self.rank + d) % self.size, (self.rank - d) % self.size) for d in distances]

    def targets(self) -> list[int]:
        """Whom to tell."""
        return [to for to, _ in self.steps()]

    async def run(self) -> None:
        """Do all barriers."""
        steps = self.steps()
        for number in range(self.rounds):
            self.enter(number)
            data = number.to_bytes(8, "little")
            for to, source in steps:
                self.send(to, data)
                await self.recv(source)
            self.leave(number)


def main() -> None:
    """Run both, and compare."""
    nodes, rounds = (int(text) for text in (sys.argv[1:] + ["64", "20"][len(sys.argv) - 1 :]))
    cluster = via.Cluster(nodes=nodes, record=False)
    began = time.process_time()
    mine = cluster.run(Barrier, rounds=rounds)
    taken = time.process_time() - began
    print(f"{nodes} nodes: {mine.latency()}")
    print(f"{mine.report['messages'] / taken:.0f} messages per second of CPU, set-up included")
    assert mine.digest == cluster.run("barrier", rounds=rounds).digest


if __name__ == "__main__":
    main()
