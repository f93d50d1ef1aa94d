# SPDX-License-Identifier: GPL-2.0-only
"""Random clusters have one digest in every mode, and one that differs is told."""

from __future__ import annotations

from pathlib import Path

import pytest
import random_clusters
import via


def test_a_seed_is_one_cluster_and_most_are_contended() -> None:
    cases = [random_clusters.case(seed) for seed in range(200)]
    assert str(random_clusters.case(7)) == str(cases[7])
    assert 110 < sum(each.is_contended for each in cases) < 160
    assert 30 < sum("faults" in each.options for each in cases) < 70
    assert len({each.options["profile"] for each in cases}) > 15


def test_small_buffers_are_those_that_the_product_allows() -> None:
    refused = 0
    for seed in range(150):
        try:
            via.Cluster(**random_clusters.case(seed).options)
        except via.ConfigError as error:
            assert "leave before a stop arrives" in str(error)
            refused += 1
    assert refused < 15


@pytest.mark.parametrize("seed", (0, 2, 3, 4, 60332))
def test_the_reference_mode_has_the_digest_of_the_usual_one(seed: int) -> None:
    told = random_clusters.case(seed)
    assert random_clusters.differences(told, ()) == []


def test_a_run_that_stops_in_the_middle_is_the_same_in_the_reference_mode() -> None:
    told = random_clusters.case(90465)
    run = {"rounds": 2, "size": 1500, "stop": "155 us"}
    told = random_clusters.Case({**told.options, "kernel": None}, "token-ring", run)
    assert random_clusters.differences(told, ()) == []


@pytest.mark.parametrize("seed", (1, 2, 4, 5, 6, 7))
def test_a_protocol_in_python_is_the_same_in_the_reference_mode(seed: int) -> None:
    told = random_clusters.protocol_case(seed)
    assert ".run(random_clusters.RandomProtocol, check=False" in str(told)
    assert random_clusters.differences(told, ()) == []


def test_what_a_workload_has_no_size_for_runs_without_one() -> None:
    told = random_clusters.Case({"nodes": 3, "topology": "star"}, "paxos", {"size": 8, "rounds": 1})
    assert random_clusters.signs(told)[0][0]["exit"] == 0


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return random_clusters.compiled(tmp_path_factory.mktemp("random"))


@pytest.mark.parametrize("seed", (0, 2, 3, 4, 5, 6, 8, 9))
def test_a_program_that_waits_at_random_is_the_same_in_the_reference_mode(
    seed: int, program: Path
) -> None:
    told = random_clusters.program_case(seed, program)
    assert random_clusters.differences(told, ()) == []


def test_threads_that_share_a_cpu_with_a_kernel_are_the_same_in_the_reference_mode(
    program: Path,
) -> None:
    options = {"topology": "back-to-back", "nodes": 2, "profile": "gamma-tulip", "seed": 3005}
    run = {"args": [3005, 8, 1], "stop": "200 ms"}
    told = random_clusters.Case(options, "random-waits", run, program=program)
    assert random_clusters.differences(told, ()) == []


def test_a_cluster_that_differs_is_told_and_fails(monkeypatch, capsys) -> None:
    modes = iter(range(100))
    monkeypatch.setattr(random_clusters, "signs", lambda *_, **__: next(modes))
    monkeypatch.setattr("sys.argv", ["random_clusters.py", "--amount", "2", "--ranks", ""])
    assert random_clusters.main() == 1
    said = capsys.readouterr().out
    assert "seed 0 differs (reference mode): via.Cluster(" in said
    assert "2 compared" in said and "2 different" in said


def test_what_is_refused_is_counted_and_not_compared(monkeypatch, capsys) -> None:
    monkeypatch.setattr(random_clusters, "signs", lambda *_, **__: 0)
    usual = random_clusters.differences

    def refuse_first(told: random_clusters.Case, counts: tuple[int, ...]) -> list[str]:
        if told.options["seed"] == 5:
            raise via.ConfigError("nodes", "5", "refused")
        return usual(told, counts)

    monkeypatch.setattr(random_clusters, "differences", refuse_first)
    monkeypatch.setattr("sys.argv", ["x", "--amount", "1", "--first", "5", "--ranks", ""])
    assert random_clusters.main() == 0
    assert "1 refused, 1 compared" in capsys.readouterr().out


def test_a_run_that_dies_is_told_and_fails(monkeypatch, capsys) -> None:
    def dies(told: random_clusters.Case, counts: tuple[int, ...]) -> list[str]:
        raise via.ViaError("an MPI rank of 2 has died")

    monkeypatch.setattr(random_clusters, "differences", dies)
    monkeypatch.setattr("sys.argv", ["x", "--amount", "1", "--ranks", ""])
    assert random_clusters.main() == 1
    assert "seed 0 differs (an MPI rank of 2 has died): via.Cluster(" in capsys.readouterr().out


def test_what_was_compared_before_an_interrupt_is_told(monkeypatch, capsys) -> None:
    def interrupted(told: random_clusters.Case, counts: tuple[int, ...]) -> list[str]:
        if told.options["seed"] == 2:
            raise KeyboardInterrupt
        return []

    monkeypatch.setattr(random_clusters, "differences", interrupted)
    monkeypatch.setattr("sys.argv", ["x", "--amount", "9", "--ranks", ""])
    assert random_clusters.main() == 0
    assert "2 compared" in capsys.readouterr().out
