/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Cancels a thread, which no simulated process can do. */

#include <pthread.h>

int
main(void)
{
    return pthread_cancel(pthread_self());
}
