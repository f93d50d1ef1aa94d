# SPDX-License-Identifier: GPL-2.0-only
"""Runs of built-in workloads and their results."""

import json

import numpy as np
import pytest
import via
from via._runs.tables import BREAKDOWN_COLUMNS, MESSAGE_COLUMNS

US = 1_000_000


@pytest.fixture(scope="module")
def cluster():
    return via.Cluster(nodes=2)


@pytest.fixture(scope="module")
def run(cluster):
    return cluster.run("ping-pong", size=4, rounds=20)


def test_a_workload_has_a_sample_per_round(run):
    assert run.samples.dtype == np.int64
    assert len(run.samples) == 20
    assert (run.samples > 0).all()


def test_latency_quantiles_are_ordered_samples(run):
    latency = run.latency()
    assert latency.count == 20
    assert latency.min_us <= latency.median_us <= latency.p99_us <= latency.max_us
    assert round(latency.median_us * US) in run.samples // 2
    assert run.latency_us() == latency.median_us
    assert run.latency_us(0.99) == latency.p99_us
    assert "median" in str(latency)


def test_there_and_back_is_twice_one_way(run):
    assert round(run.round_trip_us() * US) in run.samples
    assert run.round_trip_us(1) == run.round_trip().max_us
    assert run.latency_us() == pytest.approx(run.round_trip_us() / 2, abs=1e-6)


def test_what_is_no_ping_pong_has_no_round_trips():
    run = via.Cluster(nodes=2).run("barrier", rounds=3)
    assert not run.has_round_trips and round(run.latency_us() * US) in run.samples
    with pytest.raises(via.ConfigError, match="^round_trip = barrier: only ping-pong and socket"):
        run.round_trip_us()


def test_a_run_without_times_says_what_it_lacks():
    early = via.Cluster(nodes=2).run("ping-pong", stop="5us", check=False)
    beats = via.Cluster(nodes=4).run("mscs-heartbeat")
    assert len(beats.messages) > 0
    for ask, text in (
        (early.latency_us, "^latency = none: ping-pong measured no round; see run.messages$"),
        (early.round_trip, "^round_trip = none: ping-pong measured no round; see run.messages$"),
        (beats.latency, "^latency = none: mscs-heartbeat measured no round; see run.messages$"),
    ):
        with pytest.raises(via.ConfigError, match=text):
            ask()


def test_the_latency_of_a_stream_is_that_of_its_messages():
    run = via.Cluster(nodes=2).run("stream", size=64, messages=20)
    lives = run.messages["end_ps"] - run.messages["posted_ps"]
    assert lives.min() <= run.latency_us() * US <= lives.max() < run.samples[0]


def test_a_quantile_beyond_1_is_refused(run):
    with pytest.raises(via.ConfigError, match="^quantile = 99"):
        run.latency_us(99)


def test_every_message_is_a_row(run):
    assert list(run.messages.columns) == list(MESSAGE_COLUMNS)
    assert len(run.messages) == run.report["messages"]
    assert run.messages["message"].is_unique
    assert (run.messages["bytes"] == 4).all()
    assert not run.messages["dropped"].any()


def test_the_breakdown_has_the_columns_of_the_file(run):
    assert ",".join(run.breakdown.columns) == (
        "message,src_rank,dst_rank,vi,seq,op,bytes,stage,owner,clock_hz,cycles,start_ps,end_ps"
    )
    assert list(run.breakdown.columns) == list(BREAKDOWN_COLUMNS)


def test_the_rows_of_a_message_tile_its_life(run):
    rows = run.breakdown[run.breakdown["op"] != "program"]
    lives = run.messages.set_index("message")
    assert set(rows["message"]) == set(lives.index)
    for message, stages in rows.groupby("message", observed=True):
        starts, ends = stages["start_ps"].to_numpy(), stages["end_ps"].to_numpy()
        assert starts[0] == lives.loc[message, "posted_ps"]
        assert ends[-1] == lives.loc[message, "end_ps"]
        assert (starts[1:] == ends[:-1]).all()


def test_spans_have_owners_that_the_breakdown_knows(run):
    assert set(run.breakdown["owner"]) <= set(run.spans["owner"])


def test_the_same_cluster_runs_again_with_the_same_digest(cluster, run):
    again = cluster.run("ping-pong", size=4, rounds=20)
    assert again.digest == run.digest
    assert (again.samples == run.samples).all()


def test_one_byte_more_is_another_digest(cluster, run):
    assert cluster.run("ping-pong", size=5, rounds=20).digest != run.digest


def test_another_seed_is_another_digest(run):
    assert via.Cluster(seed=2).run("ping-pong", size=4, rounds=20).digest != run.digest


def test_recording_does_not_change_the_digest(run):
    silent = via.Cluster(record=False).run("ping-pong", size=4, rounds=20)
    assert silent.digest == run.digest


def test_without_recording_tables_are_refused_with_the_way_to_get_them():
    run = via.Cluster(record=False).run("ping-pong", size=4, rounds=2)
    with pytest.raises(via.ConfigError, match="record=True"):
        _ = run.messages


def test_the_report_is_the_schema_of_the_command_line(run):
    report = json.loads(json.dumps(run.report))
    assert report["schema"] == "via-run/1"
    assert list(report) == [
        "schema", "digest", "payload_digest", "profile", "seed", "nodes", "topology", "mpi_ranks",
        "end_ps", "events", "messages", "exit", "processes", "cpu", "node_cpu", "translations",
        "cells", "faults", "deadlock", "violations",
    ]  # fmt: skip
    assert report["profile"]["name"] == "giganet-clan1000"
    assert [process["rank"] for process in report["processes"]] == [0, 1]
    assert {"rank", "node", "exit", "signal", "end_ps", "cpu_ps"} <= set(report["processes"][0])
    assert {"post-send", "poll", "reap"} <= set(report["cpu"])
    assert sum(report["cpu"].values()) == sum(one["cpu_ps"] for one in report["processes"])


@pytest.mark.parametrize("card", ["giganet-clan1000", "mx-d", "bip"])  # two write descriptors
def test_all_time_of_a_process_has_a_cause(card):
    report = via.Cluster("back-to-back", profile=card).run("ping-pong", size=4, rounds=5).report
    assert sum(report["cpu"].values()) == sum(one["cpu_ps"] for one in report["processes"])


def test_a_run_counts_the_look_ups_of_translation_caches(run):
    assert run.report["translations"] == {"hits": 0, "misses": 0}
    cached = via.Cluster(profile="gm-lanai9-133").run("ping-pong", size=4, rounds=2)
    assert cached.translation_hits > 0 < cached.translation_misses
    assert cached.report["translations"]["hits"] == cached.translation_hits


def test_provenance_is_enough_to_repeat_the_run(run, cluster):
    origin = run.provenance
    assert origin["fingerprint"] == cluster.profile.fingerprint
    assert origin["workload"] == "ping-pong"
    assert origin["parameters"] == {"size": "4", "rounds": "20"}
    assert (origin["seed"], origin["nodes"], origin["topology"]) == (1, 2, "star")


@pytest.mark.parametrize(
    ("workload", "parameters"),
    [("stream", {"messages": 40}), ("barrier", {"rounds": 3}), ("all-to-all", {"rounds": 3})],
)
def test_the_other_workloads_run(workload, parameters):
    run = via.Cluster(nodes=4, record=False).run(workload, **parameters)
    assert run.exit == 0
    assert len(run.samples) > 0


def test_an_unknown_workload_is_refused_with_those_there_are(cluster):
    with pytest.raises(via.ConfigError, match=r"ping-pong"):
        cluster.run("tennis")


@pytest.mark.parametrize(
    "parameters", [{"size": -1}, {"size": "four"}, {"size": 10**9}, {"rounds": 0}, {"colour": 1}]
)
def test_wrong_parameters_are_refused(cluster, parameters):
    with pytest.raises(via.ConfigError, match=next(iter(parameters))):
        cluster.run("ping-pong", **parameters)


def test_a_refused_run_leaves_the_cluster_usable(cluster, run):
    with pytest.raises(via.ConfigError):
        cluster.run("tennis")
    assert cluster.run("ping-pong", size=4, rounds=20).digest == run.digest


@pytest.mark.parametrize("stop", ["soon", "0us", 0, -5, 1.5])
def test_wrong_stop_times_are_refused(cluster, stop):
    with pytest.raises(via.ConfigError, match="^stop = "):
        cluster.run("ping-pong", stop=stop)


@pytest.mark.parametrize(("start", "stop"), [("5us", "5us"), ("5us", "4us"), (5, 5)])
def test_a_process_that_stops_before_it_starts_is_refused(cluster, start, stop):
    with pytest.raises(via.ConfigError, match=f"^stop = {stop}: it must be later than start"):
        cluster.process(0, start=start, stop=stop)


def test_nothing_happens_after_the_stop(cluster):
    run = cluster.run("ping-pong", rounds=10**6, stop="100us", check=False)
    assert run.end_ps <= 100 * US
    assert 0 < run.report["messages"] < 100
