/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// One direction of a wire: serialization, flight time and credits.

#ifndef VIA_LINK_H
#define VIA_LINK_H

#include "ns3/via-component.h"
#include "ns3/via-credit.h"
#include "ns3/via-link-backlog.h"
#include "ns3/via-link-costs.h"
#include "ns3/via-link-faults.h"
#include "ns3/via-port.h"
#include "ns3/via-ring.h"
#include "ns3/via-shared.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace via
{

/// When the receiver is notified of a cell; the time in `Cell::first`.
enum class Notice : std::uint8_t
{
    FIRST_BIT, ///< a switch that cuts through
    LAST_BIT,  ///< a NIC or a switch that handles whole cells
};

class LinkLanes;
struct LinkExtras;

/// Hears of all credits that return on a wire.
class CreditListener
{
  public:
    virtual ~CreditListener() = default;

    /// @p cells credits return at @p at. Called at that instant or before.
    virtual void OnCredits(std::uint32_t cells, Ps at) = 0;
};

/**
 * @brief The sending end of a wire, or of several in parallel, owned by a NIC or a switch.
 *
 * Several wires take cells in turn. Each cell takes the time of one wire. It starts no earlier than
 * the cell before it; a cell that overtakes that one waits for it at the receiver's end.
 *
 * Cells leave in the order of their hand-over. A cell waits for the wire and for its credit; then
 * its whole timing is known and the receiver gets one event.
 *
 * A wire may have faults (Faults()). A corrupt cell uses the receiver's room like any other. A
 * vanished cell leaves its slot empty on the following wires; its credit is missing until sender
 * and receiver compare their counts, which they do every `link.credit_resync` and when the wire
 * comes up again. While the wire is down, cells leave as usual and are lost: a port without a
 * carrier does not block the sender.
 */
class alignas(64) Link final : public OutPort, public InPort, public AgendaTarget
{
  public:
    /// Credits returned by a resync come after all other work at an instant.
    static constexpr AgendaPort RESYNC_PORT = UINT32_MAX;

    /// Kind of work: a credit is certain, cells wait for it. Other kinds are lanes.
    static constexpr std::uint32_t SERVE = UINT32_MAX;

    /// Maximum number of parallel wires.
    static constexpr std::uint32_t MAX_WIRES = 4;

    /**
     * @param owner the component that sends on this wire
     * @param costs of the wire
     * @param which distinguishes the owner's link clocks
     */
    Link(Component& owner, const Shared<LinkCosts>& costs, std::uint32_t which);
    ~Link() override;

    /**
     * @brief Connects the far end.
     * @param peer the component that receives
     * @param port of the peer at which its work arrives
     * @param target gets OnAgenda(@p kind, pointer to the Cell)
     * @param early if not null, it is told of each cell instead, without an event
     */
    void Connect(Component& peer,
                 AgendaPort port,
                 AgendaTarget* target,
                 std::uint32_t kind,
                 Notice notice,
                 EarlyReceiver* early = nullptr);

    /// The faults of this wire; none until some are added.
    LinkFaults& Faults();

    /// @param listener hears of the credits that return; outlives the run
    void AddCreditListener(CreditListener& listener);

    /// Nobody hears of credits any more.
    void DropCreditListeners();

    /// From now on the wire damages or loses this share of cells, beside those that its own wrong
    /// bits damage.
    void SetLoss(const LinkLoss& loss);

    void OnAgenda(std::uint32_t kind, std::uint64_t data) override;
    void Transmit(Cell* cell, DepartureListener* listener) override;

    /// Whether Transmit would give @p cell a departure time at once.
    bool SendsAtOnce(const Cell& cell) const;

    std::uint32_t CellsFor(std::uint32_t bytes) const override;

    /// Payload of a packet that fills @p cells cells.
    std::uint32_t PayloadOf(std::uint32_t cells) const
    {
        return cells * m_costs->cellPayload - m_costs->messageHeader;
    }

    void ReturnCredits(std::uint32_t cells, Ps at) override;
    InPort* OfLane(std::uint32_t lane) override;

    /**
     * @brief Sets the cable's flight time, in place of the profile's.
     * @throws ConfigError if it is too long for the slack of a buffer that stops the sender
     */
    void SetFlight(Ps flight);

    /**
     * @brief The far end hears of a cell this long before its first notice is due.
     * For a carrier to another partition that needs that time. At most Lookahead().
     */
    void SetLead(Ps lead)
    {
        m_lead = lead;
    }

    /**
     * @brief The far end is a host, which has no lanes: all cells take lane 0.
     * @param mayHold packets may wait there for an earlier one, see PairOrder: their credits return
     * before those of others that were announced earlier
     */
    void EndAtHost(bool mayHold);

    /// Describes what is wrong in an idle fabric: waiting cells or missing credits; ""
    /// if all is well.
    std::string Violation() const;

    /// A packet for host h passes (*@p hops)[h] switches after this wire.
    void SetSwitchesAhead(std::shared_ptr<const std::vector<std::uint8_t>> hops);

    /// @p cell will be sent soon. The link itself has been prefetched.
    void PrefetchFarEnd(Hint hint, const Cell& cell) const
    {
        if (m_backlog != nullptr && hint == Hint::NEXT)
        {
            PrefetchObject(m_backlog.get());
        }
        if (m_early != nullptr)
        {
            m_early->Prefetch(hint, cell);
        }
    }

    /// Minimum time from a hand-over to the first notice at the receiver.
    Ps Lookahead() const
    {
        return Lookahead(*m_costs, m_flight, m_notice);
    }

    /// That of a wire with these costs.
    static Ps Lookahead(const LinkCosts& costs, Ps flight, Notice notice);

    /// Time from a credit's return at the receiver to its arrival here.
    Ps CreditLookahead() const
    {
        return m_creditLookahead;
    }

    /// Time of one full-length cell on the wire in ps, rounded down.
    Ps CellTime() const
    {
        return m_cellTime;
    }

    /// When the last bit of a cell with a departure time leaves.
    Ps LastBit(const Cell& cell) const
    {
        return cell.last.at - m_flight;
    }

    /// When the first bit of a cell with a departure time leaves. With several wires, this is
    /// computed from its end.
    Ps FirstBit(const Cell& cell) const;

    /// Cells that may be in the buffer at the far end; 0: credits do not limit them.
    std::uint32_t Room() const
    {
        return m_costs->flow == FlowControl::CREDITS ? m_costs->credits : 0;
    }

    const LinkCosts& Costs() const
    {
        return *m_costs;
    }

    /// Propagation time of the cable.
    Ps Flight() const
    {
        return m_flight;
    }

    /// Cells handed over that have no departure time yet.
    std::uint32_t WaitingCells() const;

    /// From now on Backlog() may be called.
    void CountBacklog()
    {
        m_counts = true;
    }

    /// Cells handed over whose last bit has not left yet.
    std::uint64_t Backlog();

    /// Cells that got a departure time since the start.
    std::uint64_t CellsSent() const
    {
        return m_cellsSent;
    }

    /// Cells that have left: if the run is stopped, without those that were to leave later.
    std::uint64_t CellsLeft() const
    {
        return m_cellsSent - m_cellsLate;
    }

    /// Their bytes on the wire, with those of a cell that the stop has cut.
    std::uint64_t BytesLeft() const
    {
        return m_bytesLeft;
    }

    /// From now on LeftByNow() is exact. What is certain to leave by now counts as gone.
    void RecordDepartures();

    /// Cells that have left completely, and their bytes. Unless departures are recorded, it counts
    /// all that are certain to leave.
    LinkTally LeftByNow() const;

    /// The time that the wires needed for these bytes.
    Ps BusyTime() const;

    /// When the last bit so far has left; at the latest when the run is stopped.
    Ps SilentFrom() const
    {
        return std::min(m_end.at, m_owner.GetWorld().agenda.Limit());
    }

    /// Cells damaged since the start.
    std::uint64_t CellsCorrupt() const;

    /// Cells that left and did not arrive.
    std::uint64_t CellsLost() const;

    /// Of the lost and the damaged cells, those caused by SetLoss or the product's own wires.
    FaultLosses OwnToll() const;

    /// Cells on the wire or in the receiver's buffer; 0 when the fabric is idle.
    std::uint32_t CellsOut() const;

  private:
    struct Waiting
    {
        Cell* cell;
        DepartureListener* listener;
    };

    friend class LinkLanes; // which schedules departures where there is more than one credit loop

    /// How long before its return a credit is known at the latest: news from another partition
    /// comes when it is due.
    Ps CreditNotice() const
    {
        return m_lead > 0 ? 0 : m_creditLookahead;
    }

    /// @param notBefore when the credit that the cell waited for has returned
    /// @return when its last bit arrives; PS_NEVER: it vanishes
    Ps Depart(Cell& cell, DepartureListener* listener, Ps notBefore, CreditLoop& credits);
    void Notify(Cell& cell);

    /// Returns credits to @p credits; all of them come this way.
    void Return(CreditLoop& credits, std::uint32_t cells, Ps at)
    {
        if (m_extras != nullptr)
        {
            TellListener(cells, at);
        }
        credits.Return(cells, at);
    }

    void TellListener(std::uint32_t cells, Ps at) const;

    void Serve()
    {
        if (!m_waiting.IsEmpty())
        {
            ServeWaiting();
        }
    }

    void ServeWaiting();
    /// Credits that return until then are certain to be the next for @p cell: none that is
    /// announced later could return earlier and matter.
    Ps CertainFor(const Cell& cell) const;

    /// Remembers when the last cell leaves, as another one follows while it waits for that.
    void NoteEarlier();

    /// Whether @p credits hold one for @p cell.
    bool Suffice(const CreditLoop& credits, const Cell& cell) const
    {
        return credits.HasOne() || credits.ReturnsBy(CertainFor(cell));
    }

    /// @tparam EXTRAS whether m_extras is not null
    template <bool RECORDS, bool EXTRAS>
    Ps Send(Cell& cell, DepartureListener* listener, Ps notBefore, CreditLoop& credits);
    template <bool RECORDS, bool EXTRAS>
    void Serialize(Cell& cell, Ps notBefore, CreditLoop& credits);
    /// Takes back what of a cell, just counted, leaves after the run is stopped.
    [[gnu::cold]] void Discount(Cycles length, ClockDomain::Window window);
    /// @param free when the last bit so far has left the wire that takes the cell
    template <bool RECORDS>
    Moment Start(const Cell& cell, const Moment& free, Ps notBefore, CreditLoop& credits);
    void PassDropped(Cell& cell, DepartureListener* listener);
    /// Lanes that take turns; null: one lane under credits, `m_credits`.
    LinkLanes* Lanes() const;
    bool HasFaults() const;
    /// What the wire has of LinkExtras, to be changed.
    LinkExtras& MakeExtras();
    /// When the last bit so far has left the wire that takes the next cell.
    Moment& NextFree();
    Ps FreeAt() const;
    template <bool RECORDS>
    Moment After(const Moment& ready, const Moment& free, bool isOurs);
    Cycles Length(const Cell& cell) const;
    Cycles RouteLength(const Cell& cell) const;
    template <bool RECORDS>
    Moment Fly(Moment from);
    /// @param number of it among all cells that have left
    /// @param held since when it was in the sender's buffer
    void Corrupt(Cell& cell, std::uint64_t number, Ps held);
    void PlanResync(std::uint32_t lane, Ps after);

    // first what a returning credit needs
    Shared<LinkCosts> m_costs;
    ClockDomain m_clock;
    Ps m_flight;
    Ps m_creditLookahead; ///< see CreditLookahead
    CreditLoop m_credits;
    Ring<Waiting> m_waiting;
    bool m_inOrder{false}; ///< the far end announces credits in the order of time
    Notice m_notice{Notice::LAST_BIT};
    std::uint8_t m_turn{0}; ///< the wire that takes the next cell
    bool m_counts{false};   ///< somebody asks for the backlog
    ComponentId m_peer{0};  ///< the receiver: only its agenda is used
    Ps m_serveAt{PS_NEVER}; ///< m_waiting is served then, by an event
    Component& m_owner;
    std::unique_ptr<LinkExtras> m_extras; ///< null: none needed so far
    // then what each cell needs
    Ps m_cellTime{0};
    std::unique_ptr<LinkBacklog> m_backlog; ///< without the last cell; null: there was none before
    Ps m_earlier{0};                        ///< when the last cell of m_backlog leaves
    Moment m_started;                       ///< the last cell
    Moment m_end;                           ///< the last bit so far has left
    Moment m_free;                          ///< the last bit so far has left the first wire
    EarlyReceiver* m_early{nullptr};        ///< see Connect
    AgendaTarget* m_target{nullptr};
    AgendaPort m_port{0};
    std::uint32_t m_kind{0};
    Ps m_lead{0}; ///< see SetLead
    std::uint64_t m_cellsSent{0};
    std::uint64_t m_bytesLeft{0};
    std::uint32_t m_cellsLate{0}; ///< of m_cellsSent, those that leave after the run is stopped
    std::uint32_t m_which;
};

static_assert(sizeof(Link) == 320, "a cluster has many: five cache lines");

} // namespace via
} // namespace ns3

#endif // VIA_LINK_H
