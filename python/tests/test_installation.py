# SPDX-License-Identifier: GPL-2.0-only
"""The path of a newcomer: `pip install .` into a fresh environment, and a figure in a few lines."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from via import figures

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "contrib" / "via" / "examples" / "barrier-latency.py"
MOST_LINES = 12

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
plug_in = via.Cluster(profile=str(package / "examples/plug-ins/two-level.toml"))
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


@pytest.fixture(scope="session")
def wheel(tmp_path_factory) -> Path:
    """A wheel, built as pip builds it: in isolation."""
    if subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True).returncode:
        pytest.skip("pip is not installed: ./via setup --ci brings python3-pip")
    folder = tmp_path_factory.mktemp("wheel")
    # A copy: the source tree may be somebody else's, or be built at the same time.
    source = folder / "source"
    ignore = shutil.ignore_patterns("build", "out", ".cache", ".git", "__pycache__")
    shutil.copytree(ROOT, source, ignore=ignore, symlinks=True)
    build = [sys.executable, "-m", "pip", "wheel", "--no-deps", "-w", folder / "made", source]
    run(build, folder, clean_environment())
    (made,) = (folder / "made").glob("*.whl")
    return made


@pytest.mark.night
def test_a_wheel_works_in_a_fresh_environment(wheel, tmp_path):
    names = zipfile.ZipFile(wheel).namelist()
    assert {"via/_core.pyi", "via/py.typed", "via/libvia.so"} <= set(names)
    run([sys.executable, "-m", "venv", "fresh"], tmp_path)
    python = tmp_path / "fresh" / "bin" / "python"
    env = clean_environment() | {"VIA_SWEEP_CACHE": "none"}
    run([python, "-m", "pip", "install", "-q", wheel], tmp_path, env)
    (tmp_path / "probe.py").write_text(PROBE, "ascii")
    told = json.loads(run([python, "probe.py"], tmp_path, env))
    here = json.loads(run([sys.executable, "-c", HERE], tmp_path))
    assert told["missing"] == []
    assert told["digest"] == here["digest"] and told["printed"].split()[:2] == ["4", "5"]
    assert told["about"]["profiles"] == here["profiles"] and told["about"]["ns3"] == here["ns3"]
    shutil.copy(SCRIPT, tmp_path)
    run([python, SCRIPT.name], tmp_path, env)
    check_figure(tmp_path)
    run(
        [python.with_name("via"), "reproduce", "--yes", "barrier.csv", "barrier.png"], tmp_path, env
    )


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
