# SPDX-License-Identifier: GPL-2.0-only
"""Critical paths of messages: each is that of its own message, from its post on."""

from __future__ import annotations

from typing import Any

import pytest
import via
from via import critical_path

LOSSES = via.Faults().loss(corrupt_ppb=5 * 10**6)


def paths_of(run: via.Run) -> list[tuple[Any, Any]]:
    """Return each message of a run with the rows of its path."""
    rows = run.breakdown.groupby("message", sort=False, observed=True)
    return [(message, rows.get_group(message.message)) for message in run.messages.itertuples()]


def tiles(message: Any, rows: Any) -> bool:
    """Tell whether rows cover the life of a message, without gaps."""
    ends, starts = rows["end_ps"].to_numpy(), rows["start_ps"].to_numpy()
    whole = (starts[0], ends[-1]) == (message.posted_ps, message.end_ps)
    return whole and (ends[:-1] == starts[1:]).all()


@pytest.mark.parametrize(
    ("workload", "options"),
    [
        ("all-to-all", {"faults": LOSSES, "seed": 4}),
        ("barrier", {"faults": LOSSES, "seed": 5, "profile": "gm-lanai9-200"}),
        ("all-to-all", {"overrides": {"switch.feedback_mark": 1}}),
        ("view-synchrony", {"overrides": {"switch.feedback_mark": 1}}),
    ],
    ids=["retransmissions", "retransmitted packets", "pauses", "pauses of several messages"],
)
def test_a_path_begins_with_the_post_of_its_own_message(
    workload: str, options: dict[str, Any]
) -> None:
    run = via.Cluster("fat-tree:k=4,n=2", nodes=5, record=True, **options).run(workload, rounds=5)
    for message, rows in paths_of(run):
        assert rows["owner"].iloc[0].startswith(f"n{message.src_rank}.cpu")
        assert "post-send" in rows["stage"].to_list()
        assert tiles(message, rows)


@pytest.mark.parametrize("transport", ["kernel-udp", "kernel-tcp"])
@pytest.mark.parametrize("workload", ["barrier", "broadcast", "all-reduce"])
def test_between_sockets_a_path_crosses_the_wire(workload: str, transport: str) -> None:
    run = via.Cluster(nodes=3, record=True).run(workload, rounds=3, transport=transport)
    for message, rows in paths_of(run):
        assert "propagate" in rows["stage"].to_list()
        assert tiles(message, rows)


@pytest.mark.parametrize("transport", ["kernel-udp", "kernel-tcp"])
def test_messages_between_sockets_that_end_after_the_stop_are_no_part_of_the_run(
    transport: str,
) -> None:
    cluster = via.Cluster(nodes=2, record=True)
    given: dict[str, Any] = {"size": 1000, "transport": transport, "check": False}
    ends = cluster.run("socket-ping-pong", rounds=3, **given).messages["end_ps"]
    run = cluster.run("socket-ping-pong", rounds=20, stop=int(ends.iloc[2]) - 1, **given)
    assert list(run.messages["end_ps"]) == list(ends.iloc[:2])
    assert run.report["messages"] == 2
    for message, rows in paths_of(run):
        assert tiles(message, rows)


def test_a_run_without_messages_has_no_critical_path() -> None:
    cluster = via.Cluster(nodes=1)

    @cluster.process(0)
    async def sleeps(p: via.Process) -> None:
        await p.sleep("1us")

    with pytest.raises(via.ConfigError, match="^run = no messages: a critical path ends at"):
        critical_path.stages(cluster.run())


def path_between(nodes: list[int]) -> Any:
    """Return the path of a message from rank 0 to rank 1 on these nodes."""
    cluster = via.Cluster(nodes=2)

    @cluster.process(nodes)
    async def talks(p: via.Process) -> None:
        nic = await p.open_nic()
        memory = p.allocate(64)
        await nic.register(memory)
        vi = await nic.create_vi()
        await vi.post_recv(memory)
        await vi.connect_peer(nodes[1 - p.rank], "pair")
        await p.sleep("1ms")
        if p.rank == 0:
            await p.compute("50us")
            await vi.send(memory[:8])
        else:
            await vi.recv(poll=True)

    return critical_path.stages(cluster.run())


def test_the_sender_of_a_path_is_where_its_process_runs() -> None:
    same, swapped = path_between([0, 1]), path_between([1, 0])
    assert list(same.columns) == ["stage", "owner", "ps"]
    assert swapped[["stage", "owner"]].equals(same[["stage", "owner"]])
    owners = dict(zip(swapped["stage"], swapped["owner"], strict=True))
    assert owners["post-send"] == owners["other messages: compute"] == "sender cpu"
    assert owners["reap"] == "receiver cpu"
