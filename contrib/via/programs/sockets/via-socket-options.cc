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

} // namespace

std::int64_t
SystemCalls::SetOption(int number, int level, int name, const void* value, std::uint32_t bytes)
{
    std::int64_t error = 0;
    const auto socket = SocketAt(number, error);
    if (socket == nullptr)
    {
        return dynamic_cast<PipeEnd*>(m_table.At(number).get()) != nullptr ? 0 : error;
    }
    if (!IsKnown(level, name))
    {
        return -ENOPROTOOPT;
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
    socket->options[{level, name}] = text;
    if (level == SOL_SOCKET && name == SO_RCVTIMEO)
    {
        socket->receiveLimit = LimitOf(ValueOf<timeval>(text));
    }
    else if (level == SOL_SOCKET && name == SO_SNDTIMEO)
    {
        socket->sendLimit = LimitOf(ValueOf<timeval>(text));
    }
    else if (level == SOL_SOCKET && name == SO_LINGER)
    {
        const auto given = ValueOf<linger>(text);
        socket->resetsAtClose = given.l_onoff != 0 && given.l_linger == 0;
    }
    else if (level == IPPROTO_TCP && name == TCP_NODELAY)
    {
        if (const auto* stream = dynamic_cast<StreamSocketDescriptor*>(socket.get()))
        {
            stream->Endpoint().SetNoDelay(ValueOf<int>(text) != 0);
        }
    }
    return 0;
}

std::int64_t
SystemCalls::GetOption(int number, int level, int name, void* value, std::uint32_t* bytes)
{
    std::int64_t error = 0;
    const auto socket = SocketAt(number, error);
    const auto* const pair = dynamic_cast<PipeEnd*>(m_table.At(number).get());
    if (pair != nullptr && pair->IsSocket() && level == SOL_SOCKET && name == SO_TYPE)
    {
        const int type = pair->Type();
        const auto room = std::min<std::size_t>(ProgramMemory::Read(bytes), sizeof(type));
        ProgramMemory::WriteBytes(value, &type, room);
        ProgramMemory::Write(bytes, static_cast<std::uint32_t>(room));
        return 0;
    }
    if (socket == nullptr)
    {
        return error;
    }
    const auto* const stream = dynamic_cast<StreamSocketDescriptor*>(socket.get());
    const auto& costs = Gate().Device()->GetKernel()->Costs();
    int number32 = 0;
    std::string found = socket->options[{level, name}];
    if (level == SOL_SOCKET && name == SO_ERROR)
    {
        auto* const datagrams = dynamic_cast<DatagramSocketDescriptor*>(socket.get());
        number32 = stream == nullptr ? datagrams->TakeError() : stream->Endpoint().TakeError();
    }
    else if (level == SOL_SOCKET && name == SO_TYPE)
    {
        number32 = stream == nullptr ? SOCK_DGRAM : SOCK_STREAM;
    }
    else if (level == SOL_SOCKET && name == SO_ACCEPTCONN)
    {
        number32 = stream != nullptr && stream->Endpoint().IsListening() ? 1 : 0;
    }
    else if (level == SOL_SOCKET && (name == SO_RCVBUF || name == SO_SNDBUF) && found.empty())
    {
        number32 = static_cast<int>(stream == nullptr   ? costs.udpBuffer
                                    : name == SO_RCVBUF ? costs.receiveBuffer
                                                        : costs.sendBuffer);
    }
    else if (level == IPPROTO_TCP && name == TCP_NODELAY && found.empty())
    {
        number32 = costs.noDelay ? 1 : 0;
    }
    else if (!IsKnown(level, name))
    {
        return -ENOPROTOOPT;
    }
    if (found.empty())
    {
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
