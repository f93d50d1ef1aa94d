# SPDX-License-Identifier: GPL-2.0-only
"""The root script: help for everybody, exit code 2 for what it does not understand."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "via"
INTERPRETER = SCRIPT.parent / "contrib" / "via" / "cmake" / "interpreter.py"
# What stands in for cmake: it leaves the files that ./via looks for, and says that it ran.
CMAKE = """#!/bin/sh
mkdir -p build/release
echo "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" >build/release/CMakeCache.txt
touch build/release/build.ninja
{ echo "$INTERPRETER_OF_TEST"; "$INTERPRETER_OF_TEST" contrib/via/cmake/interpreter.py --build; } \
    >build/release/interpreter.txt
echo configured
"""
# What stands in for the package: it tells how it was called.
PACKAGE = """
import os, sys
print(*sys.argv[1:], os.environ.get("VIA_SCRIPT_COMMANDS", ""), os.environ.get("SANITIZED", ""))
"""


def call(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([SCRIPT, *arguments], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "command",
    ["setup", "build", "test", "bench", "python", "docs", "format", "check", "release-check"],
)
def test_each_command_has_help(command: str):
    result = call(command, "--help")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith(f"usage: ./via {command}")


def test_the_list_names_the_commands_of_the_package_too():
    listed = call("--help").stdout
    package = (SCRIPT.parent / "python" / "via" / "_cli" / "commands.py").read_text("utf-8")
    commands = re.findall(r'^    "(\w+)": \(', package, re.MULTILINE)
    assert {"run", "cc", "study", "profiles"} <= set(commands)
    for command in commands:
        assert f"\n  {command} " in listed, command


def test_the_list_of_commands_is_help():
    assert call("--help").stdout == call().stdout
    assert call().returncode == 2


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("test", "--tier", "noon"), "tier 'noon': quick, ci or night"),
        (("test", "--preset", "fast"), "preset fast: release, debug, asan or clang"),
        (("test", "-R"), "-R needs a regular expression (see ./via test --help)"),
        (("test", "Credit"), "unknown option Credit (see ./via test --help)"),
        (("build", "--fast"), "unknown option --fast"),
        (("build", "--preset"), "preset : release, debug, asan or clang"),
        (("setup", "--no"), "unknown option --no (see ./via setup --help)"),
        (("docs", "html"), "unknown option html (see ./via docs --help)"),
        (("format", "via"), "unknown option via (see ./via format --help)"),
        (("check", "hard"), "unknown option hard"),
        (("release-check", "-t"), "unknown option -t (see ./via release-check --help)"),
    ],
)
def test_a_mistake_is_told_with_its_remedy(arguments: tuple[str, ...], complaint: str):
    result = call(*arguments)
    assert result.returncode == 2
    assert complaint in result.stderr


def test_setup_does_nothing_when_all_is_there():
    assert "everything that is needed is installed" in call("setup").stderr


def test_the_interpreter_of_a_build_loads_the_module_of_that_build():
    build = Path(os.environ.get("VIA_BUILD_DIR", SCRIPT.parent / "build" / "release"))
    if build.parent != SCRIPT.parent / "build":
        pytest.skip(f"{build} is no build of ./via")
    ours = ("LD_PRELOAD", "ASAN_OPTIONS", "PYTHONPATH")
    environment = {name: value for name, value in os.environ.items() if name not in ours}
    result = subprocess.run(
        [SCRIPT, "python", "-c", "from via import _core; print(_core.__file__)"],
        env=environment | {"VIA_PRESET": build.name},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.returncode, result.stderr) == (0, "")
    assert Path(result.stdout.strip()).is_relative_to(build)


# ---- what was built for another place or another interpreter


@pytest.fixture
def checkout(tmp_path) -> Path:
    """A checkout without sources, in which cmake and ninja only say that they ran."""
    place = tmp_path / "one"
    (place / "contrib" / "via" / "cmake").mkdir(parents=True)
    shutil.copy(SCRIPT, place / "via")
    shutil.copy(INTERPRETER, place / "contrib" / "via" / "cmake")
    shutil.copytree(SCRIPT.parent / "tools" / "front", place / "tools" / "front")
    package = place / "python" / "via"
    package.mkdir(parents=True)
    (package / "__main__.py").write_text(PACKAGE, encoding="ascii")
    tools = tmp_path / "tools"
    tools.mkdir()
    for name, text in {"cmake": CMAKE, "ninja": "#!/bin/sh\necho built\n"}.items():
        (tools / name).write_text(text, encoding="ascii")
        (tools / name).chmod(0o755)
    return place


def start(place: Path, *words: str, **variables: str) -> subprocess.Popen[str]:
    ours = ("VIRTUAL_ENV", "VIA_PRESET", "LD_PRELOAD", "PYTHONPATH")
    environment = {name: value for name, value in os.environ.items() if name not in ours}
    environment["PATH"] = f"{place.parent / 'tools'}:{os.environ['PATH']}"
    environment["INTERPRETER_OF_TEST"] = "/usr/bin/python3"
    return subprocess.Popen(
        [place / "via", *words],
        env=environment | variables,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ended(started: subprocess.Popen[str], text: str = "") -> subprocess.CompletedProcess[str]:
    out, err = started.communicate(text)
    return subprocess.CompletedProcess(started.args, started.returncode, out, err)


def build(place: Path) -> subprocess.CompletedProcess[str]:
    return ended(start(place, "build"))


def let_ninja(place: Path, line: str) -> None:
    """Let ninja do something else."""
    (place.parent / "tools" / "ninja").write_text(f"#!/bin/sh\n{line}\n", encoding="ascii")


def test_a_build_folder_is_configured_once(checkout):
    assert build(checkout).stdout == "configured\nbuilt\n"
    assert build(checkout).stdout == "built\n"


def test_a_copied_checkout_builds_its_own_sources(checkout):
    build(checkout)
    copy = checkout.with_name("two")
    shutil.copytree(checkout, copy)
    (copy / "build" / "release" / "old.o").touch()
    done = build(copy)
    assert f"via: build/release was made for {checkout}: starting afresh" in done.stderr
    assert done.stdout == "configured\nbuilt\n"
    assert not (copy / "build" / "release" / "old.o").exists()
    assert build(copy).stderr == ""


def test_a_build_folder_of_another_interpreter_is_configured_again(checkout):
    build(checkout)
    noted = checkout / "build" / "release" / "interpreter.txt"
    noted.write_text(noted.read_text("utf-8").replace("numpy 1", "numpy 2"), "utf-8")
    assert build(checkout).stdout == "configured\nbuilt\n"
    assert build(checkout).stdout == "built\n"


def test_two_commands_at_once_build_one_after_the_other(checkout):
    let_ninja(checkout, f"echo begin >>{checkout}/ran; sleep 0.5; echo end >>{checkout}/ran")
    both = [start(checkout, "build"), start(checkout, "python", "-c", "")]
    done = [ended(each) for each in both]
    assert [each.returncode for each in done] == [0, 0]
    assert (checkout / "ran").read_text("ascii").split() == ["begin", "end"] * 2
    log = (checkout / "build" / "release.log").read_text("ascii")
    assert (done[0].stdout + log).count("configured") == 1


def test_a_long_build_is_told(checkout):
    build(checkout)
    let_ninja(checkout, "sleep 2.5")
    said = ended(start(checkout, "python", "-c", "")).stderr
    assert said == "via: building build/release, log: build/release.log\n"


def test_what_failed_in_a_build_is_shown(checkout):
    let_ninja(checkout, "echo well; echo FAILED: fiber.o; echo no such thing; exit 1")
    done = ended(start(checkout, "run", "a.so"))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(
        "FAILED: fiber.o\nno such thing\nvia: the build failed (whole log"
    )
    assert ended(start(checkout, "build")).returncode == 1


# ---- what is handed over to the interpreter


def test_the_interpreter_takes_the_place_of_the_script(checkout):
    told = "import os; print(os.getpid(), input()); os.kill(os.getpid(), 9)"
    started = start(checkout, "python", "-u", "-c", told)
    done = ended(started, "what stdin says\n")
    assert (done.stdout, done.returncode) == (f"{started.pid} what stdin says\n", -9)
    assert ended(start(checkout, "python", "-c", "exit(7)")).returncode == 7


def test_other_commands_are_those_of_the_package(checkout):
    assert ended(start(checkout, "run", "--yes", "a b")).stdout.split("  ")[0] == "run --yes a b"
    assert ended(start(checkout, "demo", "--yes", "here")).stdout.split("  ")[0] == "demo here"


def test_a_script_of_scratch_is_built_and_takes_the_place_of_the_command(checkout):
    made, script = checkout / "build" / "release" / "scratch" / "mine", checkout / "scratch"
    script.mkdir()
    (script / "mine.cc").touch()
    let_ninja(checkout, rf'mkdir -p {made.parent}; printf "#!/bin/sh\necho is \"\$@\"" >{made}'
               f'; chmod +x {made}; test "$3" = script-mine')  # fmt: skip
    for word in ("scratch/mine", "./scratch/mine.cc"):
        assert ended(start(checkout, "run", word, "--", "-x", "a b")).stdout == "is -x a b\n"
    assert ended(start(checkout, "run", "other/mine", "-x")).returncode == 1


def test_a_sanitized_build_says_what_its_interpreter_needs(checkout):
    build(checkout)
    (checkout / "build" / "release" / "python-environment").write_text("SANITIZED=a=b\n", "ascii")
    assert ended(start(checkout, "run")).stdout.split() == ["run", "a=b"]


def test_the_shell_that_asks_for_words_starts_no_build(checkout):
    done = ended(start(checkout, _ARGCOMPLETE="1"))
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
    build(checkout)
    let_ninja(checkout, f"touch {checkout}/ran")
    words = ended(start(checkout, "te", _ARGCOMPLETE="1")).stdout.split()
    assert {"setup", "build", "test", "release-check"} <= set(words)
    assert not (checkout / "ran").exists()


def test_help_of_the_package_needs_no_build(checkout):
    assert ended(start(checkout, "run", "--help")).stdout.split() == ["run", "--help"]
    assert not (checkout / "build").exists()
    (checkout / "python" / "via" / "__main__.py").unlink()
    done = ended(start(checkout, "run", "--help"))
    assert done.returncode == 1
    assert done.stderr == "via: run ./via build first: help on run comes from the package\n"


@pytest.mark.parametrize(
    ("code", "said"),
    [(3, "lacks tqdm: using /usr/bin/python3"), (4, "lacks tqdm; or deactivate it")],
)
def test_a_virtual_environment_is_judged_by_what_it_has(checkout, code: int, said: str):
    python = checkout / "venv" / "bin" / "python3"
    python.parent.mkdir(parents=True)
    python.write_text(f"#!/bin/sh\necho lacks tqdm >&2\nexit {code}\n", encoding="ascii")
    python.chmod(0o755)
    done = ended(start(checkout, "python", "-c", "", VIRTUAL_ENV=str(checkout / "venv")))
    assert done.returncode == (0 if code == 3 else 1)
    assert done.stderr.startswith(f"via: in the active virtual environment {said}\n")


# ---- which pybind11 goes with which numpy


def answers_with(tmp_path: Path, **versions: str) -> subprocess.CompletedProcess[str]:
    """Ask interpreter.py in an environment with packages of these versions."""
    for name, version in {"pandas": "2", "matplotlib": "3", "tqdm": "4", "pytest": "7"}.items():
        versions.setdefault(name, version)
    for name, version in versions.items():
        about = tmp_path / f"{name}-{version}.dist-info" / "METADATA"
        about.parent.mkdir()
        about.write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", "ascii")
    (tmp_path / "pybind11.py").write_text("def get_cmake_dir(): return '/its/own'\n", "ascii")
    return subprocess.run(
        [sys.executable, INTERPRETER],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="this Python itself needs a new pybind11")
def test_numpy_1_takes_any_pybind11(tmp_path):
    done = answers_with(tmp_path, numpy="1.26.4", pybind11="2.10.3")
    assert done.returncode == 0
    assert done.stdout.splitlines()[2:4] == ["2.10", ""]


def test_numpy_2_takes_the_new_pybind11_of_its_environment(tmp_path):
    done = answers_with(tmp_path, numpy="2.1.0", pybind11="2.13.6")
    assert done.returncode == 0
    assert done.stdout.splitlines()[2:4] == ["2.12", "/its/own"]


def test_numpy_2_with_an_old_pybind11_is_refused_with_the_remedy(tmp_path):
    if (
        "2.10"
        not in subprocess.run(
            ["/usr/bin/python3", INTERPRETER, "--build"],
            capture_output=True,
            text=True,
            check=False,
        ).stdout
    ):
        pytest.skip("the system's own pybind11 is new enough")
    done = answers_with(tmp_path, numpy="2.1.0", pybind11="2.11.1")
    assert done.returncode == 4
    assert "needs pybind11 2.12 or later, here is 2.10" in done.stderr
    assert "-m pip install 'pybind11>=2.12'" in done.stderr


def test_what_is_missing_is_named(tmp_path):
    done = subprocess.run(
        [sys.executable, "-I", "-S", INTERPRETER], capture_output=True, text=True, check=False
    )
    assert done.returncode == 3
    assert "lacks numpy, pandas, matplotlib, tqdm, pytest" in done.stderr
