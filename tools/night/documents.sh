#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# The documentation site builds; a warning is an error. Wide figures of the gallery have two places.
# Where Chromium is, pages open without an error of a script or a file that is missing.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
./via docs --yes
grep -q '<a href="#09-message" class="wide">' build/docs/gallery.html
! command -v chromium >/dev/null || PYTHONPATH=python/tests python3 - <<'SCRIPT'
import pathlib
import tempfile

import browser

SITE = pathlib.Path("build/docs").resolve()
DARK = "document.body.dataset.theme"
with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
    with browser.opened(pathlib.Path(home)) as page:
        notebook = "notebooks/1-a-first-cluster"
        for name in ("index", "gallery", "python-api", "ten-tasks", "search", notebook):
            page.call("Page.navigate", url=(SITE / f"{name}.html").as_uri())
            page.until(f"location.pathname.endsWith('{name}.html')")
            page.until("document.readyState === 'complete'")
            assert page.value("getComputedStyle(document.body).margin") == "0px", name
            assert page.complaints() == [], (name, page.complaints())
        dark = [{"name": "prefers-color-scheme", "value": "dark"}]
        page.call("Emulation.setEmulatedMedia", features=dark)
        assert page.value("getComputedStyle(document.body).backgroundColor") != "rgb(255, 255, 255)"
        page.call("Page.navigate", url=(SITE / f"{notebook}.html").as_uri())
        page.until("document.querySelector('.rendered_html table') !== null")
        colour = "getComputedStyle(document.querySelector('.rendered_html table')).color"
        assert page.value(colour) != "rgb(0, 0, 0)"  # on dark
        before = page.value(DARK)
        page.value("document.querySelector('.theme-toggle').click(), 1")
        assert page.value(DARK) != before
SCRIPT
