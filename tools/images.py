#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Draws the images of README and documentation: `./via docs --figures`.

Each image has its command in its metadata, so `./via reproduce` can also make it. --list prints the
command of each image; --check fails if an image would show other data now.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from via import figures
from via._base import commands
from via.sweeps.store import NOTHING, VARIABLE

ROOT = Path(__file__).resolve().parents[1]
DOC = Path("contrib/via/doc")


@dataclass(frozen=True)
class Maker:
    """The command or script that draws some images.

    Attributes:
        folder: the folder of the images.
        command: arguments of `via`; empty: a script draws them.
        script: a Python script in the documentation's folder.
    """

    folder: Path
    command: tuple[str, ...] = ()
    script: str = ""

    def __str__(self) -> str:
        return " ".join(["./via", *(self.command or ("python", str(DOC / self.script)))])

    def images(self, root: Path | None = None) -> list[Path]:
        """Return the existing images in a tree, by default this one."""
        return sorted(((root or ROOT) / self.folder).glob("*.png"))

    def is_told_by(self, image: Path) -> bool:
        """Return whether the metadata of an image name this maker."""
        command = figures.read(image).get("command", {})
        if self.command:
            return command == commands.of_command(*self.command)
        place = image.parent / command.get("cwd", "") / command.get("script", "")
        return command.get("kind") == "script" and place.resolve() == ROOT / DOC / self.script


MAKERS = (
    Maker(Path("doc/images"), command=("demo",)),
    Maker(DOC / "images", script="gallery.py"),
    Maker(DOC / "images" / "concepts", script="drawings.py"),
)


def draw(maker: Maker, root: Path) -> None:
    """Draw images into a tree that contains the documentation."""
    if maker.script:
        _run([str(root / DOC / maker.script)], root)
        return
    with tempfile.TemporaryDirectory(prefix="via-images-") as made:
        _run(["-m", "via", *maker.command, "--out", made], root)
        for image in maker.images():
            shutil.copyfile(Path(made, image.name), root / maker.folder / image.name)


def _run(words: list[str], folder: Path) -> None:
    environment = {**os.environ, VARIABLE: NOTHING}
    subprocess.run(
        [sys.executable, *words], cwd=folder, env=environment, stdout=subprocess.DEVNULL, check=True
    )


def differing(maker: Maker) -> list[Path]:
    """Return a maker's images that would now have other data, or would not be drawn."""
    with tempfile.TemporaryDirectory(prefix="via-images-") as folder:
        root = Path(folder)
        for part in (DOC, Path("doc")):
            shutil.copytree(ROOT / part, root / part)
        for image in maker.images(root):
            image.unlink()
        draw(maker, root)
        return [image for image in maker.images() if not _is_same(image, root)]


def _is_same(image: Path, root: Path) -> bool:
    drawn = root / image.relative_to(ROOT)
    return drawn.is_file() and figures.read(drawn)["data"] == figures.read(image)["data"]


def main() -> int:
    """Draw, list or check; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", action="store_true", help="print the command of each image")
    parser.add_argument("--check", action="store_true", help="fail if an image shows old data")
    given = parser.parse_args()
    if given.list:
        for maker in MAKERS:
            for image in maker.images():
                print(f"{image.relative_to(ROOT)}: {maker}")
        return 0
    stale = []
    for maker in MAKERS:
        print(f"via: {maker}", file=sys.stderr)
        if given.check:
            stale += differing(maker)
        else:
            draw(maker, ROOT)
    for image in stale:
        print(f"{image.relative_to(ROOT)}: other data are drawn now; ./via docs --figures")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
