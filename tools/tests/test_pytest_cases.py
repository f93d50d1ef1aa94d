# SPDX-License-Identifier: GPL-2.0-only
"""ctest sees of a pytest case what pytest saw: outcome, words, and whether it ran at all."""

import subprocess
import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parents[1]
CASES = """
import pytest

def test_good_case(): pass
def test_bad_case(): assert "one" == "other"
def test_left_out(): pytest.skip("there is no moon")
@pytest.fixture
def broken(): raise OSError("no disk")
def test_unprepared_case(broken): pass
@pytest.fixture
def leaves(): yield; raise OSError("a leftover")
def test_untidy_case(leaves): pass
@pytest.mark.parametrize("text", ["a/b", "a b"])
def test_odd_case(text): assert text == "a/b"
@pytest.mark.night
def test_late_case(): pass
"""


@pytest.fixture(name="told", scope="module")
def _told(tmp_path_factory):
    """What the entries of a file say, as exit code and text, after the run of its quick tier."""
    place = tmp_path_factory.mktemp("cases")
    file, folder = place / "test_some.py", place / "results" / "test_some-quick"
    file.write_text(CASES, "ascii")
    folder.mkdir(parents=True)
    (folder / "some.late_case").write_text("passed\n", "ascii")  # of an earlier run
    run = [sys.executable, TOOLS / "pytest_cases.py", "run", file, "quick"]
    subprocess.run([*run, "--results", place / "results"], check=True, capture_output=True)

    def told(case: str) -> tuple[int, str]:
        show = ["sh", TOOLS / "pytest_case.sh", folder / f"some.{case}"]
        done = subprocess.run(show, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout

    return told


def test_a_case_that_passed_passes(told):
    assert told("good_case") == (0, "passed\n\n")


def test_a_case_that_failed_fails_with_what_pytest_said(told):
    code, said = told("bad_case")
    assert code == 1
    assert "one" in said and "other" in said


def test_a_skipped_case_is_skipped_with_its_reason(told):
    code, said = told("left_out")
    assert code == 77
    assert "there is no moon" in said


@pytest.mark.parametrize(
    ("case", "why"), [("unprepared_case", "no disk"), ("untidy_case", "a leftover")]
)
def test_an_error_of_a_fixture_is_a_failure(told, case, why):
    code, said = told(case)
    assert code == 1
    assert why in said


def test_parameters_that_differ_only_in_other_characters_have_entries_of_their_own(told):
    assert [told(case)[0] for case in ("odd_case-a-b", "odd_case-a-b.2")] == [0, 1]


def test_what_an_earlier_run_left_is_no_outcome(told):
    code, said = told("late_case")
    assert code == 1
    assert "did not run" in said
