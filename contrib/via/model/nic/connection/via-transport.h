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

#include <deque>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{
namespace via
{

class Nic;

/// What a channel needs besides numbers, when its buffer is full or cells may be lost.
struct TransportRecovery
{
    Ps news{0};                  ///< when something was last heard, or had to be
    SpanId newsCause{0};         ///< what brought the news
    std::uint32_t silent{0};     ///< requests since the peer was last heard
    std::uint32_t complained{0}; ///< one more than the attempt whose loss the peer was told of
    bool isTimed{false};         ///< a timer is on the agenda
    bool goesBack{false};
    std::uint64_t back{0}; ///< going back: the next cell to send again
    Ps backFrom{0};        ///< going back: not before
    Ring<Packet*> sent;    ///< not acknowledged as a whole; held, if cells may be lost
    Ring<Doorbell> parked; ///< until there is room
};

/// What a NIC knows of the cells to and from one other NIC (or itself). One line of cache.
struct alignas(64) TransportChannel
{
    std::uint64_t next{0};         ///< to the peer: number of the next cell
    std::uint64_t acknowledged{0}; ///< to the peer: cells before it have arrived
    std::uint64_t expected{0};     ///< from the peer: cells before it have arrived
    std::uint64_t told{0};         ///< from the peer: it was told so of those before it
    NodeId peer{0};
    std::uint32_t era{0};                        ///< how often both directions have begun again
    std::uint32_t attempt{0};                    ///< how often we went back
    std::unique_ptr<TransportRecovery> recovery; ///< null: it was not needed yet

    TransportRecovery& Recovery()
    {
        if (recovery == nullptr)
        {
            recovery = std::make_unique<TransportRecovery>();
        }
        return *recovery;
    }
};

/// The part of a burst that its receiver takes: cells from .. to - 1.
struct Admission
{
    std::uint32_t from{0};
    std::uint32_t to{0};
};

/**
 * @brief Sequence numbers, acknowledgements and retransmission, per pair of NICs.
 *
 * All packets of reliable VIs and of the connection managers between two NICs share one channel,
 * so their order holds across VIs, and an idle VI costs nothing. The receiver takes cells in order
 * only. When one is missing it says so (once per attempt), and the sender goes back: it sends
 * everything from there on again, in units of at most 16 cells, out of its retransmission buffer.
 *
 *     sender                                 receiver
 *     cells --------------------------------> expected? --yes--> placed
 *                                                |no
 *     go back <-------- NEGATIVE_ACKNOWLEDGE ----+
 *     forget <-- acknowledges, in any packet --- or ACKNOWLEDGE, when a quarter of the buffer is
 * due time-out -- ACKNOWLEDGE_REQUEST ---------> ACKNOWLEDGE, or NEGATIVE_ACKNOWLEDGE
 *
 * After `nic.retransmit_limit` requests without an answer the channel is given up: reliable VIs
 * between the two NICs break, and both directions begin again from cell 0 in a new era. Who hears
 * of a later era than its own gives up, too; what belongs to an earlier one is not heard.
 */
class Transport final : public AgendaTarget
{
  public:
    Transport(Nic& nic, const Shared<NicCosts>& costs);

    /// The channel between this NIC and @p peer's. Stays where it is.
    TransportChannel& To(NodeId peer);

    /// The channel that @p packet came through.
    TransportChannel& From(const Packet& packet);

    // ---- sender

    /// Is the retransmission buffer for this peer full?
    bool IsFull(const TransportChannel& channel) const
    {
        return channel.next - channel.acknowledged >= m_costs->retransmitCells;
    }

    /**
     * @brief Numbers the cells of a reliable packet, and holds it until they have arrived.
     * @param at when it starts, which may be ahead of simulated time
     */
    void Enter(TransportChannel& channel, Packet& packet, Moment at);

    /// Tells the peer, in a packet that goes there anyway, what has arrived.
    void Stamp(TransportChannel& channel, Packet& packet)
    {
        packet.acknowledges = channel.expected;
        channel.told = channel.expected;
    }

    /// A channel that has to send something again; null if none has.
    TransportChannel* GoingBack() const
    {
        return m_goingBack.IsEmpty() ? nullptr : m_goingBack.At(0);
    }

    /// Cells of a packet to be sent again.
    struct Unit
    {
        Packet* packet{nullptr};
        std::uint32_t firstCell{0};
        std::uint32_t cells{0};
    };

    /**
     * @brief The next unit that @p channel sends again; with 0 cells when it is done.
     * @param current the packet that is just being sent, of which
     * @param sent cells have been handed over
     */
    Unit NextUnit(TransportChannel& channel, const Packet* current, std::uint32_t sent);

    // ---- receiver

    /// Which cells of a reliable packet's burst are to be taken. Complains of those that are lost.
    Admission Admit(TransportChannel& channel, const Burst& burst, Moment at);

    /// Cells of @p channel were placed: acknowledges them if many have not been.
    void Placed(TransportChannel& channel, Moment at)
    {
        if (channel.expected - channel.told >= m_costs->acknowledgeCells)
        {
            Tell(PacketKind::ACKNOWLEDGE, channel, channel.attempt, at);
        }
    }

    /// A packet says how far our cells have come.
    void OnAcknowledged(TransportChannel& channel, std::uint64_t before, Moment at);

    /// A packet about the channel itself has arrived.
    void OnPacket(const Packet& packet, Moment at);

    void OnAgenda(std::uint32_t kind, std::uint64_t data) override;

    /// The card forgets all it knew: its channels are in an era that their peers do not know of.
    void Reset();

    /// Cells sent again.
    std::uint64_t CellsResent() const
    {
        return m_cellsResent;
    }

    /// Acknowledgements and requests for them that were sent in packets of their own.
    std::uint64_t PacketsTold() const
    {
        return m_told;
    }

    /// Cells not acknowledged yet, of all channels.
    std::uint64_t CellsOut() const;

  private:
    void GoBack(TransportChannel& channel, Ps at);
    void GiveUp(TransportChannel& channel, std::uint32_t era, Moment at);
    void Begin(TransportChannel& channel, std::uint32_t era);
    /// Is a packet of @p era to be heard? Begins again if it is a later one.
    bool Hears(TransportChannel& channel, std::uint32_t era, Moment at);
    void SetTimer(TransportChannel& channel, Ps at);
    void HearNews(TransportChannel& channel, Moment at);
    void Tell(PacketKind kind, TransportChannel& channel, std::uint32_t attempt, Moment at);

    Nic& m_nic;
    Shared<NicCosts> m_costs;
    std::deque<TransportChannel> m_channels;
    std::vector<std::pair<NodeId, std::uint32_t>> m_byPeer; ///< index of the channel, by peer
    Ring<TransportChannel*> m_goingBack;
    std::uint64_t m_cellsResent{0};
    std::uint64_t m_told{0};
};

} // namespace via
} // namespace ns3

#endif // VIA_TRANSPORT_H
