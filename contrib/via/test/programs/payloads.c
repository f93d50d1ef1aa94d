/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/*
 * Each byte that arrives with success is the byte that was sent, whatever happens to other
 * messages.
 *
 * usage: payloads RELIABILITY(1, 2, 4) MILLISECONDS SEED PER_HOST [LONGEST]
 *
 * The lower half of the processes connects to the upper half, by four VIs for each pair:
 *   - GOOD: receives are always posted; both ends send.
 *   - STARVED: no receives are posted: what arrives is dropped, or breaks the connection.
 *   - SHORT: receives are shorter than most messages: those are cut short, or break the
 *     connection.
 *   - FICKLE: either end disconnects whenever it likes, with messages under way.
 * A connection that is broken is made again. The immediate data of a message numbers it, and each
 * of its bytes follows from sender, VI and number.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>
#include <vipl.h>

enum
{
    GOOD,
    STARVED,
    SHORT,
    FICKLE,
    LANES
};

enum
{
    DEPTH = 8,
    SLOT = 32768 + 128,
    FILL = 0xCC
};

typedef struct
{
    VIP_VI_HANDLE vi;
    int requested, connected;
    int posted, done;  /* sends */
    VIP_UINT32 number; /* of the next message */
    unsigned char *sends, *receives;
} Lane;

static Lane lanes[LANES];
static VIP_NIC_HANDLE nic;
static VIP_MEM_HANDLE memory;
static VIP_VI_ATTRIBUTES attributes;
static unsigned longest;
static int rank, size, per_host, isClient, partner;
static unsigned long random_state, received, broken, wrong;

static unsigned
below(unsigned n)
{
    random_state = random_state * 6364136223846793005ul + 1442695040888963407ul;
    return (unsigned)(random_state >> 33) % n;
}

static unsigned char
byte_of(int sender, int lane, VIP_UINT32 number, unsigned i)
{
    unsigned x = ((unsigned)sender * 4 + (unsigned)lane) * 2654435761u + number * 40503u + i * 97u;
    return (unsigned char)(x ^ x >> 8 ^ x >> 16);
}

static double
now_ms(void)
{
    struct timeval t;
    gettimeofday(&t, NULL);
    return t.tv_sec * 1e3 + t.tv_usec / 1e3;
}

static void
must(VIP_RETURN found, const char* call)
{
    if (found != VIP_SUCCESS)
    {
        printf("%s: %d\n", call, (int)found);
        exit(2);
    }
}

static void
address(void* place, int of, int lane)
{
    VIP_NET_ADDRESS* a = place;
    memset(a, 0, 64);
    a->HostAddressLen = 6;
    a->DiscriminatorLen = 2;
    a->HostAddress[0] = 2;
    a->HostAddress[5] = (VIP_UINT8)(of / per_host);
    a->HostAddress[6] = (VIP_UINT8)(isClient ? rank : partner); /* of the pair: its client */
    a->HostAddress[7] = (VIP_UINT8)lane;
}

static VIP_DESCRIPTOR*
descriptor(unsigned char* slot, unsigned length)
{
    VIP_DESCRIPTOR* d = (VIP_DESCRIPTOR*)slot;
    memset(d, 0, 64);
    d->CS.SegCount = 1;
    d->CS.Length = length;
    d->DS[0].Local.Data.Address = slot + 64;
    d->DS[0].Local.Handle = memory;
    d->DS[0].Local.Length = length;
    return d;
}

static void
post_receive(int lane, unsigned char* slot)
{
    memset(slot + 64, FILL, SLOT - 64);
    (void)VipPostRecv(lanes[lane].vi, descriptor(slot, lane == SHORT ? 700 : longest), memory);
}

static void
check(int lane, VIP_DESCRIPTOR* d)
{
    const unsigned char* data = (unsigned char*)d + 64;
    if ((d->CS.Status & VIP_STATUS_ERROR_MASK) != 0)
        return;
    received++;
    for (unsigned i = 0; i < SLOT - 64 - 64; i++)
    {
        unsigned char wanted = FILL; /* beyond the buffer */
        if (i < d->CS.Length)
        {
            wanted = byte_of(partner, lane, d->CS.ImmediateData, i);
        }
        else if (i < d->DS[0].Local.Length)
        {
            continue; /* part of a message that was lost may have been written there before */
        }
        if (data[i] != wanted)
        {
            if (wrong++ < 5)
                printf("rank %d, VI %d, message %u of %u bytes: byte %u is %02x, not %02x\n",
                       rank,
                       lane,
                       (unsigned)d->CS.ImmediateData,
                       (unsigned)d->CS.Length,
                       i,
                       data[i],
                       wanted);
            return;
        }
    }
}

static void
start(int lane)
{
    Lane* l = &lanes[lane];
    must(VipCreateVi(nic, &attributes, NULL, NULL, &l->vi), "VipCreateVi");
    l->posted = l->done = l->connected = l->requested = 0;
    for (int i = 0; i < DEPTH && lane != STARVED; i++)
        post_receive(lane, l->receives + i * SLOT);
}

/* Takes back what the VI still has, destroys it and makes it again. */
static void
stop(int lane)
{
    Lane* l = &lanes[lane];
    VIP_DESCRIPTOR* d;
    (void)VipDisconnect(l->vi);
    while (VipRecvDone(l->vi, &d) != VIP_NOT_DONE && d != NULL)
        check(lane, d);
    while (VipSendDone(l->vi, &d) != VIP_NOT_DONE && d != NULL)
        ;
    must(VipDestroyVi(l->vi), "VipDestroyVi");
    broken++;
}

static void
connect_lane(int lane)
{
    Lane* l = &lanes[lane];
    unsigned char local[64], remote[64];
    VIP_VI_ATTRIBUTES theirs;
    VIP_RETURN found;
    if (!l->requested)
    {
        address(local, rank, lane);
        address(remote, partner, lane);
        must(VipConnectPeerRequest(l->vi, (void*)local, (void*)remote, VIP_INFINITE),
             "VipConnectPeerRequest");
        l->requested = 1;
    }
    found = VipConnectPeerDone(l->vi, &theirs);
    l->connected = found == VIP_SUCCESS;
    if (found != VIP_SUCCESS && found != VIP_NOT_DONE)
    {
        l->requested = 0;
    }
}

static int
is_lost(int lane)
{
    VIP_VI_STATE state;
    VIP_VI_ATTRIBUTES a;
    VIP_BOOLEAN b;
    return VipQueryVi(lanes[lane].vi, &state, &a, &b, &b) != VIP_SUCCESS ||
           state != VIP_STATE_CONNECTED;
}

static void
pump(int lane, int sends)
{
    Lane* l = &lanes[lane];
    VIP_DESCRIPTOR* d;
    while (VipSendDone(l->vi, &d) == VIP_SUCCESS)
        l->done++;
    while (VipRecvDone(l->vi, &d) == VIP_SUCCESS)
    {
        check(lane, d);
        post_receive(lane, (unsigned char*)d);
    }
    while (sends && l->posted - l->done < DEPTH && below(3))
    {
        unsigned char* slot = l->sends + (l->posted % DEPTH) * SLOT;
        unsigned length = below(4) == 0 ? below(longest + 1) : below(600);
        d = descriptor(slot, length);
        d->CS.Control = VIP_CONTROL_OP_SENDRECV | VIP_CONTROL_IMMEDIATE;
        d->CS.ImmediateData = l->number;
        for (unsigned i = 0; i < length; i++)
            slot[64 + i] = byte_of(rank, lane, l->number, i);
        if (VipPostSend(l->vi, d, memory) != VIP_SUCCESS)
            break;
        l->number++;
        l->posted++;
    }
}

static void
on_error(VIP_PVOID context, VIP_ERROR_DESCRIPTOR* error)
{
    (void)context;
    (void)error;
}

int
main(int argc, char** argv)
{
    VIP_PROTECTION_HANDLE tag;
    VIP_MEM_ATTRIBUTES rights;
    VIP_NIC_ATTRIBUTES about;
    const unsigned long bytes = (unsigned long)LANES * 2 * DEPTH * SLOT;
    unsigned char* all = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    double until;
    rank = atoi(getenv("VIA_RANK"));
    size = atoi(getenv("VIA_SIZE"));
    isClient = rank < size / 2;
    partner = isClient ? rank + size / 2 : rank - size / 2;
    random_state = strtoul(argv[3], NULL, 10) * 1000 + (unsigned long)rank;
    per_host = atoi(argv[4]);
    longest = argc > 5 ? (unsigned)atoi(argv[5]) : 32000;

    must(VipOpenNic("nic0", &nic), "VipOpenNic");
    must(VipQueryNic(nic, &about), "VipQueryNic");
    if (longest > about.MaxTransferSize)
        longest = (unsigned)about.MaxTransferSize;
    must(VipErrorCallback(nic, NULL, on_error), "VipErrorCallback");
    must(VipCreatePtag(nic, &tag), "VipCreatePtag");
    memset(&rights, 0, sizeof rights);
    rights.Ptag = tag;
    must(VipRegisterMem(nic, all, bytes, &rights, &memory), "VipRegisterMem");
    memset(&attributes, 0, sizeof attributes);
    attributes.Ptag = tag;
    attributes.ReliabilityLevel = (VIP_RELIABILITY_LEVEL)atoi(argv[1]);
    attributes.MaxTransferSize = longest;

    for (int lane = 0; lane < LANES; lane++)
    {
        lanes[lane].sends = all + (unsigned long)(2 * lane) * DEPTH * SLOT;
        lanes[lane].receives = lanes[lane].sends + DEPTH * SLOT;
        start(lane);
    }
    for (until = now_ms() + atof(argv[2]); now_ms() < until;)
    {
        for (int lane = 0; lane < LANES; lane++)
        {
            if (!lanes[lane].connected)
                connect_lane(lane);
            if (!lanes[lane].connected)
                continue;
            pump(lane, 1);
            if (is_lost(lane) || (lane == FICKLE && below(40) == 0))
            {
                stop(lane);
                start(lane);
            }
        }
        if (below(4) == 0)
            usleep(below(200));
    }
    for (int lane = 0; lane < LANES; lane++)
        pump(lane, 0);
    printf("rank %d: %lu received, %lu wrong, %lu broken\n", rank, received, wrong, broken);
    return wrong != 0;
}
