/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The messages of a run: who sent what to whom, when, and the path that took the time.

#ifndef VIA_MESSAGE_LOG_H
#define VIA_MESSAGE_LOG_H

#include "ns3/via-packet.h"
#include "ns3/via-span.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace via
{

/// A message whose life is over.
struct MessageRecord
{
    MessageOrigin origin;
    std::uint32_t destinationRank{0};
    ViId vi{0}; ///< of the sender
    std::uint32_t bytes{0};
    PacketKind kind{PacketKind::SEND};
    bool dropped{false};
    Ps end{0};      ///< return of the reap; last payload edge of an RDMA write; the drop
    SpanId last{0}; ///< end of its critical path
};

/// Somebody who wants to hear of each message when its life is over.
class MessageListener
{
  public:
    virtual ~MessageListener() = default;

    /// @param record of the message; its end may lie ahead of the agenda
    virtual void OnMessage(const MessageRecord& record) = 0;
};

/// Counts the messages of a rank, tells of them, and keeps them if asked to.
class MessageLog
{
  public:
    void Enable()
    {
        m_keep = true;
    }

    /// @param listener must outlive the log; null: nobody
    void SetListener(MessageListener* listener)
    {
        m_listener = listener;
    }

    void Add(const MessageRecord& record)
    {
        ++m_count;
        if (m_listener != nullptr)
        {
            m_listener->OnMessage(record);
        }
        if (m_keep)
        {
            m_records.push_back(record);
        }
    }

    std::uint64_t Count() const
    {
        return m_count;
    }

    const std::vector<MessageRecord>& Records() const
    {
        return m_records;
    }

  private:
    bool m_keep{false};
    MessageListener* m_listener{nullptr};
    std::uint64_t m_count{0};
    std::vector<MessageRecord> m_records;
};

} // namespace via
} // namespace ns3

#endif // VIA_MESSAGE_LOG_H
