# SPDX-License-Identifier: GPL-2.0-only
"""Chrome traces."""

import json
from decimal import Decimal

import pytest
import via
from via import trace


@pytest.fixture(scope="module")
def run():
    return via.Cluster(nodes=2).run("ping-pong", size=100, rounds=5)


@pytest.fixture(scope="module")
def loaded(run, tmp_path_factory):
    path = tmp_path_factory.mktemp("trace") / "trace.json"
    trace.write(run, path)
    return json.loads(path.read_text(), parse_float=Decimal)


def work(loaded):
    return [event for event in loaded["traceEvents"] if event["ph"] == "X"]


def test_a_trace_says_which_run_it_is_of(run, loaded):
    assert loaded["otherData"]["digest"] == run.digest


def test_every_span_is_an_event_with_whole_picoseconds(run, loaded):
    events = work(loaded)
    assert len(events) == len(run.spans)
    assert all(
        type(event["args"][end]) is int for event in events for end in ("start_ps", "end_ps")
    )


def test_microseconds_are_the_same_instants(loaded):
    for event in work(loaded):
        assert event["ts"] * 1_000_000 == event["args"]["start_ps"]
        assert (event["ts"] + event["dur"]) * 1_000_000 == event["args"]["end_ps"]


def test_nothing_overlaps_on_a_thread(loaded):
    free = {}
    for event in work(loaded):
        place = event["pid"], event["tid"]
        assert event["args"]["start_ps"] >= free.get(place, 0)
        free[place] = event["args"]["end_ps"]


def test_every_thread_has_a_name(loaded):
    named = {
        (event["pid"], event["tid"])
        for event in loaded["traceEvents"]
        if event["ph"] == "M" and event["name"] == "thread_name"
    }
    assert {(event["pid"], event["tid"]) for event in work(loaded)} == named


def test_every_message_begins_and_ends(run, loaded):
    ids = {
        kind: [event["id"] for event in loaded["traceEvents"] if event["ph"] == kind]
        for kind in "be"
    }
    assert ids["b"] == ids["e"] == run.messages["message"].tolist()


def test_a_run_that_recorded_nothing_has_no_trace(tmp_path):
    silent = via.Cluster(record=False).run("ping-pong", rounds=1)
    with pytest.raises(via.ConfigError, match="record=True"):
        trace.write(silent, tmp_path / "trace.json")
    assert list(tmp_path.iterdir()) == []
