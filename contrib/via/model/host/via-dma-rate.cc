/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A test of a host's bus: a card that does nothing but DMA.

#include "via-dma-rate.h"

#include <algorithm>

namespace ns3
{
namespace via
{

namespace
{

/// Transfers of equal size, one after the other.
struct DmaStream
{
    bool writes;
    std::uint32_t bytes; ///< of each
    std::uint32_t left;  ///< that have not ended
    BusTransfer transfer;
    Moment at;

    bool IsOver() const
    {
        return left == 0;
    }

    /// Does the next transaction.
    void Move(HostBus& bus)
    {
        if (transfer.IsOver())
        {
            transfer = {};
            transfer.stage = writes ? Stage::PAYLOAD_WRITE : Stage::PAYLOAD_READ;
            transfer.writes = writes;
            transfer.bytes = bytes;
        }
        at = bus.Next(at, transfer, 0);
        left -= transfer.IsOver() ? 1 : 0;
    }
};

} // namespace

Ps
DmaTime(const Shared<HostCosts>& costs, DmaTest test, std::uint32_t bytes, std::uint32_t bursts)
{
    World world;
    world.inStep = true; // the first bus clock is at 0
    world.agenda.SetComponents(1);
    Host host(world, 0, "n0", costs);
    DmaStream reads{false, bytes, test == DmaTest::WRITE ? 0 : bursts, {}, {}};
    DmaStream writes{true, bytes, test == DmaTest::READ ? 0 : bursts, {}, {}};
    while (!reads.IsOver() || !writes.IsOver())
    {
        // who is behind asks first, as an arbiter that is fair would have it
        const bool isRead = writes.IsOver() || (!reads.IsOver() && reads.at.at <= writes.at.at);
        (isRead ? reads : writes).Move(host.Bus());
    }
    return std::max(reads.at.at, writes.at.at);
}

} // namespace via
} // namespace ns3
