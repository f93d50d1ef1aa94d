/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// One process sends messages to another as fast as they are taken.

#include "via-message-stream.h"

#include "ns3/via-checkers.h"

namespace ns3
{
namespace via
{

MessageStream::MessageStream(WorkloadParameters& parameters, std::uint32_t)
    : m_window(static_cast<std::uint32_t>(parameters.Number("window", 64, 2, 512)))
{
}

std::vector<Rank>
MessageStream::Targets() const
{
    return Self() == 0 ? std::vector<Rank>{1} : std::vector<Rank>{};
}

void
MessageStream::OnStart()
{
    const Ps start = Now();
    for (std::uint64_t number = 0; Self() == 0 && number < Rounds(); ++number)
    {
        EnterAt(number, start);
        Note(EventKind::PROPOSE, number, number);
        Send(1, {number});
    }
    if (Self() != 1)
    {
        Finish();
    }
}

void
MessageStream::OnMessage(Rank, const StreamMessage& message)
{
    Note(EventKind::DECIDE, message.number, message.number);
    Leave(message.number);
    if (message.number + 1 == Rounds())
    {
        Finish();
    }
}

const ProtocolKind&
MessageStreamKind()
{
    static const ProtocolKind kind = KindWith<MessageStream>("message-stream",
                                                             RoundSpan::FIRST_ENTRY_TO_FIRST_EXIT,
                                                             {&CheckAgreement, &CheckValidity});
    return kind;
}

} // namespace via
} // namespace ns3
