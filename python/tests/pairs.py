# SPDX-License-Identifier: GPL-2.0-only
"""Coroutines of two processes that talk with each other."""


async def connected(p, name="ping", nodes=(0, 1), **kwargs):
    """Open, register, connect: a NIC, memory, a VI."""
    nic = await p.open_nic()
    tag = await nic.create_tag()
    memory = p.allocate(4096)
    await nic.register(memory, tag=tag, rdma_write=True)
    level = 2 if nic.limits["reliability"] & 2 else 1
    vi = await nic.create_vi(tag=tag, reliability=level, **kwargs)
    await vi.post_recv(memory[:64])
    if p.node == nodes[0]:
        await vi.connect(nodes[1], name)
    else:
        await (await nic.listen(name)).accept(vi)
    return nic, memory, vi


async def ping_pong(p):
    nic = await p.open_nic()
    tag = await nic.create_tag()
    memory = p.allocate(4096)
    await nic.register(memory, tag=tag)
    level = 2 if nic.limits["reliability"] & 2 else 1
    vi = await nic.create_vi(tag=tag, reliability=level)
    await vi.post_recv(memory[:64])
    if p.rank == 0:
        await vi.connect(1, "ping")
    else:
        await (await nic.listen("ping")).accept(vi)
    for _ in range(20):
        if p.rank == 0:
            await vi.post_send(memory[64:104])
        await vi.recv(poll=True)
        await vi.post_recv(memory[:64])
        if p.rank == 1:
            await vi.post_send(memory[64:104])
        await vi.sent(poll=True)
    await vi.disconnect()
