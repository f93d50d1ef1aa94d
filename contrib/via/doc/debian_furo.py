# SPDX-License-Identifier: GPL-2.0-only
"""Mends the theme furo as Debian 12 packages it, in the pages that are built.

Its script is loaded as a plain one but is a module, so nothing of it runs: no choice of dark or
light, no mark in the contents of the page. Its style imports /javascript/normalize.css, which is
on a server of Debian only, and lacks the rule for readers whose system is dark, who would see dark
code on a light page. Other packages of furo stay as they are.
"""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.application import Sphinx

MODULE = 'import Gumshoe from "./gumshoe-patched.js";\n'
IMPORT = "@import url(/javascript/normalize.css/normalize.css);\n"
NORMALIZE = Path("/usr/share/javascript/normalize.css/normalize.css")
CHOSEN_DARK = re.compile(r'body\[data-theme="dark"\] \{([^}]*)\}')
SYSTEM_IS_DARK = """
@media not print {
@media (prefers-color-scheme: dark) {
  body:not([data-theme="light"]) {%s}
  html body:not([data-theme="light"]) .only-light { display: none !important; }
  body:not([data-theme="light"]) .only-dark { display: block !important; } } }
"""


def mend(site: Path) -> None:
    """Put into the script and the style what they import, and into the style what it lacks."""
    static = site / "_static"
    script, style = static / "scripts" / "furo.js", static / "styles" / "furo.css"
    text = script.read_text("utf-8")
    if text.startswith(MODULE):
        used = script.with_name("gumshoe-patched.js").read_text("utf-8")
        script.write_text(f"{used}\n(() => {{\n{text.removeprefix(MODULE)}\n}})();\n", "utf-8")
    text = style.read_text("utf-8")
    if text.startswith(IMPORT):
        text = NORMALIZE.read_text("utf-8") + text.removeprefix(IMPORT)
    if "prefers-color-scheme" not in text and (dark := CHOSEN_DARK.search(text)):
        text += SYSTEM_IS_DARK % dark[1]
    style.write_text(text, "utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Mend the files when all are written."""

    def finished(app: Sphinx, error: Exception | None) -> None:
        if error is None and app.builder.name == "html":
            mend(Path(app.outdir))

    app.connect("build-finished", finished)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
