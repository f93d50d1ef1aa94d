#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Makes pytest cases ctest entries.

Starting an interpreter with pandas for each case would take longer than the cases. So one run per
test file and tier is a ctest fixture that writes the outcome of each case into a folder, and each
case is a separate entry, in which pytest_case.sh reads that.

    pytest_cases.py list ROOT... --results DIR --output FILE    write the add_test lines
    pytest_cases.py run FILE TIER --results DIR              run one file, as the fixture
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
from pathlib import Path

SHOW = Path(__file__).with_name("pytest_case.sh")
TIERS = ("quick", "ci", "night")
TIMEOUT_S = {"quick": 1200, "ci": 3600, "night": 14400}  # sanitized, on a busy machine


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


class Reporter:
    """Selects the cases of one tier and writes the result of each."""

    def __init__(self, tier: str) -> None:
        self.tier = tier
        self.names: dict[str, str] = {}
        self.outcomes: dict[str, dict[str, str]] = {}

    def pytest_collection_modifyitems(self, items: list) -> None:
        self.names = case_names(items)
        items[:] = [item for item in items if tier_of(item) == self.tier]

    def pytest_runtest_logreport(self, report) -> None:
        outcome = self.outcomes.setdefault(
            self.names[report.nodeid], {"outcome": "passed", "text": ""}
        )
        if report.outcome != "passed":
            outcome["outcome"] = report.outcome
            outcome["text"] += report.longreprtext
            for title, content in report.sections:
                outcome["text"] += f"\n--- {title}\n{content}"


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
    batches = sorted({(Path(item.path), tier_of(item)) for item in collector.items})
    for path, tier in batches:
        batch = f"pytest.{path.stem}-{tier}"
        lines.append(
            add_test(
                batch,
                [sys.executable, __file__, "run", path, tier, "--results", results],
                LABELS=f"{tier};python",
                TIMEOUT=TIMEOUT_S[tier],
                ENVIRONMENT=environment,
                FIXTURES_SETUP=batch,
            )
        )
    for item in collector.items:
        name, tier = names[item.nodeid], tier_of(item)
        stem = Path(item.path).stem
        lines.append(
            add_test(
                name,
                ["/bin/sh", SHOW, results / f"{stem}-{tier}" / name],
                LABELS=f"{tier};python",
                FIXTURES_REQUIRED=f"pytest.{stem}-{tier}",
                SKIP_RETURN_CODE=77,
            )
        )
    output.write_text("".join(lines), encoding="utf-8")
    return 0


def run_file(path: Path, tier: str, results: Path) -> int:
    """Run one file. A case that fails does not fail the run: its own entry reports it."""
    folder = results / f"{path.stem}-{tier}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    reporter = Reporter(tier)
    code = run_pytest(["-q", "--no-header", str(path)], reporter)
    for name, told in reporter.outcomes.items():
        text = f"{told['outcome']}\n{told['text']}\n"
        (folder / name).write_text(text, "utf-8", errors="replace")
    return 0 if code in (0, 1) else code


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    lister = commands.add_parser("list")
    lister.add_argument("roots", type=Path, nargs="+")
    lister.add_argument("--results", type=Path, required=True)
    lister.add_argument("--output", type=Path, required=True)
    runner = commands.add_parser("run")
    runner.add_argument("file", type=Path)
    runner.add_argument("tier", choices=TIERS)
    runner.add_argument("--results", type=Path, required=True)
    given = parser.parse_args()
    if given.command == "list":
        return list_cases(given.roots, given.results, given.output)
    return run_file(given.file, given.tier, given.results)


if __name__ == "__main__":
    sys.exit(main())
