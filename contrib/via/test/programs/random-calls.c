/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/*
 * Random calls of VIPL, valid and not, from several threads of several processes. Memory that no
 * descriptor may touch is compared with what it was; return codes must be those of VIPL.
 *
 * random-calls SEED CALLS THREADS MODE; in the environment: PER, processes per node; WILD, how much
 * rarer wrong arguments are; INF, to wait for ever now and then; HIST, to print the return codes
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <vipl.h>
#define SLOT 8192
#define GAP 512
#define NS 24
#define MAXT 4
#define N(a) ((int)(sizeof(a) / sizeof(*(a))))
typedef uint64_t u64;

typedef struct
{
    VIP_MEM_HANDLE h;
    VIP_NIC_HANDLE nic;
    unsigned char* p;
    unsigned long len;
    int live;
    int kind;
    VIP_PROTECTION_HANDLE tag;
} Reg;

typedef struct
{
    u64 s;
    int id;
    VIP_NIC_HANDLE nic[4];
    int nn;
    VIP_PROTECTION_HANDLE tag[8];
    int nt;
    VIP_VI_HANDLE vi[10];
    int nv;
    VIP_CQ_HANDLE cq[6];
    int nc;
    VIP_CONN_HANDLE conn[6];
    int nk;
    void* dead[32];
    int nd;
    Reg reg[NS];
    unsigned char* arena;
    unsigned char* copy;   /* copy[i] : snapshot of frozen slots */
    unsigned char* frozen; /* per slot: contents must equal copy */
    VIP_DESCRIPTOR* desc[256];
    int ndesc;
} T;

static T t[MAXT];
static int rank_, size_, mode;
static long calls_left;
static long done_;
static long hist[64][18];
static const char* names[64];
static long handler_calls, bad;
static unsigned char* peer_addr[16];
static VIP_MEM_HANDLE peer_h[16];
static void* peer_any[64];
static int npeer, npa;

static u64
rnd(T* x)
{
    u64 z = (x->s += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

static int
below(T* x, int n)
{
    return (int)(rnd(x) % (u64)n);
}

static int wild = 1, inf_;

static int
one(T* x, int n)
{
    return below(x, n >= 15 ? n * wild : n) == 0;
}

static unsigned char
pat(T* x, long o)
{
    return (unsigned char)(o * 37 + x->id * 11 + rank_ * 5 + (o >> 8));
}

static void
fail(const char* what, long a, long b)
{
    printf("BAD rank %d: %s %ld %ld (call %ld)\n", rank_, what, a, b, done_);
    fflush(stdout);
    bad++;
    if (bad > 20)
        exit(9);
}

static VIP_RETURN
H(int k, const char* n, VIP_RETURN r)
{
    names[k] = n;
    done_++;
    if ((unsigned)r > 16)
    {
        fail("return code", k, (long)r);
        r = 17;
    }
    hist[k][r]++;
    return r;
}

static void*
junk(T* x)
{
    T* o = &t[below(x, MAXT)];
    switch (below(x, 9))
    {
    case 0:
        return NULL;
    case 1:
        return (void*)1;
    case 2:
        return (void*)(long)rnd(x);
    case 3:
        return x->nd ? x->dead[below(x, x->nd < 32 ? x->nd : 32)] : NULL;
    case 4:
        return npa ? peer_any[below(x, npa)] : NULL;
    case 5:
        return o->nv ? o->vi[below(x, o->nv)] : NULL;
    case 6:
        return o->nn ? o->nic[below(x, o->nn)] : NULL;
    case 7:
        return o->nc ? o->cq[below(x, o->nc)] : o->nt ? o->tag[below(x, o->nt)] : NULL;
    default:
        return (void*)(intptr_t)below(x, 4000);
    }
}

#define PICK(x, arr, n, odds) (((n) == 0 || one(x, odds)) ? junk(x) : (arr)[below(x, n)])

static void
bury(T* x, void* h)
{
    x->dead[x->nd++ & 31] = h;
}

static T*
other(T* x)
{
    return one(x, 6) ? &t[below(x, MAXT)] : x;
}

static VIP_NIC_HANDLE
nic(T* x)
{
    T* o = other(x);
    return PICK(x, o->nic, o->nn, 40);
}

static VIP_VI_HANDLE
vi(T* x)
{
    T* o = other(x);
    return PICK(x, o->vi, o->nv, 40);
}

static VIP_CQ_HANDLE
cq(T* x)
{
    T* o = other(x);
    return PICK(x, o->cq, o->nc, 40);
}

static VIP_PROTECTION_HANDLE
tag(T* x)
{
    T* o = other(x);
    return PICK(x, o->tag, o->nt, 40);
}

static unsigned char*
slotp(T* x, int i)
{
    return x->arena + (long)i * (SLOT + 2 * GAP) + GAP;
}

static void
check_slots(T* x, int all)
{
    for (int i = 0; i < NS; i++)
    {
        if (!all && !one(x, 4))
            continue;
        unsigned char* p = slotp(x, i);
        long o = p - x->arena;
        for (int g = 0; g < GAP; g++)
        {
            if (p[-1 - g] != pat(x, o - 1 - g))
            {
                fail("canary below slot", i, -1 - g);
                p[-1 - g] = pat(x, o - 1 - g);
            }
            if (p[SLOT + g] != pat(x, o + SLOT + g))
            {
                fail("canary above slot", i, g);
                p[SLOT + g] = pat(x, o + SLOT + g);
            }
        }
        Reg* r = &x->reg[i];
        if (r->live)
        { /* outside of the registered part nothing may change */
            long a = r->p - p, b = a + (long)r->len;
            if (memcmp(p, x->copy + o, a) != 0)
            {
                fail("bytes below a region changed", i, a);
                memcpy(x->copy + o, p, a);
            }
            if (b < SLOT && memcmp(p + b, x->copy + o + b, SLOT - b) != 0)
            {
                fail("bytes above a region changed", i, b);
                memcpy(x->copy + o + b, p + b, SLOT - b);
            }
            if (r->kind == 1 && memcmp(p, x->copy + o, SLOT) != 0)
            {
                fail("send-only region changed", i, 0);
                memcpy(x->copy + o, p, SLOT);
            }
        }
        else if (i >= 6 && memcmp(p, x->copy + o, SLOT) != 0)
        {
            fail("unregistered slot changed", i, 0);
            memcpy(x->copy + o, p, SLOT);
        }
    }
}

static void
on_error(VIP_PVOID c, VIP_ERROR_DESCRIPTOR* e)
{
    handler_calls++;
    (void)c;
    if ((unsigned)e->ErrorCode > 10 || (unsigned)e->ResourceCode > 3)
        fail("error code", e->ErrorCode, e->ResourceCode);
}

static void
on_vi(VIP_PVOID c, VIP_NIC_HANDLE n, VIP_VI_HANDLE v, VIP_DESCRIPTOR* d)
{
    handler_calls++;
    (void)n;
    (void)c;
    if (d && one(&t[0], 3))
        H(40, "in-handler VipPostRecv", VipPostRecv(v, d, t[0].reg[0].h));
    if (one(&t[0], 8))
        H(41, "in-handler VipRecvNotify", VipRecvNotify(v, c, on_vi));
}

static void
on_cq(VIP_PVOID c, VIP_NIC_HANDLE n, VIP_VI_HANDLE v, VIP_BOOLEAN r)
{
    VIP_DESCRIPTOR* d;
    handler_calls++;
    (void)c;
    (void)n;
    H(42, "in-handler Done", r ? VipRecvDone(v, &d) : VipSendDone(v, &d));
}

static void
net(T* x, unsigned char* buf, int local, int who)
{
    VIP_NET_ADDRESS* a = (VIP_NET_ADDRESS*)buf;
    int node = who;
    memset(buf, 0, 64);
    a->HostAddressLen = one(x, 60) ? below(x, 60) : 6;
    a->DiscriminatorLen = one(x, 60) ? below(x, 20) : 2;
    a->HostAddress[0] = 2;
    a->HostAddress[5] = (unsigned char)node;
    if (one(x, 60))
        a->HostAddress[below(x, 6)] ^= 1 << below(x, 8);
    a->HostAddress[6] = 'd';
    a->HostAddress[7] = (unsigned char)(one(x, 3) ? below(x, 3) : local);
    if (one(x, 400))
    {
        a->HostAddressLen = 65535;
        a->DiscriminatorLen = 65535;
    }
}

static VIP_ULONG
wait_time(T* x)
{
    switch (below(x, 12))
    {
    case 0:
        return 0;
    case 1:
        return 5;
    case 2:
        return inf_ && x->id ? VIP_INFINITE : 2;
    case 3:
        return inf_ && x->id && one(x, 4) ? ~0ul : 3;
    default:
        return 1;
    }
}

static VIP_DESCRIPTOR*
describe(T* x, int recv, VIP_MEM_HANDLE* mh)
{
    int s = below(x, 6);
    Reg* r = &x->reg[s]; /* slots 0..5: descriptors */
    VIP_DESCRIPTOR* d;
    if (!r->live || one(x, 60))
    {
        *mh = (VIP_MEM_HANDLE)rnd(x);
        r = &x->reg[0];
        if (!r->live)
            return (VIP_DESCRIPTOR*)(one(x, 3) ? NULL : slotp(x, 1));
    }
    else
        *mh = one(x, 60) ? x->reg[below(x, NS)].h : r->h;
    int room = (int)((r->len - 0) / 64);
    if (room < 1)
        room = 1;
    unsigned char* base = (unsigned char*)(((uintptr_t)r->p + 63) & ~63ul);
    d = (VIP_DESCRIPTOR*)(base + 64 * below(x, room > 8 ? room - 8 : 1));
    if ((unsigned char*)d + 512 > slotp(x, s) + SLOT)
        d = (VIP_DESCRIPTOR*)base;
    int segs = one(x, 20) ? below(x, 20) : below(x, 3);
    int op = recv ? 0 : below(x, 4) == 0 ? 1 : one(x, 8) ? 2 : 0;
    if (one(x, 100))
        op = 3;
    VIP_DESCRIPTOR tmp[4];
    memset(tmp, one(x, 80) ? 0xff : 0, sizeof(tmp));
    tmp->CS.Control =
        (VIP_UINT16)(op | (one(x, 4) ? 4 : 0) | (one(x, 12) ? 8 : 0) | (one(x, 150) ? 0x100 : 0));
    int first = 0;
    VIP_UINT32 sum = 0;
    VIP_DESCRIPTOR_SEGMENT* ds = tmp->DS;
    if (op == 1 || op == 2)
    {
        first = 1;
        int k = npeer ? below(x, npeer) : 0;
        if (npeer && !one(x, 10))
        {
            ds[0].Remote.Data.AddressBits =
                (u64)(uintptr_t)peer_addr[k] + (one(x, 8) ? below(x, SLOT) : 0);
            ds[0].Remote.Handle = one(x, 20) ? (VIP_MEM_HANDLE)rnd(x) : peer_h[k];
        }
        else
        {
            ds[0].Remote.Data.AddressBits = rnd(x);
            ds[0].Remote.Handle = (VIP_MEM_HANDLE)below(x, 100);
        }
        if (segs == 0 && !one(x, 4))
            segs = 1;
    }
    if (segs > 14)
        segs = 14;
    for (int i = 0; i < segs; i++)
    {
        int wantrecv = recv || op == 2;
        int q = wantrecv ? 12 + below(x, 12) : 6 + below(x, 18);
        Reg* g = &x->reg[q];
        unsigned long len = one(x, 15)  ? (unsigned long)below(x, 70000)
                            : one(x, 3) ? below(x, SLOT)
                                        : below(x, 64);
        VIP_DATA_SEGMENT* l = &ds[first + i].Local;
        unsigned long off = g->live && g->len ? rnd(x) % g->len : 0;
        if (g->live && !one(x, 25))
        {
            if (len > g->len - off)
                len = g->len - off;
            l->Data.Address = g->p + off;
            l->Handle = g->h;
        }
        else if (g->live)
        {
            l->Data.Address = g->p + off;
            l->Handle = one(x, 2) ? g->h : x->reg[wantrecv ? 12 + below(x, 12) : below(x, NS)].h;
        }
        else
        {
            l->Data.Address = one(x, 3) ? (void*)(rnd(x)) : slotp(x, q);
            l->Handle = one(x, 2) ? g->h : (VIP_MEM_HANDLE)rnd(x);
        }
        if (one(x, 300))
            len = 0xffffffffu - below(x, 4);
        l->Length = (VIP_UINT32)len;
        sum += (VIP_UINT32)len;
    }
    tmp->CS.SegCount = (VIP_UINT16)(one(x, 150) ? rnd(x) : segs + first);
    tmp->CS.Length = one(x, 60) ? (VIP_UINT32)rnd(x) : sum;
    tmp->CS.ImmediateData = (VIP_UINT32)rnd(x);
    if (r->live && (unsigned char*)d >= r->p && (unsigned char*)d + sizeof(tmp) <= r->p + r->len)
        memcpy(d, tmp, 32 + 16 * (segs + first) < 64 ? 64 : 32 + 16 * (segs + first));
    if (one(x, 150))
        d = (VIP_DESCRIPTOR*)((char*)d + 1 + below(x, 63));
    if (one(x, 400))
        d = NULL;
    return d;
}

static void
publish(T* x)
{
    char n[32];
    snprintf(n, sizeof n, "h.%d", rank_);
    FILE* f = fopen(n, "w");
    if (!f)
        return;
    for (int i = 12; i < NS; i++)
        if (x->reg[i].live)
            fprintf(f, "r %lx %x\n", (unsigned long)x->reg[i].p, x->reg[i].h);
    for (int i = 0; i < x->nv; i++)
        fprintf(f, "h %lx 0\n", (unsigned long)x->vi[i]);
    for (int i = 0; i < x->nn; i++)
        fprintf(f, "h %lx 0\n", (unsigned long)x->nic[i]);
    for (int i = 0; i < x->nt; i++)
        fprintf(f, "h %lx 0\n", (unsigned long)x->tag[i]);
    for (int i = 0; i < x->nk; i++)
        fprintf(f, "h %lx 0\n", (unsigned long)x->conn[i]);
    fclose(f);
}

static void
learn(T* x)
{
    char n[32];
    snprintf(n, sizeof n, "h.%d", below(x, size_));
    FILE* f = fopen(n, "r");
    if (!f)
        return;
    char k;
    unsigned long a;
    unsigned h;
    while (fscanf(f, " %c %lx %x", &k, &a, &h) == 3)
    {
        if (k == 'r')
        {
            int i = npeer < 16 ? npeer++ : below(x, 16);
            peer_addr[i] = (unsigned char*)a;
            peer_h[i] = h;
        }
        else
        {
            int i = npa < 64 ? npa++ : below(x, 64);
            peer_any[i] = (void*)a;
        }
    }
    fclose(f);
}

static void
attrs(T* x, VIP_VI_ATTRIBUTES* a)
{
    memset(a, 0, sizeof *a);
    a->ReliabilityLevel =
        (VIP_RELIABILITY_LEVEL)(one(x, 40) ? rnd(x)
                                           : 1 << (mode >= 0 && !one(x, 6) ? mode : below(x, 3)));
    a->MaxTransferSize = one(x, 40) ? rnd(x) : one(x, 8) ? 4096 : 32768;
    a->QoS = one(x, 60) ? (void*)1 : 0;
    a->Ptag = x->nt && !one(x, 25) ? x->tag[below(x, x->nt)] : tag(x);
    a->EnableRdmaWrite = !one(x, 4);
    a->EnableRdmaRead = one(x, 3);
}

static void
step(T* x)
{
    unsigned char la[80], ra[80], out[80];
    VIP_RETURN r;
    VIP_VI_ATTRIBUTES va;
    VIP_MEM_ATTRIBUTES ma;
    VIP_DESCRIPTOR* d;
    VIP_MEM_HANDLE mh;
    VIP_BOOLEAN b, b2;
    int i;
    memset(&ma, 0, sizeof ma);
    switch (below(x, 64))
    {
    case 0: {
        VIP_NIC_HANDLE h = 0;
        const char* dn[] = {"nic0",
                            "VINIC",
                            "/dev/via_lo",
                            "nic7",
                            "",
                            "xyz",
                            NULL,
                            "VINIC99999999999999999999",
                            "/dev/clanvi0"};
        if (x->nn < 4)
        {
            r = H(0,
                  "VipOpenNic",
                  VipOpenNic(dn[one(x, 4) ? below(x, N(dn)) : 0], one(x, 30) ? NULL : &h));
            if (r == VIP_SUCCESS && h)
            {
                x->nic[x->nn++] = h;
                VipErrorCallback(h, x, on_error);
            }
        }
        break;
    }
    case 1:
        if (one(x, 3))
        {
            VIP_NIC_HANDLE h = nic(x);
            r = H(1, "VipCloseNic", VipCloseNic(h));
            if (r == VIP_SUCCESS)
                for (int k = 0; k < MAXT; k++)
                    for (i = 0; i < t[k].nn; i++)
                        if (t[k].nic[i] == h)
                        {
                            t[k].nic[i] = t[k].nic[--t[k].nn];
                            bury(x, h);
                        }
        }
        break;
    case 2: {
        VIP_NIC_ATTRIBUTES na;
        H(2, "VipQueryNic", VipQueryNic(nic(x), one(x, 20) ? NULL : &na));
        break;
    }
    case 3:
    case 4:
    case 5:
    case 6:
    case 7:
    case 8: { /* register */
        int s = below(x, NS);
        Reg* g = &x->reg[s];
        if (g->live)
            break;
        unsigned char* p = slotp(x, s);
        long a = s < 6 ? 0 : below(x, SLOT / 2);
        unsigned long len = s < 6 ? SLOT : 1 + rnd(x) % (SLOT - a);
        VIP_NIC_HANDLE n = nic(x);
        mh = 0;
        ma.Ptag = x->nt && !one(x, 20) ? x->tag[below(x, x->nt)] : tag(x);
        ma.EnableRdmaWrite = s >= 12 && !one(x, 3);
        ma.EnableRdmaRead = one(x, 3);
        if (one(x, 30))
        {
            static const unsigned long L[] = {0, ~0ul, 1ul << 63, 1ul << 40};
            unsigned long l = L[below(x, 4)];
            void* q = one(x, 2) ? NULL : one(x, 2) ? (void*)16 : (void*)p;
            VIP_MEM_HANDLE h2;
            r = H(3, "VipRegisterMem(odd)", VipRegisterMem(n, q, l, &ma, &h2));
            if (r == VIP_SUCCESS)
            {
                if (l > SLOT)
                    fail("registered too much", (long)l, 0);
                VipDeregisterMem(n, q, h2);
            }
            break;
        }
        r = H(4,
              "VipRegisterMem",
              VipRegisterMem(n, p + a, len, one(x, 30) ? NULL : &ma, one(x, 60) ? NULL : &mh));
        if (r == VIP_SUCCESS)
        {
            memcpy(x->copy + (p - x->arena), p, SLOT);
            g->p = p + a;
            g->len = len;
            g->h = mh;
            g->nic = n;
            g->live = 1;
            g->kind = s >= 6 && s < 12;
            g->tag = ma.Ptag;
            if (one(x, 10))
                publish(x);
        }
        break;
    }
    case 9:
    case 10: {
        int s = below(x, NS);
        Reg* g = &x->reg[s];
        if (!g->live || (s < 6 && !one(x, 6)))
            break;
        VIP_NIC_HANDLE n = one(x, 40) ? nic(x) : g->nic;
        int wrong = one(x, 20);
        r = H(5,
              "VipDeregisterMem",
              VipDeregisterMem(n, wrong ? g->p + 1 : g->p, wrong && one(x, 2) ? g->h + 1 : g->h));
        if (r == VIP_SUCCESS)
        {
            if (wrong && 0)
                fail("wrong dereg worked", 0, 0);
            g->live = 0;
            memcpy(x->copy + (slotp(x, s) - x->arena), slotp(x, s), SLOT);
        }
        break;
    }
    case 11: {
        Reg* g = &x->reg[below(x, NS)];
        H(6,
          "VipQueryMem",
          VipQueryMem(one(x, 5) ? nic(x) : g->nic, g->p, g->h, one(x, 20) ? NULL : &ma));
        break;
    }
    case 12: {
        int s = below(x, NS);
        Reg* g = &x->reg[s];
        ma.Ptag = one(x, 3) ? tag(x) : g->tag;
        ma.EnableRdmaWrite = s >= 12 && one(x, 2);
        ma.EnableRdmaRead = one(x, 4);
        H(7,
          "VipSetMemAttributes",
          VipSetMemAttributes(one(x, 5) ? nic(x) : g->nic, g->p, g->h, one(x, 20) ? NULL : &ma));
        break;
    }
    case 13:
        if (x->nt < 8)
        {
            VIP_PROTECTION_HANDLE h = 0;
            if (H(8, "VipCreatePtag", VipCreatePtag(nic(x), one(x, 30) ? NULL : &h)) ==
                    VIP_SUCCESS &&
                h)
                x->tag[x->nt++] = h;
        }
        break;
    case 14: {
        VIP_PROTECTION_HANDLE h = tag(x);
        if (H(9, "VipDestroyPtag", VipDestroyPtag(nic(x), h)) == VIP_SUCCESS)
            for (int k = 0; k < MAXT; k++)
                for (i = 0; i < t[k].nt; i++)
                    if (t[k].tag[i] == h)
                    {
                        t[k].tag[i] = t[k].tag[--t[k].nt];
                        bury(x, h);
                    }
        break;
    }
    case 15:
    case 16:
        if (x->nv < 10)
        {
            VIP_VI_HANDLE h = 0;
            attrs(x, &va);
            if (H(10,
                  "VipCreateVi",
                  VipCreateVi(nic(x),
                              one(x, 50) ? NULL : &va,
                              one(x, 2) ? NULL : cq(x),
                              one(x, 2) ? NULL : cq(x),
                              one(x, 50) ? NULL : &h)) == VIP_SUCCESS &&
                h)
                x->vi[x->nv++] = h;
        }
        break;
    case 17: {
        VIP_VI_HANDLE h = vi(x);
        if (H(11, "VipDestroyVi", VipDestroyVi(h)) == VIP_SUCCESS)
            for (int k = 0; k < MAXT; k++)
                for (i = 0; i < t[k].nv; i++)
                    if (t[k].vi[i] == h)
                    {
                        t[k].vi[i] = t[k].vi[--t[k].nv];
                        bury(x, h);
                    }
        break;
    }
    case 18: {
        VIP_VI_STATE st;
        H(12,
          "VipQueryVi",
          VipQueryVi(vi(x),
                     one(x, 20) ? NULL : &st,
                     one(x, 20) ? NULL : &va,
                     one(x, 20) ? NULL : &b,
                     one(x, 20) ? NULL : &b2));
        break;
    }
    case 19:
        attrs(x, &va);
        H(13, "VipSetViAttributes", VipSetViAttributes(vi(x), one(x, 20) ? NULL : &va));
        break;
    case 20:
    case 21: {
        VIP_CONN_HANDLE k = 0;
        net(x, la, rank_, rank_ % (size_ > 1 ? size_ : 1));
        ((VIP_NET_ADDRESS*)la)->HostAddress[5] = (unsigned char)atoi(getenv("NODE_OF"));
        memset(out, 0, sizeof out);
        r = H(14,
              "VipConnectWait",
              VipConnectWait(nic(x),
                             one(x, 60) ? NULL : (VIP_NET_ADDRESS*)la,
                             wait_time(x),
                             one(x, 40) ? NULL : (VIP_NET_ADDRESS*)out,
                             one(x, 40) ? NULL : &va,
                             one(x, 60) ? NULL : &k));
        if (r == VIP_SUCCESS && k)
        {
            if (x->nk < 6)
                x->conn[x->nk++] = k;
            else
                VipConnectReject(k);
        }
        break;
    }
    case 22:
    case 23: {
        VIP_CONN_HANDLE k = PICK(x, x->conn, x->nk, 30);
        r = H(15, "VipConnectAccept", VipConnectAccept(k, vi(x)));
        if (x->nk && one(x, 4))
        {
        }
        if (r == VIP_SUCCESS || r == VIP_TIMEOUT)
            for (i = 0; i < x->nk; i++)
                if (x->conn[i] == k)
                {
                    x->conn[i] = x->conn[--x->nk];
                    bury(x, k);
                }
        break;
    }
    case 24: {
        VIP_CONN_HANDLE k = PICK(x, x->conn, x->nk, 30);
        r = H(16, "VipConnectReject", VipConnectReject(k));
        for (i = 0; i < x->nk; i++)
            if (x->conn[i] == k)
            {
                x->conn[i] = x->conn[--x->nk];
                bury(x, k);
            }
        break;
    }
    case 25:
    case 26:
    case 27:
        net(x, la, below(x, size_), atoi(getenv("NODE_OF")));
        {
            int w = below(x, size_);
            net(x, ra, w, w / atoi(getenv("PER")));
        }
        H(17,
          "VipConnectRequest",
          VipConnectRequest(vi(x),
                            one(x, 60) ? NULL : (VIP_NET_ADDRESS*)la,
                            one(x, 60) ? NULL : (VIP_NET_ADDRESS*)ra,
                            wait_time(x),
                            one(x, 20) ? NULL : &va));
        break;
    case 28:
        if (one(x, 4))
            H(18, "VipDisconnect", VipDisconnect(vi(x)));
        break;
    case 29:
    case 30: {
        int w = below(x, size_);
        net(x, la, 9, atoi(getenv("NODE_OF")));
        net(x, ra, 9, w / atoi(getenv("PER")));
        ((VIP_NET_ADDRESS*)la)->HostAddress[7] = ((VIP_NET_ADDRESS*)ra)->HostAddress[7] = 9;
        H(19,
          "VipConnectPeerRequest",
          VipConnectPeerRequest(vi(x), (VIP_NET_ADDRESS*)la, (VIP_NET_ADDRESS*)ra, wait_time(x)));
        break;
    }
    case 31:
        H(20, "VipConnectPeerDone", VipConnectPeerDone(vi(x), one(x, 20) ? NULL : &va));
        break;
    case 32:
        H(21, "VipConnectPeerWait", VipConnectPeerWait(vi(x), one(x, 20) ? NULL : &va));
        break;
    case 33:
    case 34:
    case 35:
    case 36:
    case 37:
    case 38:
        d = describe(x, 0, &mh);
        H(22, "VipPostSend", VipPostSend(vi(x), d, mh));
        break;
    case 39:
    case 40:
    case 41:
    case 42:
    case 43:
    case 44:
        d = describe(x, 1, &mh);
        H(23, "VipPostRecv", VipPostRecv(vi(x), d, mh));
        break;
    case 45:
    case 46:
    case 47:
        H(24, "VipSendDone", VipSendDone(vi(x), one(x, 50) ? NULL : &d));
        break;
    case 48:
    case 49:
    case 50:
        H(25, "VipRecvDone", VipRecvDone(vi(x), one(x, 50) ? NULL : &d));
        break;
    case 51:
        H(26, "VipSendWait", VipSendWait(vi(x), wait_time(x), one(x, 50) ? NULL : &d));
        break;
    case 52:
        H(27, "VipRecvWait", VipRecvWait(vi(x), wait_time(x), one(x, 50) ? NULL : &d));
        break;
    case 53:
        H(28, "VipSendNotify", VipSendNotify(vi(x), x, one(x, 20) ? NULL : on_vi));
        break;
    case 54:
        H(29, "VipRecvNotify", VipRecvNotify(vi(x), x, one(x, 20) ? NULL : on_vi));
        break;
    case 55:
        if (x->nc < 6)
        {
            VIP_CQ_HANDLE h = 0;
            static const unsigned long L[] = {0, 1, 2, 16, 1024, ~0ul, 1ul << 33};
            if (H(30,
                  "VipCreateCQ",
                  VipCreateCQ(nic(x), L[below(x, N(L))], one(x, 40) ? NULL : &h)) == VIP_SUCCESS &&
                h)
                x->cq[x->nc++] = h;
        }
        break;
    case 56: {
        VIP_CQ_HANDLE h = cq(x);
        if (H(31, "VipDestroyCQ", VipDestroyCQ(h)) == VIP_SUCCESS)
            for (int k = 0; k < MAXT; k++)
                for (i = 0; i < t[k].nc; i++)
                    if (t[k].cq[i] == h)
                    {
                        t[k].cq[i] = t[k].cq[--t[k].nc];
                        bury(x, h);
                    }
        break;
    }
    case 57: {
        static const unsigned long L[] = {0, 1, 4, 64, 4096, ~0ul};
        H(32, "VipResizeCQ", VipResizeCQ(cq(x), L[below(x, N(L))]));
        break;
    }
    case 58: {
        VIP_VI_HANDLE v;
        H(33, "VipCQDone", VipCQDone(cq(x), one(x, 50) ? NULL : &v, one(x, 50) ? NULL : &b));
        break;
    }
    case 59: {
        VIP_VI_HANDLE v;
        H(34,
          "VipCQWait",
          VipCQWait(cq(x), wait_time(x), one(x, 50) ? NULL : &v, one(x, 50) ? NULL : &b));
        break;
    }
    case 60:
        H(35, "VipCQNotify", VipCQNotify(cq(x), x, one(x, 20) ? NULL : on_cq));
        break;
    case 61: {
        VIP_NIC_HANDLE n = nic(x);
        switch (below(x, 6))
        {
        case 0:
            H(36, "VipNSInit", VipNSInit(n, one(x, 2) ? NULL : (void*)x));
            break;
        case 1:
            if (one(x, 5))
                H(37, "VipNSShutdown", VipNSShutdown(n));
            break;
        case 2:
        case 3: {
            static char* nm[] =
                {"n0", "n1", "n99999999999", "", "localhost", NULL, "n01", "n-1", "n 0", "n0x"};
            H(38,
              "VipNSGetHostByName",
              VipNSGetHostByName(n,
                                 nm[below(x, N(nm))],
                                 one(x, 20) ? NULL : (VIP_NET_ADDRESS*)out,
                                 (VIP_ULONG)(one(x, 5) ? rnd(x) : 0)));
            break;
        }
        case 4: {
            VIP_ULONG l = (VIP_ULONG)below(x, 10);
            net(x, la, 0, below(x, 5));
            if (((VIP_NET_ADDRESS*)la)->HostAddressLen > 60 && !getenv("D1"))
                ((VIP_NET_ADDRESS*)la)->HostAddressLen = 60;
            memset(out, 0x5a, sizeof out);
            H(39,
              "VipNSGetHostByAddr",
              VipNSGetHostByAddr(n,
                                 (VIP_NET_ADDRESS*)la,
                                 one(x, 20) ? NULL : (char*)out + 8,
                                 one(x, 20) ? NULL : &l));
            if (out[7] != 0x5a || out[8 + 10] != 0x5a)
                fail("name overflow", (long)l, 0);
            break;
        }
        default: {
            VIP_AUTODISCOVERY_LIST al;
            H(43,
              "VipQuerySMI",
              VipQuerySystemManagementInfo(n,
                                           (VIP_ULONG)(one(x, 4) ? rnd(x) : 1),
                                           one(x, 20) ? NULL : &al));
        }
        }
        break;
    }
    case 62: {
        VIP_EVENT_HANDLE e = one(x, 2) ? NULL : junk(x);
        VIP_CQ_HANDLE c = cq(x);
        switch (below(x, 3))
        {
        case 0:
            H(44, "VipAddTagCQ", VipAddTagCQ(c, one(x, 30) ? NULL : &e, (VIP_ULONG)below(x, 4), 0));
            break;
        case 1:
            H(45, "VipRemoveTagCQ", VipRemoveTagCQ(c, e, (VIP_ULONG)below(x, 4)));
            break;
        default:
            H(46,
              "VipPostDeferredSends",
              VipPostDeferredSends(vi(x), one(x, 2), one(x, 20) ? NULL : &b));
        }
        break;
    }
    default:
        if (one(x, 8))
        {
            VipSetUserData(vi(x), x);
            H(47, "VipGet/SetUserData", VipGetUserData(vi(x)) ? 0 : 1);
        }
        else if (one(x, 20))
            H(48, "VipErrorCallback", VipErrorCallback(nic(x), x, one(x, 10) ? NULL : on_error));
        else if (one(x, 3))
            learn(x);
        else
            usleep((unsigned)below(x, 300));
    }
}

static void*
loop(void* a)
{
    T* x = a;
    long k = 0;
    while (done_ < calls_left)
    {
        step(x);
        if (++k % 64 == 0)
            check_slots(x, k % 1024 == 0);
    }
    return NULL;
}

int
main(int argc, char** argv)
{
    u64 seed = argc > 1 ? strtoull(argv[1], 0, 0) : 1;
    calls_left = argc > 2 ? atol(argv[2]) : 10000;
    int nt = argc > 3 ? atoi(argv[3]) : 2;
    mode = argc > 4 ? atoi(argv[4]) : -1;
    rank_ = atoi(getenv("VIA_RANK"));
    size_ = atoi(getenv("VIA_SIZE"));
    if (getenv("WILD"))
        wild = atoi(getenv("WILD"));
    inf_ = getenv("INF") != 0;
    char nb[16];
    snprintf(nb, sizeof nb, "%d", rank_ / atoi(getenv("PER")));
    setenv("NODE_OF", nb, 1);
    for (int i = 0; i < MAXT; i++)
    {
        T* x = &t[i];
        x->id = i;
        x->s = seed * 1000003 + rank_ * 101 + i;
        long n = (long)NS * (SLOT + 2 * GAP);
        x->arena = aligned_alloc(4096, (n + 4095) / 4096 * 4096);
        x->copy = malloc(n);
        for (long o = 0; o < n; o++)
            x->arena[o] = pat(x, o);
        memcpy(x->copy, x->arena, n);
    }
    pthread_t p[MAXT];
    for (int i = 1; i < nt; i++)
        pthread_create(&p[i], 0, loop, &t[i]);
    loop(&t[0]);
    for (int i = 0; i < nt; i++)
        check_slots(&t[i], 1);
    printf("RANK %d calls %ld handlers %ld bad %ld\n", rank_, done_, handler_calls, bad);
    if (getenv("HIST"))
        for (int k = 0; k < 64; k++)
            if (names[k])
            {
                printf("  %-24s", names[k]);
                for (int c = 0; c < 18; c++)
                    if (hist[k][c])
                        printf(" %d:%ld", c, hist[k][c]);
                printf("\n");
            }
    fflush(stdout);
    return bad ? 7 : 0;
}
