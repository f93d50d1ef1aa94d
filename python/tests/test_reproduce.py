# SPDX-License-Identifier: GPL-2.0-only
"""Provenance of files, and `via reproduce`: what is the same, what differs, what is not known."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import via
from matplotlib.figure import Figure
from via import figures
from via._base import commands
from via._cli import main, reproducing
from via._runs import provenance
from via.errors import ConfigError, ViaError

ROOT = Path(__file__).resolve().parents[2]
ARTIFACT = ROOT / "contrib" / "via" / "examples" / "artifact"

SCRIPT = """
import via
from matplotlib.figure import Figure

def half(a, seed):
    return a / 2

if __name__ == "__main__":
    table = via.sweep(half, {"a": [1, 2, 3]}, jobs=1, out="half.csv")
    figure = Figure()
    axes = figure.subplots()
    axes.plot(table["a"], table["value"], "o-", label="half")
    for name in ("half.png", "half.svg", "half.pdf"):
        via.save_figure(figure, name)
"""


@pytest.fixture
def scripted(tmp_path, monkeypatch):
    """A folder with a script and what it made."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("VIA_SWEEP_CACHE", "none")
    Path("half.py").write_text(SCRIPT, "ascii")
    subprocess.run([sys.executable, "half.py"], check=True)
    return tmp_path


def verdicts(path: Path) -> list[str]:
    return [each.verdict for each in reproducing.reproduce(path, jobs=1)]


@pytest.mark.ci
def test_what_a_script_made_is_made_again(scripted):
    for name in ("half.csv", "half.png", "half.svg", "half.pdf"):
        assert verdicts(Path(name)) == ["same bytes"], name
    assert main(["reproduce", "half.csv", "--yes", "half.png"]) == 0


@pytest.mark.ci
def test_another_number_in_a_table_is_found(scripted, capfd):
    table = Path("half.csv")
    table.write_text(table.read_text("ascii").replace("2,1.0", "2,1.5"), "ascii")
    assert main(["reproduce", "--yes", "half.csv"]) == 1
    assert "line 3 was '2,1.5,', is now '2,1.0,'" in capfd.readouterr().out


@pytest.mark.ci
def test_a_script_that_draws_other_data_is_found_and_another_colour_is_only_other_bytes(scripted):
    script = Path("half.py")
    script.write_text(SCRIPT.replace("a / 2", "a / 3"), "ascii")
    assert verdicts(Path("half.png")) == ["DIFFERS"]
    script.write_text(SCRIPT.replace('"o-"', '"s-"'), "ascii")
    assert verdicts(Path("half.png")) == ["same data"]


@pytest.mark.ci
def test_a_study_is_made_again(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    assert main(["study", "barrier", "--quick", "--profile", "ideal", "--out", "made"]) == 0
    assert main(["reproduce", "--yes", "made"]) == 0
    assert capfd.readouterr().out.count("same bytes") == 2
    moved = shutil.copytree(tmp_path / "made", tmp_path / "elsewhere")
    assert set(verdicts(moved)) == {"same bytes"}
    text = (moved / "provenance.json").read_text("utf-8")
    assert str(tmp_path) not in text


def test_a_study_that_is_not_quick_is_made_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ["--profile", "ideal", "--size", "4", "--jobs", "1", "--out", "made"]
    assert main(["study", "breakdown", *words]) == 0
    assert verdicts(Path("made")) == ["same bytes", "same bytes"]


def test_a_record_with_a_refit_that_the_study_does_not_have_is_made_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert study("breakdown", "made", "--size", "4") == 0
    place = Path("made/provenance.json")
    place.write_text(place.read_text("utf-8").replace('"--quick"', '"--quick", "--refit"'), "utf-8")
    assert "--refit" not in reproducing.commands(Path("made"))[0]
    assert verdicts(Path("made")) == ["same bytes", "same bytes"]


def test_a_figure_of_a_message_is_drawn_again(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    words = ["--size", "100", "--profile", "ideal", "--override", "nic.clock=50 MHz", "--seed", "3"]
    assert main(["breakdown", *words, "--plot", "message.png"]) == 0
    assert main(["reproduce", "--yes", "message.png"]) == 0
    captured = capfd.readouterr()
    assert "same bytes  message.png" in captured.out
    assert "via breakdown --profile ideal --override 'nic.clock=50 MHz' --size 100" in captured.err


@pytest.mark.parametrize("message", [[], ["--message", "0.0.1"]])
def test_a_figure_of_a_saved_run_is_drawn_again_from_it(tmp_path, monkeypatch, capfd, message):
    monkeypatch.chdir(tmp_path)
    via.Cluster().run("ping-pong", rounds=3).save("ping")
    Path("figures").mkdir()
    assert main(["breakdown", "ping", *message, "--plot", "figures/ping.svg"]) == 0
    assert main(["reproduce", "--yes", "figures/ping.svg"]) == 0
    # It says where it was made from, which is another way from the folder of the new one.
    assert "same data   ping.svg" in capfd.readouterr().out


def test_a_drawing_of_a_topology_is_drawn_again(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    assert main(["topology", "ring", "--nodes", "5", "--plot", "ring.png"]) == 0
    assert main(["reproduce", "--yes", "ring.png"]) == 0
    assert "same bytes  ring.png" in capfd.readouterr().out


EDGES = "a,b\ns0,n0\ns0,n1\n"


def test_a_drawing_of_a_topology_in_a_file_is_made_again_in_another_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("machine.csv").write_text(EDGES, "ascii")
    Path("figs").mkdir()
    assert main(["topology", "file:machine.csv", "--plot", "figs/m.png"]) == 0
    assert verdicts(Path("figs/m.png")) == ["same data"]  # it says where it was made from


def test_a_sweep_of_topologies_in_files_is_made_again_in_another_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("machine.csv").write_text(EDGES, "ascii")
    Path("tables").mkdir()
    points = [{"rounds": 1, "topology": "file:machine.csv,routing=ecmp"}]
    assert via.sweep("barrier", points, cache=None, out="tables/t.csv")["error"].tolist() == [""]
    assert verdicts(Path("tables/t.csv")) == ["same bytes"]


@pytest.mark.parametrize("word", ["file:m", "--topology=file:m", "m.xml", "2=m.toml@pii450-win"])
def test_words_that_name_files_need_the_folder_in_which_they_are(word):
    assert commands.needs_place(commands.of_command("sweep", word))
    assert not commands.needs_place(commands.of_command("sweep", "profile=gm-lanai9-200"))


def test_a_sweep_of_nodes_that_differ_is_made_again(tmp_path):
    out = tmp_path / "t.csv"
    point = {"rounds": 1, "node_profiles": {1: ("", "pii450-win")}}
    assert via.sweep("ping-pong", [point], cache=None, out=out)["error"].tolist() == [""]
    assert verdicts(out) == ["same bytes"]


def study(name: str, folder: str, *more: str) -> int:
    words = ["--quick", "--profile", "ideal", "--jobs", "1", *more]
    return main(["study", name, *words, "--out", folder])


@pytest.mark.night
def test_two_studies_in_one_folder_are_both_made_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert study("barrier", "two") == study("breakdown", "two", "--size", "4") == 0
    assert verdicts(Path("two/barrier.csv")) == verdicts(Path("two/breakdown.csv"))
    assert set(verdicts(Path("two"))) == {"same bytes"}
    assert study("breakdown", "two", "--size", "8") == study("barrier", "two") == 0
    records = sorted(file.name for file in Path("two").glob("*provenance.json"))
    assert records == ["breakdown.provenance.json", "provenance.json"]
    assert set(verdicts(Path("two"))) == {"same bytes"}


def test_a_file_belongs_to_the_study_that_wrote_it_last(tmp_path):
    (tmp_path / "a.csv").write_text("1\n", "ascii")
    (tmp_path / "b.csv").write_text("1\n", "ascii")
    files = [tmp_path / "a.csv", tmp_path / "b.csv"]
    provenance.write(
        provenance.beside(files[1]), commands.of_command("sweep", "barrier"), files[1:]
    )
    provenance.add(tmp_path, commands.of_command("demo"), files)
    assert not provenance.beside(files[1]).exists()
    provenance.add(tmp_path, commands.of_command("study", "barrier", "--quick"), files[1:])
    assert provenance.read(files[0]).command["args"] == ["demo"]
    assert provenance.read(files[1]).command["args"] == ["study", "barrier", "--quick"]
    first = provenance.read_record(tmp_path / "provenance.json")
    assert first is not None and list(first.files) == ["a.csv"]


@pytest.mark.parametrize("command", ["study barrier --quick --profile ideal", "demo --quick"])
def test_a_folder_with_a_run_is_no_place_for_other_results(command, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    run = via.Cluster().run("ping-pong", rounds=3)
    run.save("saved")
    before = {file.name: file.read_bytes() for file in Path("saved").iterdir()}
    assert main([*command.split(), "--out", "saved"]) == 2
    assert "via: --out = saved: it holds a run: give another name" in capfd.readouterr().err
    assert before == {file.name: file.read_bytes() for file in Path("saved").iterdir()}
    assert via.Run.load("saved").latency_us() == run.latency_us()


def test_a_provenance_file_of_something_else_is_not_overwritten(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    Path("mine").mkdir()
    Path("mine/provenance.json").write_text('{"made by": "me"}', "ascii")
    assert study("barrier", "mine") == 2
    assert "--out = mine: provenance.json there is not of results" in capfd.readouterr().err
    assert Path("mine/provenance.json").read_text("ascii") == '{"made by": "me"}'


@pytest.mark.ci
def test_a_swept_workload_is_made_again_with_its_failures(tmp_path):
    out = tmp_path / "t.csv"
    with pytest.warns(via.SweepWarning):
        via.sweep("barrier", {"nodes": [2, 0], "rounds": 2}, cache=None, out=out)
    assert verdicts(out) == ["same bytes"]


@pytest.mark.ci
def test_the_template_of_an_artifact_passes_from_a_fresh_clone(tmp_path):
    source = tmp_path / "source"
    shutil.copytree(ARTIFACT, source)
    git = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", "-C", str(source)]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "Artifact"]):
        subprocess.run([*git, *words], check=True)
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", str(source), str(clone)], check=True)
    command = [sys.executable, "-m", "via", "reproduce", "--yes", "."]
    done = subprocess.run(command, cwd=clone, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "barrier.csv" in done.stdout and "barrier.png" in done.stdout
    script = clone / "figure.py"
    script.write_text(script.read_text("ascii").replace("rounds=20", "rounds=3"), "ascii")
    done = subprocess.run(command, cwd=clone, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "DIFFERS" in done.stdout


def test_the_lock_of_the_template_names_all_that_the_package_needs():
    import tomllib

    needs = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    lines = (ARTIFACT / "requirements.lock").read_text("ascii").splitlines()
    locked = [line.partition("==")[0] for line in lines if not line.startswith("#")]
    assert sorted(locked) == sorted(need.partition(">=")[0] for need in needs)


@pytest.mark.ci
def test_what_a_script_leaves_is_written_down(tmp_path, monkeypatch):
    script = tmp_path / "two.py"
    script.write_text("open('b.txt', 'w').write('b')\nopen('a.txt', 'w').write('a')\n", "ascii")
    assert reproducing.lock(script) == (tmp_path / "provenance.json", ["a.txt", "b.txt"])
    assert not (tmp_path / "a.txt").exists()
    assert verdicts(tmp_path) == ["same bytes", "same bytes"]
    script.write_text("open('a.txt', 'w').write('c')\n", "ascii")
    found = reproducing.reproduce(tmp_path, jobs=1)
    assert [each.verdict for each in found] == ["DIFFERS", "DIFFERS"]
    assert found[1].detail == "what made it does not make it now"


def test_the_copy_of_a_folder_leaves_out_the_copy_itself(tmp_path, monkeypatch):
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    script = tmp_path / "one.py"
    script.write_text("open('one.txt', 'w').write('1')\n", "ascii")
    assert reproducing.lock(script) == (tmp_path / "provenance.json", ["one.txt"])
    assert verdicts(tmp_path) == ["same bytes"]
    again = tmp_path / "again"
    again.mkdir()
    assert reproducing.reproduce(tmp_path, jobs=1, keep=again)[0].verdict == "same bytes"
    assert not (again / "copy" / "again").exists()


def test_the_record_of_a_script_leaves_those_of_others(tmp_path):
    for name in ("one", "two"):
        script = tmp_path / f"{name}.py"
        script.write_text(f"open('{name}.txt', 'w').write('{name}')\n", "ascii")
        place, names = reproducing.lock(script)
        assert names == [f"{name}.txt"]
        assert reproducing.lock(script) == (place, names)
    assert place == tmp_path / "two.py.provenance.json"
    assert verdicts(tmp_path) == ["same bytes", "same bytes"]


def test_what_several_scripts_make_again_is_all_kept(tmp_path):
    for name in ("one", "two"):
        script = tmp_path / f"{name}.py"
        script.write_text(f"open('{name}.txt', 'w').write('{name}')\n", "ascii")
        reproducing.lock(script)
    keep = tmp_path / "kept"
    assert main(["reproduce", "--yes", str(tmp_path), "--keep", str(keep)]) == 0
    assert [(keep / f"copy{suffix}").is_dir() for suffix in ("", "-2", "-3")] == [True, True, False]
    assert (keep / "copy" / "one.txt").read_text() == "one"
    assert (keep / "copy-2" / "two.txt").read_text() == "two"
    assert not (keep / "copy-2" / "kept").exists()


def test_tables_of_one_name_are_all_kept(tmp_path):
    for folder, rounds in (("a", 1), ("b", 2)):
        (tmp_path / folder).mkdir()
        via.sweep("barrier", {"nodes": 2, "rounds": rounds}, cache=None,
                  out=tmp_path / folder / "t.csv")  # fmt: skip
    files = [tmp_path / "a" / "t.csv", tmp_path / "b" / "t.csv"]
    assert main(["reproduce", "--yes", *map(str, files), "--keep", str(tmp_path / "kept")]) == 0
    for made, file in zip(("t.csv", "2/t.csv"), files, strict=True):
        assert (tmp_path / "kept" / made).read_bytes() == file.read_bytes()


def test_new_files_are_not_kept_among_others(tmp_path, capfd):
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "t.csv").touch()
    (tmp_path / "x.csv").touch()
    command = commands.of_command("demo")
    provenance.write(tmp_path / "provenance.json", command, [tmp_path / "x.csv"])
    words = ["reproduce", "--yes", str(tmp_path), "--keep", str(tmp_path / "kept")]
    assert main(words) == 2
    assert f"--keep = {tmp_path}/kept: a new or empty folder is needed" in capfd.readouterr().err


def test_a_script_that_leaves_nothing_or_is_none_is_refused(tmp_path):
    script = tmp_path / "nothing.py"
    script.write_text("", "ascii")
    with pytest.raises(ConfigError, match="leaves no file"):
        reproducing.lock(script)
    with pytest.raises(ConfigError, match="a Python script"):
        reproducing.lock(tmp_path / "none.py")


def test_a_file_of_which_nothing_is_known_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="there is no such file"):
        reproducing.reproduce(tmp_path / "x.csv", jobs=1)
    (tmp_path / "x.csv").touch()
    with pytest.raises(ConfigError, match="it has no provenance"):
        reproducing.reproduce(tmp_path / "x.csv", jobs=1)
    with pytest.raises(ConfigError, match=r"has no provenance.json"):
        reproducing.reproduce(tmp_path, jobs=1)


def test_a_figure_of_a_script_outside_the_folder_says_why_it_cannot_be_made_again(
    tmp_path, monkeypatch
):
    (tmp_path / "script.py").touch()
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setattr(sys.modules["__main__"], "__file__", str(tmp_path / "script.py"))
    via.save_figure(Figure(), "f.png")
    with pytest.raises(ConfigError, match="the script was not below the folder in which it ran"):
        reproducing.reproduce(Path("f.png"), jobs=1)


def test_a_figure_drawn_at_a_prompt_cannot_be_run_again(tmp_path):
    figure = Figure()
    figure.subplots().plot([1, 2], [3, 4])
    with commands.recording({"kind": "interactive"}):
        via.save_figure(figure, tmp_path / "f.png")
    with pytest.raises(ConfigError, match="at a prompt"):
        reproducing.reproduce(tmp_path / "f.png", jobs=1)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "{}", '{"schema": "via-provenance/9"}'],
    ids=["nothing", "half", "list", "empty", "other-schema"],
)
def test_a_record_that_is_none_is_refused(tmp_path, text):
    (tmp_path / "provenance.json").write_text(text, "ascii")
    with pytest.raises(ConfigError, match="is not via-provenance/1"):
        reproducing.reproduce(tmp_path, jobs=1)


def test_a_command_that_does_not_run_says_why(tmp_path):
    out = tmp_path / "t.csv"
    out.touch()
    provenance.write(provenance.beside(out), commands.of_command("study", "no-such-study"), [out])
    with pytest.raises(ViaError, match="no-such-study"):
        reproducing.reproduce(out, jobs=1)


def test_a_script_that_is_gone_is_missed(tmp_path):
    script = tmp_path / "gone.py"
    script.touch()
    out = tmp_path / "t.csv"
    out.touch()
    provenance.write(provenance.beside(out), commands.of_script(script, tmp_path), [out])
    script.unlink()
    with pytest.raises(ConfigError, match=r"made by gone.py, and there is no"):
        reproducing.reproduce(out, jobs=1)


def test_what_changed_since_is_told(tmp_path):
    out = tmp_path / "t.csv"
    out.touch()
    place = provenance.beside(out)
    provenance.write(place, commands.of_command("demo"), [out])
    assert reproducing.changes(out) == []
    record = json.loads(place.read_text("utf-8"))
    record["about"]["ns3"] = "2.0"
    place.write_text(json.dumps(record), "utf-8")
    assert reproducing.changes(out) == [f"ns3: 2.0, here {via.about()['ns3']}"]


def test_about_tells_what_a_result_depends_on(monkeypatch, tmp_path):
    told = via.about()
    assert set(told) >= {"via", "git", "ns3", "compiler", "profiles", "python", "numpy"}
    assert told["ns3"][0] == "3" and told["compiler"].split()[0] in ("gcc", "clang")
    (tmp_path / "mine.toml").write_text("", "ascii")
    monkeypatch.setenv("VIA_PROFILE_PATH", str(tmp_path))
    assert via.about()["profiles"] != told["profiles"]


def test_a_figure_of_the_users_own_says_what_it_shows(tmp_path):
    found = {}
    for suffix in figures.KINDS:
        figure = Figure()
        figure.subplots().plot([1, 2], [3, 4], label="a \\ (b)")
        via.save_figure(figure, tmp_path / f"f{suffix}")
        found[suffix] = provenance.of_figure(tmp_path / f"f{suffix}")
    assert len({each["data"] for each in found.values()}) == 1
    with pytest.raises(ConfigError, match="a figure ends in"):
        via.save_figure(figure, tmp_path / "f.gif")


@pytest.mark.parametrize("arguments", [["--jobs", "0", "."], ["--jobs", "x", "."], [], ["none"]])
def test_a_command_line_that_makes_no_sense_is_refused(arguments, capfd):
    assert main(["reproduce", *arguments]) == 2
    assert capfd.readouterr().err
