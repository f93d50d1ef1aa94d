/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A process that uses VIPL: a shared object made by `./via cc`, or a C++ function.

#ifndef VIA_VIPL_PROCESS_H
#define VIA_VIPL_PROCESS_H

#include "ns3/via-fiber-process.h"
#include "ns3/via-printed-texts.h"
#include "ns3/via-program.h"
#include "ns3/via-vipl.h"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace via
{

/// @return the VIPL functions in the order of vipl-functions.def, for Program
const void* const* ViplFunctions();

/// @return the number of VIPL functions
std::uint32_t ViplFunctionCount();

/**
 * @brief A simulated process linked with the provider library.
 */
class ViplProcess final : public FiberProcess, private ProgramServices, private RegisteredMemory
{
  public:
    /// A process that runs blocking C++ code; it may call the functions of <vipl.h>.
    ViplProcess(Nic& nic,
                std::uint32_t rank,
                const ViplSetting& setting,
                std::function<int()> body);

    /// A process that runs a program. @throws ConfigError see Program
    ViplProcess(Nic& nic,
                std::uint32_t rank,
                const ViplSetting& setting,
                const ProgramImage& image,
                ProgramOptions options);

    ~ViplProcess() override;

    /**
     * @brief Starts another thread, which may also call the functions of <vipl.h>. An exception
     * that leaves @p body ends the process. @return null: too many threads
     */
    FiberThread* StartThread(std::function<void()> body);

    /// The running thread of such a process. Aborts when called from outside of one.
    static FiberThread& Caller()
    {
        FiberThread* const caller = FiberThread::Current();
        return caller != nullptr ? *caller : AbortOutside();
    }

    /// Its process.
    static ViplProcess& Running()
    {
        return static_cast<ViplProcess&>(Caller().GetProcess());
    }

    /// Adds another NIC of the node; its number is the last one's plus 1. Before the process
    /// starts.
    void AddNic(Nic& nic);

    /// Its system calls on descriptors.
    SystemCalls& System()
    {
        return m_program != nullptr ? m_program->System() : m_system;
    }

    /// Gives the process sockets, or says why it has none. Before the process starts.
    /// @param host all but the process itself
    void SetNetwork(SystemCalls::Host host);

    /// The library of the node's first NIC.
    Vipl& Library()
    {
        return m_vipl;
    }

    /// The library of the NIC that @p handle, of any kind, belongs to.
    Vipl& LibraryOf(const void* handle)
    {
        const std::uint32_t card = m_further.empty() ? 0 : Vipl::CardOf(handle);
        return card == 0 || card > m_further.size() ? m_vipl : *m_further[card - 1];
    }

    /// The library of the NIC named @p name; null if there is none.
    Vipl* LibraryNamed(const VIP_CHAR* name);

    /// The clock and the other services of a program, for C++ bodies.
    ProgramServices& Services()
    {
        return *this;
    }

    /// How it ended; meaningful once HasEnded().
    const ExitStatus& Status() const
    {
        return m_program != nullptr ? m_program->Status() : m_status;
    }

    /// Sets the reason, for people, of a nonzero exit code. The body calls it.
    void SetReport(std::string report)
    {
        m_status.report = std::move(report);
    }

    /// Ends the process from any of its threads, as exit() does. For C++ bodies.
    /// @param report the reason, for people, if @p code is not 0
    [[noreturn]] void Exit(int code, std::string report);

    /// Ends the process: it passed a bad pointer to @p call. For calls from inside the process.
    [[noreturn]] void OnBadPointer(const char* call, const void* address);

    /// Ends the running program: no stack room for @p call. Does nothing for a C++ body.
    void OnStackUsedUp(const char* call);

    void OnAgenda(std::uint32_t kind, std::uint64_t data) override;

    /// The run, or the process, is over: writes all that it printed before the run was to stop, and
    /// ends unfinished lines that have a prefix.
    void CompleteOutput();

    /// VIs that were still connected at its end: their peers have lost the connection.
    std::uint32_t LeftConnected() const
    {
        return m_leftConnected;
    }

    /// When it ended.
    Ps EndTime() const
    {
        return m_end;
    }

    /// @param listener called once, when the process has ended; empty: none
    void SetEndListener(std::function<void()> listener)
    {
        m_endListener = std::move(listener);
    }

  private:
    void Main() override;
    FiberListener* Listener() override;
    FiberThread::Work HandlerWork() override;
    std::size_t StackBytes() const override;
    const char* OnLoop(const char* loop) override;
    void OnThreadEnd(FiberThread& thread) override;
    /// When it was killed; of one that outlived the run, when it last did something.
    Ps KilledAt() const;
    void OnEnd() override;
    bool Pins(const FiberStack& stack) override;
    bool Unwinds() const override;

    [[noreturn]] static FiberThread& AbortOutside();
    void Guarded(const std::function<void()>& body);

    // ProgramServices
    Ps Now() override;

    Ps StandingClock() override
    {
        return Clock().at;
    }

    Ps CpuTime() override;
    Ps SystemTime() override;
    Ps ThreadTime(std::uint32_t thread, bool isSystem) override;
    void SleepUntil(Ps when) override;
    void Yield() override;
    void PassTime(std::uint32_t blocks) override;
    const std::string& HostName() override;
    int ProcessId() override;
    std::uint32_t Cpus() override;
    std::uint32_t Cpu() override;
    void SpendCall(bool system) override;
    void SpendCopy(std::uint64_t bytes) override;
    std::uint32_t StartThread(std::function<void()> body,
                              FiberListener& listener,
                              std::size_t stackBytes) override;
    bool Block(const char* what, Ps deadline) override;
    bool Wake(std::uint32_t thread) override;
    bool Interrupt(std::uint32_t thread, Ps until) override;
    void WaitForEver(const char* what) override;
    void Identify(char* text, std::size_t bytes) const override;
    void Output(int stream, const char* text, std::size_t bytes) override;
    bool IsRegistered(const void* address, std::size_t bytes) override;

    // RegisteredMemory
    bool Holds(const void* address) override;
    void OnMissing(const void* address) override;
    void FailForMissing();

    /// Writes what the program has printed at instants up to @p until.
    void Print(Ps until);

    /// Agenda work items, beside those of FiberProcess.
    static constexpr std::uint32_t MEMORY_IS_MISSING = 1;
    static constexpr std::uint32_t TEXT_IS_DUE = 2;

    Vipl m_vipl;
    std::vector<std::unique_ptr<Vipl>> m_further; ///< for the node's other NICs
    const ViplSetting& m_setting;
    std::function<int()> m_body;
    SystemCalls m_system; ///< of m_body
    ExitStatus m_status;  ///< of m_body
    std::unique_ptr<Program> m_program;
    std::optional<LocaleGuard> m_locale; ///< until the program has ended
    std::optional<FaultGuard> m_guard;   ///< from the program's start to the last use of its memory
    const void* m_missing{nullptr};      ///< registered memory that the program took away
    Ps m_end{0};
    bool m_isDropped{false}; ///< the cluster is gone: what still runs is killed
    std::uint32_t m_leftConnected{0};
    std::deque<std::string> m_loops; ///< loops that its threads are caught in
    std::function<void()> m_endListener;

    using TextPlace = std::pair<Ps, AgendaPort>;
    std::multimap<TextPlace, PrintedText> m_texts; ///< printed ahead of the agenda
    bool m_outputIsComplete{false};                ///< what is printed now, it prints at its end
};

} // namespace via
} // namespace ns3

#endif // VIA_VIPL_PROCESS_H
