/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Per-thread state of a hosted program: errno, exit path, C++ runtime state.

#ifndef VIA_PROGRAM_THREAD_H
#define VIA_PROGRAM_THREAD_H

#include "ns3/via-fiber.h"
#include "ns3/via-host-calls.h"
#include "ns3/via-libc-state.h"

#include <csetjmp>
#include <exception>

namespace ns3
{
namespace via
{

class Program;

/// The listener of a fiber that runs a program's code.
class ProgramThread final : public FiberListener
{
  public:
    /**
     * @param program the thread's program; must outlive this
     * @param own the shim's state of this thread
     */
    ProgramThread(Program& program, ViaThread* own)
        : m_program(program),
          m_own(own)
    {
    }

    /// Takes over the object of a thread that has ended.
    void Reuse(ViaThread* own)
    {
        m_own = own;
        m_libc = {};
    }

    /// The shim's state of this thread; null once it has ended.
    ViaThread* Own() const
    {
        return m_own;
    }

    FaultTarget* Faults() noexcept override;
    void OnEnter() noexcept override;
    void OnLeave() noexcept override;
    void OnCancel() noexcept override;

  private:
    friend class Program;

    /// Where an ending thread jumps to: the innermost call from the simulator into the program.
    struct Entry
    {
        std::jmp_buf back;
        Entry* outer;
        Fiber* fiber;
    };

    [[noreturn]] static void JumpOutOfTerminate();

    Program& m_program;
    ViaThread* m_own;
    LibcState::ThreadState m_libc;
    Entry* m_entry{nullptr};
    ProgramThread* m_outer{nullptr}; ///< the program's running thread before OnEnter
    std::terminate_handler m_outerTerminate{nullptr};

    static ProgramThread* s_unwinding;
};

} // namespace via
} // namespace ns3

#endif // VIA_PROGRAM_THREAD_H
