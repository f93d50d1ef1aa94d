# SPDX-License-Identifier: GPL-2.0-only
"""The diagrams of the docs are what tools/drawings.py draws."""

import subprocess
import sys
from pathlib import Path

from matplotlib import image

ROOT = Path(__file__).resolve().parents[2]
IMAGES = ROOT / "contrib" / "via" / "doc" / "images" / "concepts"


def test_the_diagrams_are_drawn_by_the_tool(tmp_path):
    tool = ROOT / "tools" / "drawings.py"
    subprocess.run([sys.executable, tool, tmp_path], check=True, timeout=120)
    names = sorted(path.name for path in IMAGES.glob("*.png"))
    assert names and names == sorted(path.name for path in tmp_path.glob("*.png"))
    for name in names:
        kept, drawn = image.imread(IMAGES / name), image.imread(tmp_path / name)
        assert kept.shape == drawn.shape, name
        assert abs(kept - drawn).mean() < 0.01, name  # letters differ with the release of FreeType
