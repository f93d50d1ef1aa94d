# SPDX-License-Identifier: GPL-2.0-only
"""The directive `thumbnails`: runs the scripts of a folder and shows their figures with the code.

Each script draws figure.svg into the current folder; its docstring is a title and a sentence. A
script that fails fails the build.
"""

from __future__ import annotations

import ast
import contextlib
import html
import os
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

FOLDER = "_thumbnails"  # of the site
WIDE = 1.8  # times as wide as high, a figure has two places
STYLE = """\
<style>
.thumbnails { display: grid; grid-template-columns: repeat(auto-fill, minmax(10.5rem, 1fr)); }
.thumbnails { gap: 0.8rem; margin: 1rem 0; grid-auto-flow: row dense; }
.thumbnails a { border: 1px solid #8884; border-radius: 4px; padding: 0.4rem; font-size: 0.8rem; }
.thumbnails a { text-decoration: none; text-align: center; line-height: 1.3; }
.thumbnails .wide { grid-column: span 2; }
@media (max-width: 30rem) { .thumbnails .wide { grid-column: auto; } }
.thumbnails img { background: white; width: 100%; height: 7.5rem; object-fit: contain; }
.drawn { background: white; max-width: 100%; }
</style>
"""


@dataclass(frozen=True)
class Example:
    """A script: its name, what its docstring says, and its code without that."""

    name: str
    title: str
    said: str
    code: str

    @property
    def image(self) -> str:
        """Where its figure is, seen from a page in the root of the site."""
        return f"{FOLDER}/{self.name}.svg"


def examples(folder: Path) -> list[tuple[Path, Example]]:
    """Return the scripts of a folder in the order of their names."""
    found = []
    for path in sorted(folder.glob("*.py")):
        text = path.read_text("utf-8")
        tree = ast.parse(text)
        title, _, said = (ast.get_docstring(tree) or "").partition("\n\n")
        first = tree.body[0].end_lineno or 0
        code = "\n".join(text.splitlines()[first:]).strip() + "\n"
        found.append((path, Example(path.stem, title.removesuffix("."), said, code)))
    return found


@contextlib.contextmanager
def elsewhere() -> Iterator[Path]:
    """Work in a new folder for a while."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield Path(folder)
        finally:
            os.chdir(before)


def draw(script: Path) -> str:
    """Run a script in a folder of its own; return its figure."""
    with elsewhere() as folder:
        code = compile(script.read_text("utf-8"), str(script), "exec")
        exec(code, {"__name__": "__main__", "__file__": str(script)})
        return (folder / "figure.svg").read_text("utf-8")


def is_wide(figure: str) -> bool:
    """Return whether a figure is too wide for one place among the others."""
    size = re.search(r'<svg\b[^>]*?\bviewBox="\S+ \S+ (\S+) (\S+)"', figure)
    return size is not None and float(size[1]) > WIDE * float(size[2])


def thumbnail(each: Example, figure: str) -> str:
    """Return the link to the section of an example."""
    place = ' class="wide"' if is_wide(figure) else ""
    title = html.escape(each.title)
    return f'<a href="#{each.name}"{place}><img src="{each.image}" alt=""/>{title}</a>'


class Thumbnails(SphinxDirective):
    """`.. thumbnails:: FOLDER`, from the folder of the page."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Draw all figures; return the thumbnails, and a section for each script."""
        folder = Path(self.env.doc2path(self.env.docname)).parent / self.arguments[0]
        self.env.note_reread()  # figures depend on more than their scripts
        images = Path(self.env.app.outdir) / FOLDER
        images.mkdir(parents=True, exist_ok=True)
        links, sections = [], []
        for path, each in examples(folder):
            figure = draw(path)
            (images / f"{each.name}.svg").write_text(figure, encoding="utf-8")
            links.append(thumbnail(each, figure))
            sections.append(self._section(each))
        grid = f'{STYLE}<div class="thumbnails">\n' + "\n".join(links) + "\n</div>"
        return [nodes.raw("", grid, format="html"), *sections]

    def _section(self, each: Example) -> nodes.section:
        section = nodes.section(ids=[each.name], names=[each.name])
        section += nodes.title(text=each.title)
        section += nodes.paragraph(text=each.said)
        alt = html.escape(each.said, quote=True)
        image = f'<img class="drawn" src="{each.image}" alt="{alt}"/>'
        section += nodes.raw("", image, format="html")
        section += nodes.literal_block(each.code, each.code, language="python")
        return section


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive."""
    app.add_directive("thumbnails", Thumbnails)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
