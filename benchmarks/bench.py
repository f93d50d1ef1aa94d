#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Measures the simulator and ns-3's own point-to-point devices; `./via bench` runs it.

Each measurement is a new process of via-bench. The sides of a case alternate, round by round, so
that other load of the machine affects all of them. The results are medians. Instructions are those
of a run without set-up: from the processor's counter, or what two lengths of a run under callgrind
differ by.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

import ranks
from instructions import CannotCount, Counter, find_counter

SCHEDULERS = ("MapScheduler", "PriorityQueueScheduler")  # the better one counts for ns-3
ROUNDS = 9
QUICK_ROUNDS = 3
TIMEOUT_S = 600
STDOUT = Path("-")  # as the file of --json: standard output
COUNTED_SHARE = 50  # of the rounds of a case, when a slow program counts its instructions

# A run with records, and the same without.
RECORDED = {"recorded_pingpong_8B": "pingpong_8B"}

RECORDED_TEXT = (
    "{name}: {cpu_ratio_to_unrecorded:.2f} times the CPU time of the same run without records, "
    "{recorded_bytes_per_message:.0f} bytes per message"
)

# Measured once, on the via side only.
ALONE = {
    "fat_tree_4096": "4,096 nodes built in {build_cpu_s:.2f} CPU s, {peak_rss_mib:.0f} MiB",
    "idle_vi": "{bytes:.0f} bytes per connected VI",
}

NAME_WIDTH = 22
COLUMNS = (
    ("name", "case", "s"),
    ("messages_per_cpu_s", "messages/s", ",.0f"),
    ("ns3_messages_per_cpu_s", "ns-3", ",.0f"),
    ("ratio_to_ns3", "ratio", ".2f"),
    ("events_per_message", "events", ".2f"),
    ("allocations_per_message", "allocations", ".4f"),
    ("instructions_per_message", "instructions", ",.0f"),
    ("peak_rss_mib", "peak MiB", ".1f"),
)


def child(program: Path, *arguments: str) -> dict:
    """Run via-bench once and return its result."""
    done = subprocess.run(
        [program, *arguments], capture_output=True, text=True, timeout=TIMEOUT_S, check=False
    )
    if done.returncode != 0:
        sys.exit(f"via-bench {' '.join(arguments)} failed: {done.stderr.strip()}")
    return json.loads(done.stdout)


def rate(run: dict) -> float:
    return run["messages"] / run["cpu_s"]


def measure(program: Path, case: str, rounds: int, counter: Counter | None) -> dict:
    """Measure one case on all sides in turn."""
    sides = {side: (case, side) for side in ("via", *SCHEDULERS)}
    if case in RECORDED:
        sides["unrecorded"] = (RECORDED[case], "via")
    runs: dict[str, list[dict]] = {side: [] for side in sides}
    for _ in range(rounds):
        for side, arguments in sides.items():
            runs[side].append(child(program, *arguments))
    ours = runs["via"]
    first = ours[0]
    if any(run["digest"] != first["digest"] for run in ours):
        sys.exit(f"{case}: two runs have different digests")
    rates = {side: median(rate(run) for run in results) for side, results in runs.items()}
    best = max(SCHEDULERS, key=lambda side: rates[side])
    counted = max(first["messages"] - first["warm_up"], 1)
    result = {
        "name": case,
        "messages_per_cpu_s": rates["via"],
        "events_per_message": first["events"] / first["messages"],
        "allocations_per_message": first["allocations"] / counted,
        "instructions_per_message": instructions(program, case, ours, counter),
        "peak_rss_mib": peak_mib(ours),
        "ns3_messages_per_cpu_s": rates[best],
        "ratio_to_ns3": rates["via"] / rates[best],
        "messages": first["messages"],
        "ns3_scheduler": best,
        "ns3_events_per_message": runs[best][0]["events"] / first["messages"],
        "digest": first["digest"],
    }
    if case in RECORDED:
        more_mib = result["peak_rss_mib"] - peak_mib(runs["unrecorded"])
        result["cpu_ratio_to_unrecorded"] = rates["unrecorded"] / rates["via"]
        result["recorded_bytes_per_message"] = more_mib * 1024 * 1024 / first["messages"]
    return result


def peak_mib(runs: list[dict]) -> float:
    return median(run["peak_rss_kib"] for run in runs) / 1024


def instructions(
    program: Path, case: str, runs: list[dict], counter: Counter | None
) -> float | None:
    """Return the user instructions per message; None: nothing counts them here."""
    if all(run["instructions"] for run in runs):
        return median(run["instructions"] / run["messages"] for run in runs)
    if counter is None:
        return None
    shorter = max(runs[0]["rounds"] // COUNTED_SHARE, 1)
    totals = []
    for rounds in (shorter, 2 * shorter):
        try:
            total, printed = counter.count([str(program), case, "via", str(rounds)])
        except CannotCount as failure:
            print(f"bench: instructions are not counted: {failure}", file=sys.stderr)
            return None
        totals.append((total, json.loads(printed)["messages"]))
    (less, fewer), (more, all_messages) = totals
    return (more - less) / (all_messages - fewer)


def machine() -> str:
    """Return a description of the machine, on which the numbers depend."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        model = names[0].split(":", 1)[1].strip() if names else model
    load = os.getloadavg()[0]
    return f"{model}, {os.cpu_count()} CPUs, {platform.release()}, load {load:.1f}"


def row(result: dict) -> str:
    cells = ["-" if result[key] is None else format(result[key], form) for key, _, form in COLUMNS]
    return cells[0].ljust(NAME_WIDTH) + "".join(cell.rjust(13) for cell in cells[1:])


def text(result: dict) -> str:
    """Return the line, or lines, of a case."""
    name = result["name"]
    if "skipped" in result:
        return f"{name}: skipped, {result['skipped']}"
    if name in ALONE:
        return f"{name}: {ALONE[name].format(**result)}"
    if name == ranks.NAME:
        return ranks.TEXT.format(**result)
    more = RECORDED_TEXT.format(**result) if name in RECORDED else ""
    return f"{row(result)}\n{more}".rstrip()


def check_writable(path: Path) -> str:
    """Return why the file cannot be written, or ""; called before minutes of measuring."""
    if path == STDOUT:
        return ""
    if path.is_dir() or not path.parent.is_dir():
        return "a file in a folder that exists is needed"
    if path.exists() and not os.access(path, os.W_OK):
        return "cannot write there"
    try:
        if path.is_file() or not path.exists():
            with tempfile.TemporaryFile(dir=path.resolve().parent):
                pass
    except OSError as error:
        return f"cannot write there: {error.strerror}"
    return ""


def write_whole(path: Path, results: list[dict]) -> None:
    """Replace the file atomically: a reader gets the old or the new one."""
    text = json.dumps(results, indent=2) + "\n"
    if path == STDOUT:
        print(text, end="")
        return
    path = path.resolve()
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        if path.exists() and not path.is_file():  # a pipe or a device
            path.write_text(text)
            return
        part.write_text(text)
        part.replace(path)
    except OSError as error:
        sys.exit(f"via: {path}: cannot be written: {error.strerror}")
    finally:
        part.unlink(missing_ok=True)


def main() -> int:
    parser = argparse.ArgumentParser(prog="./via bench", description=__doc__.split("\n")[0])
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results to FILE")
    parser.add_argument("--quick", action="store_true", help="3 rounds instead of 9")
    parser.add_argument("--case", action="append", metavar="NAME", help="only this case")
    parser.add_argument("--program", type=Path, required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.json is not None and (why := check_writable(options.json)):
        parser.error(f"--json {options.json}: {why}")
    listing = subprocess.run(
        [options.program, "--list"], capture_output=True, text=True, check=True
    )
    cases = [*listing.stdout.split(), *ALONE]
    unknown = set(options.case or ()) - set(cases)
    if unknown:
        parser.error(f"--case {sorted(unknown)[0]}: one of {', '.join(cases)}")
    rounds = QUICK_ROUNDS if options.quick else ROUNDS

    counter = find_counter()
    print(f"machine: {machine()}")
    print("via: giganet-clan1000, or the product that the name ends with, on one ideal switch")
    print("(crossbar). ns-3: point-to-point star, no IP, real bytes, better of")
    print(f"{' and '.join(SCHEDULERS)}. Medians of {rounds} runs in turns;")
    print("vipl_pingpong_8B: examples/ping-pong.c, hosted, which polls.")
    print("messages per CPU second of the run without set-up, allocations after 1,000 messages.")
    print(COLUMNS[0][1].ljust(NAME_WIDTH) + "".join(title.rjust(13) for _, title, _ in COLUMNS[1:]))
    results = []
    for case in cases:
        if options.case and case not in options.case:
            continue
        if case in ALONE:
            result = {"name": case, **child(options.program, case)}
        elif case == ranks.NAME:
            result = ranks.measure(options.program, rounds, child)
        else:
            result = measure(options.program, case, rounds, counter)
        results.append(result)
        print(text(result), flush=True)
    if any(result.get("instructions_per_message", 0) is None for result in results):
        print("instructions: not counted; that needs a counter of the processor, perf or valgrind")
    if options.json is not None:
        write_whole(options.json, results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
