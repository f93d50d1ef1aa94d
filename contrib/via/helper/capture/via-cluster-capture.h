/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Connects the NICs of a cluster to their wires, with taps in between if packets are captured.

#ifndef VIA_CLUSTER_CAPTURE_H
#define VIA_CLUSTER_CAPTURE_H

#include "ns3/via-capture-file.h"
#include "ns3/via-packet-capture.h"
#include "ns3/via-pair-order.h"
#include "ns3/via-remote-link.h"

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

/// How the packets at the NICs' ports are captured.
struct CaptureConfig
{
    std::string file;                                   ///< pcapng, see CaptureFile; empty: none
    std::uint32_t snapLength{CaptureFile::SNAP_LENGTH}; ///< bytes of payload to keep of each packet
    PacketListener* listener{nullptr};                  ///< gets the packets; null: none
    bool isShare{false}; ///< one of several partitions: the file is a CaptureShare
    bool canGrow{false}; ///< ClusterCapture::Add will be called: remember the ports
};

/// The capture of one cluster; may be off.
class ClusterCapture
{
  public:
    /**
     * @param config file and listener
     * @param nics see PacketCapture
     * @throws ConfigError see CaptureFile
     */
    ClusterCapture(const CaptureConfig& config, World& world, PacketCapture::NicFinder nics);
    ~ClusterCapture();

    /**
     * @brief Connects both wires of a NIC.
     * @param name of the port, e.g. "n3"
     * @param out the link that the NIC sends on
     * @param in the link that the NIC receives from
     * @param order placed between NIC and wires; null: none
     * @param early is told of what arrives, where nothing stands between; null: nobody
     * @param remote the end of @p in on this partition; null: the NIC is connected to @p in itself
     */
    void Plug(const std::string& name,
              Nic& nic,
              Link& out,
              Link& in,
              PairOrder* order,
              EarlyReceiver* early,
              RemoteLink* remote);

    /// Counts a port of a host that is not in this partition: ports have the same numbers in all.
    void Skip(NodeId node);

    /**
     * @brief Captures the packets at the ports of one host in a file of its own, too. Needs
     * CaptureConfig::canGrow.
     * @param host with the ports
     * @param path of the pcapng file
     * @throws ConfigError when time has passed, for a path that has a capture, and see CaptureFile
     */
    void Add(NodeId host, const std::string& path);

    /**
     * @brief Ends the capture: gives the listener the remaining packets and completes the file.
     * Call it once; nothing is captured later.
     * @throws ConfigError when the file could not be written
     */
    void End();

  private:
    class HostFile;

    /// A NIC's port.
    struct Port
    {
        std::string name;
        Nic& nic;
        Link& out;
        Link& in;
        PairOrder* order;
        EarlyReceiver* early;
        RemoteLink* remote;
        std::uint32_t tap{NO_TAP}; ///< its number in the capture
    };

    static constexpr std::uint32_t NO_TAP = UINT32_MAX;

    void Connect(Port& port, bool tapped);

    World& m_world;
    PacketCapture::NicFinder m_nics;
    bool m_canGrow;
    std::uint32_t m_taps{0};
    std::set<std::string> m_paths;                  ///< of all files
    std::vector<Port> m_ports;                      ///< if it can grow
    std::unique_ptr<CaptureSink> m_file;            ///< null: no file
    std::vector<std::unique_ptr<HostFile>> m_hosts; ///< files of single hosts
    std::unique_ptr<PacketCapture> m_packets;       ///< null: nothing is captured
};

} // namespace via
} // namespace ns3

#endif // VIA_CLUSTER_CAPTURE_H
