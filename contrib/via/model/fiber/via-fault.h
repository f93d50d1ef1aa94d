/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Processor faults while simulated programs run: their attribution and handling.

#ifndef VIA_FAULT_H
#define VIA_FAULT_H

#include <array>
#include <cstddef>
#include <cstdint>

namespace ns3
{
namespace via
{

/// A fault reported by the processor or the C library.
struct Fault
{
    static constexpr std::size_t MOST_FRAMES = 32;

    int signal{0};                ///< 0: none, as in an empty loop; in any other loop SIGVTALRM
    const void* address{nullptr}; ///< that could not be accessed
    bool hasAddress{false};
    bool stackIsUsedUp{false};                     ///< the address lies just below the stack
    bool loopsForEver{false};                      ///< in a loop in which no simulated time passes
    const char* call{nullptr};                     ///< simulator call in which it happened
    std::size_t count{0};                          ///< number of frames
    std::array<const void*, MOST_FRAMES> frames{}; ///< faulting instruction, then its callers
};

/**
 * @brief A program on a fiber, as seen by the fault handler.
 *
 * All functions except OnFault() run inside a signal handler: they only read plain values.
 */
class FaultTarget
{
  public:
    /// @return whether @p code is in the program's own object
    virtual bool OwnsCode(const void* code) const = 0;

    /// @return whether the program can be ended at this point
    virtual bool CanEnd() const = 0;

    /// @return whether the simulator is working on the program's heap, which only
    /// the program can corrupt
    virtual bool IsInHeap() const = 0;

    /// Writes the running process and the time into @p text. Allocates nothing.
    virtual void Identify(char* text, std::size_t bytes) const = 0;

    /// Ends the program. Called on the handler's stack, which it leaves for good.
    [[noreturn]] virtual void OnFault(const Fault& fault) = 0;

  protected:
    ~FaultTarget() = default;
};

/**
 * @brief Memory that a process has registered with a NIC, as seen by the fault handler.
 *
 * A NIC may access it at any time. If the process has unmapped it, the access is a processor fault
 * inside the simulator.
 */
class RegisteredMemory
{
  public:
    /// @return whether the byte at @p address is registered
    virtual bool Holds(const void* address) = 0;

    /**
     * @brief The NIC has accessed @p address, which was not accessible.
     * It now has a page, of zeros if there was none. The process must be ended, but not from here:
     * other code is in the middle of an operation.
     */
    virtual void OnMissing(const void* address) = 0;

  protected:
    ~RegisteredMemory() = default;
};

/**
 * @brief While it exists, faults of simulated programs end only these programs.
 *
 * A fault is the program's own in these cases: it happened in code of the program's object, in
 * the C library or the program's heap functions called from there, or at an address without code;
 * the program's stack has overflowed; the simulator followed a pointer of the program
 * (ProgramMemory); or a NIC accessed registered memory that is no longer mapped (RegisteredMemory).
 * Any other fault is reported with process, simulated time and seed, and passed to the previous
 * handler: it ends the run.
 *
 * The signals belong to the whole OS process, so the handlers are installed only
 * while a program runs.
 */
class FaultGuard
{
  public:
    /// @param memory of a running process; must outlive the guard. Null: none
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
