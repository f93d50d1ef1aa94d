# SPDX-License-Identifier: GPL-2.0-only
"""Debian packages: what the script refuses, and that they hold what `cmake --install` installs."""

import re

import pytest
from folder_scripts import ROOT, check_help, check_refusal

SCRIPT = ROOT / "tools" / "debian-package.sh"
DEBIAN = ROOT / "tools" / "debian"


def test_the_script_has_help():
    check_help(SCRIPT)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [((), "which folder?"), (("--fast",), "which folder?"), (("a", "b"), "one folder at a time")],
)
def test_other_arguments_are_refused(arguments: tuple[str, ...], complaint: str):
    check_refusal(SCRIPT, arguments, complaint)


def test_what_is_installed_is_in_a_package():
    rules = "".join(
        path.read_text("ascii") for path in ROOT.glob("contrib/via/cmake/install*.cmake")
    )
    shared = set(re.findall(r"\$\{via_data\}/(\w+)", rules))
    packed = {
        line.removeprefix("usr/share/via/")
        for path in DEBIAN.glob("*.install")
        for line in path.read_text("ascii").split()
        if line.startswith("usr/share/via/")
    }
    assert shared and shared == packed - {"compiler.py"}


def test_the_version_stands_nowhere_in_the_packaging():
    version = (ROOT / "contrib" / "via" / "VERSION").read_text("ascii").strip()
    for path in (*DEBIAN.rglob("*"), SCRIPT):
        assert not path.is_file() or version not in path.read_text("ascii"), path
