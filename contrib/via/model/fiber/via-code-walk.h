/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Whose code the processor was in: the program's, the C library's on its behalf, or ours.

#ifndef VIA_CODE_WALK_H
#define VIA_CODE_WALK_H

#include "ns3/via-fault.h"
#include "ns3/via-fiber-stack.h"

#include <csignal>

namespace ns3
{
namespace via
{

/// Who is responsible for what the processor did.
enum class CodeOwner
{
    PROGRAM,   ///< code of its object, or what the C library did for it
    SIMULATOR, ///< everything else
};

/// Remembers where the C library lies. Allocates; to be called before a handler needs it.
void LearnModules();

/// @return where the processor was when the signal came
const void* CodeOf(const void* context);

/// @return signal and address of a fault, from inside its handler, and where the processor was
Fault FaultAt(int signal, const siginfo_t& info, const void* context);

/**
 * @brief Adds who called that. From inside the handler; reads the stack, which may be broken.
 * @param stack on which the program runs
 */
void AddCallers(Fault& fault, const void* context, const FiberStack& stack);

/**
 * @brief Walks from the fault to its callers, through libraries that work for whoever calls.
 *
 * A jump to nowhere, and a walk that ends in nothing, are the program's: the simulator does not
 * call what it does not know.
 */
CodeOwner OwnerOf(const Fault& fault, const FaultTarget& target);

/// @return whether the instructions at @p code lead back to themselves, whatever the data are
bool LoopsForEver(const void* code, const FaultTarget& target);

} // namespace via
} // namespace ns3

#endif // VIA_CODE_WALK_H
