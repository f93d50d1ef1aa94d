/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Plug-ins: card mechanisms from a shared object. Plain C; plug-ins include this file. */

#ifndef VIA_PLUG_IN_H
#define VIA_PLUG_IN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

/**
 * @file
 * @brief The calls to a plug-in and its answers.
 *
 * A product whose profile says `plug-in` for nic.doorbell, nic.descriptor or nic.translation names
 * a shared object in nic.plug_in. The object exports one function, via_plug_in(), which returns a
 * table of functions. The simulator asks them for the cost of each step and spends it; the plug-in
 * never handles time.
 *
 * The answers must depend only on the arguments, the profile's numbers and earlier calls, never on
 * addresses, clocks or random devices. All costs are 0 when a function is called, so it sets only
 * the ones that apply. All calls come from one thread.
 */

/** Version of this interface; a plug-in for another version is refused. */
#define VIA_PLUG_IN_ABI 1

/** Maximum cycles of one answer. */
#define VIA_PLUG_IN_MAX_CYCLES 1000000000

/** Maximum bytes that one answer may move. */
#define VIA_PLUG_IN_MAX_BYTES 65536

    /** A key `plug_in.NAME` of the profile. */
    struct via_number
    {
        const char* name; /**< without "plug_in." */
        uint64_t value;   /**< in the unit that the profile states */
    };

    /** The card that a plug-in serves. */
    struct via_card
    {
        uint32_t node;                    /**< number of the host in the cluster */
        uint32_t page_bytes;              /**< of the host */
        uint64_t seed;                    /**< of the run */
        const struct via_number* numbers; /**< sorted by name; valid for the card's lifetime */
        size_t number_count;
    };

    /** The cost of a step to the program that makes it: first the cycles, then the stores. */
    struct via_host_cost
    {
        uint64_t cycles;       /**< of the host's CPU */
        uint32_t stored_bytes; /**< stored by the CPU to the card, over the bus */
    };

    /** The cost of a step to the card: first the cycles, then the DMA, reads before writes. */
    struct via_card_cost
    {
        uint64_t cycles;      /**< of nic.clock, spent by the engine that takes the step */
        uint32_t read_bytes;  /**< of host memory */
        uint32_t write_bytes; /**< of host memory */
    };

    /** A descriptor that a program posts. */
    struct via_post
    {
        uint32_t vi;         /**< number of its VI on the card */
        uint32_t open_vis;   /**< of the card */
        uint32_t posted;     /**< unreaped descriptors in its queue, including this one */
        uint32_t bytes;      /**< of the descriptor */
        uint32_t is_receive; /**< 1: to the receive queue */
    };

    /** A doorbell that the card notices. */
    struct via_notice
    {
        uint32_t vi;       /**< number of the VI that rang */
        uint32_t open_vis; /**< of the card */
    };

    /** A descriptor that the card needs. */
    struct via_take
    {
        uint32_t bytes;      /**< of the descriptor */
        uint32_t is_receive; /**< 1: for an arriving message */
    };

    /** A page of registered memory, with the same name in every run. */
    struct via_page
    {
        uint64_t region; /**< number of its registration */
        uint64_t page;   /**< index in the region, from 0 */
    };

    /** Addresses that the card translates. */
    struct via_lookup
    {
        const struct via_page* pages; /**< pages of the payload, in order */
        size_t page_count;            /**< 0: no payload, or unregistered memory */
        uint64_t bytes;               /**< of payload */
        uint32_t segments;            /**< of the descriptor; 1 for memory named by a peer */
        uint32_t is_receive;          /**< 1: for an arriving message */
    };

    /** The part nic.doorbell. */
    struct via_doorbell_part
    {
        /** A program rings for one descriptor or for all that it has deferred. */
        void (*ring)(void* state, const struct via_post* post, struct via_host_cost* cost);
        /** The card notices a doorbell. It then spends nic.doorbell_decode. */
        void (*notice)(void* state, const struct via_notice* notice, struct via_card_cost* cost);
    };

    /** The part nic.descriptor. */
    struct via_descriptor_part
    {
        /** A program posts a descriptor, before it rings. */
        void (*post)(void* state, const struct via_post* post, struct via_host_cost* cost);
        /** The card gets a descriptor. */
        void (*take)(void* state, const struct via_take* take, struct via_card_cost* cost);
    };

    /** The part nic.translation. */
    struct via_translation_part
    {
        /** The card translates what a message needs. */
        void (*look_up)(void* state, const struct via_lookup* lookup, struct via_card_cost* cost);
        /** A region is deregistered; may be NULL. */
        void (*forget)(void* state, uint64_t region);
    };

    /** The table of a plug-in. */
    struct via_plug_in_table
    {
        uint32_t abi;        /**< VIA_PLUG_IN_ABI; read before any other member */
        const char* name;    /**< for people */
        const char* version; /**< for people */
        /**
         * Creates the state for one card.
         * @return the state; or NULL after writing to @p error what is wrong with the profile's
         * numbers, in at most @p error_bytes including the terminating 0
         */
        void* (*create)(const struct via_card* card, char* error, size_t error_bytes);
        /** Destroys the state of a card. */
        void (*destroy)(void* state);
        const struct via_doorbell_part* doorbell;       /**< NULL: not offered */
        const struct via_descriptor_part* descriptor;   /**< NULL: not offered */
        const struct via_translation_part* translation; /**< NULL: not offered */
    };

    /** The exported function. @return the table, valid as long as the plug-in is loaded */
    const struct via_plug_in_table* via_plug_in(void);

#ifdef __cplusplus
}
#endif

#endif /* VIA_PLUG_IN_H */
