/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* What target and initiators of block-storage.c have in common: the protocol. */

#ifndef BLOCK_H
#define BLOCK_H

#include "vipl-util.h"

#define COMMON 64            /* blocks that all read and nobody writes */
#define FRESH 0              /* the stream of bytes that all blocks hold at first */
#define REFUSED 0x80000000UL /* in an answer */

typedef enum Operation
{
    READ,
    WRITE,
    LOGOUT
} Operation;

typedef struct Command
{
    VIP_UINT32 operation;
    VIP_UINT32 id;
    VIP_UINT32 block;
    VIP_UINT32 count;
    Target buffer; /* of the initiator, to read into */
} Command;

typedef struct Settings
{
    long commands;
    long depth;
    long block_bytes;
    long most_blocks;
    long own_blocks;
    long writes_percent;
    int blocking;
} Settings;

/* Those of block-storage.c. */
extern Host host;
extern Settings settings;

VIP_UINT32 all_blocks(void);
VIP_ULONG message_bytes(void); /* of the longest command */

void be_target(void);
void be_initiator(void);

#endif /* BLOCK_H */
