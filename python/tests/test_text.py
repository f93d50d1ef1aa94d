# SPDX-License-Identifier: GPL-2.0-only
"""Tables in plain text."""

from via._base.text import table


def test_numbers_stand_to_the_right_and_words_to_the_left():
    assert table(["name", "us"], [["a", 1.5], ["long", 10.25]]).splitlines() == [
        "name      us",
        "----  ------",
        "a      1.500",
        "long  10.250",
    ]


def test_what_is_missing_is_left_blank():
    assert table(["bytes", "us"], [[4, 8.0], [None, 8.5]]).splitlines()[-1] == "       8.500"


def test_a_table_without_rows_is_a_header():
    assert table(["a", "b"], []).splitlines() == ["a  b", "-  -"]


def test_no_line_ends_in_blanks():
    lines = table(["a", "b"], [["x", "longer"], ["y", "z"]], indent="  ").splitlines()
    assert all(line == line.rstrip() and line.startswith("  ") for line in lines)
