/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Shows what the C library tells a process, twice: before and after others have run. */

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static int s_caught;

static void
Catch(int number)
{
    s_caught = number;
}

/* Static buffers keep what this process has put there, whatever number the others have. */
static void
ShowBuffers(int number)
{
    const time_t when = 86400L * 365 * number;
    struct in_addr address = {htonl(0x0a000000U + (unsigned)number)};
    struct tm* broken = gmtime(&when);
    const char* text = asctime(broken);
    const char* dotted = inet_ntoa(address);
    const char* error = strerror(1000 + number);
    const struct passwd* user = getpwuid((uid_t)number);
    const struct timespec moment = {0, 1000};
    nanosleep(&moment, NULL);
    printf("%d %.24s %s %s %s %d\n",
           broken->tm_year,
           text,
           dotted,
           error,
           user->pw_name,
           (int)user->pw_uid);
}

static void
ShowSystem(void)
{
    struct rusage usage;
    struct timeval pause = {0, 2000};
    struct timespec begin;
    struct timespec end;
    struct rlimit limit = {0, 0};
    sigset_t mask;
    sigset_t old;
    sigemptyset(&mask);
    sigaddset(&mask, SIGSEGV);
    sigprocmask(SIG_BLOCK, &mask, NULL);
    sigprocmask(SIG_BLOCK, NULL, &old);
    signal(SIGUSR1, Catch);
    raise(SIGUSR1);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    select(0, NULL, NULL, NULL, &pause);
    clock_gettime(CLOCK_MONOTONIC, &end);
    getrusage(RUSAGE_SELF, &usage);
    printf("masked %d caught %d slept %d cpu %d limit %d nice %d tty %d\n",
           sigismember(&old, SIGSEGV),
           s_caught == SIGUSR1,
           (int)((end.tv_nsec - begin.tv_nsec) / 1000000),
           usage.ru_utime.tv_usec > 0,
           setrlimit(RLIMIT_CORE, &limit) == -1 && errno == EPERM,
           nice(1),
           isatty(1));
}

static void
ShowStreams(const char* path)
{
    char text[16] = "";
    struct iovec pieces[2] = {{(void*)"one ", 4}, {(void*)"two\n", 4}};
    const int back = dup(1);
    int copy;
    const int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    copy = dup(file);
    if (write(copy, "copied", 6) == 6 && lseek(file, 0, SEEK_SET) == 0)
    {
        printf("read %d %s\n", (int)read(file, text, 15), text);
    }
    fflush(stdout);
    writev(1, pieces, 2);
    dprintf(1, "printed %d\n", 5);
    printf("from input %d\n", (int)read(0, text, 4));
    if (freopen(path, "w", stdout))
    {
        printf("into the file\n");
        fflush(stdout);
    }
    dup2(back, 1);
    lseek(file, 0, SEEK_SET);
    text[read(file, text, 13)] = '\0';
    printf("%s\n", text);
}

int
main(int argc, char** argv)
{
    unsigned bits[2];
    (void)argc;
    ShowBuffers(atoi(argv[1]));
    ShowSystem();
    getrandom(bits, sizeof(bits), 0);
    printf("random %08x %08x\n", bits[0], bits[1]);
    ShowStreams(argv[2]);
    return 0;
}
