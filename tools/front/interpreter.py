# SPDX-License-Identifier: GPL-2.0-only
"""The Python interpreter that has the packages: finding it, its environment, starting it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import NoReturn

from front.packages import EXTRAS
from front.shell import ROOT, SYSTEM_PYTHON, fail, say

ANSWERS = ROOT / "contrib/via/cmake/interpreter.py"
LACKING = 3  # exit code of the check if packages are missing


def find() -> str:
    """Return the active virtual environment's interpreter if it has the packages, else Debian's."""
    active = os.environ.get("VIRTUAL_ENV")
    python = f"{active}/bin/python3"
    if not active or not os.access(python, os.X_OK):
        return SYSTEM_PYTHON
    asked = subprocess.run([python, ANSWERS], capture_output=True, text=True)
    if asked.returncode == 0:
        return python
    last = asked.stderr.rstrip().rpartition("\n")[2]
    complaint = f"in the active virtual environment {last}"
    if asked.returncode != LACKING:
        fail(1, f"{complaint}; or deactivate it")
    say(f"{complaint}: using {SYSTEM_PYTHON}")
    return SYSTEM_PYTHON


def set_environment(build: Path) -> None:
    """Put the package of a build folder on the path of programs that this process starts."""
    path = [ROOT / "python", build / "python", os.environ.get("PYTHONPATH")]
    path += [EXTRAS] if EXTRAS.is_dir() else []
    os.environ["VIA_BUILD_DIR"] = str(build)
    os.environ["PYTHONPATH"] = ":".join(str(each) for each in path if each)
    # large pages for large clusters: see contrib/via/doc/decisions/0048-memory-of-a-node.md
    os.environ["GLIBC_TUNABLES"] = os.environ.get("GLIBC_TUNABLES") or "glibc.malloc.hugetlb=1"


def become(python: str, *words: str | Path, build: Path | None = None) -> NoReturn:
    """Replace this process with the interpreter, so that signals and exit codes are its own.

    Args:
        build: the build folder, which says how to preload the runtime of a sanitized module.
    """
    written = build / "python-environment" if build else None
    if written and written.is_file():
        for line in filter(None, written.read_text("utf-8").splitlines()):
            name, _, value = line.partition("=")
            os.environ[name] = value
    os.execv(python, [python, *map(str, words)])
