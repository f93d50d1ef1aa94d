# SPDX-License-Identifier: GPL-2.0-only
"""The page on tables: columns, their order and their types are those of the frames."""

import re
from pathlib import Path

import pytest
import via
from via import results

PAGE = Path(__file__).resolve().parents[2] / "contrib" / "via" / "doc" / "tables.md"
SECTION = re.compile(r"^## (\S+)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
ROW = re.compile(r"^\| `(\w+)` \| (\w+) \| (.+) \|$", re.MULTILINE)
TOLD = {name: ROW.findall(text) for name, text in SECTION.findall(PAGE.read_text("utf-8"))}


@pytest.fixture(scope="module")
def frames():
    run = via.Cluster(nodes=2).run("ping-pong", rounds=3)
    found = {
        "runs.table": via.Cluster().measure("ping-pong", rounds=3, seeds=2).table,
        "via.sweep": via.sweep("ping-pong", {"size": [4], "rounds": 3}, seeds=2),
        "via.profiles.entries": via.profiles.entries("ideal"),
    }
    of_runs = [name for name in TOLD if name.startswith("run.")]
    barrier = via.Cluster(nodes=2).run("barrier", rounds=3)  # a ping-pong has no decisions
    for name in of_runs:
        of = barrier if name == "run.decisions" else run
        found[name] = getattr(of, name.removeprefix("run."))
    return found


@pytest.mark.parametrize("name", TOLD)
def test_a_table_has_the_columns_and_types_of_its_schema(name, frames):
    dtypes = frames[name].dtypes
    assert [row[:2] for row in TOLD[name]] == [(c, str(kind)) for c, kind in dtypes.items()]


def test_latencies_that_no_run_has_kept_are_numbers_too():
    table = via.Cluster(record=False).measure("stream", seeds=2, messages=3).table
    times = [row for row in TOLD["runs.table"] if row[0].startswith("latency")]
    assert [str(table[name].dtype) for name, _, _ in times] == [kind for _, kind, _ in times]
    assert table["latency_us"].isna().all()


def test_every_table_of_a_run_has_a_schema():
    tables = {name for name, what in vars(results.Run).items() if "DataFrame" in returned(what)}
    assert {f"run.{name}" for name in tables} - {"run.partitions"} <= set(TOLD)


def returned(what: object) -> str:
    function = getattr(what, "fget", None) or getattr(what, "func", None)
    return str(getattr(function, "__annotations__", {}).get("return", ""))
