# SPDX-License-Identifier: GPL-2.0-only
"""The documentation site: Markdown and reStructuredText pages of this folder."""

import os

project = "via"
author = "the via authors"
html_title = "via"
extensions = ["myst_parser", "breathe"]
source_suffix = {".rst": "restructuredtext", ".md": "markdown"}
myst_heading_anchors = 3
exclude_patterns = ["_build", "calibration-table.md"]
html_theme = "alabaster"
html_theme_options = {
    "page_width": "1200px",  # tables and lines of code are up to 120 letters
    "sidebar_includehidden": False,  # decisions are listed on their own index page, not here
}

# ./via docs has Doxygen write the API of C++ as XML there.
breathe_projects = {"via": os.environ.get("VIA_DOXYGEN_OUTPUT", "../../../build/doxygen") + "/xml"}
breathe_default_project = "via"
breathe_domain_by_extension = {"h": "cpp"}
