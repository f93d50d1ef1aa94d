# SPDX-License-Identifier: GPL-2.0-only
"""The programs of a cluster: they compute, post sends, and look for completions in turn."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from cycle_tables import Tables

from .card import Card
from .fabric import Message
from .time import Clock, Simulation, Turn, Worker


@dataclass(frozen=True)
class Compute:
    """Cycles of the CPU."""

    cycles: int


@dataclass(frozen=True)
class Post:
    """A send to a peer, or an RDMA write into its memory."""

    target: int
    size: int
    writes: bool = False


@dataclass(frozen=True)
class Script:
    """What a program does: actions, and then looks at its queues until all have completed."""

    start_ps: int
    actions: tuple[Compute | Post, ...] = ()
    cq: bool = False  # it looks at a completion queue for all of its queues
    waits: bool = False  # it sleeps until the next completion of a queue


class Life(NamedTuple):
    """A message from its post to its reap."""

    source: int
    target: int
    size: int
    posted_ps: int
    end_ps: int


def life(message: Message, end_ps: int) -> Life:
    """Return the life of a message that was reaped."""
    return Life(message.source, message.target, message.size, message.posted_ps, end_ps)


Queue = tuple[str, int]  # "send" or "recv", and the peer


def queues(scripts: list[Script], node: int) -> dict[Queue, int]:
    """Return the queues at which a program looks, in order, and the completions it expects."""
    found: dict[Queue, int] = {}
    for peer, script in enumerate(scripts):
        sent = [a.target for a in scripts[node].actions if isinstance(a, Post)].count(peer)
        sends = [a for a in script.actions if isinstance(a, Post) and not a.writes]
        posts = [a.target for a in sends].count(node)
        for queue, amount in ((("send", peer), sent), (("recv", peer), posts)):
            if amount:
                found[queue] = amount
    return found


def peers(scripts: list[Script], node: int) -> list[int]:
    """Return whom a node sends to or receives from."""
    pairs = {
        (source, action.target)
        for source, script in enumerate(scripts)
        for action in script.actions
        if isinstance(action, Post)
    }
    found = {target for source, target in pairs if source == node}
    return sorted(found | {source for source, target in pairs if target == node})


class Program(Worker):
    """A program on the CPU of a host."""

    def __init__(
        self,
        simulation: Simulation,
        tables: Tables,
        node: int,
        clock: Clock,
        card: Card,
        scripts: list[Script],
    ) -> None:
        super().__init__(simulation, Turn.PROCESS, node, f"n{node}.cpu", clock)
        self.tables = tables
        self.card = card
        self.script = scripts[node]
        self.expected = queues(scripts, node)
        self.completed: dict[Queue, list[Message]] = {queue: [] for queue in self.expected}
        self.lives: list[Life] = []
        self.entries: list[Queue] = []  # of the completion queue
        card.has_cq = self.script.cq
        card.receives = {peer: n for (kind, peer), n in self.expected.items() if kind == "recv"}
        card.sent = lambda message: self._complete(("send", message.target), message)
        card.received = lambda message: self._complete(("recv", message.source), message)
        card.queued = self.entries.append
        card.written = self._note
        self.begin(self._run(), self.script.start_ps)

    def _run(self) -> Iterator[int | None]:
        for action in self.script.actions:
            if isinstance(action, Compute):
                yield from self.spend("compute", action.cycles)
            else:
                yield from self._post(action)
        while self.expected:
            if self.script.cq:
                yield from self._look_at_cq()
                continue
            for queue in list(self.expected):
                yield from self._wait(queue) if self.script.waits else self._look(queue)

    def _post(self, post: Post) -> Iterator[int]:
        now = self.simulation.now
        message = Message(self.component, post.target, post.size, now, post.writes)
        yield from self.spend("post-send", self.tables.number("vipl.post_send"))
        if self.tables.word("nic.descriptor") == "pio-write":
            for clocks in self.tables.bus_store(self.tables.descriptor_bytes(1 + post.writes)):
                yield self.card.bus.transact("descriptor-write", clocks)
        (clocks,) = self.tables.bus_store(1)
        rung = self.card.bus.transact("doorbell", clocks)  # the CPU does not wait for it
        self.card.sender.posted.setdefault(post.target, deque()).append(message)
        self.simulation.at(
            rung, Turn.ARRIVAL, self.component, lambda: self.card.sender.ring(post.target)
        )

    def _complete(self, queue: Queue, message: Message) -> None:
        self.completed[queue].append(message)
        self.wake()

    def _wait(self, queue: Queue) -> Iterator[int | None]:
        """Look, and if nothing has completed, call the kernel and sleep until an interrupt."""
        number = self.tables.number
        if not self.completed[queue]:
            yield from self._look(queue)
            yield from self.spend("wait-call", number("vipl.wait_enter"))
            is_asleep = not self.completed[queue]
            while not self.completed[queue]:
                yield None
            if is_asleep:
                yield from self.spend("interrupt", number("os.interrupt"))
                yield from self.spend("context-switch", number("os.context_switch"))
        yield from self._look(queue)

    def _look_at_cq(self) -> Iterator[int]:
        if not self.entries:
            yield from self.spend("cq-poll", self.tables.number("vipl.cq_done_miss"))
            return
        queue = self.entries.pop(0)
        yield from self.spend("cache-miss", self.tables.number("cpu.cache_miss"))
        yield from self.spend("cq-reap", self.tables.number("vipl.cq_done_hit"))
        yield from self._look(queue)

    def _look(self, queue: Queue) -> Iterator[int]:
        if not self.completed[queue]:
            yield from self.spend("poll", self.tables.number("vipl.done_miss"))
            return
        message = self.completed[queue].pop(0)
        yield from self.spend("cache-miss", self.tables.number("cpu.cache_miss"))
        yield from self.spend("reap", self.tables.number("vipl.done_hit"))
        if queue[0] == "recv":
            self._note(message)
        self.expected[queue] -= 1
        if not self.expected[queue]:
            del self.expected[queue]

    def _note(self, message: Message) -> None:
        """Note the end of a message."""
        self.lives.append(life(message, self.simulation.now))
