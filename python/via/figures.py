# SPDX-License-Identifier: GPL-2.0-only
"""Figures as files: the same bytes for the same data, and with what it takes to draw them again.

The metadata hold what made the figure, a digest of the data of each panel, and the versions of what
drew it: with another version of matplotlib bytes differ, and the data do not.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib import ft2font
from matplotlib.figure import Figure

from via.errors import refuse
from via.files import check_writable, place_for

SCHEMA = "via-figure/1"

# Where each format keeps a text, and what it would write of dates and versions.
_METADATA: dict[str, tuple[str, dict[str, None]]] = {
    ".png": ("Description", {"Software": None}),
    ".svg": ("Description", {"Date": None, "Creator": None}),
    ".pdf": ("Subject", {"CreationDate": None, "Creator": None, "Producer": None}),
}
_IN_PDF = re.compile(rb"/Subject \((.*?[^\\])\)\s*(?:/|>>)", re.DOTALL)
_IN_SVG = re.compile(r"<dc:description>(.*?)</dc:description>", re.DOTALL)


def save_figure(figure: Figure, path: str | os.PathLike[str]) -> None:
    """Write a figure of the user's own, so that `via reproduce` can draw it again.

    Args:
        figure: of matplotlib.
        path: .png, .svg or .pdf.

    Raises:
        ConfigError: another format, or a place that cannot be written to.
    """
    place = Path(path)
    check_writable(place, "path")
    with place_for(place) as beside:
        save(figure, beside)


def save(figure: Figure, path: Path) -> None:
    """Write a figure with its provenance; its folder is the one it will stay in."""
    from via import provenance

    if path.suffix not in _METADATA:
        raise refuse("path", path.name, f"the formats are {', '.join(_METADATA)}")
    key, others = _METADATA[path.suffix]
    command = provenance.current()
    if provenance.needs_place(command):
        command = provenance.placed(command, path.parent)
    about = {"schema": SCHEMA, "command": command, "data": digests(figure), "stack": stack()}
    with mpl.rc_context({"svg.hashsalt": "via"}):
        figure.savefig(path, metadata={**others, key: json.dumps(about, separators=(",", ":"))})


def read(path: Path) -> dict[str, Any] | None:
    """Return what a figure says of itself; None: it is none of ours."""
    try:
        text = _text_of(path)
        found = json.loads(text) if text else None
    except (OSError, ValueError):
        return None
    is_ours = isinstance(found, dict) and found.get("schema") == SCHEMA
    return found if is_ours else None


def stack() -> dict[str, str]:
    """Return the versions on which the bytes of a figure depend besides its data."""
    return {
        "matplotlib": mpl.__version__,
        "freetype": str(ft2font.__freetype_version__),
        "numpy": np.__version__,
    }


def digests(figure: Figure) -> list[str]:
    """Return a digest of the data drawn for each panel, in order."""
    return [_digest(drawn(panel)) for panel in figure.axes]


def drawn(axes: Any) -> list[object]:
    """Return the data of a panel: lines, bars and areas, points, images, texts, kinds of axes."""
    return [
        ["axes", axes.get_title(loc="left"), axes.get_title(), axes.get_xlabel(),
         axes.get_ylabel(), axes.get_xscale(), axes.get_yscale()],
        *(["line", _label(each), _numbers(each.get_xdata()), _numbers(each.get_ydata())]
          for each in axes.lines),
        *(["patch", _label(each), _numbers(each.get_patch_transform().transform(
            each.get_path().vertices))] for each in axes.patches),
        *(["collection", _label(each), _numbers(each.get_offsets()),
           [_numbers(path.vertices) for path in each.get_paths()],
           None if each.get_array() is None else _numbers(each.get_array())]
          for each in axes.collections),
        *(["image", _numbers(each.get_array())] for each in axes.images),
        *(["text", each.get_text()] for each in axes.texts),
    ]  # fmt: skip


def _label(artist: Any) -> str:
    """Return a label; those that matplotlib numbers itself are none."""
    label = str(artist.get_label())
    return "" if label.startswith("_") else label


def _numbers(values: Any) -> list[str]:
    # 12 digits: the last ones are those of the processor's and the library's rounding
    flat = np.ma.filled(np.ma.asarray(values, dtype=float), np.nan).ravel()
    return [f"{value:.12g}" for value in flat]


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:32]


def _text_of(path: Path) -> str:
    if path.suffix == ".png":
        from PIL import Image

        with Image.open(path) as image:
            return str(image.info.get("Description", ""))
    if path.suffix == ".svg":
        import html

        found = _IN_SVG.search(path.read_text("utf-8"))
        return html.unescape(found[1]) if found else ""
    if path.suffix == ".pdf":
        inside = _IN_PDF.search(path.read_bytes())
        return re.sub(rb"\\(.)", rb"\1", inside[1]).decode("ascii") if inside else ""
    return ""
