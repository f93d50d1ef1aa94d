# SPDX-License-Identifier: GPL-2.0-only
"""What C programs must not get from the real machine: chance, users, limits and calls."""

from pathlib import Path

import pytest
import via

HEADERS = """
#define _GNU_SOURCE
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pthread.h>
#include <pwd.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/socket.h>
#include <syslog.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#define SHOW(call) do { errno = 0; long got_ = (long)(call); \\
    printf("%s: %ld, errno %d\\n", #call, got_, errno); } while (0)
"""


@pytest.fixture
def run(compile_c, tmp_path: Path):
    """A function that runs a program in an empty folder and returns the run."""

    def start(name, text, **given):
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        folder.mkdir()
        program = compile_c(name, HEADERS + text, "-w")
        return via.Cluster(nodes=1).run_program(program, capture=True, cwd=folder, **given)

    return start


CHANCE = r"""
int main(void)
{
    char file[] = "a-XXXXXX", folder[] = "b-XXXXXX", bytes[4] = "", text[] = "letters";
    int fd = open("/dev/urandom", O_RDONLY);
    FILE* stream = fopen("/dev/random", "r");
    unsigned int word = 0;
    mkstemp(file);
    mkdtemp(folder);
    printf("%s %s %s %s\n", file, folder, tmpnam(NULL), strfry(text));
    SHOW(read(fd, &word, sizeof(word)));
    printf("%u", word);
    SHOW(fread(&word, sizeof(word), 1, stream));
    printf("%u %u %u", word, arc4random(), arc4random_uniform(1000));
    arc4random_buf(bytes, sizeof(bytes));
    printf(" %d\n", bytes[0]);
    SHOW(syscall(SYS_getrandom, bytes, 4, 0));
    printf("%d\n", bytes[0]);
    return 0;
}
"""


def test_random_bytes_and_names_are_the_same_in_every_run(run):
    first = run("chance", CHANCE).stdout
    assert "a-XXXXXX" not in first
    assert run("chance", CHANCE).stdout == first


INPUT = r"""
int main(void)
{
    char line[20] = "";
    FILE* stream = fopen("/dev/stdin", "r");
    int fd = open("/dev/stdout", O_WRONLY);
    fgets(line, sizeof(line), stream);
    write(fd, line, strlen(line));
    SHOW(open("/dev/tty", O_RDWR));
    SHOW(open("/dev/fd/77", O_RDWR));
    return 0;
}
"""


def test_the_devices_of_standard_streams_are_those_of_the_process(run, tmp_path: Path):
    (tmp_path / "given").write_text("first line\nsecond\n")
    assert run("devices", INPUT, stdin=tmp_path / "given").stdout.splitlines() == [
        "first line",
        'open("/dev/tty", O_RDWR): -1, errno 6',
        'open("/dev/fd/77", O_RDWR): -1, errno 2',
    ]


USERS = r"""
int main(void)
{
    struct passwd entry, *found = NULL;
    struct rlimit limit;
    char room[100];
    SHOW(setuid(getuid()));
    SHOW(setuid(getuid() + 1));
    SHOW(setgroups(0, NULL));
    SHOW(getpwnam_r("root", &entry, room, sizeof(room), &found) + 10 * (found != NULL));
    SHOW(getpwuid_r(5, &entry, room, sizeof(room), &found) + 10 * (found != NULL));
    puts(getgrgid(7)->gr_name);
    SHOW(getpgrp() == getpid() && getpgid(0) == getpid());
    SHOW(setsid());
    SHOW(killpg(getpgrp(), 0));
    SHOW(kill(-1, SIGTERM));
    SHOW(getrlimit(RLIMIT_NOFILE, &limit) + limit.rlim_cur);
    SHOW(prlimit(0, RLIMIT_NOFILE, NULL, &limit));
    SHOW(prlimit(99, RLIMIT_NOFILE, NULL, &limit));
    SHOW(sysconf(_SC_OPEN_MAX) - getdtablesize());
    SHOW(sysconf(_SC_PHYS_PAGES));
    return 0;
}
"""


def test_users_groups_and_limits_are_those_of_the_simulated_host(run):
    assert run("users", USERS).stdout.splitlines() == [
        "setuid(getuid()): 0, errno 0",
        "setuid(getuid() + 1): -1, errno 1",
        "setgroups(0, NULL): -1, errno 1",
        'getpwnam_r("root", &entry, room, sizeof(room), &found) + 10 * (found != NULL): 0, errno 0',
        "getpwuid_r(5, &entry, room, sizeof(room), &found) + 10 * (found != NULL): 10, errno 0",
        "via",
        "getpgrp() == getpid() && getpgid(0) == getpid(): 1, errno 0",
        "setsid(): -1, errno 1",
        "killpg(getpgrp(), 0): 0, errno 0",
        "kill(-1, SIGTERM): -1, errno 3",
        "getrlimit(RLIMIT_NOFILE, &limit) + limit.rlim_cur: 1024, errno 0",
        "prlimit(0, RLIMIT_NOFILE, NULL, &limit): 0, errno 0",
        "prlimit(99, RLIMIT_NOFILE, NULL, &limit): -1, errno 3",
        "sysconf(_SC_OPEN_MAX) - getdtablesize(): 0, errno 0",
        "sysconf(_SC_PHYS_PAGES): -1, errno 0",
    ]


CPU_TIMES = r"""
static char from[1 << 20], to[1 << 20];
static sem_t done, checked;
static long us(clockid_t clock)
{
    struct timespec now = {0, 0};
    return clock_gettime(clock, &now) ? -1 : now.tv_sec * 1000000 + now.tv_nsec / 1000;
}
static long used(int who)
{
    struct rusage use;
    getrusage(who, &use);
    return use.ru_utime.tv_sec * 1000000 + use.ru_utime.tv_usec + use.ru_stime.tv_usec;
}
static void copy(int times)
{
    while (times-- > 0)
    {
        memcpy(to, from, sizeof(to));
    }
}
static void* body(void* times)
{
    const long born = us(CLOCK_MONOTONIC);
    long spent;
    SHOW(us(CLOCK_THREAD_CPUTIME_ID) < 100);
    copy((long)times);
    spent = us(CLOCK_MONOTONIC) - born;
    SHOW(labs(us(CLOCK_THREAD_CPUTIME_ID) - spent) < 100);
    SHOW(labs(used(RUSAGE_THREAD) - spent) < 100);
    usleep(1000000);
    SHOW(us(CLOCK_THREAD_CPUTIME_ID) - spent < 100);
    sem_post(&done);
    sem_wait(&checked);
    return (void*)spent;
}
int main(void)
{
    clockid_t clock;
    pthread_t thread;
    void* spent;
    long own, reading;
    sem_init(&done, 0, 0);
    sem_init(&checked, 0, 0);
    copy(20);
    own = us(CLOCK_THREAD_CPUTIME_ID);
    for (long times = 5; times < 7; times++) /* the simulator uses the second one's number again */
    {
        pthread_create(&thread, NULL, body, (void*)times);
        SHOW(pthread_getcpuclockid(thread, &clock));
        sem_wait(&done);
        reading = us(clock);
        sem_post(&checked);
        pthread_join(thread, &spent);
        SHOW(labs(reading - (long)spent) < 100);
        SHOW(us(clock));
    }
    SHOW(us(CLOCK_THREAD_CPUTIME_ID) - own < 200);
    SHOW(pthread_getcpuclockid(pthread_self(), &clock) + us(clock) - own < 200);
    SHOW(us(CLOCK_PROCESS_CPUTIME_ID) > own + (long)spent);
    return 0;
}
"""


def test_each_thread_has_its_own_cpu_time(run):
    thread = [
        "pthread_getcpuclockid(thread, &clock): 0, errno 0",
        "us(CLOCK_THREAD_CPUTIME_ID) < 100: 1, errno 0",
        "labs(us(CLOCK_THREAD_CPUTIME_ID) - spent) < 100: 1, errno 0",
        "labs(used(RUSAGE_THREAD) - spent) < 100: 1, errno 0",
        "us(CLOCK_THREAD_CPUTIME_ID) - spent < 100: 1, errno 0",
        "labs(reading - (long)spent) < 100: 1, errno 0",
        "us(clock): -1, errno 22",
    ]
    assert run("cpu-times", CPU_TIMES).stdout.splitlines() == [
        *thread,
        *thread,
        "us(CLOCK_THREAD_CPUTIME_ID) - own < 200: 1, errno 0",
        "pthread_getcpuclockid(pthread_self(), &clock) + us(clock) - own < 200: 1, errno 0",
        "us(CLOCK_PROCESS_CPUTIME_ID) > own + (long)spent: 1, errno 0",
    ]


FAILS = r"""
int main(void)
{
    struct aiocb block = {.aio_fildes = 0};
    struct termios terminal;
    struct sysinfo about;
    char control[CMSG_SPACE(sizeof(int))] = "";
    struct iovec piece = {"x", 1};
    struct msghdr message = {
        .msg_iov = &piece,
        .msg_iovlen = 1,
        .msg_control = control,
        .msg_controllen = sizeof(control)};
    int two[2];
    socketpair(AF_UNIX, SOCK_STREAM, 0, two);
    SHOW(aio_read(&block));
    SHOW(tcgetattr(0, &terminal));
    SHOW(ttyname(0));
    SHOW(sysinfo(&about));
    SHOW(sendmsg(two[0], &message, 0));
    SHOW(send(two[0], "x", 1, MSG_OOB));
    SHOW(recv(two[0], control, 1, MSG_OOB));
    SHOW(pthread_setschedprio(pthread_self(), 3));
    SHOW(readv(two[0], &piece, -1));
    SHOW(writev(two[0], &piece, 2000));
    return 0;
}
"""


def test_what_is_not_simulated_fails_by_name(run, capfd):
    lines = run("refused-calls", FAILS).stdout.splitlines()
    assert lines == [
        "aio_read(&block): -1, errno 38",
        "tcgetattr(0, &terminal): -1, errno 25",
        "ttyname(0): 0, errno 25",
        "sysinfo(&about): -1, errno 38",
        "sendmsg(two[0], &message, 0): -1, errno 95",
        'send(two[0], "x", 1, MSG_OOB): -1, errno 95',
        "recv(two[0], control, 1, MSG_OOB): -1, errno 22",
        "pthread_setschedprio(pthread_self(), 3): 1, errno 1",
        "readv(two[0], &piece, -1): -1, errno 22",
        "writev(two[0], &piece, 2000): -1, errno 22",
    ]
    assert "calls aio_read(); a call fails: the C library would" in capfd.readouterr().err


CALLS = r"""
int main(int count, char** words)
{
    struct timespec now, then;
    SHOW(syscall(SYS_getpid) - getpid());
    SHOW(syscall(SYS_gettid) - gettid());
    SHOW(syscall(SYS_clock_gettime, CLOCK_REALTIME, &now) + now.tv_sec / 1000000);
    SHOW(clock_getres(1000, &then));
    fflush(stdout);
    return syscall(atoi(words[1]), 0, 0, 0);
}
"""


@pytest.mark.parametrize(
    ("number", "why"),
    [(112, r"syscall\(112\) is not simulated"), (62, r"syscall\(SYS_kill\) .*call kill")],
)
def test_system_calls_that_are_not_simulated_end_the_process_by_name(run, number, why):
    with pytest.raises(via.ProcessFailed, match=why) as caught:
        run("system-calls", CALLS, args=[number])
    assert caught.value.run.stdout.splitlines() == [
        "syscall(SYS_getpid) - getpid(): 0, errno 0",
        "syscall(SYS_gettid) - gettid(): 0, errno 0",
        "syscall(SYS_clock_gettime, CLOCK_REALTIME, &now) + now.tv_sec / 1000000: 946, errno 0",
        "clock_getres(1000, &then): -1, errno 22",
    ]
