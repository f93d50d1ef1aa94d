#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Draws the images of the page on plots again: `./via python tools/gallery.py`.

That those in the repository show what the scripts of the page draw is a test of the page.
"""

import os
import re
from pathlib import Path

DOC = Path(__file__).resolve().parents[1] / "contrib" / "via" / "doc"


def main() -> None:
    """Run the Python blocks of the page in the folder of its images."""
    text = (DOC / "plots.md").read_text("utf-8")
    (DOC / "images").mkdir(exist_ok=True)
    os.chdir(DOC / "images")
    names: dict[str, object] = {}
    for block in re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        exec(compile(block, "plots.md", "exec"), names)


if __name__ == "__main__":
    main()
