# SPDX-License-Identifier: GPL-2.0-only
"""Long campaigns of random runs, each with its own seed: calls of VIPL, and messages in storms.

usage: ./via python tools/campaigns.py {calls,storms} --amount N [--first SEED] [--jobs J]

calls makes N calls of random-calls.c; storms delivers N messages of payloads.c, whose receivers
compare every byte. Seeds go through all products, reliability levels, both modes and one to four
processes on each card, with and without faults. A run that crashes, hangs, reports a wrong byte or
is an internal error is printed with the command that shows it again. With VIA_PRESET=asan it is the
sanitized build that runs. Exit code 1: at least one run was wrong.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from via import compiler, profiles

PROGRAMS = Path(__file__).resolve().parents[1] / "contrib" / "via" / "test" / "programs"
LONGEST_S = 900
MOST_WRONG = 20
WRONG = re.compile(
    r"BAD|Traceback|internal error|AddressSanitizer|LeakSanitizer|runtime error|bad [1-9]"
    r"|, [1-9]\d* wrong|watchdog"
)
STORMS = {
    "loss": 'corrupt_ppb = 20000000\nvanish_ppb = 5000000\nleast = "20 us"\nmost = "1 ms"',
    "link_down": 'least = "5 us"\nmost = "500 us"',
    "nic_reset": 'least = "100 us"\nmost = "500 us"',
    "node_crash": 'least = "1 ms"\nmost = "5 ms"\nrestart = true\n'
    'per_second = 2\nuntil = "200 ms"',
    "slow_node": 'factor = 4\nleast = "100 us"\nmost = "2 ms"',
    "partition": 'least = "100 us"\nmost = "1 ms"',
}


@dataclass(frozen=True)
class Outcome:
    """What became of a run.

    Attributes:
        command: what shows it again.
        amount: calls that were made, or messages that were compared.
        told: the first lines of what was wrong; nothing if nothing was.
    """

    command: str
    amount: int
    told: str


def storm(seed: int, per_second: int) -> str:
    """Return a file of faults: the kinds that the bits of a seed choose, at least one.

    A crash ends what would be counted: there are few of them.
    """
    chosen = [kind for bit, kind in enumerate(STORMS) if seed >> bit & 1] or ["loss"]
    tables = [
        f'[[storm]]\nkind = "{kind}"\n{STORMS[kind]}\n'
        + ("" if kind == "partition" else 'where = "all"\n')
        + (f'per_second = {per_second}\nuntil = "1 s"\n' if kind != "node_crash" else "")
        for kind in chosen
    ]
    return "\n".join(['schema = "via-faults/1"\n', *tables])


def options(seed: int, products: list[str], per_node: int, folder: Path) -> list[str]:
    """Return what via run is told about the cluster of a seed."""
    told = ["run", "--profile", products[seed % len(products)], "--nodes", "2", "--seed", str(seed)]
    told += ["--procs-per-node", str(per_node), "--cwd", str(folder), "--watchdog", "120"]
    return [*told, "--reference"] if seed // 7 % 2 else told


def calls(seed: int, products: list[str], program: Path, folder: Path) -> list[str]:
    """Return a run of random calls; two of three seeds have faults."""
    per_node, threads, level = 1 + seed % 4, 1 + seed // 2 % 3, seed // 3 % 4 - 1
    told = options(seed, products, per_node, folder)
    told += ["--env", f"PER={per_node}", "--env", "WILD=5", "--stop", "1000s", "--patience", "5s"]
    if seed % 3:
        faults = folder / "faults.toml"
        faults.write_text(storm(seed // 3, per_second=20))
        told += ["--faults", str(faults)]
    return [*told, str(program), "--", str(seed), "20000", str(threads), str(level)]


def storms(seed: int, products: list[str], program: Path, folder: Path) -> list[str]:
    """Return a run of messages with faults of several kinds at once."""
    per_node, level = 1 + seed % 4, (1, 2, 4)[seed // 4 % 3]
    faults = folder / "faults.toml"
    faults.write_text(storm(seed // 3, per_second=50))
    told = [*options(seed, products, per_node, folder), "--faults", str(faults), "--stop", "100s"]
    return [*told, str(program), "--", str(level), "1000", str(seed), str(per_node)]


WHAT: dict[str, tuple[Any, str, str, tuple[str, ...]]] = {
    "calls": (calls, "random-calls.c", r"calls (\d+)", ()),
    "storms": (storms, "payloads.c", r": (\d+) received", ("-fno-sanitize-coverage=trace-pc",)),
}


def outcome(command: list[str], counted: str) -> Outcome:
    """Run a command and look at what it says."""
    line = shlex.join(["./via", *command])
    started = subprocess.Popen(
        [sys.executable, "-m", "via", *command],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
    )  # fmt: skip
    try:
        text = started.communicate(timeout=LONGEST_S)[0].decode(errors="replace")
    except subprocess.TimeoutExpired:
        os.killpg(started.pid, 9)
        return Outcome(line, 0, f"did not end in {LONGEST_S} s")
    amount = sum(map(int, re.findall(counted, text)))
    wrong = [each for each in text.splitlines() if WRONG.search(each)][:5]
    if started.returncode not in (0, 1):
        wrong = [f"exit code {started.returncode}", *text.splitlines()[-3:], *wrong]
    return Outcome(line, amount, "\n".join(wrong))


def all_of(what: str, first: int, program: Path, top: Path, jobs: int) -> Iterator[Outcome]:
    """Yield what becomes of one seed after the other; jobs of them run at once."""
    make, _, counted, _ = WHAT[what]
    products = sorted(profiles.names())
    with ThreadPoolExecutor(jobs) as pool:

        def one(seed: int) -> Outcome:
            folder = top / str(seed)
            folder.mkdir()
            return outcome(make(seed, products, program, folder), counted)

        seed = first
        while True:
            yield from pool.map(one, range(seed, seed + 8 * jobs))
            seed += 8 * jobs


def main() -> int:
    """Run seed after seed until the amount is reached."""
    parser = argparse.ArgumentParser(description="random runs, as many as asked for")
    parser.add_argument("what", choices=WHAT)
    parser.add_argument("--amount", type=lambda text: int(float(text)), required=True)
    parser.add_argument("--first", type=int, default=1, help="seed (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    _, source, _, flags = WHAT[given.what]
    runs = amount = wrong = 0
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, given.what + ".so")
        if compiler.main(["-w", *flags, str(PROGRAMS / source), "-o", str(program)]) != 0:
            return 1
        for each in all_of(given.what, given.first, program, Path(folder), given.jobs):
            runs, amount, wrong = runs + 1, amount + each.amount, wrong + bool(each.told)
            if each.told:
                print(f"{each.command}\n{each.told}\n", flush=True)
            if amount >= given.amount or wrong == MOST_WRONG:
                break
    took = time.monotonic() - began
    print(f"{given.what}: {amount} in {runs} runs, {took:.0f} s, {wrong} of them wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
