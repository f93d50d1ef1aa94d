/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* The manager of the shared memory: locks, barriers, and who has to forget which page. */

#include "dsm-wire.h"
#include "dsm.h"

#include <stdlib.h>
#include <string.h>

/* Times count requests. Of a page we know its last writer with the time, and the last time that
 * anybody else wrote it: enough to tell each rank the last time that another one did. */
typedef struct Written
{
    int writer;
    long time;
    long others_time;
} Written;

/* Ranks wait for a lock in order. */
typedef struct Lock
{
    int holder; /* -1: nobody */
    int first;
    int waiting;
    int* line; /* round: as many places as ranks */
} Lock;

static const Host* host;
static VIP_ULONG pages;
static Written* written;
static long now;
static long* told; /* the time up to which each rank knows everything */
static Lock locks[DSM_LOCKS];
static int at_barrier;

void
dsm_manager_open(const Host* its_host, VIP_ULONG its_pages)
{
    VIP_ULONG i;

    host = its_host;
    pages = its_pages;
    written = (Written*)calloc(pages, sizeof(Written));
    told = (long*)calloc(host->size, sizeof(long));
    if (written == NULL || told == NULL)
    {
        fail("no memory to manage %lu pages", pages);
    }
    for (i = 0; i < DSM_LOCKS; i++)
    {
        locks[i].holder = -1;
        locks[i].line = (int*)calloc(host->size, sizeof(int));
    }
}

void
dsm_manager_close(void)
{
    int i;

    for (i = 0; i < DSM_LOCKS; i++)
    {
        free(locks[i].line);
    }
    free(written);
    free(told);
}

static void
note(int writer, const unsigned char* map)
{
    VIP_ULONG page;

    now++;
    for (page = 0; page < pages; page++)
    {
        Written* one = &written[page];

        if ((map[page / 8] >> page % 8 & 1) == 0)
        {
            continue;
        }
        if (one->writer != writer)
        {
            one->others_time = one->time;
            one->writer = writer;
        }
        one->time = now;
    }
}

static void
grant(int client)
{
    unsigned char* map = (unsigned char*)calloc(pages / 8 + 1, 1);
    VIP_ULONG page;

    for (page = 0; page < pages; page++)
    {
        const Written* one = &written[page];

        if ((one->writer == client ? one->others_time : one->time) > told[client])
        {
            map[page / 8] |= (unsigned char)(1 << page % 8);
        }
    }
    told[client] = now;
    dsm_grant(client, map);
    free(map);
}

static void
release(Lock* lock, int client, VIP_UINT32 number)
{
    if (lock->holder != client)
    {
        fail("rank %d releases lock %lu of rank %d", client, (unsigned long)number, lock->holder);
    }
    lock->holder = -1;
    if (lock->waiting > 0)
    {
        lock->holder = lock->line[lock->first];
        lock->first = (lock->first + 1) % host->size;
        lock->waiting--;
        grant(lock->holder);
    }
}

static void
acquire(Lock* lock, int client)
{
    if (lock->holder < 0)
    {
        lock->holder = client;
        grant(client);
        return;
    }
    lock->line[(lock->first + lock->waiting) % host->size] = client;
    lock->waiting++;
}

static void
arrive(void)
{
    int i;

    at_barrier++;
    if (at_barrier == host->size)
    {
        at_barrier = 0;
        for (i = 0; i < host->size; i++)
        {
            grant(i);
        }
    }
}

void
dsm_manage(int client, Kind kind, VIP_UINT32 number, const unsigned char* map)
{
    note(client, map);
    if (kind == KIND_ACQUIRE)
    {
        acquire(&locks[number], client);
    }
    else if (kind == KIND_RELEASE)
    {
        release(&locks[number], client, number);
    }
    else
    {
        arrive();
    }
}
