#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Makes pytest cases ctest entries.

Starting an interpreter with pandas takes longer than most cases. So a run of pytest is a ctest
fixture that writes the outcome of each of its cases into a folder, and each case is a separate
entry, in which pytest_case.sh reads that. The files of a folder share a few runs in the tier quick;
in the others each file has a run of its own, two if it says RUNS = 2, and nothing runs beside it if
it says ALONE = True.

    pytest_cases.py list ROOT... --results DIR --output FILE    write the add_test lines
    pytest_cases.py run TIER FILE... --results DIR           run files, as the fixture

`run` runs the cases alone whose names match the regular expression $VIA_TEST_CHOSEN, if it is set:
`./via test -R` sets it.
"""

from __future__ import annotations

import argparse
import math
import os
import re
import shutil
import sys
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

SHOW = Path(__file__).with_name("pytest_case.sh")
TIERS = ("quick", "ci", "night")
TIMEOUT_S = {"quick": 3600, "ci": 3600, "night": 14400}  # sanitized, on a busy machine
QUICK_FILES = 10  # so many share a run: a few seconds each, and the runs are enough for all cores
CHOSEN = "VIA_TEST_CHOSEN"


def tier_of(item) -> str:
    """Return the tier with which a case is marked; quick without a mark."""
    for tier in reversed(TIERS[1:]):
        if item.get_closest_marker(tier):
            return tier
    return "quick"


def case_name(item) -> str:
    """Return suite.case of a pytest item, in characters without meaning to ctest and its -R."""
    suite = Path(item.path).stem.removeprefix("test_")
    group = f"{item.cls.__name__}." if item.cls else ""
    case = re.sub(r"[^A-Za-z0-9_.=+-]+", "-", item.name.removeprefix("test_")).strip("-")
    return f"{suite}.{group}{case}"


def case_names(items: list) -> dict[str, str]:
    """Return names by node id. Parameters that differ only in other characters are numbered."""
    names: dict[str, str] = {}
    seen: dict[str, int] = {}
    for item in items:
        name = case_name(item)
        seen[name] = seen.get(name, 0) + 1
        names[item.nodeid] = name if seen[name] == 1 else f"{name}.{seen[name]}"
    return names


class Collector:
    """Collects the cases that pytest finds."""

    def __init__(self) -> None:
        self.items: list = []

    def pytest_collection_finish(self, session) -> None:
        self.items = list(session.items)


@dataclass
class Batch:
    """One run of pytest.

    Attributes:
        name: the name of its entry, and of the folder of its results.
        tier: it runs cases of this tier,
        files: of these files;
        part: a number from 0,
        parts: of so many runs that share the cases of the files.
        alone: whether nothing else runs meanwhile.
    """

    name: str
    tier: str
    files: list[Path]
    part: int = 0
    parts: int = 1
    alone: bool = False
    items: list = field(default_factory=list)

    def dealt(self, items: list) -> list:
        """Return those of the items of its files that it runs."""
        return [item for item in items if tier_of(item) == self.tier][self.part :: self.parts]


def batches_of(items: list) -> list[Batch]:
    """Return the runs of all cases that were found."""
    batches: list[Batch] = []
    by_file = {path: list(own) for path, own in groupby(items, key=lambda item: Path(item.path))}
    for folder, group in groupby(by_file, key=lambda path: path.parent):
        files = list(group)
        quick = [file for file in files if any(tier_of(item) == "quick" for item in by_file[file])]
        runs = math.ceil(len(quick) / QUICK_FILES)
        batches += [
            Batch(f"{folder.parent.name}-quick-{number + 1}", "quick", quick[number::runs])
            for number in range(runs)
        ]
        for file in files:
            for tier in TIERS[1:]:
                batches += batches_of_file(file, tier, by_file[file])
    for batch in batches:
        for file in batch.files:
            batch.items += batch.dealt(by_file[file])
    return batches


def batches_of_file(file: Path, tier: str, items: list) -> list[Batch]:
    """Return the runs of the slow cases of a file, as it says with RUNS and ALONE."""
    cases = sum(tier_of(item) == tier for item in items)
    parts = min(cases, getattr(items[0].module, "RUNS", 1))
    alone = getattr(items[0].module, "ALONE", False)
    name = f"{file.stem.removeprefix('test_')}-{tier}"
    if parts == 1:
        return [Batch(name, tier, [file], alone=alone)]
    return [Batch(f"{name}-{part + 1}", tier, [file], part, parts, alone) for part in range(parts)]


class Reporter:
    """Selects the cases of a run and writes the result of each when it is over."""

    def __init__(self, batch: Batch, chosen: str, folder: Path) -> None:
        self.batch = batch
        self.chosen = chosen
        self.folder = folder
        self.names: dict[str, str] = {}
        self.outcomes: dict[str, dict[str, str]] = {}

    def pytest_collection_modifyitems(self, items: list) -> None:
        self.names = case_names(items)
        items[:] = [
            item
            for item in self.batch.dealt(items)
            if re.search(self.chosen, self.names[item.nodeid])
        ]

    def pytest_runtest_logreport(self, report) -> None:
        name = self.names[report.nodeid]
        outcome = self.outcomes.setdefault(name, {"outcome": "passed", "text": ""})
        if report.outcome != "passed":
            outcome["outcome"] = report.outcome
            outcome["text"] += report.longreprtext
            for title, content in report.sections:
                outcome["text"] += f"\n--- {title}\n{content}"
        if report.when == "teardown":
            text = f"{outcome['outcome']}\n{outcome['text']}\n"
            (self.folder / name).write_text(text, "utf-8", errors="replace")


def run_pytest(arguments: list[str], plugin: object) -> int:
    import pytest

    return int(pytest.main(["-p", "no:cacheprovider", *arguments], plugins=[plugin]))


def quoted(text: object) -> str:
    return '"' + str(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def add_test(name: str, command: list[object], **properties: object) -> str:
    words = " ".join(quoted(word) for word in command)
    settings = " ".join(f"{key} {quoted(value)}" for key, value in properties.items())
    name = quoted(name)
    return f"add_test({name} {words})\nset_tests_properties({name} PROPERTIES {settings})\n"


def list_cases(roots: list[Path], results: Path, output: Path) -> int:
    collector = Collector()
    stdout = os.dup(1)
    os.dup2(2, 1)  # pytest's output goes to stderr, not into the list
    code = run_pytest(["--collect-only", "-qq", "--no-header", *map(str, roots)], collector)
    os.dup2(stdout, 1)
    if code not in (0, 5):  # 5: no case yet
        return code
    environment = ";".join(
        f"{key}={os.environ[key]}"
        for key in sorted(os.environ)
        if key in ("PYTHONPATH", "VIA_BUILD_DIR", "LD_PRELOAD") or key.endswith("SAN_OPTIONS")
    )
    lines = []
    names = case_names(collector.items)
    for batch in batches_of(collector.items):
        entry = f"pytest.{batch.name}"
        lines.append(
            add_test(
                entry,
                [
                    *(sys.executable, __file__, "run", batch.tier, *batch.files),
                    *("--part", batch.part, batch.parts, "--results", results / batch.name),
                ],
                LABELS=f"{batch.tier};python",
                TIMEOUT=TIMEOUT_S[batch.tier],
                ENVIRONMENT=environment,
                FIXTURES_SETUP=entry,
                RUN_SERIAL="ON" if batch.alone else "OFF",
            )
        )
        lines += [
            add_test(
                names[item.nodeid],
                ["/bin/sh", SHOW, results / batch.name / names[item.nodeid]],
                LABELS=f"{batch.tier};python",
                FIXTURES_REQUIRED=entry,
                SKIP_RETURN_CODE=77,
            )
            for item in batch.items
        ]
    output.write_text("".join(lines), encoding="utf-8")
    return 0


def run_batch(batch: Batch, folder: Path) -> int:
    """Run pytest. A case that fails does not fail the run: its own entry reports it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    chosen = os.environ.pop(CHOSEN, "")  # not for what the cases start
    reporter = Reporter(batch, chosen, folder)
    code = run_pytest(["-q", "--no-header", *map(str, batch.files)], reporter)
    return 0 if code in (0, 1, 5) else code  # 5: none is chosen


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    lister = commands.add_parser("list")
    lister.add_argument("roots", type=Path, nargs="+")
    lister.add_argument("--results", type=Path, required=True)
    lister.add_argument("--output", type=Path, required=True)
    runner = commands.add_parser("run")
    runner.add_argument("tier", choices=TIERS)
    runner.add_argument("files", type=Path, nargs="+")
    runner.add_argument("--part", type=int, nargs=2, default=(0, 1))
    runner.add_argument("--results", type=Path, required=True)
    given = parser.parse_args()
    if given.command == "list":
        return list_cases(given.roots, given.results, given.output)
    return run_batch(Batch("", given.tier, given.files, *given.part), given.results)


if __name__ == "__main__":
    sys.exit(main())
