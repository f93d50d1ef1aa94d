/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A simulated process made from a shared object: its memory, C library, life and end.

#ifndef VIA_PROGRAM_H
#define VIA_PROGRAM_H

#include "ns3/via-fault-report.h"
#include "ns3/via-fiber.h"
#include "ns3/via-libc-state.h"
#include "ns3/via-process-memory.h"
#include "ns3/via-program-image.h"
#include "ns3/via-program-services.h"
#include "ns3/via-program-thread.h"
#include "ns3/via-system-calls.h"
#include "ns3/via-usual-floats.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace via
{

/// How a process ended.
struct ExitStatus
{
    int code{0};        ///< the argument of exit(); 128 + signal if a signal ended it
    int signal{0};      ///< 0, or the signal: 6 abort and uncaught exception, 9 killed
    std::string report; ///< why, for people; empty after exit(). Already on its standard error.

    /// @return true after exit(0) or a return of 0 from main
    bool Ok() const
    {
        return code == 0 && signal == 0;
    }
};

/// Arguments, environment and C library options of a program.
struct ProgramOptions
{
    std::vector<std::string> arguments;   ///< argv[1] and following; argv[0] is the image's path
    std::vector<std::string> environment; ///< NAME=VALUE; nothing is inherited
    LibcOptions libc;                     ///< directory, input, output prefix
    std::size_t number{0};                ///< of the process: where its heap lies
};

/**
 * @brief One process: a private copy of a program on the fiber that calls Run().
 *
 *     Program program(image, options, services, vipl);
 *     Fiber fiber([&] { program.Run(); }, &program.MainThread());
 *
 * exit(), _exit(), abort(), a failed assert(), an uncaught C++ exception and a fault of the program
 * (FaultGuard) end this process only. exit() runs atexit handlers and static destructors on top of
 * the stack, as the C and C++ standards say, and then drops the stack: objects with automatic
 * storage are not destroyed. Killing the fiber (Fiber::Kill) unwinds the stack instead: destructors
 * run, until one blocks or unwinding meets a noexcept function; the rest is dropped. Either way
 * this object's destructor releases heap, streams and files of the process.
 */
class Program final : public FaultTarget
{
  public:
    /// Stack size that programs expect on their main thread: the default of `ulimit -s` on Linux.
    static constexpr std::size_t STACK_BYTES = 8U << 20;

    /**
     * @param image the program; must outlive this
     * @param options its start options
     * @param services the simulation as this process sees it; must outlive this
     * @param vipl VIPL functions in the order of vipl-functions.def; must outlive this
     * @throws ConfigError naming option, value and reason
     */
    Program(const ProgramImage& image,
            ProgramOptions options,
            ProgramServices& services,
            const void* const* vipl);
    ~Program();

    /**
     * @brief Runs the program from constructors to exit, once, on the calling fiber.
     * @return how it ended
     * @throws FiberCancelled if the fiber is killed; Status() then reports it
     */
    const ExitStatus& Run();

    /**
     * @brief Runs a function of the program, such as an error handler that it registered.
     *
     * Runs on the fiber of one of its threads: inside a VIPL call, or on its own.
     *
     * @param call calls into the program
     * @throws FiberCancelled if the program called exit() or threw in there: let it pass
     */
    template <class Call>
    void Enter(Call&& call);

    /// Writes a line to the process' standard error, as the provider.
    void Tell(const std::string& line)
    {
        const std::string text = line + "\n";
        m_libc.Output(2, text.data(), text.size());
    }

    /// Ends unfinished lines of its output, if they have a prefix.
    void EndLines()
    {
        m_libc.EndLines();
    }

    /// @return how the program ended; meaningful when HasEnded()
    const ExitStatus& Status() const
    {
        return m_status;
    }

    /// @return true once the program has called exit or died
    bool HasEnded() const
    {
        return m_ended;
    }

    /// The system calls of the process.
    SystemCalls& System()
    {
        return m_system;
    }

    /// Where the next wait of VIPL's ends at the latest, see ViaProgramInfo.
    std::int64_t* WaitEnd()
    {
        return m_loaded->Info().waitEnd;
    }

    /// @return its start options
    const ProgramOptions& Options() const
    {
        return m_options;
    }

    /// The listener of the fiber that calls Run().
    ProgramThread& MainThread()
    {
        return m_main;
    }

    /// The listener of a fiber that calls the program's handlers.
    ProgramThread& HandlerThread()
    {
        return m_handler;
    }

    /// @return the program's current place, e.g. ", in main (prog.c:12)". For calls from inside it.
    std::string Place() const
    {
        return CallerOf(m_image, *m_loaded);
    }

    bool OwnsCode(const void* code) const override
    {
        return m_loaded->Holds(code);
    }

    bool CanEnd() const override;

    bool IsInHeap() const override
    {
        return m_heapWork;
    }

    void Identify(char* text, std::size_t bytes) const override
    {
        m_services.Identify(text, bytes);
    }

    [[noreturn]] void OnFault(const Fault& fault) override;

    /// Ends the program: it passed a bad pointer to @p call. For calls from inside the program.
    [[noreturn]] void OnBadPointer(const char* call, const void* address);

    /// Ends the program: its stack has no room for @p call. For calls from inside the program.
    [[noreturn]] void OnStackUsedUp(const char* call);

    /**
     * @brief Records that a signal ended the program, before its fiber is killed. For outside
     * callers.
     * @param what happened, for people
     */
    void Fail(int signal, const std::string& what);

  private:
    friend struct HostCallTable;
    friend class ProgramThread;

    void Begin();
    std::uint32_t StartThread(ViaThread* own, std::size_t stackBytes);
    void RunThread(ProgramThread& thread);
    bool IsEnding() const;
    void End(int code, int signal, std::string report);
    void EndOfException();
    [[noreturn]] void JumpOut();
    void AfterCall();
    void TellOfFault();
    void TellOfEnd();
    bool Withhold(void* address, std::size_t bytes);

    /// However a call into the program ends, its floating-point settings end with it.
    struct AfterProgram
    {
        ~AfterProgram()
        {
            UsualFloats::Reset();
        }
    };

    const ProgramImage& m_image;
    ProgramOptions m_options;
    ProgramServices& m_services;
    ProcessHeap m_heap;
    SystemCalls m_system;
    LibcState m_libc;
    ViaHostCalls m_calls;
    std::unique_ptr<LoadedImage> m_loaded;
    std::vector<char*> m_argv;
    std::vector<char*> m_environment;
    ProgramThread m_main;
    ProgramThread m_handler;
    std::vector<std::unique_ptr<ProgramThread>> m_threads; ///< all others, ended ones too
    ProgramThread* m_running; ///< the thread whose code runs; the main thread if none does
    ExitStatus m_status;
    bool m_ended{false};
    Ps m_lastClock{0}; ///< the last clock value that the program saw
    std::uint32_t m_blocksAfterEnd{0};
    std::optional<FaultGuard> m_guard; ///< while it runs
    bool m_heapWork{false};            ///< inside malloc, free or similar
    Fault m_fault;                     ///< the fault that ended it, or keeps it forever
    std::string m_loop;                ///< the loop that it never leaves
    std::vector<std::pair<void*, std::size_t>> m_withheld; ///< unmapped, but in use by a NIC
};

template <class Call>
void
Program::Enter(Call&& call)
{
    const AfterProgram after;
    ProgramThread& thread = *m_running;
    ProgramThread::Entry entry;
    entry.outer = thread.m_entry;
    entry.fiber = Fiber::Current();
    thread.m_entry = &entry;
    try
    {
        if (_setjmp(entry.back) == 0)
        {
            call();
        }
    }
    catch (const FiberCancelled&)
    {
        thread.m_entry = entry.outer;
        throw;
    }
    catch (...) // an exception that the program did not catch
    {
        thread.m_entry = entry.outer;
        EndOfException();
        throw FiberCancelled();
    }
    thread.m_entry = entry.outer;
    AfterCall();
}

} // namespace via
} // namespace ns3

#endif // VIA_PROGRAM_H
