# SPDX-License-Identifier: GPL-2.0-only
"""Clusters: what they are made of, and what is refused before time starts."""

import pytest
import via
from hypothesis import given
from hypothesis import strategies as st
from via.cluster import MAX_NODES


def test_a_cluster_says_what_it_is():
    text = repr(via.Cluster(nodes=4, seed=7))
    assert "4 nodes" in text
    assert "cLAN1000" in text
    assert "seed 7" in text


def test_the_smallest_switch_with_a_port_per_node_is_taken():
    assert via.Cluster(nodes=8).topology.switch_ports == [8]
    assert via.Cluster(nodes=9).topology.switch_ports == [30]


def test_a_star_is_cascaded_beyond_the_ports_of_the_largest_switch():
    topology = via.Cluster(nodes=64).topology
    assert len(topology.switch_ports) > 1
    assert max(topology.hops(0, node) for node in range(1, 64)) == 3


def test_back_to_back_needs_no_switch():
    topology = via.Cluster("back-to-back").topology
    assert (topology.switch_ports, topology.hops(0, 1)) == ([], 0)


@pytest.mark.parametrize(
    ("call", "given", "said"),
    [("hops", (0, 2), "destination = 2: 0 to 1"), ("hops", (-1, 0), "source = -1: 0 to 1"),
     ("hops_from", (2,), "source = 2: 0 to 1"), ("routes", (1,), "switch = 1: 0 to 0"),
     ("routes", ("x",), "switch = 'x': a whole number")],
)  # fmt: skip
def test_hosts_and_switches_that_are_not_there_are_refused(call, given, said):
    with pytest.raises(via.ConfigError, match=f"^{said}"):
        getattr(via.Cluster().topology, call)(*given)


@given(st.integers().filter(lambda n: not 1 <= n <= MAX_NODES))
def test_node_counts_out_of_range_are_refused(nodes):
    with pytest.raises(via.ConfigError, match=rf"^nodes = {nodes}: 1 to 262144"):
        via.Cluster(nodes=nodes)


@given(st.one_of(st.floats(), st.text(), st.lists(st.integers())))
def test_node_counts_that_are_no_whole_number_are_refused(nodes):
    with pytest.raises(via.ConfigError, match="whole number"):
        via.Cluster(nodes=nodes)


@given(st.integers().filter(lambda n: not 0 <= n < 2**64))
def test_seeds_beyond_64_bits_are_refused(seed):
    with pytest.raises(via.ConfigError, match="^seed = "):
        via.Cluster(seed=seed)


@pytest.mark.parametrize("topology", ["", "moebius", "fat-tree:k=4", "star:8", "back-to-back:2"])
def test_topologies_that_do_not_exist_are_refused(topology):
    with pytest.raises(via.ConfigError, match="topology"):
        via.Cluster(topology)


def test_a_topology_too_small_for_the_nodes_is_refused():
    with pytest.raises(via.ConfigError, match="topology"):
        via.Cluster("back-to-back", nodes=3)


def test_an_unknown_profile_is_refused_when_the_cluster_is_made():
    with pytest.raises(via.ConfigError, match="no-such-card"):
        via.Cluster(profile="no-such-card")


def test_an_override_of_an_unknown_key_is_refused():
    with pytest.raises(via.ConfigError, match=r"nic\.colour"):
        via.Cluster(overrides={"nic.colour": 3})


def test_an_override_shows_in_the_fingerprint():
    changed = via.Cluster(overrides={"nic.tpt_lookup": 13})
    assert changed.profile.fingerprint != via.Cluster().profile.fingerprint
