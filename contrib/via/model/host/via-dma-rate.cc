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

Ps
DmaTime(const Shared<HostCosts>& costs, DmaTest test, std::uint32_t bytes, std::uint32_t bursts)
{
    World world;
    world.inStep = true; // the first bus clock is at 0
    world.agenda.SetComponents(1);
    Host host(world, 0, "n0", costs);
    std::uint32_t reads = test == DmaTest::WRITE ? 0 : bursts;
    std::uint32_t writes = test == DmaTest::READ ? 0 : bursts;
    Moment read;
    Moment written;
    while (reads + writes > 0)
    {
        // who is behind asks first, as an arbiter that is fair would have it
        if (reads > 0 && (writes == 0 || read.at <= written.at))
        {
            read = host.DmaRead(read, Stage::PAYLOAD_READ, bytes);
            --reads;
        }
        else
        {
            written = host.DmaWrite(written, Stage::PAYLOAD_WRITE, bytes);
            --writes;
        }
    }
    return std::max(read.at, written.at);
}

} // namespace via
} // namespace ns3
