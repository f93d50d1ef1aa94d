# SPDX-License-Identifier: GPL-2.0-only
"""VIBe: its values are those of the profile, every product takes part, nothing is left out."""

import csv
import re
from itertools import pairwise
from pathlib import Path

import pytest
from bounds import Limits
from matplotlib.figure import Figure
from via import ViaError, profiles, programs
from via._drawing import multiples
from via.cluster import Cluster
from via.studies import vibe, vibe_figures
from via.studies.parallel import run_all
from via.studies.plan import Plan
from via.studies.vibe_experiments import EXPERIMENTS, Panel, by_series, runs

CLAN = "giganet-clan1000"
COLUMNS = "profile,host,experiment,x,x_unit,size_bytes,value,unit"


def rows_in(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def quick(tmp_path_factory):
    """The folder of a quick study of cLAN."""
    out = tmp_path_factory.mktemp("vibe")
    vibe.run(Plan(out, [CLAN], quick=True, jobs=2))
    return out


@pytest.fixture(scope="session")
def program(built):
    return programs.build("vibe", built)


def number(key, card=None):
    card = card or profiles.load(CLAN)
    return int(next(entry.value for entry in card.entries if entry.key == key).split()[0])


def us_of(key):
    """The time of a call of the library on the product's usual host."""
    return number(key) * 1e6 / number("cpu.clock")


def value(folder, experiment, series, x):
    rows = rows_in(folder / f"vibe-{experiment}.csv")
    (found,) = [r for r in rows if (r["experiment"], r["x"]) == (series, str(x))]
    return float(found["value"])


# ---- What is measured ----


def test_each_experiment_leaves_its_file_with_the_columns_that_others_read(quick):
    for each in EXPERIMENTS:
        rows = rows_in(quick / f"vibe-{each.name}.csv")
        assert ",".join(rows[0]) == COLUMNS
        assert {row["experiment"] for row in rows} == set(each.series), each.name
        assert (quick / f"vibe-{each.name}.png").is_file()


@pytest.mark.parametrize(
    ("series", "key"),
    [
        ("vi_create", "vipl.create_vi"), ("cq_create", "vipl.create_cq"),
        ("cq_destroy", "vipl.destroy_cq"), ("connection_teardown", "vipl.disconnect"),
    ],
)  # fmt: skip
def test_a_call_takes_the_cycles_of_the_profile(quick, series, key):
    # The loop around it and what is left of the clock's cost are the program's own.
    assert value(quick, "setup", series, 16) == pytest.approx(us_of(key), abs=0.1)


def test_registering_grows_by_the_cost_of_a_page(quick):
    page = us_of("vipl.register_page") + us_of("os.page_pin")
    grown = value(quick, "registration", "register", 256) - value(
        quick, "registration", "register", 16
    )
    assert grown / 240 == pytest.approx(page, rel=0.001)


def test_a_ping_pong_is_as_long_as_the_built_in_one(quick):
    run = Cluster(nodes=2, record=False).run("ping-pong", size=4, rounds=20)
    assert value(quick, "latency", "latency_polled", 4) == pytest.approx(run.latency_us(), rel=0.04)


def test_who_blocks_pays_interrupt_and_switch_and_leaves_the_cpu_alone(quick):
    polled = value(quick, "latency", "latency_polled", 4)
    blocking = value(quick, "latency", "latency_blocking", 4)
    least = us_of("os.interrupt")
    assert least < blocking - polled < least + 2 * us_of("os.context_switch") + 3
    assert value(quick, "cpu", "cpu_latency_polled", 4) == pytest.approx(100, abs=1)
    assert value(quick, "cpu", "cpu_latency_blocking", 65536) < 5


def test_the_share_of_the_cpu_is_that_of_the_run(program):
    run = Cluster(nodes=2, record=False).run_program(
        program, ["-e", "latency", "-x", "65536", "-n", 200], capture=True
    )
    share = float(re.search(r"cpu_latency_blocking .* ([\d.]+) %", run.stdout)[1])
    (first, _) = run.report["processes"]
    # Nearly all of the time is that of the polled half, when the CPU is never idle.
    assert first["cpu_ps"] / first["end_ps"] == pytest.approx((100 + share) / 200, abs=0.05)


def test_a_kernel_that_does_the_card_s_work_loads_its_node(program):
    task = vibe.LoadTask("mvia-gnic2", "node_latency_blocking", "blocking-latency", 4, 8, program)
    (load,) = vibe.load(task).results
    run = Cluster(nodes=2, profile="mvia-gnic2", record=False).run_program(
        program, ["-e", "latency", "-x", "4", "-n", 8], capture=True
    )
    of_process = float(re.search(r"cpu_latency_blocking .* ([\d.]+) %", run.stdout)[1])
    assert of_process + 10 < load.value <= 100


def test_a_size_that_does_not_fit_has_no_load(program):
    task = vibe.LoadTask(CLAN, "node_latency_blocking", "blocking-latency", 1 << 20, 8, program)
    assert vibe.load(task).results == []


def test_a_panel_of_changes_is_drawn_against_the_last_value():
    panel = Panel("s", "", "", change=True)
    rows = [
        vibe.Result(CLAN, "h", "s", x, "percent", 4, value, "us") for x, value in ((0, 11), (9, 10))
    ]
    assert vibe_figures.line_of(CLAN, panel, rows).ys == pytest.approx([10, 0])


def test_a_table_on_the_card_does_not_care_for_reuse_or_vis(quick):
    for experiment, series in (("reuse", "reuse_latency"), ("vis", "vis_latency")):
        rows = rows_in(quick / f"vibe-{experiment}.csv")
        values = [float(row["value"]) for row in rows if row["experiment"] == series]
        assert max(values) < 1.03 * min(values)


def test_more_segments_cost_more(quick):
    assert value(quick, "segments", "segments_latency", 8) > value(
        quick, "segments", "segments_latency", 1
    )


def test_more_messages_under_way_move_more_bytes(quick):
    assert value(quick, "pipeline", "pipeline_bandwidth", 16) > 1.2 * value(
        quick, "pipeline", "pipeline_bandwidth", 1
    )


def test_a_transaction_is_a_round_trip(quick):
    rate = value(quick, "client-server", "transactions_polled", 4)
    assert rate == pytest.approx(1e6 / (2 * value(quick, "latency", "latency_polled", 4)), rel=0.04)


# ---- What is possible ----

# The first message of a row may be found later after its arrival than the last: by a look of a
# program that polls, by a wake-up of one that waits, and by the kernel's work for the next frame,
# which comes before the program has found the first and goes before it on the only CPU (unet-fe).
FOUND_LATE = 0.0005
LONGER, SHORT = 8, 4096  # vibe.c: rows of messages that are not longer have 8 times the messages


def found_late(limits, row, rounds, least):
    """How much later the first message of a row is found than the last, spread over all of them."""
    if row.unit != "MB/s":
        return FOUND_LATE * least
    woken = limits.wake_up_us() if "blocking" in row.series else 0
    messages = rounds * (LONGER if row.size <= SHORT else 1)
    return FOUND_LATE * least + (woken + limits.frame_us(row.size)) / messages


def least_and_shown(limits, row):
    """The least time that a row of VIBe can be of, and the one it is of."""
    if row.unit == "%":  # of the time of a CPU: what it works, and all there is
        return row.value, 100
    if row.unit == "MB/s":
        return limits.least_us(row.size), row.size / row.value
    if row.unit == "1/s":
        return limits.least_us(row.size) + limits.least_us(row.x), 1e6 / row.value
    pieces = row.size // row.x if row.series == "mtu_transfer" else 1
    return pieces * limits.least_us(row.size // pieces), row.value


def impossible(tasks):
    """What some runs show that wire, bus and code do not allow."""
    found = []
    limits = {task.profile: Limits(task.profile) for task in tasks}
    for task, each in zip(tasks, run_all(vibe.measure, tasks, jobs=2, what="vibe"), strict=True):
        for row in each.results:
            if row.x_unit in ("calls", "pages"):
                continue
            least, shown = least_and_shown(limits[row.profile], row)
            if shown + found_late(limits[row.profile], row, task.rounds, least) < least:
                found.append((row, least, shown))
    return found


def test_no_bandwidth_is_more_than_wire_bus_and_code_allow(program):
    assert not impossible(
        [vibe.Task(name, "bandwidth", (256, 4096), 40, program) for name in profiles.names()]
    )


@pytest.mark.night
def test_nothing_that_vibe_shows_is_more_than_wire_bus_and_code_allow(program, tmp_path):
    assert not impossible(vibe.tasks(Plan(tmp_path, profiles.names()), program))


def test_the_bound_of_a_frame_is_what_the_kernel_of_u_net_takes_for_it():
    cycles = 592 + 400 + 203 + 130 + 40 + 50 + 8 * 75  # interrupt, kernel, copy of 256 bytes
    assert Limits("unet-fe").frame_us(256) == pytest.approx(cycles / 133)
    assert Limits(CLAN).frame_us(256) == 0


def test_the_bound_of_cells_and_of_a_bus_is_what_their_makers_say():
    clan, tulip = Limits(CLAN), Limits("mvia-tulip")
    assert 65536 / clan.wire_us(65536) == pytest.approx(125 * 48 / 53, rel=0.001)
    assert 65536 / tulip.wire_us(65536) == pytest.approx(12.5 * 1500 / 1538, rel=0.01)
    assert 65536 / clan.bus_us(65536) < 4 * 100 / 3


def test_the_more_words_firmware_polls_the_later_it_finds_one(program):
    task = vibe.Task("berkeley-via-lanai4", "vis", (96, 112, 120, 128, 144, 160), 40, program)
    found = [each.value for each in vibe.measure(task).results if each.series == "vis_latency"]
    sweep_us = 20 / 33  # a look at a word
    for few, several in pairwise(found):
        assert few - 2 < several < few + 20 * sweep_us, found


# ---- Who takes part ----


def variant(folder, name, **changes):
    text = Path(profiles.entries(CLAN).query("key == 'nic.clock'")["file"].item()).read_text(
        "utf-8"
    )
    for key, given in changes.items():
        pattern = rf"(?m)^{key} = {{ value = (\[.*?\]|[^,]*),"
        text = re.sub(pattern, f"{key} = {{ value = {given},", text)
    (folder / f"{name}.toml").write_text(text, "utf-8")


def test_a_new_profile_on_the_search_path_takes_part_by_itself(quick, tmp_path, monkeypatch):
    variant(tmp_path, "slow", clock='"25 MHz"')
    monkeypatch.setenv("VIA_PROFILE_PATH", str(tmp_path))
    assert {"slow", CLAN} <= {
        task.profile for task in vibe.tasks(Plan(tmp_path, profiles.names()), Path())
    }
    vibe.run(Plan(tmp_path, ["slow"], quick=True, jobs=2))
    slow, fast = (rows_in(out / "vibe-latency.csv")[0] for out in (tmp_path, quick))
    assert slow["profile"] == "slow"
    assert float(slow["value"]) > float(fast["value"]) + 2


def test_what_a_product_does_not_offer_is_a_line_of_its_own(tmp_path):
    variant(tmp_path, "small", max_vi=8, max_segments=4, reliability='["unreliable"]')
    outcome = vibe.run(Plan(tmp_path, [str(tmp_path / "small.toml")], quick=True, jobs=2))
    lacking = {(row["experiment"], row["x"], row["reason"])
               for row in rows_in(tmp_path / "vibe-not-offered.csv")}  # fmt: skip
    assert ("vis_latency", "16", "more than MaxVI") in lacking
    assert ("segments_latency", "8", "more than MaxSegmentsPerDesc") in lacking
    assert ("delivery_latency", "4", "not in ReliabilityLevelSupport") in lacking
    assert "small    vis_latency" in outcome.text
    assert "more than MaxVI" in outcome.text


def test_every_product_runs_the_same_shared_object(tmp_path, program):
    tasks = vibe.tasks(Plan(tmp_path, profiles.names(), quick=True), program)
    assert {task.program for task in tasks} == {program}
    assert len(tasks) == len(profiles.names()) * len(runs(quick=True))


@pytest.mark.ci
def test_the_whole_suite_runs_on_the_product_that_it_was_written_for(tmp_path):
    vibe.run(Plan(tmp_path, [CLAN], jobs=2))
    for each in EXPERIMENTS:
        rows = rows_in(tmp_path / f"vibe-{each.name}.csv")
        assert {row["experiment"] for row in rows} == set(each.series), each.name
        for series in each.series:
            count = sum(row["experiment"] == series for row in rows)
            assert count >= len(each.xs) - 1, series  # 4 bytes and 4 KiB are one page
    assert value(tmp_path, "vis", "vis_latency", 1024) < 1.03 * value(
        tmp_path, "vis", "vis_latency", 1
    )
    assert value(tmp_path, "bandwidth", "bandwidth_polled", 65536) == pytest.approx(112, rel=0.05)


# ---- The program ----


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["-e", "colour"], "-e colour: there are setup registration latency"),
        (["-x", "4,much"], "-x 4,much: whole numbers with commas"),
        (["-e", "reuse", "-x", "101"], "-x 101: a percentage is needed"),
        (["-e", "segments", "-x", "0"], "-x 0: a number of segments from 1 to 4096"),
        (["-e", "vis", "-x", "0"], "-x 0: a number of VIs from 1 to 4096"),
        (["-e", "mtu", "-x", "1000"], "-x 1000: 65536 must be a multiple"),
        (["-e", "pipeline", "-x", "0"], "-x 0: at least one message"),
        (["-e", "setup", "-x", "0"], "-x 0: a number of calls from 1 to 256"),
        (["-n", "0"], "-n 0: a number from 1"),
    ],
)
def test_a_wrong_option_of_the_program_is_refused(program, args, said):
    run = Cluster(nodes=2, record=False).run_program(program, args, capture=True, check=False)
    assert run.exit == 1
    assert said in run.stderr


def test_the_program_needs_two_processes(program):
    run = Cluster(nodes=3, record=False).run_program(program, [], capture=True, check=False)
    assert "vibe needs 2 processes, not 3" in run.stderr


@pytest.mark.parametrize("text", ["", "hello\n", "result a 4 bytes\n", "result a 4 bytes 4 8.0\n"])
def test_lines_that_are_not_of_the_program_are_noticed(text):
    with pytest.raises(ViaError, match=r"vibe\.c printed"):
        vibe.read(text, profiles.load(CLAN), "")


def test_lines_of_the_program_are_read():
    text = "result vis_latency 2 vis 4 8.05 us\nmissing vis_latency 9 vis more than MaxVI\n"
    found = vibe.read(text, profiles.load(CLAN), "d")
    assert found.results[0].cells()[2:] == ["vis_latency", 2, "vis", 4, 8.05, "us"]
    assert found.missing[0].cells()[2:] == ["vis_latency", 9, "vis", "more than MaxVI"]


# ---- The figures ----


def test_every_series_belongs_to_one_experiment_and_every_panel_shows_one_of_its_own():
    assert len(by_series()) == sum(len(each.series) for each in EXPERIMENTS)
    for each in EXPERIMENTS:
        assert {panel.series for panel in each.panels} <= set(each.series)


def drawn(count, **changed):
    """Draw a block of so many products; return the panels that show one."""
    names = {f"product-{i}": f"Product {i}" for i in range(count)}
    lines = [multiples.Line(name, series, [1, 2], [i + 1, i + 2])
             for i, name in enumerate(names) for series in ("polled", "blocking")]  # fmt: skip
    given = {"title": "Latency", "x": "size", "y": "time", "log": True, "doubling": True,
             "in_bytes": True, "lines": lines}  # fmt: skip
    figure = Figure()
    multiples.draw(figure, multiples.Block(**given | changed), names)
    return [panel for panel in figure.axes if panel.get_title()]


def test_each_of_28_products_has_a_panel_with_its_name():
    panels = drawn(28)
    assert [panel.get_title() for panel in panels] == [f"Product {i}" for i in range(28)]


def test_a_panel_shows_its_own_product_in_colour_and_the_others_in_grey():
    panel = drawn(3)[1]
    colours = [line.get_color() for line in panel.lines]
    assert colours.count("#d4d4d4") == 4
    assert panel.get_legend_handles_labels()[1] == ["polled", "blocking"]


def test_a_time_too_short_for_the_clock_is_not_on_a_logarithmic_axis():
    panel, _ = drawn(2, lines=[multiples.Line("product-0", "", [1, 2], [0, 5])])
    assert panel.lines[0].get_xydata().tolist() == [[2, 5]]


def test_a_legend_stands_beside_the_title_where_it_has_room():
    beside, within = (
        drawn(3),
        drawn(3, title="A title that leaves no room for the two of them, ever"),
    )
    assert all(panel.get_legend() is None for panel in beside)
    assert within[0].get_legend() is not None


def test_dots_within_a_decade_have_several_numbers_on_their_axis():
    axes = Figure().subplots()
    multiples.dots(axes, "connect", "time", {"a": 450.0, "b": 4500.0}, [], {"a": "A", "b": "B"})
    low, high = axes.get_xlim()
    shown = [tick for tick in axes.get_xticks() if low <= tick <= high]
    assert shown == [500, 1000, 2000, 5000]
    assert [axes.xaxis.get_major_formatter()(tick) for tick in shown[:2]] == ["500", "1,000"]


def test_marks_of_published_values_are_explained_where_there_are_any():
    assert multiples.explanation([]) == []
    assert "hollow if recalled" in multiples.explanation([multiples.Point(CLAN, 4, 8, "low")])[0]


def test_published_values_are_drawn_on_the_host_they_are_of():
    names, hosts = [CLAN], {CLAN: "pii300-linux22"}
    points = vibe_figures.published_points("latency_polled", names, hosts, [65536])
    assert [(point.x, point.y, point.trust) for point in points] == [(4, 8.0, "MEMORY-medium")]
    assert not vibe_figures.published_points("latency_polled", names, {CLAN: "other"}, [65536])


def test_a_peak_is_drawn_at_the_largest_size_and_in_bytes():
    points = vibe_figures.published_points("bandwidth_polled", [CLAN], {CLAN: "x"}, [4, 65536])
    assert (65536, 795 / 8) in {(point.x, point.y) for point in points}
