/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Dissemination barrier.

#include "via-barrier.h"

#include "ns3/abort.h"
#include "ns3/via-error.h"

#include <algorithm>
#include <cstring>

namespace ns3
{
namespace via
{

Barrier::Barrier(WorkloadParameters& parameters, const WorkloadContext& context)
{
    const auto nodes = static_cast<std::uint32_t>(context.nics.size());
    if (nodes < 2)
    {
        throw ConfigError("nodes", std::to_string(nodes), "barrier needs at least 2");
    }
    m_size = static_cast<std::uint32_t>(
        parameters.Number("size", 8, 8, context.nics[0]->Limits().transferBytes));
    m_rounds = parameters.Number("rounds", 10, 1, 1'000'000'000);
    parameters.ExpectNoMore();
    while (1ULL << m_steps < nodes)
    {
        ++m_steps;
    }
    m_members.resize(nodes);
    m_times.resize(m_rounds);
    m_out.reserve(static_cast<std::size_t>(nodes) * m_steps);
    m_in.reserve(static_cast<std::size_t>(nodes) * m_steps);
    for (std::uint32_t rank = 0; rank < nodes; ++rank)
    {
        m_processes.push_back(
            std::make_unique<WorkloadProcess>(*context.nics[rank], rank, *context.costs, *this));
        for (std::uint32_t step = 0; step < m_steps; ++step)
        {
            m_out.emplace_back(*m_processes[rank], ChannelShape{m_size, 2, 0});
            // a partner may be one barrier ahead of us, not two
            m_in.emplace_back(*m_processes[rank], ChannelShape{m_size, 0, 2});
        }
    }
    for (std::uint32_t rank = 0; rank < nodes; ++rank)
    {
        for (std::uint32_t step = 0; step < m_steps; ++step)
        {
            const auto to = static_cast<std::uint32_t>((rank + (1ULL << step)) % nodes);
            Channel::Connect(Out(rank, step), In(to, step));
        }
    }
}

void
Barrier::Start()
{
    for (const auto& process : m_processes)
    {
        process->Start(0);
    }
}

bool
Barrier::IsFinished() const
{
    return m_finished == m_processes.size();
}

void
Barrier::Enter(std::uint32_t rank)
{
    Times& times = m_times[m_members[rank].round];
    times.entry = std::max(times.entry, m_processes[rank]->Clock().at);
    Tell(rank);
}

void
Barrier::Tell(std::uint32_t rank)
{
    Channel& out = Out(rank, m_members[rank].step);
    std::memcpy(out.Payload(), &m_members[rank].round, sizeof(m_members[rank].round));
    out.Send(m_size);
}

void
Barrier::Hear(std::uint32_t rank)
{
    Member& member = m_members[rank];
    Channel& in = In(rank, member.step);
    std::uint32_t length = 0;
    std::uint64_t round = 0;
    std::memcpy(&round, in.Receive(length), sizeof(round));
    NS_ABORT_MSG_IF(length != m_size || round != member.round,
                    "barrier: process " << rank << " heard of barrier " << round
                                        << " while in barrier " << member.round);
}

bool
Barrier::Leave(std::uint32_t rank)
{
    Member& member = m_members[rank];
    Times& times = m_times[member.round];
    times.exit = std::max(times.exit, m_processes[rank]->Clock().at);
    member.step = 0;
    if (++member.round < m_rounds)
    {
        return false;
    }
    m_processes[rank]->Finish();
    if (++m_finished == m_processes.size())
    {
        for (const Times& one : m_times)
        {
            m_samples.push_back(one.exit - one.entry);
        }
    }
    return true;
}

void
Barrier::OnStep(std::uint32_t rank)
{
    Member& member = m_members[rank];
    if (!member.begun)
    {
        member.begun = true;
        Enter(rank);
    }
    else
    {
        Channel& heard = In(rank, member.step);
        Channel& told = Out(rank, member.step);
        const std::uint32_t next = member.step + 1 < m_steps ? member.step + 1 : 0;
        for (const Channel* used : {&Out(rank, next), &told, &heard, &In(rank, next)})
        {
            used->Foresee();
        }
        Hear(rank);
        for (const Channel* used : {&Out(rank, next), &told, &In(rank, next)})
        {
            used->Expect();
        }
        if (++member.step < m_steps)
        {
            Tell(rank);
        }
        else if (Leave(rank))
        {
            return;
        }
        else
        {
            Enter(rank);
        }
        heard.Repost(); // behind the send: nobody waits for it
        told.HarvestSends();
    }
    m_processes[rank]->AwaitReceive(In(rank, member.step).Vi());
}

void
Barrier::ForeseeStep(std::uint32_t rank) const
{
    Prefetch(&m_members[rank]);
}

void
Barrier::ExpectStep(std::uint32_t rank) const
{
    const std::uint32_t step = m_members[rank].step;
    const std::uint32_t next = step + 1 < m_steps ? step + 1 : 0;
    for (const std::uint32_t used : {step, next})
    {
        Prefetch(&m_in[rank * m_steps + used]);
        Prefetch(&m_out[rank * m_steps + used]);
    }
}

} // namespace via
} // namespace ns3
