# SPDX-License-Identifier: GPL-2.0-only
"""What several tests need: example programs, compiled once per session."""

from pathlib import Path

import pytest
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
