/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The system calls of one process on the options of sockets.

#include "ns3/via-pipe.h"
#include "ns3/via-program-memory.h"
#include "ns3/via-system-calls.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <optional>
#include <sys/socket.h>
#include <sys/time.h>
#include <utility>
#include <vector>

namespace ns3
{
namespace via
{

namespace
{

/// Options that are stored, and have no effect beside what the calls below say.
bool
IsKnown(int level, int name)
{
    static const std::vector<std::pair<int, int>> known = {
        {SOL_SOCKET, SO_REUSEADDR},
        {SOL_SOCKET, SO_REUSEPORT},
        {SOL_SOCKET, SO_KEEPALIVE},
        {SOL_SOCKET, SO_BROADCAST},
        {SOL_SOCKET, SO_RCVBUF},
        {SOL_SOCKET, SO_SNDBUF},
        {SOL_SOCKET, SO_LINGER},
        {SOL_SOCKET, SO_RCVTIMEO},
        {SOL_SOCKET, SO_SNDTIMEO},
        {SOL_SOCKET, SO_DONTROUTE},
        {SOL_SOCKET, SO_OOBINLINE},
        {SOL_SOCKET, SO_PRIORITY},
        {SOL_SOCKET, SO_RCVLOWAT},
        {SOL_SOCKET, SO_SNDLOWAT},
        {IPPROTO_TCP, TCP_NODELAY},
        {IPPROTO_TCP, TCP_CORK},
        {IPPROTO_TCP, TCP_QUICKACK},
        {IPPROTO_TCP, TCP_KEEPIDLE},
        {IPPROTO_TCP, TCP_KEEPINTVL},
        {IPPROTO_TCP, TCP_KEEPCNT},
        {IPPROTO_TCP, TCP_MAXSEG},
        {IPPROTO_TCP, TCP_USER_TIMEOUT},
        {IPPROTO_TCP, TCP_DEFER_ACCEPT},
        {IPPROTO_IP, IP_TOS},
        {IPPROTO_IP, IP_TTL},
        {IPPROTO_IPV6, IPV6_V6ONLY},
    };
    return std::find(known.begin(), known.end(), std::pair(level, name)) != known.end();
}

/// @return the value of an option of type @p T, with zeros if it is shorter
template <class T>
T
ValueOf(const std::string& bytes)
{
    T value{};
    std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof(value)));
    return value;
}

/// @return the time limit of a socket; 0: none, or one beyond simulated time
Ps
LimitOf(const timeval& value)
{
    const bool isBeyond = value.tv_sec >= PS_NEVER / PS_PER_SECOND;
    return isBeyond ? 0 : value.tv_sec * PS_PER_SECOND + value.tv_usec * PS_PER_US;
}

bool
IsTimeLimit(int level, int name)
{
    return level == SOL_SOCKET && (name == SO_RCVTIMEO || name == SO_SNDTIMEO);
}

/// @return how many bytes an option has
std::size_t
SizeOf(int level, int name)
{
    const bool isLinger = level == SOL_SOCKET && name == SO_LINGER;
    return IsTimeLimit(level, name) ? sizeof(timeval) : isLinger ? sizeof(linger) : sizeof(int);
}

/// Lets an option that was set have its effect, if it has any.
void
Apply(OpenFile& file, int level, int name, const std::string& text)
{
    SocketSettings& settings = *file.Settings();
    if (level == SOL_SOCKET && name == SO_RCVTIMEO)
    {
        settings.receiveLimit = LimitOf(ValueOf<timeval>(text));
    }
    else if (level == SOL_SOCKET && name == SO_SNDTIMEO)
    {
        settings.sendLimit = LimitOf(ValueOf<timeval>(text));
    }
    else if (level == SOL_SOCKET && name == SO_LINGER)
    {
        const auto given = ValueOf<linger>(text);
        settings.resetsAtClose = given.l_onoff != 0 && given.l_linger == 0;
    }
    else if (level == IPPROTO_TCP && name == TCP_NODELAY)
    {
        if (const auto* stream = dynamic_cast<StreamSocketDescriptor*>(&file))
        {
            stream->Endpoint().SetNoDelay(ValueOf<int>(text) != 0);
        }
    }
}

/// @return 0, or why @p file cannot have such an option
int
WhyNoOption(OpenFile* file, int level, int name)
{
    if (file == nullptr || file->Settings() == nullptr)
    {
        return file == nullptr ? EBADF : ENOTSOCK;
    }
    if (level != SOL_SOCKET && dynamic_cast<PipeEnd*>(file) != nullptr)
    {
        return EOPNOTSUPP; // as Linux: local sockets have no protocol
    }
    return IsKnown(level, name) ? 0 : ENOPROTOOPT;
}

/// @return what @p file says of itself; nothing: @p name is an option that can be set
std::optional<int>
StateOf(OpenFile& file, int level, int name)
{
    if (level != SOL_SOCKET || file.Settings() == nullptr)
    {
        return std::nullopt;
    }
    auto* const pair = dynamic_cast<PipeEnd*>(&file);
    const auto* const socket = dynamic_cast<SocketDescriptor*>(&file);
    const auto* const stream = dynamic_cast<StreamSocketDescriptor*>(&file);
    auto* const datagrams = dynamic_cast<DatagramSocketDescriptor*>(&file);
    switch (name)
    {
    case SO_DOMAIN:
        return socket == nullptr ? AF_UNIX : socket->family;
    case SO_TYPE:
        return pair != nullptr ? pair->Type() : stream == nullptr ? SOCK_DGRAM : SOCK_STREAM;
    case SO_PROTOCOL:
        return socket == nullptr ? 0 : stream == nullptr ? IPPROTO_UDP : IPPROTO_TCP;
    case SO_ERROR:
        return stream != nullptr      ? stream->Endpoint().TakeError()
               : datagrams != nullptr ? datagrams->TakeError()
               : pair != nullptr      ? pair->TakeError()
                                      : 0;
    case SO_ACCEPTCONN:
        return stream != nullptr && stream->Endpoint().IsListening() ? 1 : 0;
    default:
        return std::nullopt;
    }
}

/// @param costs of the kernel; null: a pair, which needs none. @return an option never set
int
DefaultOf(const OpenFile& file, const KernelCosts* costs, int level, int name)
{
    if (level == SOL_SOCKET && (name == SO_RCVBUF || name == SO_SNDBUF))
    {
        return static_cast<int>(costs == nullptr     ? PipeEnd::ROOM
                                : file.KeepsBounds() ? costs->udpBuffer
                                : name == SO_RCVBUF  ? costs->receiveBuffer
                                                     : costs->sendBuffer);
    }
    return level == IPPROTO_TCP && name == TCP_NODELAY && costs->noDelay ? 1 : 0;
}

} // namespace

std::int64_t
SystemCalls::SetOption(int number, int level, int name, const void* value, std::uint32_t bytes)
{
    const auto descriptor = m_table.At(number);
    if (const int why = WhyNoOption(descriptor.get(), level, name))
    {
        return -why;
    }
    const std::size_t size = SizeOf(level, name);
    if (bytes < size || bytes > sizeof(linger) + sizeof(timeval))
    {
        return -EINVAL;
    }
    const std::string text = ProgramMemory::ReadBytes(value, size);
    if (IsTimeLimit(level, name))
    {
        const auto wanted = ValueOf<timeval>(text);
        if (wanted.tv_usec < 0 || wanted.tv_usec >= 1'000'000 || wanted.tv_sec < 0)
        {
            return -EDOM;
        }
    }
    descriptor->Settings()->options[{level, name}] = text;
    Apply(*descriptor, level, name, text);
    return 0;
}

std::int64_t
SystemCalls::GetOption(int number, int level, int name, void* value, std::uint32_t* bytes)
{
    const auto descriptor = m_table.At(number);
    const auto state = descriptor == nullptr ? std::nullopt : StateOf(*descriptor, level, name);
    const int why = state ? 0 : WhyNoOption(descriptor.get(), level, name);
    if (why != 0)
    {
        return -why;
    }
    const auto& options = descriptor->Settings()->options;
    const auto set = options.find({level, name});
    std::string found;
    if (set != options.end())
    {
        found = set->second;
    }
    else
    {
        const bool isPair = dynamic_cast<PipeEnd*>(descriptor.get()) != nullptr;
        const auto* const costs = isPair ? nullptr : &Gate().Device()->GetKernel()->Costs();
        const int number32 = state ? *state : DefaultOf(*descriptor, costs, level, name);
        found.assign(reinterpret_cast<const char*>(&number32), sizeof(number32));
        found.resize(SizeOf(level, name)); // never set: zeros
    }
    found.resize(std::min(found.size(), static_cast<std::size_t>(ProgramMemory::Read(bytes))));
    ProgramMemory::WriteBytes(value, found.data(), found.size());
    ProgramMemory::Write(bytes, static_cast<std::uint32_t>(found.size()));
    return 0;
}

} // namespace via
} // namespace ns3
