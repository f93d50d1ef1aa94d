# SPDX-License-Identifier: GPL-2.0-only
"""The demonstration, in small."""

import pytest
from matplotlib.figure import Figure
from via import programs
from via._cli import demonstration as demo
from via._cli import demonstration_report as demo_report
from via._cli import main, reproducing
from via.cluster import Cluster
from via.studies import measure

PLAN = demo.Plan(sizes=(4, 32768), nodes=(2, 4))


@pytest.fixture(scope="module")
def results(built):
    return demo.measure_all(PLAN, built, lambda line: None)


def test_two_demonstrations_write_the_same_bytes(results, built, tmp_path):
    again = demo.measure_all(PLAN, built, lambda line: None)
    written = []
    for number, each in enumerate((results, again)):
        folder = tmp_path / str(number)
        folder.mkdir()
        written.append([path.read_bytes() for path in demo_report.write_tables(each, folder)])
    assert written[0] == written[1]
    assert results.digest() == again.digest()


def test_the_bandwidth_of_untouched_bytes_is_that_of_the_built_in_stream(results):
    rows = results.bandwidth.set_index(["bytes_are", "size_bytes"])["mb_s"]
    run = Cluster(record=False).run("stream", size=32768, messages=demo.STREAMED_MESSAGES)
    built_in = demo.STREAMED_MESSAGES * 32768 / run.samples[0] * 1e6
    assert rows[demo.UNTOUCHED, 32768] == pytest.approx(built_in, rel=0.005)
    assert rows[demo.CHECKED, 32768] < 0.9 * built_in
    ours = results.published.query("metric == 'bandwidth'")["ours"]
    assert (ours == rows[demo.UNTOUCHED, 32768]).all()


def test_the_bandwidth_never_exceeds_what_the_cells_allow(results):
    assert results.limit_mb_s == pytest.approx(113.2, abs=0.05)
    assert (results.bandwidth["mb_s"] < results.limit_mb_s).all()


def test_every_published_point_stands_beside_ours(results):
    rows = results.published
    assert len(rows) >= 7
    assert rows["trust"].str.match("VERIFIED|MEMORY-(high|medium|low)$").all()
    assert rows["ours"].notna().all()


def test_the_round_that_is_shown_is_tiled(results):
    rows = results.message
    assert (rows["start_ps"].to_numpy()[1:] == rows["end_ps"].to_numpy()[:-1]).all()
    assert set(rows[rows["op"] == "send"]["src_rank"]) == {0, 1}
    total_us = (rows["end_ps"].iloc[-1] - rows["start_ps"].iloc[0]) / 1e6
    assert total_us / 2 == pytest.approx(results.latency["latency_us"][0])


def test_the_tables_say_what_the_residual_is(results):
    text = demo_report.text(results)
    assert "% are the residual" in text
    assert "Giganet cLAN1000" in text and "MB/s checked" in text
    assert "MEMORY-medium" in text


def test_every_figure_is_drawn(results, tmp_path):
    paths = demo_report.draw_figures(results, tmp_path)
    assert [path.name for path in paths] == [
        "latency.png", "bandwidth.png", "stages.png", "barrier.png", "demo.png",
    ]  # fmt: skip
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in paths)


@pytest.mark.parametrize(("form", "first"), [("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_figures_are_vectors_where_asked_for(results, tmp_path, form, first):
    paths = demo_report.draw_figures(results, tmp_path, form)
    assert {path.suffix for path in paths} == {f".{form}"}
    assert all(path.read_bytes().startswith(first) for path in paths)


def test_every_figure_names_the_product(results):
    for draw in demo_report.panels(results).values():
        axes = Figure().subplots()
        draw(axes)
        assert axes.get_title().startswith("Giganet cLAN1000: ")


@pytest.mark.ci
def test_a_demonstration_is_made_again(tmp_path):
    assert main(["demo", "--quick", "--out", str(tmp_path)]) == 0
    findings = reproducing.reproduce(tmp_path, jobs=1)
    assert len(findings) == 11
    assert {each.verdict for each in findings} == {reproducing.SAME_BYTES}


def test_a_line_that_is_no_result_is_noticed(built):
    ring = programs.build("rdma-ring", built)
    run = Cluster(nodes=2).run_program(ring, ["-s", 64, "-n", 2], capture=True)
    assert measure.printed_number(run) > 0
    run.stdout = ""
    with pytest.raises(Exception, match="one line of results"):
        measure.printed_number(run)


def test_the_limit_of_the_cells_follows_the_profile():
    half = Cluster(overrides={"link.symbol_rate": "625 MHz"})
    assert demo.cells_limit_mb_s(half) == pytest.approx(demo.cells_limit_mb_s(Cluster()) / 2)


def test_quick_is_a_part_of_full():
    assert set(demo.QUICK.sizes) <= set(demo.FULL.sizes)
    assert set(demo.QUICK.nodes) <= set(demo.FULL.nodes)
