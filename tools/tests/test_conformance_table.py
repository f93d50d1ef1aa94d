# SPDX-License-Identifier: GPL-2.0-only
"""A case without a rule, a rule without a case, and a table of results that is stale are found."""

import os
from pathlib import Path

import conformance_table
import pytest

PAGE = """
<!-- results -->
| profile | early (1) | functional (0) | full (3) |
| --- | --- | --- | --- |
| one | 1 passed | 0 passed | 3 passed |
<!-- end of results -->
| `NIC.name` | It has one. | header |
| `untested.color` | It has one. | nobody sees it |
"""
CASES = {
    "early": [("ANicHasAName", ["NIC.name"])],
    "functional": [],
    "full": [(f"Many{i}", ["NIC.name"]) for i in range(3)],
}


def test_what_belongs_together_is_accepted():
    assert conformance_table.complaints(CASES, PAGE) == []


def test_an_unknown_rule_is_found():
    cases = CASES | {"early": [("ANicHasAName", ["NIC.naem", "NIC.name"])]}
    assert conformance_table.complaints(cases, PAGE) == [
        "early/ANicHasAName cites NIC.naem, which is not a rule of the page"
    ]


def test_a_case_without_a_rule_is_found():
    cases = CASES | {"early": [("ANicHasAName", [])]}
    assert "cites nothing" in conformance_table.complaints(cases, PAGE)[0]


def test_a_rule_that_no_case_cites_is_found():
    page = PAGE + "| `NIC.age` | It has one. | header |\n"
    assert conformance_table.complaints(CASES, page) == ["no case cites NIC.age"]


def test_another_number_of_cases_is_found():
    cases = CASES | {"full": CASES["full"][:2]}
    (complaint,) = conformance_table.complaints(cases, PAGE)
    assert "stale" in complaint


def test_a_matrix_is_a_case_for_each_level():
    text = 'CONFORMANCE_MATRIX(Loss, "a.b c.d")\nCONFORMANCE_CASE(One,\n    "e.f "\n    "g.h")'
    assert [name for name, _ in conformance_table.cases_of(text)] == [
        "LossAtUnreliable",
        "LossAtReliableDelivery",
        "LossAtReliableReception",
        "One",
    ]
    assert conformance_table.cases_of(text)[-1][1] == ["e.f", "g.h"]


@pytest.mark.ci
def test_the_table_of_results_is_what_the_program_says(capsys: pytest.CaptureFixture[str]):
    program = Path(os.environ["VIA_BUILD_DIR"]) / "bin" / "via-conformance"
    wrong = conformance_table.check(str(program), fix=False)
    assert not wrong, capsys.readouterr().out
