# SPDX-License-Identifier: GPL-2.0-only
"""Profiles: the numbers of a product, from Python."""

import shutil

import pytest
from via import ConfigError, profiles


def test_the_clan_is_among_the_products():
    assert "giganet-clan1000" in profiles.names()


def test_its_test_bed_is_among_the_hosts():
    assert profiles.load("giganet-clan1000").host in profiles.hosts()


def test_every_entry_has_a_unit_a_source_and_a_trust():
    entries = profiles.entries("giganet-clan1000")
    assert list(entries.columns) == ["key", "value", "unit", "trust", "source", "file", "line"]
    assert entries["key"].is_unique
    assert (entries[["unit", "source", "trust"]] != "").all(axis=None)


def test_another_host_is_another_profile():
    ours = profiles.load("giganet-clan1000")
    other = profiles.load("giganet-clan1000", "pii450-win")
    assert (ours.host, other.host) == ("pii300-linux22", "pii450-win")
    assert ours.fingerprint != other.fingerprint


def test_another_value_is_another_fingerprint():
    ours = profiles.load()
    assert ours.with_value("nic.tpt_lookup", "13").fingerprint != ours.fingerprint


def test_an_unknown_key_is_refused_by_name():
    with pytest.raises(ConfigError, match=r"nic\.colour"):
        profiles.load().with_value("nic.colour", "blue")


def test_an_unknown_product_is_refused_with_those_there_are():
    with pytest.raises(ConfigError, match="giganet-clan1000"):
        profiles.load("myrinet-9000")


def test_an_unknown_host_is_refused_with_those_there_are():
    with pytest.raises(ConfigError, match="pii300-linux22"):
        profiles.load("giganet-clan1000", "cray")


def test_an_empty_host_is_not_taken_for_the_usual_one():
    with pytest.raises(ConfigError, match=r"^host = ''"):
        profiles.load("giganet-clan1000", "")


def test_a_profile_is_found_in_the_users_folder(tmp_path, monkeypatch):
    source = profiles.entries("giganet-clan1000").query("key == 'nic.clock'")["file"].item()
    shutil.copy(source, tmp_path / "mine.toml")
    monkeypatch.setenv("VIA_PROFILE_PATH", str(tmp_path))
    assert "mine" in profiles.names()
    assert profiles.load("mine").fingerprint == profiles.load().fingerprint
