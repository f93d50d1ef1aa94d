# SPDX-License-Identifier: GPL-2.0-only
"""Files, folders and streams of C programs."""

import os

import pytest
import via

HEADERS = """
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>
#define SAY(what, failed) printf("%s: %s\\n", what, (failed) ? strerror(errno) : "done")
static long ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}
"""


@pytest.fixture
def told(compile_c, tmp_path):
    """A function that runs a program in an empty folder and returns the lines that it prints."""

    def run(name, text, nodes=1):
        program = compile_c(name, HEADERS + text)
        cluster = via.Cluster(nodes=nodes)
        return cluster.run_program(program, cwd=tmp_path, capture=True).stdout.splitlines()

    return run


def test_a_wrong_mode_is_an_error_of_fdopen(told):
    wrong = 'int main(void) { SAY("fdopen", !fdopen(dup(1), "q")); return 0; }'
    assert told("wrong-mode", wrong) == ["fdopen: Invalid argument"]
