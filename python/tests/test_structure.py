# SPDX-License-Identifier: GPL-2.0-only
"""Effects that were measured on the products come from their mechanisms, as much as computed.

No number here is an output that was written down: each follows from the tables of a profile.
"""

from fractions import Fraction

import pytest
import via
from cycle_tables import Cut, Tables
from via import profiles

PS_PER_SECOND = 10**12
NIC = {"nic-send", "nic-receive"}


def ps(cycles: int, clock: Fraction) -> float:
    return float(cycles * PS_PER_SECOND / clock)


def message(run, name: str = "1.0.1"):
    """What was spent on a message: its rows without waits, the flight of its bits among them."""
    rows = run.breakdown[run.breakdown["message"] == name]
    return rows[(rows["cycles"] > 0) | (rows["stage"] == "propagate")]


def engines(rows):
    return rows["owner"].astype(str).str.split(".").str[1]


def spent(rows) -> int:
    return int((rows["end_ps"] - rows["start_ps"]).sum())


# ---- GM: the faster card is faster by its clock alone


def gm(clock: int, size: int):
    return message(via.Cluster(profile=f"gm-lanai9-{clock}").run("ping-pong", size=size, rounds=2))


@pytest.mark.parametrize("size", [4, 64, 1024])
def test_the_faster_gm_card_spends_the_same_cycles_in_less_time(size):
    slow, fast = gm(133, size), gm(200, size)
    assert slow["stage"].tolist() == fast["stage"].tolist()
    assert slow["cycles"].tolist() == fast["cycles"].tolist()
    on_card = engines(slow).isin(NIC).to_numpy()
    cycles = int(slow["cycles"][on_card].sum())
    gained = ps(cycles, Fraction(133_000_000)) - ps(cycles, Fraction(200_000_000))
    # each row ends at an edge, which is a whole picosecond
    assert abs(spent(slow[on_card]) - spent(fast[on_card]) - gained) <= len(slow)
    assert abs(spent(slow) - spent(fast) - gained) <= 2 * len(slow)


# ---- DMA: one affine law per bus


@pytest.mark.parametrize("host", ["pii300-linux22", "p4xeon-linux24"])
@pytest.mark.parametrize("size", [64, 320, 1344, 4096, 16384])
def test_a_dma_costs_its_bursts_and_its_bytes(host, size):
    run = via.Cluster(host=host).run("ping-pong", size=size, rounds=1)
    tables = Tables("giganet-clan1000", host)
    clock, width = tables.clock("bus"), tables.number("bus.width")
    keys = ("bus.arbitration", "bus.address", "bus.turnaround")
    common = sum(map(tables.number, keys))
    for stage, initial in (("payload-read", "read"), ("payload-write", "write")):
        rows = run.spans[(run.spans["stage"] == stage) & (run.spans["owner"] == "n0.bus")]
        overhead = common + tables.number(f"bus.{initial}_initial")
        # pieces end in the middle of a data phase at most once each
        law = len(rows) * overhead + size / width
        assert law <= rows["cycles"].sum() < law + len(rows)
        took = (rows["end_ps"] - rows["start_ps"]).sum()
        assert abs(took - ps(int(rows["cycles"].sum()), clock)) <= len(rows)


def test_the_same_bytes_on_another_bus_differ_by_clock_width_and_overhead_alone():
    cycles = {}
    for host in ("pii300-linux22", "p4xeon-linux24"):
        run = via.Cluster(host=host).run("ping-pong", size=3000, rounds=1)
        rows = run.spans[(run.spans["stage"] == "payload-read") & (run.spans["owner"] == "n0.bus")]
        cycles[host] = rows["cycles"].tolist()
        tables = Tables("giganet-clan1000", host)
        cut = Cut(tables, 3000)
        bursts = [c for b in cut.reads(0, cut.cells) for c in tables.bus_read(b)]
        assert cycles[host] == bursts
    assert len(set(map(len, cycles.values()))) == 1


# ---- early Myrinet: the knee of store and forward


class Card:
    """Bus, wire, bus: what a piece of payload takes on each, from the tables alone."""

    def __init__(self, profile: str) -> None:
        self.tables = Tables(profile)
        self.store = self.tables.number("nic.store_bytes")
        self.header = self.tables.number("link.message_header")

    def times(self, size: int) -> tuple[float, float, float]:
        """Picoseconds of reading, sending and writing size bytes, one after the other."""
        cut = Cut(self.tables, size)
        reads, writes = cut.reads(0, cut.cells), cut.bursts(0, size)
        wire = ps(cut.wire_bytes(0, cut.cells), self.tables.clock("link"))
        bus = self.tables
        return self._dma(reads, bus.bus_read), wire, self._dma(writes, bus.bus_write)

    def _dma(self, bursts, clocks) -> float:
        number = self.tables.number
        starts = 1 if number("nic.dma_chaining") else len(bursts)
        bus = sum(sum(clocks(burst)) for burst in bursts)
        start = ps(starts * number("nic.dma_start"), self.tables.clock("nic-send"))
        return ps(bus, self.tables.clock("bus")) + start

    def hit(self) -> float:
        return ps(self.tables.number("nic.tlb_hit"), self.tables.clock("nic-send"))


def one_way_ps(profile: str, size: int, name: str = "1.0.2") -> int:
    run = via.Cluster(profile=profile).run("ping-pong", size=size, rounds=3)
    rows = run.breakdown[run.breakdown["message"] == name]
    waits = ("receiver-late",)  # the program's poll
    late = rows[rows["stage"].isin(waits)]
    return spent(rows) - spent(late)


MYRINET = ["berkeley-via-lanai4", "vmmc"]


@pytest.mark.parametrize("profile", MYRINET)
def test_a_message_of_one_piece_crosses_bus_wire_and_bus_one_after_the_other(profile):
    size = Card(profile).store - Card(profile).header
    run = via.Cluster(profile=profile).run("ping-pong", size=size, rounds=1)
    posted = int(run.messages["posted_ps"].iloc[1])  # of the answer: node 1 sends
    spans = run.spans[run.spans["start_ps"] >= posted]
    ends = {}
    for stage, owner in (
        ("payload-read", "n1.bus"), ("serialize", "n1.link"), ("payload-write", "n0.bus")
    ):  # fmt: skip
        rows = spans[(spans["stage"] == stage) & (spans["owner"] == owner)]
        ends[stage] = rows["start_ps"].min(), rows["end_ps"].max()
    assert ends["payload-read"][1] <= ends["serialize"][0]
    assert ends["serialize"][1] <= ends["payload-write"][0]


@pytest.mark.parametrize("profile", MYRINET)
def test_up_to_the_store_a_byte_costs_bus_and_wire_and_bus(profile):
    card = Card(profile)
    small, large = card.store * 3 // 4, card.store - card.header
    found = one_way_ps(profile, large) - one_way_ps(profile, small)
    computed = sum(card.times(large)) - sum(card.times(small))
    assert found == pytest.approx(computed, rel=0.05)


@pytest.mark.parametrize("profile", MYRINET)
def test_beyond_the_store_a_piece_costs_the_slowest_of_them_alone(profile):
    card = Card(profile)
    small, large = 4 * card.store - card.header, 8 * card.store - card.header
    found = (one_way_ps(profile, large) - one_way_ps(profile, small)) / 4
    pages = card.store / card.tables.number("os.page_bytes")
    slowest = max(card.times(card.store)) + pages * card.hit()
    assert found == pytest.approx(slowest, rel=0.05)
    assert found < 0.5 * sum(card.times(card.store))  # the knee


# ---- M-VIA: bandwidth is what copies and interrupts leave


SIZE = 32768
MESSAGES = 50
COPY_LINE = Tables("mvia-gnic2").number("cpu.copy_line")


def stream_ps(changes: dict[str, int]) -> int:
    cluster = via.Cluster(profile="mvia-gnic2", record=False, overrides=changes)
    return cluster.run("stream", size=SIZE, messages=MESSAGES).end_ps


def handler_ps(changes: dict[str, int]) -> tuple[float, float]:
    """What the receiver's kernel has to do for all messages: without interrupts; one interrupt."""
    tables = Tables("mvia-gnic2", changes=changes)
    cut = Cut(tables, SIZE)
    frames = [cut.bytes_until(f + 1) - cut.bytes_until(f) for f in range(cut.cells)]
    each = sum(map(tables.copy, frames)) + len(frames) * tables.number("vipl.kernel_receive")
    once = sum(map(tables.number, ("vipl.kernel_descriptor", "vipl.kernel_residual")))
    pages = tables.pages(SIZE)[0] * tables.number("vipl.kernel_translate")
    cpu = tables.clock("cpu")
    total = MESSAGES * (each + once + pages)
    return ps(total, cpu), ps(MESSAGES * len(frames) * tables.number("os.interrupt"), cpu)


@pytest.mark.parametrize("percent", [200, 100, 50])
def test_m_vias_bandwidth_is_what_its_kernel_can_copy(percent):
    changes = {"cpu.copy_line": COPY_LINE * percent // 100}
    work, interrupts = handler_ps(changes)
    assert work < stream_ps(changes) < work + interrupts


def test_half_the_copy_makes_m_via_faster_by_that_much():
    twice = {"cpu.copy_line": 2 * COPY_LINE}
    gained = stream_ps(twice) - stream_ps({})
    computed = handler_ps(twice)[0] - handler_ps({})[0]
    assert gained == pytest.approx(computed, rel=0.05)


# ---- Berkeley VIA feels open VIs and new buffers, cLAN does not


@pytest.fixture(scope="module")
def vibe(built):
    return via.programs.build("vibe", built)


def measured(vibe, profile: str, experiment: str, at: tuple[int, ...], series: str):
    text = ",".join(map(str, at))
    cluster = via.Cluster(profile=profile, record=False)
    run = cluster.run_program(vibe, ["-e", experiment, "-x", text, "-n", 30], capture=True)
    lines = [line.split() for line in run.stdout.splitlines() if f" {series} " in line]
    return [float(line[-2]) for line in lines]


def test_berkeley_vias_firmware_looks_at_every_open_vi(vibe):
    counts = (1, *range(21, 62, 2))  # where a sweep stands when a word is written differs by count
    alone, *others = measured(vibe, "berkeley-via-lanai4", "vis", counts, "vis_latency")
    tables = Tables("berkeley-via-lanai4")
    look_us = ps(tables.number("nic.poll_vi"), tables.clock("nic-send")) / 1e6
    more = [latency - alone for latency in others]
    words = [count - 1 for count in counts[1:]]
    assert all(0 < m < n * look_us for m, n in zip(more, words, strict=True))
    # on average half a sweep goes by before the word is found: 20 counts know it to 13 %
    assert sum(more) / sum(words) == pytest.approx(look_us / 2, rel=0.25)


def test_berkeley_vias_cache_has_to_learn_new_pages(vibe):
    fresh, known = measured(vibe, "berkeley-via-lanai4", "reuse", (0, 100), "reuse_latency")
    tables = Tables("berkeley-via-lanai4")
    number = tables.number
    entries = number("nic.tlb_prefetch") * number("nic.tlb_entry_bytes")
    on_card = number("nic.tlb_miss") + number("nic.dma_start")
    miss_ps = ps(on_card, tables.clock("nic-send")) + ps(
        sum(tables.bus_read(entries)), tables.clock("bus")
    )
    # the sender's miss is waited for, the receiver's may pass while cells arrive
    assert 0.5 * miss_ps < (fresh - known) * 1e6 < 2 * miss_ps


@pytest.mark.parametrize(
    ("experiment", "at", "series"),
    [("vis", (2, 34), "vis_latency"), ("reuse", (0, 100), "reuse_latency")],
)
def test_clan_feels_neither(vibe, experiment, at, series):
    one, other = measured(vibe, "giganet-clan1000", experiment, at, series)
    tables = Tables("giganet-clan1000")
    poll_us = ps(tables.number("vipl.done_miss"), tables.clock("cpu")) / 1e6
    assert abs(one - other) < poll_us  # no more than when the program happens to look


# ---- gap: what the busiest card works for a message, at any clock


def steady(profile: str, clock_mhz: int):
    """The gap between messages of a stream in ps, and the cycles of both cards for a message."""
    cluster = via.Cluster(nodes=2, profile=profile, overrides={"nic.clock": f"{clock_mhz} MHz"})
    run = cluster.run("stream", size=4, messages=200)
    ends = run.messages["end_ps"].sort_values().to_numpy()[100:]
    spans = run.spans[(run.spans["start_ps"] >= ends[0]) & (run.spans["end_ps"] <= ends[-1])]
    cycles = spans["cycles"].groupby(spans["owner"].astype(str)).sum() / (len(ends) - 1)
    return (ends[-1] - ends[0]) / (len(ends) - 1), cycles


@pytest.mark.parametrize("profile", ["gm-lanai9-133", "mx-d", "berkeley-via-lanai4", "infinihost"])
def test_a_slower_card_widens_the_gap_by_what_it_works_for_a_message(profile):
    slow, cycles = steady(profile, 50)
    fast, _ = steady(profile, 100)
    values = {entry.key: entry.value for entry in profiles.load(profile).entries}
    shares = [["nic-send", "nic-receive"]]  # of one processor
    if values["nic.processor"] == "pipeline":
        shares = [["nic-send"], ["nic-receive"]]
    upkeep = int(values.get("nic.send_upkeep", 0))  # after a message: no span of it
    busiest = max(
        sum(cycles[f"{node}.{engine}"] for engine in engines) + (upkeep if node == "n0" else 0)
        for node in ("n0", "n1")
        for engines in shares
    )
    period_ps = PS_PER_SECOND / 50e6 - PS_PER_SECOND / 100e6
    assert (slow - fast) / period_ps == pytest.approx(busiest, rel=0.06)
