/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* A cache of registrations; see msg-pins.h. */

#include "msg-pins.h"

#include <stdlib.h>
#include <string.h>

#define PAGE 4096UL

static const Host* host;
static long most_regions;
static VIP_ULONG most_bytes;
static Pin ring; /* ring.older is the newest of all, ring.newer the oldest */
static PinCounts counts;

static void
unlink_pin(Pin* pinned)
{
    pinned->newer->older = pinned->older;
    pinned->older->newer = pinned->newer;
}

static void
link_newest(Pin* pinned)
{
    pinned->newer = &ring;
    pinned->older = ring.older;
    ring.older->newer = pinned;
    ring.older = pinned;
}

static void
deregister(Pin* pinned)
{
    CHECK(VipDeregisterMem(host->nic, pinned->start, pinned->handle));
    counts.regions--;
    counts.bytes -= pinned->length;
    unlink_pin(pinned);
    free(pinned);
}

/* Deregister the oldest that nobody uses until the rest is within the limits. */
static void
trim(void)
{
    Pin* pinned = ring.newer;

    while (pinned != &ring && (counts.regions > most_regions || counts.bytes > most_bytes))
    {
        Pin* next = pinned->newer;

        if (pinned->users == 0)
        {
            deregister(pinned);
            counts.evicted++;
        }
        pinned = next;
    }
}

void
pins_open(const Host* its_host, long regions, VIP_ULONG bytes)
{
    host = its_host;
    most_regions = regions;
    most_bytes = bytes;
    ring.newer = &ring;
    ring.older = &ring;
    memset(&counts, 0, sizeof(counts));
}

void
pins_close(void)
{
    while (ring.newer != &ring)
    {
        if (ring.newer->users != 0)
        {
            fail("memory is still in use by %d transfers", ring.newer->users);
        }
        deregister(ring.newer);
    }
}

static Pin*
find(const char* data, VIP_ULONG length)
{
    Pin* pinned;

    for (pinned = ring.older; pinned != &ring; pinned = pinned->older)
    {
        if (!pinned->stale && data >= pinned->start &&
            data + length <= pinned->start + pinned->length)
        {
            return pinned;
        }
    }
    return NULL;
}

/* Register the pages that the memory touches. */
static Pin*
register_pages(const char* data, VIP_ULONG length)
{
    const VIP_ULONG before = (VIP_ULONG)data % PAGE;
    Pin* pinned = (Pin*)calloc(1, sizeof(Pin));

    if (pinned == NULL)
    {
        fail("no memory for a registration");
    }
    pinned->start = (char*)data - before;
    pinned->length = (before + length + PAGE - 1) / PAGE * PAGE;
    pinned->handle = host_register(host, pinned->start, pinned->length);
    counts.registered++;
    counts.regions++;
    counts.bytes += pinned->length;
    return pinned;
}

Pin*
pin(const void* data, VIP_ULONG length)
{
    Pin* pinned = find((const char*)data, length);

    counts.lookups++;
    if (pinned != NULL)
    {
        counts.hits++;
        unlink_pin(pinned);
    }
    else
    {
        pinned = register_pages((const char*)data, length);
    }
    link_newest(pinned);
    pinned->users++;
    trim();
    return pinned;
}

void
unpin(Pin* pinned)
{
    pinned->users--;
    if (pinned->stale && pinned->users == 0)
    {
        deregister(pinned);
    }
    trim();
}

void
pins_forget(const void* data, VIP_ULONG length)
{
    const char* start = (const char*)data;
    Pin* pinned = ring.newer;

    while (pinned != &ring)
    {
        Pin* next = pinned->newer;

        if (start < pinned->start + pinned->length && pinned->start < start + length)
        {
            pinned->stale = 1;
            if (pinned->users == 0)
            {
                deregister(pinned);
            }
        }
        pinned = next;
    }
}

const PinCounts*
pins_counts(void)
{
    return &counts;
}
