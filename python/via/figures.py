# SPDX-License-Identifier: GPL-2.0-only
"""Provenance in the metadata of figure files.

The description field of a file holds one JSON object: {"via": ..., "command": {...}, "provenance":
[...], "data": "32 hex digits"}. `provenance` is that of the runs, `data` a digest of the data
drawn; `via reproduce` runs the command again. The object has no date, no absolute path and no
version of the drawing library, so the same data give the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import numpy as np

from via._base.commands import command_for
from via._base.files import check_writable, place_for
from via.errors import refuse
from via.versions import VERSION

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Provenance = Mapping[str, Any] | Sequence[Mapping[str, Any]]

# By file type: the description field, and the fields that would give date or software.
_FIELDS: dict[str, tuple[str, tuple[str, ...]]] = {
    ".png": ("Description", ("Software",)),
    ".svg": ("Description", ("Date", "Creator")),
    ".pdf": ("Subject", ("CreationDate", "Creator", "Producer")),
}
KINDS = tuple(_FIELDS)
_DC = "{http://purl.org/dc/elements/1.1/}description"
_PDF_TEXT = re.compile(rb"/Subject \(((?:\\.|[^()\\])*)\)", re.DOTALL)


def check_kind(path: Path, option: str = "path") -> None:
    """Refuse a file name without the suffix of a figure.

    Raises:
        ConfigError: the suffix is none of .png, .svg and .pdf.
    """
    if path.suffix not in _FIELDS:
        raise refuse(option, path, f"a figure ends in {', '.join(KINDS[:-1])} or {KINDS[-1]}")


def save_figure(figure: Figure, path: str | os.PathLike[str]) -> None:
    """Write a user's figure so that `via reproduce` can draw it again.

    Args:
        figure: a matplotlib figure.
        path: a .png, .svg or .pdf file.

    Raises:
        ConfigError: another suffix, or a path that cannot be written to.
    """
    import matplotlib as mpl

    place = Path(path)
    check_kind(place)
    check_writable(place, "path")
    with place_for(place) as beside, mpl.rc_context({"svg.hashsalt": "via"}):
        figure.savefig(beside, metadata=metadata(figure, place, ()))


def metadata(figure: Figure, path: Path, provenance: Provenance) -> dict[str, str | None]:
    """Return the `metadata` argument of matplotlib's savefig for a file at this path."""
    place, silent = _FIELDS[path.suffix]
    origins = [provenance] if isinstance(provenance, Mapping) else list(provenance)
    told = {
        "via": VERSION,
        "command": command_for(path.parent),
        "provenance": origins,
        "data": drawn(figure),
    }
    text = json.dumps(told, ensure_ascii=True, separators=(",", ":"))
    return {place: text} | dict.fromkeys(silent)


def stack() -> dict[str, str]:
    """Return the versions of the libraries on which the bytes of a figure depend."""
    import matplotlib as mpl
    from matplotlib import ft2font

    return {
        "matplotlib": mpl.__version__,
        "freetype": str(ft2font.__freetype_version__),
        "numpy": np.__version__,
    }


def read(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return the provenance in a figure file: "via", "command", "provenance" and "data".

    Raises:
        ConfigError: the file cannot be read, or has no provenance.
    """
    place = Path(path)
    check_kind(place)
    readers = {".png": _read_png, ".svg": _read_svg, ".pdf": _read_pdf}
    try:
        text = readers[place.suffix](place)
    except (OSError, SyntaxError, ValueError, LookupError) as error:
        raise refuse("path", path, f"cannot be read as a figure: {error}") from error
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict) or not {"via", "provenance", "data"} <= set(told):
        raise refuse("path", path, "it has no provenance")
    return told


def _read_png(path: Path) -> str:
    from PIL import Image  # a dependency of matplotlib

    try:
        with Image.open(path) as image:
            image.load()
            return str(getattr(image, "text", {}).get("Description", ""))
    except Image.DecompressionBombError as error:
        raise ValueError(str(error)) from error


def _read_svg(path: Path) -> str:
    found = ElementTree.parse(path).getroot().iter(_DC)
    return next((element.text or "" for element in found), "")


def _read_pdf(path: Path) -> str:
    found = _PDF_TEXT.search(path.read_bytes())
    return re.sub(rb"\\(.)", rb"\1", found[1], flags=re.DOTALL).decode("ascii") if found else ""


def drawn(figure: Figure) -> str:
    """Return a digest of the data that a figure shows: 32 hexadecimal digits.

    It covers lines, bars, points, images and the axes' limits, labels and scales to twelve decimal
    digits; not fonts, colours or the layout on the page.
    """
    sha = hashlib.sha256()
    for axes in figure.axes:
        for part in _parts(axes):
            sha.update(part.encode())
            sha.update(b"\n")
    return sha.hexdigest()[:32]


def _parts(axes: Any) -> Iterator[str]:
    yield f"{axes.get_xlabel()}|{axes.get_ylabel()}|{axes.get_xscale()}|{axes.get_yscale()}"
    yield _numbers([*axes.get_xlim(), *axes.get_ylim()])
    for line in axes.lines:
        yield f"line {_label(line)} {_numbers(line.get_xydata())}"
    for patch in axes.patches:
        shape = patch.get_patch_transform().transform_path(patch.get_path())
        yield f"patch {_numbers(shape.vertices)}"
    for collection in axes.collections:
        vertices = [path.vertices for path in collection.get_paths()]
        yield f"offsets {_numbers(collection.get_offsets())}"
        yield f"paths {' '.join(map(_numbers, vertices))}"
        if collection.get_array() is not None:
            yield f"values {_numbers(collection.get_array())}"
    for image in axes.images:
        yield f"image {_numbers(image.get_array())}"
    for text in axes.texts:
        yield f"text {text.get_text()}"


def _label(artist: Any) -> str:
    """Return a label, or "" for one that matplotlib has numbered itself."""
    label = str(artist.get_label())
    return "" if label.startswith("_") else label


def _numbers(values: Any) -> str:
    flat = np.ma.filled(np.ma.asarray(values, dtype=float), np.nan).ravel()
    return ",".join(f"{value:.12g}" for value in flat)
