/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Sockets of a process as descriptors: over TCP and over UDP.

#ifndef VIA_SOCKET_H
#define VIA_SOCKET_H

#include "ns3/via-kernel-gate.h"
#include "ns3/via-open-file.h"
#include "ns3/via-tcp-endpoint.h"
#include "ns3/via-udp-endpoint.h"

#include <map>
#include <memory>
#include <string>
#include <utility>

namespace ns3
{
namespace via
{

/// What sockets have in common. Reads and writes come from inside of the stack (KernelGate::Run).
class SocketDescriptor : public OpenFile
{
  public:
    /// @param gate of its process; must outlive this
    explicit SocketDescriptor(KernelGate& gate)
        : m_gate(gate)
    {
    }

    virtual int Bind(const KernelPeer& at) = 0;
    virtual int Connect(const KernelPeer& to) = 0;
    virtual KernelPeer Local() const = 0;
    virtual const KernelPeer& Peer() const = 0;
    virtual bool IsConnected() const = 0;

    /// @return 0 or an error
    virtual int ShutDown(bool reads, bool writes) = 0;

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

    Ps receiveLimit{0};        ///< SO_RCVTIMEO; 0: none
    Ps sendLimit{0};           ///< SO_SNDTIMEO
    bool resetsAtClose{false}; ///< SO_LINGER of 0 seconds
    std::map<std::pair<int, int>, std::string>
        options;   ///< what setsockopt has set, by level and name
    int family{0}; ///< AF_INET or AF_INET6

  protected:
    Moment WakeUp() final
    {
        return m_gate.WakeUp();
    }

    KernelGate& m_gate;
};

/// A stream.
class TcpSocketDescriptor final : public SocketDescriptor
{
  public:
    TcpSocketDescriptor(KernelGate& gate, std::unique_ptr<TcpEndpoint> endpoint);

    TcpEndpoint& Endpoint() const
    {
        return *m_endpoint;
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
    std::int64_t Send(const void* bytes, std::size_t count, const KernelPeer* to) override;
    std::vector<std::uint8_t> Receive(std::size_t most,
                                      bool peeks,
                                      KernelPeer& from,
                                      std::int64_t& result) override;

  private:
    std::unique_ptr<TcpEndpoint> m_endpoint; ///< null: closed
    bool m_readsEnded{false};
};

/// Datagrams.
class UdpSocketDescriptor final : public SocketDescriptor
{
  public:
    UdpSocketDescriptor(KernelGate& gate, std::unique_ptr<UdpEndpoint> endpoint);

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
    std::unique_ptr<UdpEndpoint> m_endpoint; ///< null: closed
    bool m_readsEnded{false};
};

} // namespace via
} // namespace ns3

#endif // VIA_SOCKET_H
