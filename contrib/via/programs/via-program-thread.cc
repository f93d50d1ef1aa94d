/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Per-thread state of a hosted program: errno, exit path, C++ runtime state.

#include "via-program-thread.h"

#include "ns3/via-program.h"

#include <utility>

namespace ns3
{
namespace via
{

ProgramThread* ProgramThread::s_unwinding = nullptr;

FaultTarget*
ProgramThread::Faults() noexcept
{
    return &m_program;
}

void
ProgramThread::OnEnter() noexcept
{
    m_outer = std::exchange(m_program.m_running, this);
    m_program.m_calls.thread = m_own;
    m_program.m_libc.Enter(m_libc);
}

void
ProgramThread::OnLeave() noexcept
{
    m_program.m_libc.Leave(m_libc);
    m_program.m_running = m_outer;
    m_program.m_calls.thread = m_outer->m_own;
    if (m_outerTerminate != nullptr)
    {
        std::set_terminate(std::exchange(m_outerTerminate, nullptr));
    }
}

void
ProgramThread::OnCancel() noexcept
{
    // A noexcept function of the program on the unwinding path would abort the simulator: an
    // exception carries the terminate handler of the runtime that threw it, here the simulator's.
    if (m_outerTerminate == nullptr)
    {
        m_outerTerminate = std::set_terminate(&ProgramThread::JumpOutOfTerminate);
        s_unwinding = this;
    }
}

void
ProgramThread::JumpOutOfTerminate()
{
    s_unwinding->m_program.JumpOut();
}

} // namespace via
} // namespace ns3
