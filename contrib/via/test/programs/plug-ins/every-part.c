/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* A plug-in that offers every part; what a step costs is a number of the profile. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <via-plug-in.h>

static const char* const NAMES[] = {
    "ring_cycles",
    "ring_bytes",
    "notice_cycles",
    "notice_read",
    "post_cycles",
    "post_bytes",
    "take_cycles",
    "take_read",
    "take_write",
    "look_up_cycles",
    "look_up_read",
};

#ifndef ENTRY
#define ENTRY via_plug_in
#endif

#define COUNT (sizeof NAMES / sizeof NAMES[0])

struct numbers
{
    uint64_t of[COUNT];
};

static uint64_t
value(void* state, const char* name)
{
    size_t i = 0;
    while (i < COUNT - 1 && strcmp(NAMES[i], name) != 0)
    {
        ++i;
    }
    return ((struct numbers*)state)->of[i];
}

static void*
create(const struct via_card* card, char* error, size_t error_bytes)
{
    struct numbers* self = (struct numbers*)calloc(1, sizeof *self);
    size_t i, k;
    for (i = 0; self != NULL && i < card->number_count; ++i)
    {
        for (k = 0; k < COUNT && strcmp(NAMES[k], card->numbers[i].name) != 0; ++k)
        {
        }
        if (k == COUNT)
        {
            snprintf(error, error_bytes, "plug_in.%s: no such key", card->numbers[i].name);
            free(self);
            return NULL;
        }
        self->of[k] = card->numbers[i].value;
    }
    return self;
}

static void
ring(void* state, const struct via_post* post, struct via_host_cost* cost)
{
    (void)post;
    cost->cycles = value(state, "ring_cycles");
    cost->stored_bytes = (uint32_t)value(state, "ring_bytes");
}

static void
notice(void* state, const struct via_notice* doorbell, struct via_card_cost* cost)
{
    cost->cycles = value(state, "notice_cycles") * doorbell->open_vis;
    cost->read_bytes = (uint32_t)value(state, "notice_read");
}

static void
post(void* state, const struct via_post* posted, struct via_host_cost* cost)
{
    (void)posted;
    cost->cycles = value(state, "post_cycles");
    cost->stored_bytes = (uint32_t)value(state, "post_bytes");
}

static void
take(void* state, const struct via_take* taken, struct via_card_cost* cost)
{
    (void)taken;
    cost->cycles = value(state, "take_cycles");
    cost->read_bytes = (uint32_t)value(state, "take_read");
    cost->write_bytes = (uint32_t)value(state, "take_write");
}

static void
look_up(void* state, const struct via_lookup* lookup, struct via_card_cost* cost)
{
    cost->cycles = value(state, "look_up_cycles") * lookup->page_count;
    cost->read_bytes = (uint32_t)value(state, "look_up_read");
}

static const struct via_doorbell_part doorbell = {ring, notice};
static const struct via_descriptor_part descriptor = {post, take};
static const struct via_translation_part translation = {look_up, NULL};
static const struct via_plug_in_table table =
    {ABI, "every-part", "2.1", create, free, &doorbell, &descriptor, &translation};

#ifdef __cplusplus
extern "C"
#endif
    const struct via_plug_in_table*
    ENTRY(void);

const struct via_plug_in_table*
ENTRY(void)
{
    return &table;
}
