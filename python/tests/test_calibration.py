# SPDX-License-Identifier: GPL-2.0-only
"""Calibration: what is held against what, how far it is away, and what was fitted."""

import csv
import functools
import math
import shutil
from pathlib import Path

import pytest
from via import ConfigError, ViaError, _core, profiles
from via._base import published
from via.studies import (
    calibration,
    calibration_left_out,
    calibration_refit,
    calibration_report,
    calibration_rows,
    calibration_table,
    costs,
    plan,
)

CLAN = "giganet-clan1000"
SOME = ["bip", "firmvia-sp", "gm-lanai9-200"]
TABLE = Path(__file__).parents[2] / "contrib" / "via" / "doc" / "calibration-table.md"


def rows_in(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def calibrated(tmp_path_factory):
    out = tmp_path_factory.mktemp("calibration")
    outcome = calibration.run(plan.Plan(out, [CLAN], quick=True))
    return outcome, rows_in(out / "calibration.csv")


def row_of(rows, metric, source):
    return next(row for row in rows if row["metric"] == metric and source in row["reason"])


# ---- The file ----


def test_the_calibration_has_the_columns_that_others_read(calibrated):
    _, rows = calibrated
    assert ",".join(rows[0]) == (
        "profile,host,metric,size_bytes,target,unit,simulated,error_pct,trust,used,"
        "residual_share_pct,reason,low,high,standing"
    )
    assert {row["used"] for row in rows} == {"yes", "no"}


def test_every_compared_row_has_numbers_and_every_row_a_reason(calibrated):
    _, rows = calibrated
    assert all(row["reason"] for row in rows)
    for row in rows:
        if row["used"] == "yes":
            error = 100 * (float(row["simulated"]) / float(row["target"]) - 1)
            assert float(row["error_pct"]) == pytest.approx(error, abs=0.001)
            assert 0 <= float(row["residual_share_pct"]) < 100


def test_a_latency_is_used_on_the_host_of_its_measurement(calibrated):
    _, rows = calibrated
    row = row_of(rows, "latency_one_way", "Carrera")
    assert (row["used"], row["host"]) == ("yes", "piii650-linux22")
    assert row["simulated"]


def test_set_up_costs_come_out_as_they_went_in(calibrated):
    _, rows = calibrated
    for metric in ("connection_establish", "connection_teardown", "cq_create", "cq_destroy"):
        assert abs(float(row_of(rows, metric, "Banikazemi")["error_pct"])) < 1


def test_the_standing_of_a_row_is_told_where_it_is_compared(calibrated):
    _, rows = calibrated
    for row in rows:
        known = {"input", "fitted", "predicted"} if row["used"] == "yes" else {"context", ""}
        assert row["standing"] in known, row["metric"]


def test_nothing_is_called_validated_that_was_not_read_and_predicted(calibrated):
    outcome, rows = calibrated
    read = [row for row in rows if (row["trust"], row["standing"]) == ("VERIFIED", "predicted")]
    assert ("Validated against" in outcome.text) == bool(read)


@pytest.mark.parametrize("standing", ["input", "fitted"])
def test_a_row_that_a_number_was_taken_from_validates_nothing(listed, standing):
    row = calibration.replace(listed[0], simulated=8.0, standing=standing)
    read = calibration.replace(row.comparison.row, trust="VERIFIED")
    row = calibration.replace(row, comparison=calibration.replace(row.comparison, row=read))
    assert "so nothing is validated here" in calibration_report.verdict([row])


def standings(profile):
    rows = calibration.rows_of(profile, calibration_table.load())
    return {row.comparison.row.metric: row.standing for row in rows}


def test_a_card_with_the_cycles_of_another_is_predicted_at_its_own_clock():
    assert standings("gm-lanai9-133")["latency_short_GM1.6.4_PCI64B"] == "fitted"
    assert standings("gm-lanai9-200")["latency_short_GM1.6.4_PCI64C"] == "predicted"
    assert standings("mx-d")["latency_MX_Dcard"] == "fitted"
    assert standings("mx-e")["latency_MX_Ecard"] == "predicted"


def test_of_rows_with_one_name_the_one_whose_words_a_source_has_is_meant():
    rows = calibration.host_rows(calibration_table.load())
    standing = {(row.host, row.comparison.row.metric): row.standing for row in rows}
    assert standing["i870", "pcix_dma_write_4KB"] == "input"
    assert standing["i870-1500", "pcix_dma_write_4KB"] == "predicted"
    assert standing["p4xeon-linux24", "dma_512B_bursts_64bit_read"] == "input"


def test_the_words_that_tell_rows_of_one_name_apart_are_read():
    assert published.named("A-b/c_d: [one way] 3, and Host-X/e.f") == {
        published.Citation("A-b", "c_d", "one way"),
        published.Citation("Host-X", "e.f"),
    }
    assert published.cited("A-b/c_d: [one way] 3") == published.Citation("A-b", "c_d")


def test_cycles_borrowed_from_another_product_count_as_residual():
    table = calibration_table.load()
    assert {"nic.segment_cell", "nic.receive_demux"} <= set(
        calibration_rows.borrowed_keys("berkeley-via-lanai4", table)
    )
    assert calibration_rows.borrowed_keys("gm-lanai9-200", table) == []


def test_a_kernel_that_leaves_a_quarter_unexplained_is_a_sketch(calibrated):
    outcome, _ = calibrated
    assert "kernel nt4 is a sketch" in outcome.text
    assert "nt4 (sketch)" in outcome.text


def test_every_name_of_a_row_in_a_source_counts():
    named = published.named("A-b/c_d: 2 of it, and Host-X/e.f-g, half; 5 m/s")
    assert {published.Citation("A-b", "c_d"), published.Citation("Host-X", "e.f-g")} <= named


def test_a_property_that_was_read_beside_a_measurement_is_not_the_measurement():
    assert published.named("conditions of A-b/c_d: two ports") == set()


# ---- What is compared ----


@pytest.fixture(scope="module")
def listed():
    """The rows of the calibration before anything is simulated."""
    return calibration.rows_of(CLAN, calibration_table.load())


def listed_row(rows, metric, source):
    return next(row for row in rows if row.comparison.row.metric == metric and source in row.source)


def test_latencies_are_simulated_on_the_hosts_they_were_measured_on(listed):
    assert listed_row(listed, "latency_one_way", "Chang").host == "pii450-win"
    assert listed_row(listed, "latency_one_way", "Zhou").host == "xeon-w2k"


@pytest.mark.parametrize(
    ("metric", "source", "said"),
    [
        ("vi_connect", "Jacobson", "the unit as printed cannot be right"),
        ("mpi_latency", "Turner", "a library above VIA"),
        ("max_VIs_per_NIC", "data sheet", "a property of the product"),
    ],
)
def test_a_row_that_cannot_be_compared_says_why(listed, metric, source, said):
    left = calibration.left_of(listed, calibration_table.load(), everything=False)
    (row,) = [each for each in left if each.row.metric == metric and source in each.row.source]
    assert said in row.reason


def test_what_a_residual_was_fitted_to_is_called_fitted(listed):
    fitted = [row for row in listed if row.standing == "fitted" and not row.comparison.kernel]
    assert [row.comparison.row.metric for row in fitted] == ["latency_one_way_base"]
    assert "fitted: nic.receive_residual was chosen" in fitted[0].reason


def test_what_a_number_was_taken_from_is_called_input(listed):
    row = listed_row(listed, "cq_create", "Banikazemi")
    assert (row.standing, row.explained) == ("input", "input: vipl.create_cq taken from it")


def test_a_row_for_which_a_part_of_the_product_was_chosen_is_called_input():
    for product, metric in (("myvia-m2000", "bandwidth"), ("gamma-ga620", "bandwidth_peak")):
        rows = calibration.rows_of(product, calibration_table.load())
        row = next(row for row in rows if row.comparison.row.metric == metric)
        assert (row.standing, row.explained.split(": ")[0]) == ("input", "input")
        assert row.explained.endswith(f"{row.comparison.chose} chosen because of it")


def test_the_rate_of_a_ping_pong_of_long_messages_is_a_rate(listed):
    row = listed_row(listed, "effective_bandwidth", "")
    assert row.mechanism == "rate: wire, bus, card"


def test_a_row_that_was_read_is_called_validated(listed):
    row = calibration.replace(listed[0], simulated=8.0, standing="predicted")
    read = calibration.replace(row.comparison.row, trust="VERIFIED")
    row = calibration.replace(row, comparison=calibration.replace(row.comparison, row=read))
    told = calibration_report.verdict([row])
    assert "  Read and predicted: 1 rows, median error 0.0 %" in told
    assert "  Validated against: " in told


def test_tcp_is_held_against_the_kernel_that_it_was_measured_with(calibrated):
    _, rows = calibrated
    read = row_of(rows, "latency_tcp_min", "Jacobson")
    assert (read["used"], read["host"], read["trust"]) == ("yes", "pii450-win", "VERIFIED")
    assert "kernel.coalesce_delay was chosen to meet it; TCP of nt4" in read["reason"]
    assert abs(float(read["error_pct"])) < 5
    assert abs(float(row_of(rows, "bandwidth_tcp_peak", "Jacobson")["error_pct"])) < 5
    for metric in ("latency_tcp", "bandwidth_tcp"):
        assert abs(float(row_of(rows, metric, "Balaji")["error_pct"])) < 15


def test_a_row_that_a_kernel_meets_with_the_number_of_another_row_is_predicted():
    rows = calibration.rows_of("mvia-gnic2", calibration_table.load())
    standing = {row.comparison.row.metric: row.standing for row in rows}
    assert standing["bandwidth_tcp_PII333_NT_Essential"] == "predicted"
    assert standing["bandwidth_tcp_PII333_Linux_Essential"] == "fitted"
    assert standing["bandwidth_tcp_P150_Linux_Essential"] == "predicted"


def test_all_rows_of_the_table_are_of_products_and_hosts_with_names():
    table = calibration_table.load()
    known = set(profiles.names())
    for each in table.comparisons:
        if each.profile in known:
            profiles.load(each.profile, each.host)


def test_each_product_s_fitted_keys_name_a_row_that_is_marked_as_a_fit():
    table = calibration_table.load()
    for name in profiles.names():
        rows = calibration.rows_of(name, table)
        _, lost = calibration_refit.fits(plan.Plan(Path(), [name]), rows, Path("costs.so"))
        assert lost == []


def test_only_predictions_that_were_read_lie_outside_and_each_says_why(listed):
    used = [each for each in calibration_table.load().comparisons if each.use != "context"]
    outside = [each for each in used if each.outside]
    assert len(outside) <= len(used) / 4
    taken = standings("gm-lanai9-133")
    for each in outside:
        assert taken.get(each.row.metric, "predicted") == "predicted", each.row.metric


# ---- The table ----


def written(folder, compare="", leave=""):
    file = folder / "rows.toml"
    file.write_text(
        f'schema = "via-calibration/1"\ncompare = [{compare}]\nleave = [{leave}]\n', "utf-8"
    )
    return file


def entry(**fields):
    given = {"row": "cLAN/vi_create", "profile": CLAN, "measure": "vi_create", "use": "judge",
             "reason": ""} | fields  # fmt: skip
    told = (f'{key} = "{value}"' for key, value in given.items() if value is not None)
    return "{ " + ", ".join(told) + " }"


def test_a_host_by_itself_moves_what_was_measured_on_it():
    rates = costs.dma_rates("xeon2400-linux24", 4096)
    assert rates["read"] == pytest.approx(856, rel=0.005)
    assert rates["write"] == pytest.approx(1044, rel=0.005)
    assert rates["read"] < rates["both"] <= rates["write"]


def test_a_host_has_the_number_of_the_host_that_it_extends():
    def bus(host):
        return {each.key: each.value for each in profiles.load("ideal", host).entries}

    assert bus("i870-1500")["bus.read_gap"] == bus("i870")["bus.read_gap"] == "13"
    assert bus("i870-1500")["cpu.clock"] != bus("i870")["cpu.clock"]


def test_an_intel_860_cuts_long_reads_and_not_writes():
    rates = costs.dma_rates("xeon1700-i860", 4096)
    assert rates["read"] == pytest.approx(90, rel=0.01)
    assert rates["write"] > 4 * rates["read"]


def test_a_kernel_has_the_number_of_the_kernel_that_it_extends():
    def kernel(name):
        card = profiles.load("emp-alteon").with_kernel(name)
        return {each.key: each.value for each in card.entries}

    alteon, linux = kernel("linux-2.4-alteon"), kernel("linux-2.4")
    assert alteon["tcp.send"] == linux["tcp.send"]
    assert alteon["kernel.coalesce_delay"] != linux["kernel.coalesce_delay"]


def test_a_kernel_that_extends_nothing_known_is_refused(tmp_path):
    text = 'schema = "via-kernel/1"\nextends = "nowhere"\ntitle = "x"\n'
    (tmp_path / "mine.toml").write_text(text, "utf-8")
    with pytest.raises(ConfigError, match="nowhere"):
        profiles.load("emp-alteon").with_kernel(str(tmp_path / "mine.toml"))


@pytest.mark.parametrize(
    ("test", "size", "bursts", "said"),
    [
        ("sideways", 4, 1, "test = sideways: must be one of: read, write, both"),
        ("read", 0, 1, "bytes = 0: must be at least 1"),
        ("read", 4, 0, "bursts = 0: must be at least 1"),
    ],
)
def test_a_dma_test_that_is_none_is_refused(test, size, bursts, said):
    with pytest.raises(ConfigError, match=said):
        _core.dma_time_ps(profiles.load("ideal"), test, size, bursts)


@pytest.mark.parametrize(
    ("compare", "leave", "said"),
    [
        (entry(measure="connection_teardown", profile=None), "", "profile = : .*is missing"),
        (entry(measure="barrier"), "", "nodes = : .*barriers need it"),
        (entry(nodes="2"), "", "nodes = 2: .*nothing else may have it"),
        (entry(row="cLAN/colour"), "", "row = cLAN/colour: .*0 published rows match, not 1"),
        (entry(row="cLAN/latency_one_way"), "", "4 published rows match, not 1"),
        (entry(row="cLAN"), "", "row = cLAN: .*provider/metric is needed"),
        (entry(use="boast"), "", "use = boast: .*fit, judge, context"),
        (entry(measure="beauty"), "", "measure = beauty: .*latency, round_trip"),
        (entry(measure="latency"), "", "size = : .*latency needs one"),
        (entry(hots="x"), "", "hots = x: .*there are"),
        (entry(kernel="nt4"), "", "kernel = nt4: .*nothing else may have one"),
        (entry(measure="tcp_latency", size="1"), "", "kernel = : .*sockets need one"),
        ('{ row = "cLAN/vi_create" }', "", "measure = : .*is missing"),
        ("", '{ row = "cray/*", reason = "" }', "row = cray/.*no published row matches"),
        (entry(), "", "neither compared nor left"),
        (entry(), '{ row = "cLAN/vi_create", reason = "" }', "neither|twice"),
    ],
)
def test_a_wrong_table_is_refused(tmp_path, compare, leave, said):
    with pytest.raises(ConfigError, match=said):
        calibration_table.read(written(tmp_path, compare, leave), published.load())


def test_a_row_that_is_compared_and_left_is_refused(tmp_path):
    rows = published.load()
    one = rows[(rows["provider"] == "cLAN") & (rows["metric"] == "vi_create")]
    file = written(tmp_path, entry(), '{ row = "cLAN/vi_create", reason = "" }')
    with pytest.raises(ConfigError, match="occurs twice"):
        calibration_table.read(file, one)


def test_a_table_of_another_kind_is_refused(tmp_path):
    file = tmp_path / "rows.toml"
    file.write_text('schema = "via-faults/1"\n', "utf-8")
    with pytest.raises(ConfigError, match="schema = via-faults/1: .*must be via-calibration/1"):
        calibration_table.read(file, published.load())


def test_a_profile_of_ones_own_is_held_against_what_it_cites_most(tmp_path):
    mine = tmp_path / "mine.toml"
    shutil.copy(profiles.entries(CLAN).query("key == 'nic.clock'")["file"].item(), mine)
    rows = calibration.rows_of(str(mine), calibration_table.load())
    assert {row.comparison.row.provider for row in rows} == {"cLAN", "Javia-on-VIA"}
    assert {row.profile for row in rows} == {"mine"}


def test_a_profile_that_cites_nothing_cannot_be_calibrated(tmp_path):
    source = profiles.entries(CLAN).query("key == 'nic.clock'")["file"].item()
    text = Path(source).read_text("utf-8")
    for trust in ("VERIFIED", "MEMORY-high", "MEMORY-medium", "MEMORY-low", "derived", "fitted"):
        text = text.replace(f'trust = "{trust}"', 'trust = "assumed"')
    secret = tmp_path / "secret.toml"
    secret.write_text(text.replace('source = "', 'source = "told by '), encoding="utf-8")
    with pytest.raises(ConfigError, match=r"secret\.toml: it cites no published measurement"):
        calibration.run(plan.Plan(tmp_path, [str(secret)], quick=True))


# ---- Trust ----


@pytest.mark.parametrize(
    ("simulated", "trust", "multiple"),
    [
        (10.3, "VERIFIED", 1.0), (9.0, "MEMORY-high", 1.0), (10.0, "MEMORY-medium", 0.0),
        (7.0, "MEMORY-medium", 2.0), (100.0, "MEMORY-low", 1.0), (1.0, "MEMORY-low", 1.0),
    ],
)  # fmt: skip
def test_an_error_is_counted_in_uncertainties_of_what_was_published(simulated, trust, multiple):
    assert published.multiple(simulated, 10.0, trust) == pytest.approx(multiple)


def test_what_was_read_of_a_kernel_may_be_missed_by_a_little_more():
    assert published.multiple(10.5, 10.0, "VERIFIED", kernel=True) == pytest.approx(1)
    assert published.multiple(11.5, 10.0, "MEMORY-medium", kernel=True) == pytest.approx(1)


def test_the_limits_of_a_row_are_one_uncertainty_away():
    for trust in (*published.UNCERTAINTY, published.LOW):
        for limit in published.limits(8.0, trust):
            assert published.multiple(limit, 8.0, trust) == pytest.approx(1)


# ---- Costs ----


def test_residuals_are_found_by_their_name_and_whatever_else_is_fitted_by_its_trust():
    assert "nic.receive_residual" in costs.residual_keys(CLAN, None)
    assert "kernel.coalesce_delay" in costs.residual_keys(CLAN, "pii450-win", "nt4")
    assert {"nic.send_upkeep", "nic.receive_upkeep"} <= set(
        costs.residual_keys("gm-lanai9-133", None)
    )


def test_a_cost_that_is_no_number_is_noticed():
    assert costs.read_costs("vi_create 100 3.02\n") == {"vi_create": 3.02}
    with pytest.raises(ViaError, match=r"costs\.c printed"):
        costs.read_costs("")


def test_a_round_trip_is_twice_a_latency_and_so_is_its_slope():
    assert costs.MEASURES["round_trip"].of({"latency": 8.0}) == 16.0
    assert costs.MEASURES["round_trip_slope"].of({"slope": 12.0}) == 24.0


def test_a_published_cost_per_byte_is_of_round_trips_or_its_own_source_has_another_rate():
    """One way, 25 ns a byte alone take twice as long as the whole message of 8 KiB did."""
    rows = published.load().set_index("metric")["value"]
    one_way_ns = 8192 / float(rows["effective_bandwidth"]) * 1e3
    alone_ns = 8192 * float(rows["per_byte_cost"])
    assert alone_ns / 2 <= one_way_ns * 1.01 < alone_ns


# ---- Laws: what follows from the same few numbers ----


@functools.cache
def found(kind, profile, *changes, size=None, nodes=2, quick=True):
    given = tuple((key, str(value)) for key, value in changes)
    return costs.simulate(
        costs.Task(profile, None, kind, size, quick, overrides=given, nodes=nodes)
    ).values


def test_upkeep_of_messages_lowers_rates_of_small_ones_and_no_latency():
    less, more = (("nic.send_upkeep", 0), ("nic.receive_upkeep", 0)), ()
    gm = "gm-lanai9-133"
    assert found(costs.LATENCY, gm, *less, size=4) == found(costs.LATENCY, gm, *more, size=4)
    assert found(costs.HALF, gm, *less)[costs.HALF] < 0.8 * found(costs.HALF, gm)[costs.HALF]


def test_the_upkeep_of_a_send_is_in_each_step_of_a_barrier_of_hosts():
    for name, hertz in (("gm-lanai4", 33e6), ("gm-lanai7", 66e6)):
        none, full = (
            found(costs.BARRIER, name, ("nic.send_upkeep", cycles), nodes=8) for cycles in (0, 276)
        )
        more = (full["barrier"] - none["barrier"]) / 3 * 1e-6 * hertz
        assert 0.5 * 276 < more < 1.1 * 276, name
        assert full["nic-barrier"] == none["nic-barrier"]


def test_the_wire_starts_with_the_first_piece_of_a_message():
    for name in ("bip", "mx-d"):
        pieces = found(costs.LATENCY, name, size=4096)
        whole = found(costs.LATENCY, name, ("nic.dma_burst", 4096), size=4096)
        assert pieces[costs.LATENCY] < 0.8 * whole[costs.LATENCY], name
        rates = [found(costs.BANDWIDTH, name, change, size=65536) for change in (
            ("nic.dma_burst", 512), ("nic.dma_burst", 4096))]  # fmt: skip
        assert rates[0][costs.BANDWIDTH] > 0.97 * rates[1][costs.BANDWIDTH], name


def test_reads_requested_ahead_wait_for_memory_once():
    one, several = (
        found(costs.BANDWIDTH, "infinihost", ("nic.read_ahead", ahead), size=65536)
        for ahead in (0, 3)
    )
    assert several[costs.BANDWIDTH] > 1.1 * one[costs.BANDWIDTH]


def test_a_header_beside_a_page_costs_no_third_of_the_rate():
    for name in ("vmmc", "myvia", "myvia-m2000", "berkeley-via-lanai4"):
        below, above = (found(costs.BANDWIDTH, name, size=size) for size in (4040, 4096))
        assert above[costs.BANDWIDTH] > 0.93 * below[costs.BANDWIDTH], name


def test_a_packet_of_servernet_2_and_a_little_more_take_one_fabric():
    less, full = (found(costs.BANDWIDTH, "servernet2", size=size) for size in (496, 512))
    assert full[costs.BANDWIDTH] > 0.9 * less[costs.BANDWIDTH]


def test_the_data_rate_of_a_wire_is_its_line_rate_less_the_line_code():
    for name, rate in (("gamma-tulip", 12.5), ("giganet-clan1000", 125), ("mx-e", 500)):
        assert costs.wire_mb_s(profiles.load(name)) == rate, name
    share = costs.MEASURES["wire_share"].of({"bandwidth": 12.0, "wire": 12.5})
    assert share == pytest.approx(96)


def test_half_of_the_peak_is_reached_at_a_size_that_scales_with_the_card_s_cycle():
    slow, fast = (found(costs.HALF, f"gm-lanai9-{clock}")[costs.HALF] for clock in (133, 200))
    assert 1.2 < slow / fast < 1.6


@pytest.mark.ci
def test_both_ways_a_card_moves_more_than_one_way_and_less_than_twice_that():
    for name in ("gm-lanai9-133", "gm-lanai9-200", "mx-d"):
        one = found(costs.BANDWIDTH, name, size=32768)[costs.BANDWIDTH]
        both = found(costs.TWO_WAY, name, size=32768)[costs.BANDWIDTH]
        assert one < both < 2.01 * one, name


def test_the_memory_of_a_card_limits_traffic_both_ways_by_its_clock():
    slow, fast = (
        found(costs.TWO_WAY, f"gm-lanai9-{clock}", size=32768)[costs.BANDWIDTH]
        for clock in (133, 200)
    )
    free = found(costs.TWO_WAY, "gm-lanai9-133", ("nic.memory_width", 0), size=32768)
    assert slow < fast
    assert slow < 0.9 * free[costs.BANDWIDTH]


def test_the_steps_of_a_card_s_barrier_take_the_cycles_of_a_short_message():
    for name, hertz in (("gm-lanai4", 33e6), ("gm-lanai7", 66e6)):
        four, sixteen = (
            found(costs.BARRIER, name, nodes=nodes)["nic-barrier"] for nodes in (4, 16)
        )
        assert 700 < (sixteen - four) / 2 * 1e-6 * hertz < 1000, name


def test_rates_of_bursts_follow_from_overhead_and_width():
    for size in (64, 512, 4096):
        rate = costs.dma_rates("p4xeon-linux24", size)["write"]
        assert rate == pytest.approx(size / ((44 + size / 8) * 0.015), rel=0.001)


# ---- Refit and sensitivity ----


def fit_of(listed, target):
    row = calibration.replace(listed_row(listed, "latency_one_way_base", "Banikazemi"))
    ((fit,), _) = calibration_refit.fits(plan.Plan(Path(), [CLAN], quick=True), [row], Path("c.so"))
    quick = calibration.replace(fit.task, quick=True)
    return calibration.replace(fit, task=quick, target=target)


def test_a_key_is_refitted_to_the_nearest_value(listed):
    fitted = calibration_refit.refit(fit_of(listed, 10.0))
    assert fitted.simulated == pytest.approx(10.0, abs=0.1)
    assert fitted.cells()[6] == "no"


def test_a_target_below_all_values_is_fitted_by_nothing(listed):
    assert calibration_refit.refit(fit_of(listed, 1.0)).refitted == 0


def test_a_number_that_does_not_move_a_row_is_fitted_to_nothing(listed):
    fit = calibration.replace(fit_of(listed, 8.0), key="os.page_pin")
    assert not calibration_refit.refit(fit).matters
    assert calibration_refit.refit(fit_of(listed, 8.0)).matters


# ---- Rows that are left out


def left_out(*products):
    rows = [row for name in products for row in calibration.rows_of(name, calibration_table.load())]
    quick = plan.Plan(Path(), products, quick=True)
    fits, _ = calibration_refit.fits(quick, rows, Path("c.so"))
    return calibration_left_out.cases(fits, rows, quick, Path("c.so"))


def test_what_has_its_value_from_a_fitted_number_is_left_out_with_it():
    (case,) = left_out("emp-alteon")
    assert case.row.overrides(7) == (("nic.receive_residual", "7"), ("nic.send_residual", "7"))
    (prediction,) = calibration_left_out.predictions([case], 1)
    assert prediction.simulated < 10  # of 23 us, 60 % of which are residual


def test_a_row_is_not_predicted_from_another_of_the_same_measurement():
    assert [case.others for case in left_out("unet-fe")] == [(), ()]


def test_a_row_is_left_out_with_the_number_that_was_fitted_to_it():
    of_ga620 = [case for case in left_out("gamma-gnic2", "gamma-ga620")
                if case.row.profile == "gamma-ga620"]  # fmt: skip
    assert [case.row.key for case in of_ga620] == ["nic.receive_residual"]


def test_a_fit_that_says_nothing_is_not_in_the_mean():
    first, *_ = left_out(CLAN)
    fits = [calibration_refit.Fitted(first.row, 0, 8.0, (), matters=False),
            calibration_refit.Fitted(first.row, 120, 8.0, ())]  # fmt: skip
    predicted = calibration_left_out._predict((first, tuple(fits)))
    assert (predicted.value, predicted.others) == (120, 1)


# ---- Sensitivity


def test_a_parameter_is_changed_by_a_tenth_or_one():
    assert calibration_refit.changed_value("94") == "103"
    assert calibration_refit.changed_value("0") == "1"
    assert calibration_refit.changed_value("100000000/3 Hz") == "110000000/3 Hz"
    assert calibration_refit.changed_value("8, 30") is None
    assert calibration_refit.changed_value("mmio-fifo") is None


def change(key, value, changed):
    return calibration_refit.Change(CLAN, CLAN, "h", key, "nic cycles", value, changed)


def test_more_cycles_are_felt_as_long_as_they_take():
    moved = calibration_refit.move(change("nic.receive_residual", "94", "194"))
    small, _ = moved.lines
    assert small[8] == pytest.approx(100 * 16, rel=0.03)  # 62.5 MHz


def test_a_change_that_is_not_possible_by_itself_is_told():
    moved = calibration_refit.move(change("nic.max_transfer_size", "65536", "1"))
    assert moved.lines[0][10].startswith("not by itself: ")


def same(line, other):
    """Whether two lines of a table agree; numbers depend a little on the compiler."""
    ours, theirs = line.split(), other.split()
    return len(ours) == len(theirs) and all(
        one == two or close(one.strip("%"), two.strip("%"))
        for one, two in zip(ours, theirs, strict=True)
    )


def close(one, two):
    try:
        return math.isclose(float(one), float(two), rel_tol=0.1, abs_tol=1.0)
    except ValueError:
        return False


@pytest.fixture(scope="module")
def everything(tmp_path_factory):
    """The calibration of all products as the documentation has it."""
    out = tmp_path_factory.mktemp("everything")
    calibration.run(plan.Plan(out, profiles.names(), jobs=2, refit=True))
    return out


def differing(ours, theirs):
    """Return the lines of a table that are not those of another; all if their numbers differ."""
    ours, theirs = (each.read_text("utf-8").splitlines() for each in (ours, theirs))
    assert len(ours) == len(theirs)
    return [two for one, two in zip(ours, theirs, strict=True) if not same(one, two)]


@pytest.fixture(scope="module")
def some(tmp_path_factory):
    """The calibration of a few products."""
    out = tmp_path_factory.mktemp("some")
    calibration.run(plan.Plan(out, SOME, jobs=2, refit=True))
    return out


def rows_of(table):
    return [line for line in table.read_text("utf-8").splitlines() if line.startswith("| ")]


@pytest.mark.ci
def test_rows_of_some_products_are_those_of_the_documentation(some):
    ours, theirs = rows_of(some / "calibration.md"), rows_of(TABLE)
    assert len(ours) > 30
    assert [row for row in ours if not any(same(row, other) for other in theirs)] == []


@pytest.mark.night
def test_the_tables_of_the_documentation_are_those_of_the_study(everything):
    assert differing(everything / "calibration.md", TABLE) == []


@pytest.mark.night
def test_the_bands_of_the_documentation_are_those_of_the_study(tmp_path):
    calibration.run(plan.Plan(tmp_path, profiles.names(), jobs=2, bands=True))
    kept = TABLE.with_name("coverage-table.md")
    assert differing(tmp_path / "calibration-bands.md", kept) == []


@pytest.mark.night
def test_every_number_of_a_product_was_moved(everything):
    rows = rows_in(everything / "sensitivity.csv")
    for name in profiles.names():
        keys = {row["key"] for row in rows if row["profile"] == name}
        assert {"nic.clock", "cpu.clock", "vipl.post_send"} <= keys


@pytest.mark.night
def test_a_row_lies_outside_its_uncertainty_only_with_a_reason(everything):
    used = [row for row in rows_in(everything / "calibration.csv") if row["used"] == "yes"]
    for row in used:
        simulated, target = float(row["simulated"]), float(row["target"])
        far = published.multiple(simulated, target, row["trust"], kernel="TCP of" in row["reason"])
        assert (far > 1) == ("outside: " in row["reason"]), row


@pytest.mark.night
def test_a_fitted_key_has_the_value_of_a_refit_or_its_neighbour(everything):
    for row in rows_in(everything / "refit.csv"):
        value, refitted = int(row["value"]), int(row["refitted"])
        assert abs(value - refitted) <= max(2, value // 20), row
