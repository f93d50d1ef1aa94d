/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* What the VIPL example programs share: clock, NIC, memory, descriptors; see vipl-util.h. */

#include "vipl-util.h"

#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#define DEVICE "/dev/via_eth0"
#define MAX_TRANSFER 65536UL

double
now_us(void)
{
    struct timeval now;

    gettimeofday(&now, NULL);
    return now.tv_sec * 1e6 + now.tv_usec;
}

/* ---- NIC and memory ---- */

/* A peer that is done disconnects, so a lost connection is no error here: if the peer still owed
 * us a message, the descriptor that waits for it is flushed and await_receive says so. */
static void
on_error(VIP_PVOID context, VIP_ERROR_DESCRIPTOR* error)
{
    const Host* host = (const Host*)context;

    if (error->ErrorCode != VIP_ERROR_CONN_LOST)
    {
        fail("asynchronous error %d on NIC %s", (int)error->ErrorCode, host->attributes.Name);
    }
}

VIP_MEM_HANDLE
host_register(const Host* host, void* data, VIP_ULONG bytes)
{
    VIP_MEM_ATTRIBUTES attributes;
    VIP_MEM_HANDLE handle;

    attributes.Ptag = host->ptag;
    attributes.EnableRdmaWrite = VIP_TRUE;
    attributes.EnableRdmaRead = VIP_FALSE;
    CHECK(VipRegisterMem(host->nic, data, bytes, &attributes, &handle));
    return handle;
}

void
host_open(Host* host, VIP_ULONG bytes)
{
    VIP_RELIABILITY_LEVEL offered;

    CHECK(VipOpenNic(DEVICE, &host->nic));
    CHECK(VipQueryNic(host->nic, &host->attributes));
    CHECK(VipErrorCallback(host->nic, host, on_error));
    CHECK(VipNSInit(host->nic, NULL));
    CHECK(VipCreatePtag(host->nic, &host->ptag));

    /* Every program here keeps a receive posted for each message, so on a network that loses
     * nothing it runs on an unreliable NIC too. */
    offered = host->attributes.ReliabilityLevelSupport;
    if (host->level == 0)
    {
        host->level = (offered & VIP_SERVICE_RELIABLE_DELIVERY) != 0 ? VIP_SERVICE_RELIABLE_DELIVERY
                                                                     : VIP_SERVICE_UNRELIABLE;
    }
    else if ((offered & host->level) == 0)
    {
        fail("-l: NIC %s does not offer this level", host->attributes.Name);
    }
    host->max_transfer = host->attributes.MaxTransferSize;
    if (host->max_transfer > MAX_TRANSFER)
    {
        host->max_transfer = MAX_TRANSFER;
    }

    host->allocated = calloc(1, bytes + VIP_DESCRIPTOR_ALIGNMENT);
    if (host->allocated == NULL)
    {
        fail("no memory: %lu bytes", bytes);
    }
    host->memory = (char*)host->allocated + VIP_DESCRIPTOR_ALIGNMENT -
                   (VIP_ULONG)host->allocated % VIP_DESCRIPTOR_ALIGNMENT;
    host->length = bytes;
    host->taken = 0;
    host->handle = host_register(host, host->memory, bytes);
}

void*
host_take(Host* host, VIP_ULONG bytes)
{
    void* piece = host->memory + host->taken;

    if (TAKEN(bytes) > host->length - host->taken)
    {
        fail("%lu bytes were registered, %lu more than are left are needed",
             host->length,
             TAKEN(bytes) - (host->length - host->taken));
    }
    host->taken += TAKEN(bytes);
    return piece;
}

void
host_close(Host* host)
{
    CHECK(VipDeregisterMem(host->nic, host->memory, host->handle));
    CHECK(VipDestroyPtag(host->nic, host->ptag));
    CHECK(VipNSShutdown(host->nic));
    CHECK(VipCloseNic(host->nic));
    free(host->allocated);
}

/* ---- Descriptors ---- */

void
describe_in(VIP_MEM_HANDLE region, VIP_DESCRIPTOR* descriptor, void* data, VIP_ULONG length)
{
    memset(descriptor, 0, sizeof(*descriptor));
    descriptor->CS.Control = VIP_CONTROL_OP_SENDRECV;
    descriptor->CS.SegCount = 1;
    descriptor->CS.Length = (VIP_UINT32)length;
    descriptor->DS[0].Local.Data.Address = data;
    descriptor->DS[0].Local.Handle = region;
    descriptor->DS[0].Local.Length = (VIP_UINT32)length;
}

void
describe(const Host* host, VIP_DESCRIPTOR* descriptor, void* data, VIP_ULONG length)
{
    describe_in(host->handle, descriptor, data, length);
}

void
describe_write(const Host* host,
               VIP_DESCRIPTOR* descriptor,
               void* data,
               VIP_ULONG length,
               const Target* target)
{
    memset(descriptor, 0, sizeof(*descriptor));
    descriptor->CS.Control = VIP_CONTROL_OP_RDMAWRITE;
    descriptor->CS.SegCount = 2;
    descriptor->CS.Length = (VIP_UINT32)length;
    descriptor->DS[0].Remote.Data.AddressBits = target->address;
    descriptor->DS[0].Remote.Handle = target->handle;
    descriptor->DS[1].Local.Data.Address = data;
    descriptor->DS[1].Local.Handle = host->handle;
    descriptor->DS[1].Local.Length = (VIP_UINT32)length;
}

void
describe_empty(VIP_DESCRIPTOR* descriptor)
{
    memset(descriptor, 0, sizeof(*descriptor));
    descriptor->CS.Control = VIP_CONTROL_OP_SENDRECV;
}

VIP_UINT64
address_bits(const void* data)
{
    VIP_PVOID64 address;

    address.AddressBits = 0;
    address.Address = (VIP_PVOID)data;
    return address.AddressBits;
}

void
add_immediate(VIP_DESCRIPTOR* descriptor, VIP_UINT32 value)
{
    descriptor->CS.Control |= VIP_CONTROL_IMMEDIATE;
    descriptor->CS.ImmediateData = value;
}

VIP_DESCRIPTOR*
completed(VIP_RETURN result, VIP_DESCRIPTOR* descriptor, const char* what)
{
    if (result != VIP_SUCCESS || descriptor == NULL ||
        (descriptor->CS.Status & (VIP_STATUS_DONE | VIP_STATUS_ERROR_MASK)) != VIP_STATUS_DONE)
    {
        fail("%s: return code %d, status 0x%lx",
             what,
             (int)result,
             descriptor == NULL ? 0 : (unsigned long)descriptor->CS.Status);
    }
    return descriptor;
}

VIP_DESCRIPTOR*
await_send(VIP_VI_HANDLE vi)
{
    VIP_DESCRIPTOR* descriptor = NULL;
    VIP_RETURN result;

    do
    {
        result = VipSendDone(vi, &descriptor);
    } while (result == VIP_NOT_DONE);
    return completed(result, descriptor, "send");
}

VIP_DESCRIPTOR*
await_receive(VIP_VI_HANDLE vi, int blocking)
{
    VIP_DESCRIPTOR* descriptor = NULL;
    VIP_RETURN result;

    if (blocking)
    {
        result = VipRecvWait(vi, VIP_INFINITE, &descriptor);
    }
    else
    {
        do
        {
            result = VipRecvDone(vi, &descriptor);
        } while (result == VIP_NOT_DONE);
    }
    return completed(result, descriptor, "receive");
}

/* ---- Targets ---- */

void
target_offer(Host* host, VIP_VI_HANDLE vi, void* data, VIP_ULONG length)
{
    VIP_DESCRIPTOR* descriptor = (VIP_DESCRIPTOR*)host_take(host, sizeof(VIP_DESCRIPTOR));
    Target* target = (Target*)host_take(host, sizeof(Target));

    target->address = address_bits(data);
    target->handle = host->handle;
    target->length = (VIP_UINT32)length;
    describe(host, descriptor, target, sizeof(Target));
    CHECK(VipPostSend(vi, descriptor, host->handle));
    await_send(vi);
}

void
target_expect(Host* host, VIP_VI_HANDLE vi)
{
    VIP_DESCRIPTOR* descriptor = (VIP_DESCRIPTOR*)host_take(host, sizeof(VIP_DESCRIPTOR));

    describe(host, descriptor, host_take(host, sizeof(Target)), sizeof(Target));
    CHECK(VipPostRecv(vi, descriptor, host->handle));
}

Target
target_learn(VIP_VI_HANDLE vi)
{
    const VIP_DESCRIPTOR* descriptor = await_receive(vi, 0);

    if (descriptor->CS.Length != sizeof(Target))
    {
        fail("%lu bytes instead of a target", (unsigned long)descriptor->CS.Length);
    }
    return *(const Target*)descriptor->DS[0].Local.Data.Address;
}
