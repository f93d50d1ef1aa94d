/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The system calls of one process on descriptors: files, pipes, sockets, and waiting for them.

#ifndef VIA_SYSTEM_CALLS_H
#define VIA_SYSTEM_CALLS_H

#include "ns3/via-descriptor-table.h"
#include "ns3/via-fiber-process.h"
#include "ns3/via-host-calls.h"
#include "ns3/via-ip-network.h"
#include "ns3/via-socket.h"

#include <cerrno>
#include <fcntl.h>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @brief Blocks, wakes and charges the threads of a process that call the simulated kernel.
 *
 *     Spend(system-call) --> look --> [blocked --> wake-up, context-switch --> look] ...
 *                        --> Spend(socket, copy) --> returns
 *
 * Calls on files of the real machine take no simulated time.
 */
class SystemCalls
{
  public:
    /// What sockets need of the process' host.
    struct Host
    {
        FiberProcess* process{nullptr};          ///< null: there are only files
        std::function<IpNetwork&()> network;     ///< makes it when first called; empty: no sockets
        const char* refusal{""};                 ///< what socket() says if there are none
        std::uint32_t hosts{0};                  ///< of the network
        std::shared_ptr<ControlNetwork> control; ///< null: there is none
    };

    SystemCalls();
    ~SystemCalls();

    /// @param host of the process; without one there are only files
    void SetHost(Host host)
    {
        m_host = std::move(host);
    }

    /// @param timer when the process' signal timer expires
    void SetTimer(const std::int64_t* timer)
    {
        m_timer = timer;
    }

    /// @return what SetTimer was given
    const std::int64_t* Timer() const
    {
        return m_timer;
    }

    DescriptorTable& Table()
    {
        return m_table;
    }

    bool HasSockets() const
    {
        return m_host.process != nullptr && m_host.network;
    }

    const char* Refusal() const
    {
        return m_host.refusal;
    }

    /// @return the result of a call, or minus an error
    std::int64_t Enter(ViaSystemCall call, const std::int64_t* arguments);

    /// As the calls, for bytes of the simulator's: stdio's buffers.
    std::int64_t Read(int number, void* to, std::size_t most);
    std::int64_t Write(int number, const void* from, std::size_t count);
    /// Closes @p number, for streams too. @return 0 or -EBADF
    std::int64_t Close(int number);

    /// Closes everything: connections end as the process does.
    void End();

  private:
    using Watched = std::vector<std::pair<std::shared_ptr<OpenFile>, short>>;

    enum class Woken
    {
        READY,
        TIMEOUT,
        INTERRUPTED,
    };

    std::int64_t Choose(ViaSystemCall call, const std::int64_t* arguments);

    // ---- waiting
    static FiberThread& Self();
    void Charge();
    void Charge(OpenFile& file);
    void Charge(const Watched& watched);
    void PayOwed(OpenFile& file);
    Woken AwaitChange(const Watched& watched, Ps until, const char* what);
    /// When a wait with a time limit ends; 0: never.
    static Ps After(Ps limit);
    std::int64_t Repeat(const std::shared_ptr<OpenFile>& descriptor,
                        short events,
                        bool waits,
                        Ps until,
                        const std::function<std::int64_t()>& attempt);
    void Look();
    bool InKernel(const std::function<void()>& call);
    void PaySocket(bool sends);
    void PayCopy(std::size_t bytes);

    // ---- any descriptor

    /// @return @p result of a call of the real machine as ours
    static std::int64_t OrError(std::int64_t result)
    {
        return result < 0 ? -errno : result;
    }

    void LookBeforeClose(int number);
    std::int64_t Dup2(int from, int to, bool isStrict, int flags);
    std::int64_t Fcntl(int number, int command, std::int64_t argument);
    std::int64_t Lock(int file, int command, flock* about);
    std::int64_t Ioctl(int number, std::uint64_t request, std::int64_t argument);
    std::int64_t Pipe(int* numbers, int flags);
    std::int64_t SocketPair(int* numbers, int type);
    std::int64_t AddPair(int* numbers,
                         std::shared_ptr<OpenFile> first,
                         std::shared_ptr<OpenFile> second,
                         int flags);
    /// When a read that begins now gives up.
    static Ps ReadsUntil(OpenFile& descriptor);
    std::vector<std::uint8_t> Receive(const std::shared_ptr<OpenFile>& descriptor,
                                      std::size_t most,
                                      int flags,
                                      Ps until,
                                      KernelPeer& from,
                                      std::int64_t& result);
    std::int64_t SendPart(SocketDescriptor& socket,
                          const void* bytes,
                          std::size_t count,
                          const KernelPeer* to,
                          bool& isEntered);
    std::int64_t Send(const std::shared_ptr<OpenFile>& descriptor,
                      const void* bytes,
                      std::size_t count,
                      int flags,
                      const KernelPeer* to);

    // ---- sockets
    std::int64_t Socket(int family, int type, int protocol);
    void ChooseNetwork(SocketDescriptor& socket, Ipv4Address address);
    std::int64_t Bind(int number, const void* address, std::size_t bytes);
    std::int64_t Listen(int number, int backlog);
    std::int64_t Accept(int number, void* address, std::uint32_t* bytes, int flags);
    std::int64_t Connect(int number, const void* address, std::size_t bytes);
    std::int64_t Dissolve(SocketDescriptor& socket);
    std::int64_t SendTo(const std::int64_t* arguments);
    std::int64_t ReceiveFrom(const std::int64_t* arguments);
    std::int64_t ShutDown(int number, int how);
    std::int64_t Name(int number, bool peer, void* address, std::uint32_t* bytes);
    std::int64_t SetOption(int number, int level, int name, const void* value, std::uint32_t bytes);
    std::int64_t GetOption(int number, int level, int name, void* value, std::uint32_t* bytes);
    std::int64_t AskInterfaces(std::uint64_t request, std::int64_t argument) const;
    std::int64_t HostAddress(std::int64_t node, bool onControl) const;
    bool IsOwnAddress(Ipv4Address address) const;
    std::shared_ptr<SocketDescriptor> SocketAt(int number, std::int64_t& error) const;
    KernelGate& Gate();

    // ---- waiting for several
    std::int64_t Poll(void* list, std::size_t count, Ps until);
    std::int64_t EpollControl(const std::int64_t* arguments);
    std::int64_t EpollWait(int number, void* list, int most, Ps until);

    Host m_host;
    std::unique_ptr<KernelGate> m_gate; ///< null: no socket yet
    DescriptorTable m_table;
    const std::int64_t* m_timer{nullptr};
};

} // namespace via
} // namespace ns3

#endif // VIA_SYSTEM_CALLS_H
