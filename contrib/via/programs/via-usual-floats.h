/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Settings of the floating-point unit: the simulator's, while it works for a program.

#ifndef VIA_USUAL_FLOATS_H
#define VIA_USUAL_FLOATS_H

#include <cfenv>
#include <cstdint>

namespace ns3
{
namespace via
{

/**
 * @brief While this lives, floating point rounds to nearest and traps nothing.
 *
 * A program may have set its thread otherwise (feenableexcept, fesetround, -ffast-math); what the
 * simulator computes on the program's fiber must neither trap nor round otherwise. Programs seldom
 * do: calls that they make often ask Are() first, which takes a few instructions.
 */
class UsualFloats
{
  public:
    UsualFloats()
        : m_changed(!Are())
    {
        if (m_changed)
        {
            Change();
        }
    }

    /// The program goes on with its own settings.
    ~UsualFloats()
    {
        if (m_changed)
        {
            Restore();
        }
    }

    UsualFloats(const UsualFloats&) = delete;
    UsualFloats& operator=(const UsualFloats&) = delete;

    /// The program that ran has returned, or will not go on.
    static void Reset()
    {
        if (!Are())
        {
            std::fesetenv(FE_DFL_ENV);
        }
    }

    /// @return whether the settings are the usual ones
    [[gnu::always_inline]] static bool Are()
    {
#ifdef __x86_64__
        constexpr std::uint32_t flags = 0x3f; // of exceptions that have happened
        std::uint16_t control;                // of the x87 unit
        asm volatile("fnstcw %0" : "=m"(control));
        return __builtin_expect((__builtin_ia32_stmxcsr() & ~flags) == 0x1f80, 1) &&
               __builtin_expect(control == 0x37f, 1);
#else
        return false;
#endif
    }

  private:
    [[gnu::noinline, gnu::cold]] void Change()
    {
        std::fegetenv(&m_program);
        std::fesetenv(FE_DFL_ENV);
    }

    [[gnu::noinline, gnu::cold]] void Restore()
    {
        std::fesetenv(&m_program);
    }

    bool m_changed;
    std::fenv_t m_program; ///< its settings, if they were changed
};

} // namespace via
} // namespace ns3

#endif // VIA_USUAL_FLOATS_H
