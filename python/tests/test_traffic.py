# SPDX-License-Identifier: GPL-2.0-only
"""Raw traffic over a fabric."""

from __future__ import annotations

from math import isnan

import pytest
import via
from via.errors import ConfigError

SLOTS = {"switch.clock": "125 MHz", "switch.latency": 53, "link.credits": 4096}
FIFO = {**SLOTS, "switch.queueing": "fifo", "switch.arbitration": "round-robin"}


def test_what_is_sent_is_delivered():
    run = via.traffic("crossbar", 4, load=0.5, slots=500)
    assert run.sent == run.delivered > 800
    assert run.throughput == pytest.approx(0.5, abs=0.05)
    assert run.latency_us(0) <= run.latency_us() <= run.latency_us(1)


@pytest.mark.parametrize("share", [0.5, 0.9, 0.99, 0.999])
def test_a_latency_is_the_least_that_this_share_of_the_packets_does_not_exceed(share):
    run = via.traffic("crossbar", 4, load=0.9, slots=30, warm_up=0)
    parts = {ps: (run.latencies_ps <= ps).mean() for ps in run.latencies_ps.tolist()}
    assert len(run.latencies_ps) % 100 != 0
    least = min(ps for ps, part in parts.items() if part >= share)
    assert round(run.latency_us(share) * 1e6) == least


def test_a_share_that_is_none_is_refused():
    run = via.traffic("crossbar", 4, slots=1)
    for wrong in ("x", None, -0.1, 1.1):
        with pytest.raises(ConfigError, match="^share = "):
            run.latency_us(wrong)


def test_where_no_packet_arrives_there_is_no_latency():
    run = via.traffic("crossbar", 4, slots=10, warm_up=0, vanish=10**9)
    assert run.sent > run.delivered == 0
    assert isnan(run.latency_us()) and isnan(run.mean_slots())


def test_a_measurement_is_equal_to_itself_alone():
    one, other = (via.traffic("crossbar", 4, slots=20) for _ in range(2))
    assert one == one and one != other and {one, other} == {other, one}


def test_the_same_call_gives_the_same_digest():
    runs = [via.traffic(slots=200, seed=seed) for seed in (1, 1, 2)]
    assert runs[0].digest == runs[1].digest != runs[2].digest


def test_input_queues_saturate_and_output_queues_do_not():
    fifo = via.traffic("crossbar", 16, "ideal", slots=800, slotted=True, overrides=FIFO)
    free = via.traffic("crossbar", 16, "ideal", slots=800, slotted=True, overrides=SLOTS)
    assert 0.55 < fifo.throughput < 0.65 < 0.95 < free.throughput


def test_drop_tail_accounts_for_each_cell():
    few = {"switch.buffer_cells": 8}
    run = via.traffic("crossbar", 8, "mvia-tulip", pattern="hot-spot", slots=500, overrides=few)
    assert run.dropped > 0
    assert run.sent == run.delivered + run.dropped
    assert run.peak_fill == 8


def test_cells_that_bit_errors_damage_are_accounted_for():
    bad = {"link.bit_errors": 1_000_000_000}  # 1 in a million
    got = via.traffic("crossbar", 4, load=0.5, slots=5000, overrides=bad)
    assert got.spoiled > got.vanished == 0
    assert got.sent == got.delivered + got.dropped + got.spoiled


def test_the_bound_is_that_of_the_busiest_wire():
    assert via.traffic("crossbar", 8, slots=1).bound == 1
    hot = via.traffic("crossbar", 8, pattern="hot-spot", hot_share=1, slots=1)
    assert hot.bound == pytest.approx(1 / 7, abs=0.001)


def test_events_are_told_for_each_hop():
    assert via.traffic("crossbar", 4, load=0.1, slots=500).events_per_hop == 3


def test_feedback_lets_the_tree_of_full_buffers_drain():
    hot = {"pattern": "hot-spot", "hot_share": 0.3, "load": 0.4, "slots": 3000}
    feedback = {"switch.feedback": "source", "switch.feedback_mark": 64}
    saturated = via.traffic("fat-tree:k=4,n=2", 16, **hot, overrides={"switch.feedback": "none"})
    controlled = via.traffic("fat-tree:k=4,n=2", 16, **hot, overrides=feedback)
    assert saturated.notices == 0 < controlled.notices
    assert controlled.latency_us(0.5) < saturated.latency_us(0.5) / 10
    assert controlled.throughput > saturated.throughput


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"load": 0}, "load"),
        ({"load": 1.5}, "load"),
        ({"nodes": 1}, "nodes"),
        ({"packet_cells": 65}, "packet_cells"),
        ({"slots": 0}, "slots"),
        ({"pattern": "sideways"}, "traffic pattern = sideways: one of uniform, transpose"),
        ({"pattern": "transpose", "nodes": 8}, "a square"),
        ({"pattern": "bit-complement", "nodes": 6}, "a power of two"),
        ({"topology": "star,rails=2"}, "rails = 2"),
    ],
)
def test_what_cannot_be_is_refused(wrong, said):
    with pytest.raises(ConfigError, match=said):
        via.traffic(**{"nodes": 4, "slots": 10, **wrong})


@pytest.mark.parametrize(
    ("topology", "hosts", "profile", "given"),
    [
        ("crossbar", 4, "mx-e", {"load": 0.5, "packet_cells": 2, "slots": 200, "seed": 4497}),
        ("crossbar", 4, "mx-e", {"load": 1.0, "packet_cells": 5, "slots": 50, "seed": 3}),
        ("fat-tree:k=4,n=2", 8, "gm2-lanai2xp",
         {"load": 0.9, "packet_cells": 2, "slots": 50, "seed": 4966}),
    ],
)  # fmt: skip
def test_worms_on_two_wires_have_the_digest_of_the_reference_mode(topology, hosts, profile, given):
    told = [
        via.traffic(topology, hosts, profile, warm_up=0, slotted=True, reference=reference, **given)
        for reference in (False, True)
    ]
    assert told[0].digest == told[1].digest
    assert (told[0].delivered, told[0].stalls) == (told[1].delivered, told[1].stalls)


@pytest.mark.parametrize("profile", ("mx-e", "gm2-lanai2xp"))
def test_what_is_lost_on_wormhole_switches_has_the_digest_of_the_reference_mode(profile):
    given = {"pattern": "uniform", "load": 0.5, "packet_cells": 2, "slots": 50, "warm_up": 0}
    told = [
        via.traffic(
            "crossbar", 4, profile, seed=2223, vanish=10**8, slotted=True, reference=ref, **given
        )
        for ref in (False, True)
    ]
    assert told[0].digest == told[1].digest
    assert (told[0].delivered, told[0].stalls) == (told[1].delivered, told[1].stalls)
