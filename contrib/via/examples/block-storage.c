/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/*
 * Block storage: rank 0 is the target, which keeps blocks; all others are initiators, which read
 * and write them with several commands under way at once.
 *
 *     initiator                                 target
 *         | <--- empty message ------------------- |   a credit: one more command slot is free
 *         | ---- command: read ------------------> |
 *         | <=== RDMA write + immediate data ===== |   the blocks, and the answer
 *         | <--- empty message ------------------- |   the credit comes back
 *         | ---- command: write, with blocks ----> |
 *         | <--- empty message + immediate data -- |   the answer
 *         | <--- empty message ------------------- |   the credit
 *
 * The immediate data of an answer is the number of the command and its status. An initiator writes
 * only in blocks of its own, so it knows what every block must hold; some blocks are read by all.
 * At the end it reads all blocks of its own once more.
 *
 * usage: block-storage [-n commands] [-q depth] [-s bytes] [-c blocks] [-o own] [-w percent] [-b]
 * Every initiator prints: rank, reads, writes, 10^6 bytes per second, mean and longest time of a
 * command in microseconds. The target prints: initiators, commands, blocks read, blocks written.
 */

#include "block.h"

#include <stddef.h>

Host host;
Settings settings = {200, 8, 512, 8, 64, 50, 0};

static const Option options[] = {
    {'n', &settings.commands, 1, 10000000, NULL, NULL, "commands of each initiator"},
    {'q', &settings.depth, 1, 256, NULL, NULL, "commands of an initiator under way at once"},
    {'s', &settings.block_bytes, 1, 65536, NULL, NULL, "bytes of a block"},
    {'c', &settings.most_blocks, 1, 64, NULL, NULL, "blocks of the largest command"},
    {'o', &settings.own_blocks, 1, 65536, NULL, NULL, "blocks that each initiator owns"},
    {'w', &settings.writes_percent, 0, 100, NULL, NULL, "writes among 100 commands"},
    {'b',
     NULL,
     0,
     0,
     NULL,
     &settings.blocking,
     "block in VipCQWait and VipRecvWait instead of polling"}};

VIP_UINT32
all_blocks(void)
{
    return (VIP_UINT32)(COMMON + (host.size - 1) * settings.own_blocks);
}

VIP_ULONG
message_bytes(void)
{
    return sizeof(Command) + (VIP_ULONG)settings.most_blocks * settings.block_bytes;
}

int
main(int argc, char** argv)
{
    parse_options(&host, argc, argv, options, COUNT(options));
    if (host.size < 2)
    {
        fail("block-storage needs 2 processes or more");
    }
    if (settings.own_blocks < settings.depth * settings.most_blocks)
    {
        fail("-o %ld: %ld commands of %ld blocks may need more",
             settings.own_blocks,
             settings.depth,
             settings.most_blocks);
    }
    if (message_bytes() > 65536)
    {
        fail("-s %ld: commands of %ld blocks would be longer than 65536 bytes",
             settings.block_bytes,
             settings.most_blocks);
    }
    if (host.rank == 0)
    {
        be_target();
    }
    else
    {
        be_initiator();
    }
    return 0;
}
