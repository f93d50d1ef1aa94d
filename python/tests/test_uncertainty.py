# SPDX-License-Identifier: GPL-2.0-only
"""Ranges of numbers by trust, and the bands that they leave in simulated values."""

import json
import math
from dataclasses import replace

import pandas as pd
import pytest
import via
from hypothesis import given, settings
from hypothesis import strategies as st
from via._base import published, ranges
from via._cli import main
from via.profiles import TRUSTS
from via.studies import calibration_bands, calibration_rows, calibration_table, numbers
from via.studies.numbers import Machine
from via.studies.plan import Plan
from via.studies.quantities import Experiment
from via.studies.spread import Spread

QUICK = {"size": 1024, "rounds": 4, "phases": 2}


@pytest.fixture(scope="module")
def quick():
    return via.uncertainty("ping-pong", samples=20, **QUICK)


@pytest.fixture(scope="module")
def spread():
    experiment = Experiment("ping-pong", (("rounds", 4), ("size", 4)), phases=2)
    return Spread(experiment)


# ---- ranges


def test_every_trust_has_a_range_that_widens_as_trust_falls():
    order = ["VERIFIED", "MEMORY-high", "MEMORY-medium", "MEMORY-low"]
    factors = [ranges.of("vipl.post_send", "host cycles", each).factor for each in order]
    assert factors == sorted(factors) and factors[0] > 1
    assert all(ranges.of("nic.clock", "Hz", each).reason for each in TRUSTS)


@pytest.mark.parametrize(
    ("key", "unit"),
    [("bus.width", "bytes"), ("nic.max_vi", "count"), ("nic.processor", "word"),
     ("os.quantum", "us")],
)  # fmt: skip
def test_what_is_structure_has_no_range(key, unit):
    assert ranges.of(key, unit, "assumed").factor == 1


@pytest.mark.parametrize("product", ["giganet-clan1000", "gm-lanai9-200", "mvia-gnic2"])
def test_a_profile_lists_its_ranges_around_its_values(product):
    table = via.profiles.ranges(product)
    assert {"nic.clock", "vipl.post_send"} <= set(table["key"])
    assert "link.cell_bytes" not in set(table["key"])
    for row in table.itertuples():
        low, value, high = (ranges.amount(each) for each in (row.low, row.value, row.high))
        assert low <= value <= high


@given(
    st.integers(0, 2**40), st.floats(0.01, 100), st.sampled_from(["", " Hz"])
)  # fmt: skip
def test_a_scaled_number_stays_a_whole_number_and_a_clock_a_clock(value, factor, unit):
    text = ranges.scaled(f"{value}{unit}", factor)
    assert text.endswith(unit)
    assert abs(int(text.removesuffix(" Hz")) - value * factor) <= 0.5 + 1e-9 * value * factor


def test_what_is_no_number_stays_as_it_is():
    assert ranges.scaled("8, 30", 2.0) == "8, 30"
    assert ranges.scaled("polled", 2.0) == "polled"


def test_numbers_that_follow_another_move_with_it():
    machine = Machine(Experiment("ping-pong"))
    changes = dict(next(
        machine.changes({place: 1.0}, {}) for place in machine.groups
        if place[1] == "vipl.post_send"
    ))  # fmt: skip
    assert set(changes) == {"vipl.post_send", "vipl.post_recv"}
    assert changes["vipl.post_send"] == changes["vipl.post_recv"] != "180"


# ---- bands


def test_a_fitted_number_moves_with_its_row_so_the_row_sets_the_band_at_its_own_size(spread):
    assert spread.contributions[0].name == "cLAN/latency_one_way_base"
    total = sum(each.square for each in spread.contributions)
    assert spread.contributions[0].square / total > 0.9
    low, high = spread.linear()
    assert high / spread.value == pytest.approx(1.15, abs=0.02)
    assert low < spread.value < high


def test_every_sample_is_a_profile_that_is_allowed(spread):
    card = via.profiles.load("giganet-clan1000")
    for number in range(20):
        changes = dict(spread.draw(7, number))
        assert card.with_values(changes).fingerprint != card.fingerprint
        assert int(changes.get("nic.receive_residual", "94")) >= 0


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**64 - 1), number=st.integers(0, 1000))
def test_a_sample_depends_on_seed_and_number_alone(spread, seed, number):
    assert spread.draw(seed, number) == spread.draw(seed, number)
    assert spread.draw(seed, number) != spread.draw(seed, number + 1)


def test_the_band_does_not_depend_on_the_number_of_jobs(quick):
    other = via.uncertainty("ping-pong", samples=20, jobs=2, **QUICK)
    assert (other.value, other.low, other.high) == (quick.value, quick.low, quick.high)
    pd.testing.assert_frame_equal(other.parts, quick.parts)
    pd.testing.assert_frame_equal(other.samples, quick.samples)


def test_an_uncertainty_is_equal_to_itself_alone(quick):
    other = via.uncertainty("ping-pong", linear=True, **QUICK)
    assert quick == quick and quick != other and {quick, other} == {other, quick}


def test_another_seed_draws_other_samples_around_the_same_value(quick):
    other = via.uncertainty("ping-pong", samples=20, seed=2, **QUICK)
    assert other.value == quick.value
    assert list(other.samples["value"]) != list(quick.samples["value"])


def test_the_value_is_that_of_the_profile_and_the_shares_sum_up(quick):
    runs = [via.Cluster(seed=seed).run("ping-pong", size=1024, rounds=4) for seed in (1, 2)]
    assert quick.value == pytest.approx(sum(r.samples.mean() / 2e6 for r in runs) / 2, abs=1e-6)
    assert quick.parts["share_pct"].sum() == pytest.approx(100, abs=0.01)
    assert quick.parts["share_pct"].is_monotonic_decreasing
    assert quick.low < quick.value < quick.high


def test_linear_and_sampled_bands_are_alike(quick):
    linear = via.uncertainty("ping-pong", linear=True, **QUICK)
    assert len(linear.samples) == 0
    assert linear.high - linear.low == pytest.approx(quick.high - quick.low, rel=0.8)


def test_what_the_user_sets_is_certain():
    found = via.uncertainty("ping-pong", linear=True, overrides={"switch.latency": 31}, **QUICK)
    assert "switch.latency" not in set(found.parts["number"])


def test_a_range_of_the_user_widens_the_band():
    usual = via.uncertainty("ping-pong", linear=True, **QUICK)
    wide = via.uncertainty("ping-pong", linear=True, ranges={"vipl.post_send": (18, 1800)}, **QUICK)
    assert wide.high > usual.high


def test_a_product_without_uncertain_numbers_has_no_band():
    found = via.uncertainty(
        "ping-pong", profile="ideal", linear=True, size=4, rounds=2, phases=1,
        overrides={each: via.profiles.ranges("ideal").set_index("key")["value"][each]
                   for each in via.profiles.ranges("ideal")["key"]},
    )  # fmt: skip
    assert found.low == found.value == found.high
    assert "No uncertain number" in found.text()


@pytest.mark.parametrize(
    ("given_", "text"),
    [
        ({"samples": 3}, "samples = 3"),
        ({"jobs": 0}, "jobs = 0"),
        ({"phases": 0}, "phases = 0"),
        ({"ranges": {"nic.clock": (1,)}}, "low and high"),
        ({"ranges": {"nic.clok": (1, 2)}}, "nic.clok"),
        ({"ranges": {"vipl.post_send": (200, 300)}}, "between"),
        ({"ranges": {"nic.processor": ("pipeline", "pipeline")}}, "LOW:HIGH"),
    ],
)
def test_wrong_options_are_refused(given_, text):
    with pytest.raises(via.ConfigError, match=text):
        via.uncertainty("ping-pong", **given_)


def test_a_stream_has_the_bandwidth_of_the_messages_that_arrived():
    experiment = Experiment(
        "message-stream",
        (("rounds", 20), ("size", 1024), ("process_faults", "crash:1:5")),
        phases=1,
    )
    run = via.Cluster(seed=1).run(experiment.workload, **dict(experiment.parameters))
    assert 0 < len(run.samples) < 20
    bandwidth = 1024 * len(run.samples) / (int(run.samples[-1]) / 1e6)
    assert experiment.value(()) == pytest.approx(bandwidth)


def test_a_workload_that_is_none_or_times_nothing_is_refused():
    with pytest.raises(via.ConfigError, match="ping-pong"):
        via.uncertainty("pingpong")
    with pytest.raises(via.ConfigError, match="it times nothing"):
        via.uncertainty("mscs-heartbeat", nodes=2, linear=True)


# ---- command line


ARGS = [
    "uncertainty",
    "ping-pong",
    "size=4",
    "rounds=4",
    "--phases",
    "1",
    "--linear",
    "--jobs",
    "1",
]


def test_the_command_prints_and_writes_value_band_and_numbers(tmp_path, capsys):
    out, told = tmp_path / "u.csv", tmp_path / "u.json"
    assert main([*ARGS, "--out", str(out), "--json", str(told)]) == 0
    shown = capsys.readouterr().out
    assert "90 % within" in shown and "cLAN/latency_one_way_base" in shown
    table = pd.read_csv(out)
    assert json.loads(told.read_text())["low"] == table["band_low"][0]
    assert (tmp_path / "u.csv.provenance.json").is_file()
    assert main(["reproduce", "--yes", str(out)]) == 0
    assert "same bytes" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [["ping-pong", "size"], ["ping-pong", "--range", "nic.clock"], ["ping-pong", "--samples", "x"],
     ["ping-pong", "--linear", "--draws", "x.csv"], ["pingpong"]],
)  # fmt: skip
def test_the_command_refuses_what_it_does_not_understand(words, capsys):
    assert main(["uncertainty", *words]) == 2
    assert capsys.readouterr().err.startswith("via: ")


@pytest.mark.parametrize(
    ("words", "said"),
    [(["size=4", "size=4096"], "parameter = size=4096: size is given twice"),
     (["--range", "nic.clock=1 MHz:2 MHz", "--range", "nic.clock=3 MHz:4 MHz"],
      "--range = nic.clock=3 MHz:4 MHz: nic.clock is given twice")],
)  # fmt: skip
def test_the_command_refuses_what_is_given_twice(words, said, capsys):
    assert main(["uncertainty", "ping-pong", *words]) == 2
    assert capsys.readouterr().err == f"via: {said}\n"


@pytest.mark.parametrize("samples", ["0", "19", "x"])
def test_the_command_tells_the_limits_of_samples(samples, capsys):
    assert main(["uncertainty", "ping-pong", "--samples", samples]) == 2
    assert "a whole number from 20 to 100000 is needed" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("word", "option"),
    [("nodes=4", "--nodes = 4"), ("topology=star", "--topology = star"), ("seed=1", "--seed = 1"),
     ("profile=ideal", "--profile = ideal"), ("host=g5-2000", "--host = g5-2000"),
     ("kernel=nt4", "--kernel = nt4"), ("samples=20", "--samples = 20"), ("jobs=1", "--jobs = 1"),
     ("phases=1", "--phases = 1"), ("linear=1", "--linear = 1"), ("out=u.csv", "--out = u.csv"),
     ("overrides=x", "--override = x"), ("ranges=x", "--range = x"),
     ("workload=x", "workload = x")],
)  # fmt: skip
def test_an_option_that_is_written_like_a_parameter_is_named(word, option, capsys):
    assert main(["uncertainty", "barrier", word]) == 2
    told = capsys.readouterr().err
    assert told == f"via: {option}: not a parameter of the workload, but of the command\n"


def test_a_wrong_number_of_nodes_is_told_the_true_limit(capsys):
    assert main(["uncertainty", "barrier", "--nodes", "0"]) == 2
    assert "--nodes = 0: a whole number from 1 to 262144 is needed" in capsys.readouterr().err


# ---- calibration


class _Row:
    def __init__(
        self, target, simulated, low, high, trust="VERIFIED", *, over_sockets=False, label="a"
    ):
        self.target, self.simulated, self.low, self.high = target, simulated, low, high
        self.trust, self.over_sockets, self.label = trust, over_sockets, label


def test_a_measurement_is_inside_if_both_bars_reach_each_other():
    assert calibration_bands.is_inside(_Row(104.0, 100.0, 95.0, 105.0))
    assert not calibration_bands.is_inside(_Row(110.0, 100.0, 95.0, 105.0))
    edge = 100 * math.exp(math.hypot(math.log(1.05), math.log(1.03)))
    assert calibration_bands.is_inside(_Row(edge - 0.1, 100.0, 95.0, 105.0))
    assert not calibration_bands.is_inside(_Row(edge - 0.1, 100.0, 95.0, 105.0), alone=True)


def test_what_a_row_outside_misses_would_bring_it_to_the_edge_of_its_band():
    row = _Row(120.0, 100.0, 95.0, 105.0)
    more = calibration_bands.missing(row)
    edge = math.hypot(math.log(1.05), abs(math.log(0.97)), more)
    assert edge == pytest.approx(math.log(1.2))
    assert calibration_bands.missing(_Row(104.0, 100.0, 95.0, 105.0)) == 0


def test_the_error_of_the_model_is_what_nine_of_ten_rows_miss_and_a_product_does_not_judge_itself():
    rows = [_Row(100.0, 100.0, 95.0, 105.0, label=str(n)) for n in range(8)]
    rows += [
        _Row(110.0, 100.0, 95.0, 105.0, label="off"),
        _Row(200.0, 100.0, 95.0, 105.0, label="lost"),
    ]
    assert calibration_bands.model_error(rows) == calibration_bands.missing(rows[8]) > 0
    assert calibration_bands.left_out(rows) == 8 + 1  # "lost" shows more than "off" needs
    assert calibration_bands.left_out(rows[:8]) == 8


@pytest.mark.parametrize(
    ("targets", "verdict"),
    [([100] * 9 + [200], "as it should be"), ([200] * 10, "too narrow"), ([100] * 10, "too wide")],
)
def test_coverage_says_whether_the_bands_are_honest(targets, verdict):
    rows = [_Row(float(target), 100.0, 95.0, 105.0) for target in targets]
    assert verdict in calibration_bands.coverage(rows, "predicted")


def test_over_sockets_a_measurement_has_the_uncertainty_that_its_error_is_counted_in():
    row = _Row(104.0, 100.0, 99.9, 100.1, over_sockets=True)
    assert calibration_bands.is_inside(row)
    assert not calibration_bands.is_inside(_Row(104.0, 100.0, 99.9, 100.1))


# ---- machines that what was read does not name


@pytest.mark.parametrize(
    ("conditions", "named", "of_bus"),
    [("PII 300, 32/33 PCI, Linux 2.2", True, False), ("dual 2.4 GHz Pentium 4 Xeon", True, False),
     ("cLAN, Linux, Pentium III 650-class", True, False), ("PIII 1 GHz, Linux 2.2", True, False),
     ("166 MHz Pentium PCs, Linux", True, False), ("TCP/IP, DEC Alpha 533", True, False),
     ("100base-TX, Pentium PCs, Linux, hub", False, False), ("GM, LANai 4.3", False, False),
     ("cLAN1000, server-class Xeon hosts, Windows 2000", False, False),
     ("Itanium2 1.5", True, False), ("Itanium2 1.5", False, True),
     ("Intel 870 Itanium2 0.9", True, True), ("HP rx2000 Itanium2 0.9", True, True),
     ("AMD 8131, dual Opteron 1.6", True, True), ("ServerWorks GC Xeon 2.4", True, True)],
)  # fmt: skip
def test_a_processor_with_its_clock_names_a_machine_and_a_chipset_that_of_a_bus(
    conditions, named, of_bus
):
    assert published.names_machine(conditions, of_bus=of_bus) == named


def _row_of(product, metric, where=""):
    rows = calibration_rows.rows_of(product, calibration_table.load())
    return next(row for row in rows if row.comparison.row.metric == metric
                and where in row.comparison.row.source)  # fmt: skip


@pytest.mark.parametrize(
    ("product", "metric", "named"),
    [("giganet-clan1000", "latency_one_way_base", True), ("giganet-clan1000", "vi_create", True),
     ("giganet-clan1000", "per_byte_cost", True),
     ("giganet-clan1000", "latency_one_way_min", False),
     ("gm-lanai9-200", "latency_short_GM1.6.4_PCI64C", True), ("mx-e", "latency_MX_Ecard", False),
     ("gm-lanai4", "barrier_host_based_16_nodes", False), ("gigae-pm", "bandwidth", True)],
)  # fmt: skip
def test_a_work_names_the_machine_of_all_its_rows(product, metric, named):
    assert numbers.names_machine(_row_of(product, metric)) == named


def test_each_number_of_a_machine_that_is_not_named_is_a_guess_and_those_of_cards_are_not(tmp_path):
    plan = Plan(tmp_path, [], quick=True)
    row = _row_of("mx-e", "latency_MX_Ecard")
    guessed = Machine(numbers.measured(row, plan))
    usual = Machine(numbers.measured(row, plan, judged=False))
    assert {place[1] for place in guessed.groups} >= {place[1] for place in usual.groups}
    for place, members in guessed.groups.items():
        for number in members:
            if number.key.startswith(("bus.", "cpu.", "os.")):
                assert number.trust == "assumed" and "Myricom" in place[0]
            else:
                assert not number.guessed


def test_rows_of_one_work_share_the_machine_that_it_does_not_name(tmp_path):
    quantity = numbers.measured(_row_of("mx-e", "latency_MX_Ecard"), Plan(tmp_path, [], quick=True))
    (held,) = Machine(quantity).held.values()
    ours, theirs = ({place for place in each.groups if place[1].startswith("bus.")}
                    for each in (Machine(quantity), Machine(held.quantity)))  # fmt: skip
    assert ours == theirs


def test_a_user_who_names_a_host_gets_the_trust_of_its_file():
    machine = Machine(Experiment("ping-pong", profile="mx-e", host="xeon2400-linux24"))
    (held,) = machine.held.values()
    for each in (machine, Machine(held.quantity)):
        assert not any(n.guessed for members in each.groups.values() for n in members)


def test_predicted_rows_get_bands_and_others_none(tmp_path):
    rows = calibration_rows.host_rows(calibration_table.load())
    rows = [replace(row, simulated=1000.0) for row in rows]
    plan = Plan(tmp_path, [], quick=True)
    found = calibration_bands.filled(rows, plan, tmp_path)
    predicted = [row for row in found if row.used and row.standing == "predicted"]
    assert len(predicted) >= 5
    assert all(row.low < 1000.0 < row.high for row in predicted)
    assert all(row.low is None for row in found if row not in predicted)
    assert "Coverage: " in calibration_bands.text(found)


def test_without_predicted_rows_there_is_no_coverage():
    assert "No row is predicted" in calibration_bands.text([])


def test_bands_belong_to_calibration_only(capsys):
    assert main(["study", "barrier", "--bands"]) == 2
    assert "--bands" in capsys.readouterr().err
