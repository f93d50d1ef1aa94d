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

/// One end of a conversation: the address of a host's interface, and a port there.
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

/// A message that has come, in the kernel's memory or the program's.
struct KernelMessage
{
    KernelPeer from;
    std::vector<std::uint8_t> bytes;
};

/**
 * @brief A socket that a process sends messages through and receives them from.
 *
 * Send, Receive and Connect block the process they are given, which pays for what a program pays:
 * system call, socket layer, copy (or mapping, with `kernel.payload = zero-copy`), and when it had
 * to wait the wake-up and the context switch. Protocols, checksums, driver and interrupts are paid
 * by the kernel (IpKernel) on the same CPUs. To be used from ns3::via processes only, whose Stall
 * works: those on fibers.
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
        UDP, ///< a datagram each, up to 65,507 bytes; may be lost
        TCP, ///< a record each, with 8 bytes of length and port before it, over connections
    };

    /**
     * @brief Makes a socket that is bound to @p port of the host that @p device belongs to.
     * @param device of a node with an IPv4 stack that has an address on it; must outlive the socket
     */
    static std::unique_ptr<KernelSocket> Make(Transport transport,
                                              Ptr<ViaIpDevice> device,
                                              std::uint16_t port);

    ~KernelSocket() override;

    /// TCP: connects to @p to, if it is not connected; else the first Send does. UDP: nothing.
    virtual void Connect(Process& process, const KernelPeer& to) = 0;

    /// Sends a message. Returns when the kernel has taken all of it.
    virtual void Send(Process& process,
                      const KernelPeer& to,
                      const std::uint8_t* bytes,
                      std::uint32_t length) = 0;

    /// Waits for a message and takes it. With port 0 it is none: the process is ending.
    KernelMessage Receive(Process& process);

    /**
     * @brief Takes a message if a whole one has come by the process' clock.
     * @param process pays for the calls that a program needs to find out, and for what it reads
     * @param message is written when there is one
     * @return whether there was one
     */
    bool TryReceive(Process& process, KernelMessage& message);

    /**
     * @brief Tells @p waiter, once, that a TryReceive may find something: for processes that have
     * no stack to block. The moment is that of the wake-up, which is paid; the context switch is
     * the waiter's.
     */
    void Await(Waiter& waiter);

    void OnAgenda(std::uint32_t kind, std::uint64_t data) override;

  protected:
    /// What somebody may sleep for.
    enum class Event
    {
        NONE,
        MESSAGE,
        ROOM,
        CONNECTION,
    };

    KernelSocket(Ptr<ViaIpDevice> device, std::uint16_t port);

    /// Pays for the way of @p bytes into the kernel, or out of it.
    void PayCall(Process& process, bool sends, std::uint32_t bytes);

    /// Does @p call in the kernel at the process' clock; the process goes on behind its work.
    void InKernel(Process& process, std::function<void()> call);

    /// The process sleeps until Wake(@p event). @return false: it is ending
    bool Sleep(Process& process, Event event, const char* what);

    /// Wakes who sleeps for @p event, behind the kernel's present work. @return whether somebody
    /// did
    bool Wake(Event event);

    /**
     * @brief Data has come: whoever sleeps for it is woken.
     * @return when it came, for FollowArrival; no cause if somebody was woken by it
     */
    Moment OnData();

    /// @p process reads what came at @p arrived: it goes on behind that, late.
    static void FollowArrival(Process& process, Moment arrived);

    /// Whether something has come that Read would find.
    virtual bool HasData() const = 0;

    /// What one call reads: it pays for that, and Queue gets the messages that are whole by then.
    virtual void Read(Process& process) = 0;

    /// A message has been read.
    void Queue(KernelMessage message)
    {
        m_messages.push_back(std::move(message));
    }

    /// Of the socket's own node.
    Ptr<Socket> NewSocket(const char* factory) const;

    Ptr<ViaIpDevice> m_device;
    std::uint16_t m_port;

  private:
    static constexpr std::uint32_t CALL = 0;

    /// The end of the kernel's present work.
    Moment Present() const;

    void Forget();
    bool Pop(Process& process, KernelMessage& message);
    void Call();
    /// An event: a function, as ns-3 up to 3.35 takes no lambda for one.
    static void CallIfAlive(KernelSocket* socket, std::weak_ptr<bool> alive);
    void Return(Moment at);

    /// Does @p work, a member without arguments, if the socket still lives by then.
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
    std::deque<KernelMessage> m_messages; ///< that were read together with one before
    Waiter* m_sleeper{nullptr};           ///< who waits to be woken
    Event m_awaited{Event::NONE};         ///< by what
    Process* m_caller{nullptr};           ///< whose call is in the kernel
    std::function<void()> m_call;         ///< what it does there; empty: it has been done
    std::uint64_t m_item{0};              ///< sequence on the agenda, valid while m_planned
    bool m_planned{false};
    std::shared_ptr<bool> m_alive{std::make_shared<bool>(true)};
};

} // namespace via
} // namespace ns3

#endif // VIA_KERNEL_SOCKET_H
