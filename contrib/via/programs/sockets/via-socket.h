/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Sockets of a process as descriptors: streams and datagrams.

#ifndef VIA_SOCKET_H
#define VIA_SOCKET_H

#include "ns3/via-control-network.h"
#include "ns3/via-datagram-endpoint.h"
#include "ns3/via-kernel-gate.h"
#include "ns3/via-open-file.h"
#include "ns3/via-stream-endpoint.h"

#include <memory>
#include <utility>

namespace ns3
{
namespace via
{

/**
 * @brief What sockets have in common. Reads and writes come from inside of the stack
 * (KernelGate::Run).
 *
 * With a control network, a socket is on both networks until an address chooses one of them. It is
 * free until the wire is first used.
 */
class SocketDescriptor : public OpenFile, public SocketSettings
{
  public:
    /// @param gate of its process; must outlive this
    explicit SocketDescriptor(KernelGate& gate)
        : m_gate(gate)
    {
    }

    /// Leaves the network that @p address, to which it will be bound or connected, is not on.
    virtual void Choose(Ipv4Address address) = 0;

    /// Whether it may be of either network still.
    virtual bool IsOnBoth() const = 0;

    /// It will send to @p to.
    void NoteTarget(const KernelPeer& to)
    {
        m_usesWire |= !ControlNetwork::Has(to.address);
    }

    /// @return whether bytes to or from @p peer take no simulated time
    bool IsFreeWith(const KernelPeer& peer) const
    {
        return IsOnControl() && (IsFree() || ControlNetwork::Has(peer.address));
    }

    virtual int Bind(const KernelPeer& at) = 0;
    virtual int Connect(const KernelPeer& to) = 0;
    virtual KernelPeer Local() const = 0;
    virtual const KernelPeer& Peer() const = 0;
    virtual bool IsConnected() const = 0;

    /// @return 0 or an error
    virtual int ShutDown(bool reads, bool writes) = 0;

    /// @return whether it has room for @p count bytes; false: it may not. From anywhere
    virtual bool SurelyFits(std::size_t count) const
    {
        (void)count;
        return true; // datagrams do not wait
    }

    /// @return for how many of @p count bytes it has room
    virtual std::size_t Fits(std::size_t count) const
    {
        return count;
    }

    /// As Write, for one call with an address. @param to null: where it is connected to
    virtual std::int64_t Send(const void* bytes, std::size_t count, const KernelPeer* to) = 0;

    /// As Read, and says where the bytes come from.
    virtual std::vector<std::uint8_t> Receive(std::size_t most,
                                              bool peeks,
                                              KernelPeer& from,
                                              std::int64_t& result) = 0;

    std::vector<std::uint8_t> Read(std::size_t most, std::int64_t& result) final
    {
        KernelPeer from;
        return Receive(most, false, from, result);
    }

    std::int64_t Write(const void* bytes, std::size_t count) final
    {
        return Send(bytes, count, nullptr);
    }

    unsigned Kind() const final;

    SocketSettings* Settings() final
    {
        return this;
    }

    int family{0}; ///< AF_INET or AF_INET6

  protected:
    Moment WakeUp() final;

    /// What waits on the control network, which wakes at no cost.
    void NotifyFreely();

    KernelGate& m_gate;
    bool m_usesWire{false}; ///< or has used it

  private:
    bool m_wakesFreely{false};
};

/// The ends of one socket on the networks that it is on.
template <class Endpoint>
struct SocketEnds
{
    std::unique_ptr<Endpoint> wire;    ///< null: it is on the control network alone
    std::unique_ptr<Endpoint> control; ///< null: it is on the wire alone

    /// @param usesWire whether the wire has been used
    bool IsFree(bool usesWire) const
    {
        return control != nullptr && (wire == nullptr || !usesWire);
    }

    bool AreTwo() const
    {
        return wire != nullptr && control != nullptr;
    }

    /// @return the one that tells the socket's state: the wire's if there are two
    Endpoint& Main() const
    {
        return wire != nullptr ? *wire : *control;
    }

    /// Takes the end that @p address is not on. @return it; null: it stays on both, or has but one
    std::unique_ptr<Endpoint> LeaveFor(Ipv4Address address)
    {
        if (!AreTwo() || address == Ipv4Address::GetAny())
        {
            return nullptr;
        }
        return std::move(ControlNetwork::Has(address) ? wire : control);
    }

    /// Binds both to one port.
    int Bind(const KernelPeer& at)
    {
        const int failed = Main().Bind(at);
        return failed != 0 || !AreTwo() ? failed : control->Bind(wire->Local());
    }

    /// Binds both to one port, unless they are bound.
    void BindTwo()
    {
        if (AreTwo() && wire->Local().port == 0)
        {
            Bind({Ipv4Address::GetAny(), 0});
        }
    }
};

/// A stream.
class StreamSocketDescriptor final : public SocketDescriptor
{
  public:
    using Ends = SocketEnds<StreamEndpoint>;

    StreamSocketDescriptor(KernelGate& gate, Ends ends);

    StreamEndpoint& Endpoint() const
    {
        return m_ends.Main();
    }

    /// @return 0 or an error
    int Listen(std::uint32_t backlog);

    /// @return the next connection; null: none waits
    std::unique_ptr<StreamEndpoint> Accept();

    bool IsFree() const override
    {
        return m_ends.IsFree(m_usesWire);
    }

    bool IsOnControl() const override
    {
        return m_ends.control != nullptr;
    }

    void Choose(Ipv4Address address) override;

    bool IsOnBoth() const override
    {
        return m_ends.AreTwo();
    }

    short Ready() override;
    std::size_t Available() override;
    void KeepError(int error) override;
    void Close() override;
    int Bind(const KernelPeer& at) override;
    int Connect(const KernelPeer& to) override;
    int ShutDown(bool reads, bool writes) override;
    KernelPeer Local() const override;
    const KernelPeer& Peer() const override;
    bool IsConnected() const override;

    bool SurelyFits(std::size_t count) const override
    {
        return count <= m_roomLeft;
    }

    std::size_t Fits(std::size_t count) const override;
    std::int64_t Send(const void* bytes, std::size_t count, const KernelPeer* to) override;
    std::vector<std::uint8_t> Receive(std::size_t most,
                                      bool peeks,
                                      KernelPeer& from,
                                      std::int64_t& result) override;

    bool connectsLater{false}; ///< its connect has returned, and goes on or was not told as done

  private:
    int StopListening();

    Ends m_ends;
    std::size_t m_roomLeft{0}; ///< by the last send: acknowledgements have made more since
    bool m_closed{false};
    bool m_readsEnded{false};
};

/// Datagrams.
class DatagramSocketDescriptor final : public SocketDescriptor
{
  public:
    using Ends = SocketEnds<DatagramEndpoint>;

    DatagramSocketDescriptor(KernelGate& gate, Ends ends);

    bool KeepsBounds() const override
    {
        return true;
    }

    bool IsFree() const override
    {
        return m_ends.IsFree(m_usesWire);
    }

    bool IsOnControl() const override
    {
        return m_ends.control != nullptr;
    }

    /// @return the error that its peer's host has reported, which is forgotten; 0: none
    int TakeError()
    {
        return m_ends.Main().TakeError();
    }

    /// Ends what Connect has begun.
    void Dissolve()
    {
        m_ends.Main().Dissolve();
    }

    void Choose(Ipv4Address address) override;

    bool IsOnBoth() const override
    {
        return m_ends.AreTwo();
    }

    short Ready() override;
    std::size_t Available() override;
    void Close() override;
    int Bind(const KernelPeer& at) override;
    int Connect(const KernelPeer& to) override;
    int ShutDown(bool reads, bool writes) override;
    KernelPeer Local() const override;
    const KernelPeer& Peer() const override;
    bool IsConnected() const override;
    std::int64_t Send(const void* bytes, std::size_t count, const KernelPeer* to) override;
    std::vector<std::uint8_t> Receive(std::size_t most,
                                      bool peeks,
                                      KernelPeer& from,
                                      std::int64_t& result) override;

  private:
    /// @return the end on which a datagram waits; null: none does
    DatagramEndpoint* Waiting() const;

    Ends m_ends;
    bool m_closed{false};
    bool m_readsEnded{false};
    bool m_writesEnded{false};
};

} // namespace via
} // namespace ns3

#endif // VIA_SOCKET_H
