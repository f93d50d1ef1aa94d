# SPDX-License-Identifier: GPL-2.0-only
"""VIBe's experiments: arguments of the program, and the figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from via._base.units import SYMBOLS

US = SYMBOLS["us"]

# 65,536 bytes is the largest message that every product of the time supported.
SIZES = (4, 16, 64, 256, 1024, 4096, 16384, 65536)
QUICK_SIZES = (4, 1024, 65536)


@dataclass(frozen=True)
class Panel:
    """A series of a figure; those of one quantity share panels.

    Attributes:
        series: the name that vibe.c prints.
        quantity: what it measures: title of the panels.
        y: label of the y axis.
        label: in the legend, beside other series of the same quantity.
        log: whether the y axis is logarithmic.
        change: draw the difference of a value from the last one of its line, in percent.
    """

    series: str
    quantity: str
    y: str
    label: str = ""
    log: bool = True
    change: bool = False


@dataclass(frozen=True)
class Experiment:
    """One experiment: a CSV file vibe-NAME.csv and a figure vibe-NAME.

    Attributes:
        runs: values of -e for vibe.c.
        loads: series of the load of a node, and the value of -e for each, at one x.
        xs: values of x (-x), full and quick.
        x: label of the x axis.
        panels: panels of the figure; other series are only in the CSV file.
        series: all series of the CSV file; other output of a run belongs to other experiments.
        doubling: whether x doubles from point to point.
    """

    name: str
    runs: Sequence[str]
    xs: Sequence[int]
    quick_xs: Sequence[int]
    x: str
    panels: Sequence[Panel]
    series: Sequence[str]
    doubling: bool = True
    loads: Mapping[str, str] = field(default_factory=dict)


def _us(series: str, quantity: str, label: str = "") -> Panel:
    return Panel(series, quantity, f"time ({US})", label)


def _latency(series: str, label: str = "", quantity: str = "One-way latency") -> Panel:
    return Panel(series, quantity, f"one-way latency ({US})", label)


def _rate(series: str, label: str = "", quantity: str = "Bandwidth") -> Panel:
    return Panel(series, quantity, "bandwidth (MB/s)", label)


def _change(series: str, quantity: str) -> Panel:
    return Panel(series, quantity, "more than at the right (%)", log=False, change=True)


def _requests(series: str, label: str) -> Panel:
    return Panel(series, "Requests of 16 B", "transactions per second", label)


def _share(series: str, label: str) -> Panel:
    return Panel(series, "Load of a node that blocks", "time of one CPU (%)", label, log=False)


SETUP = (
    "vi_create", "vi_destroy", "cq_create", "cq_destroy", "connection_establish",
    "connection_teardown",
)  # fmt: skip

EXPERIMENTS = (
    Experiment(
        "setup", ("setup",), (16,), (16,), "calls",
        [
            _us("vi_create", "create a VI"), _us("vi_destroy", "destroy a VI"),
            _us("cq_create", "create a CQ"), _us("cq_destroy", "destroy a CQ"),
            _us("connection_establish", "connect"), _us("connection_teardown", "disconnect"),
        ],
        SETUP,
    ),
    Experiment(
        "registration", ("registration",),
        (4, 4096, 16384, 65536, 262144, 1048576, 4194304), (4, 65536, 1048576),
        "pages of 4 KiB",
        [_us("register", "Register memory"), _us("deregister", "Deregister memory")],
        ("register", "deregister"),
    ),
    Experiment(
        "latency", ("latency",), SIZES, QUICK_SIZES, "message size",
        [
            _latency("latency_polled", "polled"),
            _latency("latency_blocking", "blocking"),
        ],
        ("latency_polled", "latency_blocking"),
    ),
    Experiment(
        "bandwidth", ("bandwidth",), SIZES, QUICK_SIZES, "message size",
        [
            _rate("bandwidth_polled", "polled"),
            _rate("bandwidth_blocking", "blocking"),
        ],
        ("bandwidth_polled", "bandwidth_blocking"),
    ),
    Experiment(
        "cpu", ("latency", "bandwidth"), SIZES, QUICK_SIZES, "message size",
        [
            _share("node_latency_blocking", "in a ping-pong"),
            _share("node_bandwidth_blocking", "receiver of a stream"),
        ],
        ("cpu_latency_polled", "cpu_latency_blocking", "cpu_bandwidth_polled",
         "cpu_bandwidth_blocking", "node_latency_blocking", "node_bandwidth_blocking"),
        loads={"node_latency_blocking": "blocking-latency",
               "node_bandwidth_blocking": "blocking-bandwidth"},
    ),
    Experiment(
        "reuse", ("reuse",), (0, 25, 50, 75, 100), (0, 100), "% of messages in a used buffer",
        [
            _change("reuse_latency", "One-way latency of 4 KiB"),
            _change("reuse_bandwidth", "Bandwidth of 16 KiB"),
        ],
        ("reuse_latency", "reuse_bandwidth"), doubling=False,
    ),
    Experiment(
        "segments", ("segments",), (1, 2, 4, 8, 16, 32, 64, 128), (1, 8), "data segments",
        [
            _latency("segments_latency", quantity="One-way latency of 4 KiB"),
            _rate("segments_bandwidth", quantity="Bandwidth of 4 KiB"),
        ],
        ("segments_latency", "segments_bandwidth"),
    ),
    Experiment(
        "cq", ("cq",), SIZES, QUICK_SIZES, "message size",
        [
            _latency("queue_latency", "receives by their queue"),
            _latency("cq_latency", "receives by a CQ"),
            _rate("queue_bandwidth", "receives by their queue"),
            _rate("cq_bandwidth", "receives by a CQ"),
        ],
        ("queue_latency", "cq_latency", "queue_bandwidth", "cq_bandwidth"),
    ),
    Experiment(
        "vis", ("vis",), (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024), (1, 16), "open VIs",
        [
            _latency("vis_latency", quantity="One-way latency of 4 B"),
            _rate("vis_bandwidth", quantity="Bandwidth of 4 KiB"),
        ],
        ("vis_latency", "vis_bandwidth"),
    ),
    Experiment(
        "rdma", ("rdma",), SIZES, QUICK_SIZES, "message size",
        [
            _latency("send_latency", "send"),
            _latency("rdma_latency", "RDMA write"),
            _rate("send_bandwidth", "send"),
            _rate("rdma_bandwidth", "RDMA write"),
        ],
        ("send_latency", "rdma_latency", "send_bandwidth", "rdma_bandwidth"),
    ),
    Experiment(
        "reliability", ("reliability",), SIZES, QUICK_SIZES, "message size",
        [
            _latency("unreliable_latency", "unreliable"),
            _latency("delivery_latency", "reliable delivery"),
            _latency("reception_latency", "reliable reception"),
            _rate("unreliable_bandwidth", "unreliable"),
            _rate("delivery_bandwidth", "reliable delivery"),
            _rate("reception_bandwidth", "reliable reception"),
        ],
        ("unreliable_latency", "delivery_latency", "reception_latency", "unreliable_bandwidth",
         "delivery_bandwidth", "reception_bandwidth"),
    ),
    Experiment(
        "mtu", ("mtu",), (1024, 2048, 4096, 8192, 16384, 32768, 65536), (1024, 65536),
        "MaxTransferSize of the VI",
        [_us("mtu_transfer", "One-way time of 64 KiB, in messages of this size")],
        ("mtu_transfer",),
    ),
    Experiment(
        "async", ("async",), SIZES, QUICK_SIZES, "message size",
        [
            _latency("async_blocking", "blocking"),
            _latency("async_handler", "told by a handler"),
        ],
        ("async_polled", "async_blocking", "async_handler"),
    ),
    Experiment(
        "pipeline", ("pipeline",), (1, 2, 4, 8, 16, 32, 64), (1, 16), "messages under way",
        [_rate("pipeline_bandwidth", quantity="Bandwidth of 4 KiB")],
        ("pipeline_bandwidth",),
    ),
    Experiment(
        "client-server", ("client-server",), SIZES, QUICK_SIZES, "size of the reply",
        [
            _requests("transactions_polled", "polled"),
            _requests("transactions_blocking", "blocking"),
        ],
        ("transactions_polled", "transactions_blocking"),
    ),
)  # fmt: skip


def runs(quick: bool) -> list[tuple[str, Sequence[int]]]:
    """Return each value of -e for vibe.c once, with its values of x."""
    found: dict[str, Sequence[int]] = {}
    for each in EXPERIMENTS:
        for run in each.runs:
            found.setdefault(run, each.quick_xs if quick else each.xs)
    return list(found.items())


def by_series() -> Mapping[str, Experiment]:
    """Return the experiment of each series."""
    return {series: each for each in EXPERIMENTS for series in each.series}


@dataclass(frozen=True)
class Result:
    """A value that vibe.c printed: one row of a CSV file."""

    profile: str
    host: str
    series: str
    x: int
    x_unit: str
    size: int
    value: float
    unit: str

    def cells(self) -> list[object]:
        """Return the row of the CSV file."""
        return [self.profile, self.host, self.series, self.x, self.x_unit, self.size, self.value,
                self.unit]  # fmt: skip


@dataclass(frozen=True)
class Missing:
    """A feature that a product does not offer, as vibe.c reports it."""

    profile: str
    host: str
    series: str
    x: int
    x_unit: str
    reason: str

    def cells(self) -> list[object]:
        """Return the row of the CSV file."""
        return [self.profile, self.host, self.series, self.x, self.x_unit, self.reason]
