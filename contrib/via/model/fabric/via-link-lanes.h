/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Virtual lanes of a wire: a queue and a loop for each, and who takes the wire next.

#ifndef VIA_LINK_LANES_H
#define VIA_LINK_LANES_H

#include "ns3/via-link.h"
#include "ns3/via-stop-go.h"

#include <deque>
#include <memory>

namespace ns3
{
namespace via
{

/**
 * @brief Decides which burst leaves next on a wire with several lanes, or with marks for credits.
 *
 * Each lane has a queue of its own and room of its own at the receiver, so that one that is full
 * stops nobody else. Lanes that could use the wire take it in turn, burst by burst:
 *
 *     queue --wire free, first cell ready, room known--> wire
 *
 * A burst of the only lane, far from the mark at which the receiver stops it, is handed to the wire
 * ahead of time, and so is one of several lanes that finds the wire free. Otherwise the decision is
 * made when the wire is free, and close to the mark cell by cell.
 */
class LinkLanes final : public AgendaTarget
{
  public:
    /// Behind all arrivals of an instant.
    static constexpr AgendaPort SERVE_PORT = Link::RESYNC_PORT - 1;

    /// @param link whose lanes these are, as its costs say
    explicit LinkLanes(Link& link);

    void Transmit(Burst* burst, DepartureListener* listener);
    void OnAgenda(std::uint32_t kind, std::uint64_t data) override;

    /// Whatever its lane, a burst takes lane 0 from now on: the receiver is a host.
    void UseOneLane()
    {
        m_used = 1;
    }

    /// Who gets the credits of @p lane.
    InPort* End(std::uint32_t lane)
    {
        return &m_lanes[lane % m_used];
    }

    /// Sender and receiver compared their counts: so many cells had vanished.
    void Resynchronize(std::uint32_t lane, std::uint32_t cells);

    /// @throws ConfigError a stop would come too late
    void CheckSlack() const;

    std::uint32_t WaitingCells() const;
    std::uint32_t CellsOut() const;

    /// Stop symbols or pause frames that the receiver has sent.
    std::uint64_t Stops() const;

  private:
    struct Waiting
    {
        Burst* burst;
        DepartureListener* listener;
    };

    struct Lane final : InPort
    {
        Lane(LinkLanes& owner, std::uint32_t capacity)
            : lanes(owner),
              credits(capacity)
        {
        }

        void ReturnCredits(std::uint32_t cells, Ps at, Ps spacing) override
        {
            lanes.Return(*this, cells, at, spacing);
        }

        LinkLanes& lanes;
        CreditLoop credits;
        std::unique_ptr<StopGo> gate; ///< null: nobody stops it
        Ring<Waiting> waiting;
    };

    /// What a lane could send now, or when to ask again.
    struct Offer
    {
        std::uint32_t cells;
        Ps retry;
    };

    void Return(Lane& lane, std::uint32_t cells, Ps at, Ps spacing);
    void Serve();
    bool ServeOne();
    Offer Look(Lane& lane, bool contested);
    Offer LookAtOnce(Lane& lane, const Burst& burst);
    void Send(Lane& lane, std::uint32_t cells);
    void Plan(Ps at);

    Link& m_link;
    std::deque<Lane> m_lanes; // which stay where they are
    std::uint32_t m_used;     ///< lanes that take bursts
    std::uint32_t m_next{0};  ///< the lane whose turn it is
    Ps m_planned{PS_NEVER};   ///< the decision that is on the agenda
    bool m_serving{false};    ///< whoever hears of a departure may hand over the next burst
};

} // namespace via
} // namespace ns3

#endif // VIA_LINK_LANES_H
