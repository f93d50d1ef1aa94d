/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// How an attempt to connect ends, and which attributes both ends must have in common.

#ifndef VIA_CONNECT_RESULT_H
#define VIA_CONNECT_RESULT_H

#include "ns3/via-virtual-interface.h"

namespace ns3
{
namespace via
{

/// How an attempt to connect ended.
enum class ConnectResult
{
    PENDING,
    ACCEPTED,
    REJECTED,
    NO_MATCH,
    NOT_REACHABLE,
    TIMED_OUT,
    CANCELLED, ///< by the program itself
    UNEQUAL_LEVEL,
    UNEQUAL_TRANSFER,
    UNEQUAL_QOS,
};

/// Do two ends fit? Reliability level, largest transfer and quality of service must be equal.
inline ConnectResult
Compare(const ViAttributes& ours, const ViAttributes& theirs)
{
    if (ours.reliability != theirs.reliability)
    {
        return ConnectResult::UNEQUAL_LEVEL;
    }
    if (ours.maxTransfer != theirs.maxTransfer)
    {
        return ConnectResult::UNEQUAL_TRANSFER;
    }
    return ours.qos == theirs.qos ? ConnectResult::ACCEPTED : ConnectResult::UNEQUAL_QOS;
}

} // namespace via
} // namespace ns3

#endif // VIA_CONNECT_RESULT_H
