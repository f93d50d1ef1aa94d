# SPDX-License-Identifier: GPL-2.0-only
"""What the documentation shows, works: its Python and shell blocks are run.

The blocks of a page run in order, in a folder of their own in which `via`, `contrib` and `doc` are
those of the source tree; Python blocks of a page share their names. A block with the comment
`<!-- docs: not run, WHY -->` before it is not run. A text block with `<!-- docs: output -->` is
what the blocks before it print last, word for word, except that `...` stands for any part of a
line, and alone for any lines. A text block below a block that is run has this note, or
`<!-- docs: not compared, WHY -->`.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import pytest
from via import figures, profiles

ROOT = Path(__file__).resolve().parents[2]
DOC = ROOT / "contrib" / "via" / "doc"
PAGES = [ROOT / "README.md", *sorted(DOC.rglob("*.md"))]
FIRST_PAGES = {DOC / "getting-started.md"}  # the others take longer and are in the tier ci
LONG_PAGES = {DOC / f"{name}.md" for name in ("launchers", "plots", "studies")}
# Programs and modules that need not be installed.
NEEDS = {DOC / "capture.md": "tshark", DOC / "report-page.md": "bokeh"}
TIMEOUT_S = 1200
RUNS = 2  # of the pages beside each other: pytest_cases.py
OUTPUT = "output"
ANYTHING = "..."

BLOCK = re.compile(
    r"^(?:<!-- docs: (?P<note>[^>]*) -->\n+)?```(?P<language>python|sh|text)\n(?P<code>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
FENCE = re.compile(r"^```(.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """One piece of code of a page."""

    line: int
    language: str
    code: str
    note: str = ""


def blocks_of(text: str) -> list[Block]:
    return [
        Block(
            line=text.count("\n", 0, found.start("code")) + 1,
            language=found["language"],
            code=found["code"],
            note=found["note"] or "",
        )
        for found in BLOCK.finditer(text)
    ]


def runnable(page: Path) -> list[Block]:
    blocks = blocks_of(page.read_text("utf-8"))
    return [b for b in blocks if (b.note == OUTPUT if b.language == "text" else not b.note)]


def at_their_lines(blocks: list[Block]) -> str:
    """The blocks as one script, in which each line has the number it has on the page."""
    script = ""
    for block in blocks:
        script += "\n" * (block.line - 1 - script.count("\n")) + block.code
    return script


def folder_like_the_root(folder: Path) -> Path:
    for name in ("via", "contrib", "doc"):
        (folder / name).symlink_to(ROOT / name)
    return folder


def environment() -> dict[str, str]:
    """What `./via` needs to use the build that is tested."""
    build = os.environ.get("VIA_BUILD_DIR", "")
    return os.environ | ({"VIA_PRESET": Path(build).name} if build else {})


def is_printed(shown: str, printed: str) -> bool:
    """Tell whether a text, in which `...` stands for anything, is the end of what was printed."""
    lines = [r"(?:.*\n)*" if line == ANYTHING else f"{masked(line)}\n" for line in words_of(shown)]
    found = "".join(f"{line}\n" for line in words_of(printed))
    return re.search(rf"(?:^|\n){''.join(lines)}\Z", found) is not None


def words_of(text: str) -> list[str]:
    """The lines of a text with single blanks between the words."""
    return [" ".join(line.split()) for line in text.splitlines()]


def masked(line: str) -> str:
    return ".*".join(map(re.escape, line.split(ANYTHING)))


def tier_of(page: Path) -> tuple[pytest.MarkDecorator, ...]:
    if page in FIRST_PAGES:
        return ()
    return (pytest.mark.night if page in LONG_PAGES else pytest.mark.ci,)


def run_page(page: Path, folder: Path) -> None:
    python: list[Block] = []
    printed = ""
    for language, group in groupby(runnable(page), key=lambda block: block.language):
        blocks = list(group)
        where = f"{page.relative_to(ROOT)}, {language} from line {blocks[0].line}"
        if language == "text":
            assert is_printed(blocks[0].code, printed), f"{where}, but printed is\n{printed}"
            continue
        if language == "sh":
            command = ["bash", "-euo", "pipefail", "-c", at_their_lines(blocks)]
        else:
            python += blocks
            command = [str(folder / "via"), "python", "-c", at_their_lines(python)]
        done = subprocess.run(
            command, cwd=folder, env=environment(), capture_output=True, text=True,
            timeout=TIMEOUT_S, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{where}: exit code {done.returncode}\n{done.stderr}"
        printed = done.stdout


def check_images(page: Path, folder: Path) -> None:
    """The images that a page shows and its blocks have drawn are of the same data."""
    for name in re.findall(r"^!\[[^]]*\]\(images/([\w-]+\.png)\)$", page.read_text("utf-8"), re.M):
        shown, drawn = (figures.read(place / name) for place in (DOC / "images", folder))
        assert shown["data"] == drawn["data"], f"{name}: ./via docs --figures"


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, id=str(page.relative_to(ROOT)), marks=tier_of(page))
        for page in PAGES
        if runnable(page)
    ],
)
def test_the_blocks_of_a_page_run(page: Path, tmp_path: Path):
    needed = NEEDS.get(page)
    if needed and shutil.which(needed) is None and importlib.util.find_spec(needed) is None:
        pytest.skip(f"{needed} is not installed: ./via setup --ci brings it")
    run_page(page, folder_like_the_root(tmp_path))
    check_images(page, tmp_path)


@pytest.mark.parametrize("page", [pytest.param(p, id=str(p.relative_to(ROOT))) for p in PAGES])
def test_every_fence_says_what_is_in_it(page: Path):
    openings = FENCE.findall(page.read_text("utf-8"))[::2]
    assert all(openings)


def test_a_block_that_is_not_run_says_why():
    blocks = [b for page in PAGES for b in blocks_of(page.read_text("utf-8")) if b.note]
    silent = [b for b in blocks if b.note != OUTPUT or b.language != "text"]
    what = {"text": "compared"}
    assert [
        b for b in silent if not re.match(rf"not {what.get(b.language, 'run')}, \w+", b.note)
    ] == []


def test_a_text_below_what_is_run_is_its_output_or_says_why_not():
    unknown = []
    for page in PAGES:
        for section in re.split(r"^#+ ", page.read_text("utf-8"), flags=re.MULTILINE):
            blocks = blocks_of(section)
            runs = [b.language != "text" and not b.note for b in blocks]
            unknown += [
                (page.name, b.code)
                for place, b in enumerate(blocks)
                if b.language == "text" and not b.note and any(runs[:place])
            ]
    assert unknown == []


def test_blocks_are_found_with_line_and_note():
    text = "# A\n\n<!-- docs: not run, x -->\n```sh\ntrue\n```\n\n```python\nimport via\n```\n"
    assert blocks_of(text) == [
        Block(5, "sh", "true\n", "not run, x"),
        Block(9, "python", "import via\n"),
    ]


def test_an_output_is_compared_word_for_word_but_for_what_is_left_out():
    printed = "before\na 10.0 us\nb 7 (x)\nPASS\n"
    assert is_printed("a 10.0 us\nb 7 (x)\nPASS\n", printed)
    assert is_printed("a ... us\n...\nPASS\n", printed)
    assert is_printed("b 7 (x)\n...\n", printed)
    assert not is_printed("a 10.1 us\nb 7 (x)\nPASS\n", printed)
    assert not is_printed("a 10.0 us\nPASS\n", printed)
    assert not is_printed("b 7 (x)\n", printed)
    assert not is_printed("0 us\nb 7 (x)\nPASS\n", printed)


def test_a_script_keeps_the_lines_of_its_page():
    script = at_their_lines([Block(3, "sh", "a\n"), Block(6, "sh", "b\n")])
    assert script.splitlines() == ["", "", "a", "", "", "b"]


def test_the_readme_counts_the_products():
    products = set(profiles.names()) - {"ideal"}
    assert f"{len(products)} products and a bound" in (ROOT / "README.md").read_text("utf-8")


def test_code_of_each_other_simulator_stands_beside_ours():
    page = (DOC / "coming-from.md").read_text("utf-8")
    pairs = re.findall(r"^::::\{container\} beside$(.*?)^::::$", page, re.MULTILINE | re.DOTALL)
    for pair in pairs:
        theirs, ours = (blocks_of(part) for part in pair.split(":::{container} ours"))
        assert [bool(block.note) for block in (*theirs, *ours)] == [True, False]
    assert len(pairs) == 3 == page.count("not run, it needs")


def test_the_page_of_vipl_lists_every_call():
    functions = ROOT / "contrib" / "via" / "model" / "vipl" / "include" / "vipl-functions.def"
    _, there, *_ = (DOC / "vipl.md").read_text("utf-8").split("\n## ")
    assert there.startswith("What works\n")
    for call in re.findall(r"^VIPL_FUNCTION\(\w+, (Vip\w+),", functions.read_text("ascii"), re.M):
        assert f"`{call}`" in there, call


def test_the_page_of_the_architecture_lists_every_stage():
    names = (ROOT / "contrib" / "via" / "model" / "base" / "via-span.cc").read_text("ascii")
    stages = re.findall(r'case Stage::\w+:\s+return "([a-z-]+)";', names)
    page = (DOC / "architecture.md").read_text("utf-8")
    table = page.partition("| stage | who |")[2].partition("\n\n")[0]
    told = [name for row in table.splitlines() for name in re.findall(r"`([a-z-]+)`", row)]
    assert sorted(told) == sorted(stages)
