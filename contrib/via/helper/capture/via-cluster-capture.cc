/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Connects the NICs of a cluster to their wires, with taps in between if packets are captured.

#include "via-cluster-capture.h"

#include <utility>

namespace ns3
{
namespace via
{

ClusterCapture::ClusterCapture(const CaptureConfig& config,
                               World& world,
                               PacketCapture::NicFinder nics)
{
    if (config.file.empty() && config.listener == nullptr)
    {
        return;
    }
    m_packets = std::make_unique<PacketCapture>(world, std::move(nics));
    if (config.listener != nullptr)
    {
        m_packets->AddListener(config.listener);
    }
    if (!config.file.empty())
    {
        m_file = std::make_unique<CaptureFile>(config.file, config.snapLength);
        m_packets->AddListener(m_file.get());
    }
}

void
ClusterCapture::Plug(const std::string& name, Nic& nic, Link& out, Link& in, PairOrder* order)
{
    Host& host = nic.GetHost();
    AgendaTarget* target = order == nullptr ? static_cast<AgendaTarget*>(&nic) : order;
    OutPort* sends = &out;
    InPort* receives = in.OfLane(0);
    if (m_packets != nullptr)
    {
        WireTap& tap = m_packets->AddPort(out, in, *target);
        target = &tap;
        sends = &tap;
        receives = &tap;
        if (m_file != nullptr)
        {
            m_file->AddPort(name, host.Id());
        }
    }
    in.Connect(host, Nic::WIRE_PORT, target, Nic::BURST, Notice::FIRST_CELL);
    if (order != nullptr)
    {
        order->Plug(sends, receives);
        sends = order;
        receives = order;
    }
    nic.Plug(sends, receives);
}

void
ClusterCapture::End()
{
    if (m_packets != nullptr)
    {
        m_packets->Finish();
    }
    if (m_file != nullptr)
    {
        m_file->Close();
    }
}

} // namespace via
} // namespace ns3
