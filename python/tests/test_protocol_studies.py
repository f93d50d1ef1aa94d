# SPDX-License-Identifier: GPL-2.0-only
"""Studies of protocols: what their tables say, and what they refuse."""

import csv
from dataclasses import replace
from itertools import pairwise

import pytest
import via
from via import ConfigError, critical_path, profiles, programs
from via.studies import (
    breakdown_rounds,
    faults,
    find,
    mscs,
    multiround,
    plan,
    request_reply,
    what_if,
)
from via.studies import small_messages as small
from via.studies.protocol_runs import WARM_UP, Case, carried, labels, timed
from via.studies.request_reply_cases import Task

CLAN = "giganet-clan1000"


def rows_of(name, out, **options):
    """Run a study quickly; return the rows of its first table."""
    outcome = find(name).run(plan.Plan(out, [CLAN], quick=True, **options))
    with outcome.files[0].open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


# ---- Many rounds ----


def test_each_protocol_is_timed_over_each_transport(tmp_path):
    rows = rows_of("multiround", tmp_path)
    assert tuple(rows[0]) == multiround.COLUMNS
    assert len(rows) == len(multiround.PROTOCOLS) * 3 * len(multiround.QUICK_NODES)
    median = {
        (row["protocol"], row["transport"], row["nodes"]): int(row["median_ps"]) for row in rows
    }
    for protocol in multiround.PROTOCOLS:
        assert median[protocol, "via-send", "16"] > median[protocol, "via-send", "2"]
        assert median[protocol, "kernel-udp", "16"] > 2 * median[protocol, "via-send", "16"]
    assert all(int(row["p99_ps"]) >= int(row["median_ps"]) for row in rows)


def test_messages_are_those_of_all_rounds_and_the_table_says_so():
    done = timed(Case("barrier", "kernel-udp", CLAN, 4, 10))
    row = dict(zip(multiround.COLUMNS, multiround.row_of(done), strict=True))
    assert row["rounds"] == 10
    assert row["messages"] == (10 + WARM_UP) * 4 * row["steps"]
    assert "messages, warm-up too" in multiround._text([done], labels([CLAN]))


def test_steps_follow_the_rules_of_the_protocols():
    assert [multiround.steps("barrier", nodes) for nodes in (2, 3, 4096)] == [1, 2, 12]
    assert multiround.steps("mscs-global-update", 8) == 14


def test_a_run_whose_datagrams_were_lost_has_no_times():
    whole = Case("central-barrier", "kernel-udp", CLAN, 16, 10, parameters=(("size", 1000),))
    starved = replace(whole, overrides=(("udp.buffer", 1024),))
    assert timed(whole).ended
    assert not timed(starved).ended
    row = multiround.row_of(replace(timed(starved), case=replace(starved, protocol="barrier")))
    assert row[multiround.COLUMNS.index("median_ps")] is None


def test_a_run_that_waits_for_ever_over_via_is_an_error():
    crash = (("process_faults", "crash:1:3"),)
    with pytest.raises(via.Deadlock):
        timed(Case("chain-replication", "via-send", CLAN, 4, 10, parameters=crash))


# ---- The cluster server ----


def test_the_rules_of_the_cluster_server_hold(tmp_path):
    rows = rows_of("mscs", tmp_path)
    beats = [row for row in rows if row["what"] == mscs.HEARTBEAT]
    assert [int(row["messages"]) for row in beats] == [12 * n * (n - 1) for n in (2, 8)]
    assert all(7.2e6 <= float(row["p99_us"]) < 7.201e6 for row in beats)
    update = [
        float(row["median_us"])
        for row in rows
        if (row["what"], row["transport"]) == (mscs.UPDATE, "via-send")
    ]
    steps = [after - before for before, after in pairwise(sorted(update))]  # 2, 4, 8, 16 nodes
    assert steps[1] == pytest.approx(2 * steps[0], rel=0.1)
    assert steps[2] == pytest.approx(2 * steps[1], rel=0.1)


def test_a_deadline_carries_clusters_up_to_the_first_that_misses_it():
    line = [(8, 70.0), (2, 10.0), (4, 90.0)]
    assert carried(line, 90.0) == 8
    assert carried(line, 89.0) == 2  # though 8 nodes would meet it
    assert carried(line, 9.0) == 0


# ---- Request and reply ----


def test_a_service_is_faster_and_cheaper_over_vipl_than_over_sockets(tmp_path):
    rows = rows_of("request-reply", tmp_path)
    assert tuple(rows[0]) == request_reply.COLUMNS
    by = {(row["transport"], int(row["nodes"])): row for row in rows}
    assert len(by) == 2 * len(request_reply.QUICK_NODES)
    for what in ("latency_us", "coordinator_cpu_us", "member_cpu_us"):
        for nodes in request_reply.QUICK_NODES:
            assert 0 < float(by["via", nodes][what]) < float(by["tcp", nodes][what])
    for transport in ("tcp", "via"):  # members of a larger cluster do not do more
        members = {float(by[transport, nodes]["member_cpu_us"]) for nodes in (2, 8)}
        assert max(members) == pytest.approx(min(members), rel=0.01)
        asked = [float(by[transport, nodes]["coordinator_cpu_us"]) for nodes in (2, 8)]
        assert asked[1] > 3 * asked[0]


def test_a_service_that_fails_is_an_error_of_the_study(tmp_path):
    program = programs.build("request-reply", tmp_path)
    with pytest.raises(via.ProcessFailed, match="exited with code 1"):
        request_reply.serve(Task(program, CLAN, "pigeons", 2, 3, (1, 2)))


# ---- Small messages ----


def test_streams_of_larger_messages_carry_more_and_cost_more(tmp_path):
    rows = [row for row in rows_of("small-messages", tmp_path) if row["experiment"] == small.SIZE]
    for transport in small.TRANSPORTS:
        mine = [row for row in rows if row["transport"] == transport]
        rates = [float(row["mb_s"]) for row in mine]
        assert rates == sorted(rates)
    via_send, tcp = (
        [float(row["cpu_us_per_message"]) for row in rows if row["transport"] == transport]
        for transport in small.TRANSPORTS
    )
    assert all(less < more / 5 for less, more in zip(via_send, tcp, strict=True))


def stream(size, mb_s, window=0):
    task = small.Task(small.SIZE, CLAN, "via-send", size, 1, window=window)
    return small.Stream(task, CLAN, "", mb_s, 1.0, 0.0, "")


def test_half_of_the_bandwidth_lies_on_the_line_between_two_sizes():
    line = [stream(16, 10.0), stream(64, 40.0), stream(256, 80.0), stream(1024, 80.0)]
    assert small.half_size(line) == pytest.approx(64)
    assert small.half_size([stream(16, 20.0), stream(64, 80.0)]) == pytest.approx(32)
    assert small.half_size([stream(16, 80.0), stream(64, 90.0)]) == 16


def test_the_window_needed_is_the_smallest_that_is_enough():
    line = [
        stream(16, rate, window) for window, rate in ((1024, 50.0), (2048, 91.0), (4096, 100.0))
    ]
    assert small.window_needed(line) == 2048


# ---- Faults ----


def test_fitted_time_outs_make_outages_shorter(tmp_path):
    rows = rows_of("faults", tmp_path)
    outage = {
        (row["protocol"], row["fault"], row["transport"], row["nodes"], row["time_outs"]): float(
            row["outage_us"]
        )
        for row in rows
    }
    for protocol, about in faults.PROTOCOLS.items():
        for fault in about.faults:
            usual = outage[protocol, fault, "via-send", "5", faults.USUAL]
            fitted = outage[protocol, fault, "via-send", "5", faults.FITTED]
            assert usual > 3 * fitted
    assert outage["mscs-regroup", faults.CRASH, "via-send", "5", faults.USUAL] > 1.2e6  # 4 ticks


# ---- Where a round goes ----


@pytest.mark.parametrize("protocol", ["barrier", "two-phase-commit", "mscs-global-update"])
def test_the_critical_path_tiles_a_run(protocol):
    run = via.Cluster(nodes=5).run(protocol, rounds=4)
    stages = critical_path.stages(run)
    assert int(stages["ps"].sum()) == run.messages["end_ps"].max()
    assert (stages["ps"] >= 0).all()


def test_rounds_of_a_barrier_take_their_share(tmp_path):
    parts = breakdown_rounds.take_apart(breakdown_rounds.Task("barrier", CLAN, 4, 20))
    assert parts.stages["share_pct"].sum() == pytest.approx(100)
    median = via.Cluster(nodes=4).run("barrier", rounds=20).latency_us()
    assert parts.round_us == pytest.approx(median, rel=0.03)


def test_rounds_are_left_out_when_sizes_are_asked_for(tmp_path):
    outcome = find("breakdown").run(plan.Plan(tmp_path, [CLAN], quick=True, sizes=[4]))
    assert [path.name for path in outcome.files] == ["breakdown.csv", "breakdown.png"]


# ---- What if ----


def test_each_number_is_halved_and_clocks_are_doubled():
    changes = {key: (value, changed) for key, _, value, changed in what_if.changes(CLAN)}
    assert changes["bus.clock"] == ("100000000/3 Hz", "200000000/3 Hz")
    assert changes["nic.receive_residual"] == ("94", "47")
    assert "nic.send_residual" not in changes  # nothing to halve
    assert "nic.max_vi" not in changes  # no time


def test_times_in_microseconds_and_picoseconds_are_halved():
    changes = {key: (value, changed) for key, _, value, changed in what_if.changes("gm-lanai9-200")}
    assert changes["link.host_phy_ps"] == ("168000", "84000")
    assert changes["nic.retransmit_timeout"] == ("4000", "2000")
    assert changes["link.propagation_ps_per_m"] == ("6500", "3250")
    assert "link.cable_length_mm" not in changes  # no time, and a metre's is halved already


def test_what_a_run_does_not_use_is_left_out(tmp_path):
    rows = rows_of("what-if", tmp_path)
    keys = {row["key"] for row in rows}
    assert {"cpu.clock", "nic.tpt_lookup", "vipl.post_send"} <= keys
    assert "vipl.create_cq" not in keys
    gains = {row["key"]: float(row["gain_pct"]) for row in rows if row["protocol"] == "barrier"}
    assert gains["nic.clock"] > gains["nic.receive_residual"] > gains["nic.tpt_lookup"] > 0


# ---- Kernels, from Python ----


def test_numbers_of_a_kernel_can_be_changed():
    small_buffer = via.Cluster(nodes=2, overrides={"tcp.receive_buffer": 4096})
    assert small_buffer.profile.kernel == "linux-2.2"
    slow, fast = (
        cluster.run("message-stream", transport="kernel-tcp", size=1024, rounds=200).samples[-1]
        for cluster in (small_buffer, via.Cluster(nodes=2))
    )
    assert slow > fast


def test_another_kernel_can_be_chosen():
    assert "linux-2.4" in profiles.kernels()
    other = via.Cluster(nodes=2, kernel="linux-2.4")
    assert other.profile.kernel == "linux-2.4"
    with pytest.raises(ConfigError, match="minix"):
        via.Cluster(nodes=2, kernel="minix")
