/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Where a message is cut into the packets of a wormhole network.

#ifndef VIA_WORMS_H
#define VIA_WORMS_H

#include "ns3/via-provider-profile.h"

#include <cstdint>

namespace ns3
{
namespace via
{

/**
 * @brief Worms: the cells of a message that stay together on wires and in switches.
 *
 * A worm carries a packet's payload and its header. Here the header of a message comes before its
 * payload and makes it longer, by `header` cells at most: they belong to its last worm. So a
 * message that is one packet's payload long is one worm.
 */
struct Worms
{
    std::uint32_t cells{1};  ///< of a packet's payload; 1: each cell is a packet
    std::uint32_t header{0}; ///< cells by which the header makes a message longer

    /// Reads `link.packet_cells`, `link.cell_payload` and `link.message_header`; without
    /// `switch.forwarding` = wormhole each cell is a packet.
    static Worms From(const ProviderProfile& profile)
    {
        Worms worms;
        if (profile.Word("switch.forwarding") == "wormhole")
        {
            worms.cells = profile.Number32("link.packet_cells");
        }
        if (worms.cells > 1)
        {
            const std::uint32_t payload = profile.Number32("link.cell_payload");
            worms.header = (profile.Number32("link.message_header") + payload - 1) / payload;
        }
        return worms;
    }

    /// Whether a worm ends after the first @p sent of @p all cells of a message.
    bool EndAt(std::uint32_t sent, std::uint32_t all) const
    {
        return sent == all || (sent % cells == 0 && all - sent > header);
    }
};

} // namespace via
} // namespace ns3

#endif // VIA_WORMS_H
