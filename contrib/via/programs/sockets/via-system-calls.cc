/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The system calls of one process on descriptors: dispatch, waiting, and calls on any descriptor.

#include "via-system-calls.h"

#include "ns3/via-epoll.h"
#include "ns3/via-pipe.h"
#include "ns3/via-program-memory.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

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

/// @return @p result of a call of the real machine as ours
std::int64_t
OrError(std::int64_t result)
{
    return result < 0 ? -errno : result;
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
    m_table.CloseIdle();
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
        return ReadFrom(a);
    case VIA_WRITE:
        return WriteTo(a);
    case VIA_CLOSE:
        return Close(number);
    case VIA_DUP2:
        return Dup2(number, second, a[2] != 0, static_cast<int>(a[3]));
    case VIA_FCNTL:
        return Fcntl(number, second, a[2]);
    case VIA_IOCTL:
        return Ioctl(number, static_cast<std::uint64_t>(a[1]), a[2]);
    case VIA_KIND:
        return m_table.At(number) == nullptr ? -EBADF : m_table.At(number)->Kind();
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
        return m_table.Add(std::make_shared<EpollDescriptor>(), 0, number != 0);
    case VIA_EPOLL_CTL:
        return EpollControl(a);
    case VIA_EPOLL_WAIT:
        return EpollWait(number, Pointer<void>(a[1]), static_cast<int>(a[2]), a[3]);
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
    for (; file.callsOwed > 0 && !file.IsFree(); --file.callsOwed)
    {
        Charge();
    }
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

void
SystemCalls::PayCall(bool sends, std::size_t bytes)
{
    FiberThread& thread = Self();
    const ns3::via::Host& host = thread.GetHost();
    const KernelCosts& costs = Gate().Device()->GetKernel()->Costs();
    thread.SpendInKernel(Stage::SOCKET, sends ? costs.socketSend : costs.socketReceive);
    if (costs.copies)
    {
        thread.SpendInKernel(Stage::COPY, host.CopyCost(bytes, false));
        return;
    }
    const std::uint64_t page = host.Costs().pageBytes;
    thread.SpendInKernel(Stage::MAP_PAGES, costs.mapPage * ((bytes + page - 1) / page));
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
        one.first->Add({&thread, one.second});
    }
    const bool isWoken = thread.Block(end, what);
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
    thread.GetHost().Cpus().Lose(thread, thread.Clock().at);
    const bool isFree = std::any_of(watched.begin(), watched.end(), [](const auto& one) {
        return one.first->WokeFreely();
    });
    if (!isFree)
    {
        thread.SpendInKernel(Stage::CONTEXT_SWITCH, thread.GetHost().Costs().contextSwitch);
    }
    return Woken::READY;
}

std::int64_t
SystemCalls::Repeat(const std::shared_ptr<OpenFile>& descriptor,
                    short events,
                    bool waits,
                    Ps limit,
                    const std::function<std::int64_t()>& attempt)
{
    const Ps until = limit == 0 ? PS_NEVER : Self().Clock().at + limit;
    for (;;)
    {
        const std::int64_t result = attempt();
        if (result != -EAGAIN || !waits)
        {
            return result;
        }
        if ((descriptor->Ready() & (events | POLLERR | POLLHUP)) != 0)
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

// ---- any descriptor

std::vector<std::uint8_t>
SystemCalls::Receive(const std::shared_ptr<OpenFile>& descriptor,
                     std::size_t most,
                     int flags,
                     KernelPeer& from,
                     std::int64_t& result)
{
    auto* const socket = dynamic_cast<SocketDescriptor*>(descriptor.get());
    const bool waits = !descriptor->nonBlocking && (flags & MSG_DONTWAIT) == 0;
    std::vector<std::uint8_t> bytes;
    Charge(*descriptor);
    const auto attempt = [&]() -> std::int64_t {
        std::int64_t got = -EINTR;
        if (socket == nullptr)
        {
            bytes = descriptor->Read(most, got);
            return got;
        }
        InKernel([&] { bytes = socket->Receive(most, (flags & MSG_PEEK) != 0, from, got); });
        return got;
    };
    result =
        Repeat(descriptor, POLLIN, waits, socket == nullptr ? 0 : socket->receiveLimit, attempt);
    PayOwed(*descriptor);
    if (socket != nullptr && !bytes.empty() && !socket->IsFreeWith(from))
    {
        PayCall(false, bytes.size());
    }
    return bytes;
}

std::int64_t
SystemCalls::Send(const std::shared_ptr<OpenFile>& descriptor,
                  const void* bytes,
                  std::size_t count,
                  int flags,
                  const KernelPeer* to)
{
    auto* const socket = dynamic_cast<SocketDescriptor*>(descriptor.get());
    const bool waits = !descriptor->nonBlocking && (flags & MSG_DONTWAIT) == 0;
    const auto* from = static_cast<const std::uint8_t*>(bytes);
    std::size_t done = 0;
    if (socket == nullptr)
    {
        Charge(*descriptor);
    }
    else if (!socket->IsFreeWith(to == nullptr ? socket->Peer() : *to))
    {
        Charge(*descriptor);
        PayCall(true, count);
    }
    do
    {
        const auto attempt = [&]() -> std::int64_t {
            std::int64_t taken = -EINTR;
            if (socket == nullptr)
            {
                return descriptor->Write(from + done, count - done);
            }
            InKernel([&] { taken = socket->Send(from + done, count - done, to); });
            return taken;
        };
        const std::int64_t taken =
            Repeat(descriptor, POLLOUT, waits, socket == nullptr ? 0 : socket->sendLimit, attempt);
        if (taken < 0 && done == 0)
        {
            return taken;
        }
        if (taken < 0)
        {
            descriptor->KeepError(static_cast<int>(-taken));
            break;
        }
        done += static_cast<std::size_t>(taken);
    } while (waits && done < count);
    return static_cast<std::int64_t>(done);
}

std::int64_t
SystemCalls::Read(int number, void* to, std::size_t most)
{
    const auto descriptor = m_table.At(number);
    if (descriptor == nullptr)
    {
        return -EBADF;
    }
    if (descriptor->RealFile() >= 0)
    {
        return OrError(read(descriptor->RealFile(), to, most));
    }
    KernelPeer from;
    std::int64_t result = 0;
    const auto bytes = Receive(descriptor, most, 0, from, result);
    ProgramMemory::WriteBytes(to, bytes.data(), bytes.size());
    return std::min(result, static_cast<std::int64_t>(most));
}

std::int64_t
SystemCalls::Write(int number, const void* from, std::size_t count)
{
    const auto descriptor = m_table.At(number);
    if (descriptor == nullptr)
    {
        return -EBADF;
    }
    if (descriptor->RealFile() >= 0)
    {
        return OrError(write(descriptor->RealFile(), from, count));
    }
    if (dynamic_cast<OutputDescriptor*>(descriptor.get()) != nullptr)
    {
        return descriptor->Write(from, count);
    }
    const std::string bytes = ProgramMemory::ReadBytes(from, count);
    return Send(descriptor, bytes.data(), count, 0, nullptr);
}

std::int64_t
SystemCalls::ReadFrom(const std::int64_t* a)
{
    return Read(static_cast<int>(a[0]), Pointer<void>(a[1]), static_cast<std::size_t>(a[2]));
}

std::int64_t
SystemCalls::WriteTo(const std::int64_t* a)
{
    return Write(static_cast<int>(a[0]), Pointer<void>(a[1]), static_cast<std::size_t>(a[2]));
}

std::int64_t
SystemCalls::Close(int number)
{
    const auto descriptor = m_table.At(number);
    if (descriptor != nullptr && descriptor->IsFree())
    {
        Look(); // its peer sees it now
    }
    return m_table.Close(number);
}

std::int64_t
SystemCalls::Dup2(int from, int to, bool isStrict, int flags)
{
    const auto descriptor = m_table.At(from);
    if (descriptor == nullptr)
    {
        return -EBADF;
    }
    if (from == to)
    {
        return isStrict ? -EINVAL : to;
    }
    const int number = m_table.Put(descriptor, to);
    if (number >= 0)
    {
        m_table.SetClosesOnExec(number, (flags & O_CLOEXEC) != 0);
    }
    return number;
}

std::int64_t
SystemCalls::Fcntl(int number, int command, std::int64_t argument)
{
    const auto descriptor = m_table.At(number);
    if (descriptor == nullptr)
    {
        return -EBADF;
    }
    switch (command)
    {
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
        return argument < 0 || argument >= DescriptorTable::MOST
                   ? -EINVAL
                   : m_table.Add(descriptor,
                                 static_cast<int>(argument),
                                 command == F_DUPFD_CLOEXEC);
    case F_GETFD:
        return m_table.ClosesOnExec(number) ? FD_CLOEXEC : 0;
    case F_SETFD:
        m_table.SetClosesOnExec(number, (argument & FD_CLOEXEC) != 0);
        return 0;
    default:
        break;
    }
    if (descriptor->RealFile() >= 0)
    {
        return OrError(fcntl(descriptor->RealFile(), command, argument));
    }
    switch (command)
    {
    case F_GETFL:
        return O_RDWR | (descriptor->nonBlocking ? O_NONBLOCK : 0);
    case F_SETFL:
        descriptor->nonBlocking = (argument & O_NONBLOCK) != 0;
        return 0;
    case F_SETOWN:
    case F_GETOWN:
        return 0;
    default:
        return -EINVAL;
    }
}

std::int64_t
SystemCalls::Pipe(int* numbers, int flags)
{
    if (m_host.process == nullptr)
    {
        return -ENOSYS;
    }
    Charge();
    const auto ends = PipeEnd::MakePipe(*m_host.process);
    return AddPair(numbers, ends.first, ends.second, flags);
}

std::int64_t
SystemCalls::SocketPair(int* numbers, int type)
{
    if (m_host.process == nullptr)
    {
        return -ENOSYS;
    }
    Charge();
    const int kind = type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC);
    const auto ends = PipeEnd::MakeSocketPair(*m_host.process, kind != SOCK_STREAM);
    return AddPair(numbers, ends.first, ends.second, type);
}

std::int64_t
SystemCalls::AddPair(int* numbers,
                     std::shared_ptr<OpenFile> first,
                     std::shared_ptr<OpenFile> second,
                     int flags)
{
    // O_NONBLOCK and O_CLOEXEC are SOCK_NONBLOCK and SOCK_CLOEXEC
    first->nonBlocking = second->nonBlocking = (flags & O_NONBLOCK) != 0;
    const int one = m_table.Add(std::move(first), 0, (flags & O_CLOEXEC) != 0);
    const int other = one < 0 ? one : m_table.Add(std::move(second), 0, (flags & O_CLOEXEC) != 0);
    if (other < 0)
    {
        m_table.Close(one);
        return other;
    }
    ProgramMemory::Write(numbers, one);
    ProgramMemory::Write(numbers + 1, other);
    return 0;
}

} // namespace via
} // namespace ns3
