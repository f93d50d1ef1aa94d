/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A tap between a NIC and its wires: passes everything on and informs a listener.

#ifndef VIA_WIRE_TAP_H
#define VIA_WIRE_TAP_H

#include "ns3/via-cell-ledger.h"
#include "ns3/via-link.h"

#include <cstdint>
#include <deque>

namespace ns3
{
namespace via
{

/// A cell passing a tapped port.
struct TappedCell
{
    std::uint32_t port;      ///< number of the tap
    bool received;           ///< by the NIC; otherwise sent
    Ps firstBit;             ///< passes the port
    Ps lastBit;              ///< passes the port; may be ahead of simulated time
    std::uint32_t firstByte; ///< of the payload in the cell
    std::uint32_t endByte;   ///< after the last byte of that payload
    std::uint64_t cellsSent; ///< sent: cells that have left with its last bit, since the start
};

/// Notified of every cell that passes a tapped port.
class TapListener
{
  public:
    virtual ~TapListener() = default;

    /// @param cell if sent, it has its departure time; if received, `lost` marks damaged cells
    virtual void OnTapped(const TappedCell& tapped, const Cell& cell) = 0;
};

/**
 * @brief Sits between a NIC and its two links.
 *
 *     NIC --Transmit--> tap --> out        NIC --ReturnCredits--> tap --> in
 *     NIC <-OnAgenda--- tap <-- in         NIC <--OnDeparture--- tap <-- out
 *
 * It neither delays nor changes anything: times and digests are those of a run without it. A port
 * without a tap has no overhead, because the tap replaces the port's neighbours.
 */
class WireTap final : public OutPort, public InPort, public AgendaTarget, public CreditListener
{
  public:
    /**
     * @param number of this tap, see TappedCell::port
     * @param out the link that the NIC sends on
     * @param in the link that the NIC receives from
     * @param upstream gets its credits
     * @param nic gets the arriving cells
     * @param listener is notified; outlives the tap
     */
    WireTap(std::uint32_t number,
            Link& out,
            Link& in,
            InPort& upstream,
            AgendaTarget& nic,
            TapListener& listener);

    void Transmit(Cell* cell, DepartureListener* listener) override;
    std::uint32_t CellsFor(std::uint32_t bytes) const override;
    void ReturnCredits(std::uint32_t cells, Ps at) override;
    void OnAgenda(std::uint32_t kind, std::uint64_t data) override;
    void Prefetch(Hint hint, std::uint32_t kind, std::uint64_t data) override;
    void OnCredits(std::uint32_t cells, Ps at) override;

    /// Cells whose credits have returned on the link that the NIC sends on, by @p instant: one that
    /// has passed, and no earlier than the last time.
    std::uint64_t CreditsBy(Ps instant)
    {
        return m_credits.By(instant);
    }

    /// Cells whose room the NIC has released by @p instant: see CreditsBy.
    std::uint64_t ReleasedBy(Ps instant)
    {
        return m_released.By(instant);
    }

  private:
    /// The fields common to both directions. @param link that carries the cell
    TappedCell TappedCellOf(const Link& link, const Cell& cell) const;

    /// Replaces one departure listener.
    class Departing final : public DepartureListener
    {
      public:
        Departing(WireTap& tap, DepartureListener* listener)
            : m_tap(tap),
              m_listener(listener)
        {
        }

        bool IsFor(const DepartureListener* listener) const
        {
            return m_listener == listener;
        }

        void OnDeparture(const Cell& cell) override;

      private:
        WireTap& m_tap;
        DepartureListener* m_listener;
    };

    std::uint32_t m_number;
    Link& m_out;
    Link& m_in;
    InPort& m_upstream;
    AgendaTarget& m_nic;
    TapListener& m_listener;
    CellLedger m_credits;
    CellLedger m_released;
    std::deque<Departing> m_departing; ///< one per listener; a NIC rarely has more than one
};

} // namespace via
} // namespace ns3

#endif // VIA_WIRE_TAP_H
