/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Pipes and pairs of local sockets between the threads of one process.

#include "via-pipe.h"

#include <algorithm>
#include <cerrno>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>

namespace ns3
{
namespace via
{

void
PipeEnd::Join(PipeEnd& reader, PipeEnd& writer, bool keepsParts)
{
    const auto flow = std::make_shared<Flow>();
    flow->keepsParts = keepsParts;
    flow->reader = &reader;
    flow->writer = &writer;
    reader.m_in = flow;
    writer.m_out = flow;
}

PipeEnd::Pair
PipeEnd::MakePipe(FiberProcess& process)
{
    Pair ends{std::make_shared<PipeEnd>(process), std::make_shared<PipeEnd>(process)};
    Join(*ends.first, *ends.second, false);
    return ends;
}

PipeEnd::Pair
PipeEnd::MakeSocketPair(FiberProcess& process, int type)
{
    Pair ends{std::make_shared<PipeEnd>(process), std::make_shared<PipeEnd>(process)};
    Join(*ends.first, *ends.second, type != SOCK_STREAM);
    Join(*ends.second, *ends.first, type != SOCK_STREAM);
    ends.first->m_type = ends.second->m_type = type;
    return ends;
}

bool
PipeEnd::HasReadAll() const
{
    // datagrams have no end: the other socket might be connected again
    return m_in->readerEnded || (m_in->writerEnded && m_type != SOCK_DGRAM);
}

short
PipeEnd::ReadySocket() const
{
    const bool endsReads = HasReadAll();
    const bool endsWrites = m_out->writerEnded || (m_out->readerEnded && m_type != SOCK_DGRAM);
    short ready = 0;
    ready |= !m_in->parts.empty() || endsReads ? POLLIN : 0;
    ready |= endsReads ? POLLRDHUP : 0;
    ready |= endsReads && endsWrites ? POLLHUP : 0;
    ready |= m_error != 0 ? POLLERR : 0;
    ready |= m_out->bytes < ROOM || m_out->readerEnded ? POLLOUT : 0;
    return ready;
}

short
PipeEnd::Ready()
{
    if (IsSocket())
    {
        return ReadySocket();
    }
    short ready = 0;
    if (m_in != nullptr)
    {
        ready |= !m_in->parts.empty() ? POLLIN : 0;
        ready |= m_in->writerEnded ? POLLHUP : 0;
    }
    if (m_out != nullptr)
    {
        // else a write that is not divided would fail, and a loop of events would spin
        ready |= m_out->bytes + PIPE_BUF_BYTES <= ROOM || m_out->readerEnded ? POLLOUT : 0;
        ready |= m_out->readerEnded ? POLLERR : 0;
    }
    return ready;
}

std::vector<std::uint8_t>
PipeEnd::Peek(std::size_t most, std::int64_t& result)
{
    std::vector<std::uint8_t> bytes;
    if (m_in == nullptr)
    {
        result = -EBADF;
        return bytes;
    }
    if (m_in->parts.empty())
    {
        const bool wantsNone = most == 0 && !m_in->keepsParts;
        const int error = wantsNone ? 0 : TakeError();
        result = error != 0 ? -error : wantsNone || HasReadAll() ? 0 : -EAGAIN;
        return bytes;
    }
    for (const auto& part : m_in->parts)
    {
        const std::size_t taken = std::min(most - bytes.size(), part.size());
        bytes.insert(bytes.end(), part.begin(), part.begin() + static_cast<std::ptrdiff_t>(taken));
        if (m_in->keepsParts || bytes.size() == most)
        {
            break;
        }
    }
    // of a message, its whole length
    result =
        static_cast<std::int64_t>(m_in->keepsParts ? m_in->parts.front().size() : bytes.size());
    return bytes;
}

std::vector<std::uint8_t>
PipeEnd::Read(std::size_t most, std::int64_t& result)
{
    const std::vector<std::uint8_t> bytes = Peek(most, result);
    if (result < 0 || m_in->parts.empty())
    {
        return bytes;
    }
    std::size_t left = bytes.size();
    do
    {
        auto& part = m_in->parts.front();
        const std::size_t taken = std::min(left, part.size());
        part.erase(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(taken));
        m_in->bytes -= taken;
        left -= taken;
        if (m_in->keepsParts || part.empty())
        {
            m_in->bytes -= part.size(); // the rest of a message is lost
            m_in->parts.pop_front();
        }
    } while (!m_in->keepsParts && left > 0);
    if (m_in->writer != nullptr)
    {
        m_in->writer->Notify();
    }
    return bytes;
}

/// The answers of Linux to a write that nobody will read.
int
PipeEnd::WhyNobodyReads()
{
    if (m_type == SOCK_DGRAM && m_out->reader == nullptr && !m_out->writerEnded)
    {
        m_in->parts.clear(); // what a closed socket has sent is lost with it
        m_in->bytes = 0;
        return std::exchange(m_hasNoPeer, true) ? ENOTCONN : ECONNREFUSED;
    }
    const int error = m_type == SOCK_SEQPACKET ? TakeError() : 0;
    return error != 0 ? error : EPIPE;
}

std::int64_t
PipeEnd::Write(const void* bytes, std::size_t count)
{
    if (m_out == nullptr)
    {
        return -EBADF;
    }
    if (m_out->readerEnded || m_out->writerEnded)
    {
        return -WhyNobodyReads();
    }
    const std::size_t room = ROOM - std::min(ROOM, m_out->bytes);
    const bool isWhole = m_out->keepsParts || (!IsSocket() && count <= PIPE_BUF_BYTES);
    const std::size_t part = isWhole && count > room ? 0 : std::min(room, count);
    const bool isEmptyMessage = count == 0 && m_out->keepsParts;
    if (part == 0 && !isEmptyMessage)
    {
        return count == 0 ? 0 : m_out->keepsParts && count > ROOM ? -EMSGSIZE : -EAGAIN;
    }
    const auto* from = static_cast<const std::uint8_t*>(bytes);
    m_out->parts.emplace_back(from, from + part);
    m_out->bytes += part;
    if (m_out->reader != nullptr)
    {
        m_out->reader->Notify();
    }
    return static_cast<std::int64_t>(part);
}

std::size_t
PipeEnd::Available()
{
    if (m_type == SOCK_DGRAM && !m_in->parts.empty())
    {
        return m_in->parts.front().size();
    }
    return m_in == nullptr ? 0 : m_in->bytes;
}

void
PipeEnd::ShutDown(bool reads, bool writes)
{
    if (reads && m_in != nullptr)
    {
        m_in->readerEnded = true;
        Notify();
        if (m_in->writer != nullptr)
        {
            m_in->writer->Notify();
        }
    }
    if (writes && m_out != nullptr)
    {
        m_out->writerEnded = true;
        if (m_out->reader != nullptr)
        {
            m_out->reader->Notify();
        }
    }
}

void
PipeEnd::Close()
{
    if (m_in != nullptr)
    {
        m_in->reader = nullptr;
    }
    if (IsSocket() && m_type != SOCK_DGRAM && !m_in->parts.empty() && m_out->reader != nullptr)
    {
        m_out->reader->m_error = ECONNRESET; // as Linux: the peer learns that bytes were lost
    }
    if (m_out != nullptr)
    {
        m_out->writer = nullptr;
    }
    ShutDown(true, true);
}

unsigned
PipeEnd::Kind() const
{
    return IsSocket() ? S_IFSOCK : S_IFIFO;
}

Moment
PipeEnd::WakeUp()
{
    return {m_process.Clock().at, 0};
}

} // namespace via
} // namespace ns3
