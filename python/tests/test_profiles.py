# SPDX-License-Identifier: GPL-2.0-only
"""Profiles: the numbers of a product, from Python."""

import shutil
from fractions import Fraction

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


@pytest.mark.parametrize(
    "name",
    ("loop.toml", "loop", f"{'x' * 300}.toml", "x" * 300),
    ids=("a file that is a circle", "a name of one", "a long file", "a long name"),
)
def test_what_cannot_be_looked_at_is_not_there(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("VIA_PROFILE_PATH", f"{tmp_path}:{tmp_path / 'loop'}")
    (tmp_path / "loop.toml").symlink_to("loop.toml")
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(ConfigError, match="profile = .*: must be"):
        profiles.load(name)
    with pytest.raises(ConfigError, match="host = .*: must be"):
        profiles.load(host=name)
    assert profiles.load("giganet-clan1000").name == "giganet-clan1000"


# ---- rates of a bus ----


@pytest.mark.parametrize("host", profiles.hosts())
def test_every_host_moves_more_in_longer_bursts_and_both_ways_no_more_than_its_bus(host):
    rates = profiles.dma_rates(host, [64, 512, 4096])
    values = {e.key: e.value for e in profiles.load("ideal", host).entries}
    hertz = Fraction(values["bus.clock"].split()[0])
    most = float(hertz * int(values["bus.width"]) * int(values["bus.count"]) / 10**6)
    for way in ("read_mb_s", "write_mb_s", "both_mb_s"):
        assert rates[way].is_monotonic_increasing
        assert 0 < rates[way].max() <= most * 1.000001


def test_the_host_of_a_profile_is_taken_with_what_was_changed_in_it():
    card = profiles.load("gm-lanai9-133")
    usual = profiles.dma_rates(card)
    assert usual.equals(profiles.dma_rates(card.host))
    changed = profiles.dma_rates(card.with_value("bus.read_initial", "60"))
    assert (changed["read_mb_s"] != usual["read_mb_s"]).all()
    assert (changed["write_mb_s"] == usual["write_mb_s"]).all()


@pytest.mark.parametrize(
    ("host", "sizes", "said"),
    [("cray", [8], "cray"), ("pii300-linux22", [0], "sizes = 0"), (7, [8], "host"),
     ("pii300-linux22", "8", "a list is needed"), ("pii300-linux22", [2.5], "whole number")],
)  # fmt: skip
def test_rates_of_no_host_or_of_no_burst_are_refused(host, sizes, said):
    with pytest.raises(ConfigError, match=said):
        profiles.dma_rates(host, sizes)
