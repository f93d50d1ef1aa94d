/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Records of crossings over ns-3's MpiInterface.

#ifndef VIA_MPI_SENDER_H
#define VIA_MPI_SENDER_H

#include "ns3/event-id.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/packet.h"
#include "ns3/via-rank-crossings.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @brief Takes records to other ranks as ns-3 packets, in pieces that fit ns-3's MPI messages.
 *
 * ns-3 addresses a device of a node and takes its look-ahead from the channels of devices: each
 * rank is a node, and each pair of ranks a channel whose `Delay` is the least flight of all cables
 * between ranks. Time is in picoseconds, so nothing is rounded on the way.
 */
class MpiSender final : public RankSender
{
  public:
    /// ns-3 takes messages of 2,000 bytes with its own head; we stay well below.
    static constexpr std::uint32_t PIECE_BYTES = 1600;

    /**
     * @brief Makes the nodes, before anybody else makes one: a rank's number is its node's.
     * @param ranks the same on all of them
     */
    explicit MpiSender(std::uint32_t ranks);

    /**
     * @brief Makes the channels. The same on all ranks.
     * @param lookahead of all ranks, see RankCrossings::Lookahead
     */
    void Connect(RankCrossings& crossings, Ps lookahead);

    /**
     * @brief For null messages. ns-3 promises with each packet that no other comes before the next
     * event that it knows of; but it knows only the first work on the agenda, and not before what
     * is being done is over. An event of the present instant keeps it from promising more.
     */
    void HoldPromises()
    {
        m_holds = true;
    }

    void Send(std::uint32_t rank,
              std::uint32_t index,
              bool towardsReceiver,
              Ps at,
              const CrossingRecord& record) override;

    std::vector<std::uint64_t> Exchange(const std::vector<std::uint64_t>& own) override;

  private:
    /// In front of each piece of a record.
    struct PieceHead
    {
        Ps at;
        std::uint64_t record; ///< counts what the sending rank has sent
        std::uint32_t index;
        std::uint32_t towardsReceiver;
        std::uint32_t total; ///< bytes of the record
        std::uint32_t from;  ///< the first of them that is in this piece
    };

    /// A piece that has come.
    struct Piece
    {
        PieceHead head;
        CrossingRecord bytes;

        bool operator<(const Piece& other) const;
    };

    void Join(std::uint32_t a, std::uint32_t b, Ps lookahead);
    void Receive(Ptr<ns3::Packet> packet);
    void Deliver();

    bool m_holds{false};
    EventId m_present; ///< the event of the present instant
    RankCrossings* m_crossings{nullptr};
    NodeContainer m_nodes;                            ///< by rank
    std::map<std::uint32_t, std::uint32_t> m_devices; ///< there, of ours: by their rank
    std::uint64_t m_sent{0};                          ///< records

    /// What has come for one instant, in any order: ns-3 has a receive posted for each rank and
    /// looks at them by their numbers, so that of two messages the later can come first.
    std::vector<Piece> m_come;
};

} // namespace via
} // namespace ns3

#endif // VIA_MPI_SENDER_H
