/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* The target of block-storage.c: obeys commands of any initiator, one after the other. */

#include "block.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Slot;

/* A descriptor of the target, from which its slot is found. */
typedef union Post {
    struct
    {
        VIP_DESCRIPTOR descriptor;
        struct Slot* slot;
    } at;

    char room[128]; /* keeps arrays of them aligned */
} Post;

typedef struct Session
{
    VIP_VI_HANDLE vi;
    int initiator;
    int leaving;
    long posted; /* descriptors on both queues */
} Session;

/* Where a command is received and dealt with. The message follows. */
typedef struct Slot
{
    Post receive;
    Post answer;
    Post credit;
    Session* session;
    char* message;
} Slot;

static VIP_CQ_HANDLE completions;
static Session* sessions;
static char* disk;
static long commands_seen = 0;
static long blocks_read = 0;
static long blocks_written = 0;

static void
post_slot(Slot* slot)
{
    describe(&host, &slot->receive.at.descriptor, slot->message, message_bytes());
    CHECK(VipPostRecv(slot->session->vi, &slot->receive.at.descriptor, host.handle));
    slot->session->posted++;
}

static void
post_answer(Post* post)
{
    CHECK(VipPostSend(post->at.slot->session->vi, &post->at.descriptor, host.handle));
    post->at.slot->session->posted++;
}

static void
give_credit(Slot* slot)
{
    describe_empty(&slot->credit.at.descriptor);
    post_answer(&slot->credit);
}

/* The blocks go out from the slot, not from the disk, where a later command may write meanwhile. */
static void
answer_read(Slot* slot, const Command* command)
{
    const VIP_ULONG bytes = (VIP_ULONG)command->count * settings.block_bytes;
    char* staged = slot->message + sizeof(Command);

    memcpy(staged, disk + (VIP_ULONG)command->block * settings.block_bytes, bytes);
    describe_write(&host, &slot->answer.at.descriptor, staged, bytes, &command->buffer);
    add_immediate(&slot->answer.at.descriptor, command->id);
    post_answer(&slot->answer);
    blocks_read += command->count;
}

static void
answer_empty(Slot* slot, VIP_UINT32 answer)
{
    describe_empty(&slot->answer.at.descriptor);
    add_immediate(&slot->answer.at.descriptor, answer);
    post_answer(&slot->answer);
}

static void
obey(Slot* slot)
{
    const Command* command = (const Command*)slot->message;
    const VIP_ULONG bytes = (VIP_ULONG)command->count * settings.block_bytes;

    commands_seen++;
    if (command->operation == LOGOUT)
    {
        slot->session->leaving = 1;
        answer_empty(slot, command->id);
    }
    else if (command->count > (VIP_UINT32)settings.most_blocks || command->block > all_blocks() ||
             command->count > all_blocks() - command->block)
    {
        answer_empty(slot, command->id | REFUSED);
    }
    else if (command->operation == READ)
    {
        answer_read(slot, command);
    }
    else
    {
        memcpy(disk + (VIP_ULONG)command->block * settings.block_bytes, command + 1, bytes);
        blocks_written += command->count;
        answer_empty(slot, command->id);
    }
}

/* What the completion of a descriptor leads to. */
static void
go_on(Slot* slot, const Post* post)
{
    if (post == &slot->receive)
    {
        obey(slot);
    }
    else if (post == &slot->answer && !slot->session->leaving)
    {
        post_slot(slot);
        give_credit(slot);
    }
}

/* Returns 1 if that was the last descriptor of an initiator that leaves. */
static int
harvest(VIP_VI_HANDLE vi, int receive)
{
    VIP_DESCRIPTOR* descriptor = NULL;
    const VIP_RETURN result = receive ? VipRecvDone(vi, &descriptor) : VipSendDone(vi, &descriptor);
    Slot* slot;

    if (descriptor == NULL)
    {
        fail("a completion without a descriptor: return code %d", (int)result);
    }
    slot = ((Post*)descriptor)->at.slot;
    slot->session->posted--;
    if (!slot->session->leaving || (descriptor->CS.Status & VIP_STATUS_DESC_FLUSHED_ERROR) == 0)
    {
        completed(result, descriptor, "command or answer");
        go_on(slot, (const Post*)descriptor);
    }
    return slot->session->leaving && slot->session->posted == 0;
}

static void
serve(void)
{
    int left = host.size - 1;
    VIP_VI_HANDLE vi;
    VIP_BOOLEAN receive;
    VIP_RETURN result;

    while (left > 0)
    {
        result = settings.blocking ? VipCQWait(completions, VIP_INFINITE, &vi, &receive)
                                   : VipCQDone(completions, &vi, &receive);
        if (result == VIP_NOT_DONE)
        {
            continue;
        }
        check(result, "VipCQWait or VipCQDone", __FILE__, __LINE__);
        if (harvest(vi, receive))
        {
            vi_close(vi);
            left--;
        }
    }
}

static Slot*
open_slot(Session* session)
{
    Slot* slot = (Slot*)host_take(&host, sizeof(Slot));

    slot->session = session;
    slot->receive.at.slot = slot;
    slot->answer.at.slot = slot;
    slot->credit.at.slot = slot;
    slot->message = (char*)host_take(&host, message_bytes());
    return slot;
}

/* Accept whoever asks, and open for business when all are there. */
static void
admit_all(void)
{
    Slot** slots = (Slot**)calloc((host.size - 1) * settings.depth + 1, sizeof(Slot*));
    int channel;
    int i;

    for (i = 0; i < (host.size - 1) * settings.depth; i++)
    {
        Session* session = &sessions[i / settings.depth];

        if (i % settings.depth == 0)
        {
            session->vi = vi_open_on(&host, completions, completions);
        }
        slots[i] = open_slot(session);
        post_slot(slots[i]);
    }
    for (i = 0; i < host.size - 1; i++)
    {
        VIP_CONN_HANDLE connection = service_wait(&host, &sessions[i].initiator, &channel);

        CHECK(VipConnectAccept(connection, sessions[i].vi));
    }
    for (i = 0; i < (host.size - 1) * settings.depth; i++)
    {
        give_credit(slots[i]);
    }
    free(slots);
}

void
be_target(void)
{
    const VIP_ULONG slots = (VIP_ULONG)(host.size - 1) * settings.depth;
    const VIP_ULONG disk_bytes = (VIP_ULONG)all_blocks() * settings.block_bytes;

    disk = (char*)malloc(disk_bytes);
    sessions = (Session*)calloc(host.size, sizeof(Session));
    if (disk == NULL || sessions == NULL)
    {
        fail("no memory for a disk of %lu bytes", disk_bytes);
    }
    bytes_fill(disk, disk_bytes, FRESH, 0);
    host_open(&host, slots * (TAKEN(sizeof(Slot)) + TAKEN(message_bytes())) + 64);
    CHECK(VipCreateCQ(host.nic, 3 * slots + 1, &completions));
    admit_all();
    serve();
    if (bytes_differ(disk, COMMON * (VIP_ULONG)settings.block_bytes, FRESH, 0) >= 0)
    {
        fail("somebody wrote in the common blocks");
    }
    printf("target %d %ld %ld %ld\n", host.size - 1, commands_seen, blocks_read, blocks_written);
    CHECK(VipDestroyCQ(completions));
    host_close(&host);
    free(disk);
    free(sessions);
}
