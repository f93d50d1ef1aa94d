# SPDX-License-Identifier: GPL-2.0-only
"""Streams of stdio of C programs: whose they are, and what fflush(NULL) flushes."""

import pytest
import via

HEADERS = """
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
static int ends[2];
static FILE* piped(void)
{
    return pipe(ends) == 0 ? fdopen(ends[1], "w") : NULL;
}
static int arrived(void)
{
    int bytes = -1;
    ioctl(ends[0], FIONREAD, &bytes);
    return bytes;
}
"""


@pytest.fixture
def told(compile_c):
    """A function that runs a program and returns the lines that it prints."""

    def run(name, text, nodes=1):
        program = compile_c(name, HEADERS + text)
        return via.Cluster(nodes=nodes).run_program(program, capture=True).stdout.splitlines()

    return run


FLUSHES = """
int main(void)
{
    FILE* stream = piped();
    if (atoi(getenv("VIA_RANK")) == 0)
    {
        setvbuf(stream, NULL, _IOLBF, 4096);
        fputs("kept", stream);
        usleep(1000);
        printf("others flushed %d bytes\\n", arrived());
    }
    else
    {
        usleep(500);
        CALL;
        printf("done\\n");
    }
    return 0;
}
"""


@pytest.mark.parametrize("call", ["fflush", "fflush_unlocked", "_flushlbf"])
def test_a_process_does_not_flush_the_streams_of_others(told, call):
    text = FLUSHES.replace("CALL", f"{call}({'' if call == '_flushlbf' else 'NULL'})")
    lines = told(f"flushes-{call}", text, nodes=2)
    assert lines == ["done", "others flushed 0 bytes"]


ALL = """
static ssize_t count(void* total, const char* text, size_t bytes)
{
    *(size_t*)total += bytes;
    return (ssize_t)bytes;
}
int main(void)
{
    FILE* stream = piped();
    size_t size = 0, counted = 0;
    char* text = NULL;
    FILE* memory = open_memstream(&text, &size);
    FILE* cookie = fopencookie(&counted, "w", (cookie_io_functions_t){.write = count});
    fputs("piped", stream);
    fputs("in memory", memory);
    fputs("of the program", cookie);
    setvbuf(stdout, NULL, _IOFBF, 4096);
    printf("%d\\n", fflush(NULL));
    printf("%d %s %zu\\n", arrived(), text, counted);
    close(ends[1]);
    fputs("into a closed pipe", stream);
    printf("%d\\n", fflush(NULL));
    fputs("never flushed", cookie);
    return 0;
}
"""


def test_fflush_of_null_flushes_all_streams_of_the_process(told):
    assert told("flush-all", ALL) == ["0", "5 in memory 14", "-1"]


LINES = """
int main(void)
{
    FILE* stream = piped();
    setvbuf(stream, NULL, _IOFBF, 4096);
    fputs("full", stream);
    _flushlbf();
    printf("%d\\n", arrived());
    setvbuf(stream, NULL, _IOLBF, 4096);
    _flushlbf();
    printf("%d\\n", arrived());
    return 0;
}
"""


def test_flushlbf_flushes_line_buffered_streams_only(told):
    assert told("flush-lines", LINES) == ["0", "4"]
