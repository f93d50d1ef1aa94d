/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Stream: one process sends as fast as it can, another receives.

#include "via-stream.h"

#include "ns3/abort.h"
#include "ns3/via-error.h"

#include <algorithm>

namespace ns3
{
namespace via
{

Stream::Settings
Stream::Read(WorkloadParameters& given)
{
    given.Nodes(2);
    const NicLimits& limits = given.Limits();
    Settings settings;
    settings.size =
        static_cast<std::uint32_t>(given.Number("size", 32768, 0, limits.transferBytes));
    settings.messages = given.Number("messages", 200, 1, 1'000'000'000);
    const std::uint64_t most = std::min<std::uint64_t>(limits.queueDepth, MOST_SLOTS - 1);
    settings.window = static_cast<std::uint32_t>(given.Number("window", 16, 2, most));
    given.ExpectNoMore();
    return settings;
}

Stream::Stream(const Settings& settings, const WorkloadContext& context)
    : m_size(settings.size),
      m_messages(settings.messages),
      m_window(settings.window),
      m_allowed(settings.window)
{
    AddTwo(context, *this);
    m_channels[0] = LoneChannel::Make(m_processes[0].get(), {m_size, m_window + 1, 4});
    m_channels[1] = LoneChannel::Make(m_processes[1].get(), {m_size, 4, m_window});
    LoneChannel::ConnectTwo(m_channels[0].get(), m_channels[1].get());
}

void
Stream::Start()
{
    StartTwo();
}

bool
Stream::IsFinished() const
{
    return m_received == m_messages;
}

void
Stream::OnStep(std::uint32_t rank)
{
    rank == 0 ? Send() : Receive();
}

void
Stream::Send()
{
    Channel& channel = *m_channels[0];
    WorkloadProcess& process = *m_processes[0];
    if (!m_begun[0])
    {
        m_begun[0] = true;
    }
    else
    {
        std::uint32_t length = 0;
        channel.Receive(length);
        channel.Repost();
        m_allowed += m_window / 2;
    }
    while (m_sent < m_messages && m_sent < m_allowed)
    {
        if (m_size > 0)
        {
            channel.Payload()[0] = static_cast<std::uint8_t>(m_sent);
        }
        channel.Send(m_size);
        ++m_sent;
    }
    if (m_sent == m_messages)
    {
        process.Finish();
        return;
    }
    process.AwaitReceive(channel.Vi());
}

void
Stream::Receive()
{
    Channel& channel = *m_channels[1];
    WorkloadProcess& process = *m_processes[1];
    if (m_begun[1])
    {
        std::uint32_t length = 0;
        const std::uint8_t* data = channel.Receive(length);
        NS_ABORT_MSG_IF(length != m_size ||
                            (m_size > 0 && data[0] != static_cast<std::uint8_t>(m_received)),
                        "stream: wrong bytes in message " << m_received);
        if (++m_received == m_messages)
        {
            m_samples.push_back(process.Clock().at);
            process.Finish();
            return;
        }
        channel.Repost();
        if (m_received % (m_window / 2) == 0 && m_window + m_granted < m_messages)
        {
            m_granted += m_window / 2;
            channel.Send(0);
        }
    }
    m_begun[1] = true;
    process.AwaitReceive(channel.Vi());
}

} // namespace via
} // namespace ns3
