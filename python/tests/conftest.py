# SPDX-License-Identifier: GPL-2.0-only
"""What several tests need: programs, compiled once per session, and a comparison with Linux."""

import os
import subprocess
from pathlib import Path

import pytest
import via
from via import programs

LEAVES = "#include <stdlib.h>\nint main(int c, char** v) { return c > 1 ? atoi(v[1]) : 0; }\n"
WAITS = """
#include <stddef.h>
#include <vipl.h>
int main(void)
{
    VIP_NIC_HANDLE nic;
    VIP_CQ_HANDLE cq;
    VIP_VI_HANDLE vi;
    VIP_BOOLEAN receive;
    if (VipOpenNic("VINIC", &nic) != VIP_SUCCESS || VipCreateCQ(nic, 8, &cq) != VIP_SUCCESS)
    {
        return 1;
    }
    return VipCQWait(cq, VIP_INFINITE, &vi, &receive) != VIP_SUCCESS;
}
"""

LINUX = """
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#define SHOW(call) do { errno = 0; long got_ = (long)(call); \\
    printf("%s: %ld, errno %d\\n", #call, got_, errno); } while (0)
"""


@pytest.fixture(scope="session")
def built(tmp_path_factory) -> Path:
    """A folder for compiled programs."""
    return tmp_path_factory.mktemp("programs")


@pytest.fixture(scope="session")
def ping_pong(built) -> Path:
    """ping-pong.c of the examples."""
    return programs.build("ping-pong", built)


@pytest.fixture(scope="session")
def barrier(built) -> Path:
    """barrier.c of the examples."""
    return programs.build("barrier", built)


@pytest.fixture(scope="session")
def compile_c(built):
    """A function that compiles the text of a C program."""
    from via._programs import compiler

    def compiled(name: str, text: str, *options: str) -> Path:
        source = built / f"{name}.c"
        source.write_text(text, encoding="ascii")
        program = source.with_suffix(".so")
        assert compiler.main([*options, str(source), "-o", str(program)]) == 0
        return program

    return compiled


@pytest.fixture(scope="session")
def leaves(compile_c) -> Path:
    """A program that exits with the number it is given."""
    return compile_c("leaves", LEAVES)


@pytest.fixture(scope="session")
def waits(compile_c) -> Path:
    """A program that waits for ever."""
    return compile_c("waits", WAITS)


@pytest.fixture
def both(compile_c, built: Path, tmp_path: Path):
    """A function that runs a program on Linux and in the simulation, and compares the outputs."""

    def run(name: str, text: str, *args: str) -> list[str]:
        program = compile_c(name, LINUX + text, "-w")
        native = built / f"{name}.native"
        compiler = [os.environ.get("CC", "cc"), "-O1", "-w", "-pthread"]
        subprocess.run([*compiler, str(built / f"{name}.c"), "-o", str(native)], check=True)
        (tmp_path / "real").mkdir()
        (tmp_path / "simulated").mkdir()
        real = subprocess.run(
            [f"./{name}", *args],
            executable=native,
            cwd=tmp_path / "real",
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=60,
            check=False,
        )
        ran = via.Cluster(nodes=1).run_program(
            program, args=args, cwd=tmp_path / "simulated", capture=True
        )
        assert ran.stdout == real.stdout
        return ran.stdout.splitlines()

    return run
