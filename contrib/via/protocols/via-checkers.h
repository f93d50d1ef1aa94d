/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Checks properties that must hold in every run of a protocol, despite any faults.

#ifndef VIA_CHECKERS_H
#define VIA_CHECKERS_H

#include "ns3/via-history.h"

#include <functional>
#include <string>

namespace ns3
{
namespace via
{

/// Checks a run. @return the violation, in one sentence; empty: none
using Checker = std::function<std::string(const History&)>;

/// No process leaves a round before all processes have entered it.
std::string CheckBarrier(const History& history);

/// All DECIDE events of a key have the same value, and no process decides a key twice.
std::string CheckAgreement(const History& history);

/// Every decided value was proposed for that key.
std::string CheckValidity(const History& history);

/// A transaction is decided 1 (commit) only if every process voted 1 for it.
std::string CheckAtomicity(const History& history);

/// Each process delivers positions 0, 1, 2, ...; no position has two values; no value is delivered
/// twice; every delivered value was proposed, under any key.
std::string CheckTotalOrder(const History& history);

/// No term has two leaders.
std::string CheckOneLeader(const History& history);

/// No lock has two holders at a time.
std::string CheckMutualExclusion(const History& history);

/// A view has the same members at every process that installs it, and view numbers increase.
std::string CheckViews(const History& history);

/// The decision for a key is the sum of the values that all processes proposed for it.
std::string CheckSum(const History& history);

} // namespace via
} // namespace ns3

#endif // VIA_CHECKERS_H
