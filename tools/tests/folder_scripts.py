# SPDX-License-Identifier: GPL-2.0-only
"""What the tests of all scripts called as `tools/NAME.sh FOLDER` share: help and refusals."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def call(script: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run a script; return its exit code and what it printed."""
    return subprocess.run(
        [script, *map(str, arguments)], capture_output=True, text=True, check=False
    )


def check_help(script: Path) -> None:
    """Check that --help names the script and its folder."""
    result = call(script, "--help")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith(f"usage: tools/{script.name} FOLDER")


def check_refusal(script: Path, arguments: tuple[str, ...], complaint: str) -> None:
    """Check that arguments are a usage error, and what it says."""
    result = call(script, *arguments)
    assert result.returncode == 2
    assert complaint in result.stderr
