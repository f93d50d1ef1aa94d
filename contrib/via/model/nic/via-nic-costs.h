/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What a NIC of a product costs and how much it holds, read from its profile.

#ifndef VIA_NIC_COSTS_H
#define VIA_NIC_COSTS_H

#include "ns3/via-mechanism-costs.h"
#include "ns3/via-provider-profile.h"
#include "ns3/via-shared.h"

#include <cstdint>

namespace ns3
{
namespace via
{

/**
 * @brief Cycles of the NIC's own clock, and sizes of its DMA.
 *
 * Payload moves between bus and wire in groups of whole cells: as many as a bus burst fills, but at
 * least one. The payload of a group crosses the bus in bursts of at most `nic.dma_burst` bytes.
 */
struct NicCosts
{
    Frequency clock{1, 1};
    Cycles decodeDoorbell;
    Cycles segment;      ///< per message, before its first cell
    Cycles demux;        ///< per message, from its first cell to the VI
    Cycles residual;     ///< receive engine: what published latencies leave unexplained
    Cycles sendResidual; ///< send engine: the same
    Cycles ringDemux;    ///< demux, where the card does no more than fill the kernel's ring
    Cycles ringResidual; ///< residual there
    Cycles connection;   ///< per control packet, at either end
    Cycles acknowledge;  ///< making or taking an acknowledgement, or finding cells to send again
    Ps retransmitTimeout{0};           ///< without news of cells that were sent
    std::uint32_t retransmitLimit{0};  ///< requests without an answer before a peer is given up
    std::uint32_t retransmitUnit{0};   ///< cells that are sent again together
    std::uint32_t retransmitCells{0};  ///< sent, not acknowledged: then no message starts
    std::uint32_t acknowledgeCells{0}; ///< arrived, not acknowledged: then the peer is told
    std::uint32_t statusBytes{0};      ///< of a completion's DMA write
    std::uint32_t cqEntryBytes{0};     ///< of a CQ entry's DMA write
    std::uint32_t dmaBurst{0};         ///< bytes of payload in one bus transaction at the most
    std::uint32_t receiveCells{0};     ///< that the receive buffer holds
    std::uint32_t groupCells{0};       ///< cells whose payload crosses the bus together, see below
    std::uint32_t transmitGroups{0};   ///< groups that the transmit buffer holds
    Ps feedbackPause{0};               ///< after news of congestion no message to that host begins
    std::uint32_t wormCells{1};        ///< so many of a message stay together on the wire
    std::uint32_t wireGroups{0};       ///< groups that go on the wire as one burst of cells
    bool severalWires{false};          ///< to the switch: then a group on the wire is one cell
    std::uint32_t messageHeader{0};    ///< payload bytes of the first cell that the header takes
    std::uint32_t cellPayload{0};
    std::uint32_t storeGroups{1}; ///< groups that are collected in the card before they go on
    MechanismCosts mechanisms;

    /// Whether payload is collected in the card before it goes on.
    bool Stores() const
    {
        return mechanisms.storeBytes > 0;
    }

    /// Reads the keys `nic.*` (and the cell sizes of `link.*`) of @p profile.
    static NicCosts From(const ProviderProfile& profile);
};

/// How much a NIC holds; over a limit a call says VIP_ERROR_RESOURCE or the like.
struct NicLimits
{
    std::uint64_t vis{0};
    std::uint64_t transferBytes{0};   ///< of one message
    std::uint64_t registeredBytes{0}; ///< in all
    std::uint64_t regionBytes{0};     ///< in one registration
    std::uint64_t regions{0};
    std::uint64_t queueDepth{0}; ///< descriptors per work queue
    std::uint64_t segments{0};   ///< data segments per descriptor
    std::uint64_t cqs{0};
    std::uint64_t cqEntries{0};
    std::uint64_t tags{0};
    std::uint64_t nativeMtu{0};
    std::uint64_t discriminatorBytes{0};
    std::uint16_t reliability{0}; ///< mask of the levels offered
    bool rdmaRead{false};

    /// Reads the limits among the keys `nic.*` of @p profile.
    static NicLimits From(const ProviderProfile& profile);
};

} // namespace via
} // namespace ns3

#endif // VIA_NIC_COSTS_H
