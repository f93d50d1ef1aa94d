/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A wire between two components, a source of bursts, and a recorder of departures.

#ifndef VIA_TEST_FABRIC_BENCH_H
#define VIA_TEST_FABRIC_BENCH_H

#include "via-test-world.h"

#include "ns3/via-link.h"

namespace ns3
{
namespace via
{
namespace test
{

/// Round numbers close to a real link: 8 ns per byte, cells of 53 bytes with 48 of payload.
inline LinkCosts
TestLinkCosts(std::uint32_t credits = 64)
{
    LinkCosts costs;
    costs.byteClock = {125'000'000, 1};
    costs.cellBytes = 53;
    costs.cellPayload = 48;
    costs.messageHeader = 24;
    costs.credits = credits;
    costs.creditBytes = 2;
    costs.flight = 30'000;
    return costs;
}

constexpr Ps TEST_CELL_TIME = 53 * 8'000;

/// Records the bursts that got a departure time.
class DepartureRecorder final : public DepartureListener
{
  public:
    void OnDeparture(const Burst& burst) override
    {
        bursts.push_back(&burst);
    }

    std::vector<const Burst*> bursts;
};

/// Records returned credits.
class CreditLog final : public InPort
{
  public:
    struct Entry
    {
        std::uint32_t cells;
        Ps at;
        Ps spacing;
    };

    void ReturnCredits(std::uint32_t cells, Ps at, Ps spacing) override
    {
        entries.push_back({cells, at, spacing});
    }

    std::vector<Entry> entries;
};

/// Makes bursts of packets to a destination.
class BurstMaker
{
  public:
    explicit BurstMaker(World& world)
        : m_world(world)
    {
    }

    /// One whole packet of one group, ready to leave (and, at a switch, arriving) at @p at.
    Burst* Make(std::uint32_t cells, Ps at, NodeId destination = 1)
    {
        Packet* packet = m_world.packets.NewPacket();
        packet->destination = destination;
        return Make(packet, cells, at, true);
    }

    /// Some cells of @p packet.
    Burst* Make(Packet* packet, std::uint32_t cells, Ps at, bool ends)
    {
        Burst* burst = m_world.packets.NewBurst(packet);
        burst->ends = ends;
        burst->groupCount = 1;
        burst->groups[0].cells = cells;
        burst->groups[0].ready = {at, 0};
        burst->groups[0].first = {at, 0};
        burst->groups[0].last = {at + cells * TEST_CELL_TIME, 0};
        return burst;
    }

  private:
    World& m_world;
};

} // namespace test
} // namespace via
} // namespace ns3

#endif // VIA_TEST_FABRIC_BENCH_H
