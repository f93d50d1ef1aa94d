# SPDX-License-Identifier: GPL-2.0-only
"""Long campaigns of random runs, each with its own seed: calls, and messages under faults.

usage: ./via python tools/campaigns.py {calls,sockets,storms} --amount N [--first SEED] [--jobs J]

calls makes N calls of VIPL with random-calls.c, sockets N calls with random-sockets.c; storms
delivers N messages of payloads.c, whose receivers compare every byte. A seed selects product,
reliability level, one to four processes on each card, and faults. Each run is repeated in reference
mode, which must print the same, with the same digest. A run that crashes, hangs, reports a wrong
byte, ends with an internal error or differs is printed with the command that repeats it; its files
are kept. VIA_PRESET=asan runs the sanitized build. Exit code 1: at least one run failed.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from via import profiles
from via._programs import compiler

PROGRAMS = Path(__file__).resolve().parents[1] / "contrib" / "via" / "test" / "programs"
LONGEST_S = 900
MOST_WRONG = 20
WRONG = re.compile(
    r"BAD|Traceback|internal error|AddressSanitizer|LeakSanitizer|runtime error|bad [1-9]"
    r"|, [1-9]\d* wrong|watchdog|\(SIG"
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
    """The outcome of a run.

    Attributes:
        command: the command that repeats it.
        amount: number of calls made or messages compared.
        told: the first lines of the error; empty if the run succeeded.
    """

    command: str
    amount: int
    told: str


def storm(seed: int, per_second: int) -> str:
    """Return the text of a fault plan with the kinds that the bits of a seed select, at least one.

    Crashes are rare, because they end the processes that count.
    """
    chosen = [kind for bit, kind in enumerate(STORMS) if seed >> bit & 1] or ["loss"]
    tables = [
        f'[[storm]]\nkind = "{kind}"\n{STORMS[kind]}\n'
        + ("" if kind == "partition" else 'where = "all"\n')
        + (f'per_second = {per_second}\nuntil = "1 s"\n' if kind != "node_crash" else "")
        for kind in chosen
    ]
    return "\n".join(['schema = "via-faults/1"\n', *tables])


def options(draw: random.Random, seed: int, per_node: int, folder: Path) -> list[str]:
    """Return options of via run for a random cluster."""
    told = ["run", "--profile", draw.choice(sorted(profiles.names())), "--nodes", "2"]
    told += ["--seed", str(seed), "--procs-per-node", str(per_node), "--cwd", str(folder)]
    return [*told, "--watchdog", "120"]


def faults(draw: random.Random, per_second: int, folder: Path) -> list[str]:
    """Write a fault plan; return the option that names it."""
    path = folder / "faults.toml"
    path.write_text(storm(draw.randrange(1, 1 << len(STORMS)), per_second))
    return ["--faults", str(path)]


def calls(seed: int, program: Path, folder: Path) -> list[str]:
    """Return the command of a run of random calls; two of three have faults."""
    draw = random.Random(seed)
    per_node, threads, level = draw.randint(1, 4), draw.randint(1, 3), draw.randint(-1, 2)
    told = options(draw, seed, per_node, folder)
    told += ["--env", f"PER={per_node}", "--env", "WILD=5", "--stop", "1000s", "--patience", "5s"]
    told += faults(draw, 20, folder) if draw.randrange(3) else []
    return [*told, str(program), "--", str(seed), "20000", str(threads), str(level)]


def sockets(seed: int, program: Path, folder: Path) -> list[str]:
    """Return the command of a run of random socket calls with any kernel.

    Half have a control network.
    """
    draw = random.Random(seed)
    told = options(draw, seed, draw.randint(1, 3), folder)
    told += ["--stop", "20000s", "--patience", "10000s"]
    told += ["--control-network", "--env", "CONTROL=1"] if draw.randrange(2) else []
    told += faults(draw, 5, folder) if draw.randrange(3) == 0 else []
    threads = draw.randint(1, 3)
    told += ["--kernel", draw.choice(profiles.kernels())]  # not every host has one of its own
    return [*told, str(program), "--", str(seed), "20000", str(threads)]


def storms(seed: int, program: Path, folder: Path) -> list[str]:
    """Return the command of a run of messages with several kinds of faults at once."""
    draw = random.Random(seed)
    per_node, level = draw.randint(1, 4), draw.choice((1, 2, 4))
    told = [*options(draw, seed, per_node, folder), *faults(draw, 50, folder), "--stop", "100s"]
    return [*told, str(program), "--", str(level), "1000", str(seed), str(per_node)]


@dataclass(frozen=True)
class Campaign:
    """A kind of campaign.

    Attributes:
        command: returns the arguments of via, from a seed, the program and a folder for the run.
        source: source file of the program.
        counted: pattern of the amount in the program's output.
        flags: compiler flags.
    """

    command: Callable[[int, Path, Path], list[str]]
    source: str
    counted: str
    flags: tuple[str, ...] = ()

    def build(self, program: Path) -> bool:
        """Compile the program; return whether that succeeded."""
        return (
            compiler.main(["-w", *self.flags, str(PROGRAMS / self.source), "-o", str(program)]) == 0
        )


# Threads take turns in calls only: what a program does between two calls is not interrupted.
WHOLE_BLOCKS = ("--no-trace-pc",)
CAMPAIGNS = {
    "calls": Campaign(calls, "random-calls.c", r"calls (\d+)"),
    "sockets": Campaign(sockets, "random-sockets.c", r"calls (\d+)", WHOLE_BLOCKS),
    "storms": Campaign(storms, "payloads.c", r": (\d+) received", WHOLE_BLOCKS),
}


def printed(command: list[str]) -> tuple[int, str] | None:
    """Run a command; return its exit code and all that it printed. None: it did not end."""
    started = subprocess.Popen(
        [sys.executable, "-m", "via", *command],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
    )  # fmt: skip
    try:
        text = started.communicate(timeout=LONGEST_S)[0].decode(errors="replace")
    except subprocess.TimeoutExpired:
        os.killpg(started.pid, 9)
        return None
    return started.returncode, text


def difference(usual: tuple[int, str], oracle: tuple[int, str]) -> list[str]:
    """Return what two runs have not in common: exit codes, or the first line of each."""
    if usual == oracle:
        return []
    if usual[0] != oracle[0]:
        return [f"exit code {usual[0]}, in reference mode: {oracle[0]}"]
    told, expected = usual[1].splitlines(), oracle[1].splitlines()
    pairs = zip_longest(told, expected, fillvalue="(no more lines)")
    first = next((pair for pair in pairs if pair[0] != pair[1]), ("line ends", "line ends"))
    return [f"differs: {first[0]}", f"in reference mode: {first[1]}"]


def outcome(command: list[str], counted: str, oracle: list[str] | None = None) -> Outcome:
    """Run a command and check its output, also against that of the same in reference mode."""
    line = shlex.join(["./via", *command])
    run = printed(command)
    if run is None:
        return Outcome(line, 0, f"did not end in {LONGEST_S} s")
    code, text = run
    amount = sum(map(int, re.findall(counted, text)))
    wrong = [each for each in text.splitlines() if WRONG.search(each)][:5]
    if code not in (0, 1):
        wrong = [f"exit code {code}", *text.splitlines()[-3:], *wrong]
    if oracle is not None and not wrong:
        expected = printed(oracle)
        wrong = ["no end in reference mode"] if expected is None else difference(run, expected)
    return Outcome(line, amount, "\n".join(wrong))


def all_of(campaign: Campaign, first: int, top: Path, jobs: int) -> Iterator[Outcome]:
    """Yield the outcomes of successive seeds; `jobs` of them run at once."""
    with ThreadPoolExecutor(jobs) as pool:

        def one(seed: int) -> Outcome:
            folders = top / str(seed), top / f"{seed}-reference"  # programs leave files there
            commands = []
            for folder in folders:
                folder.mkdir()
                commands.append(campaign.command(seed, top / "program.so", folder))
            run, *reference = commands[1]
            said = outcome(commands[0], campaign.counted, [run, "--reference", *reference])
            for folder in folders if not said.told else ():
                shutil.rmtree(folder)
            return said

        seed = first
        while True:
            yield from pool.map(one, range(seed, seed + 8 * jobs))
            seed += 8 * jobs


def main() -> int:
    """Run successive seeds until the amount is reached."""
    parser = argparse.ArgumentParser(description="campaigns of random runs")
    parser.add_argument("what", choices=CAMPAIGNS)
    parser.add_argument("--amount", type=lambda text: int(float(text)), required=True)
    parser.add_argument("--first", type=int, default=1, help="seed (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    campaign = CAMPAIGNS[given.what]
    runs = amount = wrong = 0
    began = time.monotonic()
    top = Path(tempfile.mkdtemp(prefix="via-campaign-"))
    if not campaign.build(top / "program.so"):
        return 1
    for each in all_of(campaign, given.first, top, given.jobs):
        runs, amount, wrong = runs + 1, amount + each.amount, wrong + bool(each.told)
        if each.told:
            print(f"{each.command}\n{each.told}\n", flush=True)
        if amount >= given.amount or wrong == MOST_WRONG:
            break
    if wrong == 0:
        shutil.rmtree(top)
    took = time.monotonic() - began
    print(f"{given.what}: {amount} in {runs} runs, {took:.0f} s, {wrong} of them wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
