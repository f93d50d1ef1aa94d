# SPDX-License-Identifier: GPL-2.0-only
"""Chrome traces."""

import json
from decimal import Decimal

import pytest
import via
from via._runs import trace


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
    used = {(e["pid"], e["tid"]) for e in loaded["traceEvents"] if e["ph"] in "Xbe"}
    assert used == named


def names(loaded, what):
    return {
        (event["pid"], event["tid"] if what == "thread_name" else 0): event["args"]["name"]
        for event in loaded["traceEvents"]
        if event["name"] == what
    }


def test_processes_are_nodes_and_threads_are_engines_and_vis(loaded):
    processes, threads = names(loaded, "process_name"), names(loaded, "thread_name")
    assert set(processes.values()) == {"n0", "n1", "s0"}
    of_n0 = {text for (pid, _), text in threads.items() if processes[pid, 0] == "n0"}
    assert {"cpu", "bus", "nic-send", "nic-receive", "link", "rank 0 VI 0"} <= of_n0


# What chrome://tracing's format asks of each kind of event; Perfetto reads the same.
NEEDED = {
    "M": {"ph", "name", "pid", "tid", "args"},
    "X": {"ph", "name", "cat", "pid", "tid", "ts", "dur", "args"},
    "b": {"ph", "name", "cat", "id", "pid", "tid", "ts", "args"},
    "e": {"ph", "name", "cat", "id", "pid", "tid", "ts"},
}
KINDS = {"name": str, "cat": str, "id": str, "pid": int, "tid": int, "args": dict}


def test_every_event_has_the_fields_of_its_kind_and_no_others(loaded):
    assert set(loaded) == {"displayTimeUnit", "otherData", "traceEvents"}
    assert loaded["displayTimeUnit"] in ("ms", "ns")
    for event in loaded["traceEvents"]:
        assert set(event) == NEEDED[event["ph"]]
        assert all(type(event[field]) is kind for field, kind in KINDS.items() if field in event)
        assert all(event[field] >= 0 for field in ("ts", "dur") if field in event)


def test_a_run_writes_its_time_line(run, loaded, tmp_path):
    run.timeline(tmp_path / "timeline.json")
    assert json.loads((tmp_path / "timeline.json").read_text(), parse_float=Decimal) == loaded
    with pytest.raises(via.ConfigError, match="^path = "):
        run.timeline(tmp_path)


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
