/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Faults of the processor while simulated programs run: whose they are, and what becomes of them.

#ifndef VIA_FAULT_H
#define VIA_FAULT_H

#include <array>
#include <cstddef>
#include <cstdint>

namespace ns3
{
namespace via
{

/// What the processor, or the C library, could not go on with.
struct Fault
{
    static constexpr std::size_t MOST_FRAMES = 32;

    int signal{0};                ///< 0: none, as in an empty loop; in any other one SIGVTALRM
    const void* address{nullptr}; ///< that could not be reached
    bool hasAddress{false};
    bool stackIsUsedUp{false};                     ///< the address lies just below the stack
    bool loopsForEver{false};                      ///< in a loop in which no time passes
    std::size_t count{0};                          ///< of frames
    std::array<const void*, MOST_FRAMES> frames{}; ///< where it was, and who called that
};

/**
 * @brief A program that runs on a fiber, as the handler of faults sees it.
 *
 * All but OnFault() run inside a signal handler: they look at plain values only.
 */
class FaultTarget
{
  public:
    /// @return whether the address is code of the program's own object
    virtual bool OwnsCode(const void* code) const = 0;

    /// @return whether the program can be ended from where it is
    virtual bool CanEnd() const = 0;

    /// @return whether the simulator works on the program's heap, which only the program can break
    virtual bool IsInHeap() const = 0;

    /// Writes who runs, and when, into @p text. Allocates nothing.
    virtual void Identify(char* text, std::size_t bytes) const = 0;

    /// Ends the program. Called on a stack of the handler's; leaves it for good.
    [[noreturn]] virtual void OnFault(const Fault& fault) = 0;

  protected:
    ~FaultTarget() = default;
};

/**
 * @brief While one lives, faults of simulated programs end these programs only.
 *
 * A fault is the program's own when it happened in code of its object, or in the C library or the
 * program's heap called from there, or because its stack is used up. Any other one is told with
 * process, simulated time and seed, and left to whoever handled it before: it ends the run.
 *
 * The signals belong to the whole OS process, so the handlers are there only while a program runs.
 */
class FaultGuard
{
  public:
    FaultGuard();
    ~FaultGuard();
    FaultGuard(const FaultGuard&) = delete;
    FaultGuard& operator=(const FaultGuard&) = delete;
};

} // namespace via
} // namespace ns3

#endif // VIA_FAULT_H
