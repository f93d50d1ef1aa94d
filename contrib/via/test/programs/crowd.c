/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/*
 * Several processes on each card send messages of up to three segments to VIs that have no
 * receives.
 *
 * crowd COUNT SEED PER_HOST: the lower half of the processes sends, the upper half, too
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <vipl.h>

enum
{
    DEPTH = 16,
    ARENA = 1 << 20,
    DATA = 65536
};

static unsigned long random_state;

static unsigned
below(unsigned n)
{
    random_state = random_state * 6364136223846793005ul + 1442695040888963407ul;
    return (unsigned)(random_state >> 33) % n;
}

static void
address(void* place, int host, int process)
{
    VIP_NET_ADDRESS* a = place;
    memset(a, 0, 32);
    a->HostAddressLen = 6;
    a->DiscriminatorLen = 1;
    a->HostAddress[0] = 2;
    a->HostAddress[5] = (VIP_UINT8)host;
    a->HostAddress[6] = (VIP_UINT8)process;
}

static void
none(VIP_PVOID context, VIP_ERROR_DESCRIPTOR* error)
{
    (void)context;
    (void)error;
}

static VIP_DESCRIPTOR*
message(unsigned char* arena, int slot, VIP_MEM_HANDLE handle)
{
    VIP_DESCRIPTOR* d = (VIP_DESCRIPTOR*)(arena + 256 * slot);
    const unsigned segments = below(4);
    memset(d, 0, 128);
    for (unsigned i = 0; i < segments; i++)
    {
        const unsigned length = below(3) == 0 ? below(8000) : below(64);
        d->DS[i].Local.Data.Address = arena + DATA + below(ARENA - DATA - 8000);
        d->DS[i].Local.Handle = handle;
        d->DS[i].Local.Length = length;
        d->CS.Length += length;
    }
    d->CS.SegCount = (VIP_UINT16)segments;
    d->CS.Control = below(2) ? VIP_CONTROL_IMMEDIATE : 0;
    return d;
}

int
main(int argc, char** argv)
{
    const int count = atoi(argv[1]), per_host = atoi(argv[3]);
    const int rank = atoi(getenv("VIA_RANK")), half = atoi(getenv("VIA_SIZE")) / 2;
    const int other = rank < half ? rank + half : rank - half;
    unsigned char* arena = aligned_alloc(4096, ARENA);
    unsigned char local[64], remote[64];
    VIP_NIC_HANDLE nic;
    VIP_PROTECTION_HANDLE tag;
    VIP_MEM_HANDLE handle;
    VIP_VI_HANDLE vi;
    VIP_VI_ATTRIBUTES attributes, theirs;
    VIP_MEM_ATTRIBUTES rights;
    VIP_CONN_HANDLE request;
    VIP_DESCRIPTOR* d;
    int posted = 0, done = 0;
    (void)argc;
    random_state = strtoul(argv[2], NULL, 10) * 1000 + (unsigned long)rank;
    memset(arena, 0, ARENA);
    memset(&attributes, 0, sizeof attributes);
    memset(&rights, 0, sizeof rights);
    VipOpenNic("nic0", &nic);
    VipErrorCallback(nic, NULL, none);
    VipCreatePtag(nic, &tag);
    attributes.Ptag = rights.Ptag = tag;
    attributes.ReliabilityLevel = VIP_SERVICE_UNRELIABLE;
    attributes.MaxTransferSize = 32768;
    VipRegisterMem(nic, arena, ARENA, &rights, &handle);
    VipCreateVi(nic, &attributes, NULL, NULL, &vi);
    address(local, rank / per_host, rank);
    address(remote, other / per_host, other);
    if (rank < half)
    {
        do
        {
            usleep(1000);
        } while (VipConnectRequest(vi, (void*)local, (void*)remote, 100, &theirs) != VIP_SUCCESS);
    }
    else
    {
        VipConnectWait(nic, (void*)local, VIP_INFINITE, (void*)remote, &theirs, &request);
        VipConnectAccept(request, vi);
    }
    while (done < count)
    {
        while (posted < count && posted - done < DEPTH && below(4))
        {
            VipPostSend(vi, message(arena, posted++ % DEPTH, handle), handle);
        }
        if (below(3) == 0)
        {
            usleep(below(400));
        }
        while (VipSendDone(vi, &d) == VIP_SUCCESS)
        {
            done++;
        }
    }
    usleep(100000);
    printf("%d sent %d\n", rank, done);
    return 0;
}
