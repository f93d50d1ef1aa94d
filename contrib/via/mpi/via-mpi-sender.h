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

#include <cstdint>
#include <map>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @brief Sends records to other partitions as ns-3 packets, in pieces that fit ns-3's MPI messages.
 *
 * ns-3 addresses a device of a node and derives its look-ahead from the channels of devices. So
 * each partition is a node, and each pair of partitions a channel whose `Delay` is the shortest
 * flight time of all cables between partitions. Time is in picoseconds, so nothing is rounded.
 */
class MpiSender final : public PartitionSender
{
  public:
    /// ns-3 takes messages of 2,000 bytes including its own header; this stays well below.
    static constexpr std::uint32_t PIECE_BYTES = 1600;

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
     * @brief For null messages. With each packet, ns-3 promises that no other comes before the next
     * event it knows of. But it knows only the agenda's first work item, and only once the current
     * work is done. An event at the present instant keeps it from promising more.
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

    std::vector<std::uint64_t> Exchange(const std::vector<std::uint64_t>& own) override;

  private:
    /// Precedes each piece of a record.
    struct PieceHead
    {
        Ps at;
        std::uint64_t record; ///< number of the record at its sender
        std::uint32_t index;
        std::uint32_t towardsReceiver;
        std::uint32_t total; ///< bytes of the record
        std::uint32_t from;  ///< offset of this piece in the record
    };

    /// A received piece.
    struct Piece
    {
        PieceHead head;
        RemoteLinkRecord bytes;

        bool operator<(const Piece& other) const;
    };

    void Join(std::uint32_t a, std::uint32_t b, Ps lookahead);
    void Receive(Ptr<ns3::Packet> packet);
    void Deliver();

    bool m_holds{false};
    EventId m_present; ///< the event of the present instant
    RemoteLinks* m_remoteLinks{nullptr};
    NodeContainer m_nodes;                            ///< by partition
    std::map<std::uint32_t, std::uint32_t> m_devices; ///< our remote devices, by partition
    std::uint64_t m_sent{0};                          ///< records

    /// Pieces received for one instant, in any order: ns-3 has a receive posted for each partition
    /// and polls them by number, so the later of two messages can come first.
    std::vector<Piece> m_come;
};

} // namespace via
} // namespace ns3

#endif // VIA_MPI_SENDER_H
