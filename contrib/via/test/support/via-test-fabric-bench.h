/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A wire between two components, a source of cells, and a recorder of departures.

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

/// Flight time of the cables of tests.
constexpr Ps FLIGHT = 30'000;

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
    costs.flight = FLIGHT;
    return costs;
}

constexpr Ps TEST_CELL_TIME = 53 * 8'000;

/// Records the cells that got a departure time.
class DepartureRecorder final : public DepartureListener
{
  public:
    void OnDeparture(const Cell& cell) override
    {
        cells.push_back(&cell);
    }

    std::vector<const Cell*> cells;
};

/// Records returned credits.
class CreditLog final : public InPort
{
  public:
    struct Entry
    {
        std::uint32_t cells;
        Ps at;
    };

    void ReturnCredits(std::uint32_t cells, Ps at) override
    {
        entries.push_back({cells, at});
    }

    std::vector<Entry> entries;
};

/// The cells of a packet, in order.
using Cells = std::vector<Cell*>;

/// Hands over all of @p cells.
inline void
Transmit(OutPort& port, const Cells& cells, DepartureListener& listener)
{
    for (Cell* cell : cells)
    {
        port.Transmit(cell, &listener);
    }
}

/// Makes packets to a destination.
class PacketMaker
{
  public:
    explicit PacketMaker(World& world)
        : m_world(world)
    {
    }

    /// The cells of a whole packet, ready to leave at @p at. At a switch, the first one arrives
    /// then, and the others right after it.
    Cells Make(std::uint32_t count, Ps at, NodeId destination = 1)
    {
        Packet* packet = m_world.packets.NewPacket();
        packet->destination = destination;
        packet->cells = count;
        return Make(packet, at);
    }

    /// The cells of @p packet.
    Cells Make(Packet* packet, Ps at)
    {
        Cells cells;
        for (std::uint32_t i = 0; i < packet->cells; ++i)
        {
            Cell* cell = MakeOne(packet, i, at);
            cell->first = {at + i * TEST_CELL_TIME, 0};
            cell->last = {at + (i + 1) * TEST_CELL_TIME, 0};
            cells.push_back(cell);
        }
        return cells;
    }

    /// Cell @p number of @p packet, which is ready, or arrives, at @p at.
    Cell* MakeOne(Packet* packet, std::uint32_t number, Ps at)
    {
        Cell* cell = m_world.packets.NewCell(packet, number);
        cell->ready = {at, 0};
        cell->first = {at, 0};
        cell->last = {at + TEST_CELL_TIME, 0};
        return cell;
    }

  private:
    World& m_world;
};

} // namespace test
} // namespace via
} // namespace ns3

#endif // VIA_TEST_FABRIC_BENCH_H
