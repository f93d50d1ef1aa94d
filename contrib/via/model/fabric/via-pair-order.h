/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Restores order between two NICs where packets may overtake each other, by sequence numbers.

#ifndef VIA_PAIR_ORDER_H
#define VIA_PAIR_ORDER_H

#include "ns3/via-component.h"
#include "ns3/via-port.h"

#include <cstdint>
#include <deque>
#include <map>

namespace ns3
{
namespace via
{

/**
 * @brief Sits between a NIC and its wires in a fabric with adaptive routes.
 *
 *     NIC --Transmit--> numbers packets by destination --> wire out
 *     NIC <--in order-- holds what came too early <------- wire in
 *
 * Held cells lie in the receiver's memory, and their room on the wire is returned at once: so
 * they block nothing, and the missing packet can arrive. The NIC does not return it again. Order
 * holds between two NICs, across all VIs. Retransmissions bypass it, because their place is known
 * otherwise.
 */
class PairOrder final : public OutPort, public AgendaTarget
{
  public:
    /**
     * @param owner the host
     * @param nic gets the arriving cells
     */
    PairOrder(Component& owner, AgendaTarget& nic);

    /**
     * @param out the wire to send on
     * @param in gets the credits of the receiving wire
     */
    void Plug(OutPort* out, InPort* in);

    void Transmit(Cell* cell, DepartureListener* listener) override;
    std::uint32_t CellsFor(std::uint32_t bytes) const override;
    void OnAgenda(std::uint32_t kind, std::uint64_t data) override;
    void Prefetch(Hint hint, std::uint32_t kind, std::uint64_t data) override;

    /// Packets that had to wait for an earlier one.
    std::uint64_t PacketsHeld() const
    {
        return m_packetsHeld;
    }

    /// Cells that wait; 0 when the fabric is idle.
    std::size_t CellsWaiting() const;

  private:
    /// State for the packets from one NIC.
    struct Source
    {
        std::uint32_t expected{1};
        std::deque<Cell*> held; ///< in packet order, then in order of arrival
    };

    void Hold(Source& from, Cell& cell);
    void GiveRoomBack(Cell& cell);
    void Release(Source& from, std::uint32_t kind);
    void Pass(Source& from, Cell& cell, std::uint32_t kind);

    Component& m_owner;
    AgendaTarget& m_nic;
    OutPort* m_out{nullptr};
    InPort* m_in{nullptr};
    std::map<NodeId, std::uint32_t> m_sent; ///< packets by destination
    std::map<NodeId, Source> m_sources;
    std::uint64_t m_packetsHeld{0};
};

} // namespace via
} // namespace ns3

#endif // VIA_PAIR_ORDER_H
