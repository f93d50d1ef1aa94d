# SPDX-License-Identifier: GPL-2.0-only
"""The layering check accepts what the rooms allow and names what they forbid."""

from pathlib import Path

import layering
import pytest

OWNERS = {
    "via-time.h": "model/base",
    "via-link.h": "model/fabric",
    "via-bus.h": "model/host",
    "via-nic.h": "model/nic",
    "vipl.h": "model/vipl",
}


@pytest.fixture
def include(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Complaints about a source of a room that includes what is given."""
    monkeypatch.setattr(layering, "ROOT", tmp_path)

    def complaints(room: str, *includes: str, name: str = "via-thing.cc") -> list[str]:
        path = tmp_path / "contrib" / "via" / room / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"#include {what}\n" for what in includes), encoding="utf-8")
        return layering.violations(path, OWNERS)

    return complaints


@pytest.mark.parametrize(
    ("room", "header"),
    [
        ("model/fabric", "via-time.h"),
        ("model/nic", "via-bus.h"),
        ("model/vipl", "via-nic.h"),
        ("protocols", "vipl.h"),
        ("programs", "via-link.h"),
    ],
)
def test_a_lower_room_may_be_included(include, room: str, header: str):
    assert include(room, f'"ns3/{header}"') == []


@pytest.mark.parametrize(
    ("room", "header"),
    [
        ("model/base", "via-link.h"),
        ("model/fabric", "via-nic.h"),
        ("model/nic", "via-link.h"),
        ("model/vipl", "via-link.h"),
        ("model/host", "via-nic.h"),
        ("model/nic", "vipl.h"),
        ("profile", "via-bus.h"),
    ],
)
def test_another_room_is_refused_by_name(include, room: str, header: str):
    (complaint,) = include(room, f'"ns3/{header}"')
    assert f"{room} may not include {header}" in complaint


def test_a_folder_inside_of_a_room_belongs_to_it(include):
    assert include("model/nic/engine", '"ns3/via-bus.h"', '"ns3/via-nic.h"') == []
    (complaint,) = include("model/nic/engine", '"ns3/via-link.h"')
    assert "model/nic may not include via-link.h of model/fabric" in complaint


def test_a_room_inside_of_a_room_has_rules_of_its_own(include, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(OWNERS, "via-round.h", "protocols")
    assert include("protocols/library", '"ns3/via-round.h"') == []
    (complaint,) = include("protocols/messages", '"ns3/via-round.h"')
    assert "protocols/messages may not include via-round.h" in complaint


def test_a_source_names_its_own_header_first(include):
    assert include("model/nic", '"via-nic.h"', '"ns3/via-time.h"', "<vector>") == []


def test_a_bare_header_after_the_first_is_refused(include):
    (complaint,) = include("model/nic", '"ns3/via-time.h"', '"via-nic.h"')
    assert 'write "ns3/via-nic.h"' in complaint


def test_a_header_that_is_not_there_is_refused(include):
    (complaint,) = include("model/nic", '"ns3/via-ghost.h"')
    assert "there is no via-ghost.h" in complaint


def test_an_unknown_folder_is_refused(include):
    (complaint,) = include("firmware", '"ns3/via-time.h"')
    assert "firmware is no room" in complaint


def test_the_tree_keeps_its_rooms():
    assert layering.main() == 0


def test_names_of_headers_are_mended(tmp_path: Path):
    path = tmp_path / "via-nic.cc"
    path.write_text('#include "via-nic.h"\n#include "via-bus.h"\n#include <vector>\n')
    layering.mend_names(path, OWNERS)
    assert path.read_text() == '#include "via-nic.h"\n#include "ns3/via-bus.h"\n#include <vector>\n'


def test_the_header_of_the_whole_module_is_for_examples_only(include):
    assert include("examples", '"ns3/via-module.h"') == []
    (complaint,) = include("model/nic", '"ns3/via-module.h"')
    assert "there is no via-module.h" in complaint
