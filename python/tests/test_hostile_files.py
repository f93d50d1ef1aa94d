# SPDX-License-Identifier: GPL-2.0-only
"""Files of others: nothing in them crashes a reader, leads it elsewhere, or runs."""

import json
import os
import pty
import shutil
import subprocess
import sys
from pathlib import Path

import hostile
import pytest
import via
from matplotlib.figure import Figure
from ranks import needs_mpi
from via import figures, profiles
from via._base import commands
from via._cli import main, reproducing
from via._programs import plug_ins
from via._runs import provenance
from via.errors import ConfigError

ROOT = Path(__file__).resolve().parents[2]
PLUG_INS = ROOT / "contrib" / "via" / "examples" / "plug-ins"
HEADER = ROOT / "contrib" / "via" / "model" / "nic" / "include"
DEEP = 20_000


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """A folder with what hostile files are made of."""
    folder = tmp_path_factory.mktemp("made")
    hostile.make(folder)
    return folder


@pytest.fixture(scope="module")
def two_level(tmp_path_factory) -> Path:
    """A product with a plug-in."""
    folder = tmp_path_factory.mktemp("plug-in")
    shutil.copy(PLUG_INS / "two-level.toml", folder)
    command = ["cc", "-shared", "-fPIC", f"-I{HEADER}", "-o", str(folder / "two-level.so")]
    subprocess.run([*command, str(PLUG_INS / "two-level.c")], check=True)
    return folder / "two-level.toml"


# ---- many ----


def test_hostile_files_are_read_or_refused_in_a_line(made):
    assert hostile.throw(0, 300, made) == []


@pytest.mark.night
@pytest.mark.parametrize("block", range(10))
def test_thousands_of_hostile_files_are_read_or_refused_in_a_line(made, block):
    assert hostile.throw(1000 * block + 1000, 1000 * block + 2000, made) == []


def test_a_reader_that_crashes_or_hangs_is_found(made, monkeypatch):
    def reads(number, *_):
        if number == 3:
            os.abort()
        return "told" if number == 5 else ""

    monkeypatch.setattr(hostile, "read_one", reads)
    assert hostile.throw(0, 8, made) == ["3: the reader ended by SIGABRT", "told"]


@pytest.mark.parametrize("number", [3126, 10289])
def test_a_file_that_once_was_too_much_for_a_reader_is_refused_in_a_line(made, number):
    assert hostile.throw(number, number + 1, made) == []


# ---- nested ----


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.toml", "a = " + "[" * DEEP, ["profiles", "FILE"]),
        ("b.toml", "a = " + "[" * DEEP + "]" * DEEP, ["run", "--faults", "FILE", "PROGRAM"]),
        ("c.toml", "a" + ".a" * DEEP + " = 1", ["run", "--profile", "FILE", "PROGRAM"]),
        ("d.json", '{"a":' * DEEP, ["run", "--faults", "FILE", "PROGRAM"]),
        ("e.graphml", "<a>" * DEEP, ["run", "--topology", "file:FILE", "PROGRAM"]),
        ("f.xml", "<graphml><graph>" + "<a><b/>" * DEEP, ["topology", "file:FILE"]),
        ("g.toml", "a = " + "{a=" * DEEP, ["sweep", "FILE"]),
        ("h.json", "[" * DEEP, ["sweep", "barrier", "--points", "FILE"]),
        ("i.json", '{"a":' * DEEP + "1" + "}" * DEEP, ["compare", "FILE", "FILE"]),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 20 else "",
)
def test_what_is_nested_too_deeply_is_refused_with_file_and_limit(
    name, text, words, ping_pong, tmp_path, monkeypatch, capfd
):
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(text)
    told = [word.replace("FILE", f"./{name}").replace("PROGRAM", str(ping_pong)) for word in words]
    assert main(told) == 2
    (line,) = capfd.readouterr().err.splitlines()
    assert name in line and line.endswith(":1: nested more than 64 levels deep")


def test_a_recorded_run_and_a_record_that_are_nested_are_refused(made, tmp_path, capfd):
    for name in ("run.json", "tables.json", "provenance.json", "returned.json"):
        folder = tmp_path / name
        shutil.copytree(made / "run", folder)
        (folder / name).write_text("[" * DEEP)
        with pytest.raises(ConfigError, match="nested more than 64 levels deep"):
            via.Run.load(folder)
    assert main(["reproduce", "--yes", str(tmp_path / "provenance.json")]) == 2
    assert "nested more than 64 levels deep" in capfd.readouterr().err


# ---- names that lead elsewhere ----


@pytest.mark.parametrize("name", ["../../etc/passwd", "/etc/passwd", "x.toml", ".."])
def test_a_profile_names_a_host_and_no_path(name, tmp_path, capfd):
    ideal = profiles.load("ideal")
    source = next(each.file for each in ideal.entries if Path(each.file).stem == "ideal")
    card = tmp_path / "card.toml"
    text = Path(source).read_text()
    card.write_text(text.replace(f'default_host = "{ideal.host}"', f'default_host = "{name}"'))
    assert main(["profiles", str(card)]) == 2
    (line,) = capfd.readouterr().err.splitlines()
    assert f"card.toml:6: default_host = {name}: must be a name, not a path" in line
    assert "root:" not in line


@pytest.mark.parametrize("name", ["../secret", "/etc/passwd", "messages/../../secret", "other"])
def test_a_run_has_no_tables_elsewhere(name, made, tmp_path):
    shutil.copytree(made / "run", tmp_path / "run")
    shutil.copy(made / "run" / "samples.csv", tmp_path / "secret.csv")
    place = tmp_path / "run" / "tables.json"
    described = json.loads(place.read_text())
    described["tables"][name] = described["tables"]["samples"]
    place.write_text(json.dumps(described))
    with pytest.raises(ConfigError, match="has no right to"):
        via.Run.load(tmp_path / "run")


# ---- plug-ins ----


def test_a_plug_in_runs_only_if_the_user_says_so(two_level, ping_pong, capfd):
    for words in (
        ["run", "--profile", str(two_level), str(ping_pong)],
        ["run", "--node-profile", f"1={two_level}", str(ping_pong)],
        ["breakdown", "--profile", str(two_level)],
        ["sweep", "barrier", "nodes=2", f"profile={two_level}", "--cache", "none"],
        [
            "study",
            "barrier",
            "--quick",
            "--profile",
            str(two_level),
            "--out",
            str(two_level.parent),
        ],
    ):
        assert main(words) == 2, words
        err = capfd.readouterr().err
        assert str(two_level.with_suffix(".so")) in err, words
        assert "allow it by --allow-plug-in" in err and len(err.splitlines()) == 1, words
    run = ["run", "--allow-plug-in", "--profile", str(two_level), str(ping_pong), "--", "-n", "2"]
    assert main(run) == 0
    assert not plug_ins.allowed


def test_a_plug_in_runs_only_if_the_script_says_so(two_level):
    with pytest.raises(ConfigError, match=r"two-level.so: .*allow_plug_in=True"):
        via.Cluster(profile=str(two_level)).run("ping-pong", rounds=2)
    with pytest.raises(ConfigError, match=r"allow_plug_in=True"):
        via.sweep("barrier", [{"nodes": 2, "profile": str(two_level)}], cache=None)
    run = via.Cluster(profile=str(two_level), allow_plug_in=True).run("ping-pong", rounds=2)
    assert run.report["profile"]["plug_in"] == "two-level 1.0"
    point = {"nodes": 2, "profile": str(two_level)}
    table = via.sweep("barrier", [point], cache=None, allow_plug_in=True, jobs=1)
    assert list(table["error"]) == [""]


def test_a_file_cannot_say_it_for_the_user(two_level, tmp_path, capfd):
    place = tmp_path / "s.toml"
    place.write_text(
        f'what = "barrier"\n[grid]\nnodes = [2]\nprofile = ["{two_level}"]\n'
        "allow_plug_in = [true]\n"
    )
    assert main(["sweep", str(place), "--cache", "none"]) == 2
    assert "allow it by --allow-plug-in" in capfd.readouterr().err


@pytest.mark.parametrize("other", [0, 1])
def test_the_report_names_a_plug_in_wherever_it_runs(two_level, other):
    cluster = via.Cluster(
        profile=str(two_level),
        nodes=2,
        node_profiles={other: "giganet-clan1000"},
        allow_plug_in=True,
        record=False,
    )
    run = cluster.run("ping-pong", rounds=2)
    assert run.report["profile"]["plug_in"] == "two-level 1.0"


@needs_mpi
def test_the_report_of_ranks_names_a_plug_in(two_level):
    cluster = via.Cluster(profile=str(two_level), nodes=2, allow_plug_in=True, record=False)
    run = cluster.run("ping-pong", rounds=2, mpi_ranks=2)
    assert run.report["profile"]["plug_in"] == "two-level 1.0"


def test_a_profile_with_a_plug_in_can_be_looked_at(two_level, capfd):
    assert main(["profiles", str(two_level), "--explain", "plug_in.leaf_pages"]) == 0
    assert "leaf_pages" in capfd.readouterr().out


# ---- what made a file ----


@pytest.fixture
def artifact(tmp_path) -> Path:
    """A folder of somebody else: its script leaves a trace outside of it."""
    folder = tmp_path / "theirs"
    folder.mkdir()
    (folder / "x.py").write_text(
        f"open({str(tmp_path / 'ran')!r}, 'w')\nopen('t.csv', 'w').write('a')\n"
    )
    (folder / "t.csv").write_text("a")
    command = commands.of_script(folder / "x.py", folder)
    provenance.write(folder / provenance.FOLDER_FILE, command, [folder / "t.csv"])
    return folder


def test_what_made_a_file_runs_only_if_the_user_says_so(artifact, capfd):
    for file in (artifact, artifact / "t.csv"):
        assert main(["reproduce", str(file)]) == 2
        (line,) = capfd.readouterr().err.splitlines()
        assert line.startswith(f"via: file = {file}: it would run x.py, in a copy of")
        assert line.endswith(": --yes allows it")
    assert not (artifact.parent / "ran").exists()
    assert main(["reproduce", "--yes", str(artifact)]) == 0
    assert (artifact.parent / "ran").exists()
    assert f"{artifact} runs x.py" in capfd.readouterr().err


@pytest.mark.parametrize(("answer", "code"), [("y\n", 0), ("\n", 2), ("no\n", 2)])
def test_on_a_terminal_the_user_is_asked(artifact, answer, code):
    ours, theirs = pty.openpty()
    os.write(ours, answer.encode())
    done = subprocess.run(
        [sys.executable, "-m", "via", "reproduce", str(artifact)],
        stdin=theirs, capture_output=True, text=True, check=False,
    )  # fmt: skip
    os.close(theirs)
    os.close(ours)
    assert done.returncode == code
    assert "runs x.py" in done.stderr and "run this? [y/N]" in done.stderr
    assert (artifact.parent / "ran").exists() == (code == 0)


def test_a_figure_cannot_run_anything_unasked(tmp_path, capfd):
    figure = Figure()
    figure.subplots().plot([1, 2], [3, 4])
    with commands.recording(commands.of_command("cc", "-o", "/tmp/x\x1b[2J", "evil.c")):
        via.save_figure(figure, tmp_path / "f.png")
    assert main(["reproduce", str(tmp_path / "f.png")]) == 2
    err = capfd.readouterr().err
    assert "it would run via cc -o '/tmp/x\\x1b[2J' evil.c" in err and "\x1b" not in err


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"files": {"../precious": {"sha256": ""}}}, "is not in this folder"),
        ({"files": {"/etc/passwd": {"sha256": ""}}}, "is not in this folder"),
        ({"files": {}}, "it names no files"),
        ({"files": {"t.csv": 3}}, "is not in this folder"),
        ({"command": {"kind": "script", "script": "../x.py", "args": []}}, "is not in its folder"),
        ({"command": {"kind": "script", "script": "/bin/sh", "args": []}}, "is not in its folder"),
        ({"command": {"kind": "shell", "args": ["rm"]}}, "kind is none of"),
        ({"command": {"kind": "command", "args": "rm"}}, "args is not a list"),
        ({"command": {"kind": "command", "args": []}}, "there is no command"),
        ({"command": {"kind": "script", "script": "x.py", "args": [], "cwd": 3}}, "is not a path"),
        ({"command": {"kind": "script", "script": "x.py", "args": [], "cwd": "/tmp/elsewhere"}},
         "would run in a folder that this one is not in"),
    ],
)  # fmt: skip
def test_a_record_that_leads_elsewhere_is_refused(artifact, change, said, capfd):
    (artifact.parent / "precious").write_text("precious")
    place = artifact / provenance.FOLDER_FILE
    place.write_text(json.dumps({**json.loads(place.read_text()), **change}))
    assert main(["reproduce", "--yes", str(artifact)]) == 2
    (line,) = capfd.readouterr().err.splitlines()
    assert said in line
    assert (artifact.parent / "precious").read_text() == "precious"
    assert not (artifact.parent / "ran").exists()


def test_a_link_in_a_folder_leads_no_reproduction_out_of_its_copy(artifact):
    outside = artifact.parent / "outside"
    outside.mkdir()
    (outside / "t.csv").write_text("precious")
    (artifact / "link").symlink_to(outside)
    place = artifact / provenance.FOLDER_FILE
    record = json.loads(place.read_text())
    record["files"] = {"link/t.csv": {"sha256": ""}}
    place.write_text(json.dumps(record))
    reproducing.reproduce(artifact, jobs=1)
    assert (outside / "t.csv").read_text() == "precious"


def test_what_is_made_again_is_kept_somewhere_else(artifact, capfd):
    assert main(["reproduce", "--yes", str(artifact), "--keep", str(artifact)]) == 2
    assert "another folder is needed" in capfd.readouterr().err


def test_a_figure_that_is_a_bomb_is_no_figure(tmp_path, monkeypatch):
    from PIL import Image

    place = tmp_path / "f.png"
    Image.new("1", (50, 50)).save(place)
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 100)
    with pytest.raises(ConfigError, match=r"cannot be read as a figure: .*exceeds limit"):
        figures.read(place)
