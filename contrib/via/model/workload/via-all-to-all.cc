/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// All-to-all: everybody sends a block to everybody else.

#include "via-all-to-all.h"

#include "ns3/abort.h"
#include "ns3/via-error.h"

#include <algorithm>

namespace ns3
{
namespace via
{

AllToAll::AllToAll(WorkloadParameters& parameters, const WorkloadContext& context)
    : m_nodes(static_cast<std::uint32_t>(context.nics.size()))
{
    if (m_nodes < 2)
    {
        throw ConfigError("nodes", std::to_string(m_nodes), "all-to-all needs at least 2");
    }
    m_size = static_cast<std::uint32_t>(
        parameters.Number("size", 4096, 0, context.nics[0]->Limits().transferBytes));
    m_rounds = parameters.Number("rounds", 10, 1, 1'000'000'000);
    parameters.ExpectNoMore();
    m_members.resize(m_nodes);
    m_times.resize(m_rounds);
    for (std::uint32_t rank = 0; rank < m_nodes; ++rank)
    {
        Nic& nic = *context.nics[rank];
        m_processes.push_back(
            std::make_unique<WorkloadProcess>(nic, rank, context.CostsOf(rank), *this));
        m_processes.back()->GiveWayInSteps();
        Member& member = m_members[rank];
        member.cq = &nic.CreateCq(2 * m_nodes, m_processes[rank]->Owner());
        for (std::uint32_t i = 0; i + 1 < m_nodes; ++i)
        {
            member.channels.push_back(std::make_unique<Channel>(*m_processes[rank],
                                                                ChannelShape{m_size, 3, 3},
                                                                member.cq));
            member.byVi.resize(member.channels.back()->Vi().id + 1);
            member.byVi.back().channel = member.channels.back().get();
        }
    }
    for (std::uint32_t a = 0; a < m_nodes; ++a)
    {
        for (std::uint32_t b = a + 1; b < m_nodes; ++b)
        {
            Channel::Connect(*m_members[a].channels[b - a - 1],
                             *m_members[b].channels[a + m_nodes - b - 1]);
        }
    }
}

void
AllToAll::Start()
{
    for (const auto& process : m_processes)
    {
        process->Start(0);
    }
}

bool
AllToAll::IsFinished() const
{
    return m_finished == m_nodes;
}

void
AllToAll::SendAll(std::uint32_t rank)
{
    Member& member = m_members[rank];
    Times& times = m_times[member.round];
    times.begin = std::min(times.begin, m_processes[rank]->Clock().at);
    for (const auto& channel : member.channels)
    {
        if (m_size > 0)
        {
            channel->Payload()[0] = static_cast<std::uint8_t>(member.round);
        }
        channel->Send(m_size);
    }
}

void
AllToAll::Take(std::uint32_t rank)
{
    Member& member = m_members[rank];
    Completion completion;
    m_processes[rank]->Library().ReapCq(*member.cq, completion);
    Peer& peer = member.byVi[completion.vi];
    std::uint32_t length = 0;
    const std::uint8_t* data = peer.channel->Receive(length);
    NS_ABORT_MSG_IF(length != m_size ||
                        (m_size > 0 && data[0] != static_cast<std::uint8_t>(peer.taken)),
                    "all-to-all: wrong bytes at process " << rank);
    ++member.received[peer.taken++ % 2];
    peer.channel->Repost();
}

bool
AllToAll::EndRound(std::uint32_t rank)
{
    Member& member = m_members[rank];
    Times& times = m_times[member.round];
    times.end = std::max(times.end, m_processes[rank]->Clock().at);
    member.received[member.round % 2] = 0;
    if (++member.round < m_rounds)
    {
        return false;
    }
    m_processes[rank]->Finish();
    if (++m_finished == m_nodes)
    {
        for (const Times& one : m_times)
        {
            m_samples.push_back(one.end - one.begin);
        }
    }
    return true;
}

void
AllToAll::OnStep(std::uint32_t rank)
{
    Member& member = m_members[rank];
    if (!member.begun)
    {
        member.begun = true;
        SendAll(rank);
    }
    else
    {
        Take(rank);
    }
    while (member.received[member.round % 2] == m_nodes - 1)
    {
        if (EndRound(rank))
        {
            return;
        }
        SendAll(rank);
    }
    m_processes[rank]->AwaitCq(*member.cq);
}

} // namespace via
} // namespace ns3
