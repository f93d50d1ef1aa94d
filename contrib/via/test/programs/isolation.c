/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Sets everything that one process could spoil for another, rests, and looks again. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int s_global = 100;
int g_exported = 200;

int
main(int argc, char** argv)
{
    const int me = atoi(argv[1]);
    char words[] = "one two three";
    char cwd[256];
    int first;
    int second;
    s_global += me;
    g_exported += me;
    errno = me;
    srand(me);
    first = rand();
    strtok(words, " ");
    setenv("ME", argv[1], 1);
    if (chdir(argv[2]) != 0)
    {
        return 1;
    }
    errno = me;
    sleep(1);
    printf("errno %d\n", errno);
    printf("globals %d %d\n", s_global, g_exported);
    second = rand();
    srand(me);
    printf("rand %d\n", rand() == first && rand() == second);
    printf("strtok %s\n", strtok(NULL, " "));
    printf("env %s\n", getenv("ME"));
    printf("cwd %s\n", getcwd(cwd, sizeof(cwd)));
    return argc - 3;
}
