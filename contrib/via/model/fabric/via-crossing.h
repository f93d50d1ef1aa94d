/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A wire whose ends are on two ranks: bursts one way, credits the other, as records with times.

#ifndef VIA_CROSSING_H
#define VIA_CROSSING_H

#include "ns3/via-component.h"
#include "ns3/via-link.h"
#include "ns3/via-port.h"

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

/// What a crossing sends: bytes that mean something to the other end of the same crossing only.
using CrossingRecord = std::vector<std::uint8_t>;

/// Takes records of crossings to other ranks.
class CrossingCarrier
{
  public:
    virtual ~CrossingCarrier() = default;

    /**
     * @brief Takes @p record to the other end of crossing @p crossing, whole and in order.
     * @param towardsReceiver with the bursts of the wire; false: against them
     * @param at Crossing::Arrive is to be called 1 ps before this instant
     */
    virtual void Carry(std::uint32_t crossing,
                       bool towardsReceiver,
                       Ps at,
                       const CrossingRecord& record) = 0;
};

/**
 * @brief One direction of a cable between two ranks.
 *
 * The sender's rank has the Link with all it knows, and a crossing in the place of the receiver;
 * the receiver's rank has a crossing in the place of the Link. A burst is carried when it is on
 * the cable: it arrives a flight later at the soonest, and that is the look-ahead. So is a credit.
 * No end learns of either before the instant at which it is due (but for 1 ps, which puts it into
 * its order among the other work of that instant).
 *
 * Payload travels with the cells that carry it, after the sender's memory has settled. Where cells
 * are lost, some of a packet may follow behind its last one: both ends know it until nobody but the
 * crossing holds it at the sender.
 */
class Crossing final : public Component, public AgendaTarget, public InPort
{
  public:
    /// Credits that come home are behind the other work of an instant, by number of the crossing.
    static constexpr AgendaPort CREDIT_PORT = 0xc000'0000;

    /**
     * @param world of this rank
     * @param id number of this component, the same on all ranks
     * @param index number of this crossing, the same on all ranks
     * @param sender who owns @p link
     * @param link the wire; on the receiver's rank one like it, of which only its costs are used
     */
    Crossing(World& world,
             ComponentId id,
             std::uint32_t index,
             Component& sender,
             Link& link,
             CrossingCarrier& carrier);

    /// The sender is on this rank: what leaves on the wire is carried.
    void TakeFromLink(Notice notice);

    /// The receiver is on this rank: what arrives is given to @p target as work of @p peer.
    void GiveTo(Component& peer, AgendaPort port, AgendaTarget* target, std::uint32_t kind);

    /// A record from the other end: it takes effect in 1 ps.
    void Arrive(bool towardsReceiver, Ps at, const CrossingRecord& record);

    void OnAgenda(std::uint32_t kind, std::uint64_t data) override;
    void ReturnCredits(std::uint32_t cells, Ps at, Ps spacing) override;
    InPort* OfLane(std::uint32_t lane) override;

    /// From a decision at one end to the instant for which it is carried it takes so long at least.
    Ps Lookahead() const;

  private:
    /// Where the receiver gives back room of one virtual lane.
    class LaneEnd final : public InPort
    {
      public:
        LaneEnd(Crossing& crossing, std::uint32_t lane)
            : m_crossing(crossing),
              m_lane(lane)
        {
        }

        void ReturnCredits(std::uint32_t cells, Ps at, Ps spacing) override
        {
            m_crossing.CarryCredits(m_lane, cells, at, spacing);
        }

      private:
        Crossing& m_crossing;
        std::uint32_t m_lane;
    };

    /// Credits under way to the Link.
    struct Credits
    {
        std::uint32_t lane;
        std::uint32_t cells;
        Ps at;
        Ps spacing;
    };

    void CarryBurst(Burst& burst);
    void CarryCredits(std::uint32_t lane, std::uint32_t cells, Ps at, Ps spacing);
    void Carry(bool towardsReceiver, Ps at, const CrossingRecord& record);
    void ArriveBurst(Ps at, const CrossingRecord& record);
    void ArriveCredits(Ps at, const CrossingRecord& record);
    std::uint64_t KeepOutbound(Packet& packet);
    void ForgetInbound(std::uint64_t before);

    std::uint32_t m_index;
    Component& m_sender;
    Link& m_link;
    CrossingCarrier& m_carrier;
    std::deque<LaneEnd> m_lanes;
    std::map<std::uint64_t, Packet*> m_outbound; ///< cells may be carried again; by serial
    std::map<std::uint64_t, Packet*> m_inbound;  ///< some cells have arrived; by sender's serial
    std::vector<Credits> m_credits;              ///< those that are on the agenda
    std::vector<std::uint32_t> m_freeCredits;    ///< places of m_credits that are free
    Component* m_peer{nullptr};
    AgendaTarget* m_target{nullptr};
    AgendaPort m_port{0};
    std::uint32_t m_kind{0};
};

} // namespace via
} // namespace ns3

#endif // VIA_CROSSING_H
