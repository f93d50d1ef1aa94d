/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Windows of TCP connections: probes and announcements that ns-3 leaves out.

#include "via-tcp-window.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/tcp-tx-buffer.h"
#include "ns3/uinteger.h"
#include "ns3/via-ip-device.h"
#include "ns3/via-ip-kernel.h"
#include "ns3/via-tcp-closing.h"
#include "ns3/via-tcp-setting.h"

#include <algorithm>

namespace ns3
{
namespace via
{

namespace
{

constexpr std::uint32_t WINDOW_UPDATE = 2; // segments: a smaller window counts as shut
constexpr int LONGEST_PAUSE = 60;          // seconds, of ns-3's between questions

/// What is no public call of ns-3's.
class TcpWindow : public TcpSocketBase
{
  public:
    static void KeepInside(TcpSocketBase& socket)
    {
        (socket.*(&TcpWindow::m_txBuffer))
            ->SetRWndCallback(MakeBoundCallback(&TcpWindow::Window, &socket));
    }

    /// A segment has arrived, and is handled next.
    static void OnSegment(Ptr<const ns3::Packet>,
                          const TcpHeader& header,
                          Ptr<const TcpSocketBase> constant)
    {
        const Ptr<TcpSocketBase> socket = ConstCast<TcpSocketBase>(constant);
        if (((*socket).*(&TcpWindow::m_persistEvent)).IsExpired())
        {
            (*socket).*(&TcpWindow::m_persistTimeout) = ((*socket).*(&TcpWindow::m_rto)).Get();
        }
        TakeProbed(header, *socket);
        const std::uint32_t announced = header.GetWindowSize()
                                        << (*socket).*(&TcpWindow::m_sndWindShift);
        const std::uint32_t known = ((*socket).*(&TcpWindow::m_rWnd)).Get();
        if (std::min(announced, known) < WINDOW_UPDATE * SegmentOf(*socket))
        {
            (*socket).*(&TcpWindow::m_dataRetrCount) = (*socket).*(&TcpWindow::m_dataRetries);
            Simulator::ScheduleNow(&TcpWindow::ProbeOrEnd, socket);
        }
    }

    /// Bytes were handed over, which leave now if they can.
    static void AfterSend(const Ptr<TcpSocketBase>& socket)
    {
        if (((*socket).*(&TcpWindow::m_rWnd)).Get() < WINDOW_UPDATE * SegmentOf(*socket))
        {
            Simulator::Schedule(TimeStep(2), &TcpWindow::ProbeOrEnd, socket); // ns-3 sends at 1
        }
    }

    /// Begins to ask for a window that leaves bytes unsent, or ends it if there are none.
    static void ProbeOrEnd(Ptr<TcpSocketBase> socket)
    {
        EventId& probe = (*socket).*(&TcpWindow::m_persistEvent);
        const SequenceNumber32 sent = ((*socket).*(&TcpWindow::m_tcb))->m_highTxMark;
        const bool isAcknowledged = sent <= ((*socket).*(&TcpWindow::m_txBuffer))->HeadSequence();
        if (!MaySend(*socket))
        {
            probe.Cancel(); // ns-3 begins in any state, and fails without a byte to ask with
            RepeatTcpEnd(socket);
            return;
        }
        if (HasUnsent(*socket) && isAcknowledged)
        {
            ((*socket).*(&TcpWindow::m_retxEvent)).Cancel(); // nothing is to be repeated
            const Time after = probe.IsExpired() ? (*socket).*(&TcpWindow::m_persistTimeout)
                                                 : Simulator::GetDelayLeft(probe);
            probe.Cancel();
            probe = Simulator::Schedule(after, &TcpWindow::Probe, PeekPointer(socket));
        }
        else if (!HasUnsent(*socket) && !probe.IsExpired())
        {
            probe.Cancel();
            EventId& repetition = (*socket).*(&TcpWindow::m_retxEvent);
            if (!isAcknowledged && repetition.IsExpired())
            {
                const Time after = ((*socket).*(&TcpWindow::m_rto)).Get();
                repetition =
                    Simulator::Schedule(after, &TcpWindow::ReTxTimeout, PeekPointer(socket));
            }
        }
    }

  private:
    /// Asks, and later again. A peer that never answers is given up like one that does not
    /// acknowledge bytes. One that does is not asked for ever, so that a run can end: it tells when
    /// there is room.
    static void Probe(TcpSocketBase* socket)
    {
        std::uint32_t& left = socket->*(&TcpWindow::m_dataRetrCount);
        const Time& after = socket->*(&TcpWindow::m_persistTimeout);
        const bool isAnswered = left == socket->*(&TcpWindow::m_dataRetries);
        if (left == 0)
        {
            (socket->*(&TcpWindow::NotifyErrorClose))();
            (socket->*(&TcpWindow::DeallocateEndPoint))();
            return;
        }
        const bool hasByte = MaySend(*socket) && HasUnsent(*socket);
        if (!hasByte || (isAnswered && after >= Seconds(LONGEST_PAUSE)))
        {
            return;
        }
        --left;
        (socket->*(&TcpWindow::PersistTimeout))();
        EventId& probe = socket->*(&TcpWindow::m_persistEvent);
        probe.Cancel();
        probe = Simulator::Schedule(after, &TcpWindow::Probe, socket);
    }

    static bool MaySend(const TcpSocketBase& socket)
    {
        const TcpStates_t state = socket.*(&TcpWindow::m_state);
        return state == ESTABLISHED || state == CLOSE_WAIT;
    }

    static bool HasUnsent(const TcpSocketBase& socket)
    {
        const SequenceNumber32 next = (socket.*(&TcpWindow::m_tcb))->m_nextTxSequence;
        return (socket.*(&TcpWindow::m_txBuffer))->SizeFromSequence(next) > 0;
    }

    static std::uint32_t SegmentOf(const TcpSocketBase& socket)
    {
        return (socket.*(&TcpWindow::m_tcb))->m_segmentSize;
    }

    /// The peer had room for the byte that asked: it counts as sent from now on.
    static void TakeProbed(const TcpHeader& header, TcpSocketBase& socket)
    {
        const Ptr<TcpSocketState> sender = socket.*(&TcpWindow::m_tcb);
        const bool asks = (socket.*(&TcpWindow::m_persistEvent)).IsRunning();
        const bool tells = (header.GetFlags() & TcpHeader::ACK) != 0;
        if (asks && tells && header.GetAckNumber() == sender->m_highTxMark.Get() + 1 &&
            sender->m_nextTxSequence == sender->m_highTxMark && HasUnsent(socket))
        {
            sender->m_highTxMark = header.GetAckNumber();
            sender->m_nextTxSequence = header.GetAckNumber();
        }
    }

    /// The peer's window, or one byte less if what has been sent fills it to the byte.
    static std::uint32_t Window(TcpSocketBase* socket)
    {
        const TcpTxBuffer& buffer = *(socket->*(&TcpWindow::m_txBuffer));
        const std::uint32_t sent = buffer.BytesInFlight() + buffer.GetSacked() + buffer.GetLost() -
                                   buffer.GetRetransmitsCount();
        const std::uint32_t window = (socket->*(&TcpWindow::GetRWnd))();
        return window > 0 && sent == window ? window - 1 : window;
    }
};

} // namespace

void
MendTcpProbes(const Ptr<Socket>& socket)
{
    socket->TraceConnectWithoutContext("Rx", MakeCallback(&TcpWindow::OnSegment));
}

void
KeepInsideTcpWindow(const Ptr<Socket>& socket)
{
    if (const auto tcp = DynamicCast<TcpSocketBase>(socket))
    {
        TcpWindow::KeepInside(*tcp);
    }
}

std::uint32_t
SendTcp(const Ptr<Socket>& socket, const std::uint8_t* bytes, std::size_t count)
{
    const auto part =
        static_cast<std::uint32_t>(std::min<std::size_t>(count, socket->GetTxAvailable()));
    const int taken = part == 0 ? 0 : socket->Send(Create<ns3::Packet>(bytes, part));
    const auto tcp = DynamicCast<TcpSocketBase>(socket);
    if (taken > 0 && tcp != nullptr)
    {
        TcpWindow::AfterSend(tcp);
    }
    return static_cast<std::uint32_t>(std::max(taken, 0));
}

bool
TcpWindowWasShut(const ViaIpDevice& device, std::uint32_t before)
{
    const std::uint32_t buffer = device.GetKernel()->Costs().receiveBuffer;
    return buffer - std::min(buffer, before) < WINDOW_UPDATE * TcpSegmentSize(device);
}

void
AnnounceTcpWindow(const Ptr<Socket>& socket, const ViaIpDevice& device)
{
    // ns-3 3.37 announces a larger window to the peer only when the buffer itself grows
    const std::uint32_t buffer = device.GetKernel()->Costs().receiveBuffer;
    socket->SetAttribute("RcvBufSize", UintegerValue(buffer - 1));
    socket->SetAttribute("RcvBufSize", UintegerValue(buffer));
}

} // namespace via
} // namespace ns3
