/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The send engine: what it sends between messages, namely acknowledgements and retransmissions.

#include "ns3/via-nic.h"

namespace ns3
{
namespace via
{

void
SendEngine::SendUrgentNow()
{
    Host& host = m_nic.GetHost();
    const Urgent urgent = m_urgent.Front();
    m_urgent.Pop();
    // within a message it is on that message's path; a pause may have delayed it
    m_at = m_state != State::IDLE
               ? host.Wait(m_at, Stage::ENGINE_WAIT, Engine::NIC_SEND, urgent.at.at)
               : host.Wait(urgent.at, Stage::ENGINE_WAIT, Engine::NIC_SEND, m_at.at);
    Work(Stage::TRANSPORT, m_costs->acknowledge);
    const Moment ready = m_state != State::IDLE
                             ? host.Wait(urgent.at, Stage::ENGINE_WAIT, Engine::NIC_SEND, m_at.at)
                             : m_at;
    SendCells(urgent.packet, ready, 0, urgent.packet->cells, 0);
    host.GetWorld().packets.Release(urgent.packet); // its cell holds it
}

void
SendEngine::SendUnitAgain(TransportChannel& channel)
{
    Host& host = m_nic.GetHost();
    const Ps backFrom = m_nic.GetTransport().RecoveryOf(channel).backFrom;
    m_at = host.Wait(m_at, Stage::LINK_WAIT, Engine::NIC_SEND, m_unitsGone);
    m_at = host.Wait(m_at, Stage::ENGINE_WAIT, Engine::NIC_SEND, backFrom);
    const Transport::Unit unit =
        m_nic.GetTransport().NextUnit(channel, m_packet, m_cellsOut, m_at.at);
    if (unit.cells > 0)
    {
        Work(Stage::TRANSPORT, m_costs->acknowledge);
        // on the path of its own message, not of the one that it interrupts
        const Moment ready =
            host.Wait(unit.packet->handed, Stage::TIME_OUT, Engine::NIC_SEND, m_at.at);
        SendCells(unit.packet,
                  ready,
                  unit.firstCell,
                  unit.cells,
                  m_nic.GetTransport().AttemptOf(channel));
    }
}

void
SendEngine::SendCells(Packet* packet,
                      Moment ready,
                      std::uint32_t firstCell,
                      std::uint32_t cells,
                      std::uint32_t attempt)
{
    World& world = m_nic.GetHost().GetWorld();
    for (std::uint32_t number = firstCell; number < firstCell + cells; ++number)
    {
        Cell* cell = world.packets.NewCell(packet, number);
        cell->resent = true;
        cell->attempt = attempt;
        cell->ready = ready;
        m_unitsOut += packet->reliable ? 1 : 0;
        m_port->Transmit(cell, this);
        if (NicListener* listener = m_nic.Listener())
        {
            listener->OnHandedOver(1, ready.at);
        }
    }
    NoteWaits();
}

} // namespace via
} // namespace ns3
