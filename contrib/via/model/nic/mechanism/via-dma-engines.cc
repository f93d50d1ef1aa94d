/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The DMA engines of a NIC: which engine starts a transfer, and at what cost.

#include "via-dma-engines.h"

#include <algorithm>

namespace ns3
{
namespace via
{

Ps
DmaEngines::Ask(Ps at, bool isFirst)
{
    while (isFirst && !m_begun.IsEmpty())
    {
        m_begun.Pop();
    }
    const Ps asked = m_begun.IsEmpty() ? PS_NEVER : m_begun.Front();
    m_begun.Push(at);
    if (m_begun.Size() > m_ahead)
    {
        m_begun.Pop();
    }
    return asked;
}

void
DmaEngines::Start(DmaTransfer& transfer, Server& server, Moment& at)
{
    server.isBusy = true;
    at = m_host.Wait(at, Stage::ENGINE_WAIT, transfer.user, server.free);
    if (transfer.isFirst || !m_chains)
    {
        at = m_processor.Work(at, Stage::DMA_START, transfer.user, m_start);
    }
    m_processor.UseMemory(at.at, transfer.bus.bytes);
}

bool
DmaEngines::Take(DmaTransfer& transfer, Moment& at)
{
    if (m_ahead > 0 && transfer.bus.stage == Stage::PAYLOAD_READ)
    {
        transfer.bus.asked = Ask(at.at, transfer.isFirst);
    }
    transfer.phase = DmaTransfer::Phase::BUS;
    if (m_engines == nullptr)
    {
        return true;
    }
    Server& server = ServerOf(transfer);
    if (server.isBusy || server.free > at.at || !server.waiting.IsEmpty())
    {
        transfer.phase = DmaTransfer::Phase::TURN;
        return false;
    }
    Start(transfer, server, at);
    return true;
}

void
DmaEngines::Await(const DmaTransfer& transfer)
{
    if (transfer.phase == DmaTransfer::Phase::TURN)
    {
        ServerOf(transfer).waiting.Push(&transfer);
    }
}

Ps
DmaEngines::NextAt(const DmaTransfer& transfer, Ps at) const
{
    if (transfer.phase != DmaTransfer::Phase::TURN)
    {
        return at;
    }
    Server& server = ServerOf(transfer);
    const bool isNext = !server.isBusy && server.waiting.Front() == &transfer;
    return isNext ? std::max(at, server.free) : PS_NEVER;
}

bool
DmaEngines::End(DmaTransfer& transfer, Moment& at)
{
    transfer.phase = DmaTransfer::Phase::END;
    if (m_engines != nullptr)
    {
        Server& server = ServerOf(transfer);
        server.isBusy = false;
        server.free = at.at;
        if (!server.waiting.IsEmpty())
        {
            m_host.Replan(); // it is known now when another one goes on
        }
    }
    return !m_isFirmware || MayGoOn(at.at);
}

bool
DmaEngines::GoOn(DmaTransfer& transfer, Moment& at)
{
    if (transfer.phase == DmaTransfer::Phase::END)
    {
        return MayGoOn(at.at);
    }
    if (transfer.phase == DmaTransfer::Phase::TURN)
    {
        Server& server = ServerOf(transfer);
        server.waiting.Pop();
        transfer.phase = DmaTransfer::Phase::BUS;
        Start(transfer, server, at);
    }
    else if (!MayGoOn(at.at) ||
             (transfer.phase == DmaTransfer::Phase::ENGINE && !Take(transfer, at)))
    {
        return false;
    }
    while (MayGoOn(at.at))
    {
        at = m_host.Bus().Next(at, transfer.bus, m_bus);
        if (transfer.bus.IsOver())
        {
            return End(transfer, at);
        }
    }
    return false;
}

} // namespace via
} // namespace ns3
