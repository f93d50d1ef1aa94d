/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Reliable, ordered delivery of cells between two NICs.

#ifndef VIA_TRANSPORT_H
#define VIA_TRANSPORT_H

#include "ns3/via-agenda.h"
#include "ns3/via-doorbell.h"
#include "ns3/via-nic-costs.h"
#include "ns3/via-packet.h"
#include "ns3/via-ring.h"

#include <memory>
#include <utility>
#include <vector>

namespace ns3
{
namespace via
{

class Nic;

/// State that a channel needs only when its buffer is full or cells may be lost.
struct TransportRecovery
{
    std::uint32_t era{0};        ///< restarts of both directions
    std::uint32_t attempt{0};    ///< times that we went back
    Ps news{0};                  ///< last time that something was heard or requested
    SpanId newsCause{0};         ///< span that caused `news`
    std::uint32_t silent{0};     ///< requests since the peer was last heard
    std::uint32_t complained{0}; ///< 1 + the last attempt whose loss was reported; 0: none
    bool isTimed{false};         ///< a timer is on the agenda
    bool goesBack{false};
    std::uint64_t back{0}; ///< while going back: the next cell to retransmit
    Ps backFrom{0};        ///< while going back: earliest start
    Ring<Packet*> sent;    ///< not fully acknowledged; held if cells may be lost
    Ring<Doorbell> parked; ///< doorbells that wait for room
};

/// Sequence state of the cells to and from one other NIC (or this one): half a cache line.
struct alignas(32) TransportChannel
{
    std::uint64_t next{0};           ///< to the peer: number of the next cell
    std::uint64_t expected{0};       ///< from the peer: cells before it have arrived
    std::uint32_t unacknowledged{0}; ///< to the peer: last cells of which we do not know yet that
                                     ///< they have arrived
    std::uint32_t untold{0};         ///< from the peer: last cells that we have not acknowledged
    NodeId peer{0};
    std::uint32_t recovery{0}; ///< number of its TransportRecovery; 0: none until needed

    /// To the peer: cells before it have arrived.
    std::uint64_t Acknowledged() const
    {
        return next - unacknowledged;
    }
};

static_assert(sizeof(TransportChannel) == 32, "a large cluster has millions");

/**
 * @brief Sequence numbers, acknowledgements and retransmission, per pair of NICs.
 *
 * All packets of reliable VIs and of the connection managers between two NICs share one channel.
 * So order holds across VIs, and an idle VI costs nothing. The receiver takes cells only in order.
 * When one is missing it reports that (once per attempt), and the sender goes back: it retransmits
 * everything from there on, in units of at most `nic.retransmit_unit` cells, from its
 * retransmission buffer.
 *
 *     sender                                 receiver
 *     cells --------------------------------> expected? --yes--> placed
 *                                                |no
 *     go back <-------- NEGATIVE_ACKNOWLEDGE ----+
 *     forget <-- acknowledges, in any packet --- or ACKNOWLEDGE, for each quarter of the buffer
 *     time-out -- ACKNOWLEDGE_REQUEST ---------> ACKNOWLEDGE, or NEGATIVE_ACKNOWLEDGE
 *
 * After `nic.retransmit_limit` unanswered requests the channel is given up: reliable VIs between
 * the two NICs break, and both directions restart from cell 0 in a new era. A NIC that hears of a
 * later era than its own gives up, too; it ignores packets of an earlier era.
 */
class Transport final : public AgendaTarget
{
  public:
    Transport(Nic& nic, const Shared<NicCosts>& costs);

    /// The channel between this NIC and that of @p peer. Its address never changes.
    TransportChannel& To(NodeId peer);

    /// Reserves space for channels to @p count more peers. The first call decides the size of the
    /// first block.
    void ReservePeers(std::size_t count)
    {
        m_byPeer.reserve(m_byPeer.size() + count);
        if (m_blocks.empty())
        {
            m_blocks.emplace_back().reserve(count);
        }
    }

    /// The channel through which @p packet arrived.
    TransportChannel& From(const Packet& packet);

    /// As From. @param vi the one for which the packet is, or null
    TransportChannel& From(const Packet& packet, const VirtualInterface* vi);

    /// What @p channel has of TransportRecovery, to be changed.
    TransportRecovery& RecoveryOf(TransportChannel& channel)
    {
        if (channel.recovery == 0)
        {
            m_recoveries.push_back(std::make_unique<TransportRecovery>());
            channel.recovery = static_cast<std::uint32_t>(m_recoveries.size());
        }
        return *m_recoveries[channel.recovery - 1];
    }

    /// Restarts of both directions of @p channel.
    std::uint32_t EraOf(const TransportChannel& channel) const
    {
        return channel.recovery == 0 ? 0 : m_recoveries[channel.recovery - 1]->era;
    }

    // ---- sender

    /// Times that @p channel went back.
    std::uint32_t AttemptOf(const TransportChannel& channel) const
    {
        return channel.recovery == 0 ? 0 : m_recoveries[channel.recovery - 1]->attempt;
    }

    /// Is the retransmission buffer for the peer of @p channel full?
    bool IsFull(const TransportChannel& channel) const
    {
        return channel.unacknowledged >= m_costs->retransmitCells;
    }

    /**
     * @brief Numbers the cells of a reliable packet. Holds it until they have arrived, if cells
     * may be lost.
     * @param at when it starts, which may be ahead of simulated time
     */
    void Enter(TransportChannel& channel, Packet& packet, Moment at);

    /// Adds an acknowledgement to a packet that goes to the peer anyway.
    void Stamp(TransportChannel& channel, Packet& packet)
    {
        packet.acknowledges = channel.expected;
        channel.untold = 0;
    }

    /// A channel that has cells to retransmit, or null.
    TransportChannel* GoingBack() const
    {
        return m_goingBack.IsEmpty() ? nullptr : m_goingBack.At(0);
    }

    /// Cells of a packet to retransmit.
    struct Unit
    {
        Packet* packet{nullptr};
        std::uint32_t firstCell{0};
        std::uint32_t cells{0};
    };

    /**
     * @brief The next unit that @p channel retransmits; 0 cells if it is done.
     * @param current the packet that is being sent now
     * @param sent cells of @p current that have been handed over
     * @param at when the unit is sent
     */
    Unit NextUnit(TransportChannel& channel, const Packet* current, std::uint32_t sent, Ps at);

    // ---- receiver

    /// Takes a cell of a reliable packet, if it is intact and the next one.
    bool AdmitNext(TransportChannel& channel, const Cell& cell) const
    {
        if (cell.packet->era != EraOf(channel) || cell.lost ||
            cell.packet->sequence + cell.index != channel.expected)
        {
            return false;
        }
        ++channel.expected;
        ++channel.untold;
        return true;
    }

    /// Whether to take a cell of a reliable packet. Reports to the peer that an earlier one is
    /// lost.
    bool Admit(TransportChannel& channel, const Cell& cell, Moment at);

    /// Cells of @p channel were placed: sends an acknowledgement if enough are unacknowledged.
    void Placed(TransportChannel& channel, Moment at)
    {
        if (channel.untold >= m_costs->acknowledgeCells)
        {
            Tell(PacketKind::ACKNOWLEDGE, channel, AttemptOf(channel), at);
        }
    }

    /// A packet acknowledges our cells before number @p before.
    void OnAcknowledged(TransportChannel& channel, std::uint64_t before, Moment at);

    /// A packet that concerns the channel itself has arrived.
    void OnPacket(const Packet& packet, Moment at);

    void OnAgenda(std::uint32_t kind, std::uint64_t data) override;

    /// The card loses its state: its channels enter an era that their peers do not know yet.
    void Reset();

    /// Cells retransmitted so far.
    std::uint64_t CellsResent() const
    {
        return m_cellsResent;
    }

    /// Acknowledgements, and requests for them, sent in packets of their own.
    std::uint64_t PacketsTold() const
    {
        return m_told;
    }

    /// Unacknowledged cells of all channels.
    std::uint64_t CellsOut() const;

  private:
    void GoBack(TransportChannel& channel, Ps at);
    void GiveUp(TransportChannel& channel, std::uint32_t era, Moment at);
    void Begin(TransportChannel& channel, std::uint32_t era);
    /// May a packet of @p era be processed? Gives the channel up if that era is a later one.
    bool Hears(TransportChannel& channel, std::uint32_t era, Moment at);
    void SetTimer(TransportChannel& channel, Ps at);
    void HearNews(TransportChannel& channel, Moment at);
    /// The number of unacknowledged cells is another: counts an acknowledgement that the peer may
    /// send of itself as bound for this host.
    void SetUnacknowledged(TransportChannel& channel, std::uint64_t cells, Ps at);
    void Tell(PacketKind kind, TransportChannel& channel, std::uint32_t attempt, Moment at);

    Nic& m_nic;
    Shared<NicCosts> m_costs;
    /// Channels whose addresses never change: it does not grow beyond its capacity.
    using Block = std::vector<TransportChannel>;

    /// Makes the channel to @p peer. @return its index: blocks are filled one after another
    std::uint32_t Add(NodeId peer);
    TransportChannel& At(std::uint32_t index);

    std::vector<Block> m_blocks;
    std::vector<std::unique_ptr<TransportRecovery>> m_recoveries; ///< by number, from 1
    std::vector<std::pair<NodeId, std::uint32_t>> m_byPeer;       ///< channel index, sorted by peer
    Ring<TransportChannel*> m_goingBack;
    std::uint64_t m_cellsResent{0};
    std::uint64_t m_told{0};
};

} // namespace via
} // namespace ns3

#endif // VIA_TRANSPORT_H
