# SPDX-License-Identifier: GPL-2.0-only
"""Microsoft Cluster Server: the largest cluster that meets a deadline, over sockets and VIA."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from via._base.text import table
from via.studies import mscs_figure
from via.studies.mscs_cases import HEARTBEAT, REGROUP, UPDATE, Beats
from via.studies.parallel import run_all
from via.studies.plan import Outcome, Plan, write_csv
from via.studies.protocol_runs import Case, Timed, carried, cluster_of, labels, timed

PROFILES = ("giganet-clan1000",)
HOST = "pii450-win"  # NT 4; its kernel is fitted to TCP over cLAN

INTERVAL_S = 1.2
# Node limit of Windows Server 2003: published.csv, MSCS/node_limit_W2003.
PRODUCT_LIMIT = 8

TRANSPORTS = ("via-send", "kernel-udp", "kernel-tcp")
NODES = {
    UPDATE: (2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256),
    REGROUP: (2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64),
    HEARTBEAT: (2, 4, 8, 16, 32, 64),
}
QUICK_NODES = {UPDATE: (2, 4, 8, 16), REGROUP: (2, 4, 8), HEARTBEAT: (2, 8)}
# A regroup has a connection, or a stream of datagrams, for each pair of nodes.
MOST_IN_REGROUP = {"via-send": 64, "kernel-udp": 32, "kernel-tcp": 64}
ROUNDS = {UPDATE: 30, REGROUP: 5}
QUICK_ROUNDS = 5
BEATS, CRASH_AFTER = 12, 3  # intervals

DEADLINES_US = (300, 1_000, 3_000, 10_000, 30_000, 100_000)

# Rounds are those that are timed; messages and credits those of WARM_UP rounds more. Heartbeats are
# counted in all intervals, without credits.
COLUMNS = (
    "profile", "host", "what", "transport", "nodes", "rounds", "messages", "median_us", "p99_us",
    "rule", "digest",
)  # fmt: skip


def run(plan: Plan) -> Outcome:
    """Time updates and regroups of increasing clusters, and count heartbeats."""
    found = run_all(timed, cases(plan), jobs=plan.jobs, what="mscs")
    nodes = (QUICK_NODES if plan.quick else NODES)[HEARTBEAT]
    listening = [_heartbeat(name, count) for name in plan.profiles for count in nodes]
    beats = run_all(listen, listening, jobs=plan.jobs, what="heartbeats")
    rows = [*map(_row, found), *map(_beat_row, beats)]
    csv = write_csv(plan.out / "mscs.csv", rows, COLUMNS)
    figure = plan.figure("mscs")
    called = labels(list(plan.profiles))
    mscs_figure.draw(figure, found, beats, called, PRODUCT_LIMIT)
    digests = [each.digest for each in found] + [each.digest for each in beats]
    return Outcome(_text(found, beats, called), [csv, figure], digests)


def cases(plan: Plan) -> list[Case]:
    """Return the updates and regroups."""
    nodes = QUICK_NODES if plan.quick else NODES
    return [
        Case(what, transport, profile, count, QUICK_ROUNDS if plan.quick else ROUNDS[what], HOST)
        for what in (REGROUP, UPDATE)
        for count in reversed(nodes[what])
        for transport in TRANSPORTS
        if what == UPDATE or count <= MOST_IN_REGROUP[transport]
        for profile in plan.profiles
    ]


def _heartbeat(profile: str, nodes: int) -> Case:
    crash = f"crash:{nodes - 1}:{CRASH_AFTER * (nodes - 1)}"
    return Case(
        HEARTBEAT, "via-send", profile, nodes, BEATS, HOST, parameters=(("process_faults", crash),)
    )  # fmt: skip


def listen(case: Case) -> Beats:
    """Count heartbeats while all nodes live, then crash one and time its detection."""
    quiet = cluster_of(case, record=True).run(HEARTBEAT, rounds=BEATS)
    # Do not count credits of the window.
    heartbeats = int((quiet.messages["bytes"] > 4).sum())
    cluster = cluster_of(case)
    done = cluster.run(HEARTBEAT, rounds=BEATS, **dict(case.parameters))
    profile = cluster.profile
    return Beats(
        case, profile.name, profile.host, heartbeats, heartbeats / (BEATS * INTERVAL_S),
        done.latency().max_us, f"{quiet.digest}+{done.digest}",
    )  # fmt: skip


def rule(what: str, nodes: int) -> int:
    """Return the number of messages of one round by the protocol's rule."""
    pairs = nodes * (nodes - 1)
    return {UPDATE: 2 * nodes - 1, REGROUP: 5 * pairs, HEARTBEAT: pairs}[what]


def _row(each: Timed) -> list[object]:
    case = each.case
    return [
        each.name, each.host, case.protocol, case.transport, case.nodes, len(each.times_ps),
        each.messages, each.median_ps / 1e6, each.p99_ps / 1e6, rule(case.protocol, case.nodes),
        each.digest,
    ]  # fmt: skip


def _beat_row(each: Beats) -> list[object]:
    case = each.case
    return [
        each.name, each.host, HEARTBEAT, case.transport, case.nodes, BEATS, each.heartbeats, None,
        each.silence_us, rule(HEARTBEAT, case.nodes), each.digest,
    ]  # fmt: skip


def _text(found: Sequence[Timed], beats: Sequence[Beats], called: Mapping[str, str]) -> str:
    return "\n\n".join(
        [
            *(_deadlines(found, what, called) for what in (UPDATE, REGROUP)),
            _heartbeats(beats, called),
        ]
    )


def _deadlines(found: Sequence[Timed], what: str, called: Mapping[str, str]) -> str:
    rows = []
    for name in called:
        for transport in TRANSPORTS:
            mine = [
                each for each in found
                if (each.name, each.case.transport, each.case.protocol) == (name, transport, what)
            ]  # fmt: skip
            eight = next(each for each in mine if each.case.nodes == PRODUCT_LIMIT)
            most = max(each.case.nodes for each in mine)
            times = [(each.case.nodes, each.p99_ps / 1e6) for each in mine]
            sizes = [carried(times, limit) for limit in DEADLINES_US]
            rows.append(
                [called[name], transport, eight.p99_ps / 1e6]
                + [f">= {size}" if size == most else str(size) for size in sizes]
            )
    header = ["product", "transport", f"{PRODUCT_LIMIT} nodes need us"]
    header += [f"in {limit / 1000:g} ms" for limit in DEADLINES_US]
    title = {
        UPDATE: "Global update, 2 N - 1 messages one after the other: nodes that a deadline"
        " carries (99 % of the updates)",
        REGROUP: "Regroup, five stages of N (N - 1) messages: nodes that a deadline carries",
    }[what]
    return f"{title}\n\n{table(header, rows, '  ')}"


def _heartbeats(beats: Sequence[Beats], called: Mapping[str, str]) -> str:
    rows = [
        [called[each.name], each.case.nodes, each.per_second,
         rule(HEARTBEAT, each.case.nodes) / INTERVAL_S, each.silence_us / 1e6]
        for each in beats
    ]  # fmt: skip
    header = ["product", "nodes", "heartbeats/s", "n(n-1)/1.2", "held for dead after s"]
    return f"Heartbeats every 1.2 s, 6 of them missed\n\n{table(header, rows, '  ')}"
