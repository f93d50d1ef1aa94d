/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Bytes by which the VIPL example programs recognize what they receive. */

#include "vipl-util.h"

#include <string.h>

#define LINE 64
#define LINE_WORDS (LINE / 4)

char*
pattern_open(Host* host, VIP_ULONG size)
{
    char* pattern = (char*)host_take(host, PATTERN_BYTES(size));
    VIP_ULONG i;

    for (i = 0; i < size + 64 * PATTERN_MESSAGES; i++)
    {
        pattern[i] = (char)(i % 64 + i / 64 * 37);
    }
    return pattern;
}

char*
pattern_at(char* pattern, long message)
{
    return pattern + 64 * (message % PATTERN_MESSAGES);
}

/* ---- Streams ---- */

/* Line number `index` of a stream. All 16 words of a line differ, and so do lines and streams. */
static void
make_line(VIP_UINT32 line[LINE_WORDS], VIP_UINT32 stream, VIP_ULONG index)
{
    VIP_UINT32 mixed = (VIP_UINT32)index * 0x9E3779B1U ^ stream * 0x85EBCA77U;
    int i;

    mixed = (mixed ^ mixed >> 15) * 0x2C1B3C6DU;
    mixed ^= mixed >> 12;
    for (i = 0; i < LINE_WORDS; i++)
    {
        line[i] = (mixed + (VIP_UINT32)i) * 0xC2B2AE35U;
    }
}

/* How many of the next bytes lie in one line. */
static VIP_ULONG
piece_of_line(VIP_ULONG place, VIP_ULONG left)
{
    const VIP_ULONG room = LINE - place % LINE;

    return left < room ? left : room;
}

void
bytes_fill(void* data, VIP_ULONG length, VIP_UINT32 stream, VIP_ULONG place)
{
    VIP_UINT32 line[LINE_WORDS];
    VIP_ULONG done = 0;

    while (done < length)
    {
        const VIP_ULONG piece = piece_of_line(place + done, length - done);

        make_line(line, stream, (place + done) / LINE);
        memcpy((char*)data + done, (const char*)line + (place + done) % LINE, piece);
        done += piece;
    }
}

long
bytes_differ(const void* data, VIP_ULONG length, VIP_UINT32 stream, VIP_ULONG place)
{
    const char* bytes = (const char*)data;
    VIP_UINT32 line[LINE_WORDS];
    VIP_ULONG done = 0;

    while (done < length)
    {
        const VIP_ULONG piece = piece_of_line(place + done, length - done);
        const char* expected = (const char*)line + (place + done) % LINE;

        make_line(line, stream, (place + done) / LINE);
        if (memcmp(bytes + done, expected, piece) != 0)
        {
            while (bytes[done] == *expected)
            {
                done++;
                expected++;
            }
            return (long)done;
        }
        done += piece;
    }
    return -1;
}

VIP_UINT32
next_random(VIP_UINT32* state)
{
    VIP_UINT32 mixed = *state += 0x9E3779B9U;

    mixed = (mixed ^ mixed >> 16) * 0x85EBCA6BU;
    mixed = (mixed ^ mixed >> 13) * 0xC2B2AE35U;
    return mixed ^ mixed >> 16;
}
