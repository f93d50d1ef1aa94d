# SPDX-License-Identifier: GPL-2.0-only
"""Writes a run as one HTML page that needs no network.

Nothing in a run can become HTML or a script: the template escapes all texts, data is JSON without
"<", and the page's policy permits no script but those whose hashes it names, and no connection.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from via._base.files import written
from via._page import panels, parts
from via.versions import VERSION

HERE = Path(__file__).parent


def write(run: parts.Reported, path: Path) -> None:
    """Write the page of a run.

    Raises:
        ConfigError: Bokeh is not installed, or the path cannot be written.
    """
    panels.check_library()
    text = _text(parts.of_run(run))
    with written(path) as file:
        file.write(text)


def _text(made: parts.Parts) -> str:
    from jinja2 import Environment, FileSystemLoader  # Bokeh needs it, too
    from markupsafe import Markup

    document = panels.document(
        made.figures, made.data["end_us"], made.limits, made.busiest, made.over_decades,
        made.time_axis,
    )  # fmt: skip
    elements = {each["attributes"]["name"]: each["id"] for each in document["roots"]}
    roots = {name: f"plot-{name}" for name in elements}
    figures = {"document": document, "roots": {elements[name]: roots[name] for name in roots}}
    scripts = [*panels.scripts(), _own("page.js")]
    environment = Environment(loader=FileSystemLoader(HERE), autoescape=True)
    return environment.get_template("page.html").render(
        **made.texts, roots=roots, notes=made.notes, version=VERSION, policy=_policy(scripts),
        scripts=list(map(Markup, scripts)), style=Markup(_own("page.css")),
        data=Markup(_in_script(made.data)),
        origin=Markup(_in_script(made.origin)), figures=Markup(_in_script(figures)),
    )  # fmt: skip


def _own(name: str) -> str:
    return (HERE / name).read_text("utf-8")


def _in_script(value: Any) -> str:
    """Return JSON that does not end the script element that it is in."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


def _policy(scripts: Sequence[str]) -> str:
    """Return a Content-Security-Policy: these scripts alone, and no connection to anywhere."""
    hashes = (base64.b64encode(hashlib.sha256(each.encode()).digest()) for each in scripts)
    listed = " ".join(f"'sha256-{each.decode('ascii')}'" for each in hashes)
    return (
        f"default-src 'none'; script-src {listed}; style-src 'unsafe-inline'; "
        "img-src data: blob:; font-src data:; base-uri 'none'; form-action 'none'"
    )
