/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Attributes executed code to the program, the C library on its behalf, or the simulator.

#ifndef VIA_CODE_WALK_H
#define VIA_CODE_WALK_H

#include "ns3/via-fault.h"
#include "ns3/via-fiber-stack.h"

#include <csignal>

namespace ns3
{
namespace via
{

/// Who is responsible for code that was executing.
enum class CodeOwner
{
    PROGRAM,   ///< code of its object, or C library code on its behalf
    SIMULATOR, ///< everything else
};

/// Records where libraries are loaded. Allocates; call it before a handler needs it.
void LearnModules();

/// @return the instruction address at the time of the signal
const void* CodeOf(const void* context);

/// @return signal, address and instruction address of a fault, from inside its handler
Fault FaultAt(int signal, const siginfo_t& info, const void* context);

/**
 * @brief Adds the callers to @p fault. From inside the handler; reads the stack,
 * which may be broken.
 * @param stack of the program
 */
void AddCallers(Fault& fault, const void* context, const FiberStack& stack);

/**
 * @brief Walks from the fault to its callers, through libraries that work for any caller.
 *
 * A jump to an unmapped address, and a walk that finds no owner, count as the program's: the
 * simulator does not call unknown code.
 */
CodeOwner OwnerOf(const Fault& fault, const FaultTarget& target);

/// @return whether the instructions at @p code form an infinite loop, regardless of data
bool LoopsForEver(const void* code, const FaultTarget& target);

} // namespace via
} // namespace ns3

#endif // VIA_CODE_WALK_H
