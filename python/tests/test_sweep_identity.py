# SPDX-License-Identifier: GPL-2.0-only
"""What a sweep takes a function for: which changes it sees."""

import functools
import os
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


ASKS = "\nfrom via.sweeps.identity import identity_of\nprint(identity_of(function))\n"


def identity(folder, script=SCRIPT, helper=HELPER, deeper="VALUE = 1\n"):
    """The identity of a script's function, as the script itself sees it."""
    (folder / "helper.py").write_text(helper, "ascii")
    (folder / "deeper.py").write_text(deeper, "ascii")
    (folder / "script.py").write_text(script + ASKS, "ascii")
    command = [sys.executable, "-B", str(folder / "script.py")]
    return output(command)


def output(command, **environment):
    """What a command prints."""
    environment = {**os.environ, **environment}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
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


# Nothing here is imported before the function runs.
LAZY = {
    "script.py": """
def function():
    import late
    from package import inside
    import package.relative
    return late, inside, package.relative
""",
    "late.py": "def scaled():\n    import later\n    return later.VALUE\n",
    "later.py": "VALUE = 0\n",
    "package/__init__.py": "VALUE = 0\n",
    "package/inside.py": "VALUE = 0\n",
    "package/relative.py": "def scaled():\n    from . import beside\n    return beside.VALUE\n",
    "package/beside.py": "VALUE = 0\n",
}


def lazy_identity(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, "ascii")
    script = folder / "script.py"
    script.write_text(files["script.py"] + ASKS, "ascii")
    return output([sys.executable, "-B", str(script)])


@pytest.fixture(scope="module")
def lazy_as_it_was(tmp_path_factory):
    return lazy_identity(tmp_path_factory.mktemp("lazy"), LAZY)


@pytest.mark.parametrize("name", ["later.py", "package/__init__.py", "package/inside.py",
                                  "package/beside.py"])  # fmt: skip
@pytest.mark.ci
def test_a_change_of_what_is_imported_only_when_it_is_needed_is_seen(
    tmp_path, lazy_as_it_was, name
):
    assert lazy_identity(tmp_path, {**LAZY, name: "VALUE = 1\n"}) != lazy_as_it_was


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


# Each holds a function of the script in its own way: what the function returns must count.
HOLDERS = """
import abc, collections, contextlib, dataclasses, functools, types, typing
import numpy as np

def scaled(a):
    return CHANGED

@functools.cache
def cached(a):
    return CHANGED

@contextlib.contextmanager
def entered(a):
    yield CHANGED

@functools.singledispatch
def dispatched(a):
    return a

@dispatched.register
def _(a: int):
    return CHANGED

def with_attribute(a):
    return with_attribute.by

with_attribute.by = CHANGED

@dataclasses.dataclass
class Record:
    model: typing.Callable

class Instance:
    def __init__(self, model):
        self.model = model

class Missing(dict):
    def __missing__(self, a):
        return CHANGED

class Called(abc.ABC):
    @functools.cache
    def __call__(self):
        return CHANGED

module = types.ModuleType("module")
module.by = CHANGED
HELD = {
    "function": scaled, "cache": cached, "context manager": entered, "single dispatch": dispatched,
    "attribute": with_attribute, "dataclass": Record(scaled), "instance": Instance(scaled),
    "subclass of dict": Missing(), "cached method": Called(), "module": module, "set": {scaled},
    "namespace": types.SimpleNamespace(held=scaled), "deque": collections.deque([scaled]),
    "vectorized": np.vectorize(scaled), "partial": functools.partial(scaled, 1),
    "factory": collections.defaultdict(scaled), "method of a value": {1: CHANGED}.get,
    "mask": np.ma.array([1, 2], mask=[0, CHANGED]), "lambda": lambda a: CHANGED,
    "one of a line": (lambda a: 0, lambda a: 1)[CHANGED],
}
"""
PRINTS = """
from via.sweeps.identity import identity_of
for name, value in HELD.items():
    print(name, identity_of((lambda held: lambda: held)(value)), sep=": ")
"""


def held(folder, changed, **environment):
    """The identities of functions that use HELD, as a script in its own process sees them."""
    script = folder / "holders.py"
    script.write_text(HOLDERS.replace("CHANGED", str(changed)) + PRINTS, "ascii")
    lines = output([sys.executable, "-B", str(script)], **environment).splitlines()
    return dict(line.split(": ") for line in lines)


@pytest.fixture(scope="module")
def first_held(tmp_path_factory):
    return held(tmp_path_factory.mktemp("held"), 0, PYTHONHASHSEED="0")


def test_a_function_counts_however_it_is_held(tmp_path, first_held):
    second = held(tmp_path, 1)
    assert [name for name in first_held if second[name] == first_held[name]] == []


def test_what_holds_functions_is_the_same_in_another_process(tmp_path, first_held):
    assert held(tmp_path, 0, PYTHONHASHSEED="1") == first_held


def test_two_lambdas_of_a_line_are_two_functions():
    one, two = (lambda a: 1 * a), (lambda a: 2 * a)
    assert identity_of(one) != identity_of(two)


def test_a_constant_set_in_code_has_no_order(tmp_path):
    script = tmp_path / "script.py"
    uses = "HELD = {'a': lambda a: a in {'one', 'two', 'three', 'four'}}\n"
    script.write_text(uses + PRINTS, "ascii")
    command = [sys.executable, "-B", str(script)]
    assert output(command, PYTHONHASHSEED="1") == output(command, PYTHONHASHSEED="2")


def test_a_class_typed_into_an_interpreter_is_what_it_says():
    typed = "class A: k = {}\nHELD = {{'a': A}}\n"
    one, two = (output([sys.executable, "-c", typed.format(k) + PRINTS]) for k in (1, 2))
    assert one != two


def test_values_nested_too_deeply_are_refused():
    deep: list = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(ConfigError, match="nested too deeply"):
        identity_of(made(deep))
