/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// One process sends messages to another as fast as they are taken.

#ifndef VIA_MESSAGE_STREAM_H
#define VIA_MESSAGE_STREAM_H

#include "ns3/via-protocol-kind.h"

namespace ns3
{
namespace via
{

struct StreamMessage
{
    std::uint64_t number;
};

/**
 * @brief Process 0 sends messages to process 1 as fast as the transport and the receiver take them.
 *
 * Rounds are messages. Samples: the arrival time of each, from the start. Other processes do
 * nothing. A lost message is not sent again. Parameter: window (64), messages under way without a
 * credit.
 */
class MessageStream : public TypedProtocol<StreamMessage>
{
  public:
    using TypedProtocol::OnMessage;

    MessageStream(WorkloadParameters& parameters, std::uint32_t nodes);

    std::vector<Rank> Targets() const override;

    MessageWindow Flow() const override
    {
        return {m_window, false};
    }

    void OnStart() override;
    void OnMessage(Rank from, const StreamMessage& message) override;

  private:
    std::uint32_t m_window;
};

/// The workload "message-stream". It is not a protocol of the library and has no checkers.
const ProtocolKind& MessageStreamKind();

} // namespace via
} // namespace ns3

#endif // VIA_MESSAGE_STREAM_H
