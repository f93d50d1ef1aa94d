# SPDX-License-Identifier: GPL-2.0-only
"""Runs on several ranks against each other, where ns-3's module mpi is there."""

from __future__ import annotations

import pytest
import via
from via import ranks
from via.errors import ConfigError


def is_built() -> bool:
    try:
        ranks.find_program()
    except ConfigError:
        return False
    return True


needs_mpi = pytest.mark.skipif(not is_built(), reason="./via setup --mpi makes via-ranks")

CASES = [
    ("star", 8, "ping-pong", 5000),
    ("star", 8, "all-to-all", 4096),
    ("fat-tree:k=2,n=3", 8, "all-to-all", 1000),
    ("torus:4x4", 16, "all-to-all", 1000),
    ("torus:4x4", 16, "barrier", 8),
]


@needs_mpi
@pytest.mark.parametrize(("topology", "nodes", "workload", "size"), CASES)
def test_any_number_of_ranks_has_the_same_digest(
    topology: str, nodes: int, workload: str, size: int
) -> None:
    cluster = via.Cluster(topology, nodes=nodes)
    one, two, four = (
        cluster.run_on_ranks(workload, mpi_ranks=count, size=size, rounds=2) for count in (1, 2, 4)
    )
    assert one.digest == two.digest == four.digest
    assert one.end_ps == two.end_ps == four.end_ps
    assert list(one.samples_ps) == list(two.samples_ps) == list(four.samples_ps)
    assert one.messages == two.messages == four.messages
    assert all(rank["records_sent"] > 0 for rank in four.ranks) or workload == "ping-pong"


@needs_mpi
def test_what_ranks_cannot_do_is_refused_by_name() -> None:
    with pytest.raises(ConfigError, match="not on several ranks yet"):
        via.Cluster(nodes=4).run_on_ranks("paxos", mpi_ranks=2)
    with pytest.raises(ConfigError, match="--mpi-ranks = 4: a whole number from 1 to 2"):
        via.Cluster(nodes=2).run_on_ranks("ping-pong", mpi_ranks=4)


def test_more_ranks_than_there_may_be_are_refused() -> None:
    with pytest.raises(ConfigError, match="mpi_ranks"):
        via.Cluster(nodes=100).run_on_ranks("barrier", mpi_ranks=65)
