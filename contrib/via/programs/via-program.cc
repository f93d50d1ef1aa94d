/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A simulated process made from a shared object: its memory, C library, life and end.

#include "via-program.h"

#include "ns3/abort.h"
#include "ns3/via-host-call-table.h"
#include "ns3/via-run-ticks.h"
#include "ns3/via-sanitizer.h"

#include <algorithm>
#include <alloca.h>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cxxabi.h>
#include <exception>
#include <memory>
#include <sys/mman.h>
#include <typeinfo>
#include <unistd.h>

namespace ns3
{
namespace via
{

namespace
{

/// Offset of the exit code that a shell reports for a signal.
constexpr int SIGNAL_EXIT_BASE = 128;

/// Unused stack between our frames and the program's.
constexpr std::size_t GAP_BYTES = 64 * 1024;

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
      m_heap(m_options.number),
      m_libc(m_options.libc, services, m_system),
      m_calls(HostCallTable::Make(*this, vipl)),
      m_loaded(std::make_unique<LoadedImage>(image, &m_calls)),
      m_main(*this, m_loaded->Info().mainThread),
      m_handler(*this, m_loaded->Info().handlerThread),
      m_running(&m_main)
{
    m_system.SetTimer(m_loaded->Info().timer);
    if (image.UsesGammaSign())
    {
        LibcState::UseGammaSigns();
    }
}

Program::~Program()
{
    for (const auto& [address, bytes] : m_withheld)
    {
        munmap(address, bytes);
    }
}

const ExitStatus&
Program::Run()
{
    NS_ABORT_MSG_IF(m_ended || m_main.m_entry, "a program was run twice: " << m_image.Path());
    m_guard.emplace();
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
    m_guard.reset();
    return m_status;
}

void
Program::Begin()
{
    // Members, not locals: a jump leaves this frame.
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
    // On a real machine the environment and more lie above main's frame; here it is data that we
    // need to end the program. The gap keeps a buffer overflow from reaching it.
    auto* gap = static_cast<volatile char*>(alloca(GAP_BYTES));
    *gap = 0;
    m_loaded->Info().start(&start);
}

std::uint32_t
Program::StartThread(ViaThread* own, std::size_t stackBytes)
{
    auto free = std::find_if(m_threads.begin(), m_threads.end(), [](const auto& thread) {
        return thread->Own() == nullptr;
    });
    if (free == m_threads.end())
    {
        m_threads.push_back(std::make_unique<ProgramThread>(*this, nullptr));
        free = m_threads.end() - 1;
    }
    ProgramThread& thread = **free;
    const std::uint32_t number = m_services.StartThread([this, &thread] { RunThread(thread); },
                                                        thread,
                                                        stackBytes == 0 ? STACK_BYTES : stackBytes);
    thread.Reuse(number == 0 ? nullptr : own);
    return number;
}

void
Program::RunThread(ProgramThread& thread)
{
    Enter([this, &thread] { m_loaded->Info().runThread(thread.Own()); });
    thread.Reuse(nullptr);
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
        signal = SIGKILL; // whatever failed during unwinding
        report = "killed";
    }
    m_ended = true;
    m_status.signal = signal;
    m_status.code = signal ? SIGNAL_EXIT_BASE + signal : code;
    m_status.report = std::move(report);
}

void
Program::EndOfException()
{
    std::string report = "uncaught exception";
    try
    {
        throw;
    }
    catch (const std::exception& error)
    {
        report += " of type " + NameOfType(&typeid(error)) + ": " + error.what();
    }
    catch (...)
    {
        report += " of type " + NameOfType(abi::__cxa_current_exception_type());
    }
    std::fprintf(stderr, "%s\n", report.c_str());
    End(0, SIGABRT, report);
}

bool
Program::CanEnd() const
{
    const ProgramThread::Entry* entry = m_running->m_entry;
    return entry != nullptr && entry->fiber == Fiber::Current();
}

void
Program::OnFault(const Fault& fault)
{
    m_fault = fault;
    m_heapWork = false;
    if (!fault.loopsForEver)
    {
        End(0, fault.signal, {}); // the report is written on a sound stack
    }
    JumpOut();
}

void
Program::OnBadPointer(const char* call, const void* address)
{
    Fault fault = FaultHere(SIGSEGV, *m_loaded);
    fault.call = call;
    fault.address = address;
    fault.hasAddress = true;
    OnFault(fault);
}

void
Program::OnStackUsedUp(const char* call)
{
    Fault fault = FaultHere(SIGSEGV, *m_loaded);
    fault.call = call;
    fault.stackIsUsedUp = true;
    OnFault(fault);
}

void
Program::Fail(int signal, const std::string& what)
{
    if (m_status.signal == 0) // even if it has called exit() since
    {
        m_ended = false;
        End(0, signal, SignalName(signal) + what);
        TellOfEnd();
    }
}

bool
Program::Withhold(void* address, std::size_t bytes)
{
    // Registered memory is pinned: its pages stay until no NIC may use them. So the addresses are
    // not reused, and a NIC's late writes cannot hit other memory.
    if (!m_services.IsRegistered(address, bytes) || mprotect(address, bytes, PROT_NONE) != 0)
    {
        return false;
    }
    m_withheld.emplace_back(address, bytes);
    return true;
}

void
Program::AfterCall()
{
    if (!IsEnding() && m_fault.loopsForEver)
    {
        m_loop =
            (m_fault.signal == 0 ? "an endless loop that does nothing" : RunTicks::STANDSTILL) +
            PlaceOf(m_fault, m_image, *m_loaded);
        m_fault = {}; // other threads continue
        m_services.WaitForEver(m_loop.c_str());
    }
    if (m_fault.signal != 0)
    {
        TellOfFault();
    }
    if (IsEnding())
    {
        throw FiberCancelled();
    }
}

void
Program::TellOfFault()
{
    if (m_status.signal == m_fault.signal && m_status.report.empty())
    {
        m_status.report = Explain(m_fault, m_image, *m_loaded);
        TellOfEnd();
    }
    m_fault = {};
}

void
Program::TellOfEnd()
{
    Tell(m_image.Name() + ": " + m_status.report);
}

void
Program::JumpOut()
{
    NS_ABORT_MSG_IF(!CanEnd(),
                    "a program ended on another fiber than it was called on: " << m_image.Path());
#ifdef VIA_ASAN
    // ASan tracks the dropped frames only on thread stacks
    const FiberStack& stack = Fiber::Current()->Stack();
    ASAN_UNPOISON_MEMORY_REGION(stack.bottom, stack.bytes);
#endif
    _longjmp(m_running->m_entry->back, 1);
}

} // namespace via
} // namespace ns3
