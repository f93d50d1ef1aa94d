/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The receive engine: from cells on the wire to a completion in host memory.

#ifndef VIA_RECEIVE_ENGINE_H
#define VIA_RECEIVE_ENGINE_H

#include "ns3/via-arrivals.h"
#include "ns3/via-descriptor-checks.h"
#include "ns3/via-nic-engine.h"
#include "ns3/via-port.h"
#include "ns3/via-transport.h"
#include "ns3/via-virtual-interface.h"

#include <cstddef>

namespace ns3
{
namespace via
{

/**
 * @brief Works off bursts in the order of their arrival.
 *
 *     IDLE --first cell--> BEGIN --consumes a receive--> FETCH --+--> PLACE --last--> STATUS --+
 *      |                        `-- plain RDMA write ------------+      ^ (each group)        |
 *      +--later burst of a message--------------------------------------+            IDLE <---+
 *
 * Of each burst it takes the cells that are whole and in order: those of a reliable packet as its
 * channel admits them, an unreliable message entirely or not at all. The others only give their
 * room back.
 */
class ReceiveEngine final : public NicEngine
{
  public:
    ReceiveEngine(Nic& nic, const Shared<NicCosts>& costs);

    /// The upstream end of the wire: gets the credits. Null: somebody else gives them back.
    void SetUpstream(InPort* upstream)
    {
        m_upstream = upstream;
    }

    /// The first cell of @p burst is there as a whole.
    void Accept(Burst* burst);

    /// A hint: a burst arrives next. What gives room back is in the front of a wire.
    void PrefetchWire() const
    {
        if (m_upstream != nullptr) // else somebody else gives it back
        {
            PrefetchUpTo(m_upstream, reinterpret_cast<const char*>(m_upstream) + WIRE_BYTES);
        }
    }

    /// The message that is arriving for @p vi is not wanted any more.
    void DropArrival(VirtualInterface& vi, Ps at);

    /// Messages that were damaged, found no VI, no connection or no descriptor, or failed a check.
    std::uint64_t MessagesDropped() const
    {
        return m_dropped;
    }

    /// When its next step begins, at the earliest; PS_NEVER if there is none, or an event decides.
    Ps NextAt() const
    {
        return IsHeld() ? PS_NEVER : StepAt();
    }

    /// Does that step, and those that follow in its turn.
    void PlanStep();

  private:
    friend class NicEngine;

    static constexpr std::size_t WIRE_BYTES = 192;

    enum class State
    {
        IDLE,
        FETCH,
        PLACE,
        STATUS,
    };

    bool Step();
    Ps StepAt() const;
    bool Begin();
    void Admit();
    void BeginPacket();
    void BeginMessage();
    void TakeReceive(VirtualInterface& vi);
    void BeginRdmaWrite(VirtualInterface& vi);
    void BeginReadResponse(VirtualInterface& vi);
    void BeginDatagram();
    /// As PlaceGroup, of a datagram: @p taken cells go into the driver's buffer.
    bool PlaceDatagram(const Burst::Group& group, std::uint32_t taken);
    bool Fetch();
    bool Place();
    /// Places cells up to number @p seen once the group is there. @return false to be called again
    bool PlaceGroup(VirtualInterface& vi, std::uint32_t seen);
    bool PlaceCells(VirtualInterface& vi, std::uint32_t seen);
    bool PlaceBytes(VirtualInterface& vi, std::uint32_t upTo);
    Piece Target(VirtualInterface& vi, std::uint32_t bytes);
    bool EndBurst();
    void EndControl();
    void FreeBurst();
    bool Status();
    void FinishMessage(VirtualInterface& vi);
    void FinishReceive(VirtualInterface& vi);
    void Record(std::uint32_t rank, bool dropped);
    void Drop(std::uint32_t rank);
    void Abandon(VirtualInterface& vi);
    /// Would cells up to number @p seen leave no room for what comes next?
    bool FillsBuffer(const VirtualInterface& vi, std::uint32_t seen) const;
    /// Is a piece of payload that is placed together there, with cell @p seen - 1?
    bool IsPieceWhole(const VirtualInterface& vi, std::uint32_t seen) const;
    /// The card stores cells as they arrive: they leave the wire's buffer at once.
    void Store(const Burst& burst);
    void ReturnCredits(std::uint32_t cells, Ps at);
    void GiveRoomBack(std::uint32_t cells, Ps at);
    VirtualInterface* Arriving();

    /// The last cell of the packet is among those that were taken.
    bool IsComplete() const
    {
        return m_taken.to > m_taken.from &&
               m_burst->firstCell + m_taken.to == m_burst->packet->cells;
    }

    InPort* m_upstream{nullptr};
    Ring<Burst*, 2> m_bursts;

    State m_state{State::IDLE};
    Arrivals m_arrivals;
    Burst* m_burst{nullptr};
    const Packet* m_worksOn{nullptr};     ///< the packet whose work m_at is the end of
    TransportChannel* m_channel{nullptr}; ///< of the burst; null when it is not reliable
    Admission m_taken;                    ///< cells of the burst that are taken
    std::uint32_t m_group{0};             ///< of the burst: the one to place next
    std::uint32_t m_cellsDone{0};         ///< of the burst: those of the groups before it
    std::uint32_t m_vanished{0};          ///< of the burst: cells that took no room here
    std::uint32_t m_datagramBytes{0};     ///< of a group of a datagram: those placed
    std::uint32_t m_held{0};              ///< cells in the buffer that wait for the rest of a group
    std::uint64_t m_dropped{0};
};

} // namespace via
} // namespace ns3

#endif // VIA_RECEIVE_ENGINE_H
