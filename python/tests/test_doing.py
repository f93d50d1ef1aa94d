# SPDX-License-Identifier: GPL-2.0-only
"""Fixed delays of cables and switches are told apart from waits, wherever spans are shown."""

import json

import matplotlib.pyplot as plt
import pandas as pd
import pytest
import via
from via._base.doing import DELAYS, WAITS, WORKS, doing, doings
from via._cli import main
from via._page import sampling
from via.charts import time


@pytest.fixture(scope="module")
def run():
    return via.Cluster().run("ping-pong", size=4096, rounds=2)


@pytest.fixture
def panel():
    figure, made = plt.subplots()
    yield made
    plt.close(figure)


def test_cells_that_fly_or_cross_a_switch_do_not_wait(run):
    rows = run.spans
    told = dict(zip(rows["stage"], doings(rows), strict=True))
    assert told["propagate"] == "in flight"
    assert told["align"] == WAITS
    assert set(doings(rows[rows["stage"] == "switch"])) == {WORKS, "passes"}


def test_a_table_is_told_what_each_of_its_rows_is(run):
    rows = run.breakdown
    each = [doing(*pair) for pair in zip(rows["stage"], rows["clock_hz"], strict=True)]
    assert doings(rows).tolist() == each
    assert doings(rows.head(0)).tolist() == []


def test_the_command_says_that_cells_pass_a_switch(capfd):
    assert main(["breakdown", "--size", "4096"]) == 0
    lines = capfd.readouterr().out.splitlines()
    crossings = [line for line in lines if " s0.crossbar " in line]
    assert [line.split()[3] for line in crossings] == ["passes"], lines


def test_a_stage_and_part_have_one_row_in_the_means_of_a_report(run):
    means = sampling.means(run.breakdown)
    assert not means.duplicated(["stage", "part"]).any()
    assert not means.loc[means["stage"] == "switch", "is_wait"].any()
    assert means.loc[means["stage"] == "align", "is_wait"].all()


def test_no_delay_is_paler_in_a_chart(panel, run):
    rows = run.breakdown[run.breakdown["stage"].isin(list(DELAYS))]
    time.stacked(panel, {"flights": rows})
    assert {bar.get_alpha() for bar in panel.patches} == {None}
    panel.clear()
    time.gantt(panel, rows[rows["message"] == "0.0.1"])
    assert {bar.get_alpha() for bar in panel.patches} == {None}


def test_a_trace_has_delays_as_a_category_of_their_own(run, tmp_path):
    run.timeline(tmp_path / "trace.json")
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    spans = [event for event in events if event["ph"] == "X"]
    told = pd.DataFrame({
        "name": [event["name"] for event in spans],
        "cat": [event["cat"] for event in spans],
        "clocked": [event["args"]["clock_hz"] > 0 for event in spans],
    }).drop_duplicates()  # fmt: skip
    by_name = told[~told["clocked"]].set_index("name")["cat"]
    assert by_name[["propagate", "switch", "align"]].tolist() == ["delay", "delay", "wait"]
    assert set(told.loc[told["clocked"], "cat"]) == {"work"}
    threads = {event["args"]["name"] for event in events if event.get("name") == "thread_name"}
    assert {"link", "link in flight", "crossbar", "crossbar passes"} <= threads
