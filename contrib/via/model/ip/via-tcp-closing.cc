/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// How TCP connections end: RFC 793 where ns-3's state machine leaves it.

#include "via-tcp-closing.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-rx-buffer.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/tcp-tx-buffer.h"
#include "ns3/via-ip-outage.h"

namespace ns3
{
namespace via
{

namespace
{

/// What is no public call of ns-3's.
class TcpClosing : public TcpSocketBase
{
  public:
    static TcpStates_t StateOf(const TcpSocketBase& socket)
    {
        return socket.*(&TcpClosing::m_state);
    }

    static void Reset(TcpSocketBase& socket)
    {
        (socket.*(&TcpClosing::SendRST))();
    }

    static void EndSending(TcpSocketBase& socket)
    {
        const SequenceNumber32 next = (socket.*(&TcpClosing::m_tcb))->m_nextTxSequence;
        if (!MayEnd(socket) || (socket.*(&TcpClosing::m_txBuffer))->SizeFromSequence(next) > 0)
        {
            // the end leaves with the last byte; after ShutdownSend ns-3 would reset the connection
            // if the peer ends first and not all of its bytes have been read
            socket.*(&TcpClosing::m_closeOnEmpty) = true;
            return;
        }
        socket.*(&TcpClosing::m_shutdownSend) = true;
        (socket.*(&TcpClosing::DoClose))();
    }

    /// What has been sent is acknowledged but for the end, which may be lost.
    static void RepeatEnd(TcpSocketBase& socket)
    {
        EventId& repetition = socket.*(&TcpClosing::m_retxEvent);
        const bool waits = StateOf(socket) == FIN_WAIT_1 || HaveBothEnded(StateOf(socket));
        if (waits && (socket.*(&TcpClosing::m_txBuffer))->Size() == 0 && repetition.IsExpired())
        {
            const Time after = (socket.*(&TcpClosing::m_rto)).Get();
            const std::uint8_t end = TcpHeader::FIN | TcpHeader::ACK;
            repetition = Simulator::Schedule(after, &TcpClosing::SendEmptyPacket, &socket, end);
        }
    }

    /// A segment has arrived, and is handled next: both are ns-3's own, and not constant.
    static void OnSegment(Ptr<const ns3::Packet> packet,
                          const TcpHeader& header,
                          Ptr<const TcpSocketBase> socket)
    {
        auto& own = const_cast<TcpHeader&>(header);
        if ((header.GetFlags() & TcpHeader::FIN) != 0)
        {
            OnEnd(ConstCast<ns3::Packet>(packet), own, *ConstCast<TcpSocketBase>(socket));
        }
        if ((header.GetFlags() & TcpHeader::ACK) != 0)
        {
            OnAcknowledgement(own, *ConstCast<TcpSocketBase>(socket));
        }
        if ((*socket).*(&TcpClosing::m_closeOnEmpty) && MayEnd(*socket))
        {
            Simulator::ScheduleNow(&TcpClosing::EndIfEmpty, ConstCast<TcpSocketBase>(socket));
        }
    }

    /// As OnSegment, for a closed socket: nobody will read bytes that are new.
    static void Refuse(Ptr<const ns3::Packet> packet,
                       const TcpHeader& header,
                       Ptr<const TcpSocketBase> socket)
    {
        const std::uint32_t size = packet->GetSize();
        if (size > 0 && header.GetSequenceNumber() + size > NextOf(*socket))
        {
            Simulator::ScheduleNow(&ResetAndEndTcp, Ptr<Socket>(ConstCast<TcpSocketBase>(socket)));
        }
    }

  private:
    /// The byte after those that have been sent; the end has this number.
    static SequenceNumber32 SentOf(const TcpSocketBase& socket)
    {
        return (socket.*(&TcpClosing::m_tcb))->m_highTxMark;
    }

    /// The next byte of the peer.
    static SequenceNumber32 NextOf(const TcpSocketBase& socket)
    {
        return (socket.*(&TcpClosing::m_tcb))->m_rxBuffer->NextRxSequence();
    }

    static bool MayEnd(const TcpSocketBase& socket)
    {
        return StateOf(socket) == ESTABLISHED || StateOf(socket) == CLOSE_WAIT;
    }

    /// The last bytes may have been acknowledged when they were about to be repeated with the end.
    static void EndIfEmpty(Ptr<TcpSocketBase> socket)
    {
        if (MayEnd(*socket) && ((*socket).*(&TcpClosing::m_txBuffer))->Size() == 0)
        {
            ((*socket).*(&TcpClosing::DoClose))();
        }
    }

    static bool HaveBothEnded(TcpStates_t state)
    {
        return state == LAST_ACK || state == CLOSING;
    }

    /// Takes what a segment with the peer's end acknowledges, and sends what that makes room for.
    static void TakeAcknowledged(TcpHeader& header, TcpSocketBase& socket)
    {
        const SequenceNumber32 got = header.GetAckNumber();
        const bool tells =
            (header.GetFlags() & TcpHeader::ACK) != 0 && StateOf(socket) == ESTABLISHED;
        if (tells && got > (socket.*(&TcpClosing::m_txBuffer))->HeadSequence() &&
            got <= SentOf(socket))
        {
            (socket.*(&TcpClosing::UpdateWindowSize))(header); // ns-3 does it later: too late here
            (socket.*(&TcpClosing::ReceivedAck))(Create<ns3::Packet>(), header);
        }
    }

    /// The peer's bytes end with this segment.
    static void OnEnd(const Ptr<ns3::Packet>& packet, TcpHeader& header, TcpSocketBase& socket)
    {
        const SequenceNumber32 next = NextOf(socket);
        const SequenceNumber32 end = header.GetSequenceNumber() + packet->GetSize();
        TakeAcknowledged(header, socket);
        const TcpStates_t state = StateOf(socket); // the own end may have left just now
        const bool overlaps = state == ESTABLISHED && header.GetSequenceNumber() < next;
        const bool isRead = !(socket.*(&TcpClosing::m_shutdownRecv));
        const bool hasOwnEnd = (state == FIN_WAIT_1 || state == FIN_WAIT_2) && isRead;
        const bool hasEnd = state == CLOSE_WAIT || HaveBothEnded(state) || state == TIME_WAIT;
        if (hasEnd && end < next) // again
        {
            (socket.*(&TcpClosing::SendEmptyPacket))(TcpHeader::ACK);
        }
        else if (packet->GetSize() > 0 && (overlaps || hasOwnEnd))
        {
            (socket.*(&TcpClosing::ReceivedData))(packet->Copy(), header);
            packet->RemoveAtStart(packet->GetSize());
            header.SetSequenceNumber(end);
        }
    }

    /// The peer has received something; once both have ended ns-3 must see that of the end only.
    static void OnAcknowledgement(TcpHeader& header, TcpSocketBase& socket)
    {
        const TcpStates_t state = StateOf(socket);
        const bool isReset = (header.GetFlags() & TcpHeader::RST) != 0;
        if (!HaveBothEnded(state) || isReset || header.GetAckNumber() > SentOf(socket))
        {
            return;
        }
        (socket.*(&TcpClosing::ReceivedAck))(Create<ns3::Packet>(), header);
        RepeatEnd(socket);
        header.SetFlags(TcpHeader::ACK);
        header.SetSequenceNumber(header.GetSequenceNumber() - 1); // not the one that ns-3 expects
    }
};

} // namespace

void
MendTcpClosing(const Ptr<Socket>& socket)
{
    socket->TraceConnectWithoutContext("Rx", MakeCallback(&TcpClosing::OnSegment));
}

void
RefuseTcpData(const Ptr<Socket>& socket)
{
    socket->ShutdownRecv();
    socket->TraceConnectWithoutContext("Rx", MakeCallback(&TcpClosing::Refuse));
}

void
EndTcpSending(const Ptr<Socket>& socket)
{
    if (const auto tcp = DynamicCast<TcpSocketBase>(socket))
    {
        TcpClosing::EndSending(*tcp);
    }
}

void
RepeatTcpEnd(const Ptr<TcpSocketBase>& socket)
{
    TcpClosing::RepeatEnd(*socket);
}

void
CloseTcp(const Ptr<Socket>& socket)
{
    const auto tcp = DynamicCast<TcpSocketBase>(socket);
    if (tcp == nullptr || TcpClosing::StateOf(*tcp) != TcpSocket::CLOSING)
    {
        socket->Close();
    }
}

bool
AwaitsTcpAcknowledgement(const Ptr<Socket>& socket)
{
    const auto tcp = DynamicCast<TcpSocketBase>(socket);
    if (tcp == nullptr)
    {
        return false;
    }
    // in these states the end was acknowledged; unsent bytes leave it ESTABLISHED
    const TcpSocket::TcpStates_t state = TcpClosing::StateOf(*tcp);
    return state != TcpSocket::FIN_WAIT_2 && state != TcpSocket::TIME_WAIT &&
           state != TcpSocket::CLOSED;
}

void
ResetTcp(const Ptr<Socket>& socket)
{
    if (const auto tcp = DynamicCast<TcpSocketBase>(socket))
    {
        TcpClosing::Reset(*tcp);
    }
}

void
ResetAndEndTcp(Ptr<Socket> socket)
{
    ResetTcp(socket);
    EndTcpSocket(socket);
}

} // namespace via
} // namespace ns3
