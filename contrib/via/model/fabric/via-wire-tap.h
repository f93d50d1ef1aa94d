/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Between a NIC and its wires: passes everything on, and tells who listens.

#ifndef VIA_WIRE_TAP_H
#define VIA_WIRE_TAP_H

#include "ns3/via-link.h"

#include <deque>

namespace ns3
{
namespace via
{

/// A burst on its way through a tapped port.
struct Passage
{
    std::uint32_t port;            ///< number of the tap
    bool received;                 ///< by the NIC; else sent
    Ps firstBit;                   ///< passes the port
    Ps lastBit;                    ///< passes the port; may be ahead of simulated time
    std::uint32_t firstByte;       ///< of the payload in it
    std::uint32_t endByte;         ///< of the payload behind it
    std::uint32_t cellsOut;        ///< sent: cells on the wire or in the far end's buffer now
    std::uint64_t creditsReturned; ///< received: cells whose room the NIC has told free so far
};

/// Told of every burst that passes a tapped port.
class PassageListener
{
  public:
    virtual ~PassageListener() = default;

    /// @param burst a sent one has its departure; of a received one `lost` tells what is damaged
    virtual void OnPassage(const Passage& passage, const Burst& burst) = 0;
};

/**
 * @brief Stands where a NIC and its two links meet.
 *
 *     NIC --Transmit--> tap --> out        NIC --ReturnCredits--> tap --> in
 *     NIC <-OnAgenda--- tap <-- in         NIC <--OnDeparture--- tap <-- out
 *
 * It neither delays nor changes anything: times and digests are those of a run without it. A port
 * without a tap pays nothing, because the tap takes the place of what the port would call.
 */
class WireTap final : public OutPort, public InPort, public AgendaTarget
{
  public:
    /**
     * @param number of this tap, see Passage::port
     * @param out the link that the NIC sends on
     * @param in the link that it receives from
     * @param nic gets what arrives
     * @param listener is told; outlives the tap
     */
    WireTap(std::uint32_t number,
            Link& out,
            Link& in,
            AgendaTarget& nic,
            PassageListener& listener);

    void Transmit(Burst* burst, DepartureListener* listener) override;
    std::uint32_t CellsFor(std::uint32_t bytes) const override;
    void ReturnCredits(std::uint32_t cells, Ps at, Ps spacing) override;
    void OnAgenda(std::uint32_t kind, std::uint64_t data) override;
    void Expect(std::uint32_t kind, std::uint64_t data) override;

  private:
    /// What is the same in both directions. @param link that the burst is on
    Passage PassageOf(const Link& link, const Burst& burst) const;

    /// Stands for one listener to departures.
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

        void OnDeparture(const Burst& burst) override;

      private:
        WireTap& m_tap;
        DepartureListener* m_listener;
    };

    std::uint32_t m_number;
    Link& m_out;
    Link& m_in;
    AgendaTarget& m_nic;
    PassageListener& m_listener;
    std::uint64_t m_creditsReturned{0};
    std::deque<Departing> m_departing; ///< one per listener, and a NIC has hardly more than one
};

} // namespace via
} // namespace ns3

#endif // VIA_WIRE_TAP_H
