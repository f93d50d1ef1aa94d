# SPDX-License-Identifier: GPL-2.0-only
"""The C programs of contrib/via/examples with several processes on each node."""

from __future__ import annotations

import pytest
from via import Cluster, programs


@pytest.mark.parametrize("name", ["rdma-ring"])
def test_an_example_finds_its_peers_with_two_processes_on_each_node(name, built):
    cluster = Cluster(nodes=2)
    program = programs.build(name, built)
    cluster.run_program(program, ["-n", "1"], procs_per_node=2, capture=True, stop="50s")
