/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What one of several partitions captures, in a file of its own, and the pcapng file of them all.

#ifndef VIA_CAPTURE_SHARE_H
#define VIA_CAPTURE_SHARE_H

#include "ns3/via-capture-file.h"

#include <cstdint>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @brief Keeps the frames of one partition's ports for JoinCaptures.
 *
 * A partition does not know the regions of other partitions' hosts, so the offset of an RDMA
 * address in its region may have to be found when all shares are there.
 */
class CaptureShare final : public CaptureSink
{
  public:
    /**
     * @param path of the file
     * @param snapLength as for CaptureFile
     * @throws ConfigError as CaptureFile
     */
    CaptureShare(const std::string& path, std::uint32_t snapLength);

    void AddPort(const std::string& name, NodeId node) override;
    void OnPacket(const CapturedPacket& seen) override;
    void Close() override;

  private:
    /// The host that has a region, and its handle there.
    using Handle = std::pair<NodeId, std::uint32_t>;

    /// What was known of a region, and the last time at which a packet showed that.
    struct Known
    {
        std::uint64_t base; ///< NO_REGION: it was not registered
        Ps until;
    };

    std::string m_path;
    std::uint32_t m_snapLength;
    std::ofstream m_file;
    std::vector<std::pair<std::string, NodeId>> m_ports;
    std::map<Handle, std::vector<Known>> m_regions; ///< of our hosts, each in the order of time
};

/**
 * @brief Writes the pcapng file of a run: the frames of all partitions in the order of time.
 *
 * It is the file that a run without partitions writes, except for the offset of an RDMA packet to
 * another partition: it is what the next packet for the region shows that arrives there, or the
 * last one; there is none if none has arrived.
 * @param shares the files of the partitions, closed
 * @param path of the pcapng file
 * @param snapLength that of the shares
 * @throws ConfigError when a file cannot be read or written
 */
void JoinCaptures(const std::vector<std::string>& shares,
                  const std::string& path,
                  std::uint32_t snapLength);

} // namespace via
} // namespace ns3

#endif // VIA_CAPTURE_SHARE_H
