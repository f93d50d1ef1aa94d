# SPDX-License-Identifier: GPL-2.0-only
"""Formatting of the sources, and checks that need no build."""

from __future__ import annotations

import re
import subprocess
from collections import Counter

from front import packages
from front.shell import ROOT, SYSTEM_PYTHON, call, fail, must, options, say

CPP_FILES = "git ls-files -co --exclude-standard -- '*.cc' '*.h' '*.hpp' '*.c'"
LINTER = ".cache/tools/bin/"  # see packages.py
# A check is a name and a shell command for the tree's root; it succeeds or prints the errors.
CHECKS = (
    ("lists of sources", "/usr/bin/python3 tools/sources.py"),
    ("lists of sources for waf", "/usr/bin/python3 tools/wscript.py"),
    ("layering", "/usr/bin/python3 tools/layering.py"),
    ("classes with many public methods", "/usr/bin/python3 tools/public_methods.py"),
    ("rooms of the Python package", "/usr/bin/python3 tools/python_circles.py"),
    ("ASCII, licence lines, leftovers", "/usr/bin/python3 tools/text.py"),
    ("links", "/usr/bin/python3 tools/links.py"),
    ("citations of the profiles", "/usr/bin/python3 tools/citations.py"),
    ("table of the profiles", "/usr/bin/python3 tools/profile_catalogue.py"),
    ("conformance: rules, cases, table", "/usr/bin/python3 tools/conformance_table.py"),
    ("clang-format", f"{CPP_FILES} | xargs -r clang-format --dry-run --Werror"),
    ("shellcheck", "shellcheck via .ci/run tools/*.sh"),
    ("ruff", f"{LINTER}ruff check --no-cache ."),
    ("ruff format", f"{LINTER}ruff format --no-cache --check ."),
    ("mypy", f"{LINTER}mypy --no-incremental"),
)


def check(words: list[str]) -> int:
    """./via check

    Runs all checks that need no build: lists of sources, layering, large classes, ASCII and licence
    lines, dead links, citations of the profiles, rules of the conformance cases, clang-format,
    shellcheck, ruff and mypy.
    """
    options(check, words)
    packages.ensure(packages.CHECK)
    has_linters = packages.ensure_linters()
    chosen = [each for each in CHECKS if has_linters or LINTER not in each[1]]
    started = [(name, start(line)) for name, line in chosen]  # all at once: some take long
    results = [is_passed(name, process) for name, process in started]
    if not has_linters:
        print("  SKIPPED ruff, mypy: PyPI cannot be reached (log: .cache/tools.log)")
    if failed := results.count(False):
        fail(1, f"{failed} checks failed; ./via format mends formatting and lists")
    return 0


def start(line: str) -> subprocess.Popen[bytes]:
    """Start the shell command of a check."""
    return subprocess.Popen(
        line, shell=True, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )


def is_passed(name: str, process: subprocess.Popen[bytes]) -> bool:
    """Wait for a check and print its result; return whether it passed."""
    output, _ = process.communicate()
    if process.returncode == 0:
        print(f"  ok      {name}", flush=True)
        return True
    report = output.decode(errors="replace").splitlines()
    if name == "clang-format":  # file names are enough: ./via format does the rest
        errors = (re.match(r"([^ :]*):\d*:\d*: error", each) for each in report)
        counts = Counter(error[1] for error in errors if error)
        report = [f"{times:7} {file}" for file, times in sorted(counts.items())]
    indented = (f"          {each}" for each in report[:60])
    print(f"  FAILED  {name}", *indented, sep="\n", flush=True)
    return False


def format(words: list[str]) -> int:
    """./via format

    Formats C and C++ with ns-3's clang-format file and Python with ruff; adds new files to the
    lists in contrib/via/CMakeLists.txt and corrects the form of header names.
    """
    options(format, words)
    packages.ensure(packages.CHECK)
    for tool in ("sources.py", "wscript.py"):
        must(SYSTEM_PYTHON, f"tools/{tool}", "--fix", cwd=ROOT)
    if call(SYSTEM_PYTHON, "tools/layering.py", "--fix", cwd=ROOT, stdout=subprocess.DEVNULL):
        say("./via check lists the forbidden includes")
    must("sh", "-c", f"{CPP_FILES} | xargs -r clang-format -i", cwd=ROOT)
    if not packages.ensure_linters():
        fail(1, "ruff could not be installed from PyPI (log: .cache/tools.log): "
                "Python is not formatted")  # fmt: skip
    return call(f"{LINTER}ruff", "format", "-q", ".", cwd=ROOT)


def release_check(words: list[str]) -> int:
    """./via release-check [--tag]

    Lists what blocks a release. Checks that there is one version (contrib/via/VERSION), the
    changelog begins with it, test names are sentences and metadata are complete, and runs
    `./via check`.

      --tag   also check that the changelog is dated and that all is committed and tagged
    """
    given, _ = options(release_check, words, ["--tag"])
    must(SYSTEM_PYTHON, ROOT / "tools" / "release_check.py", *(["--tag"] if given.tag else []))
    return check([])
