/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Costs and limits of a product's NIC, read from its profile.

#ifndef VIA_NIC_COSTS_H
#define VIA_NIC_COSTS_H

#include "ns3/via-clock-domain.h"
#include "ns3/via-mechanism-costs.h"
#include "ns3/via-provider-profile.h"
#include "ns3/via-shared.h"
#include "ns3/via-worms.h"

#include <cstdint>

namespace ns3
{
namespace via
{

/**
 * @brief Cycles of the NIC's own clock, and sizes of its DMA.
 *
 * Payload moves between bus and wire in groups of whole cells: as many as fit in a bus burst, but
 * at least one. The payload of a group crosses the bus in bursts of at most `nic.dma_burst` bytes.
 */
struct NicCosts
{
    Frequency clock{1, 1};
    Cycles decodeDoorbell;
    Cycles segment;          ///< per message, before its first cell
    Cycles demux;            ///< per message, from its first cell to the VI
    Cycles residual;         ///< receive engine: the unexplained part of published latencies
    Cycles sendResidual;     ///< send engine: the same
    Cycles ringDemux;        ///< demux on a card that only fills the kernel's ring
    Cycles ringResidual;     ///< residual on such a card
    Cycles connection;       ///< per control packet, at either end
    Cycles barrierSend;      ///< to send one step of a barrier, after its doorbell
    Cycles barrierReceive;   ///< to take one step of a barrier, after its demux
    Cycles acknowledge;      ///< to make or take an acknowledgement, or find cells to resend
    Ps retransmitTimeout{0}; ///< silence before the sender asks for an acknowledgement
    std::uint32_t retransmitLimit{0};  ///< unanswered requests before a peer is given up
    std::uint32_t retransmitUnit{0};   ///< cells that are retransmitted together
    std::uint32_t retransmitCells{0};  ///< unacknowledged cells that stop further messages
    std::uint32_t acknowledgeCells{0}; ///< unacknowledged arrivals that trigger an acknowledgement
    std::uint32_t statusBytes{0};      ///< size of a completion's DMA write
    std::uint32_t cqEntryBytes{0};     ///< size of a CQ entry's DMA write
    std::uint32_t dmaBurst{0};         ///< maximum bytes of payload in one bus transaction
    std::uint32_t receiveCells{0};   ///< room for arriving cells that wait for the rest of a group
    std::uint32_t groupCells{0};     ///< cells whose payload crosses the bus together, see above
    std::uint32_t transmitGroups{0}; ///< capacity of the transmit buffer, in groups
    Ps feedbackPause{0};             ///< pause of messages to a host after a congestion notice
    Worms worms;                     ///< a message's cells that stay together on the wire
    std::uint32_t messageHeader{0};  ///< payload bytes of the first cell taken by the header
    std::uint32_t cellPayload{0};
    std::uint32_t storeGroups{1}; ///< groups that the card collects before it forwards them
    Divisor perPiece;             ///< divides cells into the pieces that the card places as a whole
    MechanismCosts mechanisms;

    /// Whether the card collects payload before it forwards it.
    bool Stores() const
    {
        return mechanisms.storeBytes > 0;
    }

    /**
     * @brief Reads the keys `nic.*` (and the cell sizes of `link.*`) of @p profile.
     * @param leastRoom cells for which every wire has room; what is resent together must fit
     */
    static NicCosts From(const ProviderProfile& profile, std::uint32_t leastRoom = UINT32_MAX);
};

/// Limits of a NIC. A call that exceeds one returns VIP_ERROR_RESOURCE or a similar error.
struct NicLimits
{
    std::uint64_t vis{0};
    std::uint64_t transferBytes{0};   ///< of one message
    std::uint64_t registeredBytes{0}; ///< in total
    std::uint64_t regionBytes{0};     ///< in one registration
    std::uint64_t regions{0};
    std::uint64_t queueDepth{0}; ///< descriptors per work queue
    std::uint64_t segments{0};   ///< data segments per descriptor
    std::uint64_t cqs{0};
    std::uint64_t cqEntries{0};
    std::uint64_t tags{0};
    std::uint64_t nativeMtu{0};
    std::uint64_t discriminatorBytes{0};
    std::uint16_t reliability{0}; ///< mask of the levels supported
    bool rdmaRead{false};

    /// Reads the limits among the keys `nic.*` of @p profile.
    static NicLimits From(const ProviderProfile& profile);
};

} // namespace via
} // namespace ns3

#endif // VIA_NIC_COSTS_H
