# SPDX-License-Identifier: GPL-2.0-only
"""Protocols of the library, from Python."""

import re
from pathlib import Path

import pytest
import via
from via._runs.tables import DECISION_COLUMNS


def test_a_protocol_has_a_sample_per_round_and_decisions():
    run = via.Cluster(nodes=4).run("two-phase-commit", rounds=5)
    assert len(run.samples) == 5
    assert list(run.decisions.columns) == list(DECISION_COLUMNS)
    decided = run.decisions[run.decisions["event"] == "decide"]
    assert len(decided) == 5 * 4
    assert (decided["value"] == 1).all()
    assert run.violations == []


@pytest.mark.parametrize("transport", ["via-send", "via-rdma-write"])
def test_a_protocol_runs_over_each_transport(transport):
    run = via.Cluster(nodes=8).run("barrier", transport=transport, rounds=3)
    assert run.report["messages"] == 3 * 8 * 3


@pytest.mark.parametrize("transport", ["kernel-udp", "kernel-tcp"])
def test_the_kernel_is_slower_than_via(transport):
    cluster = via.Cluster(nodes=4)
    kernel = cluster.run("two-phase-commit", transport=transport, rounds=10)
    assert kernel.latency_us() > 2 * cluster.run("two-phase-commit", rounds=10).latency_us()


def test_the_tables_are_there_for_workloads_too():
    run = via.Cluster(nodes=2).run("ping-pong", rounds=1)
    assert run.decisions.empty


def test_a_protocol_that_cannot_end_is_a_deadlock():
    cluster = via.Cluster(nodes=4)
    with pytest.raises(via.Deadlock):
        cluster.run("chain-replication", process_faults="crash:1:3")


def test_a_fault_that_is_none_is_refused():
    with pytest.raises(via.ConfigError, match="^process_faults = flood:1"):
        via.Cluster(nodes=4).run("paxos", process_faults="flood:1")


def test_the_protocol_of_the_page_is_the_one_that_is_tested():
    module = Path(__file__).resolve().parents[2] / "contrib" / "via"
    page = (module / "doc" / "protocols.md").read_text("utf-8")
    shown = re.search(r"^struct Hop.*?^```", page, re.MULTILINE | re.DOTALL)
    assert shown is not None
    tested = (module / "test" / "protocols" / "user-protocol-test.cc").read_text("utf-8")
    assert shown.group().removesuffix("```") in tested
