/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The packets at the ports of all NICs of a cluster, each with its times.

#ifndef VIA_PACKET_CAPTURE_H
#define VIA_PACKET_CAPTURE_H

#include "ns3/via-nic.h"
#include "ns3/via-wire-tap.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <queue>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @brief A packet, or some cells of it, as seen at the port of a NIC.
 *
 * A packet is seen at its sender's port and at its receiver's. Cells that are sent again are seen
 * on their own, unit by unit.
 */
struct CapturedPacket
{
    /// There is no such region: the target of an RDMA packet is unknown.
    static constexpr std::uint64_t NO_REGION = UINT64_MAX;

    Packet* packet{nullptr};               ///< its header, and its bytes once OnPacket is called
    std::uint32_t port{0};                 ///< of the capture, see PacketCapture::AddPort
    bool received{false};                  ///< by the port's NIC; else sent
    bool resent{false};                    ///< out of the retransmission buffer
    std::uint32_t firstCell{0};            ///< the smallest number of a cell seen
    std::uint32_t cells{0};                ///< seen
    std::uint32_t firstByte{0};            ///< of the payload in these cells
    std::uint32_t endByte{0};              ///< of the payload behind them
    std::uint32_t lost{0};                 ///< received: of these, corrupt or vanished on the way
    std::uint32_t vanished{0};             ///< received: of these, swallowed by the last wire
    std::uint32_t attempt{0};              ///< how often the channel had gone back
    std::uint32_t cellsOut{0};             ///< sent: on the wire or in the buffer at its far end
    std::uint64_t creditsReturned{0};      ///< received: cells whose room was told free before
    std::uint64_t remoteOffset{NO_REGION}; ///< RDMA: of the address, in its region
    Ps firstBit{0};                        ///< passes the port
    Ps lastBit{0};                         ///< passes the port

    /// Does it stand for all cells of the packet?
    bool IsWhole() const
    {
        return cells == packet->cells;
    }
};

/// Gets the packets of a capture.
class PacketListener
{
  public:
    virtual ~PacketListener() = default;

    /// @param seen in the order in which last bits pass the ports; for the time being only
    virtual void OnPacket(const CapturedPacket& seen) = 0;
};

/**
 * @brief Puts the bursts at tapped ports together to packets.
 *
 * A packet is told of when simulated time has passed its last bit: then its bytes have been read.
 */
class PacketCapture final : public PassageListener
{
  public:
    /// Finds the NIC of a host.
    using NicFinder = std::function<Nic&(NodeId)>;

    /// @param nics whose tables say where RDMA addresses lie
    PacketCapture(World& world, NicFinder nics);

    /// Lets the packets go that nobody was told of.
    ~PacketCapture() override;

    PacketCapture(const PacketCapture&) = delete;
    PacketCapture& operator=(const PacketCapture&) = delete;

    /// @param listener is told of packets from now on; must outlive the capture
    void AddListener(PacketListener* listener);

    /**
     * @brief Taps a port.
     * @param out the link that the NIC sends on
     * @param in the link that it receives from
     * @param nic gets what arrives
     * @return what takes their places; its number counts from 0
     */
    WireTap& AddPort(Link& out, Link& in, AgendaTarget& nic);

    /// Tells of everything that is left, up to the instant at which the run was stopped. Packets of
    /// which cells are missing are told of as such.
    void Finish();

    void OnPassage(const Passage& passage, const Burst& burst) override;

  private:
    /// A packet that has been seen, and its place among those of one instant.
    struct Seen
    {
        CapturedPacket packet;
        std::uint64_t number;
    };

    /// The last comes first, as priority queues have it.
    struct IsLater
    {
        bool operator()(const Seen& a, const Seen& b) const;
    };

    /// The packets at one port of which cells are still to come, by direction.
    struct Open
    {
        std::vector<CapturedPacket> packets[2];
    };

    CapturedPacket Begin(const Passage& passage, const Burst& burst) const;
    std::uint64_t RemoteOffset(const Packet& packet) const;
    void Close(const CapturedPacket& packet);
    void TellUntil(Ps until);
    void Tell(const CapturedPacket& seen);

    World& m_world;
    NicFinder m_nics;
    std::vector<PacketListener*> m_listeners;
    std::deque<WireTap> m_taps;
    std::vector<Open> m_open; ///< by port
    std::priority_queue<Seen, std::vector<Seen>, IsLater> m_seen;
    std::uint64_t m_count{0};
};

} // namespace via
} // namespace ns3

#endif // VIA_PACKET_CAPTURE_H
