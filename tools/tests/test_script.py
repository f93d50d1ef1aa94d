# SPDX-License-Identifier: GPL-2.0-only
"""The root script: help for everybody, exit code 2 for what it does not understand."""

import os
import re
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "via"


def call(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([SCRIPT, *arguments], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "command",
    ["setup", "build", "test", "bench", "python", "docs", "format", "check", "release-check"],
)
def test_each_command_has_help(command: str):
    result = call(command, "--help")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith(f"usage: ./via {command}")


def test_the_list_names_the_commands_of_the_package_too():
    listed = call("--help").stdout
    package = (SCRIPT.parent / "python" / "via" / "cli" / "__init__.py").read_text("utf-8")
    commands = re.findall(r'^    "(\w+)": \(', package, re.MULTILINE)
    assert {"run", "cc", "study", "profiles"} <= set(commands)
    for command in commands:
        assert f"\n  {command} " in listed, command


def test_the_list_of_commands_is_help():
    assert call("--help").stdout == call().stdout
    assert call().returncode == 2


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("test", "--tier", "noon"), "tier 'noon': quick, ci or night"),
        (("test", "--preset", "fast"), "preset fast: release, debug, asan or clang"),
        (("build", "--fast"), "unknown option --fast"),
        (("check", "hard"), "unknown option hard"),
    ],
)
def test_a_mistake_is_told_with_its_remedy(arguments: tuple[str, ...], complaint: str):
    result = call(*arguments)
    assert result.returncode == 2
    assert complaint in result.stderr


def test_setup_does_nothing_when_all_is_there():
    assert "everything that is needed is installed" in call("setup").stderr


def test_the_interpreter_of_a_build_loads_the_module_of_that_build():
    build = Path(os.environ.get("VIA_BUILD_DIR", SCRIPT.parent / "build" / "release"))
    if build.parent != SCRIPT.parent / "build":
        pytest.skip(f"{build} is no build of ./via")
    ours = ("LD_PRELOAD", "ASAN_OPTIONS", "PYTHONPATH")
    environment = {name: value for name, value in os.environ.items() if name not in ours}
    result = subprocess.run(
        [SCRIPT, "python", "-c", "from via import _core; print(_core.__file__)"],
        env=environment | {"VIA_PRESET": build.name},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.returncode, result.stderr) == (0, "")
    assert Path(result.stdout.strip()).is_relative_to(build)
