/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What one thread of a hosted program has to itself: errno, its way out, its C++ runtime's state.

#ifndef VIA_PROGRAM_THREAD_H
#define VIA_PROGRAM_THREAD_H

#include "ns3/via-fiber.h"
#include "ns3/via-seam.h"

#include <csetjmp>
#include <exception>

namespace ns3
{
namespace via
{

class Program;

/// The listener of a fiber on which a program's code runs.
class ProgramThread final : public FiberListener
{
  public:
    /**
     * @param program whose code runs; must outlive this
     * @param own what the shim keeps of this thread
     */
    ProgramThread(Program& program, ViaThread* own)
        : m_program(program),
          m_own(own)
    {
    }

    /// Another thread of the program takes the place of one that has ended.
    void Reuse(ViaThread* own)
    {
        m_own = own;
        m_errno = 0;
    }

    /// What the shim keeps of this thread; null when it has ended.
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
    struct Crossing
    {
        std::jmp_buf back;
        Crossing* outer;
        Fiber* fiber;
    };

    [[noreturn]] static void JumpOutOfTerminate();

    Program& m_program;
    ViaThread* m_own;
    int m_errno{0};
    Crossing* m_crossing{nullptr};
    ProgramThread* m_outer{nullptr}; ///< the program's running thread before OnEnter
    std::terminate_handler m_outerTerminate{nullptr};

    static ProgramThread* s_unwinding;
};

} // namespace via
} // namespace ns3

#endif // VIA_PROGRAM_THREAD_H
