/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The kernel of one host between its IP stack and the card: the cost of each frame.

#include "via-ip-kernel.h"

namespace ns3
{
namespace via
{

using Protocol = DatagramKind::Protocol;

Moment
IpKernel::PayForTransport(const DatagramKind& kind, bool sends, Moment at)
{
    const KernelCosts& costs = *m_costs;
    Host& host = m_nic.GetHost();
    if (costs.offloadsTcp && kind.IsTcp())
    {
        return m_nic.Parts().processor.Work(at,
                                            Stage::PROTOCOL,
                                            sends ? Engine::NIC_SEND : Engine::NIC_RECEIVE,
                                            sends ? costs.offloadSend : costs.offloadReceive);
    }
    Cycles cycles = !kind.IsIp() ? Cycles(0) : sends ? costs.ipSend : costs.ipReceive;
    if (kind.protocol == Protocol::UDP)
    {
        cycles = cycles + (sends ? costs.udpSend : costs.udpReceive);
    }
    else if (kind.protocol == Protocol::TCP_DATA)
    {
        cycles = cycles + (sends ? costs.tcpSend : costs.tcpReceive);
    }
    else if (kind.protocol == Protocol::TCP_ACK)
    {
        cycles = cycles + (sends ? costs.ackSend : costs.ackReceive);
    }
    at = Spend(at, Stage::PROTOCOL, cycles);
    const std::uint64_t line = host.Costs().lineBytes;
    const std::uint64_t lines = (kind.payload + line - 1) / line;
    return Spend(at, Stage::CHECKSUM, costs.checksumLine * lines);
}

Moment
IpKernel::PayForCall(const DatagramKind& kind, bool sends, Moment at)
{
    const std::uint16_t port = sends ? kind.sourcePort : kind.destinationPort;
    if (kind.payload == 0 || port == 0 || m_owned.count(port) != 0)
    {
        return at;
    }
    Host& host = m_nic.GetHost();
    at = Spend(at, Stage::SYSTEM_CALL, host.Costs().systemCall);
    at = Spend(at, Stage::SOCKET, sends ? m_costs->socketSend : m_costs->socketReceive);
    if (m_costs->copies)
    {
        return Spend(at, Stage::COPY, host.CopyCost(kind.payload, false));
    }
    const std::uint64_t page = host.Costs().pageBytes;
    return Spend(at, Stage::MAP_PAGES, m_costs->mapPage * ((kind.payload + page - 1) / page));
}

Moment
IpKernel::PayForSend(const DatagramKind& kind, std::uint64_t copies, Moment at)
{
    at = PayForCall(kind, true, at);
    at = PayForTransport(kind, true, at);
    return Spend(at, Stage::DRIVER, m_costs->driverSend * copies);
}

Moment
IpKernel::PayForReceive(const DatagramKind& kind, Moment at)
{
    at = Spend(at, Stage::DRIVER, m_costs->driverReceive);
    at = PayForTransport(kind, false, at);
    if (kind.payload > 0)
    {
        at = Spend(at, Stage::KERNEL_RESIDUAL, m_costs->receiveResidual);
    }
    return PayForCall(kind, false, at);
}

} // namespace via
} // namespace ns3
