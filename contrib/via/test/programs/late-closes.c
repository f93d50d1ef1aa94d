/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Closes a connection after a long copy, which runs ahead of the simulation. argv[1]: how. */

#define _GNU_SOURCE
#include "sockets.h"

static char g_bytes[2000000];

static void
CloseBy(const char* how, int fd)
{
    memset(g_bytes, 1, sizeof(g_bytes));
    if (strcmp(how, "dup2") == 0)
    {
        assert(dup2(STDERR_FILENO, fd) == fd);
    }
    else if (strcmp(how, "fclose") == 0)
    {
        FILE* const stream = fdopen(fd, "r");
        memset(g_bytes, 2, sizeof(g_bytes));
        assert(fclose(stream) == 0);
    }
    else
    {
        assert(close(fd) == 0);
    }
}

int
main(int argc, char** argv)
{
    char byte;
    assert(argc > 1);
    if (Rank() == 0)
    {
        const int fd = accept(Listen(PORT, 1), NULL, NULL);
        assert(recv(fd, &byte, 1, 0) == 0);
        printf("%ld\n", Nanoseconds());
        return 0;
    }
    CloseBy(argv[1], Connect("n0", PORT));
    usleep(100000);
    return 0;
}
