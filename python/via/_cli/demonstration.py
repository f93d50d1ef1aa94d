# SPDX-License-Identifier: GPL-2.0-only
"""The demonstration: measures one product and compares the results with published ones."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

from via import programs
from via._base import published
from via.cluster import Cluster
from via.studies import calibration_table, measure

PROFILE = "giganet-clan1000"
PROVIDER = "cLAN"

ROUNDS = 100
STREAMED_MESSAGES = 400
BARRIER_ROUNDS = 100
SMALL = 4

# What the receiver of a stream does with the bytes: nothing, as in benchmarks and in the built-in
# stream of `via study calibration`; or it compares and clears each, as programs do.
UNTOUCHED, CHECKED = "untouched", "checked"

Say = Callable[[str], None]


@dataclass(frozen=True)
class Plan:
    """The sizes, node counts and rounds to measure."""

    sizes: tuple[int, ...]
    nodes: tuple[int, ...]


FULL = Plan(tuple(2**power for power in range(2, 16)), (2, 4, 8, 16, 32, 64))
QUICK = Plan((4, 256, 4096, 32768), (2, 4, 8))


@dataclass(frozen=True)
class Results:
    """The tables of a demonstration."""

    latency: pd.DataFrame
    bandwidth: pd.DataFrame
    stages: pd.DataFrame  # of one message, mean over the rounds
    message: pd.DataFrame  # rows of the breakdown of one round
    barrier: pd.DataFrame
    published: pd.DataFrame
    limit_mb_s: float
    product: str
    host: str

    def digest(self) -> str:
        """Return one digest of all runs."""
        digests = [*self.latency["digest"], *self.bandwidth["digest"], *self.barrier["digest"]]
        return hashlib.sha256("\n".join(digests).encode()).hexdigest()[:32]


def measure_all(plan: Plan, built: Path, say: Say) -> Results:
    """Compile the example programs into a folder and run them."""
    say("compiling ping-pong.c, stream.c and barrier.c with via cc")
    ping_pong, stream, barrier = (
        programs.build(name, built) for name in ("ping-pong", "stream", "barrier")
    )
    pair = Cluster(nodes=2, profile=PROFILE)
    say(f"ping-pong between 2 nodes, {len(plan.sizes)} message sizes")
    trips = [measure.ping_pong(ping_pong, pair, size, ROUNDS) for size in plan.sizes]
    say(f"stream between 2 nodes, {len(plan.sizes)} message sizes, bytes untouched and checked")
    fast_pair = Cluster(nodes=2, profile=PROFILE, record=False)
    bandwidth = _bandwidth(stream, fast_pair, plan.sizes)
    say(f"barrier on {', '.join(map(str, plan.nodes))} nodes")
    barriers = _barrier(barrier, plan.nodes)
    say("the same ping-pong on the hosts of other published measurements")
    return Results(
        latency=_latency(trips),
        bandwidth=bandwidth,
        stages=measure.round_stages(trips[0]),
        message=_one_round(trips[0]),
        barrier=barriers,
        published=_compare(ping_pong, trips, bandwidth),
        limit_mb_s=cells_limit_mb_s(pair),
        product=pair.profile.title,
        host=pair.profile.host,
    )


def cells_limit_mb_s(cluster: Cluster) -> float:
    """Return the part of the link's rate that line code and cell headers leave to payload."""
    value = {entry.key: entry.value for entry in cluster.profile.entries}
    rate, _, below = value["link.symbol_rate"].removesuffix(" Hz").partition("/")
    symbols = int(rate) / int(below or 1)
    coded = int(value["link.code_data"]) / int(value["link.code_symbols"])
    cell = int(value["link.cell_payload"]) / int(value["link.cell_bytes"])
    return symbols * coded * cell / 8 / 1e6


def _latency(trips: Iterable[measure.PingPong]) -> pd.DataFrame:
    rows = [
        [trip.size_bytes, trip.latency_us, trip.latency_p99_us, trip.printed_us, trip.run.digest]
        for trip in trips
    ]
    columns = ["size_bytes", "latency_us", "latency_p99_us", "printed_us", "digest"]
    return pd.DataFrame(rows, columns=columns)


def _bandwidth(program: Path, cluster: Cluster, sizes: Iterable[int]) -> pd.DataFrame:
    rows = []
    for work, size in product((UNTOUCHED, CHECKED), sizes):
        found = measure.bandwidth_mb_s(
            program, cluster, size, STREAMED_MESSAGES, checked=work == CHECKED
        )
        rows.append([work, size, found.value, found.digest])
    return pd.DataFrame(rows, columns=["bytes_are", "size_bytes", "mb_s", "digest"])


def _barrier(program: Path, nodes: Iterable[int]) -> pd.DataFrame:
    rows = []
    for mode in ("send", "rdma"):
        for count in nodes:
            cluster = Cluster(nodes=count, profile=PROFILE, record=False)
            found = measure.barrier_us(program, cluster, mode, BARRIER_ROUNDS)
            rows.append([mode, count, found.value, found.digest])
    return pd.DataFrame(rows, columns=["mode", "nodes", "barrier_us", "digest"])


def _one_round(trip: measure.PingPong) -> pd.DataFrame:
    """Return the rows of a round of median length: ping, pong and the program's work."""
    starts = measure.ping_starts(trip.run.messages)[measure.WARM_UP :]
    median = np.argmax(trip.rounds_ps == np.quantile(trip.rounds_ps, 0.5, method="inverted_cdf"))
    rows = trip.run.breakdown
    inside = (rows["start_ps"] >= starts[median]) & (rows["start_ps"] < starts[median + 1])
    return rows[inside].sort_values(["start_ps", "end_ps"], kind="stable")


def _compare(program: Path, trips: list[measure.PingPong], bandwidth: pd.DataFrame) -> pd.DataFrame:
    """Compare each published point of the product with ours, on its own host if that is known."""
    rows = []
    for row in published.latencies_us(PROVIDER).itertuples():
        source = published.short_source(row.source)
        host = _host_of(row.metric, row.source)
        pair = Cluster(nodes=2, profile=PROFILE, host=host)
        trip = measure.ping_pong(program, pair, int(row.size_bytes), ROUNDS)
        rows.append(
            ["latency", int(row.size_bytes), row.value_us, trip.latency_us, "us",
             _host_name(host, pair), row.status, source, row.conditions]
        )  # fmt: skip
    untouched = bandwidth[bandwidth["bytes_are"] == UNTOUCHED]
    by_size = untouched.set_index("size_bytes")["mb_s"]
    for row in published.bandwidths_mb_s(PROVIDER).itertuples():
        size = None if pd.isna(row.size_bytes) else int(row.size_bytes)
        ours = by_size.max() if size is None else by_size[size]
        rows.append(
            ["peak bandwidth" if size is None else "bandwidth", size, row.value_mb_s, ours, "MB/s",
             _host_name(None, pair), row.status, published.short_source(row.source), row.conditions]
        )  # fmt: skip
    columns = ["metric", "size_bytes", "published", "ours", "unit", "our_host", "trust", "source",
               "conditions"]  # fmt: skip
    table_of_all = pd.DataFrame(rows, columns=columns).astype({"size_bytes": "Int64"})
    error = 100 * (table_of_all["ours"] / table_of_all["published"] - 1)
    table_of_all.insert(5, "difference_pct", error)
    return table_of_all.sort_values(
        ["metric", "size_bytes", "published"], ascending=[False, True, True], ignore_index=True
    )


def _host_of(metric: str, source: str) -> str | None:
    """Return the host on which a source measured the product; None: there is no profile of it."""
    return next(
        (
            each.host
            for each in calibration_table.load().comparisons
            if (each.profile, each.row.metric, each.row.source) == (PROFILE, metric, source)
        ),
        None,
    )


def _host_name(host: str | None, cluster: Cluster) -> str:
    return host or f"{cluster.profile.host} (other)"
