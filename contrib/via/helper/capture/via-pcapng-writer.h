/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Writes pcapng files: interfaces and packets with times in picoseconds.

#ifndef VIA_PCAPNG_WRITER_H
#define VIA_PCAPNG_WRITER_H

#include "ns3/via-time.h"
#include "ns3/via-whole-file.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace via
{

/**
 * @brief A pcapng file: draft-ietf-opsawg-pcapng, big endian, link type USER0, one section.
 *
 * The file does not depend on the machine or the date. It is there when Close() has been called.
 */
class PcapngWriter
{
  public:
    /// Largest packet that Wireshark accepts for a link type it does not know.
    static constexpr std::uint32_t MOST_BYTES = 262144;

    /**
     * @param path of the file
     * @param snapLength most bytes of a packet in the file
     * @throws ConfigError when the file cannot be written
     */
    PcapngWriter(const std::string& path, std::uint32_t snapLength);

    /// Adds an interface, numbered from 0. Add all of them before any packet. @param name e.g. "n3"
    void AddInterface(const std::string& name);

    /// One packet.
    struct Entry
    {
        std::uint32_t interface;
        Ps at;                  ///< timestamp
        bool received;          ///< true: received by the interface; false: sent
        bool damaged;           ///< some of it was lost or corrupt
        std::uint32_t original; ///< original length in bytes
    };

    /// Adds a packet. @param bytes the kept part
    void Write(const Entry& entry, const std::string& bytes);

    /**
     * @brief Completes the file and renames it to its path.
     * @throws ConfigError when it cannot be written
     */
    void Close();

  private:
    void Flush(std::uint32_t type, const std::string& body);
    void Refuse(const std::string& why) const;

    std::string m_path;
    WholeFile m_file;
    std::uint32_t m_snapLength;
};

} // namespace via
} // namespace ns3

#endif // VIA_PCAPNG_WRITER_H
