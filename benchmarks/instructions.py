# SPDX-License-Identifier: GPL-2.0-only
"""Counts the user instructions of a command from outside, by perf or callgrind."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

TIMEOUT_S = 1800


class CannotCount(Exception):
    """The counting command failed; the text is its last words."""


@dataclass(frozen=True)
class Counter:
    """A command that runs another one and reports its instructions on stderr."""

    wrapper: tuple[str, ...]
    pattern: str  # of the report; its first group is the number

    def count(self, command: Sequence[str]) -> tuple[int, str]:
        """Return the instructions of a command, and what it prints.

        Raises:
            CannotCount: if the command fails; valgrind does with too many mappings.
        """
        done = subprocess.run(
            [*self.wrapper, *command],
            capture_output=True, text=True, check=False, timeout=TIMEOUT_S,
        )  # fmt: skip
        counted = re.search(self.pattern, done.stderr, re.MULTILINE)
        if done.returncode != 0 or not counted:
            raise CannotCount(f"{' '.join(command)}: {done.stderr.strip()[-500:]}")
        return int(counted[1]), done.stdout


PERF = Counter(("perf", "stat", "-x,", "-e", "instructions:u"), r"^(\d+),.*instructions")
CALLGRIND = Counter(
    ("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"), r"Collected : (\d+)"
)


def find_counter() -> Counter | None:
    """Return what works here, the fast one first; None: neither does."""
    if shutil.which("perf"):
        tried = subprocess.run([*PERF.wrapper, "true"], capture_output=True, text=True, check=False)
        if re.search(PERF.pattern, tried.stderr, re.MULTILINE):
            return PERF
    return CALLGRIND if shutil.which("valgrind") else None
