# SPDX-License-Identifier: GPL-2.0-only
"""The stages that may follow each other on the critical path of a message, and their cost.

The stages of a message form a net of dependences: while one part is read, the previous part is on
the wire. The critical path is one path through the net. `Net` gives the possible next steps for
each state; a path is right if each of its steps is possible in its state.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from cycle_tables import Cut, Step, Tables

State = tuple
Move = tuple[Step | None, State]  # None: no cost

START: State = ("start",)
END: State = ("end",)


def step(stage: str, owner: str, cycles: int) -> Step:
    return Step(stage, owner, cycles, cycles)


class Net:
    """The stages of one message.

    Args:
        tables: the tables of the run.
        op: "send" or "rdma-write".
        size: payload in bytes, in one segment.
        vis: the largest number of open VIs on the sender's card.
    """

    def __init__(self, tables: Tables, op: str, size: int, vis: int = 1) -> None:
        self.tables = tables
        self.cut = Cut(tables, size)
        self.is_write = op == "rdma-write"
        self.pages = tables.pages(size)
        self.is_empty = size == 0
        self.vis = vis
        self.moves = cache(self._moves)

    def _moves(self, state: State) -> tuple[Move, ...]:
        name = state[0].replace("-", "_")
        return tuple(getattr(self, f"_{name}")(*state[1:]))

    # ---- building blocks

    def _chain(self, steps: tuple[Step, ...], then: State) -> Iterator[Move]:
        if not steps:
            yield None, then
            return
        if steps[0].least == 0:  # a step without cost has no row
            yield None, ("chain", steps[1:], then)
        if steps[0].most > 0:
            yield steps[0], ("chain", steps[1:], then)

    def _end(self) -> Iterator[Move]:
        return iter(())

    def _dma(
        self, stage: str, engine: str, bytes_: int, *, starts: bool = True, ahead: bool = False
    ) -> list[Step]:
        side = "src" if engine == "nic-send" else "dst"
        writes = stage in ("payload-write", "status-write", "cq-write")
        bus = self.tables.bus_write(bytes_) if writes else self.tables.bus_read(bytes_)
        least = self.tables.bus_read_on(bytes_) if ahead else bus
        start = self.tables.number("nic.dma_start") if starts else 0
        work = [Step(stage, f"{side}.bus", *each) for each in zip(least, bus, strict=True)]
        return [step("dma-start", f"{side}.{engine}", start), *work]

    def _payload(self, stage: str, engine: str, bursts: list[int], *, begins: bool) -> list[Step]:
        """Return the steps of a DMA; a chaining card starts its engine only for the first part."""
        chains = self.tables.number("nic.dma_chaining")
        asks = stage == "payload-read" and self.tables.number("nic.read_ahead") > 0
        return [
            each
            for i, burst in enumerate(bursts)
            for first in [begins and i == 0]
            for each in self._dma(
                stage, engine, burst, starts=not chains or first, ahead=asks and not first
            )
        ]

    def _nic(self, engine: str, **stages: str) -> list[Step]:
        side = "src" if engine == "nic-send" else "dst"
        return [
            step(stage.replace("_", "-"), f"{side}.{engine}", self.tables.number(key))
            for stage, key in stages.items()
        ]

    def _upkeep(self) -> Step:
        """Return what may be left of the upkeep of the message received before."""
        return Step("complete", "dst.nic-receive", 0, self.tables.number("nic.receive_upkeep"))

    def _cpu(self, side: str, stage: str, key: str) -> Step:
        return step(stage, f"{side}.cpu", self.tables.number(key))

    def _kernel_pages(self, side: str) -> Step:
        per_page = self.tables.number("vipl.kernel_translate")
        least, most = (pages * per_page for pages in self.pages)
        return Step("kernel-translate", f"{side}.cpu", least, most)

    def _translated(self, engine: str, segments: int, then: State) -> Iterator[Move]:
        """Yield the checks of the segments in order; with a cache, also each page's look-up."""
        number = self.tables.number
        lookup = number("nic.tpt_lookup") + (segments - 1) * number("nic.tpt_segment")
        side = "src" if engine == "nic-send" else "dst"
        table = (step("translate", f"{side}.{engine}", lookup),)
        is_cached = self.tables.word("nic.translation") == "nic-cache"
        yield None, ("chain", table, ("page", 0, engine, then) if is_cached else then)

    def _page(self, done: int, engine: str, then: State) -> Iterator[Move]:
        least, most = self.pages
        if done >= least:
            yield None, then
        if done < most:
            hit = tuple(self._nic(engine, translation_hit="nic.tlb_hit"))
            yield None, ("chain", hit, ("found", done + 1, engine, then))

    def _found(self, done: int, engine: str, then: State) -> Iterator[Move]:
        yield None, ("page", done, engine, then)
        number = self.tables.number
        entries = number("nic.tlb_prefetch") * number("nic.tlb_entry_bytes")
        miss = self._nic(engine, translation_miss="nic.tlb_miss")
        fetch = self._dma("translation-fetch", engine, entries)
        yield None, ("chain", (*miss, *fetch), ("page", done, engine, then))

    def _descriptor(self, engine: str, then: State) -> Iterator[Move]:
        """Yield the fetch of a descriptor; a prefetched one has no cost."""
        kind = self.tables.word("nic.descriptor")
        is_ahead = engine == "nic-receive" and self.tables.number("nic.descriptor_prefetch") > 0
        if kind == "pio-write":
            read = self._nic(engine, descriptor_read="nic.descriptor_read")
            yield None, ("chain", tuple(read), then)
            return
        fetched = self._dma("descriptor-fetch", engine, self._descriptor_lines(engine))
        yield None, ("chain", tuple(fetched), then)
        if is_ahead:
            yield None, then

    def _segments(self) -> int:
        """Return the segments of the sender's descriptor: an RDMA write has one for the address."""
        return 2 if self.is_write else 1

    def _descriptors(self) -> Iterator[int]:
        """Yield the possible sizes of the sender's descriptor: an empty message may lack data."""
        yield self.tables.descriptor_bytes(self._segments())
        if self.is_empty:
            yield self.tables.descriptor_bytes(self._segments() - 1)

    def _descriptor_lines(self, engine: str) -> int:
        return self.tables.descriptor_lines(self._segments() if engine == "nic-send" else 1)

    # ---- the sender

    def _start(self) -> Iterator[Move]:
        steps = [self._cpu("src", "post-send", "vipl.post_send")]
        if self.tables.is_kernel():
            trap = step("trap", "src.cpu", self.tables.trap())
            checks = self._cpu("src", "kernel-descriptor", "vipl.kernel_descriptor")
            steps += [trap, checks, self._kernel_pages("src")]
            yield None, ("chain", tuple(steps), ("frame", 0))
            return
        if self.tables.word("nic.descriptor") != "pio-write":
            yield None, ("chain", (*steps, *self._doorbell()), ("rung",))
            return
        for bytes_ in self._descriptors():
            stores = self.tables.bus_store(bytes_)
            written = [step("descriptor-write", "src.bus", clocks) for clocks in stores]
            yield None, ("chain", (*steps, *written, *self._doorbell()), ("rung",))

    def _doorbell(self) -> list[Step]:
        return [step("doorbell", "src.bus", clocks) for clocks in self.tables.bus_store(1)]

    def _frame(self, frame: int) -> Iterator[Move]:
        """Yield the kernel's work on a frame; the card may take each frame after its doorbell."""
        steps = [self._cpu("src", "kernel-send", "vipl.kernel_send")]
        bytes_ = self._frame_bytes(frame)
        if self.tables.number("nic.send_copy") and bytes_:
            steps.append(step("copy", "src.cpu", self.tables.copy(bytes_)))
        if frame + 1 < self.cut.cells:
            yield None, ("chain", tuple(steps), ("frame", frame + 1))
        told = (*steps, *self._doorbell())
        yield None, ("chain", told, ("read", frame))
        if frame == 0:
            yield None, ("chain", told, ("rung",))

    def _frame_bytes(self, frame: int) -> int:
        return self.cut.bytes_until(frame + 1) - self.cut.bytes_until(frame)

    def _rung(self) -> Iterator[Move]:
        decode = tuple(self._nic("nic-send", doorbell_decode="nic.doorbell_decode"))
        if self.tables.word("nic.doorbell") == "polled-word":
            look = self.tables.number("nic.poll_vi")
            sweep = self.tables.number("nic.poll_loop") + look * self.vis
            decode = (Step("doorbell-scan", "src.nic-send", look, sweep + look), *decode)
        built = ("built",)
        if self.tables.is_kernel():
            yield None, ("chain", decode, built)
        else:
            then = ("translated", "nic-send", self._segments(), built)
            yield None, ("chain", decode, ("descriptor", "nic-send", then))

    def _built(self) -> Iterator[Move]:
        stages = self._nic("nic-send", segment="nic.segment_cell", residual="nic.send_residual")
        yield None, ("chain", tuple(stages), ("read", 0))

    def _read(self, cell: int) -> Iterator[Move]:
        """Yield the read of a piece; it is sent while the next one is read."""
        end = self.cut.piece_end(cell)
        begins = self.cut.stores or cell == 0
        bursts = self.cut.reads(cell, end)
        steps = self._payload("payload-read", "nic-send", bursts, begins=begins)
        if self.tables.is_kernel():
            entry = self.tables.number("nic.ring_entry_bytes")
            steps = self._dma("ring-fetch", "nic-send", entry) + steps
        yield None, ("chain", tuple(steps), ("collected", cell, end))

    def _collected(self, cell: int, end: int) -> Iterator[Move]:
        for first in range(cell, end):  # a lack of credits cuts a group anywhere
            yield None, ("wire", "src.link", first)
        if end < self.cut.cells:
            yield None, ("read", end)

    # ---- the fabric

    def _wire(self, link: str, cell: int) -> Iterator[Move]:
        if self.tables.word("switch.forwarding") != "store-and-forward":
            yield step("propagate", link, 0), ("switched", cell)
        for end in range(cell + 1, self.cut.group_end(cell) + 1):
            sent = step("serialize", link, self.cut.wire_bytes(cell, end))
            yield sent, ("sent", link, cell, end)
        if self.cut.wires > 1 and cell + 1 < self.cut.cells:
            yield None, ("wire", link, cell + 1)  # on another wire, not earlier

    def _sent(self, link: str, cell: int, end: int) -> Iterator[Move]:
        last = self.cut.cells
        behind = cell + self.cut.wires if self.cut.wires > 1 else end
        if behind < last:
            yield None, ("wire", link, behind)
        flies = step("propagate", link, 0)
        if end == cell + 1:
            yield flies, ("switched", cell)
            if cell == 0:
                yield flies, ("head",)
        for arrived in range(end, min(end + self.cut.wires - 1, last) + 1):
            yield flies, ("tail", arrived)  # a cell cannot overtake: it arrives with the one before

    def _switched(self, cell: int) -> Iterator[Move]:
        latency = self.tables.number("switch.latency")
        yield step("switch", "crossbar", latency), ("wire", "link", cell)
        if cell > 0:
            yield step("switch", "crossbar", 0), ("wire", "link", cell)  # the way is open

    # ---- the receiver

    def _head(self) -> Iterator[Move]:
        if self.tables.is_kernel():
            return  # frames are handled as a whole
        yield None, ("chain", tuple(self._noticed()), ("known",))

    def _noticed(self) -> list[Step]:
        demux = self._nic("nic-receive", demux="nic.receive_demux")
        rest = self._nic("nic-receive", residual="nic.receive_residual")
        return [*demux, self._upkeep(), *rest]

    def _known(self) -> Iterator[Move]:
        place = ("place", 0)
        if self.is_write:
            yield None, ("translated", "nic-receive", 1, place)
            taken = ("descriptor", "nic-receive", place)
            yield None, ("translated", "nic-receive", 1, taken)
        else:
            then = ("translated", "nic-receive", 1, place)
            yield None, ("descriptor", "nic-receive", then)

    def _tail(self, cell: int) -> Iterator[Move]:
        if self.tables.is_kernel():
            yield None, ("ring", cell - 1)
        elif cell == self.cut.piece_end(cell - 1):
            yield None, ("place", (cell - 1) // self.cut.piece * self.cut.piece)

    def _place(self, cell: int) -> Iterator[Move]:
        end = self.cut.piece_end(cell)
        until = self.cut.bytes_until
        bursts = self.cut.bursts(until(cell), until(end))
        begins = self.cut.stores or cell == 0
        steps = self._payload("payload-write", "nic-receive", bursts, begins=begins)
        placed = ("placed",) if end == self.cut.cells else ("place", end)
        yield None, ("chain", tuple(steps), placed)

    def _placed(self) -> Iterator[Move]:
        if self.is_write:
            yield None, END
        number = self.tables.number
        status = tuple(self._dma("status-write", "nic-receive", number("nic.status_bytes")))
        entry = tuple(self._dma("cq-write", "nic-receive", number("nic.cq_entry_bytes")))
        yield None, ("chain", status, ("visible",))
        yield None, ("chain", (*status, *entry), ("queued",))

    def _ring(self, frame: int) -> Iterator[Move]:
        """Yield the card's write of a frame, the first with the header, into the kernel's ring."""
        steps: list[Step] = []
        bytes_ = self._frame_bytes(frame)
        if frame == 0:
            bytes_ += max(self.cut.header, 1)
            steps += self._noticed()
        steps += self._dma("ring-fetch", "nic-receive", self.tables.number("nic.ring_entry_bytes"))
        bursts = self.cut.bursts(0, bytes_)
        steps += self._payload("payload-write", "nic-receive", bursts, begins=True)
        yield None, ("chain", tuple(steps), ("ringed", frame))

    def _ringed(self, frame: int) -> Iterator[Move]:
        if frame + 1 < self.cut.cells:
            yield None, ("ring", frame + 1)
        yield None, ("chain", (self._interrupt(),), ("handled", frame))
        yield None, ("handled", frame)  # the handler runs already

    def _handled(self, frame: int) -> Iterator[Move]:
        steps = [self._cpu("dst", "kernel-receive", "vipl.kernel_receive")]
        then = ("copied",) if frame + 1 == self.cut.cells else ("handled", frame + 1)
        bytes_ = self._frame_bytes(frame)
        copy = (step("copy", "dst.cpu", self.tables.copy(bytes_) if bytes_ else 0),)
        if frame > 0:
            yield None, ("chain", (*steps, *copy), then)
            return
        steps.append(self._cpu("dst", "kernel-residual", "vipl.kernel_residual"))
        checks = self._cpu("dst", "kernel-descriptor", "vipl.kernel_descriptor")
        pages = self._kernel_pages("dst")
        if self.is_write:
            yield None, ("chain", (*steps, pages, *copy), then)
            yield None, ("chain", (*steps, pages, checks, *copy), then)
        else:
            yield None, ("chain", (*steps, checks, pages, *copy), then)

    def _copied(self) -> Iterator[Move]:
        yield None, ("visible",)
        yield None, ("queued",)
        if self.is_write:
            yield None, END

    # ---- the program that receives

    def _visible(self) -> Iterator[Move]:
        reap = (
            self._cpu("dst", "cache-miss", "cpu.cache_miss"),
            self._cpu("dst", "reap", "vipl.done_hit"),
        )
        yield None, ("chain", reap, END)
        yield None, ("chain", (self._interrupt(), *reap), END)

    def _interrupt(self) -> Step:
        return self._cpu("dst", "interrupt", "os.interrupt")

    def _queued(self) -> Iterator[Move]:
        seen = (
            self._cpu("dst", "cache-miss", "cpu.cache_miss"),
            self._cpu("dst", "cq-reap", "vipl.cq_done_hit"),
        )
        yield None, ("chain", seen, ("told",))
        yield None, ("chain", (self._interrupt(), *seen), ("told",))

    def _told(self) -> Iterator[Move]:
        """Yield the program's work from the notification to the reap."""
        yield None, ("visible",)
        for stage in ("compute", "clock-call", "poll", "cq-poll"):
            yield Step(stage, "dst.cpu", 1, 10**12), ("told",)
