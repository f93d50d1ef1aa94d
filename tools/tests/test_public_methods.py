# SPDX-License-Identifier: GPL-2.0-only
"""The check of large classes counts public methods only, and names what the page says wrongly."""

import public_methods as checked
import pytest


def count(body: str) -> int:
    """Return the number of public methods of a class with this body."""
    return len(checked.public_methods(f"class Shop : public Base\n{{{body}}};\n")["Shop"])


@pytest.mark.parametrize(
    ("body", "number"),
    [
        ("public: int A() const; virtual void B(int b) = 0; static Shop& C() { return A(); }", 3),
        ("void Hidden(); public: int A(); protected: int B(); private: int C();", 1),
        ("public: int A(); int A(int a); const int& A(int a) const;", 1),
        ("public: Shop(); ~Shop(); Shop(const Shop&) = delete; bool operator==(int) const;", 0),
        ("public: using F = void(); friend int G(); Ps m_at{F()}; static const int N = H();", 0),
        ("public: template <class T> void A(T t) { if (t) { B(); } else { C(); } }", 1),
        ('public: // int A();\n /* int B(); */ int C(const char* = "public: int D();");', 1),
        ("public: [[a]] int A() { return 5'000 + ':' + '\\''; }\n#define B() 1\n int C();", 2),
    ],
)
def test_public_methods_are_counted_by_name(body, number):
    assert count(body) == number


def test_all_of_a_struct_is_public_and_inner_classes_count_for_themselves():
    found = checked.public_methods(
        "struct A { void B(); class C { void D(); }; enum class E { F }; void G(); };"
    )
    assert found == {"A": {"B", "G"}, "C": set()}


def test_a_large_class_must_be_on_the_page_with_its_number():
    counted = {"Small": 25, "Told": 26, "Changed": 27, "Missing": 28}
    told = checked.complaints(counted, "`Told` (26), `Changed` (26) and `Gone` (30)")
    assert told == [
        "Changed has 27 public methods; architecture.md says 26",
        "Missing has 28 public methods; architecture.md says nothing of it",
        "architecture.md: Gone (30) is no class of more than 25 public methods",
    ]


def test_the_page_is_right_about_this_tree():
    assert (
        checked.complaints(checked.classes(checked.MODULE), checked.PAGE.read_text("utf-8")) == []
    )
