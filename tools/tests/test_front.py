# SPDX-License-Identifier: GPL-2.0-only
"""What ./via does before there is a build: Python, options, Debian packages, other programs."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from front import packages, shell
from front.main import COMMANDS

FRONT = Path(packages.__file__).parent
MACHINE = """#!/bin/sh
# What stands in for Debian: apt-get notes its words, and "installs" Python.
echo "$*" >>apt-get.txt
printf '#!/bin/sh\\necho "$@"\\n' >python3
chmod +x python3
"""


def test_installing_needs_no_more_than_python3_minimal(tmp_path):
    listed = subprocess.run(
        ["dpkg", "-L", "libpython3.11-minimal"], capture_output=True, text=True, check=False
    )
    if listed.returncode:
        pytest.skip("no libpython3.11-minimal here")
    for name in re.findall(r"^/usr/lib/python3.11/(.+\.py)$", listed.stdout, re.M):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).symlink_to(f"/usr/lib/python3.11/{name}")
    script = (
        f"import sys; sys.path = {[str(tmp_path), str(FRONT.parent)]}; from front import main; "
    )
    for call, said in (
        ("main.run(['setup', '--no'])", "option --no"),
        ("import shutil", "'shutil'"),
    ):
        command = ["/usr/bin/python3", "-I", "-S", "-c", script + call]
        assert said in subprocess.run(command, capture_output=True, text=True, check=False).stderr


@pytest.fixture(name="bare")
def _bare(tmp_path: Path) -> Path:
    """A machine without Python: only the script, and programs that stand in for Debian's."""
    text = (FRONT.parents[1] / "via").read_text("ascii").replace("/usr/bin/python3", "./python3")
    (tmp_path / "via").write_text(text, "ascii")
    (tmp_path / "bin").mkdir()
    for name in ("bash", "cat", "chmod", "dirname", "id", "mkdir", "readlink", "sh"):
        (tmp_path / "bin" / name).symlink_to(shutil.which(name) or name)
    for name in ("via", "bin/apt-get", "bin/dpkg-query", "bin/sudo"):
        (tmp_path / name).exists() or (tmp_path / name).write_text(MACHINE, "ascii")
        (tmp_path / name).chmod(0o755)
    return tmp_path


def call_on(bare: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["./via", *words], cwd=bare, env={"PATH": f"{bare}/bin", **variables}, check=False,
        stdin=subprocess.DEVNULL, capture_output=True, text=True,
    )  # fmt: skip


def test_a_machine_without_python_gets_it(bare):
    done = call_on(bare, "setup", "--yes", CI="1")
    assert done.stdout == f"-I -S {bare}/tools/front/__main__.py setup --yes\n"
    missing, running = done.stderr.splitlines()
    assert missing == "via: missing Debian packages: python3-minimal"
    assert running.startswith("via: running apt-get install -y")
    update, install = (bare / "apt-get.txt").read_text("ascii").splitlines()
    assert (update, install.split()[0]) == ("-q update", "install")


def test_python_is_not_installed_without_leave(bare):
    (bare / "bin" / "id").unlink()
    (bare / "bin" / "id").write_text("#!/bin/sh\necho 1000\n", "ascii")
    (bare / "bin" / "id").chmod(0o755)
    done = call_on(bare, "run", "--yes")
    assert (done.returncode, (bare / "apt-get.txt").exists()) == (1, False)
    line = "sudo apt-get install -y --no-install-recommends python3-minimal"
    assert f"via: install them with '{line}', or run ./via setup --yes" in done.stderr
    assert call_on(bare, "run", _ARGCOMPLETE="1").stderr == ""


def test_each_own_command_is_a_function_with_help():
    for name, module in COMMANDS.items():
        __import__(f"front.{module}")
        function = getattr(sys.modules[f"front.{module}"], name.replace("-", "_"))
        assert re.match(rf"\./via {name}( \[|\n)", function.__doc__), name


def test_options_have_values_in_both_ways_and_stand_among_words():
    words = ["one", "--a", "x", "two", "--b=c=d", "--flag", "three", "--c"]
    given, others = shell.options(
        packages.setup, words, ["--flag", "--other"], ["--a", "--b", "--c"], takes_words=True
    )
    assert (given.a, given.b, given.c, given.flag, given.other) == ("x", "c=d", "", True, False)
    assert others == ["one", "two", "three"]


@pytest.mark.parametrize("words", [["--flags"], ["--fl"], ["--flag=1"], ["--"], ["word"]])
def test_what_is_no_option_is_refused(words, capsys):
    with pytest.raises(SystemExit, match="2"):
        shell.options(packages.setup, words, ["--flag"])
    assert capsys.readouterr().err.endswith(" (see ./via setup --help)\n")


@pytest.fixture(name="user")
def _user(monkeypatch):
    """Nobody's terminal, not root, and a package is missing."""
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr(os, "isatty", lambda _: False)
    monkeypatch.setattr(os, "getuid", lambda: 1000)
    monkeypatch.setattr(packages, "missing_of", lambda _: ["ninja-build", "ccache"])
    monkeypatch.setattr(packages, "is_on_path", lambda _: True)
    return monkeypatch


def test_missing_packages_are_named_with_the_line_to_run(user, capsys):
    with pytest.raises(SystemExit, match="1"):
        packages.ensure(packages.BUILD)
    line = "sudo apt-get install -y --no-install-recommends ninja-build ccache"
    assert capsys.readouterr().err.splitlines() == [
        "via: missing Debian packages: ninja-build ccache",
        f"via: install them with '{line}', or run ./via setup --yes",
    ]


def test_without_sudo_an_administrator_is_needed(user, capsys):
    user.setattr(packages, "is_on_path", lambda program: program != "sudo")
    with pytest.raises(SystemExit, match="1"):
        packages.ensure(packages.BUILD, yes=True)
    assert "have an administrator run 'apt-get update && apt-get install" in capsys.readouterr().err


def test_without_dpkg_it_is_told_what_is_needed(user, capsys):
    user.setattr(packages, "is_on_path", lambda _: False)
    packages.ensure(packages.MPI)
    assert "on Debian 12: apt-get install libopenmpi-dev openmpi-bin" in capsys.readouterr().err


def test_what_apt_said_is_shown_when_it_fails(user, tmp_path, capfd):
    user.setattr(packages, "CACHE", tmp_path / "cache")
    user.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    (tmp_path / "sudo").write_text("#!/bin/sh\necho no room; exit 100\n", "ascii")
    (tmp_path / "sudo").chmod(0o755)
    with pytest.raises(SystemExit, match="1"):
        packages.ensure(packages.BUILD, yes=True)
    assert "no room\nvia: apt-get failed (whole log: .cache/setup.log)" in capfd.readouterr().err


def test_leave_is_given_by_ci_by_a_terminal_or_by_nobody_to_root(user, capsys):
    assert not packages.may_install()
    user.setattr(os, "getuid", lambda: 0)
    assert packages.may_install()
    user.setattr(os, "isatty", lambda _: True)
    for answer, is_leave in (("\n", True), ("Yes\n", True), ("no\n", False)):
        user.setattr(sys, "stdin", type("Terminal", (), {"readline": lambda _, a=answer: a})())
        assert packages.may_install() == is_leave
    assert "via: install them now? [Y/n] " in capsys.readouterr().err
    user.setenv("CI", "1")
    assert packages.may_install()


def test_packages_that_dpkg_knows_are_not_missing():
    if shutil.which("dpkg-query") is None:
        pytest.skip("no dpkg here")
    assert packages.missing_of(["libc6", "dpkg", "no-such-package"]) == ["no-such-package"]


def test_programs_end_as_in_a_shell(capsys):
    assert shell.call("sh", "-c", "exit 7") == 7
    assert shell.call("sh", "-c", "kill -9 $$") == 137
    assert shell.call("no-such-program") == 127
    assert capsys.readouterr().err == "via: no-such-program: command not found\n"
    with pytest.raises(SystemExit, match="7"):
        shell.must("sh", "-c", "exit 7")


def test_what_pypi_has_is_installed_once_for_each_list(tmp_path, capsys):
    pinned = tmp_path / "list.txt"
    pinned.write_text("ruff==1\n", "ascii")
    folder = tmp_path / "cache" / "tools"
    assert not packages.from_pypi("ruff", pinned, folder, ["sh", "-c", "exit 1"])
    assert packages.from_pypi("ruff", pinned, folder, ["mkdir", folder])
    assert packages.from_pypi("ruff", pinned, folder, ["false"])
    assert capsys.readouterr().err == "via: installing ruff\n" * 2
