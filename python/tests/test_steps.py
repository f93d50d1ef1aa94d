# SPDX-License-Identifier: GPL-2.0-only
"""Runs in steps, with progress, with short errors, and as notebooks show them."""

from pathlib import Path

import pytest
import via
from via._cli import main
from via.workloads import Barrier


def test_a_run_in_steps_is_the_same_run():
    cluster = via.Cluster(nodes=8)
    whole = cluster.run(Barrier(rounds=20))
    cluster.start(Barrier(rounds=20))
    steps = 0
    while cluster.step(until=20_000_000 * (steps + 1)):
        steps += 1
    run = cluster.finish()
    assert steps > 10
    assert (run.digest, run.end_ps) == (whole.digest, whole.end_ps)
    assert run.messages.equals(whole.messages)


def test_a_run_that_is_finished_early_says_who_still_ran():
    cluster = via.Cluster(nodes=2)
    cluster.start("barrier", rounds=100)
    assert cluster.step("20us")
    says = r"^unfinished processes at .*\n  rank 0 on n0"
    with pytest.raises(via.ProcessFailed, match=says) as told:
        cluster.finish()
    run = told.value.run
    assert 0 < run.report["messages"] < 100 and run.exit == 1
    assert cluster.run("barrier", rounds=1).exit == 0


@pytest.mark.parametrize("watched", (False, True))
@pytest.mark.parametrize("is_cut", (False, True))
def test_timers_of_tcp_are_left_to_simulate(is_cut, watched):
    faults = via.Faults().link_down("n0", at="100 us", until="400 us") if is_cut else None
    cluster = via.Cluster(nodes=2, faults=faults)
    whole = cluster.run("socket-ping-pong", rounds=3)
    if watched:
        cluster.ns3(lambda _: None)
    cluster.start("socket-ping-pong", rounds=3)
    until = 10**9
    while cluster.step(until):
        until += 10**9
    run = cluster.finish()
    assert (run.digest, run.end_ps) == (whole.digest, whole.end_ps)
    assert len(run.samples) == len(whole.samples) == 3


def test_processes_in_python_run_in_steps():
    cluster = via.Cluster(nodes=1)
    seen = []

    @cluster.process(0)
    async def counts(p):
        for number in range(10):
            await p.sleep("1us")
            seen.append(number)

    cluster.start()
    cluster.step("5us")
    assert 0 < len(seen) < 10
    assert not cluster.step("1ms")
    assert cluster.finish().exit == 0 and len(seen) == 10


def test_steps_in_the_wrong_order_are_refused():
    cluster = via.Cluster(nodes=2)
    with pytest.raises(via.ConfigError, match=r"step = no run: start\(\) begins one"):
        cluster.step("1us")
    with pytest.raises(via.ConfigError, match=r"finish = no run: start\(\) begins one"):
        cluster.finish()
    cluster.start("barrier")
    try:
        with pytest.raises(via.ConfigError, match="one simulation ends before the next"):
            cluster.run("barrier")
        cluster.step("10us")
        with pytest.raises(via.ConfigError, match=r"until = 5us: the run is at 10\.000 us"):
            cluster.step("5us")
        for wrong in ("soon", -1, 1.5):
            with pytest.raises(via.ConfigError, match="until"):
                cluster.step(wrong)
    finally:
        cluster.finish(check=False)


def test_what_cannot_start_leaves_nothing_behind():
    cluster = via.Cluster(nodes=2)
    with pytest.raises(via.ConfigError, match="workload = barrel"):
        cluster.start("barrel")
    assert cluster.run("barrier", rounds=1).exit == 0


def test_progress_is_told_and_changes_nothing():
    cluster = via.Cluster(nodes=64, record=False)
    told = []
    run = cluster.run(Barrier(rounds=400), progress=told.append)
    assert told == sorted(told) and all(0 < now <= run.end_ps for now in told)
    assert run.digest == cluster.run(Barrier(rounds=400)).digest


def test_an_exception_in_progress_ends_the_run():
    def stop(now_ps):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        via.Cluster(nodes=64, record=False).run(Barrier(rounds=10**6), progress=stop)
    assert via.Cluster(nodes=2).run(Barrier(rounds=1)).exit == 0


def test_a_progress_bar_is_drawn(capfd):
    via.Cluster(nodes=2).run(Barrier(rounds=2), progress=True)
    assert "simulated us" in capfd.readouterr().err
    via.Cluster(nodes=2).measure(Barrier(rounds=2), seeds=2, progress=True)
    assert "seeds" in capfd.readouterr().err


@pytest.mark.parametrize("wrong", [None, 1, "yes"])
def test_a_wrong_progress_is_refused(wrong):
    for call in (via.Cluster(nodes=2).run, via.Cluster(nodes=2).measure):
        with pytest.raises(via.ConfigError, match="progress"):
            call("barrier", progress=wrong)


class Waits(via.Protocol):
    """All wait for ever, but some."""

    async def run(self):
        if self.rank % 100 == 7:
            raise ValueError("odd one")
        await self.recv()


def test_a_thousand_deadlocked_processes_are_a_few_lines():
    class All(via.Protocol):
        async def run(self):
            await self.recv()

    with pytest.raises(via.Deadlock) as found:
        via.Cluster(nodes=1000, record=False).run(All)
    lines = str(found.value).splitlines()
    assert lines[1:] == ["  1000 processes, ranks 0 to 999: waits for a message"]
    assert len(found.value.run.troubles) == 1000


def test_each_kind_of_trouble_has_a_line():
    with pytest.raises(via.ProcessFailed) as found:
        via.Cluster(nodes=300, record=False).run(Waits)
    text = str(found.value)
    assert "297 processes, ranks 0 to 6, 8 to 106, 108 to 206, 208 to 299: waits" in text
    assert "3 processes, ranks 7, 107, 207: ValueError: odd one" in text


def test_more_kinds_than_lines_are_counted():
    class Own(via.Protocol):
        async def run(self):
            raise ValueError(f"mine is {self.rank}")

    with pytest.raises(via.ProcessFailed) as found:
        via.Cluster(nodes=20, record=False).run(Own)
    assert str(found.value).splitlines()[-1] == "  and 12 other kinds; run.troubles has all"


def test_tables_say_of_which_run_they_are():
    run = via.Cluster(nodes=2, seed=3).run("ping-pong", rounds=2)
    for table in (run.messages, run.breakdown, run.links, run.processes, run.cpu, run.faults):
        assert table.attrs["via"]["seed"] == 3
        assert table.attrs["via"]["digest"] == run.digest
    assert run.messages.query("src_rank == 0").attrs["via"]["workload"] == "ping-pong"


def test_notebooks_show_tables_and_drawings():
    cluster = via.Cluster("torus:4x4", nodes=16, overrides={"nic.tpt_lookup": 24})
    run = cluster.run("barrier", rounds=2)
    assert "nic.tpt_lookup = 24" in cluster._repr_html_()
    assert run.digest in run._repr_html_() and "median" in run._repr_html_()
    shown = run.latency()._repr_html_()
    assert "samples" in shown and " \u00b5s" in shown and " us<" not in shown
    assert "cLAN1000" in via.profiles.load()._repr_html_()
    assert repr(via.profiles.load()) == "<via.Profile of Giganet cLAN1000 on pii300-linux22>"
    torus = "<via.Topology torus:4x4,hosts=1: hosts 16, switches 16, cables 48>"
    assert repr(via.topology.torus(4, 4)) == torus
    assert "<svg" in cluster._repr_svg_()
    for each in (run, run.latency(), via.profiles.load()):
        assert each._repr_svg_().startswith("<svg") and "<svg" in each._repr_html_()
    shown = cluster.topology._repr_html_()
    assert "torus:4x4" in shown and shown.endswith("</svg>\n")


def test_a_notebook_shows_text_and_no_markup_of_a_user():
    kind = type("Loud", (Waits,), {"run": lambda self: iter(())})
    kind.__qualname__ = "<script>"
    run = via.Cluster(nodes=2).run(kind, check=False)
    assert "<script>" not in run._repr_html_()


def test_a_topology_too_large_for_a_notebook_is_not_drawn():
    large = via.topology.torus(50, 50)
    assert large._repr_svg_() is None
    assert "<svg" not in large._repr_html_()


def test_a_profile_extends_another(tmp_path):
    changes = {
        "nic.tpt_lookup": 24,
        "nic.clock": "125 MHz",
        "nic.reliability": "unreliable, reliable-delivery",
    }
    mine = via.profiles.extend(tmp_path / "mine.toml", "giganet-clan1000", changes,
                               title="Faster", source="a guess")  # fmt: skip
    assert mine.name == "mine" and mine.title == "Faster" and mine.host == "pii300-linux22"
    path = str(tmp_path / "mine.toml")
    run = via.Cluster(profile=path).run("ping-pong", rounds=5)
    assert run.digest == via.Cluster(overrides=changes).run("ping-pong", rounds=5).digest
    entries = via.profiles.entries(path).set_index("key")
    assert entries.loc["nic.tpt_lookup", ["value", "trust"]].tolist() == ["24", "assumed"]
    assert entries.loc["nic.tpt_lookup", "file"] == path
    assert "giganet-clan1000.toml" in entries.loc["vipl.post_send", "file"]


HEAD = 'schema = "via-product/1"\ntitle = "T"\n'


def test_a_profile_that_extends_follows_the_other_when_that_changes(tmp_path, monkeypatch):
    monkeypatch.setenv("VIA_PROFILE_PATH", str(tmp_path))
    other = tmp_path / "other.toml"
    (tmp_path / "mine.toml").write_text(f'{HEAD}extends = "other"\n')
    for value in (24, 36):
        via.profiles.extend(other, "giganet-clan1000", {"nic.tpt_lookup": value},
                            title="Other", source="a guess")  # fmt: skip
        entries = via.profiles.entries("mine").set_index("key")
        assert entries.loc["nic.tpt_lookup", "value"] == str(value)


def test_another_mechanism_drops_what_belonged_to_the_old_one(tmp_path):
    changes = {"nic.descriptor": "pio-write", "nic.descriptor_read": 10}
    mine = tmp_path / "mine.toml"
    via.profiles.extend(mine, "giganet-clan1000", changes, title="T", source="s")
    old = set(via.profiles.entries("giganet-clan1000")["key"])
    new = set(via.profiles.entries(str(mine))["key"])
    assert old - new == {"nic.descriptor_prefetch"} and new - old == {"nic.descriptor_read"}


def test_a_key_of_a_mechanism_that_is_not_there_is_refused_in_the_file_that_says_it(tmp_path):
    mine = tmp_path / "mine.toml"
    said = '{ value = 3, unit = "count", source = "s", trust = "assumed" }'
    mine.write_text(f'{HEAD}extends = "giganet-clan1000"\nnic.tlb_entries = {said}\n')
    with pytest.raises(via.ConfigError, match=r"mine\.toml:4: nic\.tlb_entries = 3: is read only"):
        via.profiles.load(str(mine))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('extends = "nowhere"\n', "profile = nowhere"),
        ('extends = "../x"\n', "must be a name, not a path"),
        ("extends = 3\n", "extends = 3: must be text"),
        ('extends = "mine"\n', "in a circle"),
        ('extends = "giganet-clan1000"\n[nic]\nspeed = 3\n', "no such key"),
    ],
)
def test_a_wrong_extension_is_refused(text, says, tmp_path, monkeypatch):
    monkeypatch.setenv("VIA_PROFILE_PATH", str(tmp_path))
    (tmp_path / "mine.toml").write_text(HEAD + text)
    with pytest.raises(via.ConfigError, match=says):
        via.profiles.load("mine")


def test_a_circle_of_three_profiles_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("VIA_PROFILE_PATH", str(tmp_path))
    for name, base in (("a", "b"), ("b", "c"), ("c", "a")):
        (tmp_path / f"{name}.toml").write_text(f'{HEAD}extends = "{base}"\n')
    with pytest.raises(via.ConfigError, match="in a circle"):
        via.profiles.load("a")


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"path": "mine.txt"}, r"ends in \.toml"),
        ({"base": "giganet"}, "base = giganet"),
        ({"base": "./ideal.toml"}, "base = ./ideal.toml"),
        ({"path": "ideal.toml"}, r"path = ideal\.toml: another name"),
        ({"changes": {"nic.speed": 1}}, "no such key"),
        ({"changes": {"cpu.clock": "1 GHz"}}, r"^mine\.toml:4: cpu\.clock = .* host profile"),
        ({"changes": {"nic.clock": "1 GHz"}, "source": ""}, r'source = "": must be text'),
        ({"changes": {"nic.clock": "1 GHz"}, "source": "a\x7f"}, r"^mine\.toml:4: not TOML"),
        ({"changes": 3}, "changes"),
        ({"trust": "sure"}, "trust = sure"),
        ({"host": "abacus"}, "host = abacus"),
        ({"title": 3}, "title"),
    ],
)
def test_a_wrong_profile_is_not_written(given, says, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    usual = {"path": "mine.toml", "base": "ideal", "changes": {}, "title": "T", "source": "s"}
    with pytest.raises(via.ConfigError, match=says):
        via.profiles.extend(**{**usual, **given})
    assert list(tmp_path.iterdir()) == []


def test_a_good_profile_is_not_replaced_by_a_wrong_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("VIA_PROFILE_PATH", str(tmp_path))
    given = {"title": "T", "source": "s"}
    for name, base in (("a", "ideal"), ("b", "a")):
        via.profiles.extend(f"{name}.toml", base, {"nic.clock": "1 GHz"}, **given)
    before = Path("a.toml").read_bytes()
    for base, changes in (("ideal", {"cpu.clock": "1 GHz"}), ("b", {})):  # b extends a
        with pytest.raises(via.ConfigError):
            via.profiles.extend("a.toml", base, changes, **given)
        assert Path("a.toml").read_bytes() == before


def test_the_command_line_overrides_keys(capfd):
    words = ["breakdown", "--csv", "--override", "nic.tpt_lookup=24"]
    assert main(words) == 0
    changed = capfd.readouterr().out
    assert main(words[:2]) == 0
    assert changed != capfd.readouterr().out
    sweep = ["sweep", "ping-pong", "rounds=2", "--cache", "none", "--jobs", "1"]
    assert main([*sweep, "--override", "nic.clock=125 MHz"]) == 0
    assert "125 MHz" in capfd.readouterr().out


@pytest.mark.parametrize("wrong", ["nic.clock", "=3", "nic.clock=", "nic.speed=3"])
@pytest.mark.parametrize("command", [["breakdown"], ["sweep", "barrier", "nodes=2"],
                                     ["run", "none.so"]])  # fmt: skip
def test_a_wrong_override_is_refused(command, wrong, capfd, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "none.so").touch()
    assert main([*command, "--override", wrong]) == 2
    said = capfd.readouterr().err
    assert "--override" in said or "nic.speed" in said
    assert main([*command, "--override", "nic.clock=1 MHz", "--override", "nic.clock=2 MHz"]) == 2
    assert "twice" in capfd.readouterr().err
