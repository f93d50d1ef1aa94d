/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A pcapng file of the packets at the ports of a cluster's NICs.

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

/// A file that keeps the packets of a capture.
class CaptureSink : public PacketListener
{
  public:
    /// Adds the next port of the capture. @param name e.g. "n3" @param node owner of the port
    virtual void AddPort(const std::string& name, NodeId node) = 0;

    /// Completes the file. @throws ConfigError when it cannot be written
    virtual void Close() = 0;
};

/**
 * @brief Writes the packets of a capture to a pcapng file, in the frame format of doc/capture.md.
 *
 * The same run writes the same file, byte for byte, unless programs send addresses of their
 * globals.
 */
class CaptureFile final : public CaptureSink
{
  public:
    /// Largest snapLength.
    static constexpr std::uint32_t MOST_SNAP_LENGTH =
        PcapngWriter::MOST_BYTES - CAPTURE_HEADER_BYTES;

    /// Default snapLength.
    static constexpr std::uint32_t SNAP_LENGTH = 65536;

    /**
     * @param path of the file
     * @param snapLength bytes of payload to keep of each packet, up to MOST_SNAP_LENGTH
     * @throws ConfigError when the length is too large, or the file cannot be written
     */
    CaptureFile(const std::string& path, std::uint32_t snapLength);

    /// @return @p snapLength @throws ConfigError when it is too large
    static std::uint32_t CheckSnapLength(std::uint32_t snapLength);

    void AddPort(const std::string& name, NodeId node) override;
    void OnPacket(const CapturedPacket& seen) override;
    void Close() override;

  private:
    PcapngWriter m_writer;
    std::uint32_t m_snapLength;
    std::vector<NodeId> m_nodes; ///< by port
};

} // namespace via
} // namespace ns3

#endif // VIA_CAPTURE_FILE_H
