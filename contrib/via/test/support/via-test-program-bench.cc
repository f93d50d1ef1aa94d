/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Hosted programs for tests: built by `via cc`, run on a machine that can only wait.

#include "via-test-program-bench.h"

#include "via-test-folders.h"

#include <array>
#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <filesystem>
#include <sys/wait.h>
#include <unistd.h>
#include <vipl.h>

namespace ns3
{
namespace via
{
namespace test
{

namespace fs = std::filesystem;

namespace
{

const fs::path MODULE = SourceFolder();
const fs::path COMPILER = MODULE / "../../python/via/_programs/compiler.py";

/// Indices of the functions in the table.
enum ViplIndex
{
#define VIPL_FUNCTION(ret, name, params, names) INDEX_##name,
#include <vipl-functions.def>
    INDEX_COUNT
};

VIP_RETURN
FakeOpenNic(const VIP_CHAR* device, VIP_NIC_HANDLE* nic)
{
    *nic = const_cast<VIP_CHAR*>(device);
    return VIP_SUCCESS;
}

/// Calls the handler at once, on the caller's fiber, as a NIC would that fails immediately.
VIP_RETURN
FakeErrorCallback(VIP_NIC_HANDLE nic, VIP_PVOID context, VIP_ERROR_HANDLER handler)
{
    TestProcess::Current()->Process().Enter([&] {
        VIP_ERROR_DESCRIPTOR error{};
        handler(context, &error);
    });
    return VIP_SUCCESS;
}

/// VIPL functions of a machine without a NIC: only two of them have an effect.
const void* const*
FakeVipl()
{
    static std::vector<const void*> table(ViplCount(), nullptr);
    table[INDEX_VipOpenNic] = reinterpret_cast<const void*>(&FakeOpenNic);
    table[INDEX_VipErrorCallback] = reinterpret_cast<const void*>(&FakeErrorCallback);
    return table.data();
}

/// @return the newest change of anything a built program depends on
fs::file_time_type
NewestInput(const std::string& source)
{
    auto newest = fs::last_write_time(source);
    for (const char* folder :
         {"programs/shim", "model/vipl/include", "model/vipl/include/vipl", "programs"})
    {
        for (const auto& entry : fs::directory_iterator(MODULE / folder))
        {
            newest = std::max(newest, entry.last_write_time());
        }
    }
    return std::max(newest, fs::last_write_time(COMPILER));
}

} // namespace

std::string
ProgramSource(const std::string& name)
{
    return (MODULE / "test" / "programs" / name).string();
}

std::pair<int, std::string>
RunViaCc(const std::string& arguments)
{
    // Runs the file itself: it does not need the package, whose compiled module may not be built.
    const auto command = "/usr/bin/python3 -I '" + COMPILER.string() + "' " + arguments + " 2>&1";
    FILE* pipe = popen(command.c_str(), "r");
    BOOST_REQUIRE(pipe);
    std::string text;
    std::array<char, 4096> piece;
    while (const auto bytes = std::fread(piece.data(), 1, piece.size(), pipe))
    {
        text.append(piece.data(), bytes);
    }
    const int status = pclose(pipe);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text};
}

std::string
BuiltProgram(const std::string& name, const std::string& flags)
{
    const auto source = ProgramSource(name);
    const auto folder = BuildFolder() / "test-programs";
    const auto built =
        folder / (name + "." + std::to_string(std::hash<std::string>()(flags)) + ".so");
    if (!fs::exists(built) || fs::last_write_time(built) < NewestInput(source))
    {
        // Cases run in parallel: each builds its own file and renames it atomically.
        fs::create_directories(folder);
        const auto fresh = built.string() + "." + std::to_string(getpid());
        const auto [status, text] = RunViaCc(flags + " '" + source + "' -o '" + fresh + "'");
        BOOST_REQUIRE_MESSAGE(status == 0, text);
        fs::rename(fresh, built);
    }
    return built.string();
}

std::uint32_t
ViplCount()
{
    return INDEX_COUNT;
}

void
Waiters::WaitUntil(Ps when)
{
    m_waiting.emplace(std::max(when, m_now), Fiber::Current());
    Fiber::Suspend();
}

void
Waiters::Start(Fiber& fiber)
{
    m_waiting.emplace(m_now, &fiber);
}

void
Waiters::Run(Ps until)
{
    while (!m_waiting.empty() && m_waiting.begin()->first < until)
    {
        const auto [when, fiber] = *m_waiting.begin();
        m_waiting.erase(m_waiting.begin());
        m_now = when;
        fiber->Resume();
    }
}

TestProcess* TestProcess::s_current = nullptr;

TestProcess::TestProcess(Waiters& waiters,
                         const ProgramImage& image,
                         std::vector<std::string> arguments,
                         ProgramOptions options)
    : m_waiters(waiters)
{
    options.arguments = std::move(arguments);
    m_program = std::make_unique<Program>(image, std::move(options), *this, FakeVipl());
    m_fiber = std::make_unique<Fiber>(
        [this] {
            s_current = this;
            m_program->Run();
        },
        &m_program->MainThread());
    waiters.Start(*m_fiber);
}

Ps
TestProcess::Now()
{
    return m_waiters.Now();
}

Ps
TestProcess::CpuTime()
{
    return m_waiters.Now() / 2;
}

Ps
TestProcess::SystemTime()
{
    return m_waiters.Now() / 8;
}

void
TestProcess::SleepUntil(Ps when)
{
    m_waiters.WaitUntil(when);
}

void
TestProcess::Yield()
{
    m_waiters.WaitUntil(m_waiters.Now());
}

void
TestProcess::PassTime(std::uint32_t count)
{
    blocks += count;
    m_waiters.WaitUntil(m_waiters.Now() + PS_PER_NS * count);
}

const std::string&
TestProcess::HostName()
{
    return host;
}

int
TestProcess::ProcessId()
{
    return 17;
}

void
TestProcess::SpendCall(bool)
{
}

void
TestProcess::SpendCopy(std::uint64_t bytes)
{
    copied += bytes;
}

std::uint32_t
TestProcess::StartThread(std::function<void()>, FiberListener&, std::size_t)
{
    return 0; // this machine has one CPU and no scheduler
}

bool
TestProcess::Block(const char*, Ps deadline)
{
    m_waiters.WaitUntil(deadline);
    return false;
}

bool
TestProcess::Wake(std::uint32_t)
{
    return false;
}

bool
TestProcess::Interrupt(std::uint32_t, Ps)
{
    return false;
}

void
TestProcess::WaitForEver(const char* what)
{
    waitsFor = what;
    Fiber::Suspend();
}

void
TestProcess::Identify(char* text, std::size_t bytes) const
{
    std::snprintf(text, bytes, "the process of a test");
}

void
TestProcess::Output(int stream, const char* text, std::size_t bytes)
{
    (stream == 1 ? out : err).append(text, bytes);
}

Finished
RunAlone(const std::string& program, std::vector<std::string> arguments, ProgramOptions options)
{
    const ProgramImage image(program, ViplCount());
    Waiters waiters;
    TestProcess process(waiters, image, std::move(arguments), std::move(options));
    waiters.Run();
    BOOST_TEST(process.Thread().IsDone());
    return {process.Status(), process.out, process.err, waiters.Now()};
}

} // namespace test
} // namespace via
} // namespace ns3
