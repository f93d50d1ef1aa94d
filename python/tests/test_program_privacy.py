# SPDX-License-Identifier: GPL-2.0-only
"""What the C library shares in a process is private to each simulated one."""

import locale
import time

import pytest
import via

HEADERS = r"""
#define _GNU_SOURCE
#include <assert.h>
#include <err.h>
#include <errno.h>
#include <error.h>
#include <math.h>
#include <netdb.h>
#include <netinet/ether.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
"""


@pytest.fixture
def run(compile_c):
    """A function that runs a program and returns the run."""

    def start(name, text, *options, nodes=1, check=True):
        program = compile_c(name, HEADERS + text, "-w", *options)
        return via.Cluster(nodes=nodes).run_program(program, capture=True, check=check)

    return start


NAMES = r"""
int main(void)
{
    errno = ENOENT;
    warn("warn %d", 1);
    warnx("warnx");
    error(0, ENOENT, "error");
    error_at_line(0, 0, "file", 7, "line");
    error_at_line(0, 0, NULL, 7, "no file");
    printf("%s %d\n", program_invocation_short_name, strcmp(program_invocation_name, PATH));
    errno = ENOENT;
    err(3, NULL);
}
"""


def test_messages_begin_with_the_name_of_the_program(run, built):
    path = built / "messages.so"
    ran = run("messages", NAMES.replace("PATH", f'"{path}"'), check=False)
    assert ran.stdout == "messages.so 0\n"
    assert ran.stderr.splitlines()[:6] == [
        "messages.so: warn 1: No such file or directory",
        "messages.so: warnx",
        f"{path}: error: No such file or directory",
        f"{path}:file:7: line",
        f"{path}: no file",
        "messages.so: No such file or directory",
    ]
    assert ran.report["processes"][0]["exit"] == 3


LINES = r"""
int main(void)
{
    error_one_per_line = 1;
    error_at_line(0, 0, "file", 7, "first");
    error_at_line(0, 0, "file", 7, "second");
    printf("%u\n", error_message_count);
    fflush(stdout);
    error_at_line(5, ENOENT, "file", 8, "last");
}
"""


def test_error_at_line_ends_the_process_only(run):
    ran = run("lines", LINES, check=False)
    assert ran.stdout == "1\n"
    assert [line.split(".so:")[1] for line in ran.stderr.splitlines()[:2]] == [
        "file:7: first",
        "file:8: last: No such file or directory",
    ]
    assert ran.report["processes"][0]["exit"] == 5


ARGP = r"""
#include <argp.h>
int main(int argc, char** argv)
{
    return argp_parse(&(struct argp){0}, argc, argv, 0, 0, 0);
}
"""


def test_argp_parse_is_refused_as_it_would_end_the_simulator(run, capfd):
    ran = run("argp", ARGP, check=False)
    assert "calls argp_parse(); a call ends the process" in capfd.readouterr().err
    assert "argp_parse(): it would end the simulator" in ran.stderr


PERROR = "int main(void) { assert_perror(ENOENT); }"


def test_assert_perror_ends_the_process_only(run):
    ran = run("perror", PERROR, check=False)
    assert "Unexpected error: No such file or directory." in ran.stderr


ZONE = r"""
int main(void)
{
    time_t when = 100000;
    struct tm* local = localtime(&when);
    struct tm read = {0};
    char text[99];
    tzset();
    printf("%s %s %ld %d\n", tzname[0], tzname[1], timezone, daylight);
    strftime(text, sizeof(text), "%s %% %H:%M %Z %z %5s%%s", local);
    puts(text);
    printf("%ld %s", (long)mktime(local), ctime(&when));
    puts(strptime("at 100000 sharp", "at %s sha", &read));
    printf("%d:%d %s\n", read.tm_hour, read.tm_min, read.tm_zone);
    printf("%d\n", strptime("at noon", "at %s", &read) == NULL);
    strftime(text, sizeof(text), "%Z", &(struct tm){0}); /* its zone has no name */
    puts(text);
    return 0;
}
"""


def test_local_time_is_utc_whatever_the_users_zone(run, monkeypatch):
    monkeypatch.setenv("TZ", "XYZ5")
    time.tzset()
    try:
        lines = run("zone", ZONE).stdout.splitlines()
    finally:
        monkeypatch.undo()
        time.tzset()
    assert lines == [
        "UTC UTC 0 0",
        "100000 % 03:46 UTC +0000 100000%s",
        "100000 Fri Jan  2 03:46:40 1970",
        "rp",
        "3:46 UTC",
        "1",
        "UTC",
    ]


SHARED = r"""
int main(void)
{
    const int rank = atoi(getenv("VIA_RANK"));
    int point, sign;
    char* number = ecvt(1.5 + rank, 3, &point, &sign);
    char* fixed = fcvt(1.5 + rank, 3, &point, &sign);
    char* ether = ether_ntoa(&(struct ether_addr){{1, 2, 3, 4, 5, rank}});
    char* name = strsignal(1000 + rank);
    char* encoded = l64a(rank + 2);
    volatile double of = rank ? -0.5 : 0.5;
    double gamma = lgamma(of);
    h_errno = rank + 1;
    error_message_count = rank + 5;
    usleep(1000);
    printf("%s %s %s %s %s", number, fixed, ether, name, encoded);
    printf(" %d %d %u %.3f\n", signgam, h_errno, error_message_count, gamma);
    herror(NULL);
    return 0;
}
"""


def test_static_results_of_the_c_library_are_private(run):
    ran = run("shared", SHARED, "-lm", nodes=2)
    assert sorted(ran.stdout.splitlines()) == [
        "150 1500 1:2:3:4:5:0 Unknown signal 1000 0 1 1 5 0.572",
        "250 2500 1:2:3:4:5:1 Unknown signal 1001 1 -1 2 6 1.266",
    ]
    assert sorted(ran.stderr.splitlines()) == ["Host name lookup failure", "Unknown host"]


LOCALE = r"""
#include <locale.h>
#include <wchar.h>
#include <wctype.h>
int main(void)
{
    const int rank = atoi(getenv("VIA_RANK"));
    char text[9];
    locale_t own = newlocale(LC_ALL_MASK, "", NULL);
    printf("%d %d %d", (int)MB_CUR_MAX, mblen("\303\244", 2), iswalpha(228));
    printf(" %d", snprintf(text, sizeof(text), "%ls", L"\344"));
    printf(" %d", uselocale(NULL) == LC_GLOBAL_LOCALE);
    if (rank == 1)
    {
        uselocale(newlocale(LC_ALL_MASK, "C.UTF-8", NULL));
    }
    usleep(1000);
    printf(" %d", (int)MB_CUR_MAX);
    uselocale(LC_GLOBAL_LOCALE);
    printf(" %d", (int)MB_CUR_MAX);
    uselocale(own);
    printf(" %d", (int)MB_CUR_MAX);
    uselocale(duplocale(LC_GLOBAL_LOCALE));
    printf(" %d\n", (int)MB_CUR_MAX);
    return 0;
}
"""


def test_the_users_locale_does_not_reach_programs(run, monkeypatch):
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    before = locale.setlocale(locale.LC_ALL)
    locale.setlocale(locale.LC_ALL, "")
    try:
        lines = run("locale", LOCALE, nodes=2).stdout.splitlines()
        after = locale.nl_langinfo(locale.CODESET)
    finally:
        locale.setlocale(locale.LC_ALL, before)
    assert lines == ["1 -1 0 -1 1 1 1 1 1", "1 -1 0 -1 1 6 1 1 1"]
    assert after == "UTF-8"


ENDS = r"""
#include <locale.h>
int main(void)
{
    uselocale(newlocale(LC_ALL_MASK, "C", NULL));
    usleep(1000);
    END;
}
"""


@pytest.mark.parametrize("end", ["abort()", "_exit(1)", "return *(volatile int*)1"])
def test_the_simulator_has_its_locale_back_however_programs_end(run, end):
    before = locale.setlocale(locale.LC_ALL)
    locale.setlocale(locale.LC_ALL, "C.UTF-8")
    try:
        run("ends", ENDS.replace("END", end), nodes=2, check=False)
        assert locale.nl_langinfo(locale.CODESET) == "UTF-8"
    finally:
        locale.setlocale(locale.LC_ALL, before)


def test_functions_in_python_keep_the_users_locale_beside_programs(compile_c):
    program = compile_c("sleeps", "#include <unistd.h>\nint main(void) { usleep(2000); }\n")
    cluster = via.Cluster(nodes=2)
    cluster.spawn(1, program)
    seen = []

    @cluster.process(0)
    async def looks(p: via.Process) -> None:
        for _ in range(3):
            seen.append(locale.nl_langinfo(locale.CODESET))
            await p.sleep("500 us")

    before = locale.setlocale(locale.LC_ALL)
    locale.setlocale(locale.LC_ALL, "C.UTF-8")
    try:
        cluster.run()
    finally:
        locale.setlocale(locale.LC_ALL, before)
    assert seen == ["UTF-8"] * 3
