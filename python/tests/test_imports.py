# SPDX-License-Identifier: GPL-2.0-only
"""What is slow to load is loaded when it is needed: pandas for a table, matplotlib for a figure."""

import subprocess
import sys

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
import via

SLOW = ("pandas", "matplotlib", "ssl")  # the last by urllib, of which nothing is needed

QUICK = {
    "the package": "import via",
    "a run of which nothing is recorded": """
import via
run = via.Cluster("torus:2x2", nodes=4, record=False).run("barrier", rounds=2)
assert run.digest
assert run.latency().count == len(run.samples) == 2
""",
    "an error": """
import via
try:
    via.Cluster(profile="no such product")
except via.ConfigError:
    pass
""",
    "the help of the command line": "from via._cli import main\nassert main(['--help']) == 0",
}

NEEDS = {
    "pandas": """
import via
run = via.Cluster(nodes=2).run("ping-pong", rounds=2)
assert "pandas" not in sys.modules
assert len(run.messages) == 4
""",
    "matplotlib": 'import via\nvia.plot_topology(via.topology.star(4), "star.svg")',
}


def loaded(script: str, folder) -> set[str]:
    """Run a script in an OS process of its own; return what it loaded of what is slow to load."""
    tell = f"print('loaded', *({{*{SLOW!r}}} & {{*sys.modules}}))"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys\n{script}\n{tell}"],
        cwd=folder, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    word, *names = done.stdout.splitlines()[-1].split()
    assert word == "loaded"
    return set(names)


@pytest.mark.parametrize("script", QUICK.values(), ids=QUICK)
def test_nothing_slow_is_loaded_for(script, tmp_path):
    assert loaded(script, tmp_path) == set()


@pytest.mark.parametrize(("name", "script"), NEEDS.items(), ids=NEEDS)
def test_what_is_slow_is_loaded_on_demand(name, script, tmp_path):
    assert name in loaded(script, tmp_path)


def test_versions_that_are_read_without_loading_are_those_that_are_loaded():
    run = via.Cluster(nodes=2, record=False).run("ping-pong", rounds=2)
    found = {name: via.about()[name] for name in ("numpy", "pandas", "matplotlib")}
    assert found == {
        "numpy": np.__version__, "pandas": pd.__version__, "matplotlib": mpl.__version__,
    }  # fmt: skip
    assert run.provenance["pandas"] == pd.__version__
