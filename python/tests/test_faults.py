# SPDX-License-Identifier: GPL-2.0-only
"""Plans of faults from Python: calls, dictionaries and files are one; what happened is a table."""

from __future__ import annotations

import json
import os

import numpy as np
import pandas as pd
import pytest
import via
from via._runs import tables
from via.errors import ConfigError
from via.faults import load


def all_to_all(faults, **options):
    return via.Cluster(nodes=4, faults=faults, **options).run("all-to-all", rounds=2)


@pytest.fixture
def cut():
    return via.Faults().link_down("n1", at="200 us", until="250 us")


def test_calls_a_dictionary_and_both_files_say_the_same(cut, tmp_path):
    toml = tmp_path / "cut.toml"
    toml.write_text(
        'schema = "via-faults/1"\n'
        '[[link_down]]\nwhere = "n1"\nat = "200 us"\nuntil = "250 us"\n',
        "utf-8",
    )
    as_json = tmp_path / "cut.json"
    as_json.write_text(json.dumps(cut.to_dict()), "utf-8")
    digests = {all_to_all(plan).digest for plan in (cut, cut.to_dict(), toml, str(as_json))}
    assert len(digests) == 1
    assert all_to_all(None).digest not in digests


def test_the_table_says_what_happened_when(cut):
    run = all_to_all(cut.slow_node("n2", factor="3/2").loss("s0>n3", vanish_ppb=10_000_000))
    table = run.faults
    assert list(table.columns) == list(tables.FAULT_COLUMNS)
    assert list(table["kind"]) == ["slow_node", "loss", "link_down"]  # as they began
    assert table["until_ps"].isna().tolist() == [True, True, False]
    assert table["at_ps"].tolist() == [0, 0, 200_000_000]
    assert table["lost"].sum() == run.report["cells"]["lost"] > 0
    assert run.report["faults"][2]["until_ps"] == 250_000_000
    assert run.report["faults"][0]["until_ps"] is None
    assert "link_down" in run.provenance["faults"]


def test_a_slow_node_books_what_its_kernel_does_for_sockets_as_long_as_it_takes():
    async def send(process):
        socket = await process.socket("udp")
        for _ in range(10):
            await socket.sendto(b"x" * 1000, "n1", 5000)

    async def receive(process):
        socket = await process.socket("udp")
        await socket.bind(5000)
        for _ in range(10):
            await socket.recvfrom(2000)

    slow = via.Faults().slow_node("n0", factor=10).slow_node("n1", factor=10)
    cluster = via.Cluster(nodes=2, faults=slow)
    cluster.spawn(0, send)
    cluster.spawn(1, receive)
    report = cluster.run().report
    for process, cpu in zip(report["processes"], report["node_cpu"], strict=True):
        assert process["cpu_ps"] == sum(cpu.values())


def test_a_run_without_faults_has_an_empty_table():
    run = all_to_all(None)
    assert isinstance(run.faults, pd.DataFrame)
    assert len(run.faults) == 0
    assert run.report["faults"] == []
    assert run.report["cells"] == {"corrupt": 0, "lost": 0}


def test_every_kind_can_be_called():
    plan = (
        via.Faults()
        .loss("n0-s0", corrupt_ppb=np.int64(5), bit_errors=7, until="1 ms")
        .link_down("s0.1", at=3, until=4)
        .switch_down("s0", at="1 s", until="2 s")
        .nic_reset("n1", at="1 s", until="2 s")
        .node_crash("n2", at="1 s", until="2 s", restart=True)
        .slow_node("n3", factor=2)
        .partition([["n0", "n1"], ["n2"]], at="1 s")
        .storm("partition", per_second=1, least=1, most=2, until="1 s")
    )
    assert repr(plan) == "<via.Faults: 8 in all>"
    via.Cluster(nodes=4, faults=plan)


@pytest.mark.parametrize(
    ("plan", "text"),
    [
        (via.Faults().link_down("n4"), r"faults: link_down\[0\].where = n4: all, a host n0"),
        (via.Faults().slow_node("n1", factor=0), r"slow_node\[0\].factor = 0: a whole number or"),
        (via.Faults().loss(corrupt_ppb=0.5), r"loss\[0\].corrupt_ppb = 0.5: a whole number from 0"),
        (via.Faults().link_down("n1", at="1 hour"), r"at = 1 hour: a time like \"1.5 ms\""),
        (via.Faults().storm("rain", per_second=1, least=1, most=2, until=9), r"kind = rain: one"),
        ({"schema": "via-faults/2"}, r"faults.schema = via-faults/2: via-faults/1"),
        ({"schema": "via-faults/1", "loss": {}}, r"faults.loss = {}: a list of tables"),
        ({}, "schema is missing"),
        ("no-such.toml", "faults = no-such.toml: cannot be read"),
    ],
)
def test_mistakes_are_refused_before_time_starts(plan, text):
    with pytest.raises(ConfigError, match=text):
        via.Cluster(nodes=4, faults=plan)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_is_no_finite_number_is_refused_with_its_key(value):
    with pytest.raises(ConfigError, match=f"^at = {value}: a finite number is needed"):
        via.Faults().link_down("n1", at=value)
    with pytest.raises(ConfigError, match=f"^factor = {value}: a finite number is needed"):
        via.Faults().slow_node("n1", factor=value)


@pytest.mark.parametrize("value", [True, np.True_])
def test_true_is_no_number_and_no_time_of_a_fault(value):
    for plan in (
        via.Faults().loss(corrupt_ppb=value),
        via.Faults().link_down("n1", at=value),
        via.Faults().slow_node("n1", factor=value),
    ):
        with pytest.raises(ConfigError, match=" = true: a "):
            via.Cluster(faults=plan)
    via.Cluster(faults=via.Faults().node_crash("n1", until="1 ms", restart=value))


def test_a_mistake_in_a_file_is_named_with_its_line(tmp_path):
    file = tmp_path / "wrong.json"
    file.write_text('{"schema": "via-faults/1",\n\n"loss": [{"corrupt_ppb": -1}]}', "utf-8")
    with pytest.raises(ConfigError, match=r"wrong.json:3: loss\[0\].corrupt_ppb = -1"):
        load(file)


@pytest.fixture
def private(tmp_path):
    """A plan in a folder that this test may not enter: if the user is root, as nobody."""
    plan = tmp_path / "private" / "plan.toml"
    plan.parent.mkdir()
    plan.write_text('schema = "via-faults/1"\n', "ascii")
    plan.parent.chmod(0)
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    yield plan
    os.seteuid(user)
    plan.parent.chmod(0o700)


def test_a_plan_that_may_not_be_read_is_refused(private):
    for plan in (private, "a" * 300):
        with pytest.raises(ConfigError, match="^faults = .*: cannot be read"):
            via.Cluster(faults=plan)
        with pytest.raises(ConfigError, match="none can be run; the first: faults = .*: cannot"):
            via.sweep("ping-pong", {"faults": plan}, cache=None)


def test_the_same_seed_is_the_same_storm():
    storm = via.Faults().storm(
        "link_down", per_second=500, least="1 us", most="200 us", until="5 ms"
    )
    runs = [all_to_all(storm, seed=seed) for seed in (1, 1, 2)]
    assert runs[0].digest == runs[1].digest != runs[2].digest
    assert len(runs[0].faults) > 0


def test_a_run_that_loses_its_connection_ends_when_it_is_lost():
    cut = via.Faults().link_down("n1", at="20 us")
    run = via.Cluster(nodes=2, faults=cut).run("ping-pong", rounds=100, check=False)
    assert run.processes.report.eq("lost a connection").any()
    assert run.end_ps == run.processes.end_ps.max() > 30_000_000_000  # after the last time-out


def test_a_planned_crash_fails_processes_but_no_protocol():
    crash = via.Faults().node_crash("n1", at="50us")
    cluster = via.Cluster(nodes=3, faults=crash, record=False)
    assert cluster.run("two-phase-commit", rounds=10).exit == 0

    @cluster.process(range(3))
    async def sleeps(p):
        await p.sleep("1ms")

    run = cluster.run(check=False)
    assert run.exit == 1
    assert [each["exit"] for each in run.report["processes"]] == [0, 137, 0]


def test_a_storm_of_partitions_at_one_place_is_refused():
    span = {"per_second": 1, "least": 1, "most": 2, "until": 9}
    with pytest.raises(ConfigError, match="where = n99: a partition is of all hosts"):
        via.Faults().storm("partition", "n99", **span)
    assert via.Faults().storm("partition", "all", **span).to_dict()["storm"]
