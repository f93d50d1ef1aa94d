/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* VIBe's channels: descriptors and buffers of both directions, and how a message is found. */

#include "vibe.h"

#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

#define PAGE 4096UL

/* Descriptors of one direction, used in turn, and the buffers of their messages: one for all that
 * lie where others lay, the others behind it, each on pages of its own. */
typedef struct Lane
{
    char* descriptors;
    VIP_ULONG descriptor_bytes;
    long count;
    long used;  /* descriptors that were built */
    long fresh; /* buffers that were used only once */
    char* buffers;
    VIP_ULONG buffer_bytes;
    long size; /* of a descriptor's data */
} Lane;

static sem_t arrived;
static VIP_DESCRIPTOR* noticed;
static int next_channel = 0;

Setting
plain(long size)
{
    Setting setting;

    memset(&setting, 0, sizeof(setting));
    setting.size = size;
    setting.reply = size;
    setting.pieces = 1;
    setting.segments = 1;
    setting.window = 16;
    setting.reuse = 100;
    setting.in_step = 1;
    setting.finding = BY_POLLING;
    setting.level = host.level;
    setting.mtu = host.max_transfer;
    return setting;
}

/* ---- Lanes ---- */

static VIP_ULONG
whole_pages(VIP_ULONG bytes)
{
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

static Lane*
lane_open(const Setting* setting, long size, long count, long uses)
{
    Lane* lane = (Lane*)calloc(1, sizeof(Lane));
    const long cold = setting->reuse == 100 ? 0 : uses;
    char* taken;

    if (lane == NULL)
    {
        fail("no memory for a lane");
    }
    lane->size = size;
    lane->count = count;
    lane->descriptor_bytes =
        TAKEN(sizeof(VIP_CONTROL_SEGMENT) +
              (setting->segments + setting->rdma) * sizeof(VIP_DESCRIPTOR_SEGMENT));
    lane->descriptors = (char*)host_take(&host, count * lane->descriptor_bytes);
    lane->buffer_bytes = whole_pages(size == 0 ? 1 : size);
    taken = (char*)host_take(&host, (1 + cold) * lane->buffer_bytes + PAGE);
    lane->buffers = taken + (PAGE - (VIP_ULONG)taken % PAGE) % PAGE;
    return lane;
}

static VIP_DESCRIPTOR*
descriptor_of(const Lane* lane, long use)
{
    return (VIP_DESCRIPTOR*)(lane->descriptors + use % lane->count * lane->descriptor_bytes);
}

/* Of 100 messages in a row as many lie in the first buffer as reuse says, evenly spread. */
static char*
next_buffer(Lane* lane, long reuse)
{
    const long use = lane->used;

    if ((use + 1) * reuse / 100 > use * reuse / 100)
    {
        return lane->buffers;
    }
    lane->fresh++;
    return lane->buffers + lane->fresh * lane->buffer_bytes;
}

/* As describe() of vipl-util.c, with any number of segments. */
static VIP_DESCRIPTOR*
build(Lane* lane, const Setting* setting, char* data)
{
    VIP_DESCRIPTOR* descriptor = descriptor_of(lane, lane->used);
    VIP_DATA_SEGMENT* segment = &descriptor->DS[0].Local + setting->rdma;
    const long part = lane->size / setting->segments;
    long i;

    memset(descriptor, 0, sizeof(*descriptor));
    descriptor->CS.Control = VIP_CONTROL_OP_SENDRECV;
    descriptor->CS.Length = (VIP_UINT32)lane->size;
    descriptor->CS.SegCount = (VIP_UINT16)setting->segments;
    for (i = 0; i < setting->segments; i++)
    {
        segment[i].Data.Address = data + i * part;
        segment[i].Handle = host.handle;
        segment[i].Length = (VIP_UINT32)(i + 1 == setting->segments ? lane->size - i * part : part);
    }
    return descriptor;
}

/* ---- Channels ---- */

static VIP_VI_HANDLE
vi_of(const Setting* setting, VIP_CQ_HANDLE cq)
{
    VIP_VI_ATTRIBUTES attributes;
    VIP_VI_HANDLE vi;

    attributes.ReliabilityLevel = setting->level;
    attributes.MaxTransferSize = setting->mtu;
    attributes.QoS = NULL;
    attributes.Ptag = host.ptag;
    attributes.EnableRdmaWrite = VIP_TRUE;
    attributes.EnableRdmaRead = VIP_FALSE;
    CHECK(VipCreateVi(host.nic, &attributes, NULL, cq, &vi));
    return vi;
}

static void
meet(VIP_VI_HANDLE vi)
{
    const int channel = next_channel++;

    if (host.rank == 0)
    {
        vi_request(&host, vi, 1, channel);
    }
    else
    {
        vi_wait(&host, vi, 0, channel);
    }
}

VIP_VI_HANDLE
idle_open(void)
{
    const VIP_VI_HANDLE vi = vi_open(&host);

    meet(vi);
    return vi;
}

void
channel_open(Channel* channel,
             const Setting* setting,
             long uses,
             long sends,
             long receives,
             int credits)
{
    const long out = host.rank == 0 ? setting->size : setting->reply;
    const long in = host.rank == 0 ? setting->reply : setting->size;
    long i;

    channel->setting = *setting;
    channel->mark = host.taken;
    channel->cq = NULL;
    if (setting->finding == BY_CQ)
    {
        CHECK(VipCreateCQ(host.nic, (VIP_ULONG)receives, &channel->cq));
    }
    if (setting->finding == BY_HANDLER && sem_init(&arrived, 0, 0) != 0)
    {
        fail("no semaphore");
    }
    channel->vi = vi_of(setting, channel->cq);
    channel->send = lane_open(setting, credits && host.rank == 1 ? 0 : out, sends, uses);
    channel->receive = lane_open(setting, credits && host.rank == 0 ? 0 : in, receives, uses);
    if (setting->rdma)
    {
        target_expect(&host, channel->vi);
    }
    for (i = 0; i < receives; i++)
    {
        channel_expect(channel);
    }
    meet(channel->vi);
    if (setting->rdma)
    {
        target_offer(&host, channel->vi, channel->receive->buffers, setting->size);
        channel->target = target_learn(channel->vi);
    }
}

/* What was taken for fresh buffers is not given back: they would not be fresh for others. */
void
channel_close(Channel* channel)
{
    vi_close(channel->vi);
    if (channel->cq != NULL)
    {
        CHECK(VipDestroyCQ(channel->cq));
    }
    if (channel->setting.finding == BY_HANDLER)
    {
        sem_destroy(&arrived);
    }
    if (channel->setting.reuse == 100)
    {
        host.taken = channel->mark;
    }
    free(channel->send);
    free(channel->receive);
}

/* ---- Messages ---- */

void
channel_prepare(Channel* channel, VIP_UINT32 immediate)
{
    const Setting* setting = &channel->setting;
    Lane* lane = channel->send;
    VIP_DESCRIPTOR* descriptor = build(lane, setting, next_buffer(lane, setting->reuse));

    if (setting->rdma)
    {
        descriptor->CS.Control = VIP_CONTROL_OP_RDMAWRITE;
        descriptor->CS.SegCount++;
        descriptor->DS[0].Remote.Data.AddressBits = channel->target.address;
        descriptor->DS[0].Remote.Handle = channel->target.handle;
    }
    add_immediate(descriptor, immediate);
    lane->used++;
}

void
channel_remark(Channel* channel, VIP_UINT32 immediate)
{
    const Lane* lane = channel->send;

    add_immediate(descriptor_of(lane, lane->used - 1), immediate);
}

void
channel_post(Channel* channel)
{
    const Lane* lane = channel->send;

    CHECK(VipPostSend(channel->vi, descriptor_of(lane, lane->used - 1), host.handle));
}

void
channel_expect(Channel* channel)
{
    Lane* lane = channel->receive;
    VIP_DESCRIPTOR* descriptor = descriptor_of(lane, lane->used);
    char* buffer = next_buffer(lane, channel->setting.reuse);

    if (channel->setting.rdma)
    {
        describe_empty(descriptor);
    }
    else
    {
        build(lane, &channel->setting, buffer);
    }
    lane->used++;
    CHECK(VipPostRecv(channel->vi, descriptor, host.handle));
}

static void
on_message(VIP_PVOID context, VIP_NIC_HANDLE nic, VIP_VI_HANDLE vi, VIP_DESCRIPTOR* descriptor)
{
    (void)context;
    (void)nic;
    (void)vi;
    noticed = descriptor;
    sem_post(&arrived);
}

VIP_DESCRIPTOR*
channel_receive(Channel* channel)
{
    VIP_BOOLEAN receive;
    VIP_VI_HANDLE vi;
    VIP_RETURN result;

    switch (channel->setting.finding)
    {
    case BY_CQ:
        do
        {
            result = VipCQDone(channel->cq, &vi, &receive);
        } while (result == VIP_NOT_DONE);
        check(result, "VipCQDone", __FILE__, __LINE__);
        return await_receive(channel->vi, 0);
    case BY_HANDLER:
        CHECK(VipRecvNotify(channel->vi, NULL, on_message));
        sem_wait(&arrived);
        return completed(VIP_SUCCESS, noticed, "notified receive");
    case BY_BLOCKING:
        return await_receive(channel->vi, 1);
    case BY_POLLING:
        break;
    }
    return await_receive(channel->vi, 0);
}

void
channel_sent(Channel* channel)
{
    await_send(channel->vi);
}
