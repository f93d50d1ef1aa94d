/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Captures the packets at the ports of all NICs of a cluster, with their times.

#ifndef VIA_PACKET_CAPTURE_H
#define VIA_PACKET_CAPTURE_H

#include "ns3/via-nic.h"
#include "ns3/via-wire-tap.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
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
 * A packet is seen at its sender's port and at its receiver's. Retransmitted cells are seen
 * separately, unit by unit.
 */
struct CapturedPacket
{
    /// No region: the target of an RDMA packet is unknown.
    static constexpr std::uint64_t NO_REGION = UINT64_MAX;

    Packet* packet{nullptr};    ///< its header; also its bytes when OnPacket is called
    std::uint32_t port{0};      ///< number of the port, see PacketCapture::AddPort
    bool received{false};       ///< true: the port's NIC received it; false: sent it
    bool resent{false};         ///< from the retransmission buffer
    std::uint32_t firstCell{0}; ///< smallest number of a seen cell
    std::uint32_t cells{0};     ///< number of seen cells
    std::uint32_t firstByte{0}; ///< first payload byte in these cells
    std::uint32_t endByte{0};   ///< first payload byte after these cells
    std::uint32_t lost{0};      ///< received: of these cells, corrupt or vanished on the way
    std::uint32_t vanished{0};  ///< received: of these cells, vanished on the last wire
    std::uint32_t attempt{0};   ///< how often the channel had gone back
    std::uint64_t cellsSent{0}; ///< sent: cells that have left with it, since the start
    std::uint32_t cellsOut{0}; ///< sent: of these, on the wire or in the buffer at its far end when
                               ///< its last bit leaves
    std::uint64_t creditsReturned{0}; ///< received: cells whose credits were returned until its
                                      ///< last bit arrived
    std::uint64_t remoteOffset{NO_REGION}; ///< RDMA: offset of the address in its region
    bool isRegionAway{false};              ///< RDMA: another partition knows the region
    Ps firstBit{0};                        ///< passes the port
    Ps lastBit{0};                         ///< passes the port

    /// Does it cover all cells of the packet?
    bool IsWhole() const
    {
        return cells == packet->cells;
    }
};

/// Receives the packets of a capture.
class PacketListener
{
  public:
    virtual ~PacketListener() = default;

    /// @param seen valid during the call; packets come in the order in which their last bits pass
    /// the ports
    virtual void OnPacket(const CapturedPacket& seen) = 0;
};

/**
 * @brief Assembles the cells at tapped ports into packets.
 *
 * A packet is reported once simulated time has passed its last bit; by then its bytes have been
 * read.
 */
class PacketCapture final : public TapListener
{
  public:
    /// Finds the NIC of a host; null: it is not in this partition.
    using NicFinder = std::function<Nic*(NodeId)>;

    /// @param nics finds the NICs, whose tables locate RDMA addresses
    PacketCapture(World& world, NicFinder nics);

    /// Frees packets that were not reported.
    ~PacketCapture() override;

    PacketCapture(const PacketCapture&) = delete;
    PacketCapture& operator=(const PacketCapture&) = delete;

    /// @param listener gets all later packets; must outlive the capture
    void AddListener(PacketListener* listener);

    /**
     * @brief Taps a port.
     * @param out the link that the NIC sends on
     * @param in the link that it receives from
     * @param upstream gets the credits of that
     * @param nic receives what arrives
     * @return the tap to use in their place; ports are numbered from 0
     */
    WireTap& AddPort(Link& out, Link& in, InPort& upstream, AgendaTarget& nic);

    /// Leaves out a number: that port is not in this partition.
    void SkipPort()
    {
        m_taps.emplace_back();
        m_open.emplace_back();
    }

    /// Reports all remaining packets, up to the instant at which the run stopped, including packets
    /// with missing cells.
    void Finish();

    void OnTapped(const TappedCell& tapped, const Cell& cell) override;

    /// Whether packets of this kind name an address in a region.
    static bool NamesRegion(PacketKind kind);

    /// The host that has this region.
    static NodeId OwnerOfRegion(const Packet& packet);

  private:
    /// A seen packet, and its place among those of one instant.
    struct Seen
    {
        CapturedPacket packet;
        std::uint64_t number;
    };

    /// Orders the priority queue: the earliest packet is on top.
    struct IsLater
    {
        bool operator()(const Seen& a, const Seen& b) const;
    };

    /// The incomplete packets at one port, by direction.
    struct Open
    {
        std::vector<CapturedPacket> packets[2];
    };

    CapturedPacket Begin(const TappedCell& tapped, const Cell& cell) const;
    std::uint64_t RemoteOffset(const Packet& packet) const;
    void Close(const CapturedPacket& packet);
    void TellUntil(Ps until);
    void Tell(CapturedPacket seen);

    World& m_world;
    NicFinder m_nics;
    std::vector<PacketListener*> m_listeners;
    std::deque<std::optional<WireTap>> m_taps; ///< by port; empty: skipped
    std::vector<Open> m_open;                  ///< by port
    std::priority_queue<Seen, std::vector<Seen>, IsLater> m_seen;
    std::uint64_t m_count{0};
};

} // namespace via
} // namespace ns3

#endif // VIA_PACKET_CAPTURE_H
