/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* A plug-in: page tables of two levels in host memory, and doorbells that are counters. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <via-plug-in.h>

/*
 * The card holds a directory of leaf tables, which lie in host memory. It fetches a leaf table as a
 * whole and keeps it in the slot that region and place give it, until another one takes the slot.
 */
struct two_level
{
    uint64_t counter_cycles; /* the card reads a counter that has changed */
    uint64_t page_cycles;    /* per page: directory and leaf table */
    uint64_t leaf_cycles;    /* per leaf table fetched, beside its DMA */
    uint64_t leaf_pages;     /* entries of a leaf table */
    uint64_t entry_bytes;    /* of an entry */
    uint64_t leaves;         /* slots */
    struct via_page* kept;   /* by slot; page holds the number of the leaf table + 1, 0: none */
};

/* Bytes of a counter: the number of descriptors posted so far. */
#define COUNTER_BYTES 8

static uint64_t*
field_of(struct two_level* self, const char* name)
{
    const struct
    {
        const char* name;
        uint64_t* field;
    } fields[] = {
        {"counter_cycles", &self->counter_cycles},
        {"page_cycles", &self->page_cycles},
        {"leaf_cycles", &self->leaf_cycles},
        {"leaf_pages", &self->leaf_pages},
        {"entry_bytes", &self->entry_bytes},
        {"leaves", &self->leaves},
    };

    size_t i;
    for (i = 0; i < sizeof fields / sizeof fields[0]; ++i)
    {
        if (strcmp(fields[i].name, name) == 0)
        {
            return fields[i].field;
        }
    }
    return NULL;
}

static void
destroy(void* state)
{
    struct two_level* self = (struct two_level*)state;
    free(self->kept);
    free(self);
}

/* Takes the numbers over. Returns 0 after writing down what is wrong with them. */
static int
take_numbers(struct two_level* self, const struct via_card* card, char* error, size_t error_bytes)
{
    size_t i;
    for (i = 0; i < card->number_count; ++i)
    {
        uint64_t* field = field_of(self, card->numbers[i].name);
        if (field == NULL)
        {
            snprintf(error, error_bytes, "plug_in.%s: no such key", card->numbers[i].name);
            return 0;
        }
        *field = card->numbers[i].value;
    }
    if (self->leaf_pages == 0 || self->leaves == 0 || self->leaves > 65536 ||
        self->entry_bytes == 0 || self->leaf_pages > VIA_PLUG_IN_MAX_BYTES / self->entry_bytes)
    {
        snprintf(error,
                 error_bytes,
                 "plug_in.leaf_pages, plug_in.entry_bytes and plug_in.leaves must be 1 or more, "
                 "leaves at most 65536, a leaf table at most %d bytes",
                 VIA_PLUG_IN_MAX_BYTES);
        return 0;
    }
    return 1;
}

static void*
create(const struct via_card* card, char* error, size_t error_bytes)
{
    struct two_level* self = (struct two_level*)calloc(1, sizeof *self);
    if (self != NULL && take_numbers(self, card, error, error_bytes))
    {
        self->kept = (struct via_page*)calloc(self->leaves, sizeof *self->kept);
        if (self->kept != NULL)
        {
            return self;
        }
        snprintf(error, error_bytes, "no memory");
    }
    free(self);
    return NULL;
}

static void
ring(void* state, const struct via_post* post, struct via_host_cost* cost)
{
    (void)state;
    (void)post;
    cost->stored_bytes = COUNTER_BYTES;
}

static void
notice(void* state, const struct via_notice* doorbell, struct via_card_cost* cost)
{
    (void)doorbell;
    cost->cycles = ((struct two_level*)state)->counter_cycles;
}

static void
look_up(void* state, const struct via_lookup* lookup, struct via_card_cost* cost)
{
    struct two_level* self = (struct two_level*)state;
    size_t i;
    cost->cycles = self->page_cycles * lookup->page_count;
    for (i = 0; i < lookup->page_count; ++i)
    {
        const uint64_t leaf = lookup->pages[i].page / self->leaf_pages;
        struct via_page* slot = &self->kept[(lookup->pages[i].region + leaf) % self->leaves];
        if (slot->region != lookup->pages[i].region || slot->page != leaf + 1)
        {
            slot->region = lookup->pages[i].region;
            slot->page = leaf + 1;
            cost->cycles += self->leaf_cycles;
            cost->read_bytes += (uint32_t)(self->leaf_pages * self->entry_bytes);
        }
    }
}

static void
forget(void* state, uint64_t region)
{
    struct two_level* self = (struct two_level*)state;
    uint64_t i;
    for (i = 0; i < self->leaves; ++i)
    {
        if (self->kept[i].region == region)
        {
            self->kept[i].page = 0;
        }
    }
}

static const struct via_doorbell_part doorbell = {ring, notice};
static const struct via_translation_part translation = {look_up, forget};
static const struct via_plug_in_table table =
    {VIA_PLUG_IN_ABI, "two-level", "1.0", create, destroy, &doorbell, NULL, &translation};

const struct via_plug_in_table*
via_plug_in(void)
{
    return &table;
}
