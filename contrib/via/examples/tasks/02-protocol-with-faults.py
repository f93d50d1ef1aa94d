# SPDX-License-Identifier: GPL-2.0-only
"""A protocol of one's own on 256 nodes, two of which crash."""

import via


class Ask(via.Protocol):
    async def run(self) -> int:
        if self.rank:
            self.send((await self.recv())[0], b"here")
            return 1
        for peer in range(1, self.size):
            self.send(peer, b"who?")
        answers = [await self.recv(timeout="5ms") for _ in range(1, self.size)]
        return 1 + sum(answer is not None for answer in answers)


run = via.Cluster(nodes=256, record=False).run(Ask, process_faults="crash:9:1,crash:77:1")
print(run.returned[0], "of 256 answered")
