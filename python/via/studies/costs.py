# SPDX-License-Identifier: GPL-2.0-only
"""The simulations with which published measurements are compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from via import profiles
from via._base import ranges
from via._base.units import PS_PER_US
from via.cluster import Cluster
from via.errors import ViaError
from via.studies import measure

LATENCY, BANDWIDTH, SLOPE, CALLS, PAGES = "latency", "bandwidth", "slope", "calls", "pages"
HALF, TWO_WAY, BARRIER, DMA = "half bandwidth", "two-way bandwidth", "barrier", "DMA bursts"
WAY = "way between cards"
SOCKET_LATENCY, SOCKET_BANDWIDTH = "latency over sockets", "bandwidth over sockets"

MANY_PAGES = 33  # 32 more than the other measurement, of one page
PAGE_BYTES = 4096


@dataclass(frozen=True)
class Measure:
    """The simulation for a published metric.

    Attributes:
        kind: the kind of simulation.
        names: names of its numbers; their mean, times factor, is the value.
        needs_size: whether it needs the size of a message, region or burst.
        nodes: whether it needs the number of nodes.
        over: the name of a number by which the value is divided.
    """

    kind: str
    names: Sequence[str]
    needs_size: bool = False
    factor: float = 1.0
    nodes: bool = False
    over: str = ""

    def of(self, values: Mapping[str, float]) -> float:
        """Return the value in microseconds, MB/s, ns/B, bytes or percent, or a ratio."""
        mean = sum(values[name] for name in self.names) / len(self.names)
        return self.factor * mean / (values[self.over] if self.over else 1.0)

    @property
    def needs_kernel(self) -> bool:
        """Return whether the messages go through kernel sockets."""
        return self.kind in (SOCKET_LATENCY, SOCKET_BANDWIDTH)


MEASURES: Mapping[str, Measure] = {
    "latency": Measure(LATENCY, [LATENCY], needs_size=True),
    "round_trip": Measure(LATENCY, [LATENCY], needs_size=True, factor=2.0),
    "bandwidth": Measure(BANDWIDTH, [BANDWIDTH]),
    "wire_share": Measure(BANDWIDTH, [BANDWIDTH], factor=100.0, over="wire"),
    "slope": Measure(SLOPE, [SLOPE]),
    "round_trip_slope": Measure(SLOPE, [SLOPE], factor=2.0),
    "ping_pong_rate": Measure(LATENCY, ["bytes"], needs_size=True, over=LATENCY),
    "half_bandwidth": Measure(HALF, [HALF]),
    "two_way": Measure(TWO_WAY, [BANDWIDTH]),
    "barrier": Measure(BARRIER, ["barrier"], nodes=True),
    "nic_barrier": Measure(BARRIER, ["nic-barrier"], nodes=True),
    "barrier_ratio": Measure(BARRIER, ["barrier"], nodes=True, over="nic-barrier"),
    "way": Measure(WAY, [WAY], nodes=True),
    **{f"dma_{way}": Measure(DMA, [way], needs_size=True) for way in ("read", "write", "both")},
    "tcp_latency": Measure(SOCKET_LATENCY, [LATENCY], needs_size=True),
    "tcp_bandwidth": Measure(SOCKET_BANDWIDTH, [BANDWIDTH], needs_size=True),
    **{
        name: Measure(CALLS, [name])
        for name in (
            "vi_create", "vi_destroy", "cq_create", "cq_destroy", "connection_establish",
            "connection_teardown",
        )
    },
    "register": Measure(CALLS, ["register"], needs_size=True),
    "deregister": Measure(CALLS, ["deregister"], needs_size=True),
    "register_or_deregister": Measure(CALLS, ["register", "deregister"], needs_size=True),
    **{
        name: Measure(PAGES, [name])
        for name in ("register_base", "register_page", "deregister_base", "deregister_page")
    },
}  # fmt: skip

# Sizes whose latencies are fitted by a straight line.
SLOPE_SIZES = (16, 32, 64, 128, 256, 512, 1024)
# A published peak has no size: the best bandwidth of these sizes is used.
PEAK_SIZES = (4096, 8192, 16384, 32768, 65536)

# Clock phases hardly change from round to round, so run few rounds on many clusters.
_SEEDS, _QUICK_SEEDS = 32, 8
_ROUNDS, _WARM_UP = 8, 2
_MESSAGES, _QUICK_MESSAGES = 400, 100
_CALLS, _QUICK_CALLS = 500, 50
_BARRIERS, _QUICK_ROUNDS = 100, 20
# TCP's first rounds open the connection and its window.
_SOCKET_SEEDS, _QUICK_SOCKET_SEEDS = 8, 2
_SOCKET_ROUNDS, _SOCKET_BYTES = 22, 4_000_000


@dataclass(frozen=True)
class Task:
    """One simulation, or a few that give one number.

    Attributes:
        kind: LATENCY and BANDWIDTH of one size or, without a size, the peak; SLOPE of the latency;
            HALF: the size with half of the peak's bandwidth; TWO_WAY: streams both ways; BARRIER:
            of hosts and of cards; WAY: from the card of the first node to that of the last; DMA:
            bursts of a card on the host's bus, without a product;
        CALLS: costs.c; PAGES: costs.c with one page and with many; SOCKET_*: over TCP.
        overrides: profile keys and their new values, in the order of the keys.
        program: costs.so, if the kind needs it.
        seeds: for LATENCY, the number of clusters with different clock phases; 0: the default.
        kernel: the kernel whose TCP is used.
        nodes: of a BARRIER or WAY.
    """

    profile: str
    host: str | None
    kind: str
    size: int | None
    quick: bool
    topology: str = "star"
    overrides: tuple[tuple[str, str], ...] = ()
    program: Path | None = field(default=None, compare=False)
    seeds: int = 0
    kernel: str | None = None
    nodes: int = 2

    def __str__(self) -> str:
        size = "" if self.size is None else f" of {self.size} bytes"
        return f"{self.kind}{size}, {self.profile} on {self.host or 'its usual host'}"


@dataclass(frozen=True)
class Found:
    """Numbers by name, in microseconds, MB/s or ns/B, and the digests of the runs."""

    values: Mapping[str, float]
    digests: tuple[str, ...]


def simulate(task: Task) -> Found:
    """Run the simulations of a task."""
    if task.kind == SLOPE:
        return _slope(task)
    if task.kind == LATENCY:
        return _latency(task, task.size or 0)
    if task.kind == DMA:
        return Found(dma_rates(task.host or "", task.size or 0, task.overrides), ())
    if task.kind == BARRIER:
        return _barrier(task)
    if task.kind == WAY:
        return _way(task)
    if task.kind == SOCKET_LATENCY:
        return _socket_latency(task)
    cluster = _cluster(task, 1)
    if task.kind == HALF:
        return _half(cluster, task)
    if task.kind == TWO_WAY:
        return _two_way(cluster, task)
    if task.kind == CALLS:
        return _calls(cluster, task, task.size or 2 * PAGE_BYTES)
    if task.kind == PAGES:
        return _pages(cluster, task)
    if task.kind == SOCKET_BANDWIDTH:
        return _socket_bandwidth(cluster, task)
    return _bandwidth(cluster, task)


def _cluster(task: Task, seed: int) -> Cluster:
    return Cluster(
        task.topology, nodes=task.nodes, profile=task.profile, host=task.host, kernel=task.kernel,
        seed=seed, record=False, overrides=dict(task.overrides),
    )  # fmt: skip


def residual_keys(profile: str, host: str | None, kernel: str | None = None) -> list[str]:
    """Return the keys of a profile for time that no mechanism explains.

    These are the residuals, what else is fitted, and what has its value from one of them.
    """
    card = profiles.load(profile or "ideal", host)
    entries = (card.with_kernel(kernel) if kernel else card).entries
    found = [
        entry.key
        for entry in entries
        if entry.key.endswith(measure.RESIDUAL) or entry.trust == "fitted"
    ]
    return found + [key for key in ranges.followers(entries, found) if key not in found]


def _latency(task: Task, size: int) -> Found:
    """Return the mean over rounds and clock phases.

    A median would jump by a whole iteration of the polling loop.
    """
    seeds = task.seeds or (_QUICK_SEEDS if task.quick else _SEEDS)
    runs = [
        _cluster(task, seed).run("ping-pong", size=size, rounds=_ROUNDS)
        for seed in range(1, seeds + 1)
    ]
    trips = np.concatenate([run.samples[_WARM_UP:] for run in runs])
    latency_us = int(trips.sum()) / len(trips) / 2 / PS_PER_US
    return Found({LATENCY: latency_us, "bytes": float(size)}, tuple(run.digest for run in runs))


def _bandwidth(cluster: Cluster, task: Task) -> Found:
    messages = _QUICK_MESSAGES if task.quick else _MESSAGES
    rates, digests = [], []
    for size in _peak_sizes(cluster) if task.size is None else [task.size]:
        run = cluster.run("stream", size=size, messages=messages)
        rates.append(messages * size / (int(run.samples[0]) / 1e6))
        digests.append(run.digest)
    return Found({BANDWIDTH: max(rates), "wire": wire_mb_s(cluster.profile)}, tuple(digests))


def wire_mb_s(card: profiles.Profile) -> float:
    """Return the data rate of a product's wires: line rate times line code."""
    values = {entry.key: entry.value for entry in card.entries}
    symbols = Fraction(values["link.symbol_rate"].split()[0]) * int(values["nic.ports"])
    code = Fraction(int(values["link.code_data"]), int(values["link.code_symbols"]))
    return float(symbols * code / 8 / 10**6)


def _half(cluster: Cluster, task: Task) -> Found:
    """Find the size whose bandwidth is half of the peak, to a percent or a byte."""
    peak = _bandwidth(cluster, task)
    digests = list(peak.digests)
    low, high = 1, PEAK_SIZES[0]
    while high - low > max(1, low // 100):
        middle = (low + high) // 2
        found = _bandwidth(cluster, replace(task, size=middle))
        digests.extend(found.digests)
        low, high = (
            (middle, high)
            if 2 * found.values[BANDWIDTH] < peak.values[BANDWIDTH]
            else (low, middle)
        )
    return Found({HALF: float(high), **peak.values}, tuple(digests))


_WINDOW = 16  # messages under way each way


async def _both_ways(process: Any, size: int, messages: int) -> int:
    """Send and receive a stream at the same time; return when both have ended.

    A message received says that the peer has posted a receive for one more.
    """
    nic = await process.open_nic()
    memory = process.allocate(2 * size)
    tag = await nic.create_tag()
    await nic.register(memory, tag=tag)
    vi = await nic.create_vi(tag=tag, descriptors=4 * _WINDOW)
    for _ in range(2 * _WINDOW):
        await vi.post_recv(memory[:size])
    await vi.connect_peer(1 - process.rank, "both")
    sent = received = reaped = 0
    while received < messages or reaped < messages:
        while sent < min(messages, received + _WINDOW):
            await vi.post_send(memory[size:])
            sent += 1
        if reaped < sent and await vi.send_done() is not None:
            reaped += 1
        if received < messages and await vi.recv_done() is not None:
            received += 1
            await vi.post_recv(memory[:size])
    return int(process.now)


def _two_way(cluster: Cluster, task: Task) -> Found:
    """Return the sum of both directions of two streams between two nodes."""
    messages = _QUICK_MESSAGES if task.quick else _MESSAGES
    rates, digests = [], []
    for size in _peak_sizes(cluster) if task.size is None else [task.size]:
        took_us = []
        for count in (messages, 2 * messages):  # without the time to connect
            cluster.clear()
            cluster.process([0, 1], size, count)(_both_ways)
            run = cluster.run()
            took_us.append(max(run.returned.values()) / PS_PER_US)
            digests.append(run.digest)
        rates.append(2 * messages * size / (took_us[1] - took_us[0]))
    return Found({BANDWIDTH: max(rates)}, tuple(digests))


def _barrier(task: Task) -> Found:
    """Return the mean time of barriers of the hosts, and of the cards if they have them."""
    rounds = _QUICK_ROUNDS if task.quick else _BARRIERS
    values, digests = {}, []
    for name in ("barrier", "nic-barrier"):
        run = _cluster(task, 1).run(name, rounds=rounds)
        values[name] = int(run.samples.sum()) / len(run.samples) / PS_PER_US
        digests.append(run.digest)
    return Found(values, tuple(digests))


async def _one_message(process: Any, last: int) -> None:
    """Send four bytes from node 0 to the last one."""
    nic = await process.open_nic()
    memory = process.allocate(4)
    tag = await nic.create_tag()
    await nic.register(memory, tag=tag)
    vi = await nic.create_vi(tag=tag)
    await vi.post_recv(memory)
    await vi.connect_peer(0 if process.rank else last, "way")
    if process.rank == 0:
        await vi.post_send(memory)
    await (vi.recv(poll=True) if process.rank else vi.sent(poll=True))


def _way(task: Task) -> Found:
    """Return the time of a first bit through cables and switches: without serialization."""
    last = task.nodes - 1
    cluster = Cluster(
        task.topology, nodes=task.nodes, profile=task.profile, host=task.host,
        overrides=dict(task.overrides),
    )  # fmt: skip
    cluster.process([0, last], last)(_one_message)
    run = cluster.run()
    rows = run.breakdown
    on_way = rows["owner"].astype(str).str.endswith((".link", ".crossbar"))
    passed = rows[on_way & (rows["stage"] != "serialize")]
    way_ps = int((passed["end_ps"] - passed["start_ps"]).sum())
    return Found({WAY: way_ps / PS_PER_US}, (run.digest,))


def dma_rates(
    host: str, size: int, overrides: tuple[tuple[str, str], ...] = ()
) -> dict[str, float]:
    """Return the MB/s of DMA bursts of a size on any host: read, write and both, their sum."""
    card = profiles.load("ideal", host).with_values(dict(overrides))
    rates = profiles.dma_rates(card, [size])
    return {way: float(rates[f"{way}_mb_s"][0]) for way in ("read", "write", "both")}


def _peak_sizes(cluster: Cluster) -> list[int]:
    most = next(
        int(each.value) for each in cluster.profile.entries if each.key == "nic.max_transfer_size"
    )
    return [size for size in PEAK_SIZES if size <= most]


def _socket_latency(task: Task) -> Found:
    """Return the mean over rounds and clock phases."""
    seeds = _QUICK_SOCKET_SEEDS if task.quick else _SOCKET_SEEDS
    runs = [
        _cluster(task, seed).run("socket-ping-pong", size=task.size, rounds=_SOCKET_ROUNDS)
        for seed in range(1, seeds + 1)
    ]
    trips = np.concatenate([run.samples[_WARM_UP:] for run in runs])
    latency_us = int(trips.sum()) / len(trips) / 2 / PS_PER_US
    return Found({LATENCY: latency_us}, tuple(run.digest for run in runs))


def _socket_bandwidth(cluster: Cluster, task: Task) -> Found:
    """Return the rate at the reader after the first quarter has arrived."""
    size = task.size or 1
    run = cluster.run("socket-stream", size=size, messages=_SOCKET_BYTES // size)
    first = len(run.samples) // 4 - 1
    took_us = int(run.samples[-1] - run.samples[first]) / PS_PER_US
    return Found({BANDWIDTH: (len(run.samples) - 1 - first) * size / took_us}, (run.digest,))


def _slope(task: Task) -> Found:
    found = [_latency(task, size) for size in SLOPE_SIZES]
    times_ns = np.array([each.values[LATENCY] for each in found]) * 1e3
    sizes = np.array(SLOPE_SIZES, dtype=float)
    # Least squares without a library, whose rounding could differ between machines.
    away = sizes - sizes.mean()
    slope = float((away * times_ns).sum() / (away * away).sum())
    return Found({SLOPE: slope}, tuple(digest for each in found for digest in each.digests))


def _calls(cluster: Cluster, task: Task, size: int) -> Found:
    if task.program is None:
        raise ViaError("costs.c was not compiled")
    count = _QUICK_CALLS if task.quick else _CALLS
    run = cluster.run_program(task.program, ["-n", count, "-s", size], capture=True)
    return Found(read_costs(run.stdout or ""), (run.digest,))


def _pages(cluster: Cluster, task: Task) -> Found:
    """Fit a straight line through the costs of one page and of many."""
    one, many = (_calls(cluster, task, pages * PAGE_BYTES) for pages in (1, MANY_PAGES))
    values = {}
    for call in ("register", "deregister"):
        page = (many.values[call] - one.values[call]) / (MANY_PAGES - 1)
        values[f"{call}_page"] = page
        values[f"{call}_base"] = one.values[call] - page
    return Found(values, (*one.digests, *many.digests))


def read_costs(text: str) -> dict[str, float]:
    """Read the output of costs.c: name, calls and microseconds per call in each line."""
    lines = [line.split() for line in text.splitlines()]
    if not lines or any(len(line) != 3 for line in lines):
        raise ViaError(f"costs.c printed {text!r}")
    return {name: float(us) for name, _, us in lines}
