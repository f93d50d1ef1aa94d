/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A socket of a simulated kernel for a stream of bytes, whatever carries them.

#include "via-stream-endpoint.h"

#include "ns3/node.h"
#include "ns3/simulator.h"

namespace ns3
{
namespace via
{

std::unique_ptr<StreamEndpoint>
StreamEndpoint::Accept()
{
    if (m_waiting.empty())
    {
        return nullptr;
    }
    auto next = std::move(m_waiting.front());
    m_waiting.pop_front();
    return next;
}

void
StreamEndpoint::Close(std::unique_ptr<StreamEndpoint> endpoint, bool resets)
{
    endpoint->m_listener = nullptr;
    const Ptr<Node> node = endpoint->m_device->GetNode();
    if (node == nullptr)
    {
        return; // Simulator::Destroy has disposed of it: nothing can be sent any more
    }
    std::shared_ptr<StreamEndpoint> shared = std::move(endpoint);
    Simulator::ScheduleWithContext(node->GetId(),
                                   Time(0),
                                   &StreamEndpoint::CloseNow,
                                   shared,
                                   resets);
}

void
StreamEndpoint::CloseNow(std::shared_ptr<StreamEndpoint> endpoint, bool resets)
{
    endpoint->End(resets);
}

void
StreamEndpoint::Changed()
{
    if (m_listener)
    {
        m_listener();
    }
}

void
StreamEndpoint::Fail(int error)
{
    m_peerEnded = HasPeerEnded();
    m_error = error;
    m_failed = true;
    m_atEnd = true;
}

} // namespace via
} // namespace ns3
