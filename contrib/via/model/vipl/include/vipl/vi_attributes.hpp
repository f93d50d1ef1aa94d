/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Attributes and states of a VI.

#ifndef VIPL_VI_ATTRIBUTES_HPP
#define VIPL_VI_ATTRIBUTES_HPP

#include <vipl.h>

namespace vipl
{

/// Delivery guarantees of a VI. One level per VI.
enum class Reliability : VIP_USHORT
{
    Unreliable = VIP_SERVICE_UNRELIABLE,
    ReliableDelivery = VIP_SERVICE_RELIABLE_DELIVERY,
    ReliableReception = VIP_SERVICE_RELIABLE_RECEPTION,
};

/// Whether a NIC supports a level: pass ReliabilityLevelSupport or RDMAReadSupport of its
/// attributes.
constexpr bool
Offers(VIP_RELIABILITY_LEVEL mask, Reliability level) noexcept
{
    return (mask & static_cast<VIP_USHORT>(level)) != 0;
}

/// The state of a VI.
enum class State
{
    Idle = VIP_STATE_IDLE,
    Connected = VIP_STATE_CONNECTED,
    ConnectPending = VIP_STATE_CONNECT_PENDING,
    Error = VIP_STATE_ERROR,
};

/// Attributes of a VI. Level, transfer size and QoS must be equal at both ends.
struct ViAttributes
{
    Reliability reliability{Reliability::ReliableDelivery};
    VIP_ULONG maxTransferSize{32768};   ///< bytes per descriptor; every provider supports 32768
    VIP_PROTECTION_HANDLE tag{nullptr}; ///< ProtectionTag::Get()
    bool rdmaWrite{false};              ///< the peer may write to memory of this tag
    bool rdmaRead{false};               ///< the peer may read it
    VIP_QOS qos{nullptr};

    /// The form that VIPL takes.
    VIP_VI_ATTRIBUTES Raw() const noexcept
    {
        return {static_cast<VIP_RELIABILITY_LEVEL>(reliability),
                maxTransferSize,
                qos,
                tag,
                rdmaWrite ? VIP_TRUE : VIP_FALSE,
                rdmaRead ? VIP_TRUE : VIP_FALSE};
    }

    static ViAttributes From(const VIP_VI_ATTRIBUTES& raw) noexcept
    {
        return {static_cast<Reliability>(raw.ReliabilityLevel),
                raw.MaxTransferSize,
                raw.Ptag,
                raw.EnableRdmaWrite != VIP_FALSE,
                raw.EnableRdmaRead != VIP_FALSE,
                raw.QoS};
    }
};

/// The result of VipQueryVi.
struct ViStatus
{
    vipl::State state{vipl::State::Idle};
    ViAttributes attributes;
    bool sendQueueEmpty{true};
    bool recvQueueEmpty{true};
};

} // namespace vipl

#endif // VIPL_VI_ATTRIBUTES_HPP
