# SPDX-License-Identifier: GPL-2.0-only
"""Calls of C programs that do the same as on Linux: each program runs on both."""

import os
import subprocess
from pathlib import Path

import pytest
import via

HEADERS = """
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


@pytest.fixture
def both(compile_c, built: Path, tmp_path: Path):
    """A function that runs a program on Linux and in the simulation, and compares the outputs."""

    def run(name: str, text: str, *args: str) -> list[str]:
        program = compile_c(name, HEADERS + text, "-w")
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


OPTIONS = r"""
static void parse(const char* letters, int only, const char* line)
{
    static const struct option longs[] = {{"add", no_argument, NULL, 1000},
                                          {"append", no_argument, NULL, 1001},
                                          {"file", required_argument, NULL, 1002},
                                          {"level", optional_argument, NULL, 1003},
                                          {NULL, 0, NULL, 0}};
    char copy[100], *argv[20];
    int argc = 0, got, i, which;
    strcpy(copy, line);
    for (argv[0] = strtok(copy, " "); argv[argc]; argv[++argc] = strtok(NULL, " "))
    {
    }
    printf("'%s' %d: %s\n", letters, only, line);
    optind = 0;
    do
    {
        which = -1;
        optarg = NULL;
        got = only == 2   ? getopt_long_only(argc, argv, letters, longs, &which)
              : only == 1 ? getopt_long(argc, argv, letters, longs, &which)
                          : getopt(argc, argv, letters);
        printf("%d %s %d\n", got, optarg ? optarg : "-", which);
        if (got == '?' || got == ':')
        {
            printf("optopt %d\n", optopt);
        }
    } while (got != -1);
    for (i = optind; i < argc; i++)
    {
        printf("operand %s\n", argv[i]);
    }
}
int main(void)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    dup2(1, 2);
    parse("-ab:", 0, "p one -a two -b x three -- four");
    parse("-ab:", 1, "p one -a two --add three -- four");
    parse("+ab:", 0, "p -a one -b x");
    parse("ab:", 0, "p one -a two -bx -z -b");
    parse(":ab:", 0, "p -z -b");
    parse("+:ab:", 0, "p -z -b");
    parse("ab:c::", 0, "p -cx -c x -acb y");
    parse("af:", 2, "p -a -add -f x -file y -file=z -fx -level=3 -level -nope -ax");
    parse("af:W;", 1, "p -W file=a -Wfile b -W add -Wnope -W");
    parse("af:", 1, "p --a --ad --fi x --file --level=2 --add=3 --nope -x y");
    return 0;
}
"""


def test_options_are_parsed_as_on_linux(both):
    both("options-of-linux", OPTIONS)
