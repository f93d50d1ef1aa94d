/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Plugs the NICs of a cluster, with taps between them and their wires if packets are wanted.

#ifndef VIA_CLUSTER_CAPTURE_H
#define VIA_CLUSTER_CAPTURE_H

#include "ns3/via-capture-file.h"
#include "ns3/via-packet-capture.h"
#include "ns3/via-pair-order.h"

#include <cstdint>
#include <memory>
#include <string>

namespace ns3
{
namespace via
{

/// What is wanted of the packets at the NICs' ports.
struct CaptureConfig
{
    std::string file;                                   ///< pcapng, see CaptureFile; empty: none
    std::uint32_t snapLength{CaptureFile::SNAP_LENGTH}; ///< bytes of payload that it keeps of each
    PacketListener* listener{nullptr};                  ///< is told of them; null: nobody
};

/// The capture of one cluster, which may be none.
class ClusterCapture
{
  public:
    /**
     * @param config what is wanted
     * @param nics see PacketCapture
     * @throws ConfigError when the file cannot be written as wanted
     */
    ClusterCapture(const CaptureConfig& config, World& world, PacketCapture::NicFinder nics);

    /**
     * @brief Plugs both wires of a NIC.
     * @param name of the port, e.g. "n3"
     * @param out the link that it sends on
     * @param in the link that it receives from
     * @param order stands between NIC and wires; null: nothing does
     */
    void Plug(const std::string& name, Nic& nic, Link& out, Link& in, PairOrder* order);

    /**
     * @brief Everything has happened: the listener is told of the rest, the file takes its name.
     * Once; nothing is captured later.
     * @throws ConfigError when the file could not be written
     */
    void End();

  private:
    std::unique_ptr<CaptureFile> m_file;      ///< null: none is wanted
    std::unique_ptr<PacketCapture> m_packets; ///< null: nobody wants any
};

} // namespace via
} // namespace ns3

#endif // VIA_CLUSTER_CAPTURE_H
