/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What a NIC checks before it touches memory.

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
    std::uint8_t* address; ///< null: the kernel agent's; its bytes are in the packet already
    std::uint32_t length;
};

/// The rules of the VI Architecture 1.0 for descriptors and for what they name.
class DescriptorChecks
{
  public:
    DescriptorChecks(const Tpt& tpt, const Shared<NicLimits>& limits)
        : m_tpt(tpt),
          m_limits(limits)
    {
    }

    /// Bytes of the descriptor's segments; a minimum if nobody may look at it.
    std::uint32_t Bytes(const WorkItem& item) const;

    /// Bytes that the NIC fetches of the descriptor: whole lines of 64.
    std::uint32_t FetchBytes(const WorkItem& item) const;

    /// Is the descriptor itself aligned and in memory that the VI may use?
    bool IsValid(const VirtualInterface& vi, const WorkItem& item) const;

    /**
     * @brief May a send descriptor go out?
     * @param pieces the memory it reads (or, an RDMA read, writes), without empty segments
     * @return error bits of its status; 0 if it may
     */
    std::uint32_t CheckSend(const VirtualInterface& vi,
                            const Descriptor& descriptor,
                            std::vector<Piece>& pieces) const;

    /// May a message of @p bytes go into a receive descriptor? @return error bits of its status
    std::uint32_t CheckReceive(const VirtualInterface& vi,
                               const Descriptor& descriptor,
                               std::uint32_t bytes) const;

    /// May the peer write the target of @p packet?
    bool AllowsWrite(const VirtualInterface& vi, const Packet& packet) const;

    /// May the peer read what @p packet asks for?
    bool AllowsRead(const VirtualInterface& vi, const Packet& packet) const;

    /**
     * @brief The memory behind byte @p offset of a descriptor's data segments.
     * @param first index of the first data segment: 1 behind an address segment, else 0
     * The program may have changed the descriptor or its rights since they were checked: then
     * the address is null.
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
