# SPDX-License-Identifier: GPL-2.0-only
"""Streams of small messages: bandwidth, CPU time, and the window that a latency needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from via import profiles
from via._base.text import table
from via.studies import small_messages_figure
from via.studies.parallel import run_all
from via.studies.plan import Outcome, Plan, write_csv
from via.studies.protocol_runs import Case, Values, cluster_of, labels, run_of, timed
from via.studies.small_messages_cases import (
    ENOUGH,
    LATENCY,
    SIZE,
    Stream,
    Task,
    half_size,
    latency_lines,
    window_needed,
)

PROFILES = ("giganet-clan1000", "gm-lanai9-200", "mvia-gnic2")
# Without UDP: nothing stops a stream of datagrams from overrunning its receiver.
TRANSPORTS = ("via-send", "kernel-tcp")

SIZES = tuple(2**power for power in range(3, 16))
QUICK_SIZES = (8, 256, 4096)
MESSAGES, QUICK_MESSAGES = 3000, 600
WINDOW = 64  # messages in flight

CABLES_KM = (0.005, 3, 10, 30)
QUICK_CABLES_KM = (0.005, 10)
WINDOWS = tuple(2**power for power in range(11, 19))  # bytes
QUICK_WINDOWS = (2**12, 2**14, 2**16)
WINDOW_MESSAGE = 1024  # bytes of each message in the runs with windows
# Limits so large that neither transport waits: cells on a long cable, unacknowledged messages.
ROOMY: Values = (("link.credits", 1_000_000), ("nic.retransmit_buffer", 2**24))
# The same for TCP: the usual ring of 64 frames loses part of a large window. When ns-3 3.37
# recovers from that with windows of 156 to 256 KiB, it crashes in TcpRateLinux::SkbSent.
ROOMY_TCP: Values = (("kernel.receive_ring", 4096), ("tcp.send_buffer", 2**18))
MOST_ON_THEIR_WAY = 512  # messages without a credit: more than TCP's window allows

COLUMNS = (
    "profile", "host", "experiment", "transport", "size_bytes", "cable_km", "window_bytes",
    "round_trip_us", "mb_s", "cpu_us_per_message", "digest",
)  # fmt: skip


def run(plan: Plan) -> Outcome:
    """Stream messages of increasing size, and with increasing windows over longer cables."""
    found = run_all(stream, tasks(plan), jobs=plan.jobs, what="small-messages")
    csv = write_csv(plan.out / "small-messages.csv", map(_row, found), COLUMNS)
    figure = plan.figure("small-messages")
    called = labels(list(plan.profiles))
    small_messages_figure.draw(figure, found, called)
    return Outcome(_text(found, called), [csv, figure], [each.digest for each in found])


def tasks(plan: Plan) -> list[Task]:
    """Return all streams of the study."""
    quick = plan.quick
    count = QUICK_MESSAGES if quick else MESSAGES
    by_size = [
        Task(SIZE, profile, transport, size, count)
        for profile in plan.profiles
        for transport in TRANSPORTS
        for size in (QUICK_SIZES if quick else SIZES)
    ]
    by_latency = [
        Task(LATENCY, plan.profiles[0], transport, WINDOW_MESSAGE, count, cable, window)
        for transport in TRANSPORTS
        for cable in (QUICK_CABLES_KM if quick else CABLES_KM)
        for window in (QUICK_WINDOWS if quick else WINDOWS)
    ]
    return by_size + by_latency


def _case(task: Task, protocol: str) -> Case:
    overrides: Values = ()
    if task.experiment == LATENCY:
        overrides = (("link.cable_length_mm", round(task.cable_km * 1_000_000)), *ROOMY)
        if task.transport == "kernel-tcp":
            overrides += (("tcp.receive_buffer", task.window), *ROOMY_TCP)
    given: Values = ()
    if protocol == "message-stream":
        given = (("size", task.size), ("window", _messages_on_their_way(task)))
    return Case(
        protocol, task.transport, task.profile, 2, task.messages, parameters=given,
        overrides=overrides,
    )  # fmt: skip


def _messages_on_their_way(task: Task) -> int:
    if task.experiment == SIZE:
        return WINDOW
    return task.window // task.size if task.transport == "via-send" else MOST_ON_THEIR_WAY


def stream(task: Task) -> Stream:
    """Run the stream of a task; the first quarter is not timed."""
    case = _case(task, "message-stream")
    cluster = cluster_of(case)
    done = run_of(case, cluster)
    first = len(done.samples) // 4
    took_us = int(done.samples[-1] - done.samples[first]) / 1e6
    counted = len(done.samples) - 1 - first
    # Polling is waiting, not a cost of a message.
    spent = sum(ps for stage, ps in done.report["cpu"].items() if stage != "poll")
    digest, round_trip = done.digest, 0.0
    if task.experiment == LATENCY:
        answered = timed(_case(task, "request-reply"))
        round_trip = answered.median_ps / 1e6
        digest = f"{digest}+{answered.digest}"
    return Stream(
        task, cluster.profile.name, cluster.profile.host,
        round(counted * task.size / took_us, 4),
        round(spent / len(done.samples) / 1e6, 4), round_trip, digest,
    )  # fmt: skip


def _row(each: Stream) -> list[object]:
    task = each.task
    by_size = task.experiment == SIZE
    return [
        each.name, each.host, task.experiment, task.transport, task.size,
        None if by_size else task.cable_km, None if by_size else task.window,
        None if by_size else each.round_trip_us, each.mb_s, each.cpu_us, each.digest,
    ]  # fmt: skip


def _text(found: Sequence[Stream], called: Mapping[str, str]) -> str:
    rows, needs = [], []
    for name in called:
        for transport in TRANSPORTS:
            mine = [
                each for each in found
                if (each.name, each.task.transport, each.task.experiment) == (name, transport, SIZE)
            ]  # fmt: skip
            small = min(mine, key=lambda each: each.task.size)
            rows.append(
                [called[name], transport, max(each.mb_s for each in mine), round(half_size(mine)),
                 small.task.size / small.mb_s, small.cpu_us]
            )  # fmt: skip
    for line in latency_lines(found):
        first = line[0]
        best = max(each.mb_s for each in line)
        needs.append(
            [first.task.transport, first.task.cable_km, first.round_trip_us, best,
             round(best * first.round_trip_us), window_needed(line)]
        )  # fmt: skip
    small_size = min(each.task.size for each in found)
    header = ["product", "transport", "peak MB/s", "half at B"]
    header += [f"us per {small_size} B", "CPU us, both ends"]
    need = ["transport", "cables km", "round trip us", "best MB/s", "best x round trip B"]
    return (
        f"A stream of messages\n\n{table(header, rows, '  ')}\n\n"
        f"Windows over longer cables, messages of {WINDOW_MESSAGE} bytes,"
        f" {profiles.label(found[-1].task.profile)}\n\n"
        f"{table([*need, f'window for {ENOUGH:.0%} B'], needs, '  ')}"
    )
