# SPDX-License-Identifier: GPL-2.0-only
"""Wires with credits, and a switch with queues at its outputs."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from cycle_tables import Tables, up

from .time import PS_PER_SECOND, Clock, Simulation, Span, Turn


@dataclass(frozen=True)
class Message:
    """A message that was posted."""

    source: int
    target: int
    size: int
    posted_ps: int
    writes: bool  # into memory that it names, not into that of a receive


@dataclass(frozen=True)
class Cell:
    """A cell of a message."""

    message: Message
    place: int  # in the message
    cells: int  # of the message
    wire_bytes: int


class Wire:
    """One direction of a cable.

    A cell leaves when it is ready, the wire is free and the far end has room for it, after all
    cells that were queued before.
    """

    def __init__(
        self,
        simulation: Simulation,
        tables: Tables,
        name: str,
        clock: Clock,
        far_end: tuple[int, int],
    ) -> None:
        self.simulation = simulation
        self.name = name
        self.clock = clock
        self.far_end, self.port = far_end  # component, and port there
        self.flight = tables.flight_ps()
        self.credits = tables.number("link.credits")
        back = tables.number("link.credit_return_bytes") * PS_PER_SECOND
        self.credit_flight = self.flight + int(back / tables.clock("link"))
        self.head_arrives: Callable[[Cell], None] | None = None
        self.tail_arrives: Callable[[Cell], None] | None = None
        self.free = 0
        self.leaving: list[int] = []  # the ends of departures that are known
        self.queue: deque[tuple[Cell, int, Callable[[int], None]]] = deque()

    def send(self, cell: Cell, ready: int, left: Callable[[int], None]) -> None:
        """Queue a cell; `left` is told the instant at which its last bit leaves."""
        self.queue.append((cell, ready, left))
        self._advance()

    def backlog(self) -> int:
        """Return how many cells have been queued and have not left."""
        self.leaving = [end for end in self.leaving if end > self.simulation.now]
        return len(self.queue) + len(self.leaving)

    def return_credit(self, instant: int) -> None:
        """Tell the near end, a flight later, that there is room for one more cell."""
        sent = instant + self.credit_flight
        self.simulation.at(sent, Turn.ARRIVAL, self.far_end, self._take_credit)

    def _take_credit(self) -> None:
        self.credits += 1
        self._advance()

    def _advance(self) -> None:
        while self.queue and self.credits:
            self.credits -= 1
            self._leave()

    def _leave(self) -> None:
        """Let the first cell leave."""
        cell, ready, left = self.queue.popleft()
        start, end = self.clock.run(max(self.simulation.now, ready, self.free), cell.wire_bytes)
        self.free = end
        self.leaving.append(end)
        self.simulation.spans.append(Span(self.name, "serialize", cell.wire_bytes, start, end))
        self._tell(start + self.flight, self.head_arrives, cell)
        self._tell(end + self.flight, self.tail_arrives, cell)
        self._count(end)
        left(end)

    def _count(self, end: int) -> None:
        """Take note of a cell that begins to leave."""

    def _tell(self, instant: int, whom: Callable[[Cell], None] | None, cell: Cell) -> None:
        if whom is not None:
            self.simulation.at(instant, Turn.ARRIVAL, self.far_end, lambda: whom(cell), self.port)


class MarkedWire(Wire):
    """A wire whose far end says stop when its buffer is filled to a mark, and go at another."""

    def __init__(
        self,
        simulation: Simulation,
        tables: Tables,
        name: str,
        clock: Clock,
        far_end: tuple[int, int],
    ) -> None:
        super().__init__(simulation, tables, name, clock, far_end)
        self.marks = tables.number("link.stop_mark"), tables.number("link.go_mark")
        self.fill = 0
        self.says_stop = False
        self.is_stopped = False

    def return_credit(self, instant: int) -> None:
        """Take a cell from the buffer at the far end."""
        self.simulation.at(instant, Turn.DEPARTURE, self.far_end, lambda: self._fill(-1))

    def _count(self, end: int) -> None:
        arrival = end + self.flight
        self.simulation.at(arrival, Turn.ARRIVAL, self.far_end, lambda: self._fill(1))

    def _fill(self, cells: int) -> None:
        self.fill += cells
        stop, go = self.marks
        says_stop = self.fill > go if self.says_stop else self.fill >= stop
        if says_stop != self.says_stop:
            self.says_stop = says_stop
            heard = self.simulation.now + self.credit_flight
            self.simulation.at(heard, Turn.ARRIVAL, self.far_end, lambda: self._hear(says_stop))

    def _hear(self, is_stopped: bool) -> None:
        self.is_stopped = is_stopped
        self._advance()

    def _advance(self) -> None:
        self.simulation.at(self.simulation.now, Turn.DECISION, self.far_end, self._decide)

    def _decide(self) -> None:
        if not self.queue or self.is_stopped:
            return
        earliest = max(self.queue[0][1], self.free)
        if earliest <= self.simulation.now:
            self._leave()
            earliest = self.free
        self.simulation.at(earliest, Turn.DECISION, self.far_end, self._decide)


class Switch:
    """What all switches do: the head of a message sets up a path, the rest follows on it."""

    def __init__(
        self, simulation: Simulation, tables: Tables, component: int, clock: Clock
    ) -> None:
        self.simulation = simulation
        self.component = component
        self.clock = clock
        self.latency = tables.number("switch.latency")
        self.stores = tables.word("switch.forwarding") == "store-and-forward"
        self.outputs: dict[int, Wire] = {}
        self.inputs: list[Wire] = []
        self.delays: dict[Wire, int] = {}  # of the head that arrived last, by input

    def connect(self, node: int, upstream: Wire, downstream: Wire) -> None:
        """Connect a host's cable."""
        self.inputs.append(upstream)
        self.outputs[node] = downstream
        if self.stores:
            upstream.tail_arrives = lambda cell: self.take(cell, upstream)
        else:
            upstream.head_arrives = lambda cell: self.take(cell, upstream)

    def take(self, cell: Cell, upstream: Wire) -> None:
        """Take a cell whose first bit, or last if the switch stores cells, arrives."""
        raise NotImplementedError

    def through(self, cell: Cell, upstream: Wire) -> int:
        """Return when a cell could leave; the rest of a message takes as long as its head."""
        now = self.simulation.now
        if cell.place == 0:
            start, end = self.clock.run(now, self.latency)
            self.simulation.spans.append(Span("s0.crossbar", "switch", self.latency, start, end))
            self.delays[upstream] = end - now
        return now + self.delays[upstream]


class OutputSwitch(Switch):
    """A switch with queues at its outputs.

    An output serves cells in the order of their arrival.
    """

    def __init__(
        self, simulation: Simulation, tables: Tables, component: int, clock: Clock
    ) -> None:
        super().__init__(simulation, tables, component, clock)
        self.mark = tables.number("switch.feedback_mark")
        self.notify: Callable[[Message], None] | None = None  # the source of a full output

    def take(self, cell: Cell, upstream: Wire) -> None:
        """Queue a cell at its output."""
        output = self.outputs[cell.message.target]
        ready = self.through(cell, upstream)
        if self.notify is not None and output.backlog() >= self.mark:
            self.notify(cell.message)
        output.send(cell, ready, upstream.return_credit)


class Waiting(NamedTuple):
    """A cell in the queue of an input."""

    arrived: int
    ready: int
    cell: Cell


class InputSwitch(Switch):
    """A switch with a queue at each input, or one there for each output.

    A free output takes the next free input, after the one that it served last, whose first cell is
    ready and wants it; or cells are taken in the order of their arrival. The cell may then have to
    wait for room at the far end. A wormhole switch keeps the output for the rest of the packet.
    """

    def __init__(
        self,
        simulation: Simulation,
        tables: Tables,
        component: int,
        clock: Clock,
        served: dict[int, int],
    ) -> None:
        super().__init__(simulation, tables, component, clock)
        self.served = served  # the last input of each output
        self.owners: dict[int, Wire] = {}  # of outputs that wait for the rest of a packet
        number = tables.number
        is_wormhole = tables.word("switch.forwarding") == "wormhole"
        self.packet = number("link.packet_cells") if is_wormhole else 1
        self.header = up(number("link.message_header"), number("link.cell_payload"))
        self.sorts = tables.word("switch.queueing") == "voq"
        self.is_oldest_first = tables.word("switch.arbitration") == "oldest-first"
        self.queues: dict[tuple[Wire, int], deque[Waiting]] = {}  # by output, if it sorts
        self.busy: dict[Wire, int | None] = {}  # until when an input sends; None: not known yet

    def connect(self, node: int, upstream: Wire, downstream: Wire) -> None:
        """Connect a host's cable."""
        super().connect(node, upstream, downstream)
        self.busy[upstream] = 0

    def take(self, cell: Cell, upstream: Wire) -> None:
        """Queue a cell at its input."""
        waiting = Waiting(self.simulation.now, self.through(cell, upstream), cell)
        self._queue(upstream, cell.message.target).append(waiting)
        self._decide_at(waiting.ready)

    def _queue(self, upstream: Wire, node: int) -> deque[Waiting]:
        return self.queues.setdefault((upstream, node if self.sorts else 0), deque())

    def _decide_at(self, instant: int) -> None:
        self.simulation.at(instant, Turn.DECISION, self.component, self._decide)

    def _decide(self) -> None:
        pairs = [(place, node) for node in self.outputs for place in range(len(self.inputs))]
        asking = [pair for pair in pairs if self._requests(*pair)]
        for place, node in sorted(asking, key=self._rank):
            if self._requests(place, node):  # still: nobody before has taken input or output
                self.served[node] = place
                self._send(place, node)

    def _rank(self, pair: tuple[int, int]) -> tuple[int, int, int]:
        place, node = pair
        if self.is_oldest_first:
            return self._queue(self.inputs[place], node)[0].arrived, place, node
        return node, (place - self.served[node] - 1) % len(self.inputs), 0

    def _requests(self, place: int, node: int) -> bool:
        upstream, output, now = self.inputs[place], self.outputs[node], self.simulation.now
        queue, until = self._queue(upstream, node), self.busy[upstream]
        if not queue or until is None or until > now or output.free > now or output.queue:
            return False
        is_owner = self.owners.get(node, upstream) is upstream
        return is_owner and queue[0].ready <= now and queue[0].cell.message.target == node

    def _send(self, place: int, node: int) -> None:
        upstream = self.inputs[place]
        cell = self._queue(upstream, node).popleft().cell
        self.busy[upstream] = None
        if self._ends_packet(cell):
            self.owners.pop(node, None)
        else:
            self.owners[node] = upstream

        def left(instant: int) -> None:
            self.busy[upstream] = instant
            upstream.return_credit(instant)
            self._decide_at(instant)

        self.outputs[node].send(cell, self.simulation.now, left)

    def _ends_packet(self, cell: Cell) -> bool:
        """Return whether a packet ends here; what the header adds belongs to the last one."""
        rest = cell.cells - cell.place - 1
        if self.packet == 1 or rest == 0:
            return True
        return (cell.place + 1) % self.packet == 0 and rest > self.header
