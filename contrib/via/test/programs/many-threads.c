/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Starts threads with large stacks until there is no room for another. */

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void*
Wait(void* given)
{
    usleep(1000);
    return given;
}

int
main(void)
{
    pthread_attr_t large;
    pthread_t thread;
    int count = 0;
    int failed = 0;
    pthread_attr_init(&large);
    pthread_attr_setstacksize(&large, 256 << 20);
    while (count < 20 && (failed = pthread_create(&thread, &large, Wait, NULL)) == 0)
    {
        count++;
    }
    printf("%d threads, %d\n", count > 2 && count < 20, failed == EAGAIN);
    return 0;
}
