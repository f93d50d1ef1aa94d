# SPDX-License-Identifier: GPL-2.0-only
"""ctest sees of a pytest case what pytest saw: outcome, words, and whether it ran at all."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parents[1]
CASES = """
import pytest

RUNS = 2

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
@pytest.mark.ci
@pytest.mark.parametrize("number", range(3))
def test_slow_case(number): pass
"""
RANKS = "import pytest\nALONE = True\n@pytest.mark.night\ndef test_many(): pass\n"
ENDS = "import os\ndef test_early(): pass\ndef test_end(): os._exit(3)\ndef test_later(): pass\n"


def run(files, tier, results, *words, chosen=""):
    """Run cases of files as an entry of ctest does; return its exit code."""
    command = [sys.executable, TOOLS / "pytest_cases.py", "run", tier, *files, "--results", results]
    return subprocess.run(
        [*map(str, [*command, *words])],
        env=os.environ | {"VIA_TEST_CHOSEN": chosen},
        capture_output=True,
        check=False,
    ).returncode


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture(name="told", scope="module")
def _told(tmp_path_factory):
    """What the entries of a file say, as exit code and text, after the run of its quick tier."""
    place = tmp_path_factory.mktemp("cases")
    file, folder = place / "test_some.py", place / "results"
    file.write_text(CASES, "ascii")
    folder.mkdir(parents=True)
    (folder / "some.late_case").write_text("passed\n", "ascii")  # of an earlier run
    assert run([file], "quick", folder) == 0

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


@pytest.fixture(name="listed", scope="module")
def _listed(tmp_path_factory):
    """The entries of a folder with a dozen short files and one with cases of all tiers."""
    place = tmp_path_factory.mktemp("listed")
    folder, output = place / "python" / "tests", place / "cases.cmake"
    folder.mkdir(parents=True)
    for number in range(11):
        (folder / f"test_short{number}.py").write_text("def test_it(): pass\n", "ascii")
    (folder / "test_ranks.py").write_text(RANKS, "ascii")
    (folder / "test_some.py").write_text(CASES, "ascii")
    command = [sys.executable, TOOLS / "pytest_cases.py", "list", folder, "--output", output]
    subprocess.run(
        [*command, "--results", place / "results"], check=True, capture_output=True, cwd=folder,
        env={key: value for key, value in os.environ.items() if key != "PYTEST_ADDOPTS"},
    )  # fmt: skip
    return output.read_text("utf-8")


def test_quick_files_share_runs_and_slow_ones_have_their_own(listed):
    runs = re.findall(r'add_test\("pytest\.([^"]+)"', listed)
    slow = ["ranks-night", "some-ci-1", "some-ci-2", "some-night"]
    assert runs == ["python-quick-1", "python-quick-2", *slow]


def test_nothing_runs_beside_a_file_that_says_so(listed):
    alone = re.findall(r'"pytest\.([^"]+)" PROPERTIES .*RUN_SERIAL "ON"', listed)
    assert alone == ["ranks-night"]


def test_each_case_reads_its_outcome_where_its_run_writes_it(listed):
    read = re.findall(
        r'/results/([\w-]+)/([\w.-]+)"\)\n.*FIXTURES_REQUIRED "pytest\.([\w-]+)"', listed
    )
    assert len(read) == 11 + 7 + 3 + 1 + 1
    assert all(folder == required for folder, _, required in read)
    slow = {(folder, case) for folder, case, _ in read if "slow" in case}
    assert slow == {
        ("some-ci-1", "some.slow_case-0"),
        ("some-ci-2", "some.slow_case-1"),
        ("some-ci-1", "some.slow_case-2"),
    }


def test_two_runs_share_the_slow_cases_of_a_file(tmp_path):
    file = tmp_path / "test_some.py"
    file.write_text(CASES, "ascii")
    for part, cases in ((0, ["some.slow_case-0", "some.slow_case-2"]), (1, ["some.slow_case-1"])):
        assert run([file], "ci", tmp_path / "r", "--part", part, 2) == 0
        assert names_in(tmp_path / "r") == cases


@pytest.mark.parametrize(
    ("chosen", "cases"),
    [("good_case$|one.early", ["one.early", "some.good_case"]), ("nothing", [])],
)
def test_what_is_not_chosen_does_not_run(chosen, cases, tmp_path):
    files = [tmp_path / "test_one.py", tmp_path / "test_some.py"]
    for file, text in zip(files, (ENDS, CASES), strict=True):
        file.write_text(text, "ascii")
    assert run(files, "quick", tmp_path / "r", chosen=chosen) == 0
    assert names_in(tmp_path / "r") == cases


def test_a_case_that_ends_the_interpreter_leaves_the_outcomes_before_it(tmp_path):
    file = tmp_path / "test_one.py"
    file.write_text(ENDS, "ascii")
    assert run([file], "quick", tmp_path / "r") == 3
    assert names_in(tmp_path / "r") == ["one.early"]
