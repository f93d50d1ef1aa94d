# SPDX-License-Identifier: GPL-2.0-only
"""Words that the shell completes with Tab."""

import os
import subprocess
import sys

import pytest
from via._cli import COMMANDS, main
from via._cli.completion import everything

pytest.importorskip("argcomplete")


def completed(line: str, tmp_path) -> list[str]:
    """What the shell is told when Tab is pressed at the end of a line."""
    told = tmp_path / "told"
    environment = os.environ | {
        "_ARGCOMPLETE": "1", "_ARGCOMPLETE_STDOUT_FILENAME": str(told), "COMP_LINE": line,
        "COMP_POINT": str(len(line)), "COMP_TYPE": "9", "_ARGCOMPLETE_IFS": "\n",
        "_ARGCOMPLETE_SUPPRESS_SPACE": "1",
    }  # fmt: skip
    command = f'exec 8>"{told}" 9>&2; exec "{sys.executable}" -m via'
    subprocess.run(["bash", "-c", command], env=environment, check=False, timeout=600)
    return told.read_text().split("\n")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("via brea", {"breakdown"}),
        ("via profiles mvia-", {"mvia-gnic2", "mvia-tulip"}),
        pytest.param("via run --profile gigan", {"giganet-clan1000"}, marks=pytest.mark.ci),
        pytest.param("via study cal", {"calibration"}, marks=pytest.mark.ci),
        pytest.param("via topology fat", {"fat-tree:"}, marks=pytest.mark.ci),
    ],
)
def test_a_word_is_completed(line, words, tmp_path):
    assert {word.strip() for word in completed(line, tmp_path) if word.strip()} == words


def test_all_commands_can_be_completed(capsys):
    subparsers = everything()._subparsers._group_actions[0]
    assert set(subparsers.choices) == set(COMMANDS)


def test_commands_of_the_script_are_among_them(monkeypatch):
    monkeypatch.setenv("VIA_SCRIPT_COMMANDS", "build test")
    assert {"build", "test"} <= set(everything()._subparsers._group_actions[0].choices)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_shell_gets_its_code(shell, capfd):
    assert main(["completion", shell]) == 0
    told = capfd.readouterr().out
    assert "_ARGCOMPLETE" in told and "via" in told


def test_an_unknown_shell_is_refused(capfd):
    assert main(["completion", "dos"]) == 2
    assert "invalid choice: 'dos'" in capfd.readouterr().err
