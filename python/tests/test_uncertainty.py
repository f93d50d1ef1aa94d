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
from via._base import ranges
from via._cli import main
from via.profiles import TRUSTS
from via.studies import calibration_bands, calibration_rows, calibration_table
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


# ---- calibration


class _Row:
    def __init__(self, target, simulated, low, high, trust="VERIFIED"):
        self.target, self.simulated, self.low, self.high = target, simulated, low, high
        self.trust = trust


def test_a_measurement_is_inside_if_both_bars_reach_each_other():
    assert calibration_bands.is_inside(_Row(104.0, 100.0, 95.0, 105.0))
    assert not calibration_bands.is_inside(_Row(110.0, 100.0, 95.0, 105.0))
    edge = 100 * math.exp(math.hypot(math.log(1.05), math.log(1.03)))
    assert calibration_bands.is_inside(_Row(edge - 0.1, 100.0, 95.0, 105.0))
    assert not calibration_bands.is_inside(_Row(edge - 0.1, 100.0, 95.0, 105.0), alone=True)


@pytest.mark.parametrize(
    ("targets", "verdict"),
    [([100] * 9 + [200], "as it should be"), ([200] * 10, "too narrow"), ([100] * 10, "too wide")],
)
def test_coverage_says_whether_the_bands_are_honest(targets, verdict):
    rows = [_Row(float(target), 100.0, 95.0, 105.0) for target in targets]
    assert verdict in calibration_bands.coverage(rows, "predicted")


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
