# SPDX-License-Identifier: GPL-2.0-only
"""Random calls of VIPL from several processes of a card: no call breaks what is not its own."""

from pathlib import Path

import pytest
import via
from via._programs import compiler

PROGRAM = Path(__file__).resolve().parents[2] / "contrib/via/test/programs/random-calls.c"
PER_NODE = 3


@pytest.fixture(scope="module")
def random_calls(tmp_path_factory):
    made = tmp_path_factory.mktemp("random") / "random-calls.so"
    assert compiler.main(["-w", str(PROGRAM), "-o", str(made)]) == 0
    return made


def calls(program, folder, profile, seed, count, threads, level, reference=False):
    """Make the calls; return the run, which must end by itself and find nothing wrong."""
    cluster = via.Cluster(profile=profile, seed=seed, reference=reference, record=False)
    return cluster.run_program(
        program,
        [seed, count, threads, level],
        procs_per_node=PER_NODE,
        cwd=folder,
        env={"PER": PER_NODE, "WILD": 5},
        stop="1000s",
        patience="5s",
        capture=True,
    )


@pytest.mark.parametrize("profile", ["firmvia-sp", "giganet-clan1000"])
def test_random_calls_of_several_processes_end_and_break_nothing(random_calls, tmp_path, profile):
    run = calls(random_calls, tmp_path, profile, seed=7, count=9_000, threads=1, level=0)
    assert run.stdout.count(" bad 0\n") == 2 * PER_NODE


@pytest.mark.night
@pytest.mark.parametrize(
    ("profile", "seed", "threads", "level", "reference"),
    [
        ("firmvia-sp", 5153, 1, 0, False),
        ("firmvia-sp", 5227, 1, 0, False),
        ("unet-atm", 5099, 2, 2, True),
    ],
)
def test_seeds_that_planned_for_the_past_end(
    random_calls, tmp_path, profile, seed, threads, level, reference
):
    run = calls(random_calls, tmp_path, profile, seed, 40_000, threads, level, reference)
    assert run.stdout.count(" bad 0\n") == 2 * PER_NODE
