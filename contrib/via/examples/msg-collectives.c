/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Barrier, broadcast and reduction of the message layer; see msg.h. */

#include "msg.h"

#include <stdlib.h>

#define BCAST_TAG -2
#define REDUCE_TAG -3

/* Dissemination: after the exchange with distance d, a rank has heard of the 2 d ranks before it.
 */
void
msg_barrier(void)
{
    const Host* host = msg_host();
    int distance;

    for (distance = 1; distance < host->size; distance *= 2)
    {
        msg_exchange((host->rank + distance) % host->size,
                     NULL,
                     0,
                     (host->rank + host->size - distance) % host->size,
                     NULL,
                     0);
    }
}

/* A binomial tree: seen from the root, rank r hears from the one without r's lowest bit, and tells
 * those with one more bit below that. */
void
msg_bcast(int root, void* data, VIP_ULONG length)
{
    const int size = msg_host()->size;
    const int place = (msg_host()->rank + size - root) % size;
    int bit = 1;

    while (bit < size && (place & bit) == 0)
    {
        bit *= 2;
    }
    if (place != 0)
    {
        msg_recv((place - bit + root) % size, BCAST_TAG, data, length);
    }
    for (bit /= 2; bit > 0; bit /= 2)
    {
        if (place + bit < size)
        {
            msg_send((place + bit + root) % size, BCAST_TAG, data, length);
        }
    }
}

/* Recursive doubling among the largest power of two of ranks. The ranks beyond hand their numbers
 * to one of those first and get the sums back from it. */
void
msg_allreduce(VIP_UINT64* numbers, VIP_ULONG count)
{
    const Host* host = msg_host();
    const VIP_ULONG bytes = count * sizeof(VIP_UINT64);
    VIP_UINT64* others = (VIP_UINT64*)malloc(bytes + 1);
    int doubling = 1;
    int distance;
    VIP_ULONG i;

    if (others == NULL)
    {
        fail("no memory to reduce %lu numbers", count);
    }
    while (doubling * 2 <= host->size)
    {
        doubling *= 2;
    }
    if (host->rank >= doubling)
    {
        msg_send(host->rank - doubling, REDUCE_TAG, numbers, bytes);
        msg_recv(host->rank - doubling, REDUCE_TAG, numbers, bytes);
        free(others);
        return;
    }
    if (host->rank + doubling < host->size)
    {
        msg_recv(host->rank + doubling, REDUCE_TAG, others, bytes);
        for (i = 0; i < count; i++)
        {
            numbers[i] += others[i];
        }
    }
    for (distance = 1; distance < doubling; distance *= 2)
    {
        const int partner = host->rank ^ distance;

        msg_exchange(partner, numbers, bytes, partner, others, bytes);
        for (i = 0; i < count; i++)
        {
            numbers[i] += others[i];
        }
    }
    if (host->rank + doubling < host->size)
    {
        msg_send(host->rank + doubling, REDUCE_TAG, numbers, bytes);
    }
    free(others);
}
