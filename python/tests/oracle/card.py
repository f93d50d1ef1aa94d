# SPDX-License-Identifier: GPL-2.0-only
"""A host's bus, and a card whose engines are hardware: one for sending, one for receiving."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping

from cycle_tables import Cut, Tables, up

from .fabric import Cell, Message, Wire
from .time import PS_PER_US, Clock, Simulation, Span, Turn, Worker

NO_WORK: Mapping[str, int] = {}


class Bus:
    """A bus that serves one transaction at a time, in the order in which they are asked for."""

    def __init__(self, simulation: Simulation, name: str, clock: Clock) -> None:
        self.simulation = simulation
        self.name = name
        self.clock = clock
        self.free = 0

    def transact(self, stage: str, clocks: int) -> int:
        """Ask for the bus now; return the end of the transaction."""
        start, end = self.clock.run(max(self.simulation.now, self.free), clocks)
        self.simulation.spans.append(Span(self.name, stage, clocks, start, end))
        self.free = end
        return end


class DmaEngine:
    """Serves one transfer at a time, from its start to its end, in the order of requests."""

    def __init__(self) -> None:
        self.users: deque[Worker] = deque()  # the first one is served

    def take(self, user: Worker) -> Iterator[None]:
        """Wait until it serves `user`."""
        self.users.append(user)
        while self.users[0] is not user:
            yield None

    def release(self) -> None:
        """Serve the next one."""
        self.users.popleft()
        if self.users:
            self.users[0].wake()


class Engine(Worker):
    """What both engines of a card can do."""

    def __init__(self, turn: Turn, name: str, card: Card) -> None:
        super().__init__(card.simulation, turn, card.node, f"n{card.node}.{name}", card.clock)
        self.card = card
        self.tables = card.tables
        self.is_firmware = card.tables.word("nic.processor") == "firmware"

    def serve(self) -> Iterator[int | None]:
        """Do the engine's work."""
        raise NotImplementedError

    def work(self, **stages: int) -> Iterator[int]:
        """Spend cycles in one piece: nothing of the other engine comes between."""
        return self.pieces(stages.items())

    def pieces(self, stages: Iterable[tuple[str, int]]) -> Iterator[int]:
        """Spend cycles in one piece, maybe of one stage more than once."""
        end = self.simulation.now
        for stage, cycles in stages:
            if cycles:
                end = self._spend_from(end, stage.replace("_", "-"), cycles)
        if end > self.simulation.now:
            yield end

    def _spend_from(self, instant: int, stage: str, cycles: int) -> int:
        if self.is_firmware:
            instant = max(instant, self.card.processor_free)
        start, end = self.clock.run(instant, cycles)
        self.simulation.spans.append(Span(self.name, stage, cycles, start, end))
        self.card.processor_free = end
        return end

    def dma(
        self, stage: str, bytes_: int, *, writes: bool = False, starts: bool = True
    ) -> Iterator[int | None]:
        """Move bytes over the bus; other masters may come between two transactions.

        If DMA engines need no start, who asks while one is busy has its place at the bus all the
        same.
        """
        engine = self.card.dma_engine(receives=self.name.endswith("nic-receive"))
        if engine:
            yield from engine.take(self)
        if starts or not self.tables.number("nic.dma_chaining"):
            yield from self.work(dma_start=self.tables.number("nic.dma_start"))
        law = self.tables.bus_write if writes else self.tables.bus_read
        *all_but_last, last = law(bytes_)
        for clocks in all_but_last:
            yield self.card.bus.transact(stage, clocks)
        end = self.card.bus.transact(stage, last)
        if engine:  # what waits for it goes on before what follows the transfer
            self.simulation.at(end, Turn.COMPLETION, self.component, engine.release)
        yield end

    def status(self) -> Iterator[int | None]:
        """Write the status of a descriptor."""
        yield from self.dma("status-write", self.tables.number("nic.status_bytes"), writes=True)

    def entry(self, kind: str, peer: int) -> Iterator[int | None]:
        """Write an entry into the completion queue, if there is one."""
        if self.card.has_cq:
            yield from self.dma("cq-write", self.tables.number("nic.cq_entry_bytes"), writes=True)
            self.card.queued((kind, peer))

    def descriptor(self, segments: int) -> Iterator[int | None]:
        """Get a descriptor."""
        if self.tables.word("nic.descriptor") == "pio-write":
            yield from self.work(descriptor_read=self.tables.number("nic.descriptor_read"))
        else:
            yield from self.dma("descriptor-fetch", self.tables.descriptor_lines(segments))

    def translate(
        self,
        message: Message,
        segments: int,
        before: Mapping[str, int] = NO_WORK,
        after: Mapping[str, int] = NO_WORK,
    ) -> Iterator[int | None]:
        """Translate the addresses of a message. What needs no transfer is one piece of work."""
        number = self.tables.number
        cycles = number("nic.tpt_lookup") + (segments - 1) * number("nic.tpt_segment")
        piece = [*before.items(), ("translate", cycles)]
        if self.tables.word("nic.translation") == "nic-cache":
            yield from self._look_up(message, piece)
        yield from self.pieces([*piece, *after.items()])

    def _look_up(self, message: Message, piece: list[tuple[str, int]]) -> Iterator[int | None]:
        """Look up the pages of a message, which begins where its region does.

        `piece` is the work that is not done yet: before, and after.
        """
        number = self.tables.number
        for page in range(up(message.size, number("os.page_bytes"))):
            piece.append(("translation_hit", number("nic.tlb_hit")))
            if page not in self.card.pages:
                piece.append(("translation_miss", number("nic.tlb_miss")))
                yield from self.pieces(piece)
                piece.clear()
                entries = number("nic.tlb_prefetch")
                bytes_ = entries * number("nic.tlb_entry_bytes")
                yield from self.dma("translation-fetch", bytes_)
                self.card.pages |= set(range(page, page + entries))


class SendEngine(Engine):
    """Takes doorbells one after the other, and hands the cells of each message to the wire."""

    def __init__(self, card: Card) -> None:
        self.posted: dict[int, deque[Message]] = {}  # by target
        self.doorbells: deque[int] = deque()  # targets
        self.paused: dict[int, int] = {}  # until when no message begins to a target
        number = card.tables.number
        cells = max(number("nic.dma_burst") // number("link.cell_payload"), 1)
        group_bytes = cells * number("link.cell_payload")
        self.room = number("nic.transmit_buffer") // group_bytes  # places for groups of cells
        super().__init__(Turn.SEND, "nic-send", card)

    def ring(self, target: int) -> None:
        """Take a doorbell that has arrived."""
        self.doorbells.append(target)
        self.wake()

    def pause(self, target: int) -> None:
        """Begin no message to a target for a while."""
        pause = self.tables.number("nic.feedback_pause") * PS_PER_US
        self.paused[target] = self.simulation.now + pause

    def serve(self) -> Iterator[int | None]:
        """Take doorbell after doorbell; one that has to wait rings again."""
        while True:
            while not self.doorbells:
                yield None
            target = self.doorbells.popleft()
            yield from self.work(doorbell_decode=self.tables.number("nic.doorbell_decode"))
            until = self.paused.get(target, 0)
            if until > self.simulation.now:
                self._ring_at(until, target)
            else:
                yield from self._send(self.posted[target].popleft())

    def _ring_at(self, instant: int, target: int) -> None:
        self.simulation.at(instant, Turn.PROCESS, self.component, lambda: self.ring(target))

    def _send(self, message: Message) -> Iterator[int | None]:
        segments = 2 if message.writes else 1  # one names the target's memory
        yield from self.descriptor(segments)
        number = self.tables.number
        built = {"segment": number("nic.segment_cell"), "residual": number("nic.send_residual")}
        yield from self.translate(message, segments, after=built)
        cut = Cut(self.tables, message.size)
        for first in range(0, cut.cells, cut.piece):
            end = cut.piece_end(first)
            groups = up(end - first, cut.group)
            while self.room < groups:
                yield None
            self.room -= groups
            for i, burst in enumerate(cut.reads(first, end)):
                starts = i == 0 and (cut.stores or first == 0)
                yield from self.dma("payload-read", burst, starts=starts)
            for place in range(first, end):
                self._hand_over(message, cut, place)

    def _hand_over(self, message: Message, cut: Cut, place: int) -> None:
        cell = Cell(message, place, cut.cells, cut.wire_bytes(place, place + 1))
        ends_group = place + 1 == cut.cells or (place + 1) % cut.group == 0

        def left(instant: int) -> None:
            simulation = self.simulation
            if ends_group:
                simulation.at(instant, Turn.COMPLETION, self.component, self._free)
            if place + 1 == cut.cells:
                done = SendCompletion(self.card, message)
                done.begin(done.serve(), instant)

        self.card.uplink.send(cell, self.simulation.now, left)

    def _free(self) -> None:
        self.room += 1
        self.wake()


class SendCompletion(Engine):
    """Completes a message whose last bit has left."""

    def __init__(self, card: Card, message: Message) -> None:
        self.message = message
        super().__init__(Turn.COMPLETION, "nic-send", card)

    def serve(self) -> Iterator[int | None]:
        """Write the status."""
        yield from self.status()
        self.card.sent(self.message)
        yield from self.entry("send", self.message.target)


class ReceiveEngine(Engine):
    """Takes cells in the order in which they have arrived, and places their payload."""

    def __init__(self, card: Card) -> None:
        self.cells: deque[Cell] = deque()
        self.stores = card.tables.word("nic.data") == "store-and-forward"
        number = card.tables.number
        self.places = number("link.go_mark") or number("link.credits")
        self.taken: dict[int, int] = {}  # receives, by source
        self.fetched: dict[tuple[int, int], int] = {}  # when a descriptor has been read ahead
        self.held: dict[int, int] = {}  # cells of an incomplete group, by their source
        self.placed: dict[int, int] = {}  # cells whose payload is written
        super().__init__(Turn.RECEIVE, "nic-receive", card)

    def take(self, cell: Cell) -> None:
        """Take a cell whose last bit has arrived; a card that stores messages has room for it."""
        self.cells.append(cell)
        if self.stores:
            self.card.downlink.return_credit(self.simulation.now)
        self.wake()

    def serve(self) -> Iterator[int | None]:
        """Handle cell after cell."""
        while True:
            while not self.cells:
                yield None
            yield from self._handle(self.cells.popleft())

    def _handle(self, cell: Cell) -> Iterator[int | None]:
        cut = Cut(self.tables, cell.message.size)
        source = cell.message.source
        if cell.place == 0:
            yield from self._begin(cell.message)
            self.placed[source] = self.held[source] = 0
        self.held[source] += 1
        seen = cell.place + 1
        if seen == cut.piece_end(cell.place) or self._is_full():
            yield from self._place(cell, cut)
        if seen == cut.cells and cell.message.writes:
            self.card.written(cell.message)
        elif seen == cut.cells:
            yield from self.status()
            self.card.received(cell.message)
            yield from self.entry("recv", source)

    def _begin(self, message: Message) -> Iterator[int | None]:
        number = self.tables.number
        first = {"demux": number("nic.receive_demux"), "residual": number("nic.receive_residual")}
        if message.writes:
            yield from self.translate(message, 1, before=first)
            return
        yield from self.work(**first)
        if self.tables.word("nic.descriptor") == "pio-write":
            read = {"descriptor_read": number("nic.descriptor_read")}
            yield from self.translate(message, 1, before=read)
            return
        yield from self._take_receive(message.source)
        yield from self.translate(message, 1)

    def _take_receive(self, source: int) -> Iterator[int | None]:
        """Take the next receive of a queue; the card reads some of them ahead."""
        ahead = self.tables.number("nic.descriptor_prefetch")
        taken = self.taken[source] = self.taken.get(source, -1) + 1
        if ahead == 0:
            yield from self.descriptor(1)
            return
        if taken + ahead < self.card.receives[source]:
            for clocks in self.tables.bus_read(self.tables.descriptor_lines(1)):
                end = self.card.bus.transact("descriptor-fetch", clocks)
            self.fetched[source, taken + ahead] = end
        yield max(self.fetched.get((source, taken), 0), self.simulation.now)

    def _is_full(self) -> bool:
        """Return whether cells that wait for the rest of their groups leave no room for another."""
        return not self.stores and sum(self.held.values()) + 1 > self.places

    def _place(self, cell: Cell, cut: Cut) -> Iterator[int | None]:
        """Write what has arrived of a message, and give back the room of its cells."""
        source = cell.message.source
        until = cut.bytes_until
        starts = self.stores or self.placed[source] == 0
        for burst in cut.bursts(until(self.placed[source]), until(cell.place + 1)):
            yield from self.dma("payload-write", burst, writes=True, starts=starts)
            starts = False
        for _ in range(0 if self.stores else self.held[source]):
            self.card.downlink.return_credit(self.simulation.now)
        self.held[source] = 0
        self.placed[source] = cell.place + 1


class Card:
    """A card with its wires and its bus."""

    def __init__(
        self,
        simulation: Simulation,
        tables: Tables,
        node: int,
        clock: Clock,
        bus: Bus,
        wires: tuple[Wire, Wire],
    ) -> None:
        self.simulation = simulation
        self.tables = tables
        self.node = node
        self.clock = clock
        self.bus = bus
        self.uplink, self.downlink = wires
        self.pages: set[int] = set()  # whose translation the card has, of a cache with room for all
        self.processor_free = 0  # of firmware, which runs both engines
        self.sent: Callable[[Message], None] = lambda message: None
        self.receives: dict[int, int] = {}  # posted for each source
        self.has_cq = False
        self.queued: Callable[[tuple[str, int]], None] = lambda queue: None
        self.written: Callable[[Message], None] = lambda message: None
        self.received: Callable[[Message], None] = lambda message: None
        self.dma_engines = (DmaEngine(), DmaEngine())
        self.sender = SendEngine(self)
        self.receiver = ReceiveEngine(self)
        self.sender.begin(self.sender.serve())
        self.receiver.begin(self.receiver.serve())

    def dma_engine(self, *, receives: bool) -> DmaEngine | None:
        """Return what moves data for one side; None if nobody ever waits for it."""
        is_one = self.tables.number("nic.dma_engines") == 1
        if self.tables.number("nic.dma_start") == 0 and not is_one:
            return None
        return self.dma_engines[1 if receives and not is_one else 0]
