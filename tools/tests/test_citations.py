# SPDX-License-Identifier: GPL-2.0-only
"""A number of a profile without a source, or with one that does not exist, is found."""

import citations
import pytest

ROWS = {"cLAN/latency": {"MEMORY-high"}}
KEYS = {"nic.clock"}


def complaint(**changes: object) -> str | None:
    entry: dict[str, object] = {
        "value": 7,
        "unit": "count",
        "source": "cLAN/latency: as printed",
        "trust": "MEMORY-high",
    }
    return citations.complaint(entry | changes, KEYS, ROWS)


def test_a_cited_number_is_accepted():
    assert complaint() is None


def test_a_property_may_be_read_in_the_text_beside_a_row():
    assert complaint(source="conditions of cLAN/latency: one port") is None


def test_an_assumption_says_why_and_is_accepted():
    assert complaint(source="one table access", trust="assumed") is None


def test_another_key_may_be_named():
    assert complaint(source="as nic.clock: the same chip", trust="assumed") is None


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"source": " "}, "an empty source"),
        ({"source": "conditions of cLAN/rumour: one port"}, "no row cLAN/rumour"),
        ({"source": "cLAN/rumour: heard of"}, "no row cLAN/rumour"),
        ({"source": "as nic.colour", "trust": "assumed"}, "no key nic.colour"),
        ({"trust": "VERIFIED"}, "says MEMORY-high"),
        ({"source": "a data sheet"}, "name its row"),
        ({"source": "by eye", "trust": "fitted"}, "names the row it was fitted on"),
    ],
)
def test_a_bad_citation_is_refused(changes: dict[str, object], text: str):
    assert text in (complaint(**changes) or "")


def test_a_bare_number_is_refused():
    assert "needs value" in (citations.complaint(7, KEYS, ROWS) or "")


def test_the_profiles_are_cited():
    assert citations.main() == 0
