# SPDX-License-Identifier: GPL-2.0-only
"""The C programs of contrib/via/examples with several processes on each node."""

from __future__ import annotations

import pytest
from conftest import EXAMPLES

PROGRAMS = {
    "barrier": (["barrier.c"], 2, []),
    "block-storage": (["block-*.c"], 2, ["-n", "5"]),
    "costs": (["costs.c"], 1, []),
    "credit-flow": (["credit-flow.c"], 2, ["-n", "20"]),
    "event-server": (["event-*.c"], 2, ["-n", "5"]),
    "messages": (["messages.c", "msg*.c"], 2, ["-n", "2"]),
    "ping-pong": (["ping-pong.c"], 1, ["-n", "5"]),
    "rdma-ring": (["rdma-ring.c"], 2, []),
    "shared-memory": (["shared-memory.c", "dsm*.c"], 2, []),
    "stream": (["stream.c"], 1, ["-n", "20"]),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_an_example_finds_its_peers_with_two_processes_on_each_node(via, tmp_path, name):
    patterns, nodes, options = PROGRAMS[name]
    sources = [path for each in [*patterns, "vipl-*.c"] for path in sorted(EXAMPLES.glob(each))]
    program = tmp_path / "example.so"
    assert via("cc", "-w", *sources, "-o", program).code == 0
    done = via("run", "--nodes", nodes, "--procs-per-node", 2, program, "--", *options)
    assert done.code == 0, done.err
