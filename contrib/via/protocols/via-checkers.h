/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What must hold in every run of a protocol, whatever goes wrong.

#ifndef VIA_CHECKERS_H
#define VIA_CHECKERS_H

#include "ns3/via-history.h"

#include <functional>
#include <string>

namespace ns3
{
namespace via
{

/// Looks at a run. @return what is wrong with it, in one sentence; empty: nothing
using Checker = std::function<std::string(const History&)>;

/// Nobody leaves a round before everybody has entered it.
std::string CheckBarrier(const History& history);

/// All DECIDE of one key have one value, and no process decides a key twice.
std::string CheckAgreement(const History& history);

/// What is decided was proposed for that key.
std::string CheckValidity(const History& history);

/// A transaction is decided 1 (commit) only if every process has voted 1 for it.
std::string CheckAtomicity(const History& history);

/// Each process delivers positions 0, 1, 2, ...; no position has two values; no value is
/// delivered twice; what is delivered was proposed, by whatever key.
std::string CheckTotalOrder(const History& history);

/// No term has two leaders.
std::string CheckOneLeader(const History& history);

/// No lock has two holders at one time.
std::string CheckMutualExclusion(const History& history);

/// A view has the same members wherever it is installed, and numbers rise.
std::string CheckViews(const History& history);

/// What is decided for a key is the sum of what all processes proposed for it.
std::string CheckSum(const History& history);

} // namespace via
} // namespace ns3

#endif // VIA_CHECKERS_H
