# SPDX-License-Identifier: GPL-2.0-only
"""Protocols written in Python: a class whose run() is one process per node, on any transport."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from via import _core

SPANS = ("first-entry-to-first-exit", "first-entry-to-last-exit", "last-entry-to-last-exit")


class Protocol(_core.Protocol):
    """One process of a protocol. Override run(), then call Cluster.run(YourProtocol).

    For example::

        class Ring(via.Protocol):
            def targets(self):
                return [(self.rank + 1) % self.size]

            async def run(self):
                for round in range(self.rounds):
                    self.enter(round)
                    self.send((self.rank + 1) % self.size, b"token")
                    peer, data = await self.recv()
                    self.leave(round)

    Code between two awaits takes no simulated time except for its messages, which are sent at the
    next await.

    Attributes:
        window: messages that may be in flight to each peer.
        bounded: the protocol itself never has more in flight, so no credits are needed.
        selective: recv() always names its source, which can be cheaper.
        message_bytes: size of each message, 5 to 64; run(size=N) makes it longer on the wire.
        span: what a sample measures in a round: "first-entry-to-last-exit",
            "last-entry-to-last-exit" or "first-entry-to-first-exit".
    """

    window: int = 8
    bounded: bool = False
    selective: bool = False
    message_bytes: int = 8
    span: str = "first-entry-to-last-exit"

    def targets(self) -> Iterable[int] | None:
        """Return the ranks to which this process may send; None: all others."""
        return None

    def run(self) -> Any:
        """The body of this process: an `async def`, or a generator."""
        raise NotImplementedError("a protocol is what its run() does")
