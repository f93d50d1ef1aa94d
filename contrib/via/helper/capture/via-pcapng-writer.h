/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Writes pcapng files: interfaces, and packets with times in picoseconds.

#ifndef VIA_PCAPNG_WRITER_H
#define VIA_PCAPNG_WRITER_H

#include "ns3/via-time.h"

#include <cstdint>
#include <fstream>
#include <string>

namespace ns3
{
namespace via
{

/**
 * @brief A pcapng file: draft-ietf-opsawg-pcapng, big endian, link type USER0, one section.
 *
 * Nothing in it tells of the machine or the day it was written on. What is written stands beside
 * its place until Close; devices and pipes are written to as they are.
 */
class PcapngWriter
{
  public:
    /// Most bytes that Wireshark takes for a packet of a link type it does not know.
    static constexpr std::uint32_t MOST_BYTES = 262144;

    /**
     * @param path of the file
     * @param snapLength bytes at most that are given of a packet
     * @throws ConfigError when nothing can be written there
     */
    PcapngWriter(const std::string& path, std::uint32_t snapLength);

    /// Takes away what was not closed.
    ~PcapngWriter();

    PcapngWriter(const PcapngWriter&) = delete;
    PcapngWriter& operator=(const PcapngWriter&) = delete;

    /// Adds an interface; they count from 0, and come before packets. @param name e.g. "n3"
    void AddInterface(const std::string& name);

    /// One packet.
    struct Entry
    {
        std::uint32_t interface;
        Ps at;                  ///< timestamp
        bool received;          ///< by the interface; else sent
        bool damaged;           ///< not all of it arrived whole
        std::uint32_t original; ///< bytes that it had
    };

    /// Adds a packet. @param bytes of it that were kept
    void Write(const Entry& entry, const std::string& bytes);

    /**
     * @brief Completes the file and gives it its name.
     * @throws ConfigError when it could not be written
     */
    void Close();

  private:
    void Flush(std::uint32_t type, const std::string& body);
    void Refuse(const std::string& why) const;

    std::string m_path;
    std::string m_place; ///< written to
    std::uint32_t m_snapLength;
    std::ofstream m_file;
    bool m_isClosed{false};
};

} // namespace via
} // namespace ns3

#endif // VIA_PCAPNG_WRITER_H
