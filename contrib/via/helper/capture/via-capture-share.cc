/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What one of several partitions captures, in a file of its own, and the pcapng file of them all.

#include "via-capture-share.h"

#include "ns3/via-error.h"

#include <cerrno>
#include <cstring>
#include <memory>
#include <tuple>
#include <type_traits>

namespace ns3
{
namespace via
{

namespace
{

/// Precedes each frame of a share.
struct FrameHead
{
    Ps lastBit;
    std::uint64_t address;  ///< if an offset is missing: RDMA address,
    NodeId owner;           ///< host that has the region,
    std::uint32_t handle;   ///< and handle of the region
    std::uint32_t port;     ///< in the capture
    std::uint32_t original; ///< bytes of the whole frame
    std::uint32_t bytes;    ///< of the frame that follows
    std::uint8_t received;
    std::uint8_t damaged;
    std::uint8_t lacksOffset;
    std::uint8_t unused;
};

/// Follows the frames of a share: see CaptureShare::Known. Those of a region are in the order of
/// time.
struct KnownRegion
{
    std::uint64_t base;
    Ps until;
    NodeId owner;
    std::uint32_t handle;
};

/// The last bytes of a share. The regions precede it, and the names of ports, each with its length.
struct ShareTail
{
    std::uint64_t frames;  ///< bytes of all frames
    std::uint64_t regions; ///< number of regions
    std::uint64_t ports;   ///< number of ports
};

template <class T>
void
Put(std::ofstream& file, const T& value)
{
    static_assert(std::is_trivially_copyable_v<T>, "it is written as bytes");
    file.write(reinterpret_cast<const char*>(&value), sizeof(value));
}

/// Reads what a CaptureShare wrote.
class ShareReader
{
  public:
    explicit ShareReader(const std::string& path)
        : m_path(path),
          m_file(path, std::ios::binary)
    {
        m_file.seekg(-static_cast<std::streamoff>(sizeof(ShareTail)), std::ios::end);
        m_tail = Get<ShareTail>();
        m_file.seekg(static_cast<std::streamoff>(m_tail.frames));
    }

    /// Reads the regions, and then the names of the ports; before the frames.
    std::vector<KnownRegion> Regions()
    {
        std::vector<KnownRegion> regions;
        for (std::uint64_t i = 0; i < m_tail.regions; ++i)
        {
            regions.push_back(Get<KnownRegion>());
        }
        return regions;
    }

    std::vector<std::string> PortNames()
    {
        std::vector<std::string> names;
        for (std::uint64_t i = 0; i < m_tail.ports; ++i)
        {
            names.emplace_back(Get<std::uint32_t>(), '\0');
            m_file.read(names.back().data(), static_cast<std::streamsize>(names.back().size()));
        }
        return names;
    }

    void GoToFrames()
    {
        m_file.seekg(0);
        Next();
    }

    bool HasFrame() const
    {
        return m_hasFrame;
    }

    /// The present frame; changes with Next().
    const FrameHead& Head() const
    {
        return m_head;
    }

    std::string& Frame()
    {
        return m_frame;
    }

    void Next()
    {
        m_hasFrame = static_cast<std::uint64_t>(m_file.tellg()) < m_tail.frames;
        if (m_hasFrame)
        {
            m_head = Get<FrameHead>();
            m_frame.resize(m_head.bytes);
            m_file.read(m_frame.data(), static_cast<std::streamsize>(m_frame.size()));
            Require();
        }
    }

  private:
    template <class T>
    T Get()
    {
        T value{};
        m_file.read(reinterpret_cast<char*>(&value), sizeof(value));
        Require();
        return value;
    }

    void Require() const
    {
        if (!m_file)
        {
            throw ConfigError("pcap", m_path, "cannot be read again");
        }
    }

    std::string m_path;
    std::ifstream m_file;
    ShareTail m_tail{};
    bool m_hasFrame{false};
    FrameHead m_head{};
    std::string m_frame;
};

/// The reader with the first frame, as PacketCapture orders packets; null: none has any.
ShareReader*
FirstOf(const std::vector<std::unique_ptr<ShareReader>>& readers)
{
    const auto place = [](const ShareReader& reader) {
        const FrameHead& head = reader.Head();
        return std::make_tuple(head.lastBit, head.port, head.received);
    };
    ShareReader* first = nullptr;
    for (const auto& reader : readers)
    {
        if (reader->HasFrame() && (first == nullptr || place(*reader) < place(*first)))
        {
            first = reader.get();
        }
    }
    return first;
}

/// The base of the region of an RDMA packet, as the next packet for it shows, or the last one.
std::uint64_t
BaseAt(const std::vector<KnownRegion>& known, Ps at)
{
    for (const KnownRegion& region : known)
    {
        if (at <= region.until)
        {
            return region.base;
        }
    }
    return known.empty() ? CapturedPacket::NO_REGION : known.back().base;
}

} // namespace

CaptureShare::CaptureShare(const std::string& path, std::uint32_t snapLength)
    : m_path(path),
      m_snapLength(CaptureFile::CheckSnapLength(snapLength)),
      m_file(path, std::ios::binary | std::ios::trunc)
{
}

void
CaptureShare::AddPort(const std::string& name, NodeId node)
{
    m_ports.emplace_back(name, node);
}

void
CaptureShare::OnPacket(const CapturedPacket& seen)
{
    const Packet& packet = *seen.packet;
    const NodeId owner = PacketCapture::OwnerOfRegion(packet);
    if (PacketCapture::NamesRegion(packet.kind) && !seen.isRegionAway)
    {
        const std::uint64_t base = seen.remoteOffset == CapturedPacket::NO_REGION
                                       ? CapturedPacket::NO_REGION
                                       : packet.remoteAddress - seen.remoteOffset;
        std::vector<Known>& known = m_regions[{owner, packet.remoteHandle}];
        if (known.empty() || known.back().base != base)
        {
            known.push_back({base, 0});
        }
        known.back().until = seen.lastBit;
    }
    const std::string frame = CaptureFrame(seen, m_ports[seen.port].second, m_snapLength);
    Put(m_file,
        FrameHead{seen.lastBit,
                  packet.remoteAddress,
                  owner,
                  packet.remoteHandle,
                  seen.port,
                  CAPTURE_HEADER_BYTES + CaptureContentOf(seen).length,
                  static_cast<std::uint32_t>(frame.size()),
                  seen.received,
                  seen.lost > 0,
                  seen.isRegionAway,
                  0});
    m_file.write(frame.data(), static_cast<std::streamsize>(frame.size()));
}

void
CaptureShare::Close()
{
    const auto frames = static_cast<std::uint64_t>(m_file.tellp());
    std::uint64_t regions = 0;
    for (const auto& [handle, known] : m_regions)
    {
        for (const Known& region : known)
        {
            Put(m_file, KnownRegion{region.base, region.until, handle.first, handle.second});
        }
        regions += known.size();
    }
    for (const auto& [name, node] : m_ports)
    {
        Put(m_file, static_cast<std::uint32_t>(name.size()));
        m_file.write(name.data(), static_cast<std::streamsize>(name.size()));
    }
    Put(m_file, ShareTail{frames, regions, m_ports.size()});
    m_file.close();
    if (!m_file)
    {
        throw ConfigError("pcap",
                          m_path,
                          std::string("could not be written: ") + std::strerror(errno));
    }
}

void
JoinCaptures(const std::vector<std::string>& shares,
             const std::string& path,
             std::uint32_t snapLength)
{
    std::vector<std::unique_ptr<ShareReader>> readers;
    std::map<std::pair<NodeId, std::uint32_t>, std::vector<KnownRegion>> regions;
    std::vector<std::string> names; // all partitions have all ports
    for (const std::string& share : shares)
    {
        readers.push_back(std::make_unique<ShareReader>(share));
        for (const KnownRegion& region : readers.back()->Regions())
        {
            regions[{region.owner, region.handle}].push_back(region);
        }
        names = readers.back()->PortNames();
        readers.back()->GoToFrames();
    }
    PcapngWriter writer(path, CAPTURE_HEADER_BYTES + snapLength);
    for (const std::string& name : names)
    {
        writer.AddInterface(name);
    }
    for (ShareReader* next = FirstOf(readers); next != nullptr; next = FirstOf(readers))
    {
        const FrameHead& head = next->Head();
        if (head.lacksOffset != 0)
        {
            const std::uint64_t base = BaseAt(regions[{head.owner, head.handle}], head.lastBit);
            if (base != CapturedPacket::NO_REGION)
            {
                SetRemoteOffset(next->Frame(), head.address - base);
            }
        }
        writer.Write(
            {head.port, head.lastBit, head.received != 0, head.damaged != 0, head.original},
            next->Frame());
        next->Next();
    }
    writer.Close();
}

} // namespace via
} // namespace ns3
