# SPDX-License-Identifier: GPL-2.0-only
"""The documentation site and its images."""

from __future__ import annotations

import os

from front import interpreter, packages
from front.build import Build
from front.shell import ROOT, SYSTEM_PYTHON, must, options, say


def docs(words: list[str]) -> int:
    """./via docs [--yes] [--figures]

    Builds the documentation into build/docs. Warnings are errors.

      --figures   draw its images again instead; tools/images.py --list lists their commands
      --yes       install missing packages without asking
    """
    given, _ = options(docs, words, ["--yes", "--figures"])
    build = Build()
    python = build.prepare("_core", yes=given.yes)
    if given.figures:
        interpreter.become(python, ROOT / "tools" / "images.py", build=build.folder)
    packages.ensure(packages.DOCS, yes=given.yes)
    pages, doxygen = ROOT / "contrib" / "via" / "doc", ROOT / "build" / "doxygen"
    doxygen.mkdir(parents=True, exist_ok=True)
    os.environ["VIA_DOXYGEN_OUTPUT"] = str(doxygen)
    must("doxygen", "Doxyfile", cwd=pages)
    sphinx = [SYSTEM_PYTHON, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html"]
    must(*sphinx, pages, ROOT / "build" / "docs")
    say("the site is build/docs/index.html")
    return 0
