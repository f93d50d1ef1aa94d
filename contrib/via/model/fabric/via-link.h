/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// One direction of a wire: serialization, flight time and credits.

#ifndef VIA_LINK_H
#define VIA_LINK_H

#include "ns3/via-component.h"
#include "ns3/via-credit.h"
#include "ns3/via-link-costs.h"
#include "ns3/via-link-faults.h"
#include "ns3/via-port.h"
#include "ns3/via-ring.h"
#include "ns3/via-shared.h"

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace via
{

/// When the receiver wants to hear of a burst, and what `Burst::Group::first` tells it.
enum class Notice
{
    FIRST_BIT,  ///< a switch that cuts through
    FIRST_CELL, ///< a NIC or a switch that handles whole cells
};

class LinkLanes;

/**
 * @brief The sending end of a wire, or of several side by side, owned by a NIC or by a switch.
 *
 * Several wires take the cells in turn. Each cell takes the time of one wire; it starts no earlier
 * than the one before it, and what overtakes that one waits for it at the receiver's end.
 *
 * Bursts leave in the order in which they were handed over. A burst waits for the wire and for
 * credits for its cells; then its whole timing is known and the receiver gets one event. When the
 * credits known are too few for a burst, what they are enough for goes as a burst of its own.
 *
 * A wire may have faults (Faults()). A corrupt cell uses the receiver's room like any other. One
 * that vanished leaves its slot empty on the wires behind this one; its credit is missing until
 * sender and receiver compare their counts, which they do every `link.credit_resync` and when the
 * wire comes up again. While it is down, cells leave as ever, for nowhere: a port without a carrier
 * does not hold up who sends.
 */
class alignas(64) Link final : public OutPort, public InPort, public AgendaTarget
{
  public:
    /// Credits that come back by a resync are behind all other work of an instant.
    static constexpr AgendaPort RESYNC_PORT = UINT32_MAX;

    /// Wires side by side at the most.
    static constexpr std::uint32_t MAX_WIRES = 4;

    /**
     * @param owner the component that sends on this wire
     * @param costs of the wire
     * @param which tells the owner's link clocks apart
     */
    Link(Component& owner, const Shared<LinkCosts>& costs, std::uint32_t which);
    ~Link() override;

    /**
     * @brief Plugs the far end.
     * @param peer the component that receives
     * @param port where its work arrives
     * @param target gets OnAgenda(@p kind, pointer to the Burst)
     */
    void Connect(Component& peer,
                 AgendaPort port,
                 AgendaTarget* target,
                 std::uint32_t kind,
                 Notice notice);

    /// What goes wrong on this wire: nothing, until something is added.
    LinkFaults& Faults();

    /// From now on the wire spoils so many cells.
    void SetLoss(const LinkLoss& loss);

    void OnAgenda(std::uint32_t kind, std::uint64_t data) override;
    void Transmit(Burst* burst, DepartureListener* listener) override;
    std::uint32_t CellsFor(std::uint32_t bytes) const override;

    /// Payload of a packet that fills @p cells.
    std::uint32_t PayloadOf(std::uint32_t cells) const
    {
        return cells * m_costs->cellPayload - m_costs->messageHeader;
    }

    void ReturnCredits(std::uint32_t cells, Ps at, Ps spacing) override;
    InPort* OfLane(std::uint32_t lane) override;

    /**
     * @brief The cable of this wire has another length than the profile's.
     * @throws ConfigError its flight is too long for the slack of a buffer that stops the sender
     */
    void SetFlight(Ps flight);

    /**
     * @brief The far end is told of a burst so much before its first notice is due.
     * For who carries it to another rank and needs that time. Not longer than Lookahead().
     */
    void SetLead(Ps lead)
    {
        m_lead = lead;
    }

    /// At the other end is a host, which knows nothing of lanes: all bursts take lane 0.
    void EndAtHost();

    /// What is wrong when nothing is under way: cells that wait, credits that are not home; "" if
    /// all is well.
    std::string Violation() const;

    /// What a packet for host h has to pass behind this wire: (*@p hops)[h] switches.
    void SetSwitchesAhead(std::shared_ptr<const std::vector<std::uint8_t>> hops)
    {
        m_ahead = std::move(hops);
    }

    /// From a hand-over to the first notice at the receiver it takes at least this long.
    Ps Lookahead() const;

    /// From a credit's return at the receiver to its arrival here.
    Ps CreditLookahead() const
    {
        return m_flight + m_clock.Span(Cycles(m_costs->creditBytes));
    }

    /// ps that one cell of full length takes on the wire, rounded down.
    Ps CellTime() const
    {
        return m_cellTime;
    }

    /// When the cells of a group leave, in its order.
    struct Leaving
    {
        Ps first;     ///< the last bit of the first cell
        Ps last;      ///< the last bit of the last cell
        bool isShort; ///< the last cell takes less than CellTime
    };

    /// @param index of the group in a burst that has got its departure
    Leaving WhenLeaves(const Burst& burst, std::uint32_t index) const;

    /// When the first bit of a burst that has got its departure leaves. One of several wires: seen
    /// from the end of its first cell.
    Ps FirstBit(const Burst& burst) const;

    const LinkCosts& Costs() const
    {
        return *m_costs;
    }

    /// Time from one end of the cable to the other.
    Ps Flight() const
    {
        return m_flight;
    }

    /// Cells handed over that have no departure time yet.
    std::uint32_t WaitingCells() const;

    /// Are they, and what the wire is busy with, @p cells at least?
    bool HasBacklog(std::uint64_t cells) const;

    /// Cells that have got a departure time since the start.
    std::uint64_t CellsSent() const
    {
        return m_cellsSent;
    }

    /// Bytes of them on the wire.
    std::uint64_t BytesSent() const
    {
        return m_bytesSent;
    }

    /// Cells damaged since the start.
    std::uint64_t CellsCorrupt() const
    {
        return m_faults == nullptr ? 0 : m_faults->CellsCorrupt();
    }

    /// Cells that left and did not arrive.
    std::uint64_t CellsLost() const
    {
        return m_faults == nullptr ? 0 : m_faults->CellsLost();
    }

    /// Of them and of the damaged: those that SetLoss asked for.
    FaultToll OwnToll() const
    {
        return m_faults == nullptr ? FaultToll{} : m_faults->OwnToll();
    }

    /// Cells on the wire or in the receiver's buffer; 0 when all is quiet.
    std::uint32_t CellsOut() const;

    /// When cell @p i of a group arrives as a whole.
    Ps ArrivalOfCell(const Burst::Group& group, std::uint32_t i) const;

  private:
    struct Waiting
    {
        Burst* burst;
        DepartureListener* listener;
    };

    /// What became of the cells of a burst.
    struct CellCounts
    {
        std::uint32_t seen{0};
        std::uint32_t vanished{0};
        std::uint32_t cut{0};
    };

    friend class LinkLanes; // which decides who leaves when, where there is more than one loop

    /// @param notBefore a burst that waited for credits leaves when the last of them is home
    void Depart(Burst& burst, DepartureListener* listener, Ps notBefore, CreditLoop& credits);
    void Notify(Burst& burst);
    void Serve(Ps notBefore);
    void Send(Burst& burst, std::uint32_t index, CreditLoop& credits);
    Moment Start(const Burst& burst, const Burst::Group& group, CreditLoop& credits);
    void PassDropped(Burst& burst, DepartureListener* listener);
    Ps FreeAt() const;
    Moment Behind(const Moment& ready, const Moment& free, bool isOurs);
    Cycles Length(const Burst& burst, std::uint32_t index) const;
    Cycles RouteLength(const Burst& burst, std::uint32_t index) const;
    Moment Fly(Moment from);
    void Spoil(Burst& burst, Ps handed);
    void SpoilGroup(Burst& burst, std::uint32_t index, Ps ready, CellCounts& counts);
    void PlanResync(std::uint32_t cells, std::uint32_t lane, Ps after);

    // in front what a credit that comes back needs
    Shared<LinkCosts> m_costs;
    ClockDomain m_clock;
    Ps m_flight;
    CreditLoop m_credits;
    Ring<Waiting> m_waiting;
    Component& m_owner;
    // then what each burst needs
    Ps m_cellTime{0};
    std::unique_ptr<LinkLanes> m_lanes;   ///< null: one lane under credits, `m_credits`
    std::unique_ptr<LinkFaults> m_faults; ///< null: none
    std::shared_ptr<const std::vector<std::uint8_t>> m_ahead; ///< null: no route in the head
    Moment m_started;                                         ///< the last cell, or group of cells
    Moment m_end;                                             ///< the last bit so far has left
    const Packet* m_last{nullptr};                            ///< whose bit that was
    std::uint64_t m_inRow{0}; ///< cells, or groups of them, of it since another's
    ComponentId m_peer{0};    ///< who receives: only his place on the agenda is needed
    AgendaTarget* m_target{nullptr};
    AgendaPort m_port{0};
    std::uint32_t m_kind{0};
    Notice m_notice{Notice::FIRST_CELL};
    std::uint32_t m_turn{0}; ///< the wire that takes the next cell
    Ps m_lead{0};            ///< see SetLead
    std::uint64_t m_cellsSent{0};
    std::uint64_t m_bytesSent{0};
    std::array<Moment, MAX_WIRES> m_free; ///< when the last bit so far has left each wire
    std::uint32_t m_which;
};

} // namespace via
} // namespace ns3

#endif // VIA_LINK_H
