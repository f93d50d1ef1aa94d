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

/// What is known of a message; complete when its life is over.
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

/**
 * @brief Counts the messages of a rank, tells of them, and keeps them if asked to.
 *
 * What travels is a message's number, not its record: a work queue stays small, and a run that
 * neither keeps nor tells of messages carries nothing about.
 */
class MessageLog
{
  public:
    void Enable()
    {
        m_keep = true;
    }

    /// To be called before any message is posted. @param listener must outlive the log
    void SetListener(MessageListener* listener)
    {
        m_listener = listener;
    }

    /// A message is posted. @return its number, never 0, until End
    MessageId Begin(const MessageOrigin& origin)
    {
        if (!IsTracking())
        {
            return 1; // all look alike
        }
        if (m_free.empty())
        {
            m_alive.emplace_back();
            m_free.push_back(static_cast<MessageId>(m_alive.size()));
        }
        const MessageId id = m_free.back();
        m_free.pop_back();
        m_alive[id - 1] = MessageRecord{};
        m_alive[id - 1].origin = origin;
        return id;
    }

    /// The record of message @p id; null if nobody wants them. For the time being only.
    MessageRecord* Find(MessageId id)
    {
        return IsTracking() && id != 0 ? &m_alive[id - 1] : nullptr;
    }

    /// The life of message @p id is over: reaped, dropped or, an RDMA write, placed.
    void End(MessageId id)
    {
        ++m_count;
        if (!IsTracking() || id == 0)
        {
            return;
        }
        if (m_listener != nullptr)
        {
            m_listener->OnMessage(m_alive[id - 1]);
        }
        if (m_keep)
        {
            m_records.push_back(m_alive[id - 1]);
        }
        m_free.push_back(id);
    }

    /// Does anybody want records? Else messages are counted only.
    bool IsTracking() const
    {
        return m_keep || m_listener != nullptr;
    }

    std::uint64_t Count() const
    {
        return m_count;
    }

    /// The messages whose life is over, in that order.
    const std::vector<MessageRecord>& Records() const
    {
        return m_records;
    }

  private:
    bool m_keep{false};
    MessageListener* m_listener{nullptr};
    std::uint64_t m_count{0};
    std::vector<MessageRecord> m_alive; ///< by number - 1
    std::vector<MessageId> m_free;
    std::vector<MessageRecord> m_records;
};

} // namespace via
} // namespace ns3

#endif // VIA_MESSAGE_LOG_H
