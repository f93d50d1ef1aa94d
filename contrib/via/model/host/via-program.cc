/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A simulated process made from a shared object: its memory, its C library, its life and end.

#include "via-program.h"

#include "ns3/abort.h"
#include "ns3/via-program-seam.h"

#include <csignal>

namespace ns3
{
namespace via
{

namespace
{

/// How a shell reports an end by signal.
constexpr int SIGNAL_EXIT_BASE = 128;

/// @return a C array of the strings, ended by null
std::vector<char*>
Pointers(std::vector<std::string>& strings)
{
    std::vector<char*> pointers;
    for (auto& text : strings)
    {
        pointers.push_back(text.data());
    }
    pointers.push_back(nullptr);
    return pointers;
}

} // namespace

Program::Program(const ProgramImage& image,
                 ProgramOptions options,
                 ProgramServices& services,
                 const void* const* vipl)
    : m_image(image),
      m_options(std::move(options)),
      m_services(services),
      m_libc(m_options.libc, services),
      m_seam(ProgramSeam::Make(*this, vipl)),
      m_loaded(std::make_unique<LoadedImage>(image, &m_seam)),
      m_main(*this, m_loaded->Info().mainThread),
      m_handler(*this, m_loaded->Info().handlerThread),
      m_running(&m_main)
{
}

Program::~Program() = default;

const ExitStatus&
Program::Run()
{
    NS_ABORT_MSG_IF(m_ended || m_main.m_crossing, "a program was run twice: " << m_image.Path());
    try
    {
        Enter([this] { Begin(); });
    }
    catch (const FiberCancelled&)
    {
        const auto* fiber = Fiber::Current();
        End(0, SIGKILL, "killed");
        if (fiber && fiber->IsCancelled())
        {
            throw;
        }
    }
    return m_status;
}

void
Program::Begin()
{
    // Members, not locals: this frame is left by a jump.
    auto& arguments = m_options.arguments;
    arguments.insert(arguments.begin(), m_image.Path());
    m_argv = Pointers(arguments);
    m_environment = Pointers(m_options.environment);
    ViaStart start{};
    start.argc = static_cast<int>(arguments.size());
    start.argv = m_argv.data();
    start.environment = m_environment.data();
    start.init = m_loaded->Array<void (*)(int, char**, char**)>(m_image.Init());
    start.initCount = m_image.Init().count;
    start.fini = m_loaded->Array<void (*)()>(m_image.Fini());
    start.finiCount = m_image.Fini().count;
    m_loaded->Info().start(&start);
}

bool
Program::IsEnding() const
{
    const auto* fiber = Fiber::Current();
    return m_ended || (fiber && fiber->IsCancelled());
}

void
Program::End(int code, int signal, std::string report)
{
    if (m_ended)
    {
        return; // the first reason counts
    }
    const auto* fiber = Fiber::Current();
    if (fiber && fiber->IsCancelled())
    {
        signal = SIGKILL; // whatever the unwinding stumbled over
        report = "killed";
    }
    m_ended = true;
    m_status.signal = signal;
    m_status.code = signal ? SIGNAL_EXIT_BASE + signal : code;
    m_status.report = std::move(report);
}

void
Program::JumpOut()
{
    ProgramThread::Crossing* crossing = m_running->m_crossing;
    NS_ABORT_MSG_IF(!crossing || crossing->fiber != Fiber::Current(),
                    "a program ended on a fiber it was not called on: " << m_image.Path());
    _longjmp(crossing->back, 1);
}

} // namespace via
} // namespace ns3
