# SPDX-License-Identifier: GPL-2.0-only
"""An oracle of another make, written from the tables alone, agrees with via to the picosecond.

`differences` compares all work of all parts, edge by edge, and the life of each message.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from oracle import Compute, Post, Script, Star
from oracle_runs import SET_UP_PS, differences, lives_of, other_case, played, random_case

SIZES = (0, 1, 8, 40, 48, 100, 1000, 4096, 20000)
LATER_PS = 5000
ALIKE = 47693  # a seed with which the wires of nodes 1 and 2 have one phase
# cells; packets in an output's queue; packets in an input's queue, which outputs serve in turn
PRODUCTS = ("giganet-clan1000", "synfinity", "servernet1", "servernet2")
CLAN, _, SERVERNET, _ = PRODUCTS
MARKS: dict[str, object] = {"link.stop_mark": 24, "link.go_mark": 16}
STORED: dict[str, object] = {"nic.data": "store-and-forward", "nic.store_bytes": 1536}
FIRMWARE: dict[str, object] = {"nic.processor": "firmware"}
CACHED: dict[str, object] = {
    "nic.translation": "nic-cache",
    "nic.tlb_entries": 1024,
    "nic.tlb_ways": 4,
    "nic.tlb_replacement": "lru",
    "nic.tlb_prefetch": 1,
    "nic.tlb_entry_bytes": 8,
    "nic.tlb_hit": 16,
    "nic.tlb_miss": 20,
}
WRITTEN: dict[str, object] = {"nic.descriptor": "pio-write", "nic.descriptor_read": 60}
READ_AHEAD: dict[str, object] = {"nic.descriptor_prefetch": 1}
STARTS: dict[str, object] = {"nic.dma_start": 20}
BURSTS: dict[str, object] = {"nic.dma_burst": 1536, "nic.transmit_buffer": 6144}
# of a product, and what else is different
MECHANISMS: dict[str, tuple[str, dict[str, object]]] = {
    "stored-cells": (CLAN, {"switch.forwarding": "store-and-forward"}),
    "stored-messages": (CLAN, STORED),
    "firmware": (CLAN, FIRMWARE),
    "stop-and-go": (CLAN, MARKS | {"link.flow_control": "stop-and-go"}),
    "pause": (CLAN, MARKS | {"link.flow_control": "pause", "link.pause_quanta": 100}),
    "oldest-first": (SERVERNET, {"switch.arbitration": "oldest-first"}),
    "voq": (
        SERVERNET,
        {"switch.arbitration": "oldest-first", "switch.queueing": "voq"},
    ),
    "long-packets": (SERVERNET, {"link.packet_cells": 4}),
    "like-Myrinet": (
        SERVERNET,
        FIRMWARE
        | STORED
        | {"link.packet_cells": 3, "link.flow_control": "stop-and-go"}
        | {"nic.store_bytes": 512, "link.stop_mark": 12, "link.go_mark": 8},
    ),
    "bursts": (CLAN, BURSTS),
    "starts": (CLAN, STARTS),
    "chained-starts": (CLAN, STARTS | {"nic.dma_chaining": 1}),
    "one-engine": (CLAN, STARTS | {"nic.dma_engines": 1}),
    "written-descriptors": (CLAN, WRITTEN),
    "descriptors-read-ahead": (CLAN, READ_AHEAD),
    "cached-translations": (CLAN, CACHED),
    "like-berkeley-via": (CLAN, FIRMWARE | STORED | WRITTEN | STARTS),
    "all-of-a-bus": (CLAN, FIRMWARE | WRITTEN | CACHED | STARTS | BURSTS),
}
# a number of each part, and another value for it
NUMBERS = {
    "vipl.post_send": 181,
    "vipl.done_miss": 61,
    "vipl.done_hit": 151,
    "cpu.cache_miss": 59,
    "vipl.wait_enter": 601,
    "os.interrupt": 1336,
    "os.context_switch": 451,
    "bus.arbitration": 3,
    "bus.read_initial": 13,
    "bus.write_initial": 3,
    "bus.store_initial": 2,
    "nic.clock": "62 MHz",
    "nic.doorbell_decode": 7,
    "nic.tpt_lookup": 11,
    "nic.tpt_segment": 11,
    "nic.segment_cell": 5,
    "nic.transmit_buffer": 384,
    "nic.dma_burst": 336,
    "nic.receive_demux": 7,
    "nic.receive_residual": 95,
    "nic.status_bytes": 20,
    "link.symbol_rate": "1.26 GHz",
    "link.cell_bytes": 54,
    "link.message_header": 25,
    "link.cable_length_mm": 9000,
    "link.credits": 9,
    "link.credit_return_bytes": 100,
    "switch.latency": 32,
    "switch.clock": "62 MHz",
    "switch.feedback_mark": 30,
    "nic.feedback_pause": 51,
}


def posts(*sizes: int, to: int = 1) -> tuple[Post, ...]:
    return tuple(Post(to, size) for size in sizes)


def pair(first: Iterable[Post | Compute], second: Iterable[Post | Compute]) -> list[Script]:
    return [Script(SET_UP_PS, tuple(first)), Script(SET_UP_PS + LATER_PS, tuple(second))]


def to_one(senders: int, *sizes: int) -> list[Script]:
    """Return scripts of senders that begin a nanosecond after each other."""
    starts = (SET_UP_PS + 1000 * sender for sender in range(senders))
    return [Script(SET_UP_PS), *(Script(start, posts(*sizes, to=0)) for start in starts)]


def simulated(
    scripts: list[Script], changes: Mapping[str, object] | None = None, seed: int = 1
) -> Star:
    star = Star(scripts, changes=changes, seed=seed)
    star.run()
    return star


@pytest.mark.parametrize("size", SIZES)
def test_a_message_alone_is_the_same_to_the_picosecond(size: int) -> None:
    assert differences(pair(posts(size), ()), seed=size + 1) == []


def test_all_that_the_oracle_tells_is_compared() -> None:
    star = simulated(pair(posts(1000), ()))
    owners = {"n0.cpu", "n0.bus", "n0.nic-send", "n0.link", "s0.crossbar", "s0.link"}
    assert {span.owner for span in star.spans} == {*owners, "n1.cpu", "n1.bus", "n1.nic-receive"}
    (life,) = star.lives
    assert lives_of(played(pair(posts(1000), ()))) == [life]


@pytest.mark.parametrize("seed", range(3))
def test_a_train_of_messages_is_the_same(seed: int) -> None:
    sizes = (8, 1000, 0, 5000, 48, 333, 8, 8)
    assert differences(pair(posts(*sizes), ()), seed=seed) == []


@pytest.mark.parametrize("seed", range(3))
def test_both_directions_at_once_are_the_same(seed: int) -> None:
    first: list[Post | Compute] = [*posts(8, 5000, 0), Compute(1000), *posts(700)]
    second = posts(4096, 8, 8, 2000, to=0)
    assert differences(pair(first, second), seed=seed) == []


def test_writes_into_memory_of_the_peer_are_the_same() -> None:
    first = [Post(1, 8, writes=True), *posts(2000), Post(1, 0, writes=True)]
    second = [Post(0, 700, writes=True), Post(0, 5000, writes=True), *posts(8, to=0)]
    assert differences(pair(first, second)) == []


def test_programs_that_sleep_until_an_interrupt_are_the_same() -> None:
    scripts = pair(posts(8, 1000, 8), posts(3000, 8, to=0))
    scripts = [replace(script, waits=True) for script in scripts]
    assert any(span.stage == "interrupt" for span in simulated(scripts).spans)
    assert differences(scripts) == []


def test_a_message_that_is_found_in_completion_queues_is_the_same() -> None:
    scripts = [replace(script, cq=True) for script in pair(posts(1000), ())]
    assert differences(scripts) == []


@pytest.mark.parametrize("senders", range(2, 8))
def test_senders_to_one_receiver_are_the_same(senders: int) -> None:
    assert differences(to_one(senders, 8, 0, 100), seed=senders) == []
    assert differences(to_one(senders, 700, 3000), seed=senders) == []


def test_sources_of_a_full_output_pause_at_the_same_instants() -> None:
    scripts = to_one(4, 2000, 2000, 8)
    changes = {"switch.feedback_mark": 40}
    assert simulated(scripts, changes).lives != simulated(scripts).lives
    assert differences(scripts, changes=changes) == []


def test_cells_that_arrive_at_one_instant_go_in_the_order_of_ports() -> None:
    scripts = [Script(SET_UP_PS), *[Script(SET_UP_PS, posts(100, 100, to=0))] * 2]
    star = simulated(scripts, seed=ALIKE)
    heads = [span for span in star.spans if span.stage == "switch"]
    assert len({span.start_ps for span in heads}) < len(heads)
    assert differences(scripts, seed=ALIKE) == []


def test_few_credits_and_short_buffers_are_the_same() -> None:
    changes = {"link.credits": 8, "nic.transmit_buffer": 384}
    assert differences(to_one(3, 3000, 900), changes=changes) == []


@pytest.mark.parametrize("profile", PRODUCTS)
@pytest.mark.parametrize("seed", range(3))
def test_random_clusters_are_the_same(seed: int, profile: str) -> None:
    assert differences(**random_case(seed, profile)) == []


@pytest.mark.ci
@pytest.mark.parametrize("profile", PRODUCTS)
def test_more_random_clusters_are_the_same(profile: str) -> None:
    seeds = range(100, 115)
    assert [seed for seed in seeds if differences(**random_case(seed, profile))] == []


@pytest.mark.night
@pytest.mark.parametrize("profile", PRODUCTS)
def test_hundreds_of_random_clusters_are_the_same(profile: str) -> None:
    seeds = range(1000, 1200)
    assert [seed for seed in seeds if differences(**random_case(seed, profile))] == []


def mechanism_case(seed: int, name: str) -> dict[str, Any]:
    """Return the arguments of `differences` for a random cluster; of half of them, with queues."""
    profile, changes = MECHANISMS[name]
    case = other_case(seed, profile, **changes)
    scripts = [replace(script, cq=seed % 2 == 1) for script in case["scripts"]]
    return case | {"scripts": scripts}


@pytest.mark.parametrize("name", MECHANISMS)
@pytest.mark.parametrize("seed", range(2))
def test_another_mechanism_is_the_same(seed: int, name: str) -> None:
    assert differences(**mechanism_case(seed, name)) == []


@pytest.mark.night
@pytest.mark.parametrize("name", MECHANISMS)
def test_another_mechanism_is_the_same_in_many_clusters(name: str) -> None:
    cases = [mechanism_case(seed, name) for seed in range(2000, 2100)]
    assert [case["seed"] for case in cases if differences(**case)] == []


def test_a_message_whose_pages_are_looked_up_in_a_cache_is_the_same() -> None:
    assert differences(pair(posts(9000, 4000), ()), changes=CACHED) == []


def test_messages_whose_descriptors_are_read_ahead_are_the_same() -> None:
    assert differences(pair(posts(8, 1000, 8, 8), ()), changes=READ_AHEAD) == []


def test_a_message_whose_descriptor_the_cpu_writes_is_the_same() -> None:
    assert differences(pair(posts(1000), ()), changes=WRITTEN) == []


@pytest.mark.parametrize("key", NUMBERS)
def test_a_number_acts_in_both_alike(key: str) -> None:
    scripts = to_one(3, 1000, 1000, 8)
    scripts.append(Script(SET_UP_PS, (Post(0, 8, writes=True),), waits=True))
    changes = {"switch.feedback_mark": 12, "link.credits": 12, "nic.transmit_buffer": 768}
    other = changes | {key: NUMBERS[key]}
    assert simulated(scripts, other).spans != simulated(scripts, changes).spans
    assert differences(scripts, changes=other) == []


def test_others_get_in_between_the_bus_bursts_of_a_dma() -> None:
    scripts = pair((Post(1, 1500), Compute(1000), Post(1, 8)), ())
    star = simulated(scripts, BURSTS)  # the bus carries 512 bytes at once
    stages = [span.stage for span in star.spans if span.owner == "n0.bus"]
    assert "payload-read doorbell payload-read" in " ".join(stages)
    assert differences(scripts, changes=BURSTS) == []


def test_others_get_in_between_the_stores_of_a_descriptor() -> None:
    scripts = pair((Post(1, 2000), Compute(200), Post(1, 2000)), ())
    assert differences(scripts, changes=WRITTEN) == []


def test_others_get_in_between_a_status_and_the_entry_of_a_completion_queue() -> None:
    scripts = pair(posts(8, 1000, 8), posts(3000, 8, to=0))
    assert differences([replace(script, cq=True) for script in scripts]) == []


def test_a_payload_gets_the_bus_before_a_descriptor_that_is_read_ahead_later() -> None:
    late: tuple[Post | Compute, ...] = (Compute(541), Post(0, 1000))
    scripts = [Script(SET_UP_PS, posts(8, 8)), Script(SET_UP_PS, late)]
    assert differences(scripts, changes=READ_AHEAD) == []


def test_a_doorbell_gets_the_bus_while_a_card_looks_in_its_cache() -> None:
    scripts = pair((Post(1, 8), Compute(441), Post(1, 8)), ())
    assert differences(scripts, changes=CACHED) == []


def test_a_doorbell_gets_the_bus_that_no_dma_has_asked_for_yet() -> None:
    assert differences(pair(posts(8, 8), ()), changes=STARTS) == []
