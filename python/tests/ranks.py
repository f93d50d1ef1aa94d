# SPDX-License-Identifier: GPL-2.0-only
"""What the tests of MPI ranks have in common."""

from __future__ import annotations

from typing import Any

import pytest
import via
from via._programs import partitions
from via.errors import ConfigError


def is_built() -> bool:
    try:
        partitions.find_program(1)
    except ConfigError:
        return False
    return True


needs_mpi = pytest.mark.skipif(not is_built(), reason="./via setup --mpi makes via-partitions")
WITH_CREDITS = (
    "firmvia-sp", "giganet-clan1000", "ideal", "infinihost", "servernet1", "servernet2",
    "synfinity", "unet-atm",
)  # fmt: skip
PROTOCOLS = (
    "all-gather", "all-reduce", "broadcast", "central-barrier", "chain-replication", "gossip",
    "lock-server", "message-stream", "mscs-global-update", "mscs-heartbeat", "mscs-join",
    "mscs-regroup", "multi-paxos", "paxos", "primary-backup", "raft", "reduce", "request-reply",
    "ricart-agrawala", "sequencer", "three-phase-commit", "token-ring", "tree-barrier",
    "two-phase-commit", "view-synchrony",
)  # fmt: skip


def same_on(
    cluster: via.Cluster,
    counts: tuple[int, ...],
    workload: str,
    **given: Any,
) -> via.Run:
    """Run without MPI and on so many ranks each time; return the last run, which is like all."""
    first, *others = (
        cluster.run(workload, mpi_ranks=count, check=False, **given) for count in counts
    )
    assert first.digest == cluster.run(workload, check=False, **given).digest
    for other in others:
        assert other.digest == first.digest
        assert list(other.samples) == list(first.samples)
        one, more = dict(first.report), dict(other.report)
        for own in ("mpi_ranks", "partitions", "events"):  # each rank hears who has finished
            del one[own], more[own]
        assert more == one
        assert other.decisions.equals(first.decisions)
        assert other.messages.equals(first.messages)
    return other
