# SPDX-License-Identifier: GPL-2.0-only
"""The images of README and documentation show what the commands draw that they name."""

import re
import shutil
from pathlib import Path

import images
import pytest
from via._cli import reproducing

PAGES = [images.ROOT / "README.md", *sorted((images.ROOT / images.DOC).rglob("*.md"))]
SHOWN = re.compile(r"!\[[^]]*\]\(([^)]+\.(?:png|svg))\)")


def short_name(maker):
    return maker.script.removesuffix(".py") or maker.command[0]


def shown():
    """The images that the pages show."""
    for page in PAGES:
        for name in SHOWN.findall(page.read_text("utf-8")):
            yield (page.parent / name).resolve()


def test_every_image_that_is_shown_has_a_maker_and_every_image_is_shown():
    made = {image for maker in images.MAKERS for image in maker.images()}
    assert made == set(shown())


@pytest.mark.parametrize("maker", images.MAKERS, ids=short_name)
def test_an_image_says_what_makes_it(maker):
    assert maker.images()
    assert [image for image in maker.images() if not maker.is_told_by(image)] == []


@pytest.mark.parametrize("maker", images.MAKERS, ids=short_name)
def test_an_image_shows_what_its_command_draws_now(maker):
    assert images.differing(maker) == [], "./via docs --figures draws them again"


@pytest.mark.ci
@pytest.mark.parametrize("maker", images.MAKERS, ids=short_name)
def test_an_image_is_reproduced(maker):
    (finding,) = reproducing.reproduce(maker.images()[0], jobs=1)
    assert finding.verdict != reproducing.DIFFERS, finding.detail


def test_an_image_of_other_data_and_one_that_nothing_draws_are_found(tmp_path, monkeypatch):
    for part in (images.DOC, Path("doc")):
        shutil.copytree(images.ROOT / part, tmp_path / part)
    concepts = images.MAKERS[-1]
    changed = [tmp_path / concepts.folder / name for name in ("states.png", "unheard-of.png")]
    for image in changed:
        shutil.copyfile(tmp_path / concepts.folder / "credits.png", image)
    monkeypatch.setattr(images, "ROOT", tmp_path)
    assert images.differing(concepts) == changed
