# SPDX-License-Identifier: GPL-2.0-only
"""A star of hosts around one switch."""

from __future__ import annotations

from collections.abc import Mapping

from cycle_tables import Tables

from .card import Bus, Card
from .fabric import InputSwitch, MarkedWire, Message, OutputSwitch, Switch, Wire
from .program import Life, Program, Script, peers
from .time import PS_PER_SECOND, Clock, Simulation, Span, Turn

CPU, BUS, NIC, UPLINK = range(4)  # numbers of a host's clocks
CROSSBAR = 0  # of a switch's; its port p has p + 1


class Star:
    """Hosts around a switch.

    Before the scripts begin, each host has sent a message to each of its peers, in the order of
    hosts.

    Args:
        scripts: what the program of each host does.
        profile: the product.
        seed: of the phases of all clocks.
        changes: other values for keys of the profile.
    """

    def __init__(
        self,
        scripts: list[Script],
        profile: str = "giganet-clan1000",
        seed: int = 1,
        changes: Mapping[str, object] | None = None,
    ) -> None:
        self.simulation = Simulation()
        self.tables = Tables(profile, changes=changes)
        self.seed = seed
        self.nodes = len(scripts)
        self.switch = self._switch(scripts)
        self.programs = [self._host(node, scripts) for node in range(self.nodes)]

    def run(self) -> None:
        """Simulate until nothing is left to do."""
        self.simulation.run()

    @property
    def spans(self) -> list[Span]:
        """All work, in the order of time."""
        return sorted(self.simulation.spans, key=lambda span: (span.start_ps, span))

    @property
    def lives(self) -> list[Life]:
        """All messages that were received."""
        return sorted(life for program in self.programs for life in program.lives)

    def _clock(self, engine: str, component: int, number: int) -> Clock:
        return Clock.seeded(self.tables.clock(engine), self.seed, component, number)

    def _switch(self, scripts: list[Script]) -> Switch:
        clock = self._clock("crossbar", self.nodes, CROSSBAR)
        if self.tables.word("switch.queueing") != "output":
            served = {node: max(peers(scripts, node), default=0) for node in range(self.nodes)}
            return InputSwitch(self.simulation, self.tables, self.nodes, clock, served)
        switch = OutputSwitch(self.simulation, self.tables, self.nodes, clock)
        if self.tables.word("switch.feedback") == "source":
            switch.notify = self._notify
        return switch

    def _host(self, node: int, scripts: list[Script]) -> Program:
        simulation, tables = self.simulation, self.tables
        has_marks = tables.word("link.flow_control") in ("stop-and-go", "pause")
        wire = MarkedWire if has_marks else Wire
        up_clock = self._clock("link", node, UPLINK)
        up = wire(simulation, tables, f"n{node}.link", up_clock, (self.nodes, node))
        down_clock = self._clock("link", self.nodes, node + 1)
        down = wire(simulation, tables, "s0.link", down_clock, (node, 0))
        bus = Bus(simulation, f"n{node}.bus", self._clock("bus", node, BUS))
        card = Card(simulation, tables, node, self._clock("nic-send", node, NIC), bus, (up, down))
        down.tail_arrives = card.receiver.take
        self.switch.connect(node, up, down)
        return Program(simulation, tables, node, self._clock("cpu", node, CPU), card, scripts)

    def _notify(self, message: Message) -> None:
        """Tell a source of a full output, as late as the shortest cell would."""
        number, clock = self.tables.number, self.tables.clock
        cycles = number("switch.latency") / clock("crossbar")
        cycles += number("link.cell_bytes") / clock("link")
        instant = self.simulation.now + int(cycles * PS_PER_SECOND) + self.tables.flight_ps()
        sender = self.programs[message.source].card.sender
        self.simulation.at(
            instant, Turn.ARRIVAL, message.source, lambda: sender.pause(message.target)
        )
