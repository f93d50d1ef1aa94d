/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* How the VIPL example programs make, connect and end their VIs. */

#include "vipl-util.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define CONNECT_TIMEOUT_MS 60000UL
#define DISCRIMINATOR_BYTES 8
#define ANYBODY 0xffffff /* the requester in a service's discriminator */

/* A VIP_NET_ADDRESS with room for what follows it. */
typedef union Address {
    VIP_NET_ADDRESS net;
    char room[256];
} Address;

VIP_VI_HANDLE
vi_open_on(const Host* host, VIP_CQ_HANDLE sends, VIP_CQ_HANDLE receives)
{
    VIP_VI_ATTRIBUTES attributes;
    VIP_VI_HANDLE vi;

    attributes.ReliabilityLevel = host->level;
    attributes.MaxTransferSize = host->max_transfer;
    attributes.QoS = NULL;
    attributes.Ptag = host->ptag;
    attributes.EnableRdmaWrite = VIP_TRUE;
    attributes.EnableRdmaRead = VIP_FALSE;
    CHECK(VipCreateVi(host->nic, &attributes, sends, receives, &vi));
    return vi;
}

VIP_VI_HANDLE
vi_open(const Host* host)
{
    return vi_open_on(host, NULL, NULL);
}

/* After a disconnect nothing may be left on a queue but flushed descriptors. */
static void
drain(VIP_VI_HANDLE vi, VIP_RETURN (*reap)(VIP_VI_HANDLE, VIP_DESCRIPTOR**))
{
    VIP_DESCRIPTOR* descriptor;
    VIP_RETURN result;

    do
    {
        descriptor = NULL;
        result = reap(vi, &descriptor);
        if (result == VIP_DESCRIPTOR_ERROR && descriptor != NULL &&
            (descriptor->CS.Status & VIP_STATUS_DESC_FLUSHED_ERROR) == 0)
        {
            fail("status 0x%lx of a flushed descriptor", (unsigned long)descriptor->CS.Status);
        }
        if (result != VIP_DESCRIPTOR_ERROR && result != VIP_NOT_DONE)
        {
            fail("return code %d from a queue to be drained", (int)result);
        }
    } while (descriptor != NULL || result == VIP_NOT_DONE);
}

void
vi_close(VIP_VI_HANDLE vi)
{
    CHECK(VipDisconnect(vi));
    drain(vi, VipSendDone);
    drain(vi, VipRecvDone);
    CHECK(VipDestroyVi(vi));
}

void
vi_abandon(VIP_VI_HANDLE vi)
{
    VIP_DESCRIPTOR* descriptor;

    CHECK(VipDisconnect(vi));
    while (VipSendDone(vi, &descriptor) == VIP_SUCCESS)
    {
    }
    while (VipRecvDone(vi, &descriptor) == VIP_SUCCESS)
    {
    }
    vi_close(vi);
}

/* The discriminator of a connection names who is called, who requests it, and the channel: several
 * processes may share a host, and thus its address. */
static void
append_discriminator(const Host* host, Address* address, int called, int requester, int channel)
{
    unsigned char* discriminator;

    if (host->attributes.MaxDiscriminatorLen < DISCRIMINATOR_BYTES ||
        address->net.HostAddressLen > sizeof(Address) - 64)
    {
        fail("discriminators of %d bytes, host addresses of %d",
             (int)host->attributes.MaxDiscriminatorLen,
             (int)address->net.HostAddressLen);
    }
    address->net.DiscriminatorLen = DISCRIMINATOR_BYTES;
    discriminator = (unsigned char*)address->net.HostAddress + address->net.HostAddressLen;
    discriminator[0] = (unsigned char)(called >> 16);
    discriminator[1] = (unsigned char)(called >> 8);
    discriminator[2] = (unsigned char)called;
    discriminator[3] = (unsigned char)(requester >> 16);
    discriminator[4] = (unsigned char)(requester >> 8);
    discriminator[5] = (unsigned char)requester;
    discriminator[6] = (unsigned char)(channel >> 8);
    discriminator[7] = (unsigned char)channel;
}

static void
local_address(const Host* host, Address* address)
{
    memset(address, 0, sizeof(*address));
    address->net.HostAddressLen = host->attributes.NicAddressLen;
    memcpy(address->net.HostAddress,
           host->attributes.LocalNicAddress,
           host->attributes.NicAddressLen);
}

static void
remote_address(const Host* host, Address* address, int peer)
{
    char name[16];

    memset(address, 0, sizeof(*address));
    address->net.HostAddressLen = host->attributes.NicAddressLen;
    sprintf(name, "n%d", peer / host->per_host);
    CHECK(VipNSGetHostByName(host->nic, name, &address->net, 0));
}

/* Until the peer waits, nobody matches: it may have other connections to make first. */
static VIP_RETURN
request(VIP_VI_HANDLE vi, Address* local, Address* remote)
{
    const double start = now_us();
    VIP_VI_ATTRIBUTES attributes;
    VIP_RETURN result;

    do
    {
        result = VipConnectRequest(vi, &local->net, &remote->net, CONNECT_TIMEOUT_MS, &attributes);
    } while (result == VIP_NO_MATCH && now_us() - start < CONNECT_TIMEOUT_MS * 1e3);
    return result;
}

void
vi_request(const Host* host, VIP_VI_HANDLE vi, int peer, int channel)
{
    Address local;
    Address remote;

    local_address(host, &local);
    append_discriminator(host, &local, peer, host->rank, channel);
    remote_address(host, &remote, peer);
    append_discriminator(host, &remote, peer, host->rank, channel);
    check(request(vi, &local, &remote), "VipConnectRequest", __FILE__, __LINE__);
}

void
vi_wait(const Host* host, VIP_VI_HANDLE vi, int peer, int channel)
{
    VIP_VI_ATTRIBUTES attributes;
    VIP_CONN_HANDLE connection;
    Address local;
    Address expected;
    Address requester;
    size_t length;

    local_address(host, &local);
    append_discriminator(host, &local, host->rank, peer, channel);
    remote_address(host, &expected, peer);
    append_discriminator(host, &expected, host->rank, peer, channel);
    memset(&requester, 0, sizeof(requester));
    CHECK(VipConnectWait(host->nic,
                         &local.net,
                         CONNECT_TIMEOUT_MS,
                         &requester.net,
                         &attributes,
                         &connection));
    length = offsetof(VIP_NET_ADDRESS, HostAddress) + expected.net.HostAddressLen +
             expected.net.DiscriminatorLen;
    if (memcmp(&requester, &expected, length) != 0)
    {
        fail("a request for channel %d that is not from rank %d", channel, peer);
    }
    CHECK(VipConnectAccept(connection, vi));
}

/* In blocks of `distance` ranks, every other block requests first and the others wait first. Who
 * requests is held up only by a peer that requests too, who waits only by one that waits too. That
 * cannot go all the way round: each ring has a rank in the first block with its peer in the second.
 */
void
vi_ring(const Host* host, VIP_VI_HANDLE out, VIP_VI_HANDLE in, int distance, int channel)
{
    const int to = (host->rank + distance) % host->size;
    const int from = (host->rank + host->size - distance) % host->size;

    if (host->rank / distance % 2 == 0)
    {
        vi_request(host, out, to, channel);
        vi_wait(host, in, from, channel);
    }
    else
    {
        vi_wait(host, in, from, channel);
        vi_request(host, out, to, channel);
    }
}

/* ---- Meshes ---- */

int
mesh_rounds(const Host* host)
{
    return host->size - 1 + host->size % 2;
}

/* Seats at a round table that all but one player leave for the next: the chess players' schedule.
 * Two ranks whose sum is the round, modulo rounds, are partners; who would be his own plays with
 * the last rank of an even number, or rests. */
int
mesh_partner(const Host* host, int round)
{
    const int rounds = mesh_rounds(host);
    int partner;

    if (host->rank == rounds)
    {
        return (int)((long)round * ((rounds + 1) / 2) % rounds);
    }
    partner = (round - host->rank + rounds) % rounds;
    if (partner == host->rank)
    {
        partner = rounds;
    }
    return partner < host->size ? partner : -1;
}

/* ---- Services ---- */

VIP_RETURN
service_request(const Host* host, VIP_VI_HANDLE vi, int server, int channel)
{
    VIP_RETURN result;
    Address local;
    Address remote;

    local_address(host, &local);
    append_discriminator(host, &local, server, host->rank, channel);
    remote_address(host, &remote, server);
    append_discriminator(host, &remote, server, ANYBODY, 0);
    result = request(vi, &local, &remote);
    if (result != VIP_REJECT)
    {
        check(result, "VipConnectRequest", __FILE__, __LINE__);
    }
    return result;
}

VIP_CONN_HANDLE
service_wait(const Host* host, int* client, int* channel)
{
    VIP_VI_ATTRIBUTES attributes;
    VIP_CONN_HANDLE connection;
    const unsigned char* who;
    Address local;
    Address requester;

    local_address(host, &local);
    append_discriminator(host, &local, host->rank, ANYBODY, 0);
    memset(&requester, 0, sizeof(requester));
    CHECK(VipConnectWait(host->nic,
                         &local.net,
                         VIP_INFINITE,
                         &requester.net,
                         &attributes,
                         &connection));
    if (requester.net.DiscriminatorLen != DISCRIMINATOR_BYTES)
    {
        fail("a client whose discriminator has %d bytes", (int)requester.net.DiscriminatorLen);
    }
    who = (const unsigned char*)requester.net.HostAddress + requester.net.HostAddressLen;
    *client = who[3] << 16 | who[4] << 8 | who[5];
    *channel = who[6] << 8 | who[7];
    return connection;
}
