/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A wire between two partitions: cells one way, credits the other, as records with times.

#ifndef VIA_REMOTE_LINK_H
#define VIA_REMOTE_LINK_H

#include "ns3/via-component.h"
#include "ns3/via-link.h"
#include "ns3/via-port.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

/// A message between the two ends of a remote link; only they interpret its bytes.
using RemoteLinkRecord = std::vector<std::uint8_t>;

/// Transports records of remote links to other partitions.
class RemoteLinkCarrier
{
  public:
    virtual ~RemoteLinkCarrier() = default;

    /**
     * @brief Takes @p record to the other end of remote link @p remote, whole and in order.
     * @param towardsReceiver in the direction of the cells; false: against them
     * @param at RemoteLink::Arrive must be called before this instant
     */
    virtual void Carry(std::uint32_t remote,
                       bool towardsReceiver,
                       Ps at,
                       const RemoteLinkRecord& record) = 0;

    /// Room for the record that is being made.
    RemoteLinkRecord& Room()
    {
        return m_room;
    }

  private:
    RemoteLinkRecord m_room;
};

/**
 * @brief One direction of a cable between two partitions.
 *
 * The sender's partition has the Link with its full state, and a remote link in place of the
 * receiver. The receiver's partition has a remote link in place of the Link. A cell is transferred
 * when it is on the cable, or, from a switch without faults, as soon as it is decided when it will
 * be: it arrives at least one flight time later, and that is the look-ahead. The same holds for
 * credits. Neither end acts upon them before the instant at which they are due; they wait on its
 * agenda, or among the credits of a wire, until then.
 *
 * The causes of times are numbers of spans, which are unique in the run. The record of a message
 * travels with its cells; the receiver's partition completes its own copy.
 *
 * Payload travels with the cells that carry it, after the sender's memory has settled. Where cells
 * are lost, parts of a packet may follow its last cell: both ends keep the packet until only the
 * remote link holds it at the sender.
 */
class RemoteLink final : public Component, public AgendaTarget, public InPort, public EarlyReceiver
{
  public:
    /// Returning credits come after the other work of an instant, ordered by remote link number.
    static constexpr AgendaPort CREDIT_PORT = 0xc000'0000;

    /**
     * @param world of this partition
     * @param id number of this component, the same in all partitions
     * @param index number of this remote link, the same in all partitions
     * @param sender owner of @p link
     * @param isSwitch whether that is a switch: the bytes of its cells are known by then
     * @param link the wire; in the receiver's partition a similar one, of which only
     * the costs are used
     */
    RemoteLink(World& world,
               ComponentId id,
               std::uint32_t index,
               Component& sender,
               bool isSwitch,
               Link& link,
               RemoteLinkCarrier& carrier);

    /// For the sender's partition: transfers the cells that leave on the wire.
    void TakeFromLink(Notice notice);

    /// For the receiver's partition: gives arriving cells to @p target as work of @p peer.
    void GiveTo(Component& peer, AgendaPort port, AgendaTarget* target, std::uint32_t kind);

    /// Takes a record from the other end: it takes effect at @p at.
    void Arrive(bool towardsReceiver, Ps at, const RemoteLinkRecord& record);

    void OnAgenda(std::uint32_t kind, std::uint64_t data) override;
    void Foresee(Cell& cell) override;

    const void* HotBytes() const override
    {
        return this;
    }

    void Prefetch(Hint, const Cell&) const override
    {
    }

    using AgendaTarget::Prefetch;
    void ReturnCredits(std::uint32_t cells, Ps at) override;
    InPort* OfLane(std::uint32_t lane) override;

    /// Minimum time from a decision at one end to the instant at which it takes
    /// effect at the other.
    Ps Lookahead() const;

  private:
    /// The end to which the receiver returns room of one virtual lane.
    class LaneEnd final : public InPort
    {
      public:
        LaneEnd(RemoteLink& remote, std::uint32_t lane)
            : m_remote(remote),
              m_lane(lane)
        {
        }

        void ReturnCredits(std::uint32_t cells, Ps at) override
        {
            m_remote.CarryCredits(m_lane, cells, at);
        }

      private:
        RemoteLink& m_remote;
        std::uint32_t m_lane;
    };

    /// Credits on their way to the Link.
    struct Credits
    {
        std::uint32_t lane;
        std::uint32_t cells;
        Ps at;
    };

    void Return(const Credits& credits);
    void CarryCell(Cell& cell);
    void CarryCredits(std::uint32_t lane, std::uint32_t cells, Ps at);
    void Carry(bool towardsReceiver, Ps at, const RemoteLinkRecord& record);
    void ArriveCell(Ps at, const RemoteLinkRecord& record);
    void ArriveCredits(Ps at, const RemoteLinkRecord& record);
    std::uint64_t KeepOutbound(Packet& packet);
    void ForgetInbound(std::uint64_t before);

    std::uint32_t m_index;
    Component& m_sender;
    Link& m_link;
    RemoteLinkCarrier& m_carrier;
    bool m_isEarly; ///< transfers cells before they leave
    std::vector<LaneEnd> m_lanes;
    std::map<std::uint64_t, Packet*> m_outbound; ///< cells may be sent again; by serial
    std::map<std::uint64_t, Packet*> m_inbound;  ///< partly arrived packets; by sender's serial
    std::vector<Credits> m_credits;              ///< those on the agenda
    std::vector<std::uint32_t> m_freeCredits;    ///< free entries of m_credits
    Component* m_peer{nullptr};
    AgendaTarget* m_target{nullptr};
    AgendaPort m_port{0};
    std::uint32_t m_kind{0};
};

} // namespace via
} // namespace ns3

#endif // VIA_REMOTE_LINK_H
