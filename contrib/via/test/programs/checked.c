/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Calls that the compiler replaces by checked ones with -D_FORTIFY_SOURCE. */

#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Sizes and flags that the compiler does not know. */
static volatile size_t s_size;
static volatile int s_flags = O_RDONLY;

int
main(int argc, char** argv)
{
    const struct timespec soon = {0, 1000};
    struct pollfd none[1] = {{-1, 0, 0}};
    char host[32];
    char text[32] = "";
    FILE* made = fopen(argv[argc - 1], "w");
    int file;
    fputs("is checked", made);
    fclose(made);
    s_size = sizeof(host);
    file = open(argv[argc - 1], s_flags);
    gethostname(host, s_size);
    if (pread(file, text, s_size - 1, 3) == 7)
    {
        printf("%s %d %d %s\n", host, file, ppoll(none, s_size - sizeof(host), &soon, NULL), text);
    }
    fflush(stdout);
    dprintf(STDOUT_FILENO, "printed\n");
    return file < 0 || openat(AT_FDCWD, argv[argc - 1], s_flags) != file + 1;
}
