/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The system calls of one process on any descriptor, and those that make pipes.

#include "ns3/via-pipe.h"
#include "ns3/via-program-memory.h"
#include "ns3/via-system-calls.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <utility>

namespace ns3
{
namespace via
{

namespace
{

/// Whether it is a lock that would belong to a process of the real machine, or a wait there.
bool
IsLock(int command)
{
    return command == F_GETLK || command == F_SETLK || command == F_SETLKW ||
           command == F_OFD_SETLKW;
}

} // namespace

std::int64_t
SystemCalls::Close(int number)
{
    LookBeforeClose(number);
    return m_table.Close(number);
}

void
SystemCalls::LookBeforeClose(int number)
{
    if (std::dynamic_pointer_cast<SocketDescriptor>(m_table.At(number)) != nullptr)
    {
        Look(); // its peer hears of it from now on
    }
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
    LookBeforeClose(to);
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
        return IsLock(command)
                   ? Lock(descriptor->RealFile(), command, reinterpret_cast<flock*>(argument))
                   : OrError(fcntl(descriptor->RealFile(), command, argument));
    }
    switch (command)
    {
    case F_GETFL:
        return descriptor->AccessMode() | (descriptor->nonBlocking ? O_NONBLOCK : 0);
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
SystemCalls::Lock(int file, int command, flock* about)
{
    flock range = ProgramMemory::Read(about);
    range.l_pid = 0;
    if (fcntl(file, command == F_GETLK ? F_OFD_GETLK : F_OFD_SETLK, &range) != 0)
    {
        return -errno;
    }
    if (command == F_GETLK)
    {
        ProgramMemory::Write(about, range);
    }
    return 0;
}

std::int64_t
SystemCalls::Ioctl(int number, std::uint64_t request, std::int64_t argument)
{
    const auto descriptor = m_table.At(number);
    if (descriptor == nullptr)
    {
        return -EBADF;
    }
    if (descriptor->RealFile() >= 0)
    {
        return ioctl(descriptor->RealFile(), request, argument) < 0 ? -errno : 0;
    }
    if (request == FIONBIO)
    {
        descriptor->nonBlocking = ProgramMemory::Read(reinterpret_cast<const int*>(argument)) != 0;
        return 0;
    }
    if (request == FIONREAD && m_host.process != nullptr)
    {
        Charge(*descriptor);
        Look();
        ProgramMemory::Write(reinterpret_cast<int*>(argument),
                             static_cast<int>(descriptor->Available()));
        return 0;
    }
    return AskInterfaces(request, argument);
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
    const int kind = type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC);
    constexpr int types = 11; // of Linux
    if (kind != SOCK_STREAM && kind != SOCK_DGRAM && kind != SOCK_SEQPACKET && kind != SOCK_RAW)
    {
        return kind < 0 || kind >= types ? -EINVAL : -ESOCKTNOSUPPORT;
    }
    Charge();
    const auto ends =
        PipeEnd::MakeSocketPair(*m_host.process, kind == SOCK_RAW ? SOCK_DGRAM : kind);
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
