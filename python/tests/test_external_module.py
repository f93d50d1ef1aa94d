# SPDX-License-Identifier: GPL-2.0-only
"""A module of somebody else, built on the installed package: by CMake, and by pkg-config."""

import os
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
import via
from via import programs

ROOT = Path(__file__).resolve().parents[2]
MODULE = ROOT / "contrib" / "via" / "test" / "external"
BUILD = Path(os.environ.get("VIA_BUILD_DIR", ROOT / "build" / "release"))

pytestmark = [
    pytest.mark.ci,
    pytest.mark.skipif(
        "VIA_SANITIZE:BOOL=ON" in (BUILD / "CMakeCache.txt").read_text("utf-8"),
        reason="an instrumented library needs instrumented programs",
    ),
]


def run(command: list[object], folder: Path, **variables: str) -> str:
    """Run a command without what leads to the source tree; return what it prints."""
    ours = ("PYTHONPATH", "VIA_BUILD_DIR", "VIA_PROFILE_PATH", "LD_LIBRARY_PATH")
    environment = {name: value for name, value in os.environ.items() if name not in ours}
    done = subprocess.run(
        list(map(str, command)),
        cwd=folder,
        env=environment | variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def told(output: str) -> dict[str, str]:
    """Split what the module prints: a name and a value in each line."""
    return dict(line.split(" ", 1) for line in output.splitlines())


@pytest.fixture(scope="module")
def prefix(tmp_path_factory) -> Path:
    """What `cmake --install` makes, moved to another place."""
    folder = tmp_path_factory.mktemp("installed")
    run(["cmake", "--install", BUILD, "--prefix", folder / "before"], folder)
    return Path(shutil.move(folder / "before", folder / "after"))


@pytest.fixture(scope="module")
def program(prefix, tmp_path_factory) -> Path:
    """The example ping-pong, compiled by the installed via-cc from installed sources."""
    folder = tmp_path_factory.mktemp("program")
    sources = prefix / "share" / "via" / "examples"
    names = ("ping-pong.c", *programs.COMMON_SOURCES)
    made = folder / "ping-pong.so"
    run([prefix / "bin" / "via-cc", *(sources / name for name in names), "-o", made], folder)
    return made


@pytest.fixture(scope="module")
def meter(prefix, tmp_path_factory) -> Path:
    """The module, built with find_package(via)."""
    folder = tmp_path_factory.mktemp("module")
    run(["cmake", "-S", MODULE, "-B", folder, f"-DCMAKE_PREFIX_PATH={prefix}"], folder)
    run(["cmake", "--build", folder], folder)
    return folder / "message-meter"


def test_a_module_finds_the_package_and_the_library_its_profiles(prefix, program, meter, tmp_path):
    found = told(run([meter, program], tmp_path))
    here = via.Cluster(nodes=2).run_program(program, ["-s", 4, "-n", 5], capture=True)
    assert Path(found["profiles"]) == prefix / "share" / "via" / "profiles"
    assert found["digest"] == here.digest
    to_rank_0 = here.messages[here.messages["dst_rank"] == 0]
    assert int(found["bytes"]) == to_rank_0["bytes"].sum() > 0


def test_profiles_are_found_from_a_folder_that_leads_to_the_librarys(
    prefix, program, meter, tmp_path
):
    (tmp_path / "lib").symlink_to(prefix / "lib")  # as /lib leads to /usr/lib
    found = told(run([meter, program], tmp_path, LD_LIBRARY_PATH=str(tmp_path / "lib")))
    assert Path(found["profiles"]) == prefix / "share" / "via" / "profiles"


def test_pkg_config_tells_all_flags(prefix, program, meter, tmp_path):
    package = prefix / "lib" / "pkgconfig"
    asked = ["pkg-config", "--cflags", "--libs", "via"]
    flags = run(asked, tmp_path, PKG_CONFIG_PATH=str(package))
    compiler = os.environ.get("CXX", "c++")
    # ns-3's own files give flags that a shell has to read.
    command = f"{compiler} {shlex.quote(str(MODULE / 'message-meter.cc'))} -o meter {flags}"
    run(["sh", "-c", command.replace("\n", " ")], tmp_path)
    loader = {"LD_LIBRARY_PATH": str(prefix / "lib")}
    assert run(["./meter", program], tmp_path, **loader) == run([meter, program], tmp_path)


def test_profiles_of_ones_own_come_before_the_installed_ones(prefix, program, meter, tmp_path):
    shutil.copytree(prefix / "share" / "via" / "profiles", tmp_path / "mine")
    product = tmp_path / "mine" / "giganet-clan1000.toml"
    text = product.read_text("ascii")
    product.write_text(text.replace("decode = { value = 6,", "decode = { value = 60,"), "ascii")
    found = told(run([meter, program], tmp_path))
    mine = told(run([meter, program], tmp_path, VIA_PROFILE_PATH=str(tmp_path / "mine")))
    assert mine["digest"] != found["digest"] and mine["bytes"] == found["bytes"]


def test_another_ns_3_than_the_library_was_built_for_is_refused(prefix, tmp_path):
    package = prefix / "lib" / "cmake" / "via"
    config = (package / "viaConfig.cmake").read_text("ascii")
    other = shutil.copytree(prefix, tmp_path / "other") / "lib" / "cmake" / "via"
    (other / "viaConfig.cmake").write_text(
        config.replace("if(NOT ns3_VERSION", "set(ns3_VERSION 3.1)\nif(NOT ns3_VERSION"), "ascii"
    )
    asked = ["cmake", "-S", MODULE, "-B", tmp_path / "b", f"-DCMAKE_PREFIX_PATH={tmp_path}/other"]
    done = subprocess.run(list(map(str, asked)), capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "via 0." in done.stderr and "is ns-3 3.1" in " ".join(done.stderr.split())
