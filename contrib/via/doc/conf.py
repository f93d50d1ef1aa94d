# SPDX-License-Identifier: GPL-2.0-only
"""The documentation site: Markdown and reStructuredText pages of this folder."""

project = "via"
author = "the via authors"
html_title = "via"
extensions = ["myst_parser"]
source_suffix = {".rst": "restructuredtext", ".md": "markdown"}
myst_heading_anchors = 3
exclude_patterns = ["_build", "calibration-table.md"]
html_theme = "alabaster"
