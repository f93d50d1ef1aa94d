# SPDX-License-Identifier: GPL-2.0-only
"""Dispatches the commands of ./via; unknown ones go to the package."""

from __future__ import annotations

import os
import signal
import subprocess
from importlib import import_module
from pathlib import Path
from typing import NoReturn

from front import interpreter, scripts
from front.build import Build
from front.shell import ROOT, call, fail, show_help

HELP = """\
usage: ./via COMMAND [options]

  demo        install, build and show: latency, bandwidth, where the time goes, a barrier
  test        install, build and run the tests         [--tier quick|ci|night] [-R REGEX]
  run         run VIPL programs on a simulated cluster, or an ns-3 script: run my.cc
  cc          compile a VIPL program for run
  study       reproduce a study: tables and figures
  sweep       run one experiment at many points: a table
  reproduce   make a table or figure again and compare
  breakdown   where the time of a message goes, stage by stage
  uncertainty a value with its error bar, and where it comes from
  trace       a run's time line for Perfetto, a message's log
  report      a run as one HTML page: time line, messages, load, counters
  compare     show how two runs, benchmarks or studies differ
  profiles    list products and hosts, or show one's numbers
  workloads   list workloads and protocols, or one's options
  topology    describe a topology: counts, routes, deadlock; draw and export it
  completion  Tab completion for the shell
  bench       measure the simulator itself
  python      run Python with the package on its path

  setup       install the needed Debian packages       [--yes] [--ci] [--mpi]
  build       configure and build, or an ns-3 script   [--preset release|debug|asan|clang] [my.cc]
  docs        build the documentation site
  format      format the sources
  check       layering, formatting, linters, links, citations
  release-check  list what blocks a release

Every command has --help. Any other command goes to `python3 -m via`. With VIA_PRESET=debug the
commands use that build."""

# The script's own commands, and the module with the function of that name.
COMMANDS = {
    "setup": "packages", "build": "build", "test": "testing", "bench": "testing", "python": "main",
    "docs": "docs", "format": "checks", "check": "checks", "release-check": "checks",
}  # fmt: skip


def run(words: list[str]) -> int:
    """Run a command line; return the exit code."""
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)  # Python ignores them, and so would programs
    # git lists the tree's files; allow that in a clone that another user owns.
    os.environ |= {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory",
                   "GIT_CONFIG_VALUE_0": str(ROOT)}  # fmt: skip
    try:
        return dispatch(words)
    except KeyboardInterrupt:  # end by the signal, as programs without a handler do
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.raise_signal(signal.SIGINT)
        raise
    except OSError as wrong:
        fail(1, f"{wrong.filename}: {wrong.strerror}")


def dispatch(words: list[str]) -> int:
    """Call the function of a command."""
    build = Build()
    if os.environ.get("_ARGCOMPLETE"):
        complete(build)
    if not words or words[0] in ("", "-h", "--help", "help"):
        print(HELP)
        return 0 if words and words[0] else 2
    name, rest = words[0], words[1:]
    if name == "run" and rest and (script := scripts.named(rest[0])):
        run_script(build, script, rest[1:])
    if name not in COMMANDS:
        return of_the_package(build, name, rest)
    code: int = getattr(import_module(f"front.{COMMANDS[name]}"), name.replace("-", "_"))(rest)
    return code


def complete(build: Build) -> NoReturn:
    """Answer the shell's request for completions; without a build there are none."""
    if not build.is_configured():
        raise SystemExit(1)
    program = interpreter.find()
    interpreter.set_environment(build.folder)
    os.environ["VIA_SCRIPT_COMMANDS"] = " ".join(COMMANDS)
    interpreter.become(program, "-m", "via")


def of_the_package(build: Build, name: str, words: list[str]) -> int:
    """Run a command of the package, after the build."""
    rest = [word for word in words if word != "--yes" or name not in ("demo", "study")]
    if rest[:1] in (["-h"], ["--help"]) and not build.is_configured():
        program = interpreter.find()  # do not install and build for help
        interpreter.set_environment(build.folder)
        if call(program, "-m", "via", name, "--help", stderr=subprocess.DEVNULL):
            fail(1, f"run ./via build first: help on {name} comes from the package")
        return 0
    program = build.prepare("_core", yes=len(rest) < len(words))
    interpreter.become(program, "-m", "via", name, *rest, build=build.folder)


def run_script(build: Build, script: Path, words: list[str]) -> NoReturn:
    """Build an ns-3 script and become it; a first "--" is ns-3's own."""
    with build.locked():
        scripts.add(build.folder, [script])
    build.prepare(scripts.target_of(script))
    program = build.folder / "scratch" / script.stem
    os.execv(program, [str(program), *(words[1:] if words[:1] == ["--"] else words)])


def python(words: list[str]) -> int:
    """./via python [ARGUMENTS...]

    Runs the interpreter that the package was built for, with `import via` ready.
    """
    if words[:1] == ["--help"]:
        return show_help(python)
    build = Build()
    program = build.prepare("_core")
    interpreter.become(program, *words, build=build.folder)
