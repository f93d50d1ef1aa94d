/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Pipes and pairs of local sockets between the threads of one process.

#ifndef VIA_PIPE_H
#define VIA_PIPE_H

#include "ns3/via-fiber-process.h"
#include "ns3/via-open-file.h"

#include <deque>
#include <fcntl.h>
#include <memory>
#include <utility>

namespace ns3
{
namespace via
{

/// One end of a pipe (which reads or writes), or of a socketpair (which does both).
class PipeEnd final : public OpenFile
{
  public:
    /// Bytes that one direction holds, as in Linux.
    static constexpr std::size_t ROOM = 65536;

    /// Writes of at most so many bytes are not divided.
    static constexpr std::size_t PIPE_BUF_BYTES = 4096;

    using Pair = std::pair<std::shared_ptr<PipeEnd>, std::shared_ptr<PipeEnd>>;

    /// @return an end to read from and one to write to
    static Pair MakePipe(FiberProcess& process);

    /// @return two equal ends. @param type SOCK_STREAM, SOCK_DGRAM or SOCK_SEQPACKET
    static Pair MakeSocketPair(FiberProcess& process, int type);

    explicit PipeEnd(FiberProcess& process)
        : m_process(process)
    {
    }

    short Ready() override;
    std::vector<std::uint8_t> Read(std::size_t most, std::int64_t& result) override;
    /// As Read, but the bytes stay.
    std::vector<std::uint8_t> Peek(std::size_t most, std::int64_t& result);
    std::int64_t Write(const void* bytes, std::size_t count) override;
    std::size_t Available() override;
    void Close() override;
    unsigned Kind() const override;

    int AccessMode() const override
    {
        return m_in == nullptr ? O_WRONLY : m_out == nullptr ? O_RDONLY : O_RDWR;
    }

    bool KeepsBounds() const override
    {
        return m_in != nullptr && m_in->keepsParts;
    }

    SocketSettings* Settings() override
    {
        return IsSocket() ? &m_settings : nullptr;
    }

    bool IsSocket() const
    {
        return m_in != nullptr && m_out != nullptr;
    }

    /// @return the type of a socket; 0: it is the end of a pipe
    int Type() const
    {
        return m_type;
    }

    /// @return the error that nobody has been told yet, once; 0: none
    int TakeError()
    {
        return std::exchange(m_error, 0);
    }

    /// Ends one or both directions of a socketpair.
    void ShutDown(bool reads, bool writes);

  private:
    /// One direction.
    struct Flow
    {
        std::deque<std::vector<std::uint8_t>> parts;
        std::size_t bytes{0};
        bool keepsParts{false}; ///< each read takes at most one part: messages
        bool writerEnded{false};
        bool readerEnded{false};
        PipeEnd* reader{nullptr}; ///< null: closed
        PipeEnd* writer{nullptr};
    };

    Moment WakeUp() override;
    short ReadySocket() const;
    bool HasReadAll() const;
    int WhyNobodyReads();
    static void Join(PipeEnd& reader, PipeEnd& writer, bool keepsParts);

    FiberProcess& m_process;
    std::shared_ptr<Flow> m_in;
    std::shared_ptr<Flow> m_out;
    int m_type{0};
    int m_error{0};
    bool m_hasNoPeer{false}; ///< it has heard that the other socket of datagrams is closed
    SocketSettings m_settings;
};

} // namespace via
} // namespace ns3

#endif // VIA_PIPE_H
