/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A pcapng file of the packets at the ports of a cluster's NICs.

#include "via-capture-file.h"

#include "ns3/via-error.h"

namespace ns3
{
namespace via
{

std::uint32_t
CaptureFile::CheckSnapLength(std::uint32_t snapLength)
{
    if (snapLength > MOST_SNAP_LENGTH)
    {
        throw ConfigError("snaplen",
                          std::to_string(snapLength),
                          "0 to " + std::to_string(MOST_SNAP_LENGTH) +
                              " bytes of payload are possible");
    }
    return snapLength;
}

CaptureFile::CaptureFile(const std::string& path, std::uint32_t snapLength)
    : m_writer(path, CAPTURE_HEADER_BYTES + CheckSnapLength(snapLength)),
      m_snapLength(snapLength)
{
}

void
CaptureFile::AddPort(const std::string& name, NodeId node)
{
    m_writer.AddInterface(name);
    m_nodes.push_back(node);
}

void
CaptureFile::OnPacket(const CapturedPacket& seen)
{
    const std::uint32_t whole = CAPTURE_HEADER_BYTES + CaptureContentOf(seen).length;
    m_writer.Write({seen.port, seen.lastBit, seen.received, seen.lost > 0, whole},
                   CaptureFrame(seen, m_nodes[seen.port], m_snapLength));
}

void
CaptureFile::Close()
{
    m_writer.Close();
}

} // namespace via
} // namespace ns3
