/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Datagrams of the host's IP stack on their path through the card.

#include "ns3/via-nic.h"

#include <algorithm>

namespace ns3
{
namespace via
{

void
Nic::DatagramArrived(Packet& packet, Moment at)
{
    if (m_datagrams == nullptr)
    {
        return;
    }
    if (packet.placed == packet.cells)
    {
        m_datagrams->OnDatagram(packet, at, m_parts.kernelReceiver != nullptr);
    }
    else
    {
        m_datagrams->OnDatagramDamaged(packet, at);
    }
}

void
Nic::DatagramLeft(const Packet& packet, Ps at)
{
    if (m_datagrams != nullptr)
    {
        m_datagrams->OnDatagramLeft(packet, at);
    }
}

Moment
Nic::FetchRingEntry(Moment at, Engine engine)
{
    // an entry holds the same data as a descriptor with one segment, and is as long
    constexpr std::uint32_t bytes = Descriptor::CONTROL_BYTES + Descriptor::SEGMENT_BYTES;
    return m_parts.dma.Read(at, Stage::RING_FETCH, engine, bytes);
}

void
SendEngine::BeginDatagram(Packet& packet)
{
    if (m_parts.kernelSender == nullptr) // a kernel sender reads an entry for each frame
    {
        m_at = m_nic.FetchRingEntry(m_at, Engine::NIC_SEND);
    }
    Work(Stage::SEGMENT, m_costs->segment);
    Work(Stage::RESIDUAL, m_costs->sendResidual);
    StartPacket(&packet, nullptr);
}

void
ReceiveEngine::BeginDatagram()
{
    Work(Stage::RESIDUAL, m_costs->residual);
    if (m_parts.kernelReceiver == nullptr) // a kernel receiver has read an entry for each frame
    {
        m_at = m_nic.FetchRingEntry(m_at, Engine::NIC_RECEIVE);
    }
    m_datagramBytes = 0;
}

bool
ReceiveEngine::PlaceDatagram()
{
    const Moment& last = m_cell->last;
    Packet& packet = *m_cell->packet;
    m_at = m_worksOn == m_cell->packet
               ? Later(m_at, last)
               : m_nic.GetHost().Wait(last, Stage::ENGINE_WAIT, Engine::NIC_RECEIVE, m_at.at);
    m_worksOn = m_cell->packet;
    if (m_parts.kernelReceiver == nullptr) // otherwise its ring already holds the frame
    {
        const std::uint32_t content = packet.length + m_costs->messageHeader;
        const std::uint32_t from = m_cell->index * m_costs->cellPayload;
        const std::uint32_t bytes = std::min(m_costs->cellPayload, content - from);
        while (m_datagramBytes < bytes)
        {
            if (!MayGoOn(m_at.at))
            {
                return false;
            }
            const std::uint32_t n = std::min(bytes - m_datagramBytes, m_costs->dmaBurst);
            m_at = m_parts.dma.Write(m_at,
                                     Stage::PAYLOAD_WRITE,
                                     Engine::NIC_RECEIVE,
                                     n,
                                     m_datagramBytes == 0);
            m_datagramBytes += n;
        }
        m_datagramBytes = 0;
    }
    ++packet.placed;
    return true;
}

} // namespace via
} // namespace ns3
