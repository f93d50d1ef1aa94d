# SPDX-License-Identifier: GPL-2.0-only
"""The check of Python's imports finds circles however they hide, and names what rooms forbid."""

from pathlib import Path

import pytest
import python_circles as checked


@pytest.fixture
def complaints(tmp_path: Path):
    """Complaints about a package of these modules; the rooms without one are not told."""

    def found(**sources: str) -> list[str]:
        for name, text in {"__init__": "", **sources}.items():
            path = tmp_path / "via" / f"{name.replace('.', '/')}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        known = checked.modules(tmp_path)
        graph = {name: checked.imports_of(name, known) for name in known}
        told = checked.violations(graph, known)
        return [line for line in told if not line.endswith("is empty")]

    return found


def test_an_import_of_a_lower_room_is_good(complaints):
    assert complaints(errors="", faults="from via.errors import refuse\n") == []


def test_a_circle_is_named_with_its_lines(complaints):
    told = complaints(**{"_base.a": "\nfrom via._base import b\n", "_base.b": "import via._base.a"})
    assert told == [
        "via._base.a, via._base.b: import each other",
        "    via._base.a:2: imports via._base.b",
        "    via._base.b:1: imports via._base.a",
    ]


@pytest.mark.parametrize(
    "hidden",
    [
        "def late():\n    from via._base.b import x\n",
        "if TYPE_CHECKING:\n    from via._base.b import X\n",
        "from . import b\n",
        "from .b import x\n",
        "from via._base import nothing, b as other\n",
    ],
)
def test_an_import_counts_wherever_it_stands(complaints, hidden: str):
    told = complaints(**{"_base.__init__": "", "_base.a": hidden, "_base.b": "import via._base.a"})
    assert "via._base.a, via._base.b: import each other" in told


def test_a_circle_of_three_is_one(complaints):
    (told, *lines) = complaints(
        **{
            "_base.a": "from via._base import b",
            "_base.b": "from via._base import c",
            "_base.c": "from via._base import a, d",
            "_base.d": "",
        }
    )
    assert told == "via._base.a, via._base.b, via._base.c: import each other"
    assert len(lines) == 3


def test_the_compiled_module_is_no_part_of_a_circle(complaints):
    assert complaints(protocol="from via import _core\nfrom via._core import Column\n") == []


@pytest.mark.parametrize("line", ["import via", "from via import Cluster", "from . import Cluster"])
def test_nothing_inside_imports_the_package(complaints, line: str):
    assert complaints(protocol=line) == ["via.protocol:1: imports via itself, the users' face"]


def test_a_room_above_is_refused_by_name(complaints):
    told = complaints(cluster="", results="def f():\n    from via.cluster import Cluster\n")
    assert told == ["via.results:2: results may not import via.cluster"]


def test_a_module_may_belong_to_a_room_beside_it(complaints):
    assert complaints(errors="from via._base import hints", **{"_base.hints": ""}) == []


def test_an_unknown_room_is_refused(complaints):
    (told,) = complaints(firmware="")
    assert "room firmware is not known" in told


def test_a_room_that_is_gone_is_told(tmp_path: Path):
    assert "room charts is empty" in checked.violations({}, {})


def test_the_package_keeps_its_rooms(capsys):
    assert checked.main() == 0, capsys.readouterr().out
