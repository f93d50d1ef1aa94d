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


SHARED = r"""
static FILE* shared;
static void* fill(void* letter)
{
    char line[1001] = "";
    memset(line, *(char*)letter, 999);
    line[999] = '\n';
    for (int i = 0; i < 100; i++)
    {
        fputs(line, shared);
    }
    return NULL;
}
int main(void)
{
    char line[2000];
    int torn = 0, lines = 0;
    pthread_t threads[2];
    shared = piped();
    pthread_create(&threads[0], NULL, fill, "A");
    pthread_create(&threads[1], NULL, fill, "B");
    FILE* in = fdopen(ends[0], "r");
    usleep(10000);
    while (lines < 195 && fgets(line, sizeof(line), in))
    {
        lines++;
        torn += strspn(line, "A") != 999 && strspn(line, "B") != 999;
    }
    printf("%d lines, %d of them torn\n", lines, torn);
    fflush(stdout);
    _exit(0);
}
"""


def test_threads_that_write_one_stream_write_whole_lines(told):
    assert told("shared-stream", SHARED) == ["195 lines, 0 of them torn"]


LOCKED = r"""
static void* intrude(void* unused)
{
    int tried = ftrylockfile(stdout);
    printf("then %d\n", tried);
    return NULL;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, intrude, NULL);
    flockfile(stdout);
    printf("begin ");
    usleep(1000);
    printf("end\n");
    funlockfile(stdout);
    pthread_join(thread, NULL);
    printf("%d\n", ftrylockfile(stdout));
    return 0;
}
"""


def test_flockfile_keeps_other_threads_out(told):
    assert told("locked-stream", LOCKED) == ["begin end", "then -1", "0"]


READS = r"""
static FILE* in;
static void* read_line(void* unused)
{
    char line[9];
    printf("%s", fgets(line, sizeof(line), in));
    return NULL;
}
int main(void)
{
    pthread_t threads[2];
    FILE* out = piped();
    in = fdopen(ends[0], "r");
    pthread_create(&threads[0], NULL, read_line, NULL);
    pthread_create(&threads[1], NULL, read_line, NULL);
    usleep(1000);
    fputs("one", out);
    fflush(out);
    usleep(1000);
    fputs("\ntwo\n", out);
    fflush(out);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
"""


def test_threads_that_read_one_stream_get_whole_lines(told):
    assert told("shared-input", READS) == ["one", "two"]


FULL = """
static FILE* stream;
static char text[15000];
static char room[20000];
static long found[128];
static void* flush(void* none)
{
    fflush(NULL);
    return none;
}
static void* drain(void* none)
{
    char bytes[1000];
    ssize_t got;
    usleep(1000);
    while ((got = read(ends[0], bytes, sizeof(bytes))) > 0)
    {
        while (got > 0) found[(int)bytes[--got]]++;
    }
    return none;
}
int main(void)
{
    pthread_t flusher;
    pthread_t reader;
    stream = piped();
    setvbuf(stream, room, _IOFBF, sizeof(room));
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    while (write(ends[1], "x", 1) == 1) {}
    fcntl(ends[1], F_SETFL, 0);
    memset(text, 'a', sizeof(text));
    fwrite(text, 1, sizeof(text), stream);
    pthread_create(&flusher, NULL, flush, NULL);
    pthread_create(&reader, NULL, drain, NULL);
    usleep(100);
    fputs("bbbbb", stream);
    fclose(stream);
    pthread_join(flusher, NULL);
    pthread_join(reader, NULL);
    printf("%ld %ld\\n", found['a'], found['b']);
    return 0;
}
"""


def test_fflush_of_null_keeps_others_from_a_stream_that_waits(told):
    assert told("full", "#include <fcntl.h>\n" + FULL) == ["15000 5"]


APART = """
static FILE* busy;
static void* wait(void* none)
{
    flockfile(busy);
    funlockfile(busy);
    return none;
}
int main(void)
{
    char memory[4096];
    pthread_t threads[3];
    FILE* other = fmemopen(memory, sizeof(memory), "w");
    struct timespec from[2];
    struct timespec to[2];
    busy = fopen("/dev/null", "w");
    flockfile(busy);
    for (int round = 0; round < 2; round++)
    {
        clock_gettime(CLOCK_MONOTONIC, &from[round]);
        for (int i = 0; i < 1000; i++) fputs("x", other);
        clock_gettime(CLOCK_MONOTONIC, &to[round]);
        if (round == 0)
        {
            for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, wait, NULL);
            usleep(1000);
        }
    }
    funlockfile(busy);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    printf("%d\\n", to[1].tv_nsec - from[1].tv_nsec < 2 * (to[0].tv_nsec - from[0].tv_nsec));
    return 0;
}
"""


def test_who_waits_for_one_stream_does_not_slow_others(told):
    assert told("apart", "#include <time.h>\n" + APART) == ["1"]
