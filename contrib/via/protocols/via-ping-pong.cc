/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Ping-pong: two processes send one message back and forth.

#include "via-ping-pong.h"

#include "ns3/abort.h"
#include "ns3/via-error.h"

#include <algorithm>

namespace ns3
{
namespace via
{

PingPong::Settings
PingPong::Read(WorkloadParameters& given)
{
    given.Nodes(2);
    Settings settings;
    settings.size =
        static_cast<std::uint32_t>(given.Number("size", 4, 0, given.Limits().transferBytes));
    settings.rounds = given.Number("rounds", 1000, 1, 1'000'000'000);
    given.ExpectNoMore();
    return settings;
}

PingPong::PingPong(const Settings& settings, const WorkloadContext& context)
    : m_size(settings.size),
      m_rounds(settings.rounds)
{
    AddTwo(context, *this);
    for (std::uint32_t rank = 0; rank < 2; ++rank)
    {
        m_channels[rank] = LoneChannel::Make(m_processes[rank].get(), {m_size, 2, 2});
    }
    LoneChannel::ConnectTwo(m_channels[0].get(), m_channels[1].get());
    m_samples.reserve(m_rounds);
}

void
PingPong::Start()
{
    StartTwo();
}

bool
PingPong::IsFinished() const
{
    return m_round[0] == m_rounds && m_round[1] == m_rounds;
}

void
PingPong::Ping()
{
    const auto fill = static_cast<std::uint8_t>(m_round[0]);
    std::fill_n(m_channels[0]->Payload(), m_size, fill);
    m_sent = m_processes[0]->Clock().at;
    m_channels[0]->Send(m_size);
}

void
PingPong::AwaitStep(std::uint32_t rank)
{
    std::uint32_t length = 0;
    const std::uint8_t* data = m_channels[rank]->Receive(length);
    const auto fill = static_cast<std::uint8_t>(m_round[rank]);
    NS_ABORT_MSG_IF(
        length != m_size ||
            !std::all_of(data, data + length, [fill](std::uint8_t b) { return b == fill; }),
        "ping-pong: wrong bytes in round " << m_round[rank]);
}

void
PingPong::OnStep(std::uint32_t rank)
{
    Channel& channel = *m_channels[rank];
    WorkloadProcess& process = *m_processes[rank];
    if (!m_begun[rank])
    {
        m_begun[rank] = true;
        if (rank == 0)
        {
            Ping();
        }
        process.AwaitReceive(channel.Vi());
        return;
    }
    AwaitStep(rank);
    if (rank == 1)
    {
        std::fill_n(channel.Payload(), m_size, static_cast<std::uint8_t>(m_round[1]));
        channel.Send(m_size);
    }
    else
    {
        m_samples.push_back(process.Clock().at - m_sent);
    }
    if (++m_round[rank] == m_rounds)
    {
        process.Finish();
        return;
    }
    if (rank == 0)
    {
        Ping();
    }
    channel.Repost();
    channel.HarvestSends();
    process.AwaitReceive(channel.Vi());
}

} // namespace via
} // namespace ns3
