# SPDX-License-Identifier: GPL-2.0-only
"""What text files keep to, and links that lead somewhere."""

from pathlib import Path

import links
import pytest
import text

HEAD = "/*\n * SPDX-License-Identifier: GPL-2.0-only\n */\n"


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(text, "ROOT", tmp_path)
    monkeypatch.setattr(links, "ROOT", tmp_path)

    def file(name: str, content: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
        return path

    return file


def test_a_clean_source_passes(write):
    assert text.complaints(write("model/via-a.cc", HEAD + "int a;\n")) == []


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("int a;\n", "no SPDX"),
        (HEAD + "int a; // \u00b5s\n", "not ASCII"),
        (HEAD + "int a; \n", "space at the end"),
        (HEAD + "int a;", "no newline"),
        (HEAD + "int a; // TO" + "DO later\n", "open an issue"),
        (HEAD + "std::unordered_map<int, int> a;\n", "iteration order"),
        (HEAD + "std::cout << a;\n", "trace sink"),
    ],
)
def test_what_a_source_must_not_hold_is_named(write, content: str, complaint: str):
    (found,) = text.complaints(write("model/via-a.cc", content))
    assert complaint in found


def test_a_link_to_a_file_and_its_heading_is_alive(write):
    write("b.md", "# Where to go\n")
    page = write("a.md", "[b](b.md#where-to-go) `[not](a-link)` [web](https://example.org)\n")
    assert links.dead_links(page) == []


@pytest.mark.parametrize("target", ["ghost.md", "b.md#ghost", "ghost/"])
def test_a_dead_link_is_named(write, target: str):
    write("b.md", "# Here\n")
    (found,) = links.dead_links(write("a.md", f"see [there]({target})\n"))
    assert target in found
