# SPDX-License-Identifier: GPL-2.0-only
"""The path of a newcomer: a wheel in a fresh environment, and a figure in a few lines."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
import zipfile
from pathlib import Path

import pytest
from via import figures

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "contrib" / "via" / "examples" / "barrier-latency.py"
TASKS = sorted((ROOT / "contrib" / "via" / "examples" / "tasks").iterdir())
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
LANGUAGE = "Programming Language :: Python :: 3."
VERSIONS = [each.rpartition(" ")[2] for each in PROJECT["classifiers"] if LANGUAGE in each]
MOST_LINES = 12
MOST_SECONDS = 300  # of a task, on a busy machine

PROBE = """
import json, sys
from pathlib import Path
import via
from via._programs import compiler
from via import programs

package = Path(via.__file__).parent
assert package.is_relative_to(sys.prefix), package
assert Path(via._core.profile_folder()) == package / "profiles"
program = programs.build("ping-pong", Path("."))
run = via.Cluster(nodes=2).run_program(program, ["-s", 4, "-n", 5], capture=True)
two_level = str(package / "examples/plug-ins/two-level.toml")
plug_in = via.Cluster(profile=two_level, allow_plug_in=True)
files = ["py.typed", "_core.pyi", "include/vipl.h", "include/vipl.hpp", "include/via-plug-in.h",
         "wireshark/via.lua", "profiles/hosts", "profiles/kernels", "shim/via-host-calls.h"]
print(json.dumps({
    "about": via.about(),
    "digest": run.digest,
    "printed": run.stdout,
    "plug_in": plug_in.run("ping-pong", rounds=2).digest,
    "missing": [name for name in files if not (package / name).exists()],
}))
"""


def clean_environment() -> dict[str, str]:
    """The environment without what leads to the source tree."""
    ours = {"PYTHONPATH", "VIA_BUILD_DIR", "VIA_PRESET", "VIA_PROFILE_PATH", "VIRTUAL_ENV"}
    return {name: value for name, value in os.environ.items() if name not in ours}


def run(command: list[object], folder: Path, env: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        list(map(str, command)), cwd=folder, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def check_figure(folder: Path) -> None:
    told = figures.read(folder / "barrier.png")
    assert told["command"]["kind"] == "script"
    assert (folder / "barrier.csv").read_text("ascii").count("\n") == 13


def test_a_figure_takes_at_most_twelve_lines(tmp_path):
    lines = [line for line in SCRIPT.read_text("ascii").splitlines() if line.strip()]
    assert len(lines) <= MOST_LINES
    shutil.copy(SCRIPT, tmp_path)
    run([sys.executable, SCRIPT.name], tmp_path, os.environ | {"VIA_SWEEP_CACHE": "none"})
    check_figure(tmp_path)


def interpreters(version: str) -> list[Path]:
    """The interpreters of a version on this machine: the one that runs, pyenv's, the path's."""
    ours = (
        [Path(sys.executable)] if f"{sys.version_info[0]}.{sys.version_info[1]}" == version else []
    )
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    others = [shutil.which(f"python{version}")]
    return [
        *ours,
        *sorted(pyenv.glob(f"{version}.*/bin/python3")),
        *map(Path, filter(None, others)),
    ]


def test_the_interpreter_that_runs_is_the_first_of_its_version_and_others_may_lack():
    assert interpreters("{}.{}".format(*sys.version_info))[0] == Path(sys.executable)
    assert interpreters("2.99") == []


def test_a_release_has_a_wheel_for_each_version():
    steps = (ROOT / ".github" / "workflows" / "release.yml").read_text("ascii")
    (loop,) = re.findall(r"for python in (.*); do tools/wheel.sh", steps)
    assert loop.split() == [f"python{version}" for version in VERSIONS]


@pytest.fixture(scope="session", params=VERSIONS)
def version(request) -> str:
    """Each version that the package promises to work with."""
    return str(request.param)


@pytest.fixture(scope="session")
def python(version) -> Path:
    """An interpreter of a version."""
    if not (found := interpreters(version)):
        pytest.skip(f"Python {version} is not installed")
    if subprocess.run([found[0], "-m", "pip", "--version"], capture_output=True).returncode:
        pytest.skip(f"{found[0]} has no pip: ./via setup --ci brings python3-pip")
    return found[0]


@pytest.fixture(scope="session")
def wheel(version, python, tmp_path_factory) -> Path:
    """The wheel of the commit, with its libraries: one of $VIA_TEST_WHEEL, or built here."""
    if built := os.environ.get("VIA_TEST_WHEEL"):
        tag = f"-cp{version.replace('.', '')}-"
        if not (fit := [name for name in built.split(":") if tag in name]):
            pytest.skip(f"no wheel in VIA_TEST_WHEEL has {tag} in its name")
        return Path(fit[0]).resolve(strict=True)
    folder = tmp_path_factory.mktemp("wheel")
    run([ROOT / "tools" / "wheel.sh", folder, python], folder, clean_environment())
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="session")
def bare(python, wheel, tmp_path_factory) -> Path:
    """A fresh environment with the wheel and what PyPI has of its dependencies."""
    folder = tmp_path_factory.mktemp("bare")
    run([python, "-m", "venv", "fresh"], folder)
    fresh = folder / "fresh" / "bin" / "python"
    packages = [f"{wheel}[report,dask]"]
    run([fresh, "-m", "pip", "install", "-q", *packages], folder, clean_environment())
    return fresh


def alone(command: list[object], folder: Path) -> str:
    """Run a command where the libraries that the wheel holds are empty files on the machine."""
    hide = """
        for file in $(/sbin/ldconfig -p | sed -n 's/.* => //p' | grep -E "$1"); do
            mount --bind /dev/null "$file"
        done
        shift
        exec "$@"
    """
    names = "/lib(ns3|gsl|boost|sqlite3)[^/]*$"
    there = [] if os.geteuid() else ["unshare", "-m", "bash", "-c", hide, "hide", names]
    env = clean_environment() | {"VIA_SWEEP_CACHE": "none"}
    path = f"{Path(str(command[0])).parent}:{env['PATH']}"
    return run([*there, *command], folder, env | {"PATH": path})


@pytest.mark.night
def test_a_wheel_has_all_its_libraries_and_a_manylinux_tag(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert {"via/_core.pyi", "via/py.typed", "via/libvia.so"} <= set(names)
    inside = " ".join(name for name in names if name.startswith("via.libs/"))
    for library in ("libns3-core", "libns3-internet", "libboost_context", "libgsl", "libsqlite3"):
        assert library in inside
    assert "manylinux" in wheel.name


@pytest.mark.night
def test_a_wheel_works_where_no_ns3_is_installed(bare, tmp_path):
    (tmp_path / "probe.py").write_text(PROBE, "ascii")
    told = json.loads(alone([bare, "probe.py"], tmp_path))
    here = json.loads(run([sys.executable, "-c", HERE], tmp_path))
    assert told["missing"] == []
    assert told["digest"] == here["digest"] and told["printed"].split()[:2] == ["4", "5"]
    assert told["about"]["profiles"] == here["profiles"] and told["about"]["ns3"] == here["ns3"]
    shutil.copy(SCRIPT, tmp_path)
    alone([bare, SCRIPT.name], tmp_path)
    check_figure(tmp_path)
    alone([bare.with_name("via"), "reproduce", "--yes", "barrier.csv", "barrier.png"], tmp_path)


@pytest.mark.night
@pytest.mark.parametrize("task", [each for each in TASKS if each.suffix != ".cc"],
                         ids=lambda task: task.stem)  # fmt: skip
def test_a_task_of_a_new_user_runs_with_the_wheel_alone(task, bare, tmp_path):
    script = shutil.copy(task, tmp_path)
    how = "/bin/sh" if task.suffix == ".sh" else bare
    started = time.monotonic()
    alone([bare, "-c", "import subprocess, sys; sys.exit(subprocess.run(sys.argv[1:]).returncode)",
           how, script], tmp_path)  # fmt: skip
    assert time.monotonic() - started < MOST_SECONDS


HERE = """
import json
from pathlib import Path
import via
from via import programs
program = programs.build("ping-pong", Path("."))
run = via.Cluster(nodes=2).run_program(program, ["-s", 4, "-n", 5], capture=True)
about = via.about()
print(json.dumps({"digest": run.digest, "profiles": about["profiles"], "ns3": about["ns3"]}))
"""
