/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Sockets of a host's kernel for simulated processes: whole messages over UDP or TCP.

#ifndef VIA_KERNEL_SOCKET_H
#define VIA_KERNEL_SOCKET_H

#include "ns3/ipv4-address.h"
#include "ns3/socket.h"
#include "ns3/via-ip-device.h"
#include "ns3/via-process.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

namespace ns3
{
namespace via
{

/// One end of a conversation: the address of a host's interface and a port.
struct KernelPeer
{
    Ipv4Address address;
    std::uint16_t port{0};
};

inline bool
operator<(const KernelPeer& a, const KernelPeer& b)
{
    return a.address != b.address ? a.address < b.address : a.port < b.port;
}

/// A received message, in the kernel's memory or the program's.
struct KernelMessage
{
    KernelPeer from;
    std::vector<std::uint8_t> bytes;
};

/**
 * @brief A socket through which a process sends and receives messages.
 *
 * Send, Receive and Connect block the given process. The process pays what a program pays: system
 * call, socket layer, copy (or mapping, with `kernel.payload = zero-copy`), and, if it had to wait,
 * wake-up and context switch. The kernel (IpKernel) pays for protocols, checksums, driver and
 * interrupts on the same CPUs. Only ns3::via processes whose Stall works, those on fibers, may use
 * it.
 *
 *     Spend(system-call, socket, copy) --> kernel: protocol ... driver --> returns
 *     Spend(system-call) --> [blocked] --> wake-up, context-switch --> socket, copy --> returns
 */
class KernelSocket : public AgendaTarget
{
  public:
    /// How messages travel.
    enum class Transport
    {
        UDP, ///< one datagram per message, up to 65,507 bytes; may be lost
        TCP, ///< one record per message, after 8 bytes of length and port, over connections
    };

    /**
     * @brief Makes a socket bound to @p port on the host of @p device.
     * @param device of a node with an IPv4 stack that has an address on it; must outlive the socket
     */
    static std::unique_ptr<KernelSocket> Make(Transport transport,
                                              Ptr<ViaIpDevice> device,
                                              std::uint16_t port);

    ~KernelSocket() override;

    /// TCP: connects to @p to unless connected; otherwise the first Send does. UDP: does nothing.
    virtual void Connect(Process& process, const KernelPeer& to) = 0;

    /// Sends a message. Returns when the kernel has taken all of it.
    virtual void Send(Process& process,
                      const KernelPeer& to,
                      const std::uint8_t* bytes,
                      std::uint32_t length) = 0;

    /// Waits for a message and takes it. A message with port 0 means that the process is ending.
    KernelMessage Receive(Process& process);

    /**
     * @brief Takes a message if a whole one has arrived by the process' clock.
     * @param process pays for the calls that a program needs to find out, and for what it reads
     * @param message receives the message, if there is one
     * @return whether there was one
     */
    bool TryReceive(Process& process, KernelMessage& message);

    /**
     * @brief Notifies @p waiter, once, when a TryReceive may succeed: for processes without a stack
     * to block. The reported moment includes the cost of the wake-up; the waiter pays for the
     * context switch.
     */
    void Await(Waiter& waiter);

    /// The process has ended: what arrives is thrown away, so that no peer waits for room.
    virtual void Discard()
    {
    }

    /// The process of Await has been woken by something else, or has ended: messages that arrive
    /// wake nobody.
    void StopAwaiting();

    void OnAgenda(std::uint32_t kind, std::uint64_t data) override;

  protected:
    /// What a process may sleep for.
    enum class Event
    {
        NONE,
        MESSAGE,
        ROOM,
        CONNECTION,
    };

    KernelSocket(Ptr<ViaIpDevice> device, std::uint16_t port);

    /// Charges the call that moves @p bytes into the kernel, or out of it.
    void PayCall(Process& process, bool sends, std::uint32_t bytes);

    /// Runs @p call in the kernel at the process' clock; the process continues after its work.
    void InKernel(Process& process, std::function<void()> call);

    /// Puts the process to sleep until Wake(@p event). @return false: it is ending
    bool Sleep(Process& process, Event event, const char* what);

    /// Wakes the sleeper on @p event after the kernel's present work. @return whether there was one
    bool Wake(Event event);

    /**
     * @brief Data has arrived: wakes the sleeper that waits for it.
     * @return the arrival, for FollowArrival; without a cause if it woke a sleeper
     */
    Moment OnData();

    /// @p process reads data that came at @p arrived, late: it continues after the arrival.
    static void FollowArrival(Process& process, Moment arrived);

    /// @return whether Read would find something
    virtual bool HasData() const = 0;

    /// One read call: pays for it and passes to Queue the messages that are complete by then.
    virtual void Read(Process& process) = 0;

    /// Adds a message that has been read.
    void Queue(KernelMessage message)
    {
        m_messages.push_back(std::move(message));
    }

    /// Makes a socket on this socket's node.
    Ptr<Socket> NewSocket(const char* factory) const;

    Ptr<ViaIpDevice> m_device;
    std::uint16_t m_port;

  private:
    static constexpr std::uint32_t CALL = 0;

    /// @return the end of the kernel's present work
    Moment Present() const;

    void Forget();
    bool Pop(Process& process, KernelMessage& message);
    void Call();
    /// An event handler: a function, as ns-3 up to 3.35 takes no lambda.
    static void CallIfAlive(KernelSocket* socket, std::weak_ptr<bool> alive);
    void Return(Moment at);

    /// Schedules @p work, a member without arguments; it runs only if the socket is still alive.
    template <class Work>
    auto Guarded(Work work) const
    {
        return [alive = std::weak_ptr<bool>(m_alive), work](auto... arguments) {
            if (!alive.expired())
            {
                work(arguments...);
            }
        };
    }

    Host& m_host;
    const KernelCosts& m_costs;
    std::deque<KernelMessage> m_messages; ///< read together with an earlier one
    Waiter* m_sleeper{nullptr};           ///< the process to be woken
    Event m_awaited{Event::NONE};         ///< what it sleeps for
    Process* m_caller{nullptr};           ///< the process whose call is in the kernel
    std::function<void()> m_call;         ///< that call; empty: done
    std::uint32_t m_item{0};              ///< number on the agenda, valid while m_planned
    bool m_planned{false};
    std::shared_ptr<bool> m_alive{std::make_shared<bool>(true)};
};

} // namespace via
} // namespace ns3

#endif // VIA_KERNEL_SOCKET_H
