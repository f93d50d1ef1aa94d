/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The system calls of one process on descriptors: dispatch, what all cost, and waiting.

#include "via-system-calls.h"

#include "ns3/via-epoll.h"
#include "ns3/via-program-memory.h"

#include <algorithm>
#include <cerrno>
#include <new>
#include <poll.h>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace via
{

namespace
{

template <class T>
T*
Pointer(std::int64_t argument)
{
    return reinterpret_cast<T*>(argument);
}

} // namespace

SystemCalls::SystemCalls() = default;

SystemCalls::~SystemCalls() = default;

std::int64_t
SystemCalls::Enter(ViaSystemCall call, const std::int64_t* arguments)
{
    std::int64_t result = -EFAULT;
    try
    {
        result = Choose(call, arguments);
    }
    catch (const MemoryFault&)
    {
    }
    catch (const std::length_error&) // no memory is as long
    {
    }
    catch (const std::bad_alloc&)
    {
    }
    if (m_table.HasIdle())
    {
        Look(); // their peers hear of it from now on
        m_table.CloseIdle();
    }
    return result;
}

std::int64_t
SystemCalls::Choose(ViaSystemCall call, const std::int64_t* a)
{
    const int number = static_cast<int>(a[0]);
    const int second = static_cast<int>(a[1]);
    switch (call)
    {
    case VIA_READ:
        return Read(number, Pointer<void>(a[1]), static_cast<std::size_t>(a[2]));
    case VIA_WRITE:
        return Write(number, Pointer<void>(a[1]), static_cast<std::size_t>(a[2]));
    case VIA_CLOSE:
        return Close(number);
    case VIA_DUP2:
        return Dup2(number, second, a[2] != 0, static_cast<int>(a[3]));
    case VIA_FCNTL:
        return Fcntl(number, second, a[2]);
    case VIA_IOCTL:
        return Ioctl(number, static_cast<std::uint64_t>(a[1]), a[2]);
    case VIA_KIND:
        return m_table.At(number) == nullptr ? -EBADF : std::int64_t{m_table.At(number)->Kind()};
    case VIA_PIPE:
        return Pipe(Pointer<int>(a[0]), second);
    case VIA_SOCKETPAIR:
        return SocketPair(Pointer<int>(a[0]), second);
    case VIA_SOCKET:
        return Socket(number, second, static_cast<int>(a[2]));
    case VIA_BIND:
        return Bind(number, Pointer<void>(a[1]), static_cast<std::size_t>(a[2]));
    case VIA_LISTEN:
        return Listen(number, second);
    case VIA_ACCEPT:
        return Accept(number,
                      Pointer<void>(a[1]),
                      Pointer<std::uint32_t>(a[2]),
                      static_cast<int>(a[3]));
    case VIA_CONNECT:
        return Connect(number, Pointer<void>(a[1]), static_cast<std::size_t>(a[2]));
    case VIA_SEND:
        return SendTo(a);
    case VIA_RECEIVE:
        return ReceiveFrom(a);
    case VIA_SHUTDOWN:
        return ShutDown(number, second);
    case VIA_GETSOCKNAME:
    case VIA_GETPEERNAME:
        return Name(number,
                    call == VIA_GETPEERNAME,
                    Pointer<void>(a[1]),
                    Pointer<std::uint32_t>(a[2]));
    case VIA_SETSOCKOPT:
        return SetOption(number,
                         second,
                         static_cast<int>(a[2]),
                         Pointer<void>(a[3]),
                         static_cast<std::uint32_t>(a[4]));
    case VIA_GETSOCKOPT:
        return GetOption(number,
                         second,
                         static_cast<int>(a[2]),
                         Pointer<void>(a[3]),
                         Pointer<std::uint32_t>(a[4]));
    case VIA_POLL:
        return Poll(Pointer<void>(a[0]), static_cast<std::size_t>(a[1]), a[2]);
    case VIA_EPOLL_CREATE:
        return m_table.Add(std::make_shared<EpollDescriptor>(*m_host.process), 0, number != 0);
    case VIA_EPOLL_CTL:
        return EpollControl(a);
    case VIA_EPOLL_WAIT:
        return EpollWait(number, Pointer<void>(a[1]), static_cast<int>(a[2]), a[3]);
    case VIA_RANDOM:
        return m_table.Add(std::make_shared<RandomDescriptor>(static_cast<std::uint64_t>(a[1])),
                           0,
                           number != 0);
    case VIA_HOST_ADDRESS:
    case VIA_CONTROL_ADDRESS:
        return HostAddress(a[0], call == VIA_CONTROL_ADDRESS);
    }
    return -ENOSYS;
}

void
SystemCalls::End()
{
    m_table.CloseAll();
    m_gate.reset();
}

// ---- waiting

FiberThread&
SystemCalls::Self()
{
    return *FiberThread::Current();
}

void
SystemCalls::Charge()
{
    FiberThread& thread = Self();
    thread.SpendInKernel(Stage::SYSTEM_CALL, thread.GetHost().Costs().systemCall);
    thread.Reach();
    thread.Settle();
}

void
SystemCalls::Charge(OpenFile& file)
{
    ++file.callsOwed;
    PayOwed(file);
}

void
SystemCalls::Charge(const Watched& watched)
{
    const bool isFree =
        !watched.empty() && std::all_of(watched.begin(), watched.end(), [](const auto& one) {
            return one.first != nullptr && one.first->IsFree();
        });
    if (!isFree)
    {
        Charge();
    }
}

void
SystemCalls::PayOwed(OpenFile& file)
{
    if (file.IsFree())
    {
        return;
    }
    // other threads may call while this one pays
    for (std::uint32_t owed = std::exchange(file.callsOwed, 0); owed > 0; --owed)
    {
        Charge();
    }
}

KernelGate&
SystemCalls::Gate()
{
    if (m_gate == nullptr)
    {
        const NodeId node = m_host.process->GetHost().Id();
        const Ptr<ViaIpDevice> device = m_host.network().DeviceOf(node);
        // the first user of IP waits for the network; another thread may have made the gate
        // meanwhile
        if (m_gate == nullptr)
        {
            m_gate = std::make_unique<KernelGate>(device);
        }
    }
    return *m_gate;
}

bool
SystemCalls::InKernel(const std::function<void()>& call)
{
    return Gate().Run(Self(), call);
}

void
SystemCalls::Look()
{
    if (m_gate != nullptr)
    {
        InKernel([] {});
    }
}

SystemCalls::Woken
SystemCalls::AwaitChange(const Watched& watched, Ps until, const char* what)
{
    FiberThread& thread = Self();
    const Ps timer = m_timer == nullptr ? PS_NEVER : *m_timer;
    const Ps end = std::min(until, timer);
    if (end <= thread.Clock().at)
    {
        return timer < until ? Woken::INTERRUPTED : Woken::TIMEOUT;
    }
    for (const auto& one : watched)
    {
        one.first->Add(thread, one.second);
    }
    const bool isWoken = thread.BlockInterruptibly(end, what);
    for (const auto& one : watched)
    {
        one.first->Remove(thread);
    }
    if (!isWoken)
    {
        return end == PS_NEVER || timer < until ? Woken::INTERRUPTED : Woken::TIMEOUT;
    }
    thread.Follow(Later(thread.Clock(), thread.Woken()));
    thread.GetHost().GetWorld().pollWatchdog.NoteProgress(thread.Clock().at);
    thread.GetHost().Cpus().Lose(thread);
    const bool isFree = !thread.WasInterrupted() &&
                        std::any_of(watched.begin(), watched.end(), [](const auto& one) {
                            return one.first->WokeFreely();
                        });
    if (!isFree)
    {
        thread.SpendInKernel(Stage::CONTEXT_SWITCH, thread.GetHost().Costs().contextSwitch);
    }
    return thread.WasInterrupted() ? Woken::INTERRUPTED : Woken::READY;
}

Ps
SystemCalls::After(Ps limit)
{
    const Ps now = Self().Clock().at;
    return limit == 0 || limit > PS_NEVER - now ? PS_NEVER : now + limit;
}

std::int64_t
SystemCalls::Repeat(const std::shared_ptr<OpenFile>& descriptor,
                    short events,
                    bool waits,
                    Ps until,
                    const std::function<std::int64_t()>& attempt)
{
    for (;;)
    {
        const std::uint64_t before = descriptor->Changes();
        const std::int64_t result = attempt();
        if (result != -EAGAIN || !waits)
        {
            return result;
        }
        if (descriptor->Changes() != before)
        {
            continue; // while the call came back
        }
        switch (
            AwaitChange({{descriptor, events}},
                        until,
                        events == POLLIN ? "a read of a descriptor" : "a write to a descriptor"))
        {
        case Woken::READY:
            break;
        case Woken::TIMEOUT:
            return -EAGAIN;
        case Woken::INTERRUPTED:
            return -EINTR;
        }
    }
}

} // namespace via
} // namespace ns3
