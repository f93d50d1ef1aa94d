/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Shared memory in software: pages, twins and notices; see dsm.h. */

#include "dsm.h"

#include "dsm-wire.h"

#include <stdlib.h>
#include <string.h>

#define MANAGER 0
#define WORD 8

typedef struct Page
{
    int home;
    int valid;
    int dirty;
    char* twin; /* of a dirty page whose home is elsewhere */
} Page;

static Host* host;
static char* memory;
static VIP_ULONG pages;
static Page* page_table;
static unsigned char* notices; /* a bit for each page that we wrote since the last release */
static VIP_ULONG map_bytes;
static char* flushing; /* for each rank, if it has updates of ours */
static DsmCounts counts;

static int
home_of(VIP_ULONG page)
{
    return page_table[page].home;
}

/* The pages of which a part of the memory has some bytes. */
static void
find_pages(const char* start, VIP_ULONG bytes, VIP_ULONG* first, VIP_ULONG* end)
{
    *first = (VIP_ULONG)(start - memory) / DSM_PAGE;
    *end = ((VIP_ULONG)(start - memory) + bytes + DSM_PAGE - 1) / DSM_PAGE;
    if (start < memory || *end > pages)
    {
        fail("this is not shared memory");
    }
}

void
dsm_spread(const void* start, VIP_ULONG bytes)
{
    VIP_ULONG first;
    VIP_ULONG end;
    VIP_ULONG page;

    find_pages((const char*)start, bytes, &first, &end);
    for (page = first; page < end; page++)
    {
        page_table[page].home = (int)((page - first) * host->size / (end - first));
    }
}

/* ---- Access ---- */

static void
fetch(VIP_ULONG page)
{
    const int home = home_of(page);

    dsm_ask(home, KIND_PAGE, (VIP_UINT32)page, NULL);
    dsm_await(home, NULL);
    page_table[page].valid = 1;
    counts.fetches++;
}

static void
make_twin(VIP_ULONG page)
{
    page_table[page].twin = (char*)malloc(DSM_PAGE);
    if (page_table[page].twin == NULL)
    {
        fail("no memory for a twin");
    }
    memcpy(page_table[page].twin, memory + page * DSM_PAGE, DSM_PAGE);
    counts.twins++;
}

static void
touch(const char* start, VIP_ULONG bytes, int to_write)
{
    VIP_ULONG first;
    VIP_ULONG end;
    VIP_ULONG page;

    find_pages(start, bytes, &first, &end);
    for (page = first; page < end; page++)
    {
        if (!page_table[page].valid)
        {
            fetch(page);
        }
        if (to_write && !page_table[page].dirty)
        {
            page_table[page].dirty = 1;
            notices[page / 8] |= (unsigned char)(1 << page % 8);
            if (home_of(page) != host->rank)
            {
                make_twin(page);
            }
        }
    }
}

void
dsm_read(const void* start, VIP_ULONG bytes)
{
    touch((const char*)start, bytes, 0);
}

void
dsm_write(void* start, VIP_ULONG bytes)
{
    touch((const char*)start, bytes, 1);
}

/* ---- Consistency ---- */

/* Write what differs from the twin into the home's page: words in a row at once. */
static void
send_changes(VIP_ULONG page)
{
    const char* twin = page_table[page].twin;
    const char* data = memory + page * DSM_PAGE;
    VIP_ULONG start = 0;
    VIP_ULONG end;

    while (start < DSM_PAGE)
    {
        if (memcmp(twin + start, data + start, WORD) == 0)
        {
            start += WORD;
            continue;
        }
        end = start + WORD;
        while (end < DSM_PAGE && memcmp(twin + end, data + end, WORD) != 0)
        {
            end += WORD;
        }
        dsm_update(home_of(page), page * DSM_PAGE + start, end - start);
        flushing[home_of(page)] = 1;
        counts.updates++;
        counts.updated_bytes += end - start;
        start = end;
    }
}

/* After this all homes have what we wrote. */
static void
flush(void)
{
    VIP_ULONG page;
    int home;

    for (page = 0; page < pages; page++)
    {
        if (page_table[page].dirty && page_table[page].twin != NULL)
        {
            send_changes(page);
            free(page_table[page].twin);
            page_table[page].twin = NULL;
        }
        page_table[page].dirty = 0;
    }
    for (home = 0; home < host->size; home++)
    {
        if (flushing[home])
        {
            dsm_ask(home, KIND_FLUSH, 0, NULL);
        }
    }
    for (home = 0; home < host->size; home++)
    {
        if (flushing[home])
        {
            dsm_await(home, NULL);
            flushing[home] = 0;
        }
    }
}

/* Wait for a grant, and forget the pages that it names. */
static void
await_grant(void)
{
    unsigned char* map = (unsigned char*)calloc(map_bytes, 1);
    VIP_ULONG page;

    dsm_await(MANAGER, map);
    for (page = 0; page < pages; page++)
    {
        if ((map[page / 8] >> page % 8 & 1) != 0 && home_of(page) != host->rank &&
            page_table[page].valid)
        {
            page_table[page].valid = 0;
            counts.invalidations++;
        }
    }
    free(map);
}

static void
ask_manager(Kind kind, VIP_UINT32 number)
{
    flush();
    dsm_ask(MANAGER, kind, number, notices);
    memset(notices, 0, map_bytes);
}

void
dsm_lock(int number)
{
    ask_manager(KIND_ACQUIRE, (VIP_UINT32)number);
    await_grant();
}

void
dsm_unlock(int number)
{
    ask_manager(KIND_RELEASE, (VIP_UINT32)number);
}

void
dsm_barrier(void)
{
    ask_manager(KIND_BARRIER, 0);
    await_grant();
}

/* ---- Beginning and end ---- */

void
dsm_open(Host* its_host, VIP_ULONG bytes, int handler)
{
    VIP_ULONG page;

    host = its_host;
    pages = (bytes + DSM_PAGE - 1) / DSM_PAGE;
    map_bytes = (pages + 63) / 64 * 8;
    page_table = (Page*)calloc(pages, sizeof(Page));
    notices = (unsigned char*)calloc(map_bytes, 1);
    flushing = (char*)calloc(host->size, 1);
    if (page_table == NULL || notices == NULL || flushing == NULL)
    {
        fail("no memory for %lu pages", pages);
    }
    host_open(host, pages * DSM_PAGE + dsm_wire_bytes(host, map_bytes));
    memory = (char*)host_take(host, pages * DSM_PAGE);
    for (page = 0; page < pages; page++)
    {
        page_table[page].valid = 1; /* all is 0, here as at home */
    }
    dsm_spread(memory, pages * DSM_PAGE);
    dsm_manager_open(host, pages);
    dsm_wire_open(host, memory, pages * DSM_PAGE, map_bytes, handler);
}

void
dsm_close(void)
{
    dsm_barrier();
    dsm_wire_close();
    dsm_manager_close();
    host_close(host);
    free(page_table);
    free(notices);
    free(flushing);
}

char*
dsm_memory(void)
{
    return memory;
}

const DsmCounts*
dsm_counts(void)
{
    return &counts;
}
