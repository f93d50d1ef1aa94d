# SPDX-License-Identifier: GPL-2.0-only
"""Clusters whose nodes are not all alike: other hosts, other cards on the same wire."""

from __future__ import annotations

import pytest
import via
from via._cli.run import check, parser

SLOW, FAST = "gm-lanai9-133", "gm-lanai9-200"


def round_trip(**options):
    run = via.Cluster(profile=SLOW, seed=3, **options).run("ping-pong", size=4, rounds=10)
    return run.samples.mean()


def test_a_pair_of_a_slow_and_a_fast_card_lies_between_two_pairs_of_the_same():
    slow = round_trip()
    mixed = round_trip(node_profiles={1: FAST})
    fast = round_trip(node_profiles={0: FAST, 1: FAST})
    assert fast < mixed < slow


def test_all_nodes_of_another_kind_are_that_kind():
    mixed = via.Cluster(profile=SLOW, node_profiles={0: FAST, 1: FAST})
    alone = via.Cluster(profile=FAST)
    assert mixed.run("ping-pong", rounds=3).digest == alone.run("ping-pong", rounds=3).digest


def test_a_host_of_its_own_is_slower_or_faster_than_the_others():
    usual = via.Cluster(profile="giganet-clan1000").run("ping-pong", rounds=5)
    other = via.Cluster(profile="giganet-clan1000", node_profiles={1: ("", "ppro200-linux20")}).run(
        "ping-pong", rounds=5
    )
    assert other.samples.mean() > usual.samples.mean()
    assert other.report["profile"]["fingerprint"] != usual.report["profile"]["fingerprint"]


def test_a_kernel_is_changed_beside_nodes_of_another_host():
    cluster = via.Cluster(
        nodes=3, overrides={"kernel.wake_up": 100}, node_profiles={1: ("", "ppro200-linux20")}
    )
    assert cluster.run("socket-ping-pong", rounds=1).exit == 0
    assert cluster.profile_of(1).kernel == cluster.profile_of(0).kernel != ""
    wake_up = [e.value for e in cluster.profile_of(1).entries if e.key == "kernel.wake_up"]
    assert wake_up == ["100"]


def test_the_origin_of_a_run_is_the_same_after_it_was_saved(tmp_path):
    run = via.Cluster(profile=SLOW, node_profiles={1: FAST}).run("ping-pong", rounds=2)
    run.save(tmp_path / "run")
    again = via.Run.load(tmp_path / "run")
    assert run.provenance == again.provenance
    assert run.messages.attrs == again.messages.attrs


def test_cards_with_different_wires_are_refused():
    with pytest.raises(via.ConfigError, match=r"^profile of node 1 = mvia-gnic2: link\."):
        via.Cluster(node_profiles={1: "mvia-gnic2"}).run("ping-pong", rounds=1)


@pytest.mark.parametrize("node", [2, -1, "one"])
def test_a_node_that_is_not_there_is_refused(node):
    with pytest.raises(via.ConfigError, match="node_profiles"):
        via.Cluster(node_profiles={node: "giganet-clan1000"})


def test_the_command_line_takes_ranges():
    given = parser().parse_args(
        ["--node-profile", "1-2=a@b", "--node-profile", "4=@c", "--nodes", "5", "prog.so"]
    )
    check(given)
    assert given.node_profile == {1: ("a", "b"), 2: ("a", "b"), 4: ("", "c")}


def test_the_command_line_takes_every_node_that_there_can_be():
    words = ["--node-profile", "262143=a", "--nodes", "262144", "prog.so"]
    given = parser().parse_args(words)
    check(given)
    assert given.node_profile == {262143: ("a", "")}


@pytest.mark.parametrize("text", ["1", "1=", "x=a", "1-=a", "=a", "5-2=a", "1000000=a"])
def test_what_is_no_node_and_profile_is_refused(text):
    given = parser().parse_args(["--node-profile", text, "prog.so"])
    with pytest.raises(via.ConfigError, match="--node-profile"):
        check(given)
