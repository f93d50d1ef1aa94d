# SPDX-License-Identifier: GPL-2.0-only
"""A protocol of your own.

A token goes round a ring; each process is an async function.
"""

import via


class Ring(via.Protocol):
    """A token goes round once per round."""

    async def run(self) -> None:
        """Pass the token on; process 0 begins and ends each round."""
        after, before = (self.rank + 1) % self.size, (self.rank - 1) % self.size
        for number in range(self.rounds):
            if self.rank == 0:
                self.enter(number)
                self.send(after, b"token")
            await self.recv(before)
            if self.rank == 0:
                self.leave(number)
            else:
                self.send(after, b"token")


sizes = [2, 4, 8, 16, 32]
found = [via.Cluster(nodes=n, record=False).run(Ring, rounds=20).latency_us() for n in sizes]
with via.charts.figure("figure.svg") as panel:
    panel.plot(sizes, found, "o-")
    panel.set(title="giganet-clan1000: a token round a ring")
    panel.set(xlabel="nodes", ylabel="time of a round (\u00b5s)", xlim=(0, None), ylim=(0, None))
