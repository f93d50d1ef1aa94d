/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The messages of a run: sender, receiver, times and critical path.

#ifndef VIA_MESSAGE_LOG_H
#define VIA_MESSAGE_LOG_H

#include "ns3/via-packet.h"
#include "ns3/via-span.h"

#include <array>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

namespace ns3
{
namespace via
{

/// A message record; complete when the message's life is over.
struct MessageRecord
{
    MessageOrigin origin;
    std::uint32_t destinationRank{0};
    ViId vi{0}; ///< of the sender; see Nic::VI_NUMBERS_OF_A_CARD
    std::uint32_t bytes{0};
    PacketKind kind{PacketKind::SEND};
    bool dropped{false};
    Ps end{0};      ///< return of the reap; last payload edge of an RDMA write; the drop
    SpanId last{0}; ///< end of its critical path
};

/// One end of a message between sockets on two partitions. The bytes of sockets carry no number of
/// a message, so the ends are matched, by their order and first bytes, when both are known.
struct SocketMessageEnd
{
    /// Bytes that tell messages apart.
    static constexpr std::uint32_t HEAD_BYTES = 64;

    MessageRecord record; ///< at the sender only its origin, at the receiver all else
    std::uint32_t from{0};
    std::uint32_t to{0};
    std::uint32_t length{0};
    std::array<std::uint8_t, HEAD_BYTES> head{}; ///< its first bytes, and then 0
    bool isReceived{false};

    /// Whether both may be ends of one message.
    bool IsOf(const SocketMessageEnd& other) const
    {
        return from == other.from && to == other.to && length == other.length && head == other.head;
    }
};

/// Message records, in the order of their ends; those of a long run never move.
using MessageRecords = std::deque<MessageRecord>;

/// Receives each message record when the message's life is over.
class MessageListener
{
  public:
    virtual ~MessageListener() = default;

    /// @param record of the message; its end may be later than the agenda's current time
    virtual void OnMessage(const MessageRecord& record) = 0;
};

/**
 * @brief Counts the messages of a partition, reports them to a listener and optionally keeps them.
 *
 * Packets and queues carry a message's number, not its record: work queues stay small, and a run
 * that neither keeps nor reports messages carries no records.
 */
class MessageLog
{
  public:
    void Enable()
    {
        m_keep = true;
    }

    /// Call before any message is posted. @param listener must outlive the log
    void SetListener(MessageListener* listener)
    {
        m_listener = listener;
    }

    /// Registers a posted message. @return its number, never 0, valid until End
    MessageId Begin(const MessageOrigin& origin)
    {
        if (!IsTracking())
        {
            return 1; // one number serves all
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

    /// Registers a message that another partition has posted. @return as Begin
    MessageId Adopt(const MessageRecord& record)
    {
        const MessageId id = Begin(record.origin);
        m_alive[id - 1] = record;
        return id;
    }

    /// The record of message @p id, valid until the next Begin; null if records are not tracked.
    MessageRecord* Find(MessageId id)
    {
        return IsTracking() && id != 0 ? &m_alive[id - 1] : nullptr;
    }

    /// Ends the life of message @p id: it was reaped, dropped or, for an RDMA write, placed.
    /// @param isInRun false: the run will be stopped before that, so it does not count
    void End(MessageId id, bool isInRun = true)
    {
        m_count += isInRun ? 1 : 0;
        if (!IsTracking() || id == 0)
        {
            return;
        }
        if (m_listener != nullptr && isInRun)
        {
            m_listener->OnMessage(m_alive[id - 1]);
        }
        if (m_keep && isInRun)
        {
            m_records.push_back(m_alive[id - 1]);
        }
        m_free.push_back(id);
    }

    /// Whether records are kept or reported; otherwise messages are only counted.
    bool IsTracking() const
    {
        return m_keep || m_listener != nullptr;
    }

    std::uint64_t Count() const
    {
        return m_count;
    }

    /// The messages whose life is over, in the order of their ends.
    const MessageRecords& Records() const
    {
        return m_records;
    }

    /// Keeps one end of a message whose other end is on another partition.
    void Keep(const SocketMessageEnd& end)
    {
        m_ends.push_back(end);
    }

    /// These, in the order in which they were kept.
    const std::vector<SocketMessageEnd>& SocketEnds() const
    {
        return m_ends;
    }

    /// Hands the records over, and keeps none of them.
    MessageRecords TakeRecords()
    {
        return std::exchange(m_records, {});
    }

  private:
    bool m_keep{false};
    MessageListener* m_listener{nullptr};
    std::uint64_t m_count{0};
    std::vector<MessageRecord> m_alive; ///< by number - 1
    std::vector<MessageId> m_free;
    MessageRecords m_records;
    std::vector<SocketMessageEnd> m_ends;
};

} // namespace via
} // namespace ns3

#endif // VIA_MESSAGE_LOG_H
