#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Draws the images of the page on plots: its Python blocks are run in the folder of its images."""

import os
import re
from pathlib import Path

from via._base import commands

DOC = Path(__file__).resolve().parent
IMAGES = DOC / "images"


def main() -> None:
    """Run the blocks; each image says that this script makes it."""
    text = (DOC / "plots.md").read_text("utf-8")
    command = commands.of_script(Path(__file__), DOC) | {"cwd": os.path.relpath(DOC, IMAGES)}
    os.chdir(IMAGES)
    names: dict[str, object] = {}
    with commands.recording(command):
        for block in re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
            exec(compile(block, "plots.md", "exec"), names)


if __name__ == "__main__":
    main()
