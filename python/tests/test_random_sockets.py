# SPDX-License-Identifier: GPL-2.0-only
"""Random socket calls of several processes of a node: each ends as it may, and no byte is wrong.

The night tier makes a million calls, see test_campaigns.
"""

from pathlib import Path

import pytest
import via
from via._programs import compiler

PROGRAM = Path(__file__).resolve().parents[2] / "contrib/via/test/programs/random-sockets.c"
PER_NODE = 2


@pytest.fixture(scope="module")
def random_sockets(tmp_path_factory):
    made = tmp_path_factory.mktemp("random") / "random-sockets.so"
    assert compiler.main(["-w", "--no-trace-pc", str(PROGRAM), "-o", str(made)]) == 0
    return made


@pytest.mark.parametrize("control", [False, True])
def test_random_socket_calls_end_as_they_may_and_repeat(random_sockets, control):
    cluster = via.Cluster(nodes=2, control_network=control, record=False)
    one, other = (
        cluster.run_program(
            random_sockets,
            [7, 1_500, 2],
            procs_per_node=PER_NODE,
            env={"CONTROL": "1"} if control else {},
            stop="1000s",
            patience="1000s",
            capture=True,
        )
        for _ in range(2)
    )
    assert one.stdout.count(" bad 0\n") == 2 * PER_NODE
    assert (one.digest, one.stdout) == (other.digest, other.stdout)
