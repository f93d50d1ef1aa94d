# SPDX-License-Identifier: GPL-2.0-only
"""The larger examples in C: each checks every byte it receives and exits with 1 if one is wrong."""

import re

import pytest
import via
from via import programs

SMALL = {
    "credit-flow": ["-n", 40, "-s", 2000, "-d", 10],
    "messages": ["-n", 2, "-m", 70000],
    "shared-memory": ["-s", 40, "-n", 2, "-m", 12],
    "block-storage": ["-n", 40],
    "event-server": ["-c", 12, "-n", 5],
}
TINY = {
    "credit-flow": ["-n", 20, "-d", 10],
    "messages": ["-n", 1, "-m", 40000, "-b"],
    "shared-memory": ["-n", 2, "-m", 8],
    "block-storage": ["-n", 20, "-q", 4, "-c", 4, "-b"],
    "event-server": ["-n", 5],
}
REFUSED = [
    ("credit-flow", ["-w", 33], "-w 33: a number from 1 to 32"),
    ("credit-flow", ["-s", 65528, "-n", 5000], "a stream has at most 268435456"),
    ("credit-flow", ["-l", "certified"], "-l certified: unreliable, delivery or reception"),
    ("messages", ["-c", 1], "-c 1: a number from 2 to 500"),
    ("messages", ["-e", "much"], "-e much: a number from 0 to 60000"),
    ("shared-memory", ["-s", 41], "-s 41: an even number"),
    ("block-storage", ["-o", 63], "-o 63: 8 commands of 8 blocks may need more"),
    ("block-storage", ["-s", 16384], "-s 16384: commands of 8 blocks would be longer"),
    ("event-server", ["-m", 0], "-m 0: a number from 1 to 1000"),
    ("event-server", ["-z", 1], "-z: no such option"),
]


LOSS = """
schema = "via-faults/1"
[[loss]]
corrupt_ppb = 10000000
vanish_ppb = 1000000
"""


@pytest.fixture(scope="session")
def lossy(built):
    """Faults: wires spoil one cell in 100, and of 1,000 one vanishes."""
    file = built / "lossy.toml"
    file.write_text(LOSS, encoding="ascii")
    return file


@pytest.fixture
def run(built):
    """A function that runs an example on a number of nodes."""

    def run_it(name, nodes, args, check=True, seed=1, faults=None, **options):
        cluster = via.Cluster(nodes=nodes, seed=seed, faults=faults, record=False)
        program = programs.build(name, built)
        return cluster.run_program(program, args, capture=True, check=check, **options)

    return run_it


@pytest.mark.parametrize("nodes", [2, 4])
@pytest.mark.parametrize("name", SMALL)
def test_an_example_finds_every_byte_in_its_place(run, name, nodes):
    assert run(name, nodes, SMALL[name]).exit == 0


@pytest.mark.parametrize("name", SMALL)
def test_an_example_has_the_same_digest_twice(run, name):
    first, second = (run(name, 3, SMALL[name]) for _ in range(2))
    assert first.digest == second.digest
    assert sorted(first.stdout.splitlines()) == sorted(second.stdout.splitlines())


@pytest.mark.ci
@pytest.mark.parametrize("nodes", [16, 64])
@pytest.mark.parametrize("name", TINY)
def test_an_example_runs_on_many_nodes(run, name, nodes):
    first, second = (run(name, nodes, TINY[name]) for _ in range(2))
    assert first.digest == second.digest


@pytest.mark.parametrize("name", SMALL)
def test_reliable_levels_mend_what_wires_spoil(run, lossy, name):
    assert run(name, 3, [*SMALL[name], "-l", "delivery"], faults=lossy).exit == 0


@pytest.mark.ci
@pytest.mark.parametrize("seed", range(1, 11))
@pytest.mark.parametrize("level", ["delivery", "reception"])
@pytest.mark.parametrize("name", SMALL)
def test_reliable_levels_mend_what_wires_spoil_with_many_seeds(run, lossy, name, level, seed):
    assert run(name, 4, [*SMALL[name], "-l", level], seed=seed, faults=lossy).exit == 0


@pytest.mark.parametrize("seed", [1, 2])
def test_credit_flow_delivers_over_unreliable_connections_that_lose(run, lossy, seed):
    told = rows(run("credit-flow", 3, ["-n", 80, "-s", 500], seed=seed, faults=lossy))
    assert all(messages == 80 for _, messages, *_ in told)
    assert sum(again for _, _, _, again, *_ in told) > 10


@pytest.mark.parametrize(("name", "args", "message"), REFUSED)
def test_a_wrong_option_is_refused(run, name, args, message):
    refused = run(name, 2, args, check=False)
    assert refused.exit == 1
    assert re.search(rf"^rank 0: .*{re.escape(message)}", refused.stderr, re.MULTILINE)


@pytest.mark.parametrize("name", programs.names())
def test_an_example_tells_its_options(run, name):
    told = run(name, 2, ["-h"]).stdout
    assert re.search(r"^  -l WORD  reliability level", told, re.MULTILINE)
    assert re.search(r"^  -n 1\.\.\d+  \w.* \(\d+\)$", told, re.MULTILINE)


@pytest.mark.parametrize("name", ["credit-flow", "messages", "shared-memory", "block-storage"])
def test_an_example_that_needs_peers_says_so_or_runs_alone(run, name):
    alone = run(name, 1, [], check=False)
    alone_is_enough = name in {"messages", "shared-memory"}
    assert alone.exit == (0 if alone_is_enough else 1)
    assert alone_is_enough or "needs 2 processes or more" in alone.stderr


def rows(run):
    return [[float(field) for field in line.split()] for line in run.stdout.splitlines()]


def test_credit_flow_sends_lost_packets_again(run):
    lossless = rows(run("credit-flow", 2, ["-n", 60]))
    assert all(packets == 60 and again == 0 for _, _, packets, again, *_ in lossless)
    lossy = rows(run("credit-flow", 2, ["-n", 60, "-d", 4]))
    assert all(packets == 60 + again > 70 for _, _, packets, again, *_ in lossy)


def test_a_larger_cache_of_registrations_has_more_hits(run):
    def hits(kept):
        told = run("messages", 2, ["-n", 3, "-m", 70000, "-g", kept]).stdout
        lookups, hits, registered, evicted = map(int, re.findall(r"\d+", told.split("pins")[1]))
        assert hits + registered == lookups
        assert evicted <= registered
        return hits

    assert hits(0) == 0 < hits(1) < hits(64)


def test_messages_get_through_with_few_credits_and_blocking(run):
    assert "PASS" in run("messages", 3, ["-n", 2, "-m", 70000, "-c", 2, "-b"]).stdout


def test_shared_memory_sends_words_not_pages(run):
    told = run("shared-memory", 4, ["-s", 60, "-n", 3, "-m", 4]).stdout
    fetched, twins, updates, bytes_sent, forgotten = map(
        int, re.search(r"^pages (.*)$", told, re.MULTILINE)[1].split()
    )
    assert 0 < bytes_sent < 4096 * twins
    assert updates > 0
    assert forgotten <= fetched


def test_shared_memory_is_served_without_a_handler_too(run):
    assert "PASS" in run("shared-memory", 3, ["-s", 30, "-m", 6, "-w"]).stdout


def test_the_target_counts_what_initiators_did(run):
    told = run("block-storage", 3, ["-n", 30, "-w", 0]).stdout
    target = re.search(r"^target (.*)$", told, re.MULTILINE)[1].split()
    # 30 reads, one that is refused, 64 in the end, the goodbye; of two initiators
    assert target[:2] == ["2", str(2 * (30 + 1 + 64 + 1))]
    assert target[3] == "0"


def test_two_initiators_of_one_node_share_its_nic(run):
    args = ["-n", 20, "-k", 2]
    assert run("block-storage", 2, args, procs_per_node=2).stdout.count("\n") == 4


def test_a_hundred_clients_are_served_alike(run):
    told = run("event-server", 5, ["-n", 5, "-v", 1]).stdout
    served, times = (line.split()[1:] for line in told.splitlines())
    assert served[:3] == ["100", "100", "500"]
    least, median, greatest, _, fairness = map(float, times)
    assert least <= median <= greatest
    assert 0.5 < fairness <= 1


def test_a_server_without_places_rejects_until_there_are_some(run):
    told = run("event-server", 3, ["-c", 10, "-n", 10, "-v", 1, "-m", 3]).stdout
    assert int(told.split()[4]) > 0
