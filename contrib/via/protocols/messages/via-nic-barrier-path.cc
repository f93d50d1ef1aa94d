/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The path of a barrier in the cards: a word to the card, a flag from it.

#include "via-nic-barrier-path.h"

#include "ns3/abort.h"

#include <cstring>

namespace ns3
{
namespace via
{

NicBarrierPath::NicBarrierPath(WorkloadProcess& process,
                               const PathShape& shape,
                               const std::vector<NodeId>& peers)
    : m_process(process),
      m_barrier(process.Library().GetNic(), {peers, &m_finished, process.Rank()}),
      m_message(shape.bytes)
{
}

bool
NicBarrierPath::HasRoom(Rank)
{
    return true;
}

void
NicBarrierPath::AwaitRoom(Rank)
{
    NS_ABORT_MSG("a card always learns that its host has entered");
}

void
NicBarrierPath::Send(Rank, const void* data, std::uint32_t length, std::uint32_t)
{
    std::memcpy(m_message.data(), data, length);
    m_process.Spend(Stage::CALL_POST_SEND, m_process.Library().Costs().postSend);
    m_process.Reach(); // the store meets the bus as it is then
    m_barrier.Arrive(m_process.GetHost().MmioStore(m_process.Clock()));
}

bool
NicBarrierPath::Take(Rank from, ArrivedMessage& message)
{
    if (from == NOBODY || m_finished == m_taken)
    {
        return false;
    }
    ++m_taken;
    const HostCosts& costs = m_process.GetHost().Costs();
    m_process.Spend(Stage::COMPUTE, costs.basicBlock);
    m_process.Spend(Stage::CACHE_MISS, costs.cacheMiss);
    message = {m_process.Rank(), m_message.data(), static_cast<std::uint32_t>(m_message.size())};
    return true;
}

void
NicBarrierPath::Release()
{
}

void
NicBarrierPath::Await(Rank from)
{
    if (from == NOBODY)
    {
        return;
    }
    if (m_finished != m_taken)
    {
        m_process.Continue();
    }
    else
    {
        m_process.AwaitMemory(m_process.GetHost().Costs().basicBlock);
    }
}

MessagePaths
ConnectNicBarrierPaths(const PathRequest& request)
{
    MessagePaths paths;
    const std::size_t size = request.processes.size();
    for (std::size_t rank = 0; rank < size; ++rank)
    {
        std::vector<NodeId> peers;
        for (std::size_t step = 1; step < size; step *= 2)
        {
            peers.push_back(static_cast<NodeId>((rank + step) % size)); // process i is on node i
        }
        if (request.processes[rank] == nullptr)
        {
            paths.push_back(nullptr);
            continue;
        }
        paths.push_back(std::make_unique<NicBarrierPath>(*request.processes[rank],
                                                         request.shapes[rank],
                                                         peers));
    }
    return paths;
}

} // namespace via
} // namespace ns3
