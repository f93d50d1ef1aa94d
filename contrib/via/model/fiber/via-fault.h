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
    const char* call{nullptr};                     ///< of the simulator's, in which it was
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
 * @brief Memory that a process has registered with a NIC, as the handler of faults sees it.
 *
 * A NIC reads and writes it at any time; if the process has taken it away, that is a fault of the
 * processor in the midst of the simulator's work.
 */
class RegisteredMemory
{
  public:
    /// @return whether the byte at @p address is registered
    virtual bool Holds(const void* address) = 0;

    /**
     * @brief The NIC has reached for @p address, and nothing was there.
     * It has got a page now, of zeros if there was none. The process is to be ended, but not from
     * here: whoever runs is in the midst of something.
     */
    virtual void OnMissing(const void* address) = 0;

  protected:
    ~RegisteredMemory() = default;
};

/**
 * @brief While one lives, faults of simulated programs end these programs only.
 *
 * A fault is the program's own when it happened in code of its object, or in the C library or the
 * program's heap called from there, or where no code is, or because its stack is used up; when the
 * simulator followed a pointer of the program's (ProgramMemory); and when a NIC reached for memory
 * that was registered and is not there any more (RegisteredMemory). Any other one is told with
 * process, simulated time and seed, and left to whoever handled it before: it ends the run.
 *
 * The signals belong to the whole OS process, so the handlers are there only while a program runs.
 */
class FaultGuard
{
  public:
    /// @param memory of a process that runs; outlives this. Null: none
    explicit FaultGuard(RegisteredMemory* memory = nullptr);
    ~FaultGuard();
    FaultGuard(const FaultGuard&) = delete;
    FaultGuard& operator=(const FaultGuard&) = delete;

  private:
    RegisteredMemory* m_memory;
};

} // namespace via
} // namespace ns3

#endif // VIA_FAULT_H
