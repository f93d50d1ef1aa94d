/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The system calls of one process that move bytes: reads and writes of all kinds.

#include "ns3/via-pipe.h"
#include "ns3/via-program-memory.h"
#include "ns3/via-socket-address.h"
#include "ns3/via-system-calls.h"

#include <cerrno>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace ns3
{
namespace via
{

void
SystemCalls::PaySocket(bool sends)
{
    const KernelCosts& costs = Gate().Device()->GetKernel()->Costs();
    Self().SpendInKernel(Stage::SOCKET, sends ? costs.socketSend : costs.socketReceive);
}

void
SystemCalls::PayCopy(std::size_t bytes)
{
    FiberThread& thread = Self();
    const ns3::via::Host& host = thread.GetHost();
    const KernelCosts& costs = Gate().Device()->GetKernel()->Costs();
    if (costs.copies)
    {
        thread.SpendInKernel(Stage::COPY, host.CopyCost(bytes, false));
        return;
    }
    const std::uint64_t page = host.Costs().pageBytes;
    thread.SpendInKernel(Stage::MAP_PAGES, costs.mapPage * ((bytes + page - 1) / page));
}

Ps
SystemCalls::ReadsUntil(OpenFile& descriptor)
{
    const SocketSettings* const settings = descriptor.Settings();
    return After(settings == nullptr ? 0 : settings->receiveLimit);
}

std::vector<std::uint8_t>
SystemCalls::Receive(const std::shared_ptr<OpenFile>& descriptor,
                     std::size_t most,
                     int flags,
                     Ps until,
                     KernelPeer& from,
                     std::int64_t& result)
{
    auto* const socket = dynamic_cast<SocketDescriptor*>(descriptor.get());
    const bool peeks = (flags & MSG_PEEK) != 0;
    auto* const peeked = peeks ? dynamic_cast<PipeEnd*>(descriptor.get()) : nullptr;
    const bool waits = !descriptor->nonBlocking && (flags & MSG_DONTWAIT) == 0;
    const bool peeksAll = // local sockets of Linux do not wait
        peeks && waits && socket != nullptr && (flags & MSG_WAITALL) != 0 && !socket->KeepsBounds();
    std::vector<std::uint8_t> bytes;
    Charge(*descriptor);
    const auto attempt = [&]() -> std::int64_t {
        std::int64_t got = -EINTR;
        if (socket == nullptr)
        {
            bytes = peeked != nullptr ? peeked->Peek(most, got) : descriptor->Read(most, got);
        }
        else
        {
            InKernel([&] { bytes = socket->Receive(most, peeks, from, got); });
        }
        const bool isShort = got > 0 && got < static_cast<std::int64_t>(most);
        const bool mayGrow = (descriptor->Ready() & (POLLRDHUP | POLLHUP | POLLERR)) == 0;
        return peeksAll && isShort && mayGrow ? -EAGAIN : got;
    };
    result = Repeat(descriptor, POLLIN, waits, until, attempt);
    PayOwed(*descriptor);
    if (socket != nullptr && !bytes.empty() && !socket->IsFreeWith(from))
    {
        PaySocket(false);
        PayCopy(bytes.size());
    }
    return bytes;
}

/// Pays for the bytes that the kernel has room for, and no others, and sends them.
std::int64_t
SystemCalls::SendPart(SocketDescriptor& socket,
                      const void* bytes,
                      std::size_t count,
                      const KernelPeer* to,
                      bool& isEntered)
{
    std::int64_t taken = -EINTR;
    std::size_t part = count;
    // a look is an event more, so that a send that fits anyway does without
    const bool looks = isEntered || !socket.SurelyFits(count);
    if (looks && !InKernel([&] { part = socket.Fits(count); }))
    {
        return taken;
    }
    if (!std::exchange(isEntered, true))
    {
        PaySocket(true);
    }
    if (part > 0 || count == 0)
    {
        PayCopy(part);
        InKernel([&] { taken = socket.Send(bytes, part, to); });
        return taken;
    }
    // there may be room since: for a part that is not paid
    InKernel([&] { taken = socket.Fits(count) > 0 ? -EAGAIN : socket.Send(bytes, count, to); });
    return taken;
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
    const bool isFree =
        socket != nullptr && socket->IsFreeWith(to == nullptr ? socket->Peer() : *to);
    const auto* from = static_cast<const std::uint8_t*>(bytes);
    std::size_t done = 0;
    bool isEntered = false;
    if (!isFree)
    {
        Charge(*descriptor);
    }
    const SocketSettings* const settings = descriptor->Settings();
    const Ps until = After(settings == nullptr ? 0 : settings->sendLimit);
    do
    {
        const auto attempt = [&]() -> std::int64_t {
            std::int64_t taken = -EINTR;
            if (socket == nullptr)
            {
                return descriptor->Write(from + done, count - done);
            }
            if (!isFree)
            {
                return SendPart(*socket, from + done, count - done, to, isEntered);
            }
            InKernel([&] { taken = socket->Send(from + done, count - done, to); });
            return taken;
        };
        const std::int64_t taken = Repeat(descriptor, POLLOUT, waits, until, attempt);
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
    } while (done < count);
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
    if (most == 0 && descriptor->Kind() == S_IFSOCK) // as Linux, which does not look for data
    {
        Charge(*descriptor);
        return 0;
    }
    KernelPeer from;
    std::int64_t result = 0;
    const auto bytes = Receive(descriptor, most, 0, ReadsUntil(*descriptor), from, result);
    ProgramMemory::WriteBytes(to, bytes.data(), bytes.size());
    return result < 0 ? result : static_cast<std::int64_t>(bytes.size());
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
SystemCalls::SendTo(const std::int64_t* a)
{
    const auto descriptor = m_table.At(static_cast<int>(a[0]));
    const auto socket = std::dynamic_pointer_cast<SocketDescriptor>(descriptor);
    const auto* const pair = dynamic_cast<PipeEnd*>(descriptor.get());
    if (socket == nullptr && (pair == nullptr || !pair->IsSocket()))
    {
        return descriptor == nullptr ? -EBADF : -ENOTSOCK;
    }
    if ((a[3] & MSG_OOB) != 0)
    {
        return -EOPNOTSUPP;
    }
    KernelPeer to;
    const auto count = static_cast<std::size_t>(a[2]);
    const bool isNamed = socket != nullptr && a[4] != 0 && a[5] != 0;
    if (isNamed)
    {
        const std::string address = ProgramMemory::ReadBytes(reinterpret_cast<const void*>(a[4]),
                                                             static_cast<std::size_t>(a[5]));
        if (const int wrong = ReadSocketAddress(address, socket->family, to))
        {
            return -wrong;
        }
        socket->NoteTarget(to);
    }
    const std::string bytes = ProgramMemory::ReadBytes(reinterpret_cast<const void*>(a[1]), count);
    return Send(descriptor, bytes.data(), count, static_cast<int>(a[3]), isNamed ? &to : nullptr);
}

std::int64_t
SystemCalls::ReceiveFrom(const std::int64_t* a)
{
    const auto descriptor = m_table.At(static_cast<int>(a[0]));
    const auto socket = std::dynamic_pointer_cast<SocketDescriptor>(descriptor);
    const auto* const pair = dynamic_cast<PipeEnd*>(descriptor.get());
    if (socket == nullptr && (pair == nullptr || !pair->IsSocket()))
    {
        return descriptor == nullptr ? -EBADF : -ENOTSOCK;
    }
    const bool isUdp = socket != nullptr && descriptor->KeepsBounds();
    if ((a[3] & MSG_OOB) != 0 && !isUdp)
    {
        return descriptor->KeepsBounds() ? -EOPNOTSUPP : -EINVAL; // there is no urgent data
    }
    const auto most = static_cast<std::size_t>(a[2]);
    const int flags = static_cast<int>(a[3]);
    auto* to = reinterpret_cast<char*>(a[1]);
    const bool waitsForAll =
        (flags & MSG_WAITALL) != 0 && (flags & MSG_PEEK) == 0 && !descriptor->KeepsBounds();
    std::size_t done = 0;
    std::int64_t result = 0;
    KernelPeer from;
    const Ps until = ReadsUntil(*descriptor);
    do
    {
        const auto bytes = Receive(descriptor, most - done, flags, until, from, result);
        ProgramMemory::WriteBytes(to + done, bytes.data(), bytes.size());
        done += bytes.size();
    } while (waitsForAll && result > 0 && done < most);
    if (result < 0 && done == 0)
    {
        return result;
    }
    if (result < 0)
    {
        descriptor->KeepError(static_cast<int>(-result));
    }
    if (socket != nullptr)
    {
        StoreSocketAddress(WriteSocketAddress(from, socket->family),
                           reinterpret_cast<void*>(a[4]),
                           reinterpret_cast<std::uint32_t*>(a[5]));
    }
    const bool tellsLength = (flags & MSG_TRUNC) != 0 && result > static_cast<std::int64_t>(done);
    return tellsLength ? result : static_cast<std::int64_t>(done);
}

} // namespace via
} // namespace ns3
