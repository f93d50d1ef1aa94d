# SPDX-License-Identifier: GPL-2.0-only
"""The check inside ns-3 trees: help, and which trees it refuses before it touches them."""

import subprocess
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parents[1]


def call(script: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [TOOLS / script, *map(str, arguments)], capture_output=True, text=True, check=False
    )


@pytest.fixture
def tree(tmp_path: Path):
    """What looks like the source tree of an ns-3 release."""

    def make(release: str, *, waf: bool = False) -> Path:
        for folder in ("src/core", "contrib"):
            (tmp_path / folder).mkdir(parents=True)
        (tmp_path / "VERSION").write_text(f"{release}\n", encoding="utf-8")
        (tmp_path / ("waf" if waf else "ns3")).touch()
        return tmp_path

    return make


@pytest.mark.parametrize("script", ["check-ns3.sh", "fetch-ns3.sh"])
def test_each_script_has_help(script: str):
    result = call(script, "--help")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith(f"usage: tools/{script}")


@pytest.mark.parametrize(
    ("script", "arguments", "complaint"),
    [
        ("check-ns3.sh", (), "which ns-3 source tree?"),
        ("check-ns3.sh", ("--fast", "."), "unknown option --fast"),
        ("check-ns3.sh", ("-j", "0", "."), "-j 0: a whole number from 1"),
        ("check-ns3.sh", ("-d", "quick", "."), "-d quick: default, debug, release or optimized"),
        ("check-ns3.sh", ("-d",), "-d needs a value"),
        ("check-ns3.sh", ("/nowhere",), "/nowhere: no such folder"),
        ("check-ns3.sh", ("/", "/usr"), "one tree at a time"),
        ("fetch-ns3.sh", (), "which folder?"),
        ("fetch-ns3.sh", ("a", "b"), "one folder at a time"),
    ],
)
def test_a_mistake_is_told(script: str, arguments: tuple[str, ...], complaint: str):
    result = call(script, *arguments)
    assert result.returncode == 2
    assert complaint in result.stderr


def test_a_folder_that_is_no_tree_is_refused(tmp_path: Path):
    result = call("check-ns3.sh", tmp_path)
    assert result.returncode == 2
    assert "not an ns-3 source tree" in result.stderr


def test_a_tree_with_waf_is_told_where_its_wscript_is(tree):
    result = call("check-ns3.sh", tree("3.35", waf=True))
    assert result.returncode == 2
    assert "contrib/via/wscript-compat/README.md" in result.stderr


def test_an_old_release_is_refused(tree):
    result = call("check-ns3.sh", tree("3.36.1"))
    assert result.returncode == 2
    assert "ns-3 3.36.1 is older than 3.37" in result.stderr


def test_another_module_of_that_name_is_left_alone(tree):
    folder = tree("3.37")
    (folder / "contrib" / "via").mkdir()
    result = call("check-ns3.sh", folder)
    assert result.returncode == 2
    assert "is there already" in result.stderr
    assert (folder / "contrib" / "via").is_dir()


def test_a_tree_that_cannot_be_configured_is_left_as_it_was(tree):
    folder = tree("3.48")
    result = call("check-ns3.sh", folder)
    assert result.returncode == 1
    assert "configure failed" in result.stderr
    assert not (folder / "contrib" / "via").exists()
