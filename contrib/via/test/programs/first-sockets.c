/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Threads whose sockets are the first of the run: each finds a kernel that serves it. */

#include "sockets.h"

#include <pthread.h>

#define THREADS 4

static void*
Use(void* number)
{
    const int fd = Listen(PORT + (int)(long)number, 1);
    return (void*)(long)(fd >= 0 && close(fd) == 0);
}

int
main(void)
{
    pthread_t threads[THREADS];
    long i, used = 0;
    for (i = 0; i < THREADS; i++)
    {
        assert(pthread_create(&threads[i], NULL, &Use, (void*)i) == 0);
    }
    used = (long)Use((void*)(long)THREADS);
    for (i = 0; i < THREADS; i++)
    {
        void* result;
        assert(pthread_join(threads[i], &result) == 0);
        used += (long)result;
    }
    printf("%ld threads had a socket\n", used);
    return 0;
}
