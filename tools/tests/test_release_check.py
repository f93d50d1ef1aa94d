# SPDX-License-Identifier: GPL-2.0-only
"""What is in the way of a release is told."""

import subprocess
from pathlib import Path

import pytest
import release_check

METADATA = "".join(f'{key} = "via.rst"\n' for key in release_check.METADATA)


@pytest.fixture(name="root")
def _root(tmp_path: Path) -> Path:
    """A tree that could be released."""
    module = tmp_path / "contrib" / "via"
    module.mkdir(parents=True)
    (module / "VERSION").write_text("1.2.3\n")
    (module / "metadata.toml").write_text(METADATA)
    (module / "via.rst").write_text("")
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## 1.2.3, unreleased\n\n- A thing.\n")
    return tmp_path


def test_this_tree_could_be_released():
    assert release_check.complaints(release_check.ROOT, tag=False) == []


def test_a_tree_without_faults_passes(root):
    assert release_check.complaints(root, tag=False) == []


def test_a_second_version_is_found(root):
    (root / "pyproject.toml").write_text('[project]\nversion = "1.2.3"\n')
    (root / "contrib" / "via" / "VERSION").write_text("soon\n")
    found = release_check.check_version(root)
    assert [line.split(":")[0] for line in found] == ["contrib/via/VERSION", "pyproject.toml"]


def test_the_changelog_must_have_the_version_and_tell_nothing_twice(root):
    (root / "CHANGELOG.md").write_text("## 1.2.2, 2026-01-01\n\n- A thing.\n- A thing.\n")
    first, second = release_check.check_changelog(root, tag=False)
    assert "'## 1.2.3, unreleased'" in first and "twice" in second


def test_tests_need_names_and_each_its_own(root):
    case = "BOOST_AUTO_TEST_CASE({})\n{{\n}}\n"
    names = ("CreditsComeHome", "CreditsComeHome", "credits")
    (root / "credit-test.cc").write_text("".join(case.format(name) for name in names))
    (root / "test_credit.py").write_text("def test_it(): ...\n")
    assert release_check.check_names(root) == [
        "credit-test.cc: CreditsComeHome: 2 times",
        "credit-test.cc: credits: no sentence",
        "test_credit.py: test_it: no sentence",
    ]


def test_metadata_must_be_complete(root):
    (root / "contrib" / "via" / "metadata.toml").write_text('name = "via"\nversion = "1"\n')
    found = release_check.check_metadata(root)
    assert any("license is missing" in line for line in found)
    assert any("version of its own" in line for line in found)


def test_a_release_is_dated_committed_and_tagged(root):
    def git(*arguments: str) -> None:
        who = ["-c", "user.name=t", "-c", "user.email=t@t"]
        subprocess.run(["git", "-C", root, *who, *arguments], check=True, capture_output=True)

    git("init", "-q")
    found = release_check.complaints(root, tag=False)
    assert found == []
    log = root / "CHANGELOG.md"
    log.write_text(log.read_text().replace("unreleased", "2026-11-21"))
    git("add", ".")
    git("commit", "-q", "-m", "all")
    assert release_check.complaints(root, tag=True) == ["the commit is not tagged v1.2.3"]
    git("tag", "v1.2.3")
    assert release_check.complaints(root, tag=True) == []
