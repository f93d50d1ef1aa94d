/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The host-call table: the simulator functions that a program's shim calls.

#include "via-host-call-table.h"

#include "ns3/via-program.h"
#include "ns3/via-usual-floats.h"

#include <cerrno>
#include <memory>

namespace ns3
{
namespace via
{

namespace
{

/// A killed program that still computes after this many reports has swallowed its end.
constexpr std::uint32_t REPORTS_AFTER_END = 1'000'000;

/// Marks heap work for the program: a fault in there means that the program corrupted its heap.
class HeapWork
{
  public:
    explicit HeapWork(bool& flag)
        : m_flag(flag)
    {
        m_flag = true;
    }

    ~HeapWork()
    {
        m_flag = false;
    }

    HeapWork(const HeapWork&) = delete;
    HeapWork& operator=(const HeapWork&) = delete;

  private:
    bool& m_flag;
};

/// A host call as programs see it. Those of the heap, which compute nothing, do without.
template <auto Function>
struct Usual;

template <class Result, class... Arguments, Result (*Function)(Arguments...)>
struct Usual<Function>
{
    static Result Call(Arguments... arguments)
    {
        return UsualFloats::Are() ? Function(arguments...) : Apart(arguments...);
    }

    [[gnu::noinline, gnu::cold]] static Result Apart(Arguments... arguments)
    {
        const UsualFloats usual;
        return Function(arguments...);
    }
};

} // namespace

ViaHostCalls
HostCallTable::Make(Program& program, const void* const* vipl)
{
    ViaHostCalls calls{};
    calls.self = reinterpret_cast<ViaProcess*>(&program);
    calls.vipl = vipl;
    calls.allocate = &Allocate;
    calls.resize = &Resize;
    calls.release = &Release;
    calls.size_of = &SizeOf;
    calls.owns = &Owns;
    calls.clock = &Usual<&Clock>::Call;
    calls.thread_time = &Usual<&ThreadTime>::Call;
    calls.sleep_until = &Usual<&SleepUntil>::Call;
    calls.yield = &Usual<&Yield>::Call;
    calls.pass_time = &Usual<&PassTime>::Call;
    calls.spend = &Usual<&Spend>::Call;
    calls.copy = &Usual<&Copy>::Call;
    calls.start_thread = &Usual<&StartThread>::Call;
    calls.block = &Usual<&Block>::Call;
    calls.wake = &Usual<&Wake>::Call;
    calls.interrupt = &Usual<&Interrupt>::Call;
    calls.host_name = &HostName;
    calls.process_id = &ProcessId;
    calls.cpus = &Usual<&Cpus>::Call;
    calls.cpu = &Usual<&Cpu>::Call;
    calls.set_file_mask = &Usual<&SetFileMask>::Call;
    calls.use_locales = &UseLocales;
    calls.change_directory = &Usual<&ChangeDirectory>::Call;
    calls.unmap = &Usual<&Unmap>::Call;
    calls.stream_opened = &Usual<&StreamOpened>::Call;
    calls.stream_closed = &Usual<&StreamClosed>::Call;
    calls.add_file = &Usual<&AddFile>::Call;
    calls.real_file = &RealFile;
    calls.number_of = &NumberOf;
    calls.open_stream = &Usual<&OpenStream>::Call;
    calls.stream_at = &StreamAt;
    calls.system = &Usual<&System>::Call;
    calls.is_ending = &IsEnding;
    calls.leave = &Usual<&Leave>::Call;
    calls.die = &Usual<&Die>::Call;
    return calls;
}

Program&
HostCallTable::Of(ViaProcess* process)
{
    return *reinterpret_cast<Program*>(process);
}

void*
HostCallTable::Allocate(ViaProcess* process, size_t bytes, size_t alignment)
{
    const HeapWork work(Of(process).m_heapWork);
    return Of(process).m_heap.Allocate(bytes, alignment);
}

void*
HostCallTable::Resize(ViaProcess* process, void* block, size_t bytes)
{
    const HeapWork work(Of(process).m_heapWork);
    return Of(process).m_heap.Resize(block, bytes);
}

void
HostCallTable::Release(ViaProcess* process, void* block)
{
    const HeapWork work(Of(process).m_heapWork);
    Of(process).m_heap.Free(block);
}

size_t
HostCallTable::SizeOf(ViaProcess* process, const void* block)
{
    const HeapWork work(Of(process).m_heapWork);
    return Of(process).m_heap.SizeOf(block);
}

int
HostCallTable::Owns(ViaProcess* process, const void* address)
{
    return Of(process).m_heap.Owns(address);
}

int64_t
HostCallTable::Clock(ViaProcess* process, ViaClock which)
{
    auto& program = Of(process);
    // Destructors of a killed process may read a clock, but can no longer wait.
    if (!program.IsEnding())
    {
        auto& services = program.m_services;
        program.m_lastClock = which == VIA_CLOCK_CPU        ? services.CpuTime()
                              : which == VIA_CLOCK_SYSTEM   ? services.SystemTime()
                              : which == VIA_CLOCK_STANDING ? services.StandingClock()
                                                            : services.Now();
    }
    return program.m_lastClock;
}

int64_t
HostCallTable::ThreadTime(ViaProcess* process, uint32_t thread, int isSystem)
{
    return Of(process).m_services.ThreadTime(thread, isSystem != 0);
}

void
HostCallTable::SleepUntil(ViaProcess* process, int64_t when)
{
    Of(process).m_services.SleepUntil(when);
}

void
HostCallTable::Yield(ViaProcess* process)
{
    Of(process).m_services.Yield();
}

void
HostCallTable::PassTime(ViaProcess* process, uint32_t blocks)
{
    auto& program = Of(process);
    if (!program.IsEnding())
    {
        program.m_services.PassTime(blocks);
    }
    else if (program.m_blocksAfterEnd++ == REPORTS_AFTER_END)
    {
        program.JumpOut();
    }
}

void
HostCallTable::Spend(ViaProcess* process, ViaCost cost)
{
    Of(process).m_services.SpendCall(cost == VIA_COST_SYSTEM_CALL);
}

void
HostCallTable::Copy(ViaProcess* process, size_t bytes)
{
    if (!Of(process).IsEnding())
    {
        Of(process).m_services.SpendCopy(bytes);
    }
}

uint32_t
HostCallTable::StartThread(ViaProcess* process, ViaThread* own, size_t stackBytes)
{
    return Of(process).StartThread(own, stackBytes);
}

int
HostCallTable::Block(ViaProcess* process, const char* what, int64_t deadline)
{
    // For destructors of a killed process, which can no longer wait, Block succeeds.
    return Of(process).m_services.Block(what, deadline) || Of(process).IsEnding();
}

int
HostCallTable::Wake(ViaProcess* process, uint32_t thread)
{
    return Of(process).m_services.Wake(thread);
}

int
HostCallTable::Interrupt(ViaProcess* process, uint32_t thread, int64_t until)
{
    return Of(process).m_services.Interrupt(thread, until);
}

const char*
HostCallTable::HostName(ViaProcess* process)
{
    return Of(process).m_services.HostName().c_str();
}

int
HostCallTable::ProcessId(ViaProcess* process)
{
    return Of(process).m_services.ProcessId();
}

int
HostCallTable::Cpus(ViaProcess* process)
{
    return static_cast<int>(Of(process).m_services.Cpus());
}

int
HostCallTable::Cpu(ViaProcess* process)
{
    return static_cast<int>(Of(process).m_services.Cpu());
}

int
HostCallTable::SetFileMask(ViaProcess* process, int mask)
{
    return static_cast<int>(Of(process).m_libc.SetFileMask(static_cast<mode_t>(mask)));
}

int
HostCallTable::ChangeDirectory(ViaProcess* process, const char* path, int fd)
{
    return Of(process).m_libc.ChangeDirectory(path, fd);
}

void
HostCallTable::UseLocales(ViaProcess*)
{
    LibcState::UseLocales();
}

int
HostCallTable::Unmap(ViaProcess* process, void* address, size_t bytes)
{
    return Of(process).Withhold(address, bytes);
}

void
HostCallTable::StreamOpened(ViaProcess* process, FILE* stream, int isOwn)
{
    Of(process).m_libc.Keep(stream, isOwn != 0);
}

void
HostCallTable::StreamClosed(ViaProcess* process, FILE* stream)
{
    Of(process).m_libc.Forget(stream);
}

int
HostCallTable::AddFile(ViaProcess* process, int real, FILE* stream)
{
    auto& table = Of(process).m_system.Table();
    const int number = table.Add(std::make_shared<FileDescriptor>(real, stream));
    if (number < 0)
    {
        errno = -number;
        return -1;
    }
    table.SetStream(number, stream);
    return number;
}

int
HostCallTable::RealFile(ViaProcess* process, int fd)
{
    const auto descriptor = Of(process).m_system.Table().At(fd);
    const int real = descriptor == nullptr ? -1 : descriptor->RealFile();
    if (real < 0)
    {
        errno = descriptor == nullptr ? EBADF : ESPIPE;
    }
    return real;
}

int
HostCallTable::NumberOf(ViaProcess* process, FILE* stream)
{
    return Of(process).m_system.Table().NumberOf(stream);
}

FILE*
HostCallTable::OpenStream(ViaProcess* process, int fd, const char* mode)
{
    return Of(process).m_libc.OpenStream(fd, mode);
}

FILE*
HostCallTable::StreamAt(ViaProcess* process, size_t place)
{
    return Of(process).m_libc.StreamAt(place);
}

int64_t
HostCallTable::System(ViaProcess* process, ViaSystemCall call, const int64_t* arguments)
{
    auto& program = Of(process);
    if (call == VIA_SOCKET && !program.m_system.HasSockets())
    {
        Die(process, 6, program.m_system.Refusal());
    }
    if (program.IsEnding() && call != VIA_CLOSE && call != VIA_WRITE)
    {
        return -EINTR; // a destructor of a killed process
    }
    return program.m_system.Enter(call, arguments);
}

int
HostCallTable::IsEnding(ViaProcess* process)
{
    return Of(process).IsEnding();
}

void
HostCallTable::Leave(ViaProcess* process, int code, int flush)
{
    auto& program = Of(process);
    if (flush)
    {
        program.m_libc.Flush();
    }
    program.End(code & 0xff, 0, {}); // a parent sees only these bits of an exit code
    program.JumpOut();
}

void
HostCallTable::Die(ViaProcess* process, int signal, const char* report)
{
    auto& program = Of(process);
    if (!program.IsEnding())
    {
        std::fprintf(stderr, "%s\n", report);
    }
    program.End(0, signal, report);
    program.JumpOut();
}

} // namespace via
} // namespace ns3
