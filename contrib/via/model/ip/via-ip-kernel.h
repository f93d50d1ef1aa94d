/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The kernel of one host between its IP stack and the card: driver, interrupts and what they cost.

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

/// The IP stack, as far as its kernel knows it.
class IpKernelUser
{
  public:
    virtual ~IpKernelUser() = default;

    /// The next packet to send, a DATAGRAM whose `bytes` begin with an Ethernet frame; null: none.
    virtual Packet* TakeNext() = 0;

    /// The card has been told of @p packet.
    virtual void OnStarted(const Packet& packet, Moment at) = 0;

    /// The last bit of @p packet has left.
    virtual void OnSent(const Packet& packet) = 0;

    /// @p packet is the stack's from now on; it says IpKernel::OnDelivered when it is done with it.
    virtual void OnReceived(const Packet& packet, Moment at) = 0;

    /// @p packet was damaged on the wire, or found no room in the driver's ring.
    virtual void OnLost(const Packet& packet) = 0;

    /// @p packet, which was taken, was not handed to the card: the machine has crashed.
    virtual void OnUnsent(const Packet& packet) = 0;

    /// The machine has crashed: nothing is taken or given any more, and whatever waits is gone.
    virtual void OnCrash() = 0;

    /// It has come back, with a kernel that knows nothing of what was.
    virtual void OnReturn() = 0;
};

/**
 * @brief Works for the stack on CPU 0, one packet after the other.
 *
 *     Kick --> protocols, checksum, driver --> store to the card --> (wire) --> its last bit left
 *     frame in the ring --> (coalesce) --> interrupt --> soft-interrupt
 *           --> driver, checksum, protocols --> OnReceived --> OnDelivered --> next frame
 *
 * No frame is handed to the card while `kernel.transmit_ring` of them have not left, and no more
 * than `kernel.receive_ring` wait for the kernel.
 *
 * What a program pays around that (system call, socket, copy, wake-up) is the business of who
 * plays the program. Of sockets that nobody owns (Own) the kernel pays for call and copy itself.
 */
class IpKernel final : public AgendaTarget, public DatagramListener
{
  public:
    /// Comes after the NIC's work in the order of one instant.
    static constexpr AgendaPort PORT = 4;

    /// The destination of a packet of which each other host gets a copy.
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

    /// There is something to take from the user, at the present instant @p now.
    void Kick(Ps now);

    /// The stack is done with what OnReceived gave it, at the present instant @p now.
    void OnDelivered(Ps now);

    /// Programs own the sockets on @p port of this host: they pay for their calls and copies.
    void Own(std::uint16_t port)
    {
        m_owned.insert(port);
    }

    void OnDatagram(Packet& packet, Moment at, bool handled) override;
    void OnDatagramDamaged(const Packet& packet, Moment at) override;
    void OnDatagramLeft(const Packet& packet, Ps at) override;
    void OnCrash() override;
    void OnReturn() override;
    void OnAgenda(std::uint32_t kind, std::uint64_t data) override;

    /// Interrupts so far.
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

    void Plan(Ps at, std::uint32_t kind);
    void Send();
    void Start();
    void Left(Packet* packet);
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
        return m_nic.GetHost().KernelSpend(at, stage, cycles);
    }

    Nic& m_nic;
    Shared<KernelCosts> m_costs;
    std::uint32_t m_hosts;
    IpKernelUser& m_user;
    std::set<std::uint16_t> m_owned;

    bool m_isDown{false};
    std::uint64_t m_life{0}; ///< crashes so far: what was planned before one is off
    bool m_sendPlanned{false};
    Packet* m_sending{nullptr}; ///< what the CPU works on
    Moment m_sendAt;            ///< its end
    std::uint32_t m_inRing{0};  ///< handed to the card, not left

    Ring<Arrived> m_arrived;
    bool m_handles{false};      ///< the soft interrupt runs
    bool m_continues{false};    ///< the next frame's path goes on behind m_receiveAt
    Packet* m_handled{nullptr}; ///< what it works on
    Moment m_receiveAt;         ///< its end
    bool m_interrupted{false};  ///< the card's own handler has interrupted for its frames
    bool m_planned{false};      ///< an interrupt is on the agenda
    Ps m_due{0};                ///< then
    std::uint64_t m_plan{0};    ///< its sequence there
    std::uint64_t m_interrupts{0};
};

} // namespace via
} // namespace ns3

#endif // VIA_IP_KERNEL_H
