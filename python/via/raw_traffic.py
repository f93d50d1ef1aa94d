# SPDX-License-Identifier: GPL-2.0-only
"""Raw traffic over a fabric: sources and sinks at the ports, without hosts and NICs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from via import _core
from via._base import kinds
from via._base.quantiles import quantile_us
from via._base.units import between, whole
from via.cluster import alone
from via.errors import refuse

_ALL = 1_000_000  # loads and shares are integers, parts of a million: no float affects a run
MAX_NODES = 4096
MAX_SLOTS = 1_000_000_000


@dataclass(frozen=True, eq=False)  # arrays have no single answer to ==
class Traffic:
    """Measurements at the sinks of a fabric.

    Attributes:
        throughput: share of the capacity of the nodes' wires that was used while measuring.
        bound: share at which the busiest wire of the fabric is full if all sources send equally.
        latencies_ps: latencies, in rising order, of the packets created while measuring: from
            creation to the last bit.
        sent: cells sent since the first slot; delivered, dropped (by switches), spoiled (by wires):
            what became of them. vanished: how many of the spoiled were lost, not damaged.
        disordered: packets that arrived before one that had left the same node earlier.
        held: packets that waited at the destination for an earlier one (adaptive routes).
        hops: cells that switches forwarded; packet_hops: packets.
        events: simulator events.
        notices: congestion notices from switches to sources (`switch.feedback`).
        stalls: cells that waited at the input of a switch.
        peak_fill: cells in the fullest buffer of a switch.
        slot_ps: duration of a slot, the time of a packet on the wire.
        digest: digest of the run, 32 hexadecimal digits.
    """

    topology: str
    nodes: int
    throughput: float
    bound: float
    latencies_ps: NDArray[np.int64]
    sent: int
    delivered: int
    dropped: int
    spoiled: int
    vanished: int
    disordered: int
    held: int
    hops: int
    packet_hops: int
    events: int
    notices: int
    stalls: int
    peak_fill: int
    slot_ps: int
    digest: str

    def latency_us(self, share: float = 0.5) -> float:
        """Return the least latency, in us, that this share of the packets does not exceed.

        It is NaN if no packet arrived.

        Raises:
            ConfigError: the share is not 0 to 1.
        """
        share = between("share", share, 0, 1)
        return quantile_us(self.latencies_ps, share) if len(self.latencies_ps) else float("nan")

    def mean_slots(self) -> float:
        """Return the mean latency in slots; NaN if no packet arrived."""
        if not len(self.latencies_ps):
            return float("nan")
        return float(np.mean(self.latencies_ps)) / self.slot_ps

    @property
    def events_per_hop(self) -> float:
        """Simulator events per packet that a switch forwarded."""
        return self.events / self.packet_hops if self.packet_hops else 0.0


def traffic(
    topology: str = "crossbar",
    nodes: int = 8,
    profile: str = "giganet-clan1000",
    *,
    pattern: str = "uniform",
    load: float = 1.0,
    hot_share: float = 0.1,
    packet_cells: int = 1,
    slots: int = 10_000,
    warm_up: int = 1_000,
    seed: int = 1,
    vanish: int = 0,
    slotted: bool = False,
    reference: bool = False,
    overrides: Mapping[str, object] | None = None,
) -> Traffic:
    """Send packets through a fabric and measure what arrives.

    Args:
        topology: the name of a topology, as for Cluster.
        nodes: number of sources and sinks, 2 to 4096.
        profile: the product with these links and switches.
        pattern: uniform, transpose, bit-complement, hot-spot, all-to-all or permutation.
        load: packets that a node offers per slot, more than 0, at most 1; 1: one always waits.
        hot_share: for hot-spot, the share of all packets that goes to node 0.
        packet_cells: full cells per packet, 1 to 64.
        slots: slots in which to measure; a slot is the time of a packet on the wire.
        warm_up: slots before measuring.
        seed: the seed of all randomness, including the clocks' phases.
        vanish: cells lost on each wire, of 10^9.
        slotted: all clocks are in phase: packets are created and arrive together.
        reference: simulate an event for each cell.
        overrides: other values for profile keys.

    Raises:
        ConfigError: an argument is out of range or unknown.
    """
    config = _core.TrafficConfig()
    config.topology = kinds.text("topology", topology)
    config.nodes = whole("nodes", nodes, 2, MAX_NODES)
    config.profile = kinds.text("profile", profile)
    config.overrides = {
        kinds.text("overrides", key): kinds.written("overrides", value)
        for key, value in kinds.mapping("overrides", overrides).items()
    }
    config.slotted = kinds.flag("slotted", slotted)
    config.reference = kinds.flag("reference", reference)
    config.set_pattern(kinds.text("pattern", pattern))
    config.set_load(_share("load", load))
    config.set_hot_share(_share("hot_share", hot_share))
    config.set_packet_cells(whole("packet_cells", packet_cells, 1, 64))
    config.set_slots(whole("warm_up", warm_up, 0, MAX_SLOTS), whole("slots", slots, 1, MAX_SLOTS))
    config.set_seed(whole("seed", seed, 0, 2**63))
    config.set_vanish(whole("vanish", vanish, 0, 10**9))
    with alone():
        done = _core.run_traffic(config)
    return Traffic(
        done.topology, done.nodes, done.throughput / _ALL, done.bound / _ALL, done.latencies,
        done.sent, done.delivered, done.dropped, done.spoiled, done.vanished, done.disordered,
        done.held, done.hops, done.packet_hops, done.events, done.notices, done.stalls,
        done.peak_fill, done.slot_ps, done.digest,
    )  # fmt: skip


def _share(option: str, value: float) -> int:
    parts = round(between(option, value, 0, 1) * _ALL)
    if not 0 <= parts <= _ALL or (option == "load" and parts == 0):
        raise refuse(option, value, "more than 0, at most 1" if option == "load" else "0 to 1")
    return parts
