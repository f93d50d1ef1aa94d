/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The receive engine: how a message ends, complete or not.

#include "ns3/abort.h"
#include "ns3/via-nic.h"

namespace ns3
{
namespace via
{

void
ReceiveEngine::EndCell()
{
    if (IsComplete() && Arriving() != nullptr)
    {
        m_state = State::STATUS;
        return;
    }
    m_state = State::IDLE;
    if (m_traffic != nullptr && m_cell->ends && (m_taken || m_traffic->IsDatagram()))
    {
        EndOther();
    }
    FreeCell();
}

void
ReceiveEngine::FreeCell()
{
    m_nic.GetHost().GetWorld().packets.Free(m_cell);
    m_cell = nullptr;
    if (m_parts.receiveRing != nullptr)
    {
        m_parts.receiveRing->OnDone(m_at);
    }
}

void
ReceiveEngine::EndOther()
{
    if (m_channel != nullptr)
    {
        m_nic.GetTransport().Placed(*m_channel, m_at);
    }
    m_traffic->OnReceived(m_nic, *m_cell->packet, m_at);
}

void
ReceiveEngine::Status()
{
    VirtualInterface* vi = Arriving();
    m_state = State::COMPLETE;
    if (vi == nullptr)
    {
        if (m_cell->packet->message != 0) // its connection has ended at this instant
        {
            const VirtualInterface* left = m_nic.FindVi(m_cell->packet->destinationVi);
            DropMessage(left == nullptr ? 0 : left->rank);
        }
        FreeCell();
        m_state = State::IDLE;
        return;
    }
    m_ended = *vi->arrival;
    m_completing = Finish(*vi);
    Complete();
}

Completing
ReceiveEngine::Finish(VirtualInterface& vi)
{
    if (!m_ended.answersItem)
    {
        Record(vi.rank, m_ended.status != 0);
    }
    Completing completing;
    if (m_ended.consumesItem)
    {
        completing = FinishReceive(vi);
    }
    else if (m_ended.answersItem)
    {
        completing = m_nic.GetCompletions().ReadAnswered(vi, m_ended, m_at);
    }
    m_arrivals.Close(vi);
    return completing;
}

Completing
ReceiveEngine::FinishReceive(VirtualInterface& vi)
{
    Packet& packet = *m_cell->packet;
    WorkItem* item = vi.ReceiveQueue().items.Find(m_ended.item);
    item->message = packet.message; // the message lives on until the item is reaped
    packet.message = 0;
    std::uint32_t status = m_ended.status;
    status |= m_ended.isRdmaWrite ? Descriptor::DID_REMOTE_RDMA_WRITE : Descriptor::DID_RECEIVE;
    if (packet.hasImmediate && m_ended.status == 0 && m_nic.Checks().IsValid(vi, *item))
    {
        status |= Descriptor::HAS_IMMEDIATE;
        m_nic.GetHost().Memory().StoreAt4(m_at.at,
                                          &item->descriptor->immediate,
                                          packet.immediate,
                                          vi.rank);
    }
    return m_nic.GetCompletions().End(vi, true, m_ended.item, status, m_ended.placed, m_at);
}

void
ReceiveEngine::Complete()
{
    if (m_nic.GetCompletions().Write(*this, m_completing))
    {
        EndMessage();
    }
}

void
ReceiveEngine::EndMessage()
{
    Packet& packet = *m_cell->packet;
    VirtualInterface* vi = m_nic.FindVi(packet.destinationVi);
    if (vi != nullptr && m_ended.answersItem)
    {
        m_nic.GetCompletions().ReadEnded(*vi, m_ended.status, m_at);
        Record(vi->rank, m_ended.status != 0);
    }
    m_nic.GetHost().GetWorld().EndMessage(packet, m_at.at);
    if (vi != nullptr && m_ended.status == 0)
    {
        m_nic.GetHost().Memory().DeliverAt(m_at.at, packet, vi->rank);
    }
    if (vi != nullptr && !m_ended.answersItem)
    {
        m_dropped += m_ended.status != 0 && m_nic.GetHost().IsInRun(m_at.at) ? 1 : 0;
        m_nic.GetCompletions().MessageArrived(*vi,
                                              packet,
                                              m_ended.status,
                                              m_ended.consumesItem,
                                              m_at);
    }
    FreeCell();
    m_state = State::IDLE;
    m_parts.processor.EndReceive(m_at.at, m_costs->mechanisms.receiveUpkeep);
}

void
ReceiveEngine::Record(std::uint32_t rank, bool dropped)
{
    const Packet& packet = *m_cell->packet;
    MessageRecord* record = m_nic.GetHost().GetWorld().messages.Find(packet.message);
    if (record != nullptr)
    {
        // a read response carries the message in the opposite direction
        const ViId vi = packet.IsReadAnswer() ? packet.destinationVi : packet.sourceVi;
        *record = {record->origin,
                   rank,
                   m_nic.Card() * Nic::VI_NUMBERS_OF_A_CARD + vi, // a plane joins equal cards
                   packet.MessageBytes(),
                   packet.kind,
                   dropped,
                   m_at.at,
                   m_at.cause};
    }
}

void
ReceiveEngine::DropMessage(std::uint32_t rank)
{
    m_dropped += m_nic.GetHost().IsInRun(m_at.at) ? 1 : 0;
    Record(rank, true);
    m_nic.GetHost().GetWorld().EndMessage(*m_cell->packet, m_at.at);
}

void
ReceiveEngine::Drop(std::uint32_t rank)
{
    DropMessage(rank);
    m_state = State::PLACE; // its cells still return their credits
}

void
ReceiveEngine::Abandon(VirtualInterface& vi)
{
    // part of an unreliable message is lost: drop the rest; a send leaves its descriptor unused
    const Arrival arrival = *vi.arrival;
    Await(m_cell->first);
    Drop(vi.rank);
    DropArrival(vi, m_at.at);
    if (arrival.consumesItem && !arrival.isRdmaWrite)
    {
        vi.ReceiveQueue().started = arrival.item;
        return;
    }
    m_nic.GetCompletions().RdmaWriteDamaged(vi, arrival, m_at);
}

} // namespace via
} // namespace ns3
