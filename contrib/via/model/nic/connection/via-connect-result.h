/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Results of an attempt to connect, and the attributes in which both ends must agree.

#ifndef VIA_CONNECT_RESULT_H
#define VIA_CONNECT_RESULT_H

#include "ns3/via-virtual-interface.h"

namespace ns3
{
namespace via
{

/// The result of an attempt to connect.
enum class ConnectResult
{
    PENDING,
    ACCEPTED,
    REJECTED,
    NO_MATCH,
    NOT_REACHABLE,
    TIMED_OUT,
    CANCELLED, ///< by the program
    UNEQUAL_LEVEL,
    UNEQUAL_TRANSFER,
};

/// Compares two ends: reliability level and largest transfer must be equal.
inline ConnectResult
Compare(const ViAttributes& ours, const ViAttributes& theirs)
{
    if (ours.reliability != theirs.reliability)
    {
        return ConnectResult::UNEQUAL_LEVEL;
    }
    return ours.maxTransfer == theirs.maxTransfer ? ConnectResult::ACCEPTED
                                                  : ConnectResult::UNEQUAL_TRANSFER;
}

} // namespace via
} // namespace ns3

#endif // VIA_CONNECT_RESULT_H
