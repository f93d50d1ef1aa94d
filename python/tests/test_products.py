# SPDX-License-Identifier: GPL-2.0-only
"""All products: what they share, what tells them apart, which of them are sketches."""

import shutil
from functools import cache
from pathlib import Path

import pytest
from via import Cluster, ConfigError, profiles
from via._base import published
from via.studies import calibration_table, costs
from via.studies.calibration_rows import unexplained_keys

NAMES = profiles.names()
LATENCIES = [
    each
    for each in calibration_table.load().comparisons
    if each.measure in ("latency", "round_trip") and each.use != "context"
]

# More than this of a small message's latency unexplained makes a product a sketch.
MOST_RESIDUAL_PCT = 25.0


def values(name: str) -> dict[str, str]:
    return {entry.key: entry.value for entry in profiles.load(name).entries}


@cache
def one_way_us(profile: str, host: str, topology: str, size: int, *, residual: bool = True):
    table = calibration_table.load()
    zero = [] if residual else [(key, "0") for key in unexplained_keys(profile, table)]
    task = costs.Task(
        profile, host, costs.LATENCY, size, quick=True, topology=topology, overrides=tuple(zero)
    )
    return costs.simulate(task).values[costs.LATENCY]


def residual_pct(profile: str) -> float:
    with_it = one_way_us(profile, profiles.load(profile).host, "star", 4)
    without = one_way_us(profile, profiles.load(profile).host, "star", 4, residual=False)
    return 100 * (1 - without / with_it)


def latency_is_held(profile: str) -> bool:
    """Tell whether a published latency of the product holds its cycles."""
    return any(each.profile == profile for each in LATENCIES)


def test_the_gm_cards_differ_in_their_clock_alone():
    slow, fast = values("gm-lanai9-133"), values("gm-lanai9-200")
    assert {key for key in slow | fast if slow.get(key) != fast.get(key)} == {"nic.clock"}


def test_the_mx_cards_differ_in_clock_and_ports_alone():
    d, e = values("mx-d"), values("mx-e")
    assert {key for key in d | e if d.get(key) != e.get(key)} == {"nic.clock", "nic.ports"}
    assert int(e["nic.clock"].split()[0]) == 1.48 * int(d["nic.clock"].split()[0])


def test_the_m_via_products_differ_in_their_wires_alone():
    gigabit, fast = values("mvia-gnic2"), values("mvia-tulip")
    differ = {key.split(".")[0] for key in gigabit | fast if gigabit.get(key) != fast.get(key)}
    assert differ == {"link", "switch"}


@pytest.mark.parametrize("name", NAMES)
def test_a_product_names_a_host_and_mechanisms(name):
    profile = profiles.load(name)
    assert profile.host in profiles.hosts()
    assert set(profiles.mechanisms(profile)) == set(profiles.MECHANISMS)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "ideal"])
def test_a_sketch_and_nothing_else_is_called_one(name):
    sketchy = residual_pct(name) > MOST_RESIDUAL_PCT or not latency_is_held(name)
    assert bool(profiles.load(name).sketch) == sketchy, f"residual {residual_pct(name):.1f} %"


@pytest.mark.parametrize("each", LATENCIES, ids=lambda each: f"{each.profile}-{each.row.value}")
def test_a_published_latency_is_met_as_far_as_it_is_trusted(each):
    host = each.host or profiles.load(each.profile).host
    ours = one_way_us(each.profile, host, each.topology, each.size)
    ours *= 2 if each.measure == "round_trip" else 1
    far = published.multiple(ours, float(each.row.value), each.row.trust)
    assert (far <= 1) == (not each.outside), f"{ours:.3f} us instead of {each.row.value} us"


@pytest.mark.ci
def test_one_and_the_same_program_runs_on_every_product(ping_pong):
    before = ping_pong.read_bytes()
    for name in NAMES:
        run = Cluster(nodes=2, profile=name).run_program(ping_pong, ["-n", 10], capture=True)
        assert run.exit == 0, name
        assert run.stdout.split()[:2] == ["8", "10"], name  # bytes, rounds
    assert ping_pong.read_bytes() == before


# ---- Several changes at once ----


def test_another_mechanism_comes_with_its_keys():
    words = {"nic.doorbell": "polled-word", "nic.poll_loop": "40", "nic.poll_vi": "20"}
    changed = profiles.load().with_values(words)
    keys = {entry.key for entry in changed.entries}
    assert {"nic.poll_loop", "nic.poll_vi"} <= keys
    assert "nic.doorbell_depth" not in keys


def test_a_mechanism_without_its_keys_is_refused():
    with pytest.raises(ConfigError, match=r"nic\.poll_loop is missing with nic\.doorbell"):
        profiles.load().with_value("nic.doorbell", "polled-word")


def test_a_key_of_a_mechanism_that_is_not_chosen_is_refused():
    with pytest.raises(ConfigError, match=r"nic\.poll_vi = 20: is read only with nic\.doorbell"):
        profiles.load().with_values({"nic.poll_vi": "20"})


# ---- Profiles of users ----


@pytest.fixture(name="mine")
def _mine(tmp_path):
    card = profiles.load("gm-lanai9-133")
    file = next(entry.file for entry in card.entries if entry.key == "nic.clock")
    (tmp_path / "hosts").mkdir()
    shutil.copy(next(e.file for e in card.entries if e.key == "cpu.clock"), tmp_path / "hosts")
    return Path(shutil.copy(file, tmp_path / "mine.toml"))


def refusal(path, old, new) -> str:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(ConfigError) as refused:
        profiles.load(str(path))
    return str(refused.value)


def test_a_file_that_has_changed_is_read_again(mine):
    def clock():
        return next(e.value for e in profiles.load(str(mine)).entries if e.key == "nic.clock")

    before = clock()
    mine.write_text(mine.read_text().replace('"133 MHz"', '"134 MHz"', 1))
    assert (before, clock()) == ("133000000 Hz", "134000000 Hz")


def test_a_missing_key_of_a_mechanism_is_named_with_its_range_and_unit(mine):
    line = next(line for line in mine.read_text().splitlines() if line.startswith("tlb_hit"))
    told = refusal(mine, line + "\n", "")
    assert "mine.toml" in told
    assert "nic.tlb_hit is missing: must be a whole number from 0 to 10000000, nic cycles" in told


def test_a_key_of_another_mechanism_is_named_with_its_line(mine):
    extra = 'poll_loop = { value = 1, unit = "nic cycles", source = "none", trust = "assumed" }'
    told = refusal(mine, "[link]", f"{extra}\n\n[link]")
    line = mine.read_text().splitlines().index(extra) + 1
    assert f"mine.toml:{line}: nic.poll_loop = 1" in told
    assert "is read only with nic.doorbell=polled-word" in told


def test_a_value_out_of_range_is_named_with_line_range_and_unit(mine):
    told = refusal(mine, "dma_engines = { value = 1", "dma_engines = { value = 3")
    assert "nic.dma_engines = 3" in told
    assert "a whole number from 1 to 2, count" in told


def test_the_slack_behind_a_stop_mark_holds_short_cells():
    def run(cells):
        marks = {"link.go_mark": "4", "link.stop_mark": "5", "link.credits": str(cells)}
        cluster = Cluster(nodes=10, profile="mx-d", host="ideal-host", overrides=marks)
        return cluster.run("request-reply", size=24, rounds=10)

    assert run(12).exit == 0
    says = r"link.stop_mark = 5: at most 7 \(link.credits\) minus 7: so many short packets"
    with pytest.raises(ConfigError, match=says):
        run(7)
