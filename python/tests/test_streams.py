# SPDX-License-Identifier: GPL-2.0-only
"""Streams: their latency is the life of a message of process 0, not an arrival nor a credit."""

import pandas as pd
import pytest
import via
from via import workloads
from via._cli import main
from via.workloads import Timed

COUNTS = {"stream": "messages", "socket-stream": "messages", "message-stream": "rounds"}


@pytest.fixture(scope="module")
def stream():
    return via.Cluster().run("stream", size=4096, messages=20, window=2)


def lives_ps(run):
    data = run.messages[run.messages["src_rank"] == 0]
    return (data["end_ps"] - data["posted_ps"]).tolist()


# ---- latencies


def test_the_latency_of_a_stream_leaves_credits_out(stream):
    assert (stream.messages["src_rank"] == 1).any()
    assert stream.times_ps().tolist() == lives_ps(stream)
    assert stream.latency().count == 20


def test_the_only_sample_of_a_stream_is_the_arrival_of_the_last_message(stream):
    assert stream.samples.tolist() == [stream.messages["end_ps"].max()]


@pytest.mark.parametrize("transport", ["via-send", "via-rdma-write", "kernel-udp", "kernel-tcp"])
def test_the_latency_of_a_message_stream_is_of_its_messages(transport):
    run = via.Cluster().run("message-stream", rounds=30, window=8, transport=transport)
    assert run.times_ps().tolist() == lives_ps(run)
    assert len(run.samples) == run.latency().count == 30


def test_the_latency_of_a_message_stream_does_not_grow_with_its_length():
    short, long = (via.Cluster().run("message-stream", rounds=n, window=4) for n in (50, 500))
    assert long.latency_us() == pytest.approx(short.latency_us(), rel=0.05)
    assert max(long.samples) > 8 * max(short.samples)


def test_a_stream_that_kept_no_messages_has_no_latency():
    silent = via.Cluster(record=False).run("message-stream", rounds=5)
    with pytest.raises(via.ConfigError, match="record=True.* is needed for messages"):
        silent.latency()


def test_workloads_say_what_their_samples_are():
    found = {kind.name: kind.timed for kind in workloads.CLASSES if kind.timed != Timed.ROUNDS}
    trips = dict.fromkeys(("ping-pong", "socket-ping-pong"), Timed.ROUND_TRIPS)
    assert found == trips | dict.fromkeys(COUNTS, Timed.ARRIVALS)
    assert workloads.kind_of("of another module").timed is Timed.ROUNDS


# ---- breakdowns


def test_the_mean_breakdown_of_a_stream_is_of_its_messages(stream, tmp_path, capfd):
    mean_ps = sum(lives_ps(stream)) / 20
    assert stream.breakdown(by="stage")["ps"].sum() == pytest.approx(mean_ps)
    assert stream.breakdown(by=["message"])["ps"].count() == len(stream.messages)
    stream.save(tmp_path / "stream")
    assert main(["breakdown", str(tmp_path / "stream"), "--by", "part"]) == 0
    title = f"Where the {mean_ps / 1e6:.3f} us of a message go (send, 4096 bytes, mean of 20,"
    credits = len(stream.messages) - 20
    assert capfd.readouterr().out.startswith(f"{title} without {credits} credits)")


# ---- sweeps


@pytest.mark.parametrize(("name", "count"), COUNTS.items())
def test_a_sweep_over_the_length_of_a_stream_has_its_latencies(name, count):
    table = via.sweep(name, {count: [5, 8], "size": 1000}, progress=False)
    assert table["error"].tolist() == ["", ""] and table[count].tolist() == [5, 8]
    for row in table.itertuples():
        latency = via.Cluster().run(name, size=1000, **{count: getattr(row, count)}).latency()
        assert (row.latency_us, row.latency_p99_us) == (latency.median_us, latency.p99_us)
    assert table.columns.is_unique


def test_messages_of_a_sweep_over_streams_are_the_parameter_at_every_point():
    table = via.sweep("stream", [{"messages": 5}, {"window": 2}], progress=False)
    assert table.columns.is_unique and table["messages"].tolist() == [5, pd.NA]


# ---- uncertainties


@pytest.mark.parametrize(("name", "count"), COUNTS.items())
def test_the_uncertainty_of_a_stream_is_that_of_its_bandwidth(name, count):
    found = via.uncertainty(name, phases=1, linear=True, size=1000, **{count: 8})
    last_us = via.Cluster().run(name, size=1000, **{count: 8}).samples[-1] / 1e6
    assert (found.value, found.unit) == (pytest.approx(8000 / last_us), "MB/s")


def test_the_uncertainty_of_a_ping_pong_through_sockets_is_one_way():
    found = via.uncertainty("socket-ping-pong", phases=1, linear=True, rounds=4)
    samples = via.Cluster().run("socket-ping-pong", rounds=4).samples
    assert found.value == pytest.approx(samples.mean() / 2e6, abs=1e-6)


def test_a_stream_of_nothing_has_no_bandwidth_to_vary():
    with pytest.raises(via.ConfigError, match="size = 0"):
        via.uncertainty("stream", linear=True, size=0, messages=5)
