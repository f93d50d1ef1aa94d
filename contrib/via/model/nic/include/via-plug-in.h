/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Plug-ins: mechanisms of a card that a shared object brings. Plain C, to be included by it. */

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
 * @brief What a plug-in is asked, and what it answers.
 *
 * A product whose profile says `plug-in` for nic.doorbell, nic.descriptor or nic.translation names
 * a shared object in nic.plug_in. That exports one function, via_plug_in(), which returns a table.
 * The simulator asks it what each step costs, and lets that pass: the plug-in never handles time.
 *
 * The answers must follow from the arguments, the profile's numbers, and what was asked before;
 * never from addresses, clocks or random devices. Costs are 0 when a function is called, so that
 * it sets only what it means. Functions are called from one thread.
 */

/** Version of this interface; a plug-in for another one is refused. */
#define VIA_PLUG_IN_ABI 1

/** Most cycles that one answer may cost. */
#define VIA_PLUG_IN_MAX_CYCLES 1000000000

/** Most bytes that one answer may move. */
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
        uint32_t node;                    /**< of the cluster */
        uint32_t page_bytes;              /**< of the host */
        uint64_t seed;                    /**< of the run */
        const struct via_number* numbers; /**< sorted by name; they stay where they are */
        size_t number_count;
    };

    /** What a step costs the program that makes it: first the cycles, then the stores. */
    struct via_host_cost
    {
        uint64_t cycles;       /**< of the host's CPU */
        uint32_t stored_bytes; /**< that the CPU writes to the card, over the bus */
    };

    /** What a step costs the card: first the cycles, then the DMA, reading before writing. */
    struct via_card_cost
    {
        uint64_t cycles;      /**< of nic.clock, spent by the engine that takes the step */
        uint32_t read_bytes;  /**< of host memory */
        uint32_t write_bytes; /**< of host memory */
    };

    /** A descriptor that a program posts. */
    struct via_post
    {
        uint32_t vi;       /**< number of its VI on the card */
        uint32_t open_vis; /**< of the card */
        uint32_t posted;   /**< descriptors in its queue that were not reaped, itself among them */
        uint32_t bytes;    /**< of the descriptor */
        uint32_t is_receive; /**< 1: to the receive queue */
    };

    /** A doorbell that the card notices. */
    struct via_notice
    {
        uint32_t vi;       /**< who has rung */
        uint32_t open_vis; /**< of the card */
    };

    /** A descriptor that the card needs. */
    struct via_take
    {
        uint32_t bytes;      /**< of the descriptor */
        uint32_t is_receive; /**< 1: an arriving message's */
    };

    /** A page of registered memory, named alike in every run. */
    struct via_page
    {
        uint64_t region; /**< number of its registration */
        uint64_t page;   /**< in it, from 0 */
    };

    /** Addresses that the card translates. */
    struct via_lookup
    {
        const struct via_page* pages; /**< that the payload touches, in its order */
        size_t page_count;            /**< 0: no payload, or memory that is not registered */
        uint64_t bytes;               /**< of payload */
        uint32_t segments;            /**< of the descriptor; 1 for memory that a peer names */
        uint32_t is_receive;          /**< 1: for an arriving message */
    };

    /** The part nic.doorbell. */
    struct via_doorbell_part
    {
        /** A program rings, for one descriptor or for all that it has deferred. */
        void (*ring)(void* state, const struct via_post* post, struct via_host_cost* cost);
        /** The card notices. It pays nic.doorbell_decode next. */
        void (*notice)(void* state, const struct via_notice* notice, struct via_card_cost* cost);
    };

    /** The part nic.descriptor. */
    struct via_descriptor_part
    {
        /** A program posts a descriptor; it rings next. */
        void (*post)(void* state, const struct via_post* post, struct via_host_cost* cost);
        /** The card gets it. */
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

    /** What a plug-in is. */
    struct via_plug_in_table
    {
        uint32_t abi;        /**< VIA_PLUG_IN_ABI; read before all else */
        const char* name;    /**< for people */
        const char* version; /**< for people */
        /**
         * Makes the state for one card.
         * @return it, or NULL after naming the mistake in the profile's numbers in @p error, a text
         * of at most @p error_bytes with its end
         */
        void* (*create)(const struct via_card* card, char* error, size_t error_bytes);
        /** The card is gone. */
        void (*destroy)(void* state);
        const struct via_doorbell_part* doorbell;       /**< NULL: not offered */
        const struct via_descriptor_part* descriptor;   /**< NULL: not offered */
        const struct via_translation_part* translation; /**< NULL: not offered */
    };

    /** What a plug-in exports. @return its table, which stays where it is */
    const struct via_plug_in_table* via_plug_in(void);

#ifdef __cplusplus
}
#endif

#endif /* VIA_PLUG_IN_H */
