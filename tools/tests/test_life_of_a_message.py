# SPDX-License-Identifier: GPL-2.0-only
"""The page on the life of a message names functions that stand where it says."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "contrib/via/doc/life-of-a-message.md"
NAMED = re.findall(r"\[`([\w:]+)`\]\(([^)]+)\)", PAGE.read_text(encoding="utf-8"))


@pytest.mark.parametrize(("function", "file"), NAMED, ids=[name for name, _ in NAMED])
def test_each_function_stands_in_its_file(function: str, file: str):
    text = (PAGE.parent / file).read_text(encoding="utf-8")
    owner, _, name = function.rpartition("::")
    defined = rf"\b{owner}::{name}\(" if file.endswith(".cc") and owner else rf"\b{name}\("
    assert re.search(defined, text), f"{file} does not define {function}"


def test_the_page_names_the_path_from_post_to_reap():
    assert NAMED[0][0] == "VipPostSend"
    assert len(NAMED) > 30
