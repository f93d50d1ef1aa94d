/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Sockets of a host's kernel for simulated processes: calls, sleep and wake-up.

#include "via-kernel-socket.h"

#include "ns3/abort.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/via-tcp-kernel-socket.h"
#include "ns3/via-udp-kernel-socket.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace via
{

std::unique_ptr<KernelSocket>
KernelSocket::Make(Transport transport, Ptr<ViaIpDevice> device, std::uint16_t port)
{
    if (transport == Transport::TCP)
    {
        return std::make_unique<TcpKernelSocket>(device, port);
    }
    return std::make_unique<UdpKernelSocket>(device, port);
}

KernelSocket::KernelSocket(Ptr<ViaIpDevice> device, std::uint16_t port)
    : m_device(device),
      m_port(port),
      m_host(device->GetKernel()->GetNic().GetHost()),
      m_costs(device->GetKernel()->Costs())
{
    device->GetKernel()->Own(port);
}

KernelSocket::~KernelSocket()
{
    Forget();
}

Ptr<Socket>
KernelSocket::NewSocket(const char* factory) const
{
    return Socket::CreateSocket(m_device->GetNode(), TypeId::LookupByName(factory));
}

void
KernelSocket::PayCall(Process& process, bool sends, std::uint32_t bytes)
{
    process.Spend(Stage::SOCKET, sends ? m_costs.socketSend : m_costs.socketReceive);
    if (m_costs.copies)
    {
        process.Spend(Stage::COPY, m_host.CopyCost(bytes, false));
        return;
    }
    const std::uint64_t page = m_host.Costs().pageBytes;
    process.Spend(Stage::MAP_PAGES, m_costs.mapPage * ((bytes + page - 1) / page));
}

void
KernelSocket::InKernel(Process& process, std::function<void()> call)
{
    NS_ABORT_MSG_IF(m_caller != nullptr, "two calls on one socket are in the kernel");
    NS_ABORT_MSG_IF(!process.KeepsFrames(),
                    "a process that uses a socket must call KeepFrames() before its first step");
    m_caller = &process;
    m_call = std::move(call);
    m_planned = true;
    m_item =
        m_host.Schedule(std::max(process.Clock().at, m_host.Now()), IpKernel::PORT, this, CALL);
    const Moment done = process.Stall("a call of the kernel");
    Forget(); // in case the process is ending: it waits no longer
    process.Follow(Later(process.Clock(), done));
    m_host.Cpus().Lose(process); // the kernel's work was the process' own
}

void
KernelSocket::Forget()
{
    m_caller = nullptr;
    m_call = nullptr;
    if (std::exchange(m_planned, false))
    {
        m_host.GetWorld().agenda.Cancel(m_host.Id(), m_item);
    }
}

void
KernelSocket::OnAgenda(std::uint32_t, std::uint64_t)
{
    m_planned = false;
    Simulator::ScheduleWithContext(m_device->GetNode()->GetId(),
                                   Time(0),
                                   &KernelSocket::CallIfAlive,
                                   this,
                                   std::weak_ptr<bool>(m_alive));
}

void
KernelSocket::CallIfAlive(KernelSocket* socket, std::weak_ptr<bool> alive)
{
    if (!alive.expired())
    {
        socket->Call();
    }
}

void
KernelSocket::Call()
{
    if (!m_call)
    {
        return; // its process has ended
    }
    const Moment now{Simulator::Now().GetTimeStep(), m_caller->Clock().cause};
    m_device->SetCause(now);
    const std::uint64_t before = m_device->Enqueued();
    std::exchange(m_call, nullptr)();
    if (m_device->Enqueued() == before)
    {
        Return(now);
        return;
    }
    m_device->WhenStarted(m_device->Enqueued(), Guarded([this](Moment at) { Return(at); }));
}

void
KernelSocket::Return(Moment at)
{
    if (m_caller != nullptr)
    {
        m_caller->OnReady(at);
    }
}

bool
KernelSocket::Sleep(Process& process, Event event, const char* what)
{
    m_sleeper = &process;
    m_awaited = event;
    const Moment woken = process.Stall(what);
    if (m_sleeper != nullptr)
    {
        m_sleeper = nullptr;
        return false;
    }
    process.Follow(Later(process.Clock(), woken));
    m_host.Cpus().Lose(process);
    process.Spend(Stage::CONTEXT_SWITCH, m_host.Costs().contextSwitch);
    return true;
}

bool
KernelSocket::Wake(Event event)
{
    if (m_sleeper == nullptr || m_awaited != event)
    {
        return false;
    }
    std::exchange(m_sleeper, nullptr)
        ->OnReady(m_host.KernelSpend(Present(), Stage::WAKE_UP, m_costs.wakeUp));
    return true;
}

Moment
KernelSocket::Present() const
{
    const Moment cause = m_device->Cause();
    return {std::max<Ps>(Simulator::Now().GetTimeStep(), cause.at), cause.cause};
}

Moment
KernelSocket::OnData()
{
    const Moment present = Present();
    return Wake(Event::MESSAGE) ? Moment{} : present;
}

void
KernelSocket::FollowArrival(Process& process, Moment arrived)
{
    if (arrived.cause != 0 && arrived.at <= process.Clock().at)
    {
        process.FollowLate(arrived);
    }
}

void
KernelSocket::Await(Waiter& waiter)
{
    m_sleeper = &waiter;
    m_awaited = Event::MESSAGE;
    if (!m_messages.empty() || HasData())
    {
        std::exchange(m_sleeper, nullptr)->OnReady({m_host.Now(), 0});
    }
}

void
KernelSocket::StopAwaiting()
{
    m_sleeper = nullptr;
}

bool
KernelSocket::Pop(Process& process, KernelMessage& message)
{
    if (m_messages.empty())
    {
        return false;
    }
    message = std::move(m_messages.front());
    m_messages.pop_front();
    process.NoteReap();
    return true;
}

bool
KernelSocket::TryReceive(Process& process, KernelMessage& message)
{
    if (Pop(process, message))
    {
        return true;
    }
    process.Spend(Stage::SYSTEM_CALL, m_host.Costs().systemCall);
    process.Reach();
    if (HasData())
    {
        Read(process);
    }
    return Pop(process, message);
}

KernelMessage
KernelSocket::Receive(Process& process)
{
    KernelMessage message;
    while (!Pop(process, message))
    {
        process.Spend(Stage::SYSTEM_CALL, m_host.Costs().systemCall);
        process.Reach();
        if (!HasData() && !Sleep(process, Event::MESSAGE, "waits for a message on a socket"))
        {
            break;
        }
        Read(process);
    }
    return message;
}

} // namespace via
} // namespace ns3
