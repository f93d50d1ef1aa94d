# SPDX-License-Identifier: GPL-2.0-only
"""Simulated time in text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from via._base.units import MAX_PS, format_time, parse_time
from via.errors import ConfigError


@pytest.mark.parametrize(
    ("text", "ps"),
    [
        ("10us", 10_000_000),
        ("1.5 ms", 1_500_000_000),
        ("200 ns", 200_000),
        ("7ps", 7),
        ("2s", 2_000_000_000_000),
        ("0.001ns", 1),
    ],
)
def test_a_number_and_a_unit_are_read_exactly(text, ps):
    assert parse_time(text) == ps


@pytest.mark.parametrize("text", ["", "10", "us", "-1us", "1e3us", "10 minutes", "1,5us", "0x10us"])
def test_another_form_is_refused_by_name(text):
    with pytest.raises(ConfigError, match=r"^--stop = .*: a number and a unit are needed"):
        parse_time(text, "--stop")


def test_part_of_a_picosecond_is_refused():
    with pytest.raises(ConfigError, match="whole picoseconds"):
        parse_time("0.0001ns")


@pytest.mark.parametrize("text", ["0us", "9223372036854775808ps", "99999999s"])
def test_no_time_and_too_much_time_are_refused(text):
    with pytest.raises(ConfigError, match="106 days"):
        parse_time(text)


@given(st.integers(min_value=1, max_value=MAX_PS))
def test_every_instant_that_can_be_simulated_can_be_written(ps):
    assert parse_time(f"{ps}ps") == ps


@given(st.integers(min_value=1, max_value=10**9), st.integers(min_value=0, max_value=999_999))
def test_decimals_of_a_microsecond_are_not_rounded(us, rest):
    assert parse_time(f"{us}.{rest:06d}us") == us * 1_000_000 + rest


@pytest.mark.parametrize(
    ("ps", "text"),
    [(0, "0 ps"), (999, "999 ps"), (8_046_500, "8.046 us"), (2_454_000_000, "2.454 ms")],
)
def test_times_are_shown_in_the_unit_people_would_choose(ps, text):
    assert format_time(ps) == text
