/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Calls what no simulated process can do: what has an error code, and then what has none. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/shm.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

int
main(int argc, char** argv)
{
    const struct timeval never = {0, 0};
    printf("system %d", system("true"));
    printf(" %d", errno == ENOSYS);
    printf(" popen %d", popen("true", "r") == NULL);
    printf(" wait %d", wait(NULL) == -1 && errno == ECHILD);
    printf(" shmget %d", shmget(1, 1, 0) == -1 && errno == ENOSYS);
    printf(" settimeofday %d\n", settimeofday(&never, NULL) == -1 && errno == EPERM);
    if (argc > 1 && strcmp(argv[1], "fork") == 0)
    {
        return fork();
    }
    return 0;
}
