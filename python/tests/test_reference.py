# SPDX-License-Identifier: GPL-2.0-only
"""Tables of a run are those of the reference, which does everything at its instant."""

import pandas as pd
import pytest
import via
from hypothesis import given, settings
from hypothesis import strategies as st

WORKLOADS = {
    "barrier": {"rounds": 8},
    "all-to-all": {"rounds": 2, "size": 4096},
    "stream": {"messages": 30, "size": 20000},
    "view-synchrony": {},
    "lock-server": {},
    "paxos": {},
}


def by_row(spans: pd.DataFrame) -> pd.DataFrame:
    """The reference adds spans in another order."""
    texts = spans.astype({"owner": str, "stage": str})
    return texts.sort_values(list(texts.columns), ignore_index=True)


def check(workload: str, nodes: int, stop: int | None, **cluster: object) -> None:
    """Compare all tables of two runs."""
    nodes = 2 if workload == "stream" else nodes
    now, reference = (
        via.Cluster(nodes=nodes, reference=wanted, **cluster).run(
            workload, stop=stop, check=False, **WORKLOADS[workload]
        )
        for wanted in (False, True)
    )
    assert now.digest == reference.digest
    for table in ("messages", "breakdown", "counters", "cpu", "links", "processes"):
        pd.testing.assert_frame_equal(getattr(now, table), getattr(reference, table))
    pd.testing.assert_frame_equal(by_row(now.spans), by_row(reference.spans))


@pytest.mark.parametrize("profile", ["giganet-clan1000", "gm-lanai9-200", "servernet2"])
def test_spans_of_a_stopped_run_end_with_it(profile):
    check("all-to-all", 6, 33_333_333, profile=profile)


def test_cards_of_a_stopped_run_count_what_happened_in_it():
    check("barrier", 3, 1_000_000, profile="emp-alteon")  # a look-up is planned for later


def test_time_that_a_process_loses_to_the_kernel_is_recorded_alike():
    check("view-synchrony", 5, None, profile="mvia-gnic2")


@settings(max_examples=25, deadline=None)
@given(
    profile=st.sampled_from(sorted(via.profiles.names())),
    workload=st.sampled_from(sorted(WORKLOADS)),
    nodes=st.integers(3, 6),
    stop=st.none() | st.integers(1_000_000, 300_000_000),
    seed=st.integers(1, 1000),
)
def test_all_tables_are_those_of_the_reference(profile, workload, nodes, stop, seed):
    check(workload, nodes, stop, profile=profile, seed=seed)
