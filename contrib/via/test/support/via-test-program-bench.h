/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Hosted programs for tests: built by `via cc`, run on a machine that can only wait.

#ifndef VIA_TEST_PROGRAM_BENCH_H
#define VIA_TEST_PROGRAM_BENCH_H

#include "ns3/via-program.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace via
{
namespace test
{

/// @return the path of a test program's source
std::string ProgramSource(const std::string& name);

/**
 * @brief Runs `via cc` as a user would.
 * @param arguments shell-quoted
 * @return exit status and all output
 */
std::pair<int, std::string> RunViaCc(const std::string& arguments);

/// @return the path of test program `name` (a source file), built if it is not up to date
std::string BuiltProgram(const std::string& name, const std::string& flags = "");

/// The number of VIPL functions that programs are built with.
std::uint32_t ViplCount();

/// Fibers in the order of the instants that they wait for.
class Waiters
{
  public:
    Ps Now() const
    {
        return m_now;
    }

    /// Suspends the calling fiber until the instant.
    void WaitUntil(Ps when);

    /// Makes a fiber runnable now.
    void Start(Fiber& fiber);

    /// Resumes fibers that are due, until none waits or @p until is reached.
    void Run(Ps until = PS_NEVER);

  private:
    std::multimap<Ps, Fiber*> m_waiting; // equal keys keep their order of insertion
    Ps m_now{0};
};

/// One process of a test: the program, its fiber, its services, its output.
class TestProcess final : public ProgramServices
{
  public:
    TestProcess(Waiters& waiters,
                const ProgramImage& image,
                std::vector<std::string> arguments = {},
                ProgramOptions options = {});

    Ps Now() override;
    Ps CpuTime() override;
    Ps SystemTime() override;
    void SleepUntil(Ps when) override;
    void Yield() override;
    void PassTime(std::uint32_t blocks) override;
    const std::string& HostName() override;
    int ProcessId() override;
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

    std::string out;         ///< standard output so far
    std::string err;         ///< standard error so far
    std::string waitsFor;    ///< what it waits for forever
    std::uint64_t blocks{0}; ///< basic blocks reported
    std::uint64_t copied{0}; ///< bytes of charged copies
    std::string host{"n3"};

    /// @return the process that started last
    static TestProcess* Current()
    {
        return s_current;
    }

    Program& Process()
    {
        return *m_program;
    }

    Fiber& Thread()
    {
        return *m_fiber;
    }

    const ExitStatus& Status() const
    {
        return m_program->Status();
    }

  private:
    static TestProcess* s_current;

    Waiters& m_waiters;
    std::unique_ptr<Program> m_program;
    std::unique_ptr<Fiber> m_fiber;
};

/// Runs one program to its end, alone.
struct Finished
{
    ExitStatus status;
    std::string out;
    std::string err;
    Ps end;
};

Finished RunAlone(const std::string& program,
                  std::vector<std::string> arguments = {},
                  ProgramOptions options = {});

} // namespace test
} // namespace via
} // namespace ns3

#endif // VIA_TEST_PROGRAM_BENCH_H
