/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL: two processes of one node share a NIC, and their tags keep them apart.

#include "support/via-test-vipl-bench.h"

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

enum class Op
{
    SEND,    ///< the sender's segment is wrong
    RECEIVE, ///< the receiver's segment is wrong
    WRITE,   ///< the target of an RDMA write is wrong
    READ,    ///< the target of an RDMA read is wrong
};

enum class Fault
{
    TAG,      ///< a region of another tag of the same process
    PROCESS,  ///< a region of the other process, with its own good handle
    RANGE,    ///< one byte past the region
    HANDLE,   ///< a handle that is no longer one
    DISABLED, ///< a region without RDMA enables: no matter for sends and receives
};

constexpr VIP_UINT32 SIZE = 100;
constexpr std::int64_t SOURCE = 0;    ///< of what is sent or written
constexpr std::int64_t TARGET = 5000; ///< elsewhere
constexpr std::int64_t SINK = 9000;   ///< of what is read
constexpr Ps STEP = 50 * PS_PER_MS;

/// One of the two processes, with regions that are wrong in one way each.
struct Tenant
{
    Party party;
    VIP_VI_HANDLE initiator{nullptr};
    VIP_VI_HANDLE target{nullptr};
    VIP_MEM_HANDLE tagged{0};
    VIP_MEM_HANDLE closed{0};
    VIP_MEM_HANDLE stale{0};

    void Open(const Setup& setup)
    {
        party.Open(setup);
        VIP_MEM_ATTRIBUTES other{nullptr, VIP_TRUE, VIP_TRUE};
        VIP_MEM_ATTRIBUTES none{party.tag, VIP_FALSE, VIP_FALSE};
        BOOST_TEST(VipCreatePtag(party.nic, &other.Ptag) == VIP_SUCCESS);
        VipRegisterMem(party.nic, party.At(0), Party::REGION, &other, &tagged);
        VipRegisterMem(party.nic, party.At(0), Party::REGION, &none, &closed);
        party.Register(party.At(0), Party::REGION, &stale);
        VipDeregisterMem(party.nic, party.At(0), stale);
    }

    /// A piece that the VIs of this process may not use, at @p at where the fault allows it.
    Extent Wrong(Fault fault, std::int64_t at, Tenant& other)
    {
        switch (fault)
        {
        case Fault::TAG:
            return {party.At(at), SIZE, tagged};
        case Fault::PROCESS:
            return other.party.At(at, SIZE);
        case Fault::RANGE:
            return party.At(Party::REGION - SIZE + 1, SIZE);
        case Fault::HANDLE:
            return {party.At(at), SIZE, stale};
        default:
            return {party.At(at), SIZE, closed};
        }
    }
};

/// One combination: @p from has a VI that is connected with one of @p to.
struct Trial
{
    int from;
    int to;
    Op op;
    Fault fault;
    VIP_USHORT level;
};

/// Makes a VI and asks for the other end, whose process may be this one.
VIP_VI_HANDLE
Ask(Party& self, const char* mine, const char* theirs)
{
    const VIP_VI_HANDLE vi = self.CreateVi();
    BOOST_TEST(VipConnectPeerRequest(vi, Address(0, mine), Address(0, theirs), 1000) ==
               VIP_SUCCESS);
    return vi;
}

void
AwaitConnection(VIP_VI_HANDLE vi)
{
    VIP_VI_ATTRIBUTES attributes;
    BOOST_TEST((vi == nullptr || VipConnectPeerWait(vi, &attributes) == VIP_SUCCESS));
}

VIP_UINT32
StatusOf(VIP_VI_HANDLE vi, bool receive)
{
    VIP_DESCRIPTOR* taken = nullptr;
    (receive ? VipRecvWait : VipSendWait)(vi, 10, &taken);
    return taken == nullptr ? 0 : taken->CS.Status;
}

/// What the initiator's descriptor says.
VIP_UINT32
Expected(const Trial& trial)
{
    const bool told = trial.level == VIP_SERVICE_RELIABLE_RECEPTION;
    switch (trial.op)
    {
    case Op::SEND:
        return SENT | VIP_STATUS_PROTECTION_ERROR;
    case Op::RECEIVE:
        return SENT | (told ? VIP_STATUS_REMOTE_DESC_ERROR : 0);
    case Op::WRITE:
        return WROTE | (told ? VIP_STATUS_RDMA_PROT_ERROR : 0);
    default:
        return READ | VIP_STATUS_RDMA_PROT_ERROR;
    }
}

VIP_DESCRIPTOR*
Attempt(const Trial& trial, Tenant (&both)[2])
{
    Tenant& self = both[trial.from];
    Party& party = self.party;
    const Extent source = party.At(SOURCE, SIZE);
    const Extent there = both[trial.to].Wrong(trial.fault, TARGET, both[1 - trial.to]);
    switch (trial.op)
    {
    case Op::SEND:
        return party.Make({self.Wrong(trial.fault, SOURCE, both[1 - trial.from])});
    case Op::RECEIVE:
        return party.Make({source});
    case Op::WRITE:
        return party.Write(there, {source});
    default:
        return party.Read(there, {party.At(SINK, SIZE)});
    }
}

/// No byte of either process differs from what it wrote itself.
void
ExpectIntact(Tenant (&both)[2], int from)
{
    for (int i = 0; i < 2; ++i)
    {
        Party& party = both[i].party;
        const std::int64_t guard = Party::GUARD;
        BOOST_TEST(party.Untouched(-guard, Party::GUARD));
        BOOST_TEST((i == from ? party.Holds(SOURCE, SIZE, 1) : party.Untouched(SOURCE, SIZE)));
        BOOST_TEST(party.Untouched(SIZE, Party::REGION + Party::GUARD - SIZE));
    }
}

void
ActAsInitiator(const Trial& trial, Tenant (&both)[2])
{
    Tenant& self = both[trial.from];
    const VIP_VI_HANDLE vi = self.initiator;
    self.party.Fill(SOURCE, SIZE, 1);
    VipPostSend(vi, Attempt(trial, both), self.party.pool);
    BOOST_TEST(StatusOf(vi, false) == Expected(trial));
    Pause(STEP);
    ExpectIntact(both, trial.from);
}

void
CheckTarget(const Trial& trial, Tenant& self, VIP_DESCRIPTOR* receive)
{
    const std::string errors = self.party.Errors();
    if (trial.op == Op::RECEIVE)
    {
        BOOST_TEST(StatusOf(self.target, true) == (RECEIVED | VIP_STATUS_PROTECTION_ERROR));
        BOOST_TEST(receive->CS.Length == 0u);
    }
    BOOST_TEST((errors.find("RDMAW_PROT") != std::string::npos) == (trial.op == Op::WRITE));
    BOOST_TEST((errors.find("RDMAR_PROT") != std::string::npos) == (trial.op == Op::READ));
    BOOST_TEST((errors.find("CONN_LOST") != std::string::npos)); // the level is a reliable one
}

void
RunOne(const Trial& trial)
{
    BOOST_TEST_INFO_SCOPE("operation " << static_cast<int>(trial.op) << ", fault "
                                       << static_cast<int>(trial.fault) << ", level "
                                       << trial.level);
    Tenant both[2];
    Setup setup;
    setup.level = trial.level;
    setup.rdmaRead = true;
    const auto body = [&](int i) {
        Tenant& self = both[i];
        self.Open(setup);
        self.initiator = i == trial.from ? Ask(self.party, "from", "to") : nullptr;
        self.target = i == trial.to ? Ask(self.party, "to", "from") : nullptr;
        AwaitConnection(self.initiator);
        AwaitConnection(self.target);
        VIP_DESCRIPTOR* receive = nullptr;
        if (i == trial.to)
        {
            const bool wrong = trial.op == Op::RECEIVE;
            receive = self.party.Make({wrong ? self.Wrong(trial.fault, TARGET, both[1 - i])
                                             : self.party.At(TARGET, SIZE)});
            VipPostRecv(self.target, receive, self.party.pool);
        }
        FiberProcess::Current()->SleepUntil(4 * STEP);
        if (i == trial.from)
        {
            ActAsInitiator(trial, both);
        }
        FiberProcess::Current()->SleepUntil(8 * STEP);
        if (i == trial.to)
        {
            CheckTarget(trial, self, receive);
        }
        return 0;
    };
    ClusterConfig config = TestConfig();
    config.overrides["nic.rdma_read"] = "1";
    config.overrides["nic.reliability"] = "unreliable, reliable-delivery, reliable-reception";
    Cluster cluster(config);
    cluster.AddProcess(0, [&] { return body(0); });
    cluster.AddProcess(0, [&] { return body(1); });
    BOOST_TEST((cluster.Run().exit == RunExit::SUCCESS));
}

/// Everything that must be refused between @p from and @p to.
void
ExpectApart(int from, int to)
{
    for (const VIP_USHORT level : {VIP_SERVICE_RELIABLE_DELIVERY, VIP_SERVICE_RELIABLE_RECEPTION})
    {
        for (const Fault fault : {Fault::TAG, Fault::PROCESS, Fault::RANGE, Fault::HANDLE})
        {
            for (const Op op : {Op::SEND, Op::RECEIVE, Op::WRITE, Op::READ})
            {
                RunOne({from, to, op, fault, level});
            }
        }
        RunOne({from, to, Op::WRITE, Fault::DISABLED, level});
        RunOne({from, to, Op::READ, Fault::DISABLED, level});
    }
}

} // namespace

BOOST_AUTO_TEST_SUITE(vipl_two_processes)

BOOST_AUTO_TEST_CASE(TheFirstStaysInsideItsOwnMemory)
{
    ExpectApart(0, 0);
}

BOOST_AUTO_TEST_CASE(TheFirstReachesTheSecondOnlyWhereItMay)
{
    ExpectApart(0, 1);
}

BOOST_AUTO_TEST_CASE(TheSecondReachesTheFirstOnlyWhereItMay)
{
    ExpectApart(1, 0);
}

BOOST_AUTO_TEST_CASE(TheSecondStaysInsideItsOwnMemory)
{
    ExpectApart(1, 1);
}

BOOST_AUTO_TEST_SUITE_END()
