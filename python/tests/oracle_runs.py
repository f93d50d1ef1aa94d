# SPDX-License-Identifier: GPL-2.0-only
"""The scripts of the oracle as processes of via, and what both say of them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import via
from cycle_tables import Tables
from oracle import Compute, Post, Script, Star
from oracle.program import Queue, peers, queues
from oracle.time import Span

GREETING_PS = 5 * 10**11  # connections are made by then
GREETINGS = 1
TURN_PS = 10**9
SET_UP_PS = 10**12
END_PS = 2 * SET_UP_PS  # the processes end then, so that no disconnect is compared
BYTES = 65536
UNRELIABLE, RELIABLE_DELIVERY = 1, 2
CLAN = "giganet-clan1000"
SIZES = (  # of the messages of a random cluster
    (8,),
    (24, 25, 48),
    (360, 361, 384, 700, 744, 745),
    (1000, 2000, 4096),
    (0, 1, 8, 24, 40, 48, 100, 360, 384, 1000, 4096, 9000),
)
CHANGES: dict[str, tuple[object, ...]] = {  # of its profile
    "link.credits": (8, 9, 12, 20, 40),
    "nic.transmit_buffer": (1, 2, 3),  # bursts
    "nic.clock": ("33 MHz", "125 MHz"),
    "switch.clock": ("20 MHz", "100/3 MHz"),
    "switch.feedback_mark": (1, 8, 40),
    "link.cable_length_mm": (100, 1000, 100_000),
}


def _posts(scripts: list[Script], source: int, target: int) -> int:
    return queues(scripts, target).get(("recv", source), 0)


async def _connected(
    rank: int, new_vi: Callable[[], Any], memory: Any, scripts: list[Script]
) -> dict[int, Any]:
    """Connect a VI to each peer that messages come from or go to."""
    vis = {}
    for low in range(len(scripts)):
        for high in range(low + 1, len(scripts)):
            amounts = _posts(scripts, low, high), _posts(scripts, high, low)
            if rank not in (low, high) or high not in peers(scripts, low):
                continue
            peer = high if rank == low else low
            vi = vis[peer] = await new_vi()
            for _ in range(amounts[rank == low] + GREETINGS):
                await vi.post_recv(memory)
            await vi.connect_peer(peer, f"{low}-{high}")
    return vis


async def _greet(p: Any, vis: dict[int, Any], cq: Any) -> None:
    """Send a message to each peer, one process after the other: switches know who was served."""
    await p.sleep(GREETING_PS + p.rank * TURN_PS - p.now)
    for vi in vis.values():
        await vi.post_send(None)
    await p.sleep(SET_UP_PS - TURN_PS - p.now)
    for vi in vis.values():
        for _ in range(2 if cq else 0):
            await cq.done()
        await vi.sent()
        await vi.recv()


async def play(p: Any, scripts: list[Script], memories: dict[int, Any], reliability: int) -> None:
    """Do what the script of a process says."""
    script = scripts[p.rank]
    nic = await p.open_nic()
    memory = p.allocate(BYTES)
    tag = await nic.create_tag()
    memories[p.rank] = (await nic.register(memory, tag=tag, rdma_write=True)).remote
    cq = await nic.create_cq(1024) if script.cq else None

    def new_vi() -> Any:
        return nic.create_vi(
            tag=tag, send_cq=cq, recv_cq=cq, rdma_write=True, reliability=reliability
        )

    vis = await _connected(p.rank, new_vi, memory, scripts)
    await _greet(p, vis, cq)
    await p.sleep(script.start_ps - p.now)
    for action in script.actions:
        if isinstance(action, Compute):
            await p.compute(action.cycles)
        else:
            await _post(vis[action.target], memory[: action.size], action, memories)
    await _harvest(queues(scripts, p.rank), vis, cq, script.waits)
    await p.sleep(END_PS - p.now)


async def _harvest(expected: dict[Queue, int], vis: dict[int, Any], cq: Any, waits: bool) -> None:
    """Look at the queues in turn, or at the completion queue, until all has completed."""
    while expected:
        looks = list(expected)
        if cq:
            entry = await cq.done()
            looks = [_queue_of(entry, vis)] if entry else []
        for kind, peer in looks:
            vi = vis[peer]
            if waits:
                done = await (vi.sent() if kind == "send" else vi.recv())
            else:
                done = await (vi.send_done() if kind == "send" else vi.recv_done())
            expected[kind, peer] -= done is not None
            if not expected[kind, peer]:
                del expected[kind, peer]


def _queue_of(entry: Any, vis: dict[int, Any]) -> Queue:
    vi, is_receive = entry
    (peer,) = (peer for peer, own in vis.items() if own is vi)
    return "recv" if is_receive else "send", peer


async def _post(vi: Any, data: Any, post: Post, memories: dict[int, Any]) -> None:
    if post.writes:
        await vi.post_rdma_write(data, memories[post.target].at(0, BYTES))
    else:
        await vi.post_send(data)


def random_case(seed: int, profile: str = CLAN) -> dict[str, Any]:
    """Return scripts and options of a cluster: in half of them, most messages go to one node."""
    draw = random.Random(seed)
    tables = Tables(profile)
    nodes = draw.randint(2, min(8, max(tables.numbers("switch.ports"))))
    is_crowded = draw.random() < 0.5
    sizes = draw.choice(SIZES)
    latest_ps = draw.choice((1, 10**6, 2 * 10**7))

    def action(node: int) -> Compute | Post:
        if draw.random() < 0.3:
            return Compute(draw.randint(1, 6000))
        others = [other for other in range(nodes) if other != node]
        target = others[0] if is_crowded else draw.choice(others)
        return Post(target, draw.choice(sizes), writes=draw.random() < 0.2)

    scripts = [
        Script(
            SET_UP_PS + draw.randint(0, latest_ps),
            tuple(action(node) for _ in range(draw.randint(1, 9))),
            waits=draw.random() < 0.3,
        )
        for node in range(nodes)
    ]
    changes: dict[str, Any] = {
        key: draw.choice(values) for key, values in CHANGES.items() if draw.random() < 0.3
    }
    if tables.word("switch.feedback") == "none":
        changes.pop("switch.feedback_mark", None)
    if "nic.transmit_buffer" in changes:
        changes["nic.transmit_buffer"] *= tables.number("nic.dma_burst")
    options = {"profile": profile, "seed": seed, "changes": changes}
    return {"scripts": scripts, "reliability": UNRELIABLE, **options}


def other_case(seed: int, profile: str, **changes: object) -> dict[str, Any]:
    """Return a random case with other mechanisms, whose buffers are those of the product."""
    case = random_case(seed, profile)
    for key in ("link.credits", "nic.transmit_buffer"):
        case["changes"].pop(key, None)
    return case | {"changes": case["changes"] | changes}


def played(
    scripts: list[Script],
    profile: str = CLAN,
    seed: int = 1,
    changes: Mapping[str, object] | None = None,
    reliability: int = RELIABLE_DELIVERY,
) -> Any:
    """Run the scripts in via."""
    cluster = via.Cluster(
        "star",
        nodes=len(scripts),
        profile=profile,
        seed=seed,
        overrides=dict(changes or {}) or None,
    )
    cluster.process(range(len(scripts)), scripts, {}, reliability)(play)
    return cluster.run()


def spans_of(run: Any) -> list[tuple]:
    """Return what `run` says of all work after the set-up."""
    spans = run.spans
    inside = (spans["start_ps"] >= SET_UP_PS) & (spans["start_ps"] < END_PS)
    return _rows(spans[inside & (spans["cycles"] > 0)], Span._fields)


def lives_of(run: Any) -> list[tuple]:
    """Return what `run` says of all messages."""
    messages = run.messages[run.messages["posted_ps"] >= SET_UP_PS]
    return _rows(messages, ("src_rank", "dst_rank", "bytes", "posted_ps", "end_ps"))


def _rows(table: Any, columns: Iterable[str]) -> list[tuple]:
    return list(table[list(columns)].itertuples(index=False, name=None))


def differences(
    scripts: list[Script], reliability: int = RELIABLE_DELIVERY, **options: Any
) -> list[str]:
    """Return the work and the lives that only one of both has, in the order of time.

    Until a quarter of `nic.retransmit_buffer` has come from a peer, reliable delivery is the same.
    """
    star = Star(scripts, **options)
    star.run()
    run = played(scripts, reliability=reliability, **options)
    ours = Counter(map(tuple, [*star.spans, *star.lives]))
    theirs = Counter([*spans_of(run), *lives_of(run)])
    lines = [(row[3], f"oracle: {row}") for row in (ours - theirs).elements()]
    lines += [(row[3], f"via: {row}") for row in (theirs - ours).elements()]
    return [line for _, line in sorted(lines)]
