# SPDX-License-Identifier: GPL-2.0-only
"""What a new user writes first: ten tasks, each a whole script of at most 15 lines."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("VIA_BUILD_DIR", ROOT / "build" / "release"))
TOOLS = ROOT / ".cache" / "tools" / "bin"
TASKS = sorted((ROOT / "contrib" / "via" / "examples" / "tasks").iterdir())
SCRIPTS = [task for task in TASKS if task.suffix != ".cc"]
IN_PYTHON = [task for task in TASKS if task.suffix == ".py"]
MOST_LINES = 15
NEEDS = {"06-report-page": "bokeh", "09-sweep-on-dask": "distributed"}
PRINTED = {
    "01-latency-of-three-products": "mvia-gnic2 4096",
    "02-protocol-with-faults": "254 of 256 answered",
    "03-fabric-from-networkx": "source destination",
    "04-profile-by-inheritance": "mine.toml: ",
    "05-sweep-to-figure": "",
    "06-report-page": "",
    "07-vipl-program": "Giganet cLAN",
    "09-sweep-on-dask": "nodes latency_us",
    "10-reproduce": "same bytes barrier.csv",
}
MADE = {
    "01-latency-of-three-products": "latency.svg",
    "03-fabric-from-networkx": "load.svg",
    "05-sweep-to-figure": "barrier.pdf",
    "06-report-page": "faulty.html",
    "10-reproduce": "barrier.csv",
}


def run(command: list[object], folder: Path) -> str:
    """Run a command that finds `via` on its path; return what it prints."""
    (folder / "bin").mkdir()
    via = folder / "bin" / "via"
    via.write_text(f'#!/bin/sh\nexec {sys.executable} -m via "$@"\n')
    via.chmod(0o755)
    path = f"{via.parent}:{os.environ['PATH']}"
    done = subprocess.run(
        list(map(str, command)),
        cwd=folder,
        env=os.environ | {"PATH": path, "VIA_SWEEP_CACHE": "none"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_there_are_ten_and_each_is_short():
    assert len(TASKS) == 10
    for task in TASKS:
        lines = [line for line in task.read_text("ascii").splitlines() if line.strip()]
        assert (
            len([line for line in lines if not line.startswith(("//", "#!", "# "))]) <= MOST_LINES
        )


@pytest.mark.ci
@pytest.mark.parametrize("task", SCRIPTS, ids=lambda task: task.stem)
def test_a_task_does_what_it_says(task, tmp_path):
    if task.stem in NEEDS:
        pytest.importorskip(NEEDS[task.stem])
    script = Path(shutil.copy(task, tmp_path))
    printed = run(["sh" if task.suffix == ".sh" else sys.executable, script], tmp_path)
    assert PRINTED[task.stem] in " ".join(printed.split())
    assert task.stem not in MADE or (tmp_path / MADE[task.stem]).stat().st_size > 0


@pytest.mark.ci
@pytest.mark.skipif(
    not (BUILD / "CMakeCache.txt").is_file() or BUILD.name != "release",
    reason="an instrumented library needs instrumented programs",
)
def test_the_ns3_script_is_built_by_one_command_and_captures(built, tmp_path):
    from via import programs

    program = programs.build("ping-pong", built)
    (script,) = (task for task in TASKS if task.suffix == ".cc")
    copy = shutil.copy(script, tmp_path / "my-script.cc")
    for folder, there in ((ROOT, "build/release"), (tmp_path, BUILD)):
        told = subprocess.run(
            [ROOT / "via", "build", copy], cwd=folder, capture_output=True, text=True, check=False
        )
        assert told.returncode == 0, told.stdout + told.stderr
        assert f"run {there}/scratch/my-script --help" in told.stderr
    run([ROOT / "via", "run", "my-script.cc", program], tmp_path)
    assert len(list(tmp_path.glob("run-?-via.pcapng"))) == 2


def test_a_script_of_scratch_that_is_not_there_is_named():
    command = [ROOT / "via", "run", "scratch/nowhere"]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    assert told.returncode == 2
    assert "scratch/nowhere.cc: no such file" in told.stderr


@pytest.mark.ci
@pytest.mark.skipif(
    not (BUILD / "CMakeCache.txt").is_file() or BUILD.name != "release",
    reason="an instrumented library needs instrumented programs",
)
@pytest.mark.parametrize("word", ["scratch/first", "scratch/first.cc"])
def test_a_script_of_scratch_is_run_by_its_name(word, ping_pong, tmp_path):
    command = [ROOT / "via", "run", word, "--"]
    told = subprocess.run(
        [*command, ping_pong], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert told.returncode == 0, told.stdout + told.stderr
    assert " doorbells of node 0, digest " in told.stdout
    lacks = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (lacks.returncode, lacks.stdout) == (2, "")
    assert "program = ping-pong.so: " in lacks.stderr


@pytest.mark.parametrize(
    ("name", "complaint"),
    [("nowhere.cc", "no such file"), ("a b.cc", "letters, digits"), ("first.cc", "same name")],
)
def test_a_script_that_cannot_be_built_is_refused(name, complaint, tmp_path):
    script = tmp_path / name
    if name != "nowhere.cc":
        script.touch()
    command = [ROOT / "via", "build", script]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    assert told.returncode == 2
    assert complaint in told.stderr


@pytest.mark.ci  # after ./via check, which installs the linters
@pytest.mark.skipif(not TOOLS.exists(), reason="./via check installs mypy and ruff")
@pytest.mark.parametrize("task", IN_PYTHON, ids=lambda task: task.stem)
def test_a_task_has_no_wrong_type_and_no_complaint(task):
    mypy = ["mypy", "--strict", "--no-incremental", "--follow-imports=silent"]
    for command in (mypy, ["ruff", "check"], ["ruff", "format", "--check"]):
        done = subprocess.run(
            [TOOLS / command[0], *command[1:], task],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout
