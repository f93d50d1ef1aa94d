/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Ends in the way it is told to. */

#define _GNU_SOURCE
#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void
SayGoodbye(void)
{
    printf("goodbye\n");
}

static int
IsTold(char** argv, const char* how)
{
    return strcmp(argv[1], how) == 0;
}

__attribute__((constructor)) static void
SayHello(void)
{
    printf("hello\n");
}

__attribute__((destructor)) static void
SayLast(void)
{
    printf("last\n");
}

int
main(int argc, char** argv)
{
    atexit(SayGoodbye);
    printf("unfinished line %d", argc);
    if (IsTold(argv, "exit"))
    {
        exit(7);
    }
    if (IsTold(argv, "_exit"))
    {
        _exit(8);
    }
    if (IsTold(argv, "abort"))
    {
        abort();
    }
    if (IsTold(argv, "assert"))
    {
        assert(argc == 1000);
    }
    if (IsTold(argv, "raise"))
    {
        raise(SIGTERM);
    }
    if (IsTold(argv, "syscall"))
    {
        syscall(SYS_exit_group, 0);
    }
    if (IsTold(argv, "wait"))
    {
        sleep(1000000);
    }
    return 9;
}
