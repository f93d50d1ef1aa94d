# SPDX-License-Identifier: GPL-2.0-only
"""Installs Debian packages, after a prompt, and packages that only PyPI has."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from front.shell import ROOT, SYSTEM_PYTHON, fail, is_on_path, logged, must, options, say

# Packages missing in a fresh Debian 12. libns3-dev does not declare all its dependencies: its CMake
# files name the packages up to libpython3-dev, and without them find_package(ns3) fails.
BUILD = """
    libns3-dev ns3 libgsl-dev libxml2-dev libsqlite3-dev libpython3-dev
    libboost-dev libboost-context-dev libboost-test-dev libtoml11-dev nlohmann-json3-dev
    pybind11-dev python3-numpy python3-pandas python3-matplotlib python3-networkx python3-pytest
    python3-scipy python3-hypothesis python3-tqdm python3-argcomplete
    cmake ninja-build g++ ccache
""".split()
# Additional packages for `check`, `format` and .ci/run, and for `docs`.
CHECK = "clang-format shellcheck python3-venv git".split()
CI = [*CHECK, *"bzip2 clang tshark python3-distributed python3-pip".split(),
      *"python3-jinja2 python3-yaml".split()]  # of Bokeh  # fmt: skip
DOCS = (
    "python3-sphinx python3-myst-parser doxygen python3-breathe furo python3-nbsphinx"
    " python3-ipykernel pandoc"
).split()
NIGHT = ["chromium"]  # shows the pages of via report to their tests
# For runs on several MPI ranks, see doc/parallel.md.
MPI = "libopenmpi-dev openmpi-bin python3-cloudpickle".split()

CACHE = ROOT / ".cache"
EXTRAS, LINTERS = CACHE / "extras", CACHE / "tools"
PIP = ["-m", "pip", "-q", "install", "--disable-pip-version-check"]


def setup(words: list[str]) -> int:
    """./via setup [--yes] [--ci] [--mpi]

    Installs the Debian packages for building and running. Asks first, unless --yes is given, CI is
    set, or there is no terminal and the user is root. Does nothing if all are installed.

      --yes   do not ask
      --ci    also packages for check and .ci/run (clang, clang-format, shellcheck, python3-venv,
              bzip2, tshark, python3-distributed), and from PyPI into .cache pyarrow, for Parquet
              tables, and Bokeh, for the pages of via report
      --mpi   also Open MPI, and ns-3's module mpi, which Debian's package lacks, into
              .cache/ns3-mpi. The next ./via build makes via-partitions, for runs on several MPI
              ranks
    """
    given, _ = options(setup, words, ["-y --yes", "--ci", "--mpi"])
    ensure([*BUILD, *(CI if given.ci else ()), *(MPI if given.mpi else ())], yes=given.yes)
    if given.ci:
        ensure_extras()
    if given.mpi:
        ensure_mpi()
    say("everything that is needed is installed")
    return 0


def ensure_mpi() -> None:
    """Build ns3's module mpi, unless it is there."""
    note = CACHE / "ns3-mpi/built-from"
    before = note.read_text() if note.is_file() else ""
    must(ROOT / "tools/ns3-mpi/build.sh", CACHE / "ns3-mpi", stdout=2)
    if note.read_text() != before:
        (ROOT / "contrib/via/cmake/mpi.cmake").touch()  # the next build looks for it again


def ensure(packages: list[str], *, yes: bool = False) -> None:
    """Install the missing ones of some Debian packages; yes: do not ask."""
    if not is_on_path("dpkg-query"):
        say("no dpkg here: needed are ns-3 (3.37 or later), Boost, toml11, pybind11, numpy, "
            "pandas, matplotlib, cmake and ninja; on Debian 12: apt-get install "
            + " ".join(packages))  # fmt: skip
        return
    missing = missing_of(packages)
    if not missing:
        return
    say(f"missing Debian packages: {' '.join(missing)}")
    sudo = ["sudo"] if os.getuid() else []
    install = ["install", "-y", "--no-install-recommends", *missing]
    line = " ".join(["apt-get", *install])
    if sudo and not is_on_path("sudo"):
        fail(1, "not root and no sudo here: have an administrator run "
                f"'apt-get update && {line}', then try again")  # fmt: skip
    line = " ".join([*sudo, line])
    if not (yes or may_install()):
        fail(1, f"install them with '{line}', or run ./via setup --yes")
    say(f"running {line} (log: .cache/setup.log)")
    apt = [*sudo, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q",
           "-o", "Acquire::Retries=3", "-o", "DPkg::Lock::Timeout=300"]  # fmt: skip
    if not logged(CACHE / "setup.log", [*apt, "update"], [*apt, *install]):
        fail(1, "apt-get failed (whole log: .cache/setup.log). The packages are Debian 12's: "
                "elsewhere, install their like by hand; behind a proxy, check apt's settings",
             CACHE / "setup.log")  # fmt: skip


def missing_of(packages: list[str]) -> list[str]:
    """Return which of these packages are not installed."""
    asked = ["dpkg-query", "-W", "-f", "${binary:Package} ${db:Status-Status}\n", *packages]
    told = subprocess.run(asked, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    lines = (line.split(" ") for line in told.stdout.splitlines())
    installed = {name.partition(":")[0] for name, state in lines if state == "installed"}
    return [package for package in packages if package not in installed]


def may_install() -> bool:
    """Ask for permission if there is a terminal; without one, only root has it."""
    if os.environ.get("CI"):
        return True
    if os.isatty(0) and os.isatty(2):
        print("via: install them now? [Y/n] ", end="", file=sys.stderr, flush=True)
        return sys.stdin.readline()[:1] in ("", "\n", "y", "Y")
    return os.getuid() == 0  # no terminal: on root's machine, set up without asking


def ensure_extras() -> None:
    """Install what Debian does not have; without it, tables are CSV only and there are no pages."""
    pinned = ROOT / "tools" / "extras-requirements.txt"
    pip = [SYSTEM_PYTHON, *PIP, "--no-deps", "--upgrade", "--target", EXTRAS, "-r", pinned]
    if not from_pypi("pyarrow and Bokeh into .cache/extras", pinned, EXTRAS, pip):
        say("PyPI cannot be reached (log: .cache/extras.log): their tests are skipped")


def ensure_linters() -> bool:
    """Install the linters into an environment of the project; return whether they are installed."""
    pinned = ROOT / "tools" / "requirements.txt"
    venv = [SYSTEM_PYTHON, "-m", "venv", LINTERS]
    pip = [LINTERS / "bin" / "python3", *PIP, "-r", pinned]
    return from_pypi("ruff and mypy into .cache/tools", pinned, LINTERS, venv, pip)


def from_pypi(what: str, pinned: Path, folder: Path, *commands: list[Any]) -> bool:
    """Install pinned versions into a folder; return whether they are installed."""
    note = folder / "installed.txt"
    if note.is_file() and note.read_bytes() == pinned.read_bytes():
        return True
    say(f"installing {what}")
    if not logged(folder.with_suffix(".log"), *commands):
        return False
    note.write_bytes(pinned.read_bytes())
    return True
