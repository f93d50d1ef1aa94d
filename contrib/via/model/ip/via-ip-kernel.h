/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The kernel of one host between its IP stack and the card: driver, interrupts and their costs.

#ifndef VIA_IP_KERNEL_H
#define VIA_IP_KERNEL_H

#include "ns3/via-datagram-kind.h"
#include "ns3/via-kernel-costs.h"
#include "ns3/via-nic.h"

#include <set>
#include <vector>

namespace ns3
{
namespace via
{

/// The kernel's view of the IP stack.
class IpKernelUser
{
  public:
    virtual ~IpKernelUser() = default;

    /// @return the next packet to send, a DATAGRAM whose `bytes` begin with an Ethernet frame, or
    /// null
    virtual Packet* TakeNext() = 0;

    /// The driver has handed @p packet to the card.
    virtual void OnStarted(const Packet& packet, Moment at) = 0;

    /// The last bit of @p packet has left.
    virtual void OnSent(const Packet& packet) = 0;

    /// The stack now owns @p packet; it calls IpKernel::OnDelivered when it is done with it.
    virtual void OnReceived(const Packet& packet, Moment at) = 0;

    /// @p packet was damaged on the wire, or found no room in the driver's ring.
    virtual void OnLost(const Packet& packet) = 0;

    /// The crash of the machine kept the kernel from handing @p packet, already taken, to the card.
    virtual void OnUnsent(const Packet& packet) = 0;

    /// The machine has crashed: the kernel takes and delivers nothing more; waiting frames are
    /// lost.
    virtual void OnCrash() = 0;

    /// The machine is back, with a freshly booted kernel.
    virtual void OnReturn() = 0;
};

/**
 * @brief Works for the stack on CPU 0, one packet at a time.
 *
 *     Kick --> protocols, checksum, driver --> store to the card --> (wire) --> its last bit left
 *     frame in the ring --> (coalesce) --> interrupt --> soft-interrupt
 *           --> driver, checksum, protocols --> OnReceived --> OnDelivered --> next frame
 *
 * At most `kernel.transmit_ring` frames are in the card's hands at a time, and at most
 * `kernel.receive_ring` wait for the kernel.
 *
 * The caller charges what a program pays on top (system call, socket, copy, wake-up). For sockets
 * that no program owns (see Own), the kernel charges the call and the copy itself.
 */
class IpKernel final : public AgendaTarget, public TrafficClass
{
  public:
    /// Runs after the NIC's work of the same instant.
    static constexpr AgendaPort PORT = 4;

    /// The destination of a packet that is copied to every other host.
    static constexpr NodeId EVERYBODY = UINT32_MAX;

    /**
     * @param nic must outlive it
     * @param costs of the kernel
     * @param hosts of the cluster
     * @param user must outlive it
     */
    IpKernel(Nic& nic, const Shared<KernelCosts>& costs, std::uint32_t hosts, IpKernelUser& user);
    ~IpKernel() override;

    const KernelCosts& Costs() const
    {
        return *m_costs;
    }

    Nic& GetNic() const
    {
        return m_nic;
    }

    /// The user has a packet to send, at the present instant @p now.
    void Kick(Ps now);

    /// The stack is done with the packet of the last OnReceived, at the present instant @p now.
    void OnDelivered(Ps now);

    /// Programs own the sockets on @p port of this host: they pay for their calls and copies.
    void Own(std::uint16_t port)
    {
        m_owned.insert(port);
    }

    /// Pays for the wake-up of a thread. @return when it may continue
    Moment WakeUp(Moment at)
    {
        return Spend(at, Stage::WAKE_UP, m_costs->wakeUp);
    }

    /// @return the CPU time spent here since the last call of this
    Ps TakeSpent()
    {
        return std::exchange(m_spent, 0);
    }

    bool IsDatagram() const override
    {
        return true;
    }

    void BeginSend(Nic& nic, Packet& packet, Piece& payload, CardTask& engine) override;
    void BeginReceive(Nic& nic, const Packet& packet, CardTask& engine) override;
    std::uint32_t BytesToPlace(const Nic& nic, const Cell& cell) const override;
    void OnLeft(const Packet& packet, Ps at) override;
    void OnReceived(Nic& nic, Packet& packet, Moment at) override;
    bool OnCrash() override;
    void OnReturn() override;
    void OnAgenda(std::uint32_t kind, std::uint64_t data) override;

    /// @return the interrupts so far
    std::uint64_t Interrupts() const
    {
        return m_interrupts;
    }

  private:
    static constexpr std::uint32_t SEND = 0;
    static constexpr std::uint32_t START = 1;
    static constexpr std::uint32_t LEFT = 2;
    static constexpr std::uint32_t INTERRUPT = 3;
    static constexpr std::uint32_t NEXT = 4;
    static constexpr std::uint32_t DELIVER = 5;

    /// A frame in the driver's receive ring.
    struct Arrived
    {
        Packet* packet{nullptr};
        Moment ready;
    };

    /// The card reads an entry of the driver's ring.
    static void FetchEntry(CardTask& engine);
    void Take(Packet& packet, Moment at);
    void Plan(Ps at, std::uint32_t kind);
    void Send();
    void Start();
    void Left(Packet* packet);
    /// What is sent of @p packet, the last one first.
    std::vector<Packet*> CopiesOf(Packet* packet);
    void Await(Moment at);
    void PlanInterrupt();
    void Interrupt();
    void HandleNext();
    void Deliver();
    Moment PayForSend(const DatagramKind& kind, std::uint64_t copies, Moment at);
    Moment PayForReceive(const DatagramKind& kind, Moment at);
    Moment PayForTransport(const DatagramKind& kind, bool sends, Moment at);
    Moment PayForCall(const DatagramKind& kind, bool sends, Moment at);

    Moment Spend(Moment at, Stage stage, Cycles cycles)
    {
        Host& host = m_nic.GetHost();
        const Moment end = host.KernelSpend(at, stage, cycles);
        m_spent += host.TimeInRun(host.CpuClock().Before(end.at, cycles), end.at);
        return end;
    }

    Nic& m_nic;
    Shared<KernelCosts> m_costs;
    std::uint32_t m_hosts;
    IpKernelUser& m_user;
    std::set<std::uint16_t> m_owned;
    Ps m_spent{0};

    bool m_isDown{false};
    std::uint64_t m_life{0}; ///< crashes so far: work planned before a crash is void
    bool m_sendPlanned{false};
    Packet* m_sending{nullptr};    ///< the packet that the CPU works on
    Moment m_sendAt;               ///< its end, then that of its last store
    std::vector<Packet*> m_copies; ///< of that packet: not handed to the card yet, the last first
    std::uint32_t m_inRing{0};     ///< handed to the card, still there

    Ring<Arrived> m_arrived;
    bool m_handles{false};      ///< the soft interrupt runs
    bool m_continues{false};    ///< the next frame's path continues after m_receiveAt
    Packet* m_handled{nullptr}; ///< the frame it works on
    Moment m_receiveAt;         ///< its end
    bool m_interrupted{false};  ///< the card's own handler has interrupted for its frames
    bool m_planned{false};      ///< an interrupt is on the agenda
    Ps m_due{0};                ///< its time
    std::uint32_t m_plan{0};    ///< its number there
    std::uint64_t m_interrupts{0};
};

} // namespace via
} // namespace ns3

#endif // VIA_IP_KERNEL_H
