# SPDX-License-Identifier: GPL-2.0-only
"""No bad input reaches C++ as a crash: a hundred thousand calls with whatever comes to mind."""

import random

import pytest
import via

CALLS = 100_000
PER_RUN = 2_000

ODD = [
    None, True, -1, 0, 1, 2, 3, 64, 65535, 65536, 2**31, 2**32 - 1, 2**32, 2**40, 2**63 - 1, 2**63,
    2**64, -(2**63), 1.5, float("nan"), float("inf"), "", "x", "5us", "-1us", "1e9s", "9999999s",
    "\0", "\ud800", b"", b"x", b"\0" * 300, bytes(70000), [], [1], (), (None,), {}, object(), str,
    id, range(3), bytearray(8), memoryview(bytes(8)), memoryview(bytearray(16))[::2],
]  # fmt: skip

EXPECTED = (ValueError, TypeError, OverflowError, BufferError, MemoryError, RuntimeError,
            UnicodeError, IndexError, KeyError, AttributeError, via.ViplError)  # fmt: skip

METHODS = {
    via.Process: ["compute", "sleep", "clock", "allocate", "open_nic"],
    via.Nic: ["create_tag", "register", "deregister", "create_cq", "create_vi", "listen", "close"],
    via.Vi: ["connect", "connect_peer", "disconnect", "query", "destroy", "post_send", "post_recv",
             "post_rdma_write", "post_rdma_read", "send", "rdma_write", "rdma_read", "recv", "sent",
             "recv_done", "send_done", "notify_recv", "notify_sent"],
    via.CompletionQueue: ["done", "wait", "notify", "destroy"],
    via.ProtectionTag: ["destroy"],
    via.Connection: ["accept", "reject"],
    via.RemoteMemory: ["at"],
}  # fmt: skip
KEYWORDS = ["tag", "rdma_write", "rdma_read", "send_cq", "recv_cq", "reliability", "max_transfer",
            "descriptors", "segments", "timeout", "immediate", "function", "what"]  # fmt: skip
# these may wait for ever, or for years: they get a time-out, or are not awaited
WAITING = {"listen", "recv", "sent", "wait", "send", "rdma_write", "rdma_read", "connect",
           "connect_peer", "disconnect"}  # fmt: skip


def fuzz(seed, calls, done):
    """A process that calls methods of everything it has with anything, and goes on."""

    async def process(p):
        draw = random.Random(seed + p.rank)
        nic = await p.open_nic()
        memory = p.allocate(4096)
        region = await nic.register(memory, rdma_write=True)
        vi = await nic.create_vi()
        pool = [
            p,
            nic,
            vi,
            vi,
            await nic.create_cq(4),
            region.remote,
            region,
            await nic.create_tag(),
        ]
        values = [*ODD, memory, memory[10:20], memory[:0], region, *pool]
        for _ in range(calls):
            done.append(1)
            one = draw.choice(pool)
            name = draw.choice(METHODS.get(type(one), ["remote"]))
            args = [draw.choice(values) for _ in range(draw.choice((0, 1, 1, 2, 2, 3)))]
            kwargs = {}
            if draw.random() < 0.3:
                kwargs[draw.choice(KEYWORDS)] = draw.choice(values)
            try:
                made = getattr(one, name)(*args, **kwargs)
                if name in WAITING or (name in ("sleep", "compute") and args[:1] != [3]):
                    if hasattr(made, "close"):
                        made.close()
                    continue
                if name == "allocate":
                    continue
                if name != "at":
                    made = await made
                if type(made) in METHODS and len(pool) < 40:
                    pool.append(made)
            except EXPECTED:
                continue
        await p.sleep("1us")

    return process


def run_fuzz(seed, calls):
    done = []
    cluster = via.Cluster(nodes=2, record=False)
    cluster.process([0, 1])(fuzz(seed, calls // 2, done))
    run = cluster.run(check=False, stop="10s")
    assert all("Error" not in line for line in run.troubles), run.troubles
    return len(done)


def test_two_thousand_calls_of_anything_are_answered_or_refused():
    assert run_fuzz(1, PER_RUN) == PER_RUN


@pytest.mark.night
def test_a_hundred_thousand_calls_of_anything_are_answered_or_refused():
    assert sum(run_fuzz(seed, PER_RUN) for seed in range(CALLS // PER_RUN)) == CALLS
