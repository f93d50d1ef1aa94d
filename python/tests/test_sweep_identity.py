# SPDX-License-Identifier: GPL-2.0-only
"""What a sweep takes a function for: which changes it sees."""

import functools
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest
from via.errors import ConfigError
from via.sweeps.identity import identity_of

SCRIPT = """
import helper
from helper import scaled
from functools import partial

FACTOR = 2
UNUSED = 1

def inner(a):
    return a * FACTOR

class Model:
    step = 1

    def at(self, a):
        return a + self.step

def function(a, b=3):
    import math
    return [inner(each) for each in range(a)], helper, scaled, Model, math.pi

def other():
    return 1
"""
HELPER = """
import deeper

def scaled(a):
    return deeper.VALUE * a
"""


def identity(folder, script=SCRIPT, helper=HELPER, deeper="VALUE = 1\n"):
    """The identity of a script's function, as the script itself sees it."""
    (folder / "helper.py").write_text(helper, "ascii")
    (folder / "deeper.py").write_text(deeper, "ascii")
    asks = "\nfrom via.sweeps.identity import identity_of\nprint(identity_of(function))\n"
    (folder / "script.py").write_text(script + asks, "ascii")
    command = [sys.executable, "-B", str(folder / "script.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture(scope="module")
def as_it_was(tmp_path_factory):
    return identity(tmp_path_factory.mktemp("first"))


def test_the_same_script_elsewhere_has_the_same_function(tmp_path, as_it_was):
    assert identity(tmp_path) == as_it_was


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("range(a)", "range(a + 1)"),  # the function
        ("b=3", "b=4"),  # a default
        ("a * FACTOR", "FACTOR * a"),  # a function it calls
        ("FACTOR = 2", "FACTOR = 3"),  # a value that one names
        ("step = 1", "step = 2"),  # of a class
        ("a + self.step", "a - self.step"),  # a method
    ],
)
@pytest.mark.ci
def test_a_change_of_what_is_used_is_seen(tmp_path, as_it_was, old, new):
    assert SCRIPT.count(old) == 1
    assert identity(tmp_path, script=SCRIPT.replace(old, new)) != as_it_was


@pytest.mark.ci
def test_a_change_of_a_module_is_seen_and_of_what_that_imports(tmp_path, as_it_was):
    assert identity(tmp_path, helper=HELPER + "# a comment is enough\n") != as_it_was
    assert identity(tmp_path, deeper="VALUE = 2\n") != as_it_was


@pytest.mark.parametrize(
    ("old", "new"), [("UNUSED = 1", "UNUSED = 2"), ("return 1\n", "return 2\n")]
)
@pytest.mark.ci
def test_a_change_of_the_script_elsewhere_is_none(tmp_path, as_it_was, old, new):
    assert SCRIPT.count(old) == 1
    assert identity(tmp_path, script=SCRIPT.replace(old, new)) == as_it_was


def made(value):
    return lambda a: (a, value)


@pytest.mark.parametrize(
    ("one", "other"),
    [(1, 2), (1, 1.0), ([1], [2]), ({"a": 1}, {"a": 2}), ({1, 2}, {1, 3}),
     (np.arange(3), np.arange(4)), (made(1), made(2)), (len, max)],
)  # fmt: skip
def test_what_a_function_closes_over_is_seen(one, other):
    assert identity_of(made(one)) == identity_of(made(one))
    assert identity_of(made(one)) != identity_of(made(other))


def test_the_arguments_of_a_partial_are_seen():
    def add(a, b):
        return a + b

    assert identity_of(functools.partial(add, 1)) == identity_of(functools.partial(add, 1))
    assert identity_of(functools.partial(add, 1)) != identity_of(functools.partial(add, 2))


class Offset:
    def __init__(self, by):
        self.by = by

    def __call__(self, a):
        return a + self.by


def test_an_object_that_can_be_called_is_what_it_holds():
    assert identity_of(Offset(1)) == identity_of(Offset(1))
    assert identity_of(Offset(1)) != identity_of(Offset(2))
    assert identity_of(Offset(1).__call__) != identity_of(Offset(2).__call__)


def test_a_value_of_which_nobody_can_say_what_it_is_is_refused():
    with pytest.raises(ConfigError, match="make it a parameter"):
        identity_of(made(threading.Lock()))


def test_functions_that_call_each_other_have_an_identity():
    space: dict = {}
    text = """
    def even(a):
        return a == 0 or odd(a - 1)
    def odd(a):
        return a != 0 and even(a - 1)
    """
    exec(textwrap.dedent(text), space)
    assert identity_of(space["even"]) != identity_of(space["odd"])
