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


FOLDERS = """
int main(void)
{
    const struct timespec times[2] = {{1000, 0}, {2000, 0}};
    struct stat about;
    struct statvfs system;
    char text[9] = "";
    int in, folder, file;
    DIR* stream;
    mkdir("sub", 0700);
    folder = open("sub", O_RDONLY | O_DIRECTORY);
    file = openat(folder, "a", O_RDWR | O_CREAT, 0600);
    SAY("futimens", futimens(file, times));
    SAY("fstatat", fstatat(folder, "a", &about, 0));
    printf("changed at %ld\\n", (long)about.st_mtime);
    SAY("fallocate", fallocate(file, 0, 0, 100));
    SAY("fstatvfs", fstatvfs(file, &system));
    SAY("utimensat", utimensat(folder, "a", times, 0));
    SAY("fchmodat", fchmodat(folder, "a", 0400, 0));
    SAY("fchownat", fchownat(folder, "a", getuid(), getgid(), 0));
    SAY("faccessat", faccessat(folder, "a", R_OK, 0));
    SAY("linkat", linkat(folder, "a", folder, "b", 0));
    SAY("symlinkat", symlinkat("b", folder, "c"));
    printf("readlinkat %zd %s\\n", readlinkat(folder, "c", text, 8), text);
    SAY("renameat", renameat(folder, "b", AT_FDCWD, "d"));
    SAY("mkdirat", mkdirat(folder, "e", 0700));
    SAY("unlinkat", unlinkat(folder, "e", AT_REMOVEDIR));
    SAY("of a pipe", unlinkat(1, "d", 0));
    SAY("fchdir", fchdir(folder));
    SAY("stat", stat("a", &about));
    printf("%ld bytes\\n", (long)about.st_size);
    stream = opendir("..");
    in = dirfd(stream);
    printf("one number: %d\\n", in == dirfd(stream) && in == file + 1);
    SAY("of a stream", fstatat(in, "d", &about, 0));
    closedir(stream);
    SAY("closed", fstatat(in, "d", &about, 0));
    stream = fdopendir(folder);
    for (int i = 0; i < 4; i++)
    {
        printf("entry: %d\\n", readdir(stream) != NULL);
    }
    printf("one number: %d\\n", dirfd(stream) == folder);
    closedir(stream);
    SAY("closed", fsync(folder));
    return 0;
}
"""


def test_calls_on_open_folders_know_the_numbers_of_the_process(told):
    done = "futimens fstatat fallocate fstatvfs utimensat fchmodat fchownat faccessat linkat"
    done += " symlinkat renameat mkdirat unlinkat fchdir stat"
    lines = told("folders", FOLDERS)
    assert [line for line in lines if line.endswith(": done")] == [
        *(f"{call}: done" for call in done.split()),
        "of a stream: done",
    ]
    assert [line for line in lines if not line.endswith(": done")] == [
        "changed at 2000",
        "readlinkat 1 b",
        "of a pipe: Not a directory",
        "100 bytes",
        "one number: 1",
        "closed: Bad file descriptor",
        *["entry: 1"] * 4,
        "one number: 1",
        "closed: Bad file descriptor",
    ]


FIFOS = """
int main(void)
{
    SAY("open", open("fifo", O_RDONLY) < 0);
    SAY("openat", openat(AT_FDCWD, "fifo", O_WRONLY) < 0);
    SAY("creat", creat("fifo", 0600) < 0);
    SAY("fopen", !fopen("fifo", "r"));
    SAY("open of a pipe of the simulator's", open(PIPE, O_RDONLY) < 0);
    return 0;
}
"""


def test_a_fifo_is_not_opened(told, tmp_path):
    os.mkfifo(tmp_path / "fifo")
    ends = os.pipe()
    lines = told("fifos", FIFOS.replace("PIPE", f'"/dev/fd/{ends[0]}"'))
    for end in ends:
        os.close(end)
    refused = [f"{call}: Operation not supported" for call in ("open", "openat", "creat", "fopen")]
    assert lines == [*refused, "open of a pipe of the simulator's: done"]


LOCKS = """
static int s_way, s_fd;
static int lock(int waits)
{
    struct flock range = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return s_way == 0   ? flock(s_fd, LOCK_EX | (waits ? 0 : LOCK_NB))
           : s_way == 1 ? lockf(s_fd, waits ? F_LOCK : F_TLOCK, 0)
                        : fcntl(s_fd, waits ? F_SETLKW : F_SETLK, &range);
}
static void catch(int signal)
{
}
int main(void)
{
    const int rank = atoi(getenv("VIA_RANK"));
    struct sigaction action = {.sa_handler = catch};
    sigaction(SIGALRM, &action, NULL);
    s_fd = open("locked", O_RDWR | O_CREAT, 0600);
    for (s_way = 0; s_way < 3; s_way++)
    {
        struct flock asked = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
        struct flock free = {.l_type = F_UNLCK, .l_whence = SEEK_SET};
        long begin = ms();
        if (rank == 0)
        {
            SAY("first", lock(1));
            usleep(50000);
        }
        else
        {
            usleep(1000);
            SAY("second", lock(0));
            if (s_way > 0)
            {
                SAY("test", lockf(s_fd, F_TEST, 0));
                fcntl(s_fd, F_GETLK, &asked);
                printf("asked: %d\\n", asked.l_type == F_WRLCK);
            }
            ualarm(10000, 0);
            SAY("interrupted", lock(1));
            SAY("second", lock(1));
            printf("after %d\\n", (int)(ms() - begin) / 10 * 10);
        }
        s_way == 0 ? flock(s_fd, LOCK_UN) : fcntl(s_fd, F_SETLK, &free);
        usleep(100000);
    }
    return 0;
}
"""


def test_locks_of_files_exclude_other_processes_and_take_simulated_time(told):
    lines = told("locks", LOCKS, nodes=2)
    denied = "second: Resource temporarily unavailable"
    asked = ["test: Permission denied", "asked: 1"]
    then = ["interrupted: Interrupted system call", "second: done", "after 50"]
    each = ["first: done", denied]
    assert lines == [*each, *then, *each, *asked, *then, *each, *asked, *then]
