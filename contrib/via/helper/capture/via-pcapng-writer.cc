/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Writes pcapng files: interfaces and packets with times in picoseconds.

#include "via-pcapng-writer.h"

#include "ns3/via-big-endian.h"
#include "ns3/via-error.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace ns3
{
namespace via
{

namespace
{

// draft-ietf-opsawg-pcapng, sections 4.1 to 4.3
constexpr std::uint32_t SECTION_HEADER = 0x0a0d0d0a;
constexpr std::uint32_t INTERFACE_DESCRIPTION = 1;
constexpr std::uint32_t ENHANCED_PACKET = 6;
constexpr std::uint32_t BYTE_ORDER_MAGIC = 0x1a2b3c4d;
constexpr std::uint16_t SHB_USERAPPL = 4;
constexpr std::uint16_t IF_NAME = 2;
constexpr std::uint16_t IF_TSRESOL = 9;
constexpr std::uint16_t EPB_FLAGS = 2;
constexpr std::uint32_t FLAG_INBOUND = 1;
constexpr std::uint32_t FLAG_OUTBOUND = 2;
constexpr std::uint32_t FLAG_CRC_ERROR = 1U << 24;
constexpr std::uint16_t LINKTYPE_USER0 = 147;
constexpr char NANOSECONDS = 9; // 10^-9 s; Wireshark 4.0 shows finer times wrongly after 18 ms

void
Pad(std::string& block)
{
    block.resize((block.size() + 3) / 4 * 4, '\0');
}

void
AppendOption(std::string& block, std::uint16_t code, const std::string& value)
{
    AppendBigEndian(block, code);
    AppendBigEndian(block, static_cast<std::uint16_t>(value.size()));
    block += value;
    Pad(block);
}

void
EndOptions(std::string& block)
{
    AppendOption(block, 0, "");
}

} // namespace

PcapngWriter::PcapngWriter(const std::string& path, std::uint32_t snapLength)
    : m_path(path),
      m_file(path),
      m_snapLength(snapLength)
{
    if (std::filesystem::is_directory(path))
    {
        Refuse("a file is needed, this is a folder");
    }
    if (!m_file.Stream())
    {
        Refuse(std::string("cannot write there: ") + std::strerror(errno));
    }
    std::string block;
    AppendBigEndian(block, BYTE_ORDER_MAGIC);
    AppendBigEndian(block, std::uint16_t{1}); // version 1.0
    AppendBigEndian(block, std::uint16_t{0});
    AppendBigEndian(block, UINT64_MAX); // length of the section: unspecified
    AppendOption(block, SHB_USERAPPL, "via");
    EndOptions(block);
    Flush(SECTION_HEADER, block);
}

void
PcapngWriter::Refuse(const std::string& why) const
{
    throw ConfigError("pcap", m_path, why);
}

void
PcapngWriter::AddInterface(const std::string& name)
{
    std::string block;
    AppendBigEndian(block, LINKTYPE_USER0);
    AppendBigEndian(block, std::uint16_t{0});
    AppendBigEndian(block, m_snapLength);
    AppendOption(block, IF_NAME, name);
    AppendOption(block, IF_TSRESOL, std::string(1, NANOSECONDS));
    EndOptions(block);
    Flush(INTERFACE_DESCRIPTION, block);
}

void
PcapngWriter::Write(const Entry& entry, const std::string& bytes)
{
    std::string block;
    block.reserve(bytes.size() + 64);
    AppendBigEndian(block, entry.interface);
    AppendBigEndian(block, static_cast<std::uint64_t>(entry.at / PS_PER_NS)); // high half first
    AppendBigEndian(block, static_cast<std::uint32_t>(bytes.size()));
    AppendBigEndian(block, entry.original);
    block += bytes;
    Pad(block);
    std::string flags;
    AppendBigEndian(flags,
                    (entry.received ? FLAG_INBOUND : FLAG_OUTBOUND) |
                        (entry.damaged ? FLAG_CRC_ERROR : 0));
    AppendOption(block, EPB_FLAGS, flags);
    EndOptions(block);
    Flush(ENHANCED_PACKET, block);
}

void
PcapngWriter::Flush(std::uint32_t type, const std::string& body)
{
    const auto length = static_cast<std::uint32_t>(body.size() + 3 * sizeof(std::uint32_t));
    std::string frame;
    AppendBigEndian(frame, type);
    AppendBigEndian(frame, length);
    m_file.Stream().write(frame.data(), static_cast<std::streamsize>(frame.size()));
    m_file.Stream().write(body.data(), static_cast<std::streamsize>(body.size()));
    m_file.Stream().write(frame.data() + sizeof(type), sizeof(length));
}

void
PcapngWriter::Close()
{
    if (!m_file.Close())
    {
        Refuse(std::string("could not be written: ") + std::strerror(errno));
    }
    if (!m_file.TakePlace())
    {
        Refuse(std::string("cannot take the place of what is there: ") + std::strerror(errno));
    }
}

} // namespace via
} // namespace ns3
