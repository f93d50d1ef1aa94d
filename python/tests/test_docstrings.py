# SPDX-License-Identifier: GPL-2.0-only
"""Every public member says what it is, and the page "API in Python" lists it."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import via
from via import charts, ns3, profiles, programs, studies, topology
from via._base import stub

PAGE = Path(__file__).resolve().parents[2] / "contrib" / "via" / "doc" / "python-api.rst"
MODULES = [charts, ns3, profiles, programs, studies, topology]


def public_of(module: ModuleType) -> dict[str, Any]:
    """The names of a module's `__all__`; without one, what is defined in it."""
    names = getattr(module, "__all__", None) or [
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and getattr(value, "__module__", "") == module.__name__
    ]
    return {f"{module.__name__}.{name}": getattr(module, name) for name in names}


def with_members(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """A value and, of a class of ours, its methods and properties with those of its bases."""
    yield name, value
    if not inspect.isclass(value):
        return
    ours = [base for base in value.__mro__ if base.__module__.startswith("via")]
    for member in {key: None for base in ours for key in vars(base) if not key.startswith("_")}:
        found = inspect.getattr_static(value, member)
        if callable(found) or hasattr(type(found), "__get__"):
            yield f"{name}.{member}", found


PUBLIC = {
    name: value
    for module in [via, *MODULES]
    for each in public_of(module).items()
    for name, value in with_members(*each)
}


def test_the_members_of_compiled_and_of_python_classes_are_among_them():
    assert {"via.Run.messages", "via.Vi.send", "via.Protocol.recv", "via.Topology.hosts"} <= {
        *PUBLIC
    }


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_member_says_what_it_is(name: str):
    assert (inspect.getdoc(PUBLIC[name]) or "").strip()


RETURNS = re.compile(r"^Returns:\n( +.*?)(?:\n\n|\Z)", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("name", [*PUBLIC, *stub.docstrings()])
def test_no_words_of_what_is_returned_are_taken_for_its_type(name: str):
    """The page takes what is before a colon for one."""
    said = inspect.getdoc(PUBLIC[name]) if name in PUBLIC else stub.docstrings()[name]
    for returned in RETURNS.findall(said or ""):
        first, *_ = re.split(r"[.] |[.]$", " ".join(returned.split()))
        assert ":" not in first


def test_no_words_of_a_property_are_taken_for_its_type(monkeypatch):
    napoleon = pytest.importorskip("sphinx.ext.napoleon", reason="Sphinx is not installed")
    monkeypatch.syspath_prepend(PAGE.parent)
    plain_properties = importlib.import_module("plain_properties")
    lines = ["One row per process: its node.", "", "And more."]
    plain_properties.spared(None, "property", "processes", None, None, lines)
    read = napoleon.GoogleDocstring(lines, what="property", name="via.Run.processes")
    assert (
        str(read).split("\n")
        == lines
        == ["..", "", "One row per process: its node.", "", "And more."]
    )


def test_the_arguments_of_a_cluster_have_types_that_readers_can_find():
    dotted = re.findall(r"(?:\w+\.)+([A-Z]\w+)", str(inspect.signature(via.Cluster)))
    assert {*dotted} == {"PathLike", "Topology"} <= {*via.__all__, "PathLike"}


COMPILED = [
    name
    for name in stub.docstrings()
    if f"via.{name}" in PUBLIC and getattr(via, name.partition(".")[0]).__module__ == "via._core"
]


@pytest.mark.parametrize("name", COMPILED)
def test_a_compiled_member_has_the_docstring_of_the_stub(name: str):
    said = stub.docstrings()[name]
    assert inspect.getdoc(PUBLIC[f"via.{name}"]) == said
    assert "\n\n" in said or not said.startswith(f"{name.rpartition('.')[2]}("), "only a signature"


@pytest.mark.parametrize("name", via.__all__)
def test_the_page_lists_what_the_package_offers(name: str):
    listed = re.findall(r"^\.\. auto\w+:: via\.(\w+)$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert name in listed
