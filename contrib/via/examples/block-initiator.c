/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* An initiator of block-storage.c: keeps several commands under way and checks what comes back. */

#include "block.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GUARD 64 /* bytes around a buffer in which nobody may write */
#define GUARD_BYTE 0xa5

/* A command under way. */
typedef struct Task
{
    VIP_DESCRIPTOR* descriptor;
    char* message; /* the command, and the blocks to write */
    char* guarded; /* the blocks that are read, between two guards */
    int busy;
    int refused;
    VIP_UINT32 operation;
    VIP_UINT32 block;
    VIP_UINT32 count;
    double started_us;
} Task;

static VIP_VI_HANDLE vi;
static Task* tasks;
static long credits = 0;
static long running = 0;
static long done[LOGOUT + 1];
static double bytes_moved = 0;
static double total_us = 0;
static double longest_us = 0;
static VIP_UINT32 random_state;
static VIP_UINT32* versions; /* of each block of our own: the stream that it holds */
static char* in_use;

static VIP_UINT32
first_own(void)
{
    return (VIP_UINT32)(COMMON + (host.rank - 1) * settings.own_blocks);
}

static void
post_empty_receive(VIP_DESCRIPTOR* descriptor)
{
    describe_empty(descriptor);
    CHECK(VipPostRecv(vi, descriptor, host.handle));
}

static int
is_own(const Task* task)
{
    return task->block >= first_own() &&
           task->block < first_own() + (VIP_UINT32)settings.own_blocks;
}

static void
mark(const Task* task, int used)
{
    if (is_own(task))
    {
        memset(in_use + (task->block - first_own()), used, task->count);
    }
}

/* Send the command of a task, for which there must be a credit. */
static void
start(Task* task)
{
    Command* command = (Command*)task->message;
    const VIP_ULONG bytes = (VIP_ULONG)task->count * settings.block_bytes;
    VIP_ULONG length = sizeof(Command);

    command->operation = task->operation;
    command->id = (VIP_UINT32)(task - tasks);
    command->block = task->block;
    command->count = task->count;
    command->buffer.address = address_bits(task->guarded + GUARD);
    command->buffer.handle = host.handle;
    command->buffer.length = (VIP_UINT32)bytes;
    if (task->operation == WRITE)
    {
        length += bytes;
    }
    memset(task->guarded, GUARD_BYTE, bytes + 2 * GUARD);
    mark(task, 1);
    task->busy = 1;
    task->started_us = now_us();
    describe(&host, task->descriptor, task->message, length);
    CHECK(VipPostSend(vi, task->descriptor, host.handle));
    credits--;
    running++;
}

/* Each block that was read holds what was last written there, and nothing around was touched. */
static void
check_read(const Task* task)
{
    const VIP_ULONG bytes = (VIP_ULONG)task->count * settings.block_bytes;
    VIP_UINT32 i;

    for (i = 0; i < task->count; i++)
    {
        const VIP_UINT32 block = task->block + i;
        const VIP_UINT32 stream = is_own(task) ? versions[block - first_own()] : FRESH;

        if (bytes_differ(task->guarded + GUARD + (VIP_ULONG)i * settings.block_bytes,
                         settings.block_bytes,
                         stream,
                         (VIP_ULONG)block * settings.block_bytes) >= 0)
        {
            fail("block %lu does not hold its version %lu",
                 (unsigned long)block,
                 (unsigned long)stream);
        }
    }
    for (i = 0; i < GUARD; i++)
    {
        if ((unsigned char)task->guarded[i] != GUARD_BYTE ||
            (unsigned char)task->guarded[GUARD + bytes + i] != GUARD_BYTE)
        {
            fail("a read of %lu blocks wrote beside its buffer", (unsigned long)task->count);
        }
    }
}

static void
finish(VIP_UINT32 answer)
{
    const VIP_UINT32 id = answer & ~REFUSED;
    Task* task = &tasks[id];
    const double used_us = now_us() - task->started_us;

    if (id >= (VIP_UINT32)settings.depth || !task->busy)
    {
        fail("an answer 0x%lx to no command", (unsigned long)answer);
    }
    await_send(
        vi); /* the oldest command, perhaps another one, but each answer is behind its send */
    task->refused = (answer & REFUSED) != 0;
    if (task->operation == READ && !task->refused)
    {
        check_read(task);
    }
    mark(task, 0);
    task->busy = 0;
    running--;
    done[task->operation]++;
    bytes_moved += (double)task->count * settings.block_bytes;
    total_us += used_us;
    longest_us = used_us > longest_us ? used_us : longest_us;
}

/* Wait for one message: a credit or an answer. */
static void
take_message(void)
{
    VIP_DESCRIPTOR* descriptor = await_receive(vi, settings.blocking);
    const VIP_UINT32 status = descriptor->CS.Status;
    const VIP_UINT32 answer = descriptor->CS.ImmediateData;

    post_empty_receive(descriptor);
    if ((status & VIP_STATUS_IMMEDIATE) != 0)
    {
        finish(answer);
    }
    else
    {
        credits++;
    }
}

/* A task that can be started; waits for the target until there is one. */
static Task*
free_task(void)
{
    int i = 0;

    while (credits == 0)
    {
        take_message();
    }
    while (tasks[i].busy)
    {
        i++;
    }
    return &tasks[i];
}

/* Choose blocks of our own that no command is working on. */
static void
choose_own(Task* task)
{
    VIP_UINT32 at = next_random(&random_state) % settings.own_blocks;

    while (in_use[at])
    {
        at = (at + 1) % settings.own_blocks;
    }
    task->block = first_own() + at;
    for (task->count = 1; task->count < (VIP_UINT32)settings.most_blocks; task->count++)
    {
        const VIP_UINT32 next = at + task->count;

        if (next == (VIP_UINT32)settings.own_blocks || in_use[next] ||
            next_random(&random_state) % 4 == 0)
        {
            break;
        }
    }
}

static void
start_any(Task* task, long number)
{
    VIP_UINT32 i;

    task->operation =
        next_random(&random_state) % 100 < (VIP_UINT32)settings.writes_percent ? WRITE : READ;
    if (task->operation == READ && next_random(&random_state) % 4 == 0)
    {
        task->block = next_random(&random_state) % COMMON;
        task->count = 1;
        start(task);
        return;
    }
    choose_own(task);
    for (i = 0; task->operation == WRITE && i < task->count; i++)
    {
        const VIP_UINT32 block = task->block + i;

        versions[block - first_own()] = (VIP_UINT32)(number * host.size + host.rank);
        bytes_fill(task->message + sizeof(Command) + (VIP_ULONG)i * settings.block_bytes,
                   settings.block_bytes,
                   versions[block - first_own()],
                   (VIP_ULONG)block * settings.block_bytes);
    }
    start(task);
}

static void
wait_for_all(void)
{
    while (running > 0 || credits < settings.depth)
    {
        take_message();
    }
}

/* A command that leads beyond the last block must be refused. */
static void
ask_for_too_much(void)
{
    Task* task = free_task();

    task->operation = READ;
    task->block = all_blocks() - 1;
    task->count = 2;
    start(task);
    wait_for_all();
    if (!task->refused)
    {
        fail("a block that is not there was read");
    }
}

static void
read_all(void)
{
    VIP_UINT32 at;

    for (at = 0; at < (VIP_UINT32)settings.own_blocks; at++)
    {
        Task* task = free_task();

        task->operation = READ;
        task->block = first_own() + at;
        task->count = 1;
        start(task);
    }
    wait_for_all();
}

static void
open_tasks(void)
{
    long i;

    host_open(&host,
              settings.depth * (3 * sizeof(VIP_DESCRIPTOR) + TAKEN(message_bytes()) +
                                TAKEN(settings.most_blocks * settings.block_bytes + 2 * GUARD)));
    tasks = (Task*)calloc(settings.depth, sizeof(Task));
    versions = (VIP_UINT32*)calloc(settings.own_blocks, sizeof(VIP_UINT32));
    in_use = (char*)calloc(settings.own_blocks, 1);
    vi = vi_open(&host);
    for (i = 0; i < settings.depth; i++)
    {
        tasks[i].descriptor = (VIP_DESCRIPTOR*)host_take(&host, sizeof(VIP_DESCRIPTOR));
        tasks[i].message = (char*)host_take(&host, message_bytes());
        tasks[i].guarded =
            (char*)host_take(&host, settings.most_blocks * settings.block_bytes + 2 * GUARD);
    }
    for (i = 0; i < 2 * settings.depth; i++) /* an answer and a credit for each command */
    {
        post_empty_receive((VIP_DESCRIPTOR*)host_take(&host, sizeof(VIP_DESCRIPTOR)));
    }
}

void
be_initiator(void)
{
    double start_us;
    double end_us;
    long number;
    Task* last;

    open_tasks();
    random_state = (VIP_UINT32)host.rank;
    CHECK(service_request(&host, vi, 0, 0));
    wait_for_all(); /* the target has opened */
    ask_for_too_much();
    start_us = now_us();
    done[READ] = 0;
    bytes_moved = total_us = longest_us = 0;
    for (number = 0; number < settings.commands; number++)
    {
        start_any(free_task(), number + 1);
    }
    wait_for_all();
    end_us = now_us();
    printf("%d %ld %ld %.3f %.2f %.2f\n",
           host.rank,
           done[READ],
           done[WRITE],
           bytes_moved / (end_us - start_us),
           total_us / settings.commands,
           longest_us);
    read_all();
    last = free_task();
    last->operation = LOGOUT;
    last->count = 0;
    start(last);
    while (running > 0)
    {
        take_message();
    }
    vi_close(vi);
    host_close(&host);
    free(tasks);
    free(versions);
    free(in_use);
}
