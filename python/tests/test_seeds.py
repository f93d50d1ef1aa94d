# SPDX-License-Identifier: GPL-2.0-only
"""Several seeds: means with confidence intervals in tables and charts."""

from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
import via
from via import confidence
from via._cli import main
from via.workloads import Barrier, PingPong

# Two-sided points of Student's distribution, from any table of it.
STUDENT = {(1, 95): 12.7062, (9, 95): 2.2622, (9, 99): 3.2498, (2, 90): 2.9200, (100, 95): 1.9840}


@pytest.mark.parametrize(("freedom", "ci"), STUDENT)
def test_the_points_of_students_distribution_are_those_of_tables(freedom, ci):
    assert confidence._student(freedom, ci) == pytest.approx(STUDENT[freedom, ci], abs=5e-5)


def test_an_interval_is_the_mean_and_t_standard_errors():
    found = via.interval([1.0, 2.0, 3.0], ci=90)
    assert found.mean == 2.0 and found.count == 3
    assert found.high - 2.0 == pytest.approx(2.92 / 3**0.5, abs=1e-4)
    assert found.low + found.high == pytest.approx(4.0)
    assert "90 % within" in str(found)


def test_one_value_is_its_own_interval():
    assert via.interval([5]) == via.Interval(5.0, 5.0, 5.0, 1, 95.0)


def test_one_value_is_said_to_have_no_interval():
    assert str(via.interval([7.9468])) == "7.947 (1 run, which has no interval)"
    assert str(via.interval([1, 3])) == "2.000, 95 % within -10.706 to 14.706 (2 runs)"


def test_95_of_100_intervals_hold_the_mean():
    draw = np.random.default_rng(1)
    held = [found.low <= 3 <= found.high
            for found in (via.interval(draw.normal(3, 1, 5)) for _ in range(2000))]  # fmt: skip
    assert 0.93 < np.mean(held) < 0.97


@pytest.mark.parametrize(
    ("values", "ci", "says"),
    [([], 95, "values"), (["a"], 95, "values"), ([1, None], 95, "values"), ([[1]], 95, "values"),
     ([1], 0, "ci"), ([1], 100, "ci"), ([1], "95", "ci")],
)  # fmt: skip
def test_a_wrong_interval_is_refused(values, ci, says):
    with pytest.raises(via.ConfigError, match=says):
        via.interval(values, ci)


def test_a_measurement_has_a_run_per_seed():
    cluster = via.Cluster(nodes=2, seed=7, record=False)
    runs = cluster.measure(PingPong(rounds=5), seeds=3)
    assert runs.seeds == [7, 8, 9] and len(runs) == 3
    assert runs[1].digest == via.Cluster(nodes=2, seed=8).run("ping-pong", rounds=5).digest
    assert cluster.run("ping-pong", rounds=5).digest == runs[0].digest
    assert runs.table["latency_us"].tolist() == [run.latency_us() for run in runs]
    assert runs.latency().mean == pytest.approx(np.mean([run.latency_us() for run in runs]))
    assert [run.digest for run in runs[1:]] == runs.table["digest"].tolist()[1:]
    assert runs.table.attrs["via"]["seed"] == [7, 8, 9]


def test_runs_without_latencies_are_shown_without_them():
    cluster = via.Cluster(nodes=2, record=False)

    @cluster.process(0)
    async def rest(p):
        await p.sleep(100)

    runs = cluster.measure(seeds=2)
    assert repr(runs) == "<via.Runs of 2 seeds>"
    assert "<p>2 seeds</p><table" in runs._repr_html_()


def test_threads_that_measure_one_cluster_get_their_own_seeds():
    cluster = via.Cluster(nodes=2, record=False)
    expected = cluster.measure("ping-pong", seeds=4, rounds=100).table
    with ThreadPoolExecutor(3) as pool:
        asked = [pool.submit(cluster.measure, "ping-pong", seeds=4, rounds=100) for _ in range(3)]
    assert all(each.result().table.equals(expected) for each in asked)


def test_a_run_in_another_thread_does_not_change_one_that_has_begun():
    cluster = via.Cluster(nodes=2, record=False)
    cluster.start("ping-pong", rounds=100, stop="50us")
    with ThreadPoolExecutor() as pool:
        other = pool.submit(cluster.run, "ping-pong", rounds=100)  # waits for the one above
        while cluster.step("1ms"):
            pass
        assert cluster.finish(check=False).provenance["stop_ps"] == 50_000_000
        assert other.result().provenance["stop_ps"] is None


def test_a_slice_of_no_runs_can_be_shown():
    none = via.Cluster(nodes=2).measure("barrier", seeds=2, rounds=2)[5:]
    assert repr(none) == "<via.Runs of 0 seeds>" and len(none.table) == 0
    assert "0 seeds" in none._repr_html_()
    with pytest.raises(via.ConfigError, match="^column = latency_us: one of none"):
        none.latency()


def test_one_file_of_packets_cannot_be_of_several_runs(tmp_path):
    with pytest.raises(via.ConfigError, match=r"^pcap = .*: one file cannot take several runs"):
        via.Cluster().measure("ping-pong", seeds=2, pcap=tmp_path / "m.pcapng")


def test_seeds_may_be_listed():
    runs = via.Cluster(nodes=2).measure("ping-pong", seeds=[5, 2], rounds=2)
    assert runs.seeds == [5, 2]
    assert "2 seeds" in repr(runs) and "2 seeds" in runs._repr_html_()


@pytest.mark.parametrize("wrong", [0, -1, 1.5, [], [1, 1], [-1], "3", None])
def test_wrong_seeds_are_refused(wrong):
    with pytest.raises(via.ConfigError, match="seeds"):
        via.Cluster(nodes=2).measure("ping-pong", seeds=wrong)


@pytest.mark.parametrize(
    "values",
    [["1", "2"], [b"1"], [True, False], [1.5, True], np.array([True]), np.array([1j]),
     pd.Series(["1", "2"])],
    ids=repr,
)  # fmt: skip
def test_what_numpy_makes_numbers_of_is_no_value_of_an_interval(values):
    with pytest.raises(via.ConfigError, match="(?s)^values = .*: numbers are needed"):
        via.interval(values)


def test_numbers_of_any_kind_have_an_interval():
    for values in ([1, 3], (Fraction(1), Decimal(3)), pd.Series([1, 3], dtype="Int64")):
        assert via.interval(values) == via.interval(np.array([1.0, 3.0]))


def test_seeds_may_be_an_array():
    runs = via.Cluster(nodes=2).measure("ping-pong", seeds=np.arange(2), rounds=2)
    assert runs.seeds == [0, 1]
    with pytest.raises(via.ConfigError, match="^seeds = array"):
        via.Cluster(nodes=2).measure("ping-pong", seeds=np.array(1.5), rounds=2)


def test_run_says_who_takes_several_seeds():
    with pytest.raises(via.ConfigError, match=r"measure\(\) runs several"):
        via.Cluster(nodes=2).run("ping-pong", seeds=3)


def test_a_column_that_a_measurement_does_not_have_is_refused():
    runs = via.Cluster(nodes=2).measure("ping-pong", seeds=2, rounds=2)
    with pytest.raises(via.ConfigError, match="column = latncy_us.*did you mean latency_us"):
        runs.interval("latncy_us")
    with pytest.raises(via.ConfigError, match="column = digest"):
        runs.interval("digest")


def test_a_cluster_keeps_its_seed_when_a_measurement_fails():
    cluster = via.Cluster(nodes=2, seed=4)
    with pytest.raises(via.ConfigError):
        cluster.measure("ping-pong", seeds=3, size=-1)
    assert cluster.run("ping-pong", rounds=1).provenance["seed"] == 4


@pytest.fixture(scope="module")
def swept():
    grid = {"profile": ["giganet-clan1000", "ideal"], "size": [4, 256]}
    return via.sweep(PingPong(rounds=3), grid, seeds=3, seed=5, jobs=1, cache=None)


def test_a_sweep_runs_each_point_with_each_seed(swept):
    assert len(swept) == 12 and sorted(set(swept["seed"])) == [5, 6, 7]
    means = via.intervals(swept, by=["profile", "size"])
    assert means["runs"].tolist() == [3, 3, 3, 3]
    first = swept[(swept["profile"] == "ideal") & (swept["size"] == 4)]["latency_us"]
    row = means.set_index(["profile", "size"]).loc[("ideal", 4)]
    assert row["latency_us"] == pytest.approx(first.mean())
    assert row["latency_us_low"] <= row["latency_us"] <= row["latency_us_high"]


def test_a_list_of_points_gets_seeds_too():
    table = via.sweep("ping-pong", [{"rounds": 2}], seeds=[9, 3], jobs=1, cache=None)
    assert table["seed"].tolist() == [9, 3]


def test_seeds_beside_those_of_the_grid_are_refused():
    for grid in ({"seed": [1, 2]}, [{"seed": 1}]):
        with pytest.raises(via.ConfigError, match="seeds already"):
            via.sweep("ping-pong", grid, seeds=2, cache=None)


def test_all_rows_are_one_group_and_empty_cells_are_left_out():
    table = pd.DataFrame({"latency_us": [1.0, 3.0, None]})
    assert via.intervals(table)[["runs", "latency_us"]].to_numpy().tolist() == [[2, 2.0]]


@pytest.mark.parametrize(
    ("given", "says"),
    [({"table": 3}, "table"), ({"value": "x"}, "value"), ({"by": "x"}, "by"), ({"by": 3}, "by"),
     ({"ci": 0}, "ci")],
)  # fmt: skip
def test_wrong_intervals_of_a_table_are_refused(given, says, swept):
    with pytest.raises(via.ConfigError, match=says):
        via.intervals(**{"table": swept, **given})


def test_a_chart_draws_means_and_a_band(swept, tmp_path):
    with via.charts.figure(tmp_path / "latency.svg") as panel:
        via.charts.latency(panel, swept, x="size", by="profile", ci=95)
        points = [len(line.get_xdata()) for line in panel.lines]
        bands = len(panel.collections)
    assert points == [2, 2] and bands >= 2


def test_a_chart_of_scaling_has_intervals_in_place_of_percentiles(tmp_path):
    table = via.sweep(Barrier(rounds=3), {"nodes": [2, 4]}, seeds=2, jobs=1, cache=None)
    with via.charts.figure(tmp_path / "scaling.svg") as panel:
        via.charts.scaling(panel, table, ci=90)
        assert [len(line.get_xdata()) for line in panel.lines] == [2]
        legend = [text.get_text() for text in panel.get_legend().get_texts()]
    assert legend == ["giganet-clan1000, mean", "90 % confidence"]


@pytest.mark.parametrize("is_swept", [True, False])
def test_a_chart_averages_over_seeds_and_nothing_else(swept, is_swept, tmp_path):
    rows = swept if is_swept else pd.DataFrame(swept.to_dict("list"))  # as read from a file
    said = '^by = None: .* size differ in profile.*by="profile"'
    with pytest.raises(via.ConfigError, match=said), \
         via.charts.figure(tmp_path / "no.svg") as panel:  # fmt: skip
        via.charts.latency(panel, rows, x="size", ci=95)


def test_a_chart_names_any_column_of_the_grid_that_it_would_average_over(tmp_path):
    grid = {"profile": ["ideal", "giganet-clan1000"], "nodes": 2, "size": [4, 256]}
    table = via.sweep(PingPong(rounds=2), grid, seeds=2, jobs=1, cache=None)
    with via.charts.figure(tmp_path / "no.svg") as panel:
        with pytest.raises(
            via.ConfigError, match="^by = profile: .* nodes and profile differ in size"
        ):
            via.charts.scaling(panel, table, by="profile", ci=95)
        via.charts.scaling(panel, table[table["size"] == 4], by="profile", ci=95)


def test_means_say_of_which_runs_they_are_and_a_chart_names_the_product(tmp_path):
    table = via.sweep(PingPong(rounds=2), {"size": [4, 8]}, seeds=2, jobs=1, cache=None)
    assert via.intervals(table, by="size").attrs == table.attrs
    with via.charts.figure(tmp_path / "named.svg") as panel:
        via.charts.latency(panel, table, x="size", ci=95)
        assert [line.get_label() for line in panel.lines] == ["giganet-clan1000, simulated"]


def test_a_chart_refuses_a_wrong_confidence(swept, tmp_path):
    for draw in (via.charts.latency, via.charts.scaling):
        with pytest.raises(via.ConfigError, match="ci = 100"), \
             via.charts.figure(tmp_path / "no.svg") as panel:  # fmt: skip
            draw(panel, swept, x="size", ci=100)


@pytest.mark.parametrize("draw", [via.charts.latency, via.charts.scaling])
def test_an_interval_is_drawn_whole(draw, tmp_path):
    rows = pd.DataFrame({"size": [4, 4, 8, 8], "seed": [1, 2, 1, 2],
                         "latency_us": [8.0, 12.0, 9.0, 15.0]})  # fmt: skip
    with via.charts.figure(tmp_path / "whole.svg") as panel:
        draw(panel, rows, x="size", ci=95)
        highest = max(path.vertices[:, 1].max() for each in panel.collections
                      for path in each.get_paths() if len(path.vertices))  # fmt: skip
        assert highest > 40 and panel.get_ylim()[0] == 0 and panel.get_ylim()[1] > highest


def test_lines_of_a_mean_are_not_by_the_column_of_x(swept, tmp_path):
    for draw in (via.charts.latency, via.charts.scaling):
        with pytest.raises(via.ConfigError, match="^by = size: it is the column of x"), \
             via.charts.figure(tmp_path / "no.svg") as panel:  # fmt: skip
            draw(panel, swept, x="size", by="size", ci=95)


def test_the_command_line_sweeps_seeds(capsys, tmp_path):
    out = tmp_path / "t.csv"
    words = ["sweep", "ping-pong", "rounds=2", "--seeds", "2", "--cache", "none", "--jobs", "1"]
    assert main([*words, "--out", str(out)]) == 0
    assert pd.read_csv(out)["seed"].tolist() == [1, 2]
    assert main(["sweep", "ping-pong", "rounds=2", "--seeds", "none"]) == 2


def test_latencies_that_no_run_kept_are_refused_by_what_would_keep_them():
    runs = via.Cluster(record=False).measure("stream", seeds=2, messages=3)
    with pytest.raises(via.ConfigError, match=r"via\.Cluster\(\.\.\., record=True\) is needed"):
        runs.latency()
