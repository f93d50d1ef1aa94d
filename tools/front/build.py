# SPDX-License-Identifier: GPL-2.0-only
"""Building: one folder per preset, configured when needed, by one command at a time."""

from __future__ import annotations

import fcntl
import os
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from front import interpreter, packages, scripts
from front.shell import ROOT, call, fail, must, options, say

PRESETS = ("release", "debug", "asan", "clang")


def build(words: list[str]) -> int:
    """./via build [--preset release|debug|asan|clang] [TARGET | SCRIPT.cc]...

    Configures (once) and builds into build/PRESET with all cores, through ccache.

      SCRIPT.cc   builds this ns-3 script into build/PRESET/scratch. Without targets, those in the
                  folder scratch are built with everything else
    """
    given, targets = options(build, words, values=["--preset"], takes_words=True)
    place = Build(given.preset)
    packages.ensure(packages.BUILD)
    python = interpreter.find()
    named = [word for word in targets if scripts.is_script(word)]
    with place.locked() as lock:
        found = scripts.add(place.folder, named)
        others = [word for word in targets if word not in named]
        code = place.make(python, [*others, *map(scripts.target_of, found)], lock)
    for script in found if code == 0 else []:
        program = place.folder / "scratch" / script.stem
        here = Path.cwd()
        say(f"run {program.relative_to(here) if here == ROOT else program} --help")
    return code


class Build:
    """The build in build/PRESET.

    Args:
        preset: None: $VIA_PRESET, or release.
    """

    def __init__(self, preset: str | None = None) -> None:
        self.preset = (os.environ.get("VIA_PRESET") or "release") if preset is None else preset
        if self.preset not in PRESETS:
            fail(2, f"preset {self.preset}: release, debug, asan or clang")
        self.folder = ROOT / "build" / self.preset

    def prepare(self, *targets: str, yes: bool = False) -> str:
        """Install, build and set the environment; fast (below a second) if all is up to date.

        Returns:
            The interpreter for which the build was made.
        """
        packages.ensure(packages.BUILD, yes=yes)
        python = interpreter.find()
        self.make_quietly(python, targets)
        interpreter.set_environment(self.folder)
        return python

    def is_configured(self) -> bool:
        """Return whether the folder is configured for ninja."""
        return (self.folder / "build.ninja").is_file()

    @contextmanager
    def locked(self) -> Iterator[int]:
        """Wait until no other command builds here.

        Yields:
            The lock's descriptor. Programs started must inherit it, because they may outlive this
            command.
        """
        self.folder.parent.mkdir(exist_ok=True)
        with self.folder.with_suffix(".lock").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            self._forget_copy()
            yield file.fileno()

    def make_quietly(self, python: str, targets: Sequence[str]) -> None:
        """Build; print nothing if there is nothing to do and no error."""
        name = f"build/{self.preset}"
        path = self.folder.with_suffix(".log")
        with self.locked() as lock, path.open("w") as log:
            first = "" if self.is_configured() else " (a few minutes the first time)"
            # ninja cannot say beforehand whether there is work: print a line if it takes long
            herald = threading.Timer(2, say, [f"building {name}{first}, log: {name}.log"])
            herald.start()
            try:
                code = self.make(python, targets, lock, log)
            finally:
                herald.cancel()
        if code:
            what = "^FAILED|^CMake Error|error:"
            is_told = call("grep", "-E", "-A", "15", what, path, stdout=2) == 0
            text = f"the build failed (whole log: {name}.log); rm -r {name} starts afresh"
            fail(1, text, None if is_told else path)

    def make(
        self, python: str, targets: Sequence[str], lock: int, log: IO[str] | None = None
    ) -> int:
        """Configure the first time and whenever the interpreter has changed, and build.

        Args:
            log: a file for the output; None: the streams of this command.

        Returns:
            The exit code.
        """
        os.environ.setdefault("CCACHE_SLOPPINESS", "pch_defines,time_macros")  # precompiled headers
        ask = [python, str(interpreter.ANSWERS), "--build"]
        asked = subprocess.run(ask, stdout=subprocess.PIPE, stderr=log)
        if asked.returncode:
            return asked.returncode
        noted = self.folder / "interpreter.txt"
        was = noted.read_bytes() if self.is_configured() and noted.is_file() else b""
        settings = {"cwd": ROOT, "pass_fds": [lock], "stdout": log, "stderr": log}
        if was.rstrip() != os.fsencode(python) + b"\n" + asked.stdout.rstrip():
            cmake = ("cmake", "--preset", self.preset, f"-DVIA_PYTHON_EXECUTABLE={python}")
            if code := call(*cmake, **settings):
                return code
        return call("ninja", "-C", self.folder, *targets, **settings)

    def _forget_copy(self) -> None:
        """Remove a build folder that was copied with the tree: it builds the original sources."""
        key = "CMAKE_HOME_DIRECTORY:INTERNAL="
        cache = self.folder / "CMakeCache.txt"
        if not cache.is_file():
            return
        lines = cache.read_text("utf-8", "surrogateescape").splitlines()
        home = next((line.removeprefix(key) for line in lines if line.startswith(key)), "")
        if not (os.path.exists(home) and os.path.samefile(home, ROOT)):
            say(f"build/{self.preset} was made for {home}: starting afresh")
            must("rm", "-r", self.folder)
