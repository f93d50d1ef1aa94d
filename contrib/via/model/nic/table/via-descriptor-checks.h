/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The checks of a NIC before it accesses memory.

#ifndef VIA_DESCRIPTOR_CHECKS_H
#define VIA_DESCRIPTOR_CHECKS_H

#include "ns3/via-nic-costs.h"
#include "ns3/via-tpt.h"
#include "ns3/via-virtual-interface.h"

#include <vector>

namespace ns3
{
namespace via
{

/// A piece of memory after translation.
struct Piece
{
    std::uint8_t* address; ///< null: the kernel agent's memory; the packet already has the bytes
    std::uint32_t length;
    MemoryHandle handle{0}; ///< through which it is accessed; 0: none, or it does not matter
};

/// The rules of the VI Architecture 1.0 for descriptors and the memory they refer to.
class DescriptorChecks
{
  public:
    DescriptorChecks(const Tpt& tpt, const Shared<NicLimits>& limits)
        : m_tpt(tpt),
          m_limits(limits)
    {
    }

    /// Size of the descriptor in bytes; the minimum if it is not in registered memory.
    std::uint32_t Bytes(const WorkItem& item) const;

    /// Bytes that the NIC fetches for the descriptor: whole lines of 64 bytes.
    std::uint32_t FetchBytes(const WorkItem& item) const;

    /// Is the descriptor aligned, and in memory that the VI may use?
    bool IsValid(const VirtualInterface& vi, const WorkItem& item) const;

    /**
     * @brief Checks a send descriptor.
     * @param pieces the memory it reads (for an RDMA read: writes), without empty segments
     * @return error bits of its status; 0 if it is valid
     */
    std::uint32_t CheckSend(const VirtualInterface& vi,
                            const Descriptor& descriptor,
                            std::vector<Piece>& pieces) const;

    /// Checks a receive descriptor for a message of @p bytes. @return error bits of its status
    std::uint32_t CheckReceive(const VirtualInterface& vi,
                               const Descriptor& descriptor,
                               std::uint32_t bytes) const;

    /// May the peer write to the target of @p packet?
    bool AllowsWrite(const VirtualInterface& vi, const Packet& packet) const;

    /// May the peer read the memory that @p packet requests?
    bool AllowsRead(const VirtualInterface& vi, const Packet& packet) const;

    /**
     * @brief The memory at byte @p offset of a descriptor's data segments.
     * @param first index of the first data segment: 1 after an address segment, else 0
     * If the program has changed the descriptor or its rights since the check, the address may be
     * null.
     */
    Piece PieceAt(const VirtualInterface& vi,
                  const WorkItem& item,
                  std::uint32_t first,
                  std::uint32_t offset) const;

  private:
    std::uint32_t CheckFormat(const VirtualInterface& vi, const Descriptor& descriptor) const;

    const Tpt& m_tpt;
    Shared<NicLimits> m_limits;
};

} // namespace via
} // namespace ns3

#endif // VIA_DESCRIPTOR_CHECKS_H
