/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A message alone through h switches of any topology: its latency is the closed form, to the ps.

#include "../support/via-test-cluster-bench.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <memory>
#include <utility>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

constexpr std::uint32_t UPLINK_CLOCK = 3; // of a host; a switch's wire p has clock p + 1

/// Bytes on a wire without a gap between them.
struct CellTrain
{
    Ps start;
    Ps end;
    std::uint64_t cycles;
};

bool
operator==(const CellTrain& a, const CellTrain& b)
{
    return a.start == b.start && a.end == b.end && a.cycles == b.cycles;
}

/// A switch on the way: its clock and that of the wire behind it.
struct Hop
{
    ComponentId id;
    Ps flight; ///< over the cable before it
    ClockDomain crossbar;
    ClockDomain wire;
};

/// Time over the cable that ends at @p end.
Ps
FlightTo(const Cluster& cluster, const Endpoint& end)
{
    const auto isIt = [&end](const Endpoint& one) {
        return one.isSwitch == end.isSwitch && one.index == end.index && one.port == end.port;
    };
    const std::vector<Cable>& cables = cluster.GetTopology().cables;
    const auto cable = std::find_if(cables.begin(), cables.end(), [&isIt](const Cable& one) {
        return isIt(one.a) || isIt(one.b);
    });
    const ProviderProfile& profile = cluster.Profile();
    const std::uint64_t length =
        cable->wire.lengthMm > 0 ? cable->wire.lengthMm : profile.Number("link.cable_length_mm");
    return static_cast<Ps>(length * profile.Number("link.propagation_ps_per_m") / 1000);
}

/// Two hosts as far apart as the topology allows, and the way between them.
class Way
{
  public:
    explicit Way(Cluster& cluster)
        : m_costs(SwitchCosts::From(cluster.Profile())),
          m_link(LinkCosts::From(cluster.Profile()))
    {
        const Topology& topology = cluster.GetTopology();
        std::uint32_t hops = 0;
        for (std::uint32_t host = 1; host < topology.hosts; ++host)
        {
            const std::uint32_t more = topology.Hops(0, host);
            m_to = more > hops ? host : m_to;
            hops = std::max(hops, more);
        }
        const Adjacency graph(topology);
        for (Endpoint at = graph.hosts[0]; at.isSwitch;)
        {
            const std::uint32_t port = topology.switches[at.index].table.To(m_to).port;
            const Component& one = *cluster.GetFabric().Switches()[at.index];
            m_hops.push_back({one.Id(),
                              FlightTo(cluster, at),
                              one.MakeClock(m_costs.clock, 0),
                              one.MakeClock(m_link.byteClock, port + 1)});
            at = graph.switches[at.index][port];
        }
        m_lastFlight = FlightTo(cluster, {false, m_to, 0});
        BOOST_TEST(m_hops.size() == hops);
    }

    std::uint32_t To() const
    {
        return m_to;
    }

    const std::vector<Hop>& Hops() const
    {
        return m_hops;
    }

    /// What leaves a switch, of what has left the sender of the wire before it.
    std::vector<CellTrain> Through(const Hop& hop, const std::vector<CellTrain>& before) const
    {
        std::vector<CellTrain> after;
        Ps free = 0;
        Ps delay = 0;
        for (const CellTrain& piece : before)
        {
            const bool whole = m_costs.notice == Notice::LAST_BIT;
            const Ps noticed = (whole ? piece.end : piece.start) + hop.flight;
            if (after.empty()) // the head pays, the others follow on its path
            {
                delay = hop.crossbar.Run(noticed, m_costs.latency).end - noticed;
            }
            const Ps start = hop.wire.EdgeAtOrAfter(std::max(noticed + delay, free));
            free = hop.wire.After(start, Cycles(piece.cycles));
            after.push_back({start, free, piece.cycles});
        }
        return after;
    }

    Ps LastFlight() const
    {
        return m_lastFlight;
    }

  private:
    SwitchCosts m_costs;
    LinkCosts m_link;
    std::uint32_t m_to{0};
    Ps m_lastFlight{0};
    std::vector<Hop> m_hops;
};

/// What a component's wires carried before @p until.
std::vector<CellTrain>
Serialized(const std::vector<Span>& spans, ComponentId component, Ps until)
{
    std::vector<CellTrain> pieces;
    for (const Span& span : spans)
    {
        if (span.component == component && span.stage == Stage::SERIALIZE && span.start < until)
        {
            pieces.push_back({span.start, span.end, span.cycles});
        }
    }
    return pieces;
}

/// Where the critical path of the first message leaves the wires: the end of its last flight.
Ps
Landed(const Cluster& cluster)
{
    Ps landed = 0;
    for (const BreakdownRow& row : cluster.Breakdown())
    {
        if (row.message == "0.0.0" && row.stage == "propagate")
        {
            landed = std::max(landed, row.end);
        }
    }
    return landed;
}

/// One round of ping-pong with the farthest host; each switch on the way is predicted from the
/// wire before it, by the profile's numbers and the clocks' phases alone.
void
CheckLatency(const ClusterConfig& config, std::uint32_t size)
{
    Cluster cluster(config);
    const Way way(cluster);
    const ViplCosts costs = ViplCosts::From(cluster.Profile());
    WorkloadContext context;
    context.nics = {&cluster.NicAt(0), &cluster.NicAt(way.To())};
    context.limits = cluster.NicAt(0).Limits();
    context.costs = &costs;
    const std::map<std::string, std::string> parameters = {{"size", std::to_string(size)},
                                                           {"rounds", "1"}};
    const auto workload = MakeWorkload("ping-pong", parameters, context);
    workload->Start();
    cluster.Run();
    const std::vector<Span> spans = cluster.GetWorld().spans.Unpack();
    const Ps end = cluster.Messages()[0].end;
    std::vector<CellTrain> pieces = Serialized(spans, 0, end);
    BOOST_TEST(!pieces.empty());
    for (const Hop& hop : way.Hops())
    {
        pieces = way.Through(hop, pieces);
        const std::vector<CellTrain> seen = Serialized(spans, hop.id, end);
        for (const CellTrain& piece : pieces)
        {
            BOOST_TEST((std::find(seen.begin(), seen.end(), piece) != seen.end()),
                       "no " << piece.start << " to " << piece.end << " ps");
        }
    }
    if (size <= 4) // one cell, on the critical path as a whole
    {
        BOOST_TEST(Landed(cluster) == pieces[0].end + way.LastFlight());
    }
}

const std::vector<std::pair<std::string, std::uint32_t>> TOPOLOGIES{
    {"star", 2},
    {"star", 70},
    {"crossbar", 3},
    {"chain", 5},
    {"ring", 7},
    {"mesh:3x3", 9},
    {"torus:4x4", 16},
    {"torus:3x3x3,hosts=2", 54},
    {"hypercube:5", 32},
    {"fat-tree:k=2,n=4", 16},
    {"clos:m=3,n=2,r=4", 8},
    {"dragonfly:a=4,p=2,h=2", 72},
    {"torus:4x4,routing=up-down", 16}};

} // namespace

BOOST_AUTO_TEST_SUITE(HopLatencyTest)

BOOST_AUTO_TEST_CASE(CellsThroughEveryTopologyTakeTheClosedForm)
{
    for (const auto& [topology, nodes] : TOPOLOGIES)
    {
        for (const std::uint32_t size : {0U, 4U, 49U, 10000U})
        {
            BOOST_TEST_CONTEXT(topology << ", " << size << " bytes")
            {
                CheckLatency(Recorded(topology, nodes, size + 1), size);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(PacketsThroughEveryTopologyTakeTheClosedForm)
{
    for (const auto& [topology, nodes] : TOPOLOGIES)
    {
        for (const std::uint32_t size : {0U, 4U, 10000U})
        {
            BOOST_TEST_CONTEXT(topology << ", " << size << " bytes")
            {
                ClusterConfig config = Recorded(topology, nodes, size + 1);
                config.profile = "servernet2";
                CheckLatency(config, size);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(FramesThroughSwitchesThatStoreThemTakeTheClosedForm)
{
    for (const auto& [topology, nodes] : TOPOLOGIES)
    {
        ClusterConfig config = Recorded(topology, nodes, 5);
        config.profile = "mvia-gnic2";
        BOOST_TEST_CONTEXT(topology)
        {
            CheckLatency(config, 4);
        }
    }
}

BOOST_AUTO_TEST_CASE(EachCableHasItsOwnLength)
{
    auto topology = std::make_shared<Topology>(
        ParseTopology("mesh:3x3", 9, ProviderProfile::Load("giganet-clan1000")));
    std::uint32_t length = 700;
    for (Cable& cable : topology->cables)
    {
        cable.wire.lengthMm = length;
        length += 1300;
    }
    ClusterConfig config = Recorded("", 9);
    config.graph = topology;
    for (const std::uint32_t size : {0U, 4U, 5000U})
    {
        CheckLatency(config, size);
    }
}

BOOST_AUTO_TEST_CASE(EachHopOfACellIsAFlightAndTheSwitchAndTwoEdges)
{
    for (const std::uint32_t nodes : {2U, 3U, 9U})
    {
        const ClusterConfig config = Recorded("chain", nodes);
        Cluster cluster(config);
        const Way way(cluster);
        BOOST_TEST(way.Hops().size() == nodes);
        const std::vector<CellTrain> first{{1'000'000, 2'000'000, 53}};
        Ps at = first[0].start;
        std::vector<CellTrain> pieces = first;
        for (const Hop& hop : way.Hops())
        {
            pieces = way.Through(hop, pieces);
            const SwitchCosts costs = SwitchCosts::From(cluster.Profile());
            const Ps least = hop.flight + ClockDomain(costs.clock).Span(costs.latency);
            const Ps edges = ClockDomain::PeriodOf(costs.clock) +
                             ClockDomain::PeriodOf(LinkCosts::From(cluster.Profile()).byteClock);
            BOOST_TEST(pieces[0].start - at >= least);
            BOOST_TEST(pieces[0].start - at <= least + edges);
            at = pieces[0].start;
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
