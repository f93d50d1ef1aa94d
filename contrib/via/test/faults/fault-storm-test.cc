/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Storms of faults over random topologies and programs: what must hold whatever happens.

#include "../fuzz/via-fuzz-random.h"
#include "../support/via-test-cluster-bench.h"
#include "../support/via-test-vipl-bench.h"

#include <deque>
#include <sstream>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

constexpr Ps STORM_END = 60 * PS_PER_MS;
constexpr Ps PROGRAMS_END = 80 * PS_PER_MS;
constexpr VIP_ULONG A_WHILE_MS = 3;
constexpr int MOST_MESSAGES = 12;

/// What one seed makes.
struct Weather
{
    ClusterConfig config;
    std::string shown;
};

Storm
DrawStorm(FuzzRandom& random, FaultKind kind)
{
    Storm storm;
    storm.what.kind = kind;
    storm.what.when = {0, STORM_END};
    storm.perSecond = 5 + random.Below(40);
    storm.least = 1 + static_cast<Ps>(random.Below(10 * PS_PER_US));
    storm.most = storm.least + static_cast<Ps>(random.Below(8 * PS_PER_MS));
    storm.what.loss = {random.Below(100'000'000),
                       random.Below(100'000'000),
                       random.Below(100'000'000'000)};
    storm.what.num = 1 + static_cast<std::uint32_t>(random.Below(5));
    storm.what.restart = kind == FaultKind::NODE_CRASH && random.OneIn(2);
    return storm;
}

Weather
Draw(std::uint64_t seed)
{
    FuzzRandom random(seed);
    Weather weather;
    ClusterConfig& config = weather.config;
    const std::string topology =
        random.Of({"star", "crossbar", "back-to-back", "fat-tree:k=2,n=3", "fat-tree:k=3,n=2"});
    const auto nodes =
        static_cast<std::uint32_t>(topology == "back-to-back" ? 2 : 2 + random.Below(6));
    config = Config(topology, nodes, seed);
    config.reference = random.OneIn(8);
    std::ostringstream shown;
    shown << "seed " << seed << ": " << topology << ", " << nodes << " nodes"
          << (config.reference ? ", reference" : "");
    for (std::uint32_t i = 0; i < FAULT_KINDS; ++i)
    {
        const auto kind = static_cast<FaultKind>(i);
        const bool isNone = kind == FaultKind::SWITCH_DOWN && topology == "back-to-back";
        const bool isLast = i + 1 == FAULT_KINDS && config.plan.IsEmpty();
        if (isLast || (random.OneIn(3) && !isNone))
        {
            config.plan.storms.push_back(DrawStorm(random, kind));
            shown << ", " << FaultKindName(kind);
        }
    }
    weather.shown = shown.str();
    return weather;
}

/// A process that talks to its neighbour as long as it lasts, whatever happens.
class Talker
{
  public:
    Talker(std::uint32_t node, std::uint32_t nodes, std::uint64_t seed)
        : m_node(node),
          m_nodes(nodes),
          m_random(seed)
    {
    }

    void Run()
    {
        m_parties.emplace_back(); // outlives the process, which may be killed
        Party& self = m_parties.back();
        Setup setup;
        // the neighbours must agree, and all of them are neighbours
        setup.level = m_random.Of({VIP_SERVICE_UNRELIABLE,
                                   VIP_SERVICE_RELIABLE_DELIVERY,
                                   VIP_SERVICE_RELIABLE_RECEPTION});
        self.Open(setup);
        while (Now() < PROGRAMS_END)
        {
            const bool connected = m_node % 2 == 0 ? Call(self) : Answer(self);
            if (connected)
            {
                Talk(self);
            }
            VipDisconnect(self.vi);
            Drain(self);
        }
    }

  private:
    bool Call(Party& self)
    {
        const std::uint32_t there = (m_node + 1) % m_nodes;
        Address local(m_node, "talk");
        Address remote(there, "talk");
        VIP_VI_ATTRIBUTES attributes;
        const VIP_RETURN result =
            VipConnectRequest(self.vi, local, remote, A_WHILE_MS, &attributes);
        if (result != VIP_SUCCESS)
        {
            Pause(PS_PER_MS);
        }
        return result == VIP_SUCCESS;
    }

    bool Answer(Party& self)
    {
        Address local(m_node, "talk");
        Address remote(0);
        VIP_VI_ATTRIBUTES attributes;
        VIP_CONN_HANDLE connection = nullptr;
        if (VipConnectWait(self.nic, local, A_WHILE_MS, remote, &attributes, &connection) !=
            VIP_SUCCESS)
        {
            return false;
        }
        if (VipConnectAccept(connection, self.vi) == VIP_SUCCESS)
        {
            return true;
        }
        VipConnectReject(connection);
        return false;
    }

    void Talk(Party& self)
    {
        for (int i = 0; i < MOST_MESSAGES && Now() < PROGRAMS_END; ++i)
        {
            const auto length = static_cast<VIP_UINT32>(m_random.Below(6000));
            self.Receive(self.Make({self.At(0, 8192)}));
            self.Send(self.Make({self.At(8192, length)}));
            VIP_DESCRIPTOR* done = nullptr;
            VipSendWait(self.vi, A_WHILE_MS, &done);
            VipRecvWait(self.vi, A_WHILE_MS, &done);
            if (self.State() != VIP_STATE_CONNECTED)
            {
                return;
            }
        }
    }

    static void Drain(Party& self)
    {
        VIP_DESCRIPTOR* done = nullptr;
        do
        {
            VipSendDone(self.vi, &done);
        } while (done != nullptr);
        do
        {
            VipRecvDone(self.vi, &done);
        } while (done != nullptr);
    }

    std::uint32_t m_node;
    std::uint32_t m_nodes;
    FuzzRandom m_random;
    std::deque<Party> m_parties;
};

WorkloadRun
Weathered(const Weather& weather)
{
    std::deque<Talker> talkers;
    Cluster cluster(weather.config);
    for (std::uint32_t node = 0; node < weather.config.nodes; ++node)
    {
        talkers.emplace_back(node, weather.config.nodes, weather.config.seed);
        cluster.AddProcess(node, [&talkers, node] {
            talkers[node].Run();
            return 0;
        });
    }
    return Finish(cluster);
}

void
CheckWeathered(std::uint64_t seed, std::uint64_t& struck)
{
    const Weather weather = Draw(seed);
    const WorkloadRun run = Weathered(weather);
    BOOST_TEST_MESSAGE(weather.shown << ": " << run.report.messages << " messages, "
                                     << run.report.faults.size() << " faults, "
                                     << run.report.cellsLost << " cells lost, "
                                     << run.report.cellsCorrupt << " damaged");
    BOOST_TEST(run.cellsMissing == 0U, weather.shown);
    BOOST_TEST(run.cellsIntoSwitches == run.cellsOutOfSwitches, weather.shown);
    BOOST_TEST(run.unacknowledged == 0U, weather.shown);
    BOOST_TEST(run.packetsAlive == 0U, weather.shown);
    BOOST_TEST((run.report.exit != RunExit::DEADLOCK), weather.shown);
    for (const ProcessReport& process : run.report.processes)
    {
        BOOST_TEST((process.exit == 0 || !process.report.empty()), weather.shown);
    }
    struck += run.report.cellsLost + run.report.cellsCorrupt > 0 ? 1 : 0;
    BOOST_TEST(Weathered(weather).report.digest == run.report.digest, weather.shown);
}

void
CheckAll(std::uint64_t first, std::uint64_t count)
{
    std::uint64_t struck = 0;
    for (std::uint64_t seed = first; seed < first + count; ++seed)
    {
        CheckWeathered(seed, struck);
    }
    BOOST_TEST(struck > count / 4);
}

} // namespace

BOOST_AUTO_TEST_SUITE(FaultStormTest)

BOOST_AUTO_TEST_CASE(AFewStorms)
{
    CheckAll(1, 40);
}

BOOST_AUTO_TEST_CASE(SomeStorms, *boost::unit_test::label("ci"))
{
    CheckAll(1000, 400);
}

BOOST_AUTO_TEST_CASE(ManyStorms, *boost::unit_test::label("night"))
{
    CheckAll(10000, 10000);
}

BOOST_AUTO_TEST_CASE(AnotherSeedIsAnotherStorm)
{
    Weather weather = Draw(3);
    weather.config.plan.storms = {Storm{}};
    Storm& storm = weather.config.plan.storms.front();
    storm.what.kind = FaultKind::LINK_DOWN;
    storm.what.when = {0, STORM_END};
    storm.perSecond = 100;
    storm.least = PS_PER_US;
    storm.most = PS_PER_MS;
    const std::string first = Weathered(weather).report.digest;
    ++weather.config.seed;
    BOOST_TEST(Weathered(weather).report.digest != first);
}

BOOST_AUTO_TEST_SUITE_END()
