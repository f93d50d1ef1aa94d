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
    "s": {"ph", "name", "cat", "id", "pid", "tid", "ts"},
    "f": {"ph", "bp", "name", "cat", "id", "pid", "tid", "ts"},
    "C": {"ph", "name", "pid", "ts", "args"},
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


def inside(loaded, flow):
    """The work on whose slice a flow begins or ends."""
    return [
        event
        for event in work(loaded)
        if (event["pid"], event["tid"]) == (flow["pid"], flow["tid"])
        and event["ts"] <= flow["ts"] <= event["ts"] + event["dur"]
    ]


def test_an_arrow_leads_from_the_first_work_on_a_message_to_the_last(run, loaded):
    flows = {kind: {e["id"]: e for e in loaded["traceEvents"] if e["ph"] == kind} for kind in "sf"}
    processes = {pid: name for (pid, _), name in names(loaded, "process_name").items()}
    assert set(flows["s"]) == set(flows["f"]) == set(run.messages["message"])
    for row in run.messages.itertuples():
        begin, end = flows["s"][row.message], flows["f"][row.message]
        assert processes[begin["pid"]] == f"n{row.src_rank}"
        assert processes[end["pid"]] == f"n{row.dst_rank}"
        assert [event["name"] for event in inside(loaded, begin)] == ["post-send"]
        assert [event["name"] for event in inside(loaded, end)] == ["reap"]


def counters(loaded):
    """The values of each counter in time, by process and name."""
    processes = {pid: name for (pid, _), name in names(loaded, "process_name").items()}
    found = {}
    for event in loaded["traceEvents"]:
        if event["ph"] == "C":
            track = found.setdefault((processes[event["pid"]], event["name"]), [])
            track.append((event["ts"], event["args"]["count"]))
    return found


def test_counters_begin_and_end_at_nothing_and_change_at_every_step(loaded):
    for track in counters(loaded).values():
        times, levels = zip(*track, strict=True)
        assert list(times) == sorted(set(times))
        assert levels[-1] == 0
        assert min(levels) >= 0


def test_a_node_of_a_ping_pong_has_one_message_in_flight_at_most(loaded):
    for node in ("n0", "n1"):
        levels = [level for _, level in counters(loaded)[node, "messages in flight"]]
        assert max(levels) == 1
        assert levels.count(1) == 5


def test_who_waits_for_credits_and_engines_is_counted(tmp_path):
    crowded = via.Cluster("torus:3x3", nodes=9).run("all-to-all", rounds=1)
    crowded.timeline(tmp_path / "trace.json")
    loaded = json.loads((tmp_path / "trace.json").read_text(), parse_float=Decimal)
    tracks = counters(loaded)
    for stage, name in (("credit-wait", "waiting: credit-wait"), ("serialize", "wires that send")):
        rows = crowded.spans[crowded.spans["stage"] == stage]
        owners = {owner.partition(".")[0] for owner in rows["owner"]}
        assert {owner for owner, track in tracks if track == name} == owners != set()


def test_any_names_in_a_saved_run_make_a_trace_that_can_be_read(run, tmp_path):
    run.save(tmp_path / "run")
    odd = via.Run.load(tmp_path / "run")
    name = 'a "quoted" \\ name\n'
    for table, column in (("messages", "message"), ("messages", "op"), ("spans", "stage")):
        odd.table(table)[column] = name
    odd.timeline(tmp_path / "trace.json")
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    assert {event["name"] for event in events if event["ph"] in "Xbe"} == {name}


def test_a_run_that_recorded_nothing_has_no_trace(tmp_path):
    silent = via.Cluster(record=False).run("ping-pong", rounds=1)
    with pytest.raises(via.ConfigError, match="record=True"):
        trace.write(silent, tmp_path / "trace.json")
    assert list(tmp_path.iterdir()) == []
