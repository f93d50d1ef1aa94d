# SPDX-License-Identifier: GPL-2.0-only
"""The docstrings of the stub, for the compiled module: what editors and help() show is one text."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

_STUB = Path(__file__).resolve().parents[1] / "_core.pyi"


@cache
def docstrings() -> dict[str, str]:
    """Return the docstrings of the stub's classes and their members: "Vi", "Vi.send".

    That of a method begins with its signature, as the interpreter has no other for it.
    """
    found = {}
    for part in ast.parse(_STUB.read_text("utf-8")).body:
        if isinstance(part, ast.ClassDef):
            found[part.name] = ast.get_docstring(part) or ""
            for member in part.body:
                if isinstance(member, ast.FunctionDef):
                    found[f"{part.name}.{member.name}"] = _of_member(member)
    return {name: text for name, text in found.items() if text}


def _of_member(member: ast.FunctionDef) -> str:
    text = ast.get_docstring(member) or ""
    if any(isinstance(each, ast.Name) and each.id == "property" for each in member.decorator_list):
        return text
    member.args.args = [each for each in member.args.args if each.arg != "self"]
    returned = f" -> {ast.unparse(member.returns)}" if member.returns else ""
    return f"{member.name}({ast.unparse(member.args)}){returned}\n\n{text}".rstrip()
