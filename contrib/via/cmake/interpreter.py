# SPDX-License-Identifier: GPL-2.0-only
"""What the build has to know of the interpreter that runs this; see python.cmake and ./via.

Prints a line each: the folder of Python.h, the suffix of modules, the least version of pybind11,
the folder of its CMake files, or "" for the system's, and the versions of Python, numpy and
pybind11: a module that was built for others is built again.

Exit codes: 0; 3: packages are missing that via needs; 4: a module made here would be wrong. Why is
said on stderr.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import re
import sys
import sysconfig
from pathlib import Path

NEEDED = ("numpy", "pandas", "matplotlib", "tqdm", "pytest")
LACKING, WRONG = 3, 4
LEAST_PYTHON = (3, 11)
LEAST_PYBIND11 = (2, 10)
# The first one that knows how numpy 2 lays out its types, and Python 3.12 its objects.
NEW_PYBIND11 = (2, 12)
SYSTEM_PYBIND11 = Path("/usr/include/pybind11/detail/common.h")


def version(package: str) -> str:
    """Return the version of an installed package; "" if there is none."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return ""


def numbers(text: str) -> tuple[int, ...]:
    """Return "2.12.0rc1" as (2, 12)."""
    return tuple(int(each) for each in text.split(".")[:2])


def lacking(for_the_build_alone: bool) -> list[str]:
    """Return what is missing: packages, and Python.h."""
    found = [] if for_the_build_alone else [each for each in NEEDED if not version(each)]
    header = os.path.join(sysconfig.get_path("include"), "Python.h")
    return found if os.path.exists(header) else [*found, header]


def of_the_system() -> str:
    """Return the version of the system's pybind11; "" if there is none."""
    if not SYSTEM_PYBIND11.is_file():
        return ""
    text = SYSTEM_PYBIND11.read_text("utf-8")
    found = [re.search(rf"define PYBIND11_VERSION_{part} +(\d+)", text) for part in
             ("MAJOR", "MINOR")]  # fmt: skip
    return ".".join(each[1] for each in found if each)


def why_new(numpy: str) -> str:
    """Return what needs a new pybind11; "" if nothing does."""
    if sys.version_info >= (3, 12):
        return f"Python {platform.python_version()}"
    return f"numpy {numpy}" if numpy and numbers(numpy)[0] >= 2 else ""


def refuse(code: int, text: str) -> int:
    """Say why this interpreter is not taken."""
    print(text, file=sys.stderr)
    return code


def main() -> int:
    """Print the answers."""
    python, numpy, pybind11 = platform.python_version(), version("numpy"), version("pybind11")
    if missing := lacking("--build" in sys.argv[1:]):
        return refuse(LACKING, f"{sys.executable} lacks {', '.join(missing)}")
    if numbers(python) < LEAST_PYTHON:
        return refuse(WRONG, f"Python {python} is too old: 3.11 or later is needed")
    is_own = bool(pybind11) and numbers(pybind11) >= NEW_PYBIND11
    used = pybind11 if is_own else of_the_system()
    newer = why_new(numpy)
    if newer and not (used and numbers(used) >= NEW_PYBIND11):
        least = ".".join(map(str, NEW_PYBIND11))
        return refuse(WRONG, f"{newer} needs pybind11 {least} or later, here is {used or 'none'}: "
                      f"{sys.executable} -m pip install 'pybind11>={least}'")  # fmt: skip
    print(sysconfig.get_path("include"))
    print(sysconfig.get_config_var("EXT_SUFFIX"))
    print(".".join(map(str, NEW_PYBIND11 if newer else LEAST_PYBIND11)))
    print(importlib.import_module("pybind11").get_cmake_dir() if is_own else "")
    print(f"Python {python}, numpy {numpy}, pybind11 {used}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
