# SPDX-License-Identifier: GPL-2.0-only
"""Tests and benchmarks of a build."""

from __future__ import annotations

import os

from front import interpreter, packages
from front.build import Build
from front.shell import ROOT, call, options, say, show_help, usage_error

LABELS = {"quick": "^quick$", "ci": "^(quick|ci)$", "night": "^night$"}
TARGETS = {"quick": "tests-quick", "ci": "tests-ci", "night": "all"}  # what the tests of a tier run


def test(words: list[str]) -> int:
    """./via test [--tier quick|ci|night] [-R REGEX] [--preset PRESET] [--yes] [-- CTEST-ARGS]

    Installs missing packages, builds what the tests run, and runs them. Every Boost.Test and pytest
    case is one ctest entry named suite.case.

      --tier TIER    quick (the default); ci, which is quick and the other tests of the gate; night,
                     the tests that the gate does not run: storms, single products, MPI ranks,
                     documents, demo, benchmarks, an ns-3 tree, all quick tests sanitized
      -R REGEX       only entries with matching names
      --preset NAME  test this build: release, debug, asan or clang
      --yes          install missing packages without asking
    """
    end = words.index("--") if "--" in words else len(words)
    given, _ = options(test, words[:end], ["--yes"], ["--tier", "-R", "--preset"])
    build = Build(given.preset)
    tier = "quick" if given.tier is None else given.tier
    if tier not in LABELS:
        usage_error(f"tier '{tier}': quick, ci or night", "test")
    if given.R == "":
        usage_error("-R needs a regular expression", "test")
    if tier == "night":
        packages.setup(["--ci", "--mpi", *(["--yes"] if given.yes else [])])
        packages.ensure(packages.NIGHT, yes=given.yes)
    build.prepare(TARGETS[tier], yes=given.yes)
    chosen = [*(["-R", given.R] if given.R else []), *words[end + 1 :]]
    chosen += ["--progress"] if os.isatty(1) else []
    say(f"running the tests (tier {tier}, preset {build.preset})")
    jobs = str(len(os.sched_getaffinity(0)))
    os.environ["VIA_TEST_CHOSEN"] = given.R or ""  # pytest_cases.py runs no others
    return call("ctest", "--test-dir", build.folder, "-j", jobs, "-L", LABELS[tier],
                "--output-on-failure", "--no-tests=error", *chosen)  # fmt: skip


def bench(words: list[str]) -> int:
    """./via bench [--json FILE] [--quick] [--case NAME]...

    Measures the simulator: messages per CPU second, events, allocations and instructions per
    message, memory. Compares each with the same exchange on ns-3's point-to-point devices, a run
    with records with one without, and two MPI ranks with one process. Takes some fifteen minutes.

      --json FILE   also write the results to FILE
      --quick       3 rounds instead of 9
      --case NAME   only this case, e.g. barrier_1024 or idle_vi; may be repeated
    """
    if words[:1] in (["-h"], ["--help"]):
        return show_help(bench)
    build = Build()
    python = build.prepare("via-bench")
    program = build.folder / "bin" / "via-bench"
    interpreter.become(python, ROOT / "benchmarks" / "bench.py", "--program", program, *words)
