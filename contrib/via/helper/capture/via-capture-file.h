/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A pcapng file of what passes the ports of a cluster's NICs.

#ifndef VIA_CAPTURE_FILE_H
#define VIA_CAPTURE_FILE_H

#include "ns3/via-capture-frame.h"
#include "ns3/via-pcapng-writer.h"

#include <string>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @brief Writes the packets of a capture to a pcapng file, as frames of doc/capture.md.
 *
 * The same run makes the same file, byte by byte, unless programs send addresses of their globals.
 */
class CaptureFile final : public PacketListener
{
  public:
    /// Most bytes of a payload that can be kept.
    static constexpr std::uint32_t MOST_SNAP_LENGTH =
        PcapngWriter::MOST_BYTES - CAPTURE_HEADER_BYTES;

    /// Bytes of a payload that are kept unless somebody wants another number.
    static constexpr std::uint32_t SNAP_LENGTH = 65536;

    /**
     * @param path of the file
     * @param snapLength bytes of payload that are kept of each packet, up to MOST_SNAP_LENGTH
     * @throws ConfigError when the length is too large, or nothing can be written there
     */
    CaptureFile(const std::string& path, std::uint32_t snapLength);

    /// Adds the next port of the capture. @param name e.g. "n3" @param node it belongs to
    void AddPort(const std::string& name, NodeId node);

    void OnPacket(const CapturedPacket& seen) override;

    /// Completes the file. @throws ConfigError when it could not be written
    void Close();

  private:
    PcapngWriter m_writer;
    std::uint32_t m_snapLength;
    std::vector<NodeId> m_nodes; ///< by port
};

} // namespace via
} // namespace ns3

#endif // VIA_CAPTURE_FILE_H
