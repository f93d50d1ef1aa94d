# SPDX-License-Identifier: GPL-2.0-only
"""The page on attributes and trace sources is what the module says of itself."""

import subprocess
import sys

import attribute_reference
from via import _core


def test_the_page_is_current():
    # a run sets the resolution of ns-3's time, and so how its times are written
    done = subprocess.run(
        [sys.executable, attribute_reference.__file__], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_every_path_belongs_to_a_type():
    names = {kind["name"] for kind in _core.types()}
    assert attribute_reference.PATHS.keys() <= names
    assert {"ViaProfile", "ViaTopology"} <= {each["name"] for each in _core.global_values()}


def test_texts_fit_into_tables():
    assert attribute_reference.cell("fifo|voq") == "fifo\\|voq"
    assert attribute_reference.initial("+1000.0ns") == "`1000 ns`"
    assert attribute_reference.initial("star") == "`star`"
    assert attribute_reference.initial("") == ""
    assert attribute_reference.kind_of("uint32_t 0:4294967295") == "uint32_t"
    assert attribute_reference.kind_of("uint16_t 68:65535") == "uint16_t 68:65535"
