/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// One process sends another as many messages as it will take.

#ifndef VIA_MESSAGE_STREAM_H
#define VIA_MESSAGE_STREAM_H

#include "ns3/via-protocol-kind.h"

namespace ns3
{
namespace via
{

/// A message of the stream.
struct StreamMessage
{
    std::uint64_t number;
};

/**
 * @brief Process 0 sends process 1 messages as fast as the transport and the receiver take them.
 *
 * Rounds are messages. Samples: when each has come, from the start. Others do nothing. A lost
 * message is not sent again. Parameter: window (64), messages on their way without a credit.
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

/// The workload "message-stream". It is no protocol of the library: it promises nothing.
const ProtocolKind& MessageStreamKind();

} // namespace via
} // namespace ns3

#endif // VIA_MESSAGE_STREAM_H
