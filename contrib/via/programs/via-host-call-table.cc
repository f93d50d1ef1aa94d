/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The simulator's side of the seam: what a program's shim calls.

#include "via-program-seam.h"

#include "ns3/via-program.h"

namespace ns3
{
namespace via
{

namespace
{

/// A killed program that still computes after so many reports has swallowed its end.
constexpr std::uint32_t REPORTS_AFTER_END = 1'000'000;

/// While it lives, the heap works for the program, which alone can have broken it.
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

} // namespace

ViaSeam
ProgramSeam::Make(Program& program, const void* const* vipl)
{
    ViaSeam seam{};
    seam.self = reinterpret_cast<ViaProcess*>(&program);
    seam.vipl = vipl;
    seam.allocate = &Allocate;
    seam.resize = &Resize;
    seam.release = &Release;
    seam.size_of = &SizeOf;
    seam.owns = &Owns;
    seam.clock = &Clock;
    seam.sleep_until = &SleepUntil;
    seam.yield = &Yield;
    seam.pass_time = &PassTime;
    seam.spend = &Spend;
    seam.copy = &Copy;
    seam.start_thread = &StartThread;
    seam.block = &Block;
    seam.wake = &Wake;
    seam.host_name = &HostName;
    seam.process_id = &ProcessId;
    seam.change_directory = &ChangeDirectory;
    seam.output = &Output;
    seam.unmap = &Unmap;
    seam.stream_opened = &StreamOpened;
    seam.stream_closed = &StreamClosed;
    seam.fd_opened = &FdOpened;
    seam.fd_closed = &FdClosed;
    seam.is_ending = &IsEnding;
    seam.leave = &Leave;
    seam.die = &Die;
    return seam;
}

Program&
ProgramSeam::Of(ViaProcess* process)
{
    return *reinterpret_cast<Program*>(process);
}

void*
ProgramSeam::Allocate(ViaProcess* process, size_t bytes, size_t alignment)
{
    const HeapWork work(Of(process).m_heapWork);
    return Of(process).m_heap.Allocate(bytes, alignment);
}

void*
ProgramSeam::Resize(ViaProcess* process, void* block, size_t bytes)
{
    const HeapWork work(Of(process).m_heapWork);
    return Of(process).m_heap.Resize(block, bytes);
}

void
ProgramSeam::Release(ViaProcess* process, void* block)
{
    const HeapWork work(Of(process).m_heapWork);
    Of(process).m_heap.Free(block);
}

size_t
ProgramSeam::SizeOf(ViaProcess* process, const void* block)
{
    const HeapWork work(Of(process).m_heapWork);
    return Of(process).m_heap.SizeOf(block);
}

int
ProgramSeam::Owns(ViaProcess* process, const void* address)
{
    return Of(process).m_heap.Owns(address);
}

int64_t
ProgramSeam::Clock(ViaProcess* process, ViaClock which)
{
    auto& program = Of(process);
    // Destructors of a killed process may look at a clock, but cannot wait any more.
    if (!program.IsEnding())
    {
        auto& services = program.m_services;
        program.m_lastClock = which == VIA_CLOCK_CPU ? services.CpuTime() : services.Now();
    }
    return program.m_lastClock;
}

void
ProgramSeam::SleepUntil(ViaProcess* process, int64_t when)
{
    Of(process).m_services.SleepUntil(when);
}

void
ProgramSeam::Yield(ViaProcess* process)
{
    Of(process).m_services.Yield();
}

void
ProgramSeam::PassTime(ViaProcess* process, uint32_t blocks)
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
ProgramSeam::Spend(ViaProcess* process, ViaCost cost)
{
    Of(process).m_services.SpendCall(cost == VIA_COST_SYSTEM_CALL);
}

void
ProgramSeam::Copy(ViaProcess* process, size_t bytes)
{
    if (!Of(process).IsEnding())
    {
        Of(process).m_services.SpendCopy(bytes);
    }
}

uint32_t
ProgramSeam::StartThread(ViaProcess* process, ViaThread* own, size_t stackBytes)
{
    return Of(process).StartThread(own, stackBytes);
}

int
ProgramSeam::Block(ViaProcess* process, const char* what, int64_t deadline)
{
    // Destructors of a killed process must not fail for what they cannot wait for any more.
    return Of(process).m_services.Block(what, deadline) || Of(process).IsEnding();
}

int
ProgramSeam::Wake(ViaProcess* process, uint32_t thread)
{
    return Of(process).m_services.Wake(thread);
}

const char*
ProgramSeam::HostName(ViaProcess* process)
{
    return Of(process).m_services.HostName().c_str();
}

int
ProgramSeam::ProcessId(ViaProcess* process)
{
    return Of(process).m_services.ProcessId();
}

int
ProgramSeam::ChangeDirectory(ViaProcess* process, const char* path, int fd)
{
    return Of(process).m_libc.ChangeDirectory(path, fd);
}

int
ProgramSeam::Output(ViaProcess* process, int stream, const void* bytes, size_t count)
{
    return Of(process).m_libc.TryOutput(stream, bytes, count) ? 0 : -1;
}

int
ProgramSeam::Unmap(ViaProcess* process, void* address, size_t bytes)
{
    return Of(process).Withhold(address, bytes);
}

void
ProgramSeam::StreamOpened(ViaProcess* process, FILE* stream)
{
    Of(process).m_libc.Keep(stream);
}

void
ProgramSeam::StreamClosed(ViaProcess* process, FILE* stream)
{
    Of(process).m_libc.Forget(stream);
}

void
ProgramSeam::FdOpened(ViaProcess* process, int fd)
{
    Of(process).m_libc.Keep(fd);
}

void
ProgramSeam::FdClosed(ViaProcess* process, int fd)
{
    Of(process).m_libc.Forget(fd);
}

int
ProgramSeam::IsEnding(ViaProcess* process)
{
    return Of(process).IsEnding();
}

void
ProgramSeam::Leave(ViaProcess* process, int code, int flush)
{
    auto& program = Of(process);
    if (flush)
    {
        program.m_libc.Flush();
    }
    program.End(code & 0xff, 0, {}); // what a parent sees of an exit code
    program.JumpOut();
}

void
ProgramSeam::Die(ViaProcess* process, int signal, const char* report)
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
