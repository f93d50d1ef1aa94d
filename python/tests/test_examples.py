# SPDX-License-Identifier: GPL-2.0-only
"""The C programs of contrib/via/examples with several processes on each node."""

from __future__ import annotations

import pytest
from via import Cluster, programs


@pytest.mark.parametrize(
    ("name", "nodes", "arguments"),
    [
        ("ping-pong", 1, ["-n", 20]),
        ("stream", 1, ["-n", 20]),
        ("costs", 1, ["-n", 5]),
        ("vibe", 1, ["-e", "cq", "-x", "4", "-n", 20]),
        ("barrier", 2, ["-n", 20]),
        ("rdma-ring", 2, ["-n", 1]),
        ("credit-flow", 2, ["-n", 50]),
        ("messages", 2, ["-n", 1, "-m", 20000]),
        ("shared-memory", 2, []),
        ("block-storage", 2, ["-n", 20]),
        ("event-server", 2, []),
    ],
)
def test_an_example_finds_its_peers_with_two_processes_on_each_node(name, nodes, arguments, built):
    cluster = Cluster(nodes=nodes, overrides={"cpu.count": "2"})
    run = cluster.run_program(
        programs.build(name, built), arguments, procs_per_node=2, capture=True, stop="5s"
    )
    assert run.stdout


def test_a_service_runs_over_sockets_and_over_vipl(built):
    program = programs.build("request-reply", built)
    cluster = Cluster(nodes=2, profile="giganet-clan1000")
    tcp, vi = (
        cluster.run_program(program, ["-t", how, "-n", 10], capture=True).stdout.split()
        for how in ("tcp", "via")
    )
    assert tcp[:3] == ["tcp", "64", "10"]
    assert vi[:3] == ["via", "64", "10"]
    assert float(vi[3]) < float(tcp[3])


@pytest.mark.parametrize("nodes", [1, 2])
def test_processes_of_one_node_are_served_over_sockets(built, nodes):
    program = programs.build("request-reply", built)
    run = Cluster(nodes=nodes).run_program(
        program, ["-t", "tcp", "-n", 5], procs_per_node=3, capture=True
    )
    assert run.expect_clean().stdout.startswith("tcp 64 5 ")
