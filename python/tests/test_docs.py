# SPDX-License-Identifier: GPL-2.0-only
"""What the documentation shows, works: its Python and shell blocks are run.

The blocks of a page run in order, in a folder of their own in which `via`, `contrib` and `doc` are
those of the source tree; Python blocks of a page share their names. A comment before a block says
more about it: `<!-- docs: ci -->` if it is slow, `<!-- docs: not run, WHY -->` if it is not run.
"""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "contrib" / "via" / "doc").rglob("*.md"))]
TIMEOUT_S = 200

BLOCK = re.compile(
    r"^(?:<!-- docs: (?P<note>[^>]*) -->\n+)?```(?P<language>python|sh)\n(?P<code>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
FENCE = re.compile(r"^```(.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """One piece of code of a page."""

    line: int
    language: str
    code: str
    note: str

    @property
    def is_slow(self) -> bool:
        return self.note == "ci"

    @property
    def is_run(self) -> bool:
        return not self.note.startswith("not run, ")


def blocks_of(text: str) -> list[Block]:
    return [
        Block(text.count("\n", 0, found.start("code")) + 1, *found.group("language", "code"),
              found["note"] or "")
        for found in BLOCK.finditer(text)
    ]  # fmt: skip


def pages_with(kind) -> list:
    return [
        pytest.param(page, id=str(page.relative_to(ROOT)))
        for page in PAGES
        if any(block.is_run and kind(block) for block in blocks_of(page.read_text("utf-8")))
    ]


def folder_like_the_root(folder: Path) -> Path:
    for name in ("via", "contrib", "doc"):
        (folder / name).symlink_to(ROOT / name)
    return folder


def environment() -> dict[str, str]:
    """The shell's `./via` must use the build that is tested."""
    build = os.environ.get("VIA_BUILD_DIR", "")
    return os.environ | ({"VIA_PRESET": Path(build).name} if build else {})


def run(page: Path, blocks: list[Block], folder: Path) -> None:
    python = ""
    for block in blocks:
        if block.language == "sh":
            command = ["bash", "-euo", "pipefail", "-c", block.code]
        else:
            python += block.code + "\n"
            command = [str(folder / "via"), "python", "-c", python]
        done = subprocess.run(
            command, cwd=folder, env=environment(), capture_output=True, text=True,
            timeout=TIMEOUT_S, check=False,
        )  # fmt: skip
        where = f"{page.relative_to(ROOT)}:{block.line}"
        assert done.returncode == 0, f"{where} exits with {done.returncode}\n{done.stderr}"


@pytest.mark.parametrize("page", pages_with(lambda block: not block.is_slow))
def test_the_blocks_of_a_page_run(page: Path, tmp_path: Path):
    blocks = [b for b in blocks_of(page.read_text("utf-8")) if b.is_run and not b.is_slow]
    run(page, blocks, folder_like_the_root(tmp_path))


@pytest.mark.ci
@pytest.mark.parametrize("page", pages_with(lambda block: block.is_slow))
def test_the_slow_blocks_of_a_page_run(page: Path, tmp_path: Path):
    blocks = [b for b in blocks_of(page.read_text("utf-8")) if b.is_run]
    run(page, blocks, folder_like_the_root(tmp_path))


def test_every_fence_says_what_is_in_it():
    plain = [
        str(page.relative_to(ROOT))
        for page in PAGES
        for opening in FENCE.findall(page.read_text("utf-8"))[::2]
        if not opening
    ]
    assert plain == []


def test_a_block_that_is_not_run_says_why():
    notes = [b.note for page in PAGES for b in blocks_of(page.read_text("utf-8")) if b.note]
    assert [note for note in notes if note != "ci" and not re.match(r"not run, \w+", note)] == []


def test_blocks_are_found_with_line_and_note():
    text = "# Title\n\n<!-- docs: ci -->\n```sh\ntrue\n```\n\n```python\nimport via\n```\n"
    assert blocks_of(text) == [
        Block(5, "sh", "true\n", "ci"),
        Block(9, "python", "import via\n", ""),
    ]
