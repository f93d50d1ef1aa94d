/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A planted bug in each protocol, and the checker that finds it.

#include "../support/via-test-planted-bug.h"

#include "ns3/via-all-to-all.h"
#include "ns3/via-atomic-commit.h"
#include "ns3/via-barriers.h"
#include "ns3/via-collectives.h"
#include "ns3/via-gossip.h"
#include "ns3/via-locks.h"
#include "ns3/via-replication.h"
#include "ns3/via-total-order.h"

#include <boost/test/unit_test.hpp>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// Goes on when one process has come.
struct HastyBarrier : DisseminationBarrier
{
    void OnMessage(Rank, const BarrierMessage&) override
    {
        GoOn();
    }

    MessageWindow Flow() const override
    {
        return {64, true};
    }
};

/// Releases all when one is missing.
struct MiscountingBarrier : CentralBarrier
{
    void Count() override
    {
        m_come += Self() == 0 && m_come == 0 ? 1 : 0;
        CentralBarrier::Count();
    }

    MessageWindow Flow() const override
    {
        return {64, true};
    }
};

/// Counts each child twice.
struct DoubleBarrier : TreeBarrier
{
    using TreeBarrier::TreeBarrier;

    void OnMessage(Rank from, const BarrierMessage& message) override
    {
        TreeBarrier::OnMessage(from, message);
        if (from > Self())
        {
            TreeBarrier::OnMessage(from, message);
        }
    }

    MessageWindow Flow() const override
    {
        return {64, true};
    }
};

/// Does not wait for its card.
struct HastyNicBarrier : NicBarrierProtocol
{
    void Arrive() override
    {
        if (Self() == 2 && Round() > 0)
        {
            SetTimer(0, 1);
        }
        else
        {
            NicBarrierProtocol::Arrive();
        }
    }

    void OnTimer(TimerId) override
    {
        GoOn();
    }
};

struct GarblingBroadcast : Broadcast
{
    std::uint64_t OnDown(std::uint64_t value) override
    {
        return Broadcast::OnDown(value + (Self() == 2 ? 1 : 0));
    }
};

struct ForgetfulReduce : Reduce
{
    std::uint64_t OnDown(std::uint64_t value) override
    {
        const std::uint64_t own = Reduce::OnDown(value);
        return Self() == 1 ? 0 : own;
    }
};

struct MaximumAllReduce : AllReduce
{
    std::uint64_t Combine(std::uint64_t a, std::uint64_t b) const override
    {
        return std::max(a, b);
    }
};

struct GarblingAllGather : AllGather
{
    void OnMessage(Rank from, const CollectiveMessage& message) override
    {
        AllGather::OnMessage(from, {message.round, message.value + (Self() == 1 ? 1 : 0)});
    }
};

/// Sends everybody the block of process 0.
struct MisaddressedAllToAll : AllToAll
{
    std::uint64_t Address(Rank) const override
    {
        return 0;
    }
};

/// Commits by majority.
template <class P>
struct MajorityCommit : P
{
    using P::P;

    std::uint32_t Judge(Rank yes) const override
    {
        return yes >= MajorityOf(P::Size()) ? 1 : 0;
    }
};

/// One process delivers each second message before the first.
template <class P>
struct SwappingOrder : P
{
    using P::P;

    void Receive(std::uint64_t position, std::uint64_t value) override
    {
        P::Receive(P::Self() == 2 ? position ^ 1 : position, value);
    }
};

/// Answers and forgets.
struct ForgetfulServer : RequestReply
{
    void OnServer(Rank, const ServiceMessage& message) override
    {
        Reply(message);
    }
};

struct HastyPrimary : PrimaryBackup
{
    Rank Backups() const override
    {
        return 0;
    }
};

/// The second server passes on, and keeps nothing.
struct BrokenChain : ChainReplication
{
    void OnServer(Rank from, const ServiceMessage& message) override
    {
        if (Self() == 1)
        {
            Send(2, message);
        }
        else
        {
            ChainReplication::OnServer(from, message);
        }
    }
};

struct GenerousServer : LockServer
{
    using LockServer::LockServer;

    bool IsFree() const override
    {
        return true;
    }
};

struct PoliteAgrawala : RicartAgrawala
{
    using RicartAgrawala::RicartAgrawala;

    bool IsFirst(Rank, std::uint64_t) const override
    {
        return false;
    }
};

struct GarblingGossip : Gossip
{
    using Gossip::Gossip;

    std::uint64_t PassOn(std::uint64_t value) const override
    {
        return value + (Self() == 1 ? 1 : 0);
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(ProtocolPlantedBugTest)

BOOST_AUTO_TEST_CASE(ABarrierThatIsLeftEarlyIsFound)
{
    BOOST_TEST(Begins(Found<HastyBarrier>("barrier", LATE), "barrier "));
    BOOST_TEST(Begins(Found<MiscountingBarrier>("central-barrier", LATE), "barrier "));
    BOOST_TEST(Begins(Found<DoubleBarrier>("tree-barrier", LATE), "barrier "));
    BOOST_TEST(Begins(Found<HastyNicBarrier>("nic-barrier", LATE), "barrier "));
}

BOOST_AUTO_TEST_CASE(AWrongResultOfACollectiveIsFound)
{
    BOOST_TEST(Begins(Found<GarblingBroadcast>("broadcast"), "agreement: "));
    BOOST_TEST(Begins(Found<ForgetfulReduce>("reduce"), "round "));
    BOOST_TEST(Begins(Found<MaximumAllReduce>("all-reduce"), "round "));
    BOOST_TEST(Begins(Found<GarblingAllGather>("all-gather"), "agreement: "));
    BOOST_TEST(Begins(Found<MisaddressedAllToAll>("all-to-all"), "agreement: "));
}

BOOST_AUTO_TEST_CASE(ACommitAgainstAVoteIsFound)
{
    const Parameters votes = {{"abort-percent", "20"}};
    using Two = MajorityCommit<TwoPhaseCommit>;
    using Three = MajorityCommit<ThreePhaseCommit>;
    BOOST_TEST(!Found<Two>("two-phase-commit", votes).empty());
    BOOST_TEST(!Found<Three>("three-phase-commit", votes).empty());
}

BOOST_AUTO_TEST_CASE(AnotherOrderAtOneProcessIsFound)
{
    BOOST_TEST(Begins(Found<SwappingOrder<Sequencer>>("sequencer"), "total order: "));
    BOOST_TEST(Begins(Found<SwappingOrder<TokenRing>>("token-ring"), "total order: "));
}

BOOST_AUTO_TEST_CASE(AReplyThatIsNotKeptIsFound)
{
    BOOST_TEST(Begins(Found<ForgetfulServer>("request-reply"), "client "));
    BOOST_TEST(Begins(Found<HastyPrimary>("primary-backup", LATE), "client "));
    BOOST_TEST(Begins(Found<BrokenChain>("chain-replication"), "client "));
}

BOOST_AUTO_TEST_CASE(TwoHoldersOfALockAreFound)
{
    BOOST_TEST(Begins(Found<GenerousServer>("lock-server"), "lock "));
    BOOST_TEST(Begins(Found<PoliteAgrawala>("ricart-agrawala"), "lock "));
}

BOOST_AUTO_TEST_CASE(ARumourThatChangesIsFound)
{
    BOOST_TEST(Begins(Found<GarblingGossip>("gossip"), "agreement: "));
}

BOOST_AUTO_TEST_SUITE_END()
