# SPDX-License-Identifier: GPL-2.0-only
"""Protocols written in Python: one class, one process of it on each node, any transport."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from via import _core

SPANS = ("first-entry-to-first-exit", "first-entry-to-last-exit", "last-entry-to-last-exit")


class Protocol(_core.Protocol):
    """One process of a protocol: override run(), and run it with Cluster.run(YourProtocol).

        class Ring(via.Protocol):
            def targets(self):
                return [(self.rank + 1) % self.size]

            async def run(self):
                for round in range(self.rounds):
                    self.enter(round)
                    self.send((self.rank + 1) % self.size, b"token")
                    peer, data = await self.recv()
                    self.leave(round)

    In run() there are rank, size, rounds, now (picoseconds of simulated time), and

        self.send(to, data)         up to message_bytes, to one of targets(); zeros fill it up
        await self.recv()           (rank, bytes); recv(source) waits for that one's; with
                                    timeout="1ms" None may come of it
        await self.sleep("5us")
        self.enter(r), self.leave(r)  this process begins and has done round r
        self.note("decide", key, value)  a row in run.decisions; see the page "Protocols"
        self.random(what)           a number that depends on seed, rank and what alone

    What a process does between two awaits takes no time of its own beyond that of its messages,
    which are sent when it awaits.

    Attributes:
        window: messages that may be on their way to each peer.
        bounded: the protocol itself never sends more: no credits are needed.
        selective: recv() always names whose message it waits for, which can be cheaper.
        message_bytes: of each message, 5 to 64; run(size=N) makes it longer on the wire.
        span: what a sample is: "first-entry-to-last-exit" of a round,
            "last-entry-to-last-exit" or "first-entry-to-first-exit".
    """

    window: int = 8
    bounded: bool = False
    selective: bool = False
    message_bytes: int = 8
    span: str = "first-entry-to-last-exit"

    def targets(self) -> Iterable[int] | None:
        """Return the ranks this process may send to; None: everybody else."""
        return None

    def run(self) -> Any:
        """Be this process: an `async def`, or a generator."""
        raise NotImplementedError("a protocol is what its run() does")
