#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Checks the rules and results in contrib/via/doc/conformance.md against the conformance cases.

conformance_table.py                  check that cases and rules match, and the number of cases
conformance_table.py PROGRAM          run every profile and check the table of results
conformance_table.py PROGRAM --fix    run every profile and write the table of results
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

MODULE = Path(__file__).resolve().parent.parent / "contrib" / "via"
PAGE = MODULE / "doc" / "conformance.md"
CASES = MODULE / "test" / "conformance"
LEVELS = ("early", "functional", "full")
OUTCOMES = ("passed", "not offered", "FAILED")
TIMEOUT_S = 600

CASE = re.compile(r'CONFORMANCE_(CASE|MATRIX)\(\s*(\w+),\s*((?:"[^"]*"\s*)+)\)')
RULE = re.compile(r"^\| `([\w.-]+)` \| [^|]+ \| [^|]+ \|$", re.M)
RESULT = re.compile(r"^conformance (\S+) (\S+) (\S+) (passed|not offered|FAILED)", re.M)
RESULTS = re.compile(r"(<!-- results -->\n)(.*?)(<!-- end of results -->)", re.S)
UNTESTED = "untested."  # rules of the page's last table


def cases_of(text: str) -> list[tuple[str, list[str]]]:
    """Return name and rules of each case in a file; a matrix is a case per reliability level."""
    found = []
    for kind, name, quoted in CASE.findall(text):
        rules = " ".join(re.findall(r'"([^"]*)"', quoted)).split()
        ends = ("",) if kind == "CASE" else ("Unreliable", "ReliableDelivery", "ReliableReception")
        found += [(f"{name}At{end}" if end else name, rules) for end in ends]
    return found


def all_cases() -> dict[str, list[tuple[str, list[str]]]]:
    """Return the cases by level."""
    return {
        level: [
            case
            for path in sorted((CASES / level).glob("*.cc"))
            for case in cases_of(path.read_text("utf-8"))
        ]
        for level in LEVELS
    }


def complaints(cases: dict[str, list[tuple[str, list[str]]]], page: str) -> list[str]:
    """Return the contradictions between the cases, the page's rules and its table."""
    rules = Counter(RULE.findall(page))
    cited = {rule for level in cases.values() for _, names in level for rule in names}
    found = [f"rule {rule} occurs twice" for rule, count in rules.items() if count > 1]
    for level, named in cases.items():
        names = Counter(name for name, _ in named)
        found += [f"{level}/{name} is the name of two cases" for name, n in names.items() if n > 1]
        found += [
            f"{level}/{name} cites {rule or 'nothing'}, which is not a rule of the page"
            for name, citations in named
            for rule in citations or [""]
            if rule not in rules
        ]
    found += [
        f"no case cites {rule}"
        for rule in rules
        if rule not in cited and not rule.startswith(UNTESTED)
    ]
    table = RESULTS.search(page)
    head = next(iter(table[2].splitlines()), "") if table else ""
    if head != header({level: len(named) for level, named in cases.items()}):
        found.append("the table of results is stale: some level has another number of cases")
    return found


def results(program: str, profile: str) -> Counter:
    """Return the count of each (level, outcome) on a profile; print the cases that fail."""
    run = subprocess.run(
        [program],
        env=os.environ | {"VIA_TEST_PROFILE": profile},
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    found = RESULT.findall(run.stdout)
    for _, level, case, outcome in found:
        if outcome == "FAILED":
            print(f"VIA_TEST_PROFILE={profile} {program} --run_test={level}/{case}")
    return Counter((level, outcome) for _, level, _, outcome in found)


def header(cases: dict[str, int]) -> str:
    """Return the first line of the table, with the number of cases of each level."""
    return "| profile |" + "".join(f" {level} ({cases[level]}) |" for level in LEVELS)


def table(by_profile: dict[str, Counter], cases: dict[str, int]) -> str:
    """Return the table: by profile and level, the cases that passed, are not offered, failed."""
    lines = [header(cases), "| --- |" + " --- |" * len(LEVELS)]
    for profile, counts in by_profile.items():
        cells = []
        for level in LEVELS:
            passed, absent, failed = (counts[level, outcome] for outcome in OUTCOMES)
            text = f"{passed} passed"
            text += f", {absent} not offered" if absent else ""
            missing = cases[level] - passed - absent - failed
            text += f", {failed + missing} FAILED" if failed or missing else ""
            cells.append(text)
        lines.append(f"| {profile} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def profiles() -> list[str]:
    return sorted(path.stem for path in (MODULE / "profiles").glob("*.toml"))


def check(program: str | None, fix: bool) -> bool:
    """Print what is wrong; return whether anything is."""
    page = PAGE.read_text("utf-8")
    cases = all_cases()
    found = []
    if program is not None:
        counts = {level: len(named) for level, named in cases.items()}
        with ThreadPoolExecutor(max_workers=len(os.sched_getaffinity(0))) as pool:
            found_by = pool.map(lambda name: results(program, name), profiles())
            wanted = table(dict(zip(profiles(), found_by, strict=True)), counts)
        fixed = RESULTS.sub(lambda match: match[1] + wanted + match[3], page)
        if fix:
            PAGE.write_text(fixed, "utf-8")
            page = fixed
        elif fixed != page:
            found = [f"{PAGE.name} should say:", wanted, "conformance_table.py PROGRAM --fix"]
    found += complaints(cases, page)
    print("\n".join(found))
    return bool(found)


def main() -> int:
    program = next((argument for argument in sys.argv[1:] if argument != "--fix"), None)
    return int(check(program, fix="--fix" in sys.argv[1:]))


if __name__ == "__main__":
    sys.exit(main())
