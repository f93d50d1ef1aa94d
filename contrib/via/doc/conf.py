# SPDX-License-Identifier: GPL-2.0-only
"""The documentation site, built by ./via docs: the Markdown and reST pages of this folder."""

import os
import shutil
import sys
from pathlib import Path

import pandas as pd
import via
from sphinx.application import Sphinx

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

project = "via"
html_show_copyright = False  # each file names its license
author = "the via authors"
html_title = "via"
extensions = [
    "myst_parser", "breathe",
    "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.mathjax", "nbsphinx", "thumbnails",
    "debian_furo", "plain_properties",
]  # fmt: skip
source_suffix = {".rst": "restructuredtext", ".md": "markdown"}
myst_enable_extensions = ["colon_fence", "dollarmath"]
smartquotes_action = "De"  # dashes, but no quotes: those of docstrings are Python's
myst_heading_anchors = 3
exclude_patterns = ["_build", "**.ipynb_checkpoints", "calibration-table.md", "coverage-table.md"]
html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["notebooks.css"]

# Notebooks are run when the pages are built, as copies: they write files beside them.
nbsphinx_execute = "always"
nbsphinx_requirejs_path = ""  # is for widgets, which they have not; each page would ask for it
nbsphinx_assume_equations = False  # their pages would ask a server for MathJax
shutil.rmtree(HERE / "notebooks", ignore_errors=True)
# new ones: outputs depend on more than the notebooks
shutil.copytree(
    HERE.parent / "examples" / "notebooks", HERE / "notebooks", copy_function=shutil.copy
)
os.environ["VIA_SWEEP_CACHE"] = "none"

# The API of Python is that of the module that ./via docs has built and put on the path.
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True}
autodoc_type_aliases = {"ArrayLike": "ArrayLike"}  # numpy's name, not what it stands for
# Signatures name types of pandas, which these modules import only when they make a table.
for module in (via.confidence, via.measured, via.profiles, via.results, via.workloads):
    module.pd = pd
napoleon_numpy_docstring = False
napoleon_use_ivar = True
python_use_unqualified_type_names = True

# ./via docs has Doxygen write the API of C++ as XML there.
breathe_projects = {"via": os.environ.get("VIA_DOXYGEN_OUTPUT", "../../../build/doxygen") + "/xml"}
breathe_default_project = "via"
breathe_domain_by_extension = {"h": "cpp"}


def setup(app: Sphinx) -> None:
    """Leave decision pages out of the sidebar: their index lists them, grouped by subject."""

    def leave_out(app: Sphinx, _: object) -> None:
        page = app.env.docname
        if page.startswith("decisions/") and page != "decisions/index":
            app.env.metadata[page]["orphan"] = True

    app.connect("doctree-read", leave_out)
