/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What a number of a process' descriptor table stands for.

#ifndef VIA_OPEN_FILE_H
#define VIA_OPEN_FILE_H

#include "ns3/via-fiber-thread.h"

#include <cstddef>
#include <cstdint>
#include <fcntl.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace via
{

/// What setsockopt has set of a socket, of any family.
struct SocketSettings
{
    Ps receiveLimit{0};                                 ///< SO_RCVTIMEO; 0: none
    Ps sendLimit{0};                                    ///< SO_SNDTIMEO
    bool resetsAtClose{false};                          ///< SO_LINGER of 0 seconds
    std::map<std::pair<int, int>, std::string> options; ///< all, by level and name
};

/**
 * @brief An open file, socket or end of a pipe; dup makes several numbers of one.
 *
 * Results are those of system calls: a count, or minus an error of <errno.h>; -EAGAIN: it would
 * have to wait. Bytes are in the simulator's memory, except for files.
 */
class OpenFile
{
  public:
    virtual ~OpenFile() = default;

    /// @return the real descriptor of a file; -1: it is none
    virtual int RealFile() const
    {
        return -1;
    }

    /// @return what would not block now: POLLIN, POLLOUT, POLLHUP ... of <poll.h>
    virtual short Ready() = 0;

    /// @return the bytes that come next, at most @p most; at its end: none, with @p result 0
    virtual std::vector<std::uint8_t> Read(std::size_t most, std::int64_t& result);

    /// @return how many of the bytes were taken
    virtual std::int64_t Write(const void* bytes, std::size_t count);

    /**
     * @brief A write has ended after a part of its bytes, so that the next call must tell why.
     * @param error of <errno.h>
     */
    virtual void KeepError(int error)
    {
        (void)error; // the next call finds it again
    }

    /// @return whether each read takes from one write: datagrams
    virtual bool KeepsBounds() const
    {
        return false;
    }

    /// @return how many bytes can be read at once
    virtual std::size_t Available()
    {
        return 0;
    }

    /// @return what setsockopt has set; null: it is no socket
    virtual SocketSettings* Settings()
    {
        return nullptr;
    }

    /// @return what its bytes can be used for: O_RDONLY, O_WRONLY or O_RDWR
    virtual int AccessMode() const
    {
        return O_RDWR;
    }

    /// The last number of it is closed.
    virtual void Close()
    {
    }

    /// @return the kind of file that fstat reports, of S_IFMT
    virtual unsigned Kind() const = 0;

    /// @p thread waits for @p events of it.
    virtual void Add(FiberThread& thread, short events);

    /// @p thread no longer waits for any.
    virtual void Remove(FiberThread& thread);

    /// The process has ended, and all threads that wait with it.
    void RemoveAll();

    /// Wakes the threads for which something is ready.
    void Notify();

    /// Grows whenever something may have become ready.
    virtual std::uint64_t Changes() const
    {
        return m_changes;
    }

    /// @return whether calls on it take no simulated time, as far as is known
    virtual bool IsFree() const
    {
        return false;
    }

    /// @return whether it is on the control network: others may change it at once
    virtual bool IsOnControl() const
    {
        return false;
    }

    /// @return whether nobody has to pay for the last wake-up
    virtual bool WokeFreely() const
    {
        return m_wokeFreely;
    }

    bool nonBlocking{false};    ///< O_NONBLOCK
    std::uint32_t callsOwed{0}; ///< while it was free: to be paid when it is not

  protected:
    /// @return when a woken thread may continue
    virtual Moment WakeUp()
    {
        return {};
    }

    /// A thread that waits for events of it.
    struct Waiter
    {
        FiberThread* thread;
        short events;
        Host* listens; ///< null: not on the control network, when it began to wait
    };

    const std::vector<Waiter>& Waiters() const
    {
        return m_waiters;
    }

    bool m_wokeFreely{false};

  private:
    std::vector<Waiter> m_waiters;
    std::uint64_t m_changes{0};
};

} // namespace via
} // namespace ns3

#endif // VIA_OPEN_FILE_H
