# SPDX-License-Identifier: GPL-2.0-only
"""The layering check accepts what the layers allow and names what they forbid."""

from pathlib import Path

import layering
import pytest

OWNERS = {
    "via-time.h": "base",
    "via-link.h": "fabric",
    "via-bus.h": "host",
    "via-nic.h": "nic",
    "vipl.h": "vipl",
}


@pytest.fixture
def include(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Complaints about a source of a layer that includes what is given."""
    monkeypatch.setattr(layering, "ROOT", tmp_path)

    def complaints(layer: str, *includes: str, name: str = "via-thing.cc") -> list[str]:
        path = tmp_path / "contrib" / "via" / "model" / layer / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"#include {what}\n" for what in includes), encoding="utf-8")
        return layering.violations(path, OWNERS)

    return complaints


@pytest.mark.parametrize(
    ("layer", "header"),
    [("fabric", "via-time.h"), ("nic", "via-bus.h"), ("vipl", "via-nic.h"), ("workload", "vipl.h")],
)
def test_a_lower_layer_may_be_included(include, layer: str, header: str):
    assert include(layer, f'"ns3/{header}"') == []


@pytest.mark.parametrize(
    ("layer", "header"),
    [
        ("base", "via-link.h"),
        ("fabric", "via-nic.h"),
        ("nic", "via-link.h"),
        ("vipl", "via-link.h"),
        ("host", "via-nic.h"),
        ("nic", "vipl.h"),
    ],
)
def test_another_layer_is_refused_by_name(include, layer: str, header: str):
    (complaint,) = include(layer, f'"ns3/{header}"')
    assert f"{layer} may not include {header}" in complaint


def test_a_source_names_its_own_header_first(include):
    assert include("nic", '"via-nic.h"', '"ns3/via-time.h"', "<vector>") == []


def test_a_bare_header_after_the_first_is_refused(include):
    (complaint,) = include("nic", '"ns3/via-time.h"', '"via-nic.h"')
    assert 'write "ns3/via-nic.h"' in complaint


def test_a_header_that_is_not_there_is_refused(include):
    (complaint,) = include("nic", '"ns3/via-ghost.h"')
    assert "there is no via-ghost.h" in complaint


def test_an_unknown_folder_is_refused(include):
    (complaint,) = include("firmware", '"ns3/via-time.h"')
    assert "firmware is no layer" in complaint


def test_the_tree_keeps_its_layers():
    assert layering.main() == 0


def test_names_of_headers_are_mended(tmp_path: Path):
    path = tmp_path / "via-nic.cc"
    path.write_text('#include "via-nic.h"\n#include "via-bus.h"\n#include <vector>\n')
    layering.mend_names(path, OWNERS)
    assert path.read_text() == '#include "via-nic.h"\n#include "ns3/via-bus.h"\n#include <vector>\n'


def test_the_header_of_the_whole_module_is_for_examples_only(include):
    assert include("examples", '"ns3/via-module.h"') == []
    (complaint,) = include("nic", '"ns3/via-module.h"')
    assert "there is no via-module.h" in complaint
