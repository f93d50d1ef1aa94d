/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A whole DMA transfer of a device, during which nobody else asks for the bus.

#ifndef VIA_TEST_DMA_H
#define VIA_TEST_DMA_H

#include "ns3/via-host.h"

namespace ns3
{
namespace via
{
namespace test
{

/// Moves what @p transfer says over bus @p bus of @p host. @return the end
inline Moment
Dma(Host& host, Moment from, BusTransfer transfer, std::uint32_t bus = 0)
{
    do
    {
        from = host.Bus().Next(from, transfer, bus);
    } while (!transfer.IsOver());
    return from;
}

/// A read of @p bytes. @param asked see BusTransfer::asked
inline Moment
DmaRead(Host& host, Moment from, std::uint32_t bytes, std::uint32_t bus = 0, Ps asked = PS_NEVER)
{
    BusTransfer transfer;
    transfer.bytes = bytes;
    transfer.asked = asked;
    return Dma(host, from, transfer, bus);
}

/// A write of @p bytes.
inline Moment
DmaWrite(Host& host, Moment from, std::uint32_t bytes, std::uint32_t bus = 0)
{
    BusTransfer transfer;
    transfer.stage = Stage::PAYLOAD_WRITE;
    transfer.writes = true;
    transfer.bytes = bytes;
    return Dma(host, from, transfer, bus);
}

} // namespace test
} // namespace via
} // namespace ns3

#endif // VIA_TEST_DMA_H
