# SPDX-License-Identifier: GPL-2.0-only
"""Charts: scales and units that follow from the data, files that say where they come from."""

import numpy as np
import pandas as pd
import pytest
import via
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.cbook import STEP_LOOKUP_MAP
from matplotlib.figure import Figure
from matplotlib.text import Text
from via import charts, figures
from via._base import published
from via._drawing import plots, topology_plot
from via.charts import paper

SIZES = [4, 64, 1024, 16384]
NAN = float("nan")


def curve(values, **more):
    return pd.DataFrame({"size_bytes": SIZES[: len(values)], "latency_us": values, **more})


@pytest.fixture
def panel():
    with plots.style():
        yield Figure(figsize=(5.2, 3.6)).subplots()


@pytest.fixture(scope="module")
def run():
    return via.Cluster("torus:2x2,hosts=1", nodes=4).run("all-to-all", size=1000, rounds=2)


@pytest.fixture(scope="module")
def graph():
    return via.topology.parse("torus:2x2,hosts=1", 4)


# ---- axes that choose their scale and unit


def test_latencies_over_decades_are_on_logarithmic_axes(panel):
    charts.latency(panel, curve([8.0, 9.0, 20.0, 200.0]))
    assert (panel.get_xscale(), panel.get_yscale()) == ("log", "log")
    labels = [text.get_text() for text in panel.get_xticklabels()]
    assert labels == ["4 B", "64 B", "1 KiB", "16 KiB"]


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "0 B"),
        (1023, "1,023 B"),
        (1500, "1,500 B"),
        (2000, "2,000 B"),
        (2048, "2 KiB"),
        (70000, "70,000 B"),
        (1536 * 1024, "1,536 KiB"),
        (2**21, "2 MiB"),
    ],
)
def test_a_size_is_written_as_it_is(size, text):
    assert plots.in_bytes(size) == text


def test_a_decade_of_latencies_over_decades_of_sizes_is_on_logarithmic_axes(panel):
    charts.latency(panel, curve([8.0, 9.0, 20.0, 101.0]))
    assert (panel.get_xscale(), panel.get_yscale()) == ("log", "log")


def test_a_decade_of_latencies_over_sizes_of_one_decade_starts_at_zero(panel):
    charts.latency(panel, pd.DataFrame({"size_bytes": [4, 8, 16], "latency_us": [8.0, 20, 101]}))
    assert (panel.get_xscale(), panel.get_yscale()) == ("linear", "linear")


def test_latencies_that_are_alike_start_at_zero(panel):
    charts.latency(panel, curve([8.0, 8.1, 8.2, 8.3]))
    assert panel.get_yscale() == "linear"
    assert panel.get_ylim()[0] == 0


def test_an_empty_message_has_a_place_on_the_axis(panel):
    charts.latency(panel, pd.DataFrame({"size_bytes": [0, 4, 1024], "latency_us": [8.0, 8, 20]}))
    assert panel.get_xscale() == "symlog"


@pytest.mark.parametrize(
    ("largest_ps", "unit"), [(5, "ns"), (2e3, "ns"), (3e6, "us"), (4e9, "ms"), (2e13, "s")]
)
def test_a_time_has_the_unit_that_suits_it(largest_ps, unit):
    assert paper.unit_for(largest_ps) == unit


def test_a_cdf_is_in_the_unit_of_its_largest_time(panel):
    charts.cdf(panel, {"slow": [1_000_000, 4_000_000_000]})
    assert panel.get_xlabel() == "time (ms)"
    assert panel.get_xscale() == "log"


def test_a_cdf_reaches_one_at_the_largest_sample(panel, run):
    charts.cdf(panel, {"all-to-all": run})
    x, y = panel.lines[0].get_data()
    assert y[-1] == 1
    assert x[-1] == run.samples.max() / 1e6


def test_a_tail_begins_with_all_and_ends_with_one_sample(panel):
    charts.cdf(panel, {"four": [1, 2, 3, 4]}, tail=True)
    assert panel.lines[0].get_ydata().tolist() == [1, 0.75, 0.5, 0.25]


@pytest.mark.parametrize(("tail", "share"), [(False, 0.99), (True, 0.01)])
def test_between_two_samples_a_curve_counts_those_on_its_side(panel, tail, share):
    charts.cdf(panel, {"one is slow": [1_000_000] * 99 + [100_000_000]}, tail=tail)
    (line,) = panel.lines
    x, y = STEP_LOOKUP_MAP[line.get_drawstyle()](*line.get_data())
    at_50_us = [one for one, left, right in zip(y, x, x[1:], strict=False) if left < 50 < right]
    assert at_50_us == [pytest.approx(share)]


def test_a_scaling_plot_has_a_band_up_to_the_percentile(panel):
    rows = pd.DataFrame({"nodes": [2, 4], "latency_us": [8.0, 16.0], "latency_p99_us": [9.0, 20.0]})
    charts.scaling(panel, rows)
    top = panel.collections[0].get_paths()[0].vertices[:, 1].max()
    assert top == 20
    assert "up to percentile 99" in [text.get_text() for text in panel.get_legend().get_texts()]


@pytest.mark.parametrize(("times", "unit"), [([5e3, NAN, 9e3], "ms"), ([NAN, NAN, NAN], "ns")])
def test_a_point_that_failed_leaves_a_scaling_plot_its_unit(panel, times, unit):
    rows = pd.DataFrame({"nodes": [2, 4, 8], "latency_us": times})
    charts.scaling(panel, rows, high=None)
    assert panel.get_ylabel() == f"latency ({unit})"


@pytest.mark.parametrize("rates", [[NAN, 50.0, 99.0], [NAN, NAN, NAN]])
def test_a_point_that_failed_has_no_bandwidth(panel, rates):
    charts.bandwidth(panel, pd.DataFrame({"size_bytes": [4, 64, 1024], "mb_s": rates}))
    assert panel.get_ylim()[1] > 0


def test_a_time_that_is_no_number_is_left_out_of_a_cdf(panel):
    charts.cdf(panel, {"a": [2e3, NAN, 1e3]})
    (line,) = panel.get_lines()
    assert line.get_ydata()[-1] == 1.0
    with pytest.raises(via.ConfigError, match="at least one time"):
        charts.cdf(panel, {"a": [NAN]})


def test_lines_are_told_apart_by_more_than_colour(panel):
    rows = pd.concat([curve([8.0, 9], profile=name) for name in "abcdefgh"])
    charts.latency(panel, rows, by="profile")
    looks = {(line.get_color(), line.get_linestyle()) for line in panel.lines}
    markers = {(line.get_marker(), line.get_linestyle()) for line in panel.lines}
    assert len(looks) == len(markers) == 8


def test_published_points_stand_beside(panel):
    charts.latency(panel, curve([8.0, 9.0, 20.0, 200.0]), published="cLAN")
    marks = [line for line in panel.lines if line.get_marker() == "D"]
    assert len(marks) == len(published.latencies_us("cLAN"))


def test_a_peak_bandwidth_stands_at_the_largest_size_there_is(panel):
    rows = pd.DataFrame({"size_bytes": SIZES, "mb_s": [1.0, 10.0, 80.0, 110.0]})
    charts.bandwidth(panel, rows, published="cLAN", limit=113.0)
    marks = [line for line in panel.lines if line.get_marker() == "D"]
    assert {line.get_xdata()[0] for line in marks} == {32768}  # of a published value


# ---- where the time goes


def test_a_stacked_bar_is_as_long_as_a_message_lives(panel, run):
    charts.stacked(panel, {"1000 B": run.breakdown})
    lives = (run.messages["end_ps"] - run.messages["posted_ps"]).mean()
    ends = [bar.get_x() + bar.get_width() for bar in panel.patches]
    assert max(ends) == pytest.approx(lives / 1e6)


def test_shares_end_at_a_hundred(panel, run):
    charts.stacked(panel, {"a": run.breakdown, "b": run.breakdown}, share=True)
    assert max(bar.get_x() + bar.get_width() for bar in panel.patches) == pytest.approx(100)


def test_the_time_line_of_a_message_is_its_critical_path(panel, run):
    rows = run.breakdown(message=run.messages["message"].iloc[0])
    charts.gantt(panel, rows)
    assert len(panel.patches) == len(rows)
    assert [text.get_text() for text in panel.get_yticklabels()] == list(
        dict.fromkeys(rows["owner"])
    )


def test_what_overlaps_with_a_message_is_drawn_behind_it(panel, run):
    rows = run.breakdown(message=run.messages["message"].iloc[0])
    charts.gantt(panel, rows, run.spans)
    assert len(panel.patches) > len(rows)


def test_a_time_line_is_the_same_in_whatever_order_a_run_recorded_its_spans(run):
    rows = run.breakdown(message=run.messages["message"].iloc[0])
    panels = Figure().subplots(2)
    charts.gantt(panels[0], rows, run.spans)
    charts.gantt(panels[1], rows, run.spans.iloc[::-1])
    boxes = [[bar.get_bbox().bounds for bar in panel.patches] for panel in panels]
    assert boxes[0] == boxes[1]


@pytest.mark.parametrize(("inches", "some"), [(5.2, False), (15.0, True)])
def test_a_label_is_drawn_within_its_bar_or_not_at_all(tmp_path, monkeypatch, inches, some):
    run = via.Cluster().run("ping-pong", size=100, rounds=1)
    drawn = []
    monkeypatch.setattr(Text, "draw", lambda text, renderer: drawn.append(text))
    with charts.figure(tmp_path / "x.png", size=(inches, 3.6)) as panel:
        charts.gantt(panel, run.breakdown(message="0.0.0"), run.spans)
    labels = [each.get_window_extent() for each in drawn if each in panel.texts]
    bars = [bar.get_window_extent() for bar in panel.patches]
    assert bool(labels) is some
    for label in labels:
        assert any(bar.x0 < label.x0 and label.x1 < bar.x1 for bar in bars)


def test_the_total_of_a_bar_is_beside_the_legend(run, tmp_path):
    with charts.figure(tmp_path / "x.png") as panel:
        charts.stacked(panel, {"a name of more than thirty letters": run.breakdown}, share=True)
    (total,) = panel.texts
    assert total.get_window_extent().x1 < panel.get_legend().get_window_extent().x0


def test_the_time_line_of_two_messages_is_refused(panel, run):
    with pytest.raises(via.ConfigError, match="a time line is of one message"):
        charts.gantt(panel, run.breakdown)


# ---- whose times


def test_a_distribution_of_one_product_names_it(panel, run):
    charts.cdf(panel, {"all-to-all": run})
    assert panel.get_title(loc="left") == "giganet-clan1000: distribution of times"


def test_a_distribution_of_unknown_products_names_none(panel, run):
    charts.cdf(panel, {"run": run, "times": [1, 2]}, tail=True)
    assert panel.get_title(loc="left") == "Tail of times"


# ---- load of links


def test_every_direction_of_a_cable_has_its_colour(panel, run, graph):
    charts.link_load(panel, graph, run.links)
    lines = panel.collections[0]
    assert len(lines.get_paths()) == len(run.links)
    assert sorted(lines.get_array()) == sorted(run.links["busy_pct"])


def test_names_of_nodes_stand_before_cables(panel, run, graph):
    charts.link_load(panel, graph, run.links)
    assert {text.get_text() for text in panel.texts} == {
        f"{kind}{n}" for kind in "sn" for n in range(4)
    }
    assert all(text.get_bbox_patch() for text in panel.texts)


@pytest.mark.parametrize(
    ("fabric", "nodes", "host", "side"),
    [("fat-tree:k=4,n=2", 16, "n11", ("center", "top")), ("star", 4, "n0", ("center", "bottom")),
     ("star", 4, "n2", ("center", "top")), ("mesh:2x2", 4, "n0", ("center", "top"))],
)  # fmt: skip
def test_the_name_of_a_host_is_on_the_side_away_from_its_cable(panel, fabric, nodes, host, side):
    cluster = via.Cluster(fabric, nodes=nodes, record=False)
    charts.link_load(panel, cluster.topology, cluster.run("barrier", rounds=1).links)
    (name,) = (text for text in panel.texts if text.get_text() == host)
    assert (name.get_ha(), name.get_va()) == side


def test_a_name_has_its_usual_side_where_there_is_room():
    assert topology_plot.free_side((0, 0), []) == (0, -1)
    assert topology_plot.free_side((0, 0), [(1, 0), (0, 1), (-1, 0), (0, -1)]) == (1, 1)
    assert topology_plot.free_side((0, 0), [(2, 2)]) == (0, -1)
    assert topology_plot.free_side((0, 0), [(0, -2)]) == (0, 1)


@pytest.mark.parametrize("hosts", [1, 2])
def test_a_star_of_few_hosts_is_wide_enough_for_its_marks(panel, hosts):
    star = via.topology.star(hosts)
    topology_plot.draw(panel, star, topology_plot.layout(star))
    low, high = panel.get_xlim()
    assert high - low > 1


@pytest.mark.parametrize("title", ["a title that begins late", 12 * "longer, "])
def test_a_title_is_whole(tmp_path, title):
    with charts.figure(tmp_path / "x.png") as panel:
        panel.set_yticks([0], [8 * "wide"])
        panel.set_title(title)
    assert panel._left_title.get_window_extent().x1 < panel.figure.bbox.width


def test_links_of_another_topology_are_refused(panel, run):
    with pytest.raises(via.ConfigError, match="there is no such end of a cable in star"):
        charts.link_load(panel, via.topology.parse("star", 2), run.links)


# ---- files


def draw(path, run, values):
    with charts.figure(path, provenance=run.provenance) as panel:
        charts.latency(panel, curve(values))
    return path


@pytest.mark.parametrize("kind", figures.KINDS)
def test_a_figure_says_where_it_comes_from(kind, run, tmp_path):
    path = draw(tmp_path / f"f{kind}", run, [8.0, 9.0])
    assert figures.read(path)["provenance"] == [run.provenance]


@pytest.mark.parametrize("kind", figures.KINDS)
def test_the_same_data_make_the_same_bytes(kind, run, tmp_path):
    one, other = (draw(tmp_path / f"{name}{kind}", run, [8.0, 9.0]) for name in "ab")
    assert one.read_bytes() == other.read_bytes()


def test_the_data_are_the_same_whatever_the_kind_of_file(run, tmp_path):
    found = {figures.read(draw(tmp_path / f"f{k}", run, [8.0, 9.0]))["data"] for k in figures.KINDS}
    assert len(found) == 1
    assert figures.read(draw(tmp_path / "o.svg", run, [8.0, 9.1]))["data"] not in found


@pytest.mark.parametrize("kind", figures.KINDS)
def test_no_date_is_in_a_figure(kind, run, tmp_path):
    data = draw(tmp_path / f"f{kind}", run, [8.0, 9.0]).read_bytes()
    assert b"Date" not in data and b"<dc:date>" not in data


def test_a_figure_that_fails_is_not_there(tmp_path):
    with pytest.raises(ZeroDivisionError), charts.figure(tmp_path / "f.png"):
        1 / 0  # noqa: B018
    assert list(tmp_path.iterdir()) == []


def test_a_figure_without_provenance_or_none_at_all_is_refused(tmp_path):
    Figure().savefig(tmp_path / "other.png")
    with pytest.raises(via.ConfigError, match="it has no provenance"):
        figures.read(tmp_path / "other.png")
    for name in ("nothing.svg", "nothing.pdf", "nothing.png"):
        (tmp_path / name).write_text("no figure")
    with pytest.raises(via.ConfigError, match="cannot be read as a figure"):
        figures.read(tmp_path / "nothing.png")
    for name in ("nothing.svg", "nothing.pdf"):
        with pytest.raises(via.ConfigError, match=r"^path = "):
            figures.read(tmp_path / name)


@pytest.mark.parametrize("path", ["f.gif", "nowhere/f.png", "f"])
def test_a_place_for_no_figure_is_refused(path, tmp_path):
    with pytest.raises(via.ConfigError, match="^path = "), charts.figure(tmp_path / path):
        raise AssertionError("nothing should be drawn")


# ---- what cannot be drawn


@pytest.mark.parametrize(
    ("chart", "rows", "said"),
    [
        (charts.latency, pd.DataFrame(), "latency needs a column size_bytes, latency_us"),
        (charts.latency, curve([]), "latency needs at least one"),
        (charts.bandwidth, curve([8.0]), "bandwidth needs a column mb_s"),
        (charts.scaling, curve([8.0]), "scaling needs a column nodes"),
        (charts.gantt, curve([8.0]), "gantt needs a column message"),
        (charts.cdf, {}, "a CDF needs at least one label"),
        (charts.cdf, {"none": []}, "at least one time is needed"),
        (charts.cdf, {"texts": ["a"]}, "numbers are needed"),
        (charts.stacked, {}, "at least one label is needed"),
        (charts.stacked, {"x": curve([8.0])}, "stacked needs a column message"),
    ],
)
def test_what_cannot_be_drawn_is_refused(panel, chart, rows, said):
    with pytest.raises(via.ConfigError, match=said):
        chart(panel, rows)


def test_an_unknown_provider_is_refused_with_those_there_are(panel):
    with pytest.raises(via.ConfigError, match="providers are .*cLAN"):
        charts.latency(panel, curve([8.0]), published="cray")


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(0, 2**40), min_size=1, max_size=6),
    st.floats(0, 1e15, allow_nan=False),
    st.booleans(),
)
def test_any_times_can_be_drawn(times, factor, tail):
    with plots.style():
        panel = Figure().subplots()
        charts.cdf(panel, {"times": np.array(times)}, tail=tail)
        rows = pd.DataFrame({"nodes": times, "latency_us": [factor] * len(times)})
        charts.scaling(Figure().subplots(), rows, high=None)


# ---- bands


def banded():
    return curve([8.0, 9.0, 20.0], low=[7.0, 8.0, 18.0], high=[9.0, 10.0, 25.0])


def test_a_band_lies_between_its_two_columns(panel):
    charts.latency(panel, banded(), band=("low", "high"))
    path = panel.collections[0].get_paths()[0]
    assert path.get_extents().ymin == 7.0 and path.get_extents().ymax == 25.0


def test_bandwidth_and_scaling_draw_bands_as_well(panel):
    charts.bandwidth(panel, banded().rename(columns={"latency_us": "mb_s"}), band=("low", "high"))
    count = len(panel.collections)
    charts.scaling(panel, banded().assign(nodes=[2, 4, 8]), band=("low", "high"))
    assert count >= 1 and len(panel.collections) > count


@pytest.mark.parametrize(
    ("more", "text"),
    [({"band": ("low",)}, "two columns"), ({"band": ("low", "top")}, "top"),
     ({"band": ("low", "high"), "ci": 90}, "one of both")],
)  # fmt: skip
def test_a_band_that_is_none_is_refused(panel, more, text):
    with pytest.raises(via.ConfigError, match=text):
        charts.latency(panel, banded(), **more)
