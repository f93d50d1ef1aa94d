/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Virtual lanes of a wire: a queue and a credit loop for each, and the choice of the next lane.

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
 * @brief Decides which cell leaves next on a wire with several lanes or without credits.
 *
 * Each lane has its own queue and its own room at the receiver, so that a full lane blocks no
 * other. Lanes that could use the wire take turns, cell by cell:
 *
 *     queue --wire free, cell ready, room known--> wire
 *
 * On the only lane, a cell far from the mark at which the receiver stops the sender is handed to
 * the only wire ahead of time; so is a cell on one of several lanes that finds the wire free.
 * Otherwise the decision is made when the wire is free.
 */
class LinkLanes final : public AgendaTarget
{
  public:
    /// After all arrivals at an instant.
    static constexpr AgendaPort SERVE_PORT = Link::RESYNC_PORT - 1;

    /// @param link that has the lanes, as its costs specify
    explicit LinkLanes(Link& link);

    void Transmit(Cell* cell, DepartureListener* listener);

    /// Whether Transmit would give @p cell a departure time at once. False where it may
    /// depend on other lanes.
    bool SendsAtOnce(const Cell& cell) const;

    void OnAgenda(std::uint32_t kind, std::uint64_t data) override;

    /// The receiver is a host: from now on all cells take lane 0.
    void UseOneLane()
    {
        m_used = 1;
    }

    /// The end that gets the credits of @p lane.
    InPort* End(std::uint32_t lane)
    {
        return &m_lanes[lane % m_used];
    }

    /// Sender and receiver compared their counts: a cell had vanished.
    void Resynchronize(std::uint32_t lane);

    /// @throws ConfigError if a stop would come too late
    void CheckSlack() const;

    std::uint32_t WaitingCells() const;
    std::uint32_t CellsOut() const;

    /// Stop symbols or pause frames sent by the receiver.
    std::uint64_t Stops() const;

  private:
    struct Waiting
    {
        Cell* cell;
        DepartureListener* listener;
    };

    struct Lane final : InPort
    {
        Lane(LinkLanes& owner, std::uint32_t capacity)
            : lanes(owner),
              credits(capacity)
        {
        }

        void ReturnCredits(std::uint32_t cells, Ps at) override
        {
            lanes.Return(*this, cells, at);
        }

        LinkLanes& lanes;
        CreditLoop credits;
        std::unique_ptr<StopGo> gate; ///< null: nothing stops it
        Ring<Waiting> waiting;
    };

    /// Does nothing stop one more cell, whatever the receiver does with those under way?
    bool IsFar(const Lane& lane) const;

    void Return(Lane& lane, std::uint32_t cells, Ps at);
    void Serve();
    bool ServeOne();
    /// When to look again whether the next cell of @p lane may leave; 0: it may.
    Ps Look(Lane& lane);
    Ps LookAtOnce(Lane& lane, const Cell& cell);
    void Send(Lane& lane);
    void Plan(Ps at);

    Link& m_link;
    std::deque<Lane> m_lanes; // which must not move
    std::uint32_t m_used;     ///< lanes in use
    std::uint32_t m_busy{0};  ///< lanes with waiting cells
    std::uint32_t m_next{0};  ///< the lane whose turn it is
    Ps m_planned{PS_NEVER};   ///< time of the decision on the agenda
    bool m_serving{false};    ///< a listener to a departure may hand over the next cell
};

} // namespace via
} // namespace ns3

#endif // VIA_LINK_LANES_H
