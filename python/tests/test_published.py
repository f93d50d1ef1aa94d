# SPDX-License-Identifier: GPL-2.0-only
"""Published measurements."""

import pytest
from via._base import published


def test_latencies_have_a_size_and_microseconds():
    rows = published.latencies_us("cLAN")
    assert len(rows) >= 4
    assert rows["size_bytes"].notna().all()
    assert rows["value_us"].between(5, 20).all()


def test_bandwidths_are_counted_in_bytes():
    rows = published.bandwidths_mb_s("cLAN")
    assert 795 / 8 in rows["value_mb_s"].tolist()
    assert rows["value_mb_s"].between(90, 113).all()


def test_tcp_is_not_taken_for_the_native_interface():
    metrics = set(published.bandwidths_mb_s("cLAN")["metric"])
    assert metrics == {"bandwidth", "bandwidth_peak"}


def test_every_row_says_how_far_to_trust_it():
    known = {"VERIFIED", "MEMORY-high", "MEMORY-medium", "MEMORY-low"}
    assert set(published.load()["status"]) <= known


@pytest.mark.parametrize(
    ("source", "short"),
    [
        ("Chang & von Eicken, 'Javia: A Java interface', Concurrency P&E 2000; x", "Chang 2000"),
        ("Lauria, Pakin & Chien, FM 2.x / HPVM (HPDC 1998)", "Lauria 1998"),
        ("Giganet/Emulex data sheets", "Giganet/Emulex data sheets"),
        ("Myricom 'Myrinet-2000 performance': myricom.com", "Myricom"),
        ("BIP home page (ENS Lyon, 1999): ens-lyon.fr", "BIP home page 1999"),
        ("Myricom news 1 May 2003: myri.com", "Myricom news 1 May 2003"),
        ("(authors from memory: Ciaccio et al.) 'Messaging'; x", "Ciaccio"),
    ],
)
def test_a_source_is_shortened_to_author_and_year(source, short):
    assert published.short_source(source) == short
