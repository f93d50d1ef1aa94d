/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Records of remoteLinks over ns-3's MpiInterface.

#ifndef VIA_MPI_SENDER_H
#define VIA_MPI_SENDER_H

#include "ns3/event-id.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/packet.h"
#include "ns3/via-remote-links.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace ns3
{
namespace via
{

/// When a partition may next get work that is not on its agenda.
class PartitionWindow final : public OtherEvents
{
  public:
    /// @param events of ns-3; must outlive the run
    void Begin(const OtherEvents& events)
    {
        m_events = &events;
    }

    /// Until @p end, nothing comes that is not among ns-3's events by now.
    void SetEnd(Ps end)
    {
        m_end = end;
    }

    /// The next of ns-3's events; PS_NEVER: none.
    Ps NextEvent() const
    {
        return m_events == nullptr ? PS_NEVER : m_events->NextAt();
    }

    Ps NextAt() const override
    {
        return std::min(m_events->NextAt(), m_end);
    }

  private:
    const OtherEvents* m_events{nullptr};
    Ps m_end{0};
};

/**
 * @brief Sends records to other partitions as ns-3 packets that fit ns-3's MPI messages.
 *
 * ns-3 addresses a device of a node and derives its look-ahead from the channels of devices. So
 * each partition is a node, and each pair of partitions a channel whose `Delay` is the shortest
 * flight time of all cables between partitions. Time is in picoseconds, so nothing is rounded.
 *
 * An MPI message costs more than a step of the model, so records for one partition travel together:
 * all of a window that ns-3 has granted, if Flush is called at its end. A packet is due just after
 * the earliest end that a window with its first record can have, and before any of its records.
 */
class MpiSender final : public PartitionSender
{
  public:
    /// ns-3 takes messages of 2,000 bytes including its own headers; this stays well below.
    static constexpr std::size_t PACKET_BYTES = 1800;

    /**
     * @brief Makes the nodes, before any others exist: a partition's number is its node's.
     * @param partitions the same in all of them
     */
    explicit MpiSender(std::uint32_t partitions);

    /**
     * @brief Makes the channels, identically in all partitions.
     * @param lookahead of all partitions, see RemoteLinks::Lookahead
     */
    void Connect(RemoteLinks& remoteLinks, Ps lookahead);

    /**
     * @brief For null messages, where there are no windows: each record travels alone.
     *
     * With each packet, ns-3 promises that no other comes before the next event it knows of. But it
     * knows only the agenda's first work item, and only once the current work is done. An event at
     * the present instant keeps it from promising more.
     */
    void HoldPromises()
    {
        m_holds = true;
    }

    void Send(std::uint32_t partition,
              std::uint32_t index,
              bool towardsReceiver,
              Ps at,
              const RemoteLinkRecord& record) override;

    /// Sends what still waits for company. Without null messages: call it at the end of each
    /// window, before ns-3 counts what has been sent.
    void Flush();

    /// Whether records wait for Flush.
    bool HasWaiting() const;

    /**
     * @brief Agrees with the others on the next window, while ns-3 does so: with the bytes that its
     * engine sends travels the time of this partition's next event. ns-3 tells nobody the end of a
     * window; it is the look-ahead after the first event of all.
     * @param own what ns-3 sends
     * @param all where it wants what all partitions send, by partition
     * @param bytes of one partition
     */
    void Agree(const std::uint8_t* own, std::uint8_t* all, std::size_t bytes);

    std::vector<std::uint64_t> Exchange(const std::vector<std::uint64_t>& own) override;
    const OtherEvents* Outside(const OtherEvents& events) override;

  private:
    /// Precedes each piece of a record: most have one.
    struct PieceHead
    {
        Ps at;
        std::uint64_t record; ///< number of the record at its sender
        std::uint32_t index;
        std::uint32_t towardsReceiver;
        std::uint32_t total; ///< bytes of the record
        std::uint32_t from;  ///< offset of this piece in the record
        std::uint32_t size;  ///< bytes of this piece
        std::uint32_t unused;
    };

    /// The pieces that will travel to one partition together.
    struct Waiting
    {
        std::vector<std::uint8_t> bytes;
        Ps since{0}; ///< when the first of them was sent
    };

    /// A received piece.
    struct Piece
    {
        PieceHead head;
        std::size_t offset; ///< of its bytes in m_bytes

        bool operator<(const Piece& other) const;
    };

    void Join(std::uint32_t a, std::uint32_t b, Ps lookahead);
    void Add(std::uint32_t partition, const PieceHead& head, const std::uint8_t* bytes);
    void Flush(std::uint32_t partition);
    void Receive(Ptr<ns3::Packet> packet);
    void Deliver();

    bool m_holds{false};
    EventId m_present; ///< the event of the present instant
    RemoteLinks* m_remoteLinks{nullptr};
    Ps m_lookahead{0};                                ///< of the channels
    NodeContainer m_nodes;                            ///< by partition
    std::map<std::uint32_t, std::uint32_t> m_devices; ///< our remote devices, by partition
    std::uint64_t m_sent{0};                          ///< records
    std::vector<Waiting> m_waiting;                   ///< by partition
    PartitionWindow m_window;
    std::vector<std::uint8_t> m_agreed; ///< what partitions send to each other in Agree

    /// Pieces received for one instant, in any order: ns-3 has a receive posted for each partition
    /// and polls them by number, so the later of two messages can come first.
    std::vector<Piece> m_come;
    std::vector<std::uint8_t> m_bytes; ///< of the pieces in m_come
};

} // namespace via
} // namespace ns3

#endif // VIA_MPI_SENDER_H
