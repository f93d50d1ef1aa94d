# SPDX-License-Identifier: GPL-2.0-only
"""Options that texts name: they exist, and are those of the face that was used."""

import ast
import importlib
import re
from pathlib import Path

import pytest
import via
from via._cli import COMMANDS
from via._cli.guard import answered
from via._cli.run import parser as run_parser
from via.errors import ConfigError

ROOT = Path(__file__).parents[2]
OTHERS = {"--wrap", "--version-script", "--gc-sections", "--undefined-only", "--defined-only",
          "--dirty", "--always", "--abbrev", "--prof"}  # fmt: skip # of others, and a word begun
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*[a-z]")


def options_there_are():
    """Return the options of all commands: of via, and of the script ./via."""
    script = (path.read_text("utf-8") for path in (ROOT / "tools/front").glob("*.py"))
    found = set(OPTION.findall("".join(script)))
    for module, _ in COMMANDS.values():
        parser = getattr(importlib.import_module(module), "parser", None)
        if parser is not None:
            found |= set(parser()._option_string_actions)
    return found | set(
        OPTION.findall((ROOT / "python/via/_programs/compiler.py").read_text("utf-8"))
    )


def options_in_literals():
    """Return each option that a literal of the sources names, and where."""
    for path in sorted((ROOT / "python/via").rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        docstrings = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                if id(node) in docstrings:
                    continue
                yield from ((option, path) for option in OPTION.findall(node.value))
    sources = [each for kind in ("cc", "h") for each in (ROOT / "contrib/via").rglob(f"*.{kind}")]
    for path in sources:
        if not {"test", "examples"} & set(path.relative_to(ROOT).parts):
            for literal in re.findall(r'"(?:[^"\\\n]|\\.)*"', path.read_text("utf-8")):
                yield from ((option, path) for option in OPTION.findall(literal))


def test_every_option_that_a_text_names_exists():
    known = options_there_are() | OTHERS
    unknown = {f"{option} in {path.name}" for option, path in options_in_literals()
               if option not in known}  # fmt: skip
    assert unknown == set()


@pytest.mark.parametrize(
    ("error", "told"),
    [
        ("node_profiles = 9: from 0 to 1", "--node-profile = 9: from 0 to 1"),
        ("procs_per_node = 0: x", "--procs-per-node = 0: x"),
        ("folder = a: it holds no run", "folder = a: it holds no run"),
        ("workload = x: y", "workload = x: y"),
    ],
)
def test_keywords_of_python_are_told_as_options_that_exist(error, told, capsys):
    def fails():
        raise ConfigError(error)

    assert answered(fails, run_parser()) == 2
    assert capsys.readouterr().err == f"via: {told}\n"


def test_python_is_told_of_its_keywords():
    with pytest.raises(ConfigError, match="^topology = moebius"):
        via.Cluster("moebius")
    with pytest.raises(ConfigError, match="^mpi_ranks = 0"):
        via.Cluster().run("ping-pong", mpi_ranks=0)
