# SPDX-License-Identifier: GPL-2.0-only
"""One service over sockets and over VIPL, a C program: latency, CPU time, largest cluster."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from via import programs
from via._base.text import table
from via.cluster import Cluster
from via.results import Run
from via.studies import request_reply_figure
from via.studies.measure import printed_line
from via.studies.parallel import run_all
from via.studies.plan import Outcome, Plan, write_csv
from via.studies.protocol_runs import carried, labels
from via.studies.request_reply_cases import TRANSPORTS, Served, Task, line_of

PROFILES = ("mvia-gnic2", "giganet-clan1000", "berkeley-via-lanai4")
NODES = (2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
QUICK_NODES = (2, 4, 8)
ROUNDS = 3  # of a request
# Results are differences of a short and a long run, which are without set-up.
REQUESTS, QUICK_REQUESTS = (10, 60), (5, 15)
DEADLINES_US = (300, 1_000, 3_000, 10_000)

COLUMNS = (
    "profile", "host", "transport", "nodes", "rounds", "requests", "latency_us",
    "coordinator_cpu_us", "member_cpu_us", "digest",
)  # fmt: skip


def run(plan: Plan) -> Outcome:
    """Time requests of three rounds on increasing clusters, over both transports."""
    with tempfile.TemporaryDirectory(prefix="via-study-") as folder:
        program = programs.build("request-reply", Path(folder))
        found = run_all(serve, tasks(plan, program), jobs=plan.jobs, what="request-reply")
    csv = write_csv(plan.out / "request-reply.csv", map(_row, found), COLUMNS)
    figure = plan.figure("request-reply")
    called = labels(list(plan.profiles))
    request_reply_figure.draw(figure, found, called)
    return Outcome(_text(found, called), [csv, figure], [each.digest for each in found])


def tasks(plan: Plan, program: Path) -> list[Task]:
    """Return all clusters of the study, large ones first."""
    requests = QUICK_REQUESTS if plan.quick else REQUESTS
    return [
        Task(program, profile, transport, nodes, ROUNDS, requests)
        for profile in plan.profiles
        for transport in TRANSPORTS
        for nodes in reversed(QUICK_NODES if plan.quick else NODES)
    ]


def serve(task: Task) -> Served:
    """Run a short and a long service; what they differ by is that of the requests between."""
    cluster = Cluster(nodes=task.nodes, profile=task.profile, record=False)
    short, long = (_service(task, cluster, requests) for requests in task.requests)
    more = task.requests[1] - task.requests[0]
    coordinator, members = (
        (after - before) / more / 1e6
        for before, after in zip(_cpu_ps(short), _cpu_ps(long), strict=True)
    )
    took_us = [
        float(printed_line(done).split()[3]) * requests
        for done, requests in zip((short, long), task.requests, strict=True)
    ]
    profile = cluster.profile
    return Served(
        task, profile.name, profile.host, round((took_us[1] - took_us[0]) / more, 3),
        round(coordinator, 3), round(members / (task.nodes - 1), 3),
        f"{short.digest}+{long.digest}",
    )  # fmt: skip


def _service(task: Task, cluster: Cluster, requests: int) -> Run:
    arguments = ["-t", task.transport, "-R", task.rounds, "-n", requests]
    return cluster.run_program(task.program, arguments, capture=True)


def _cpu_ps(done: Run) -> tuple[int, int]:
    """Return CPU time of rank 0's node, and of all others together, kernels included."""
    rows = done.cpu[done.cpu["stage"] != "poll"]  # polling is waiting
    first = rows["node"] == 0
    return int(rows.loc[first, "ps"].sum()), int(rows.loc[~first, "ps"].sum())


def _row(each: Served) -> list[object]:
    task = each.task
    return [
        each.name, each.host, task.transport, task.nodes, task.rounds,
        task.requests[1] - task.requests[0], each.latency_us, each.coordinator_cpu_us,
        each.member_cpu_us, each.digest,
    ]  # fmt: skip


def _text(found: Sequence[Served], called: Mapping[str, str]) -> str:
    rows = []
    for name in called:
        for transport, title in TRANSPORTS.items():
            line = line_of(found, name, transport)
            pair, most = line[0], line[-1].task.nodes
            met = [
                carried([(each.task.nodes, each.latency_us) for each in line], limit)
                for limit in DEADLINES_US
            ]
            rows.append(
                [called[name], title, pair.latency_us, pair.coordinator_cpu_us, pair.member_cpu_us]
                + [f">= {size}" if size == most else str(size) for size in met]
            )
    header = ["product", "over", "2 nodes: us", "CPU us of rank 0", "of rank 1"]
    header += [f"nodes in {limit / 1000:g} ms" for limit in DEADLINES_US]
    return (
        f"A request of {ROUNDS} rounds to all other nodes, 64 bytes each way, and the largest"
        f" cluster\nwhose mean request meets a deadline\n\n{table(header, rows, '  ')}"
    )
