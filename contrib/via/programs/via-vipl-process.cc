/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A process that uses VIPL: a shared object made by `./via cc`, or a C++ function.

#include "via-vipl-process.h"

#include "ns3/abort.h"
#include "ns3/via-lost-output.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cxxabi.h>
#include <exception>
#include <sstream>
#include <unistd.h>
#include <utility>

namespace ns3
{
namespace via
{

ViplProcess::ViplProcess(Nic& nic,
                         std::uint32_t rank,
                         const ViplSetting& setting,
                         std::function<int()> body)
    : FiberProcess(nic.GetHost(), rank),
      m_vipl(static_cast<FiberProcess&>(*this), nic, setting),
      m_setting(setting),
      m_body(std::move(body))
{
    m_vipl.SetHandlesDiffer();
    m_vipl.SetLog([this](const std::string& line) {
        const std::string text = line + "\n";
        Output(2, text.data(), text.size());
    });
}

ViplProcess::ViplProcess(Nic& nic,
                         std::uint32_t rank,
                         const ViplSetting& setting,
                         const ProgramImage& image,
                         ProgramOptions options)
    : FiberProcess(nic.GetHost(), rank),
      m_vipl(static_cast<FiberProcess&>(*this), nic, setting),
      m_setting(setting),
      m_program([&] {
          options.number = rank;
          return std::make_unique<Program>(image,
                                           std::move(options),
                                           static_cast<ProgramServices&>(*this),
                                           ViplFunctions());
      }())
{
    m_locale.emplace();
    m_vipl.SetAddressesRepeat();
    m_vipl.SetTimer(m_program->System().Timer(), m_program->WaitEnd());
    m_vipl.SetLog([this](const std::string& line) { m_program->Tell(line); });
    m_vipl.SetGuard([this](const std::function<void()>& call) { m_program->Enter(call); });
}

ViplProcess::~ViplProcess()
{
    CompleteOutput();
    m_texts.clear();
    m_isDropped = true;
    Kill(); // the program must not outlive what it uses
}

void
ViplProcess::AddNic(Nic& nic)
{
    m_further.push_back(
        std::make_unique<Vipl>(static_cast<FiberProcess&>(*this), nic, m_setting, &m_vipl));
}

void
ViplProcess::SetNetwork(SystemCalls::Host host)
{
    host.process = this;
    System().SetHost(std::move(host));
}

Vipl*
ViplProcess::LibraryNamed(const VIP_CHAR* name)
{
    const auto cards = static_cast<std::uint32_t>(m_further.size() + 1);
    const std::uint32_t card = Vipl::CardNamed(name, cards);
    return card == cards ? nullptr : card == 0 ? &m_vipl : m_further[card - 1].get();
}

FiberThread&
ViplProcess::AbortOutside()
{
    NS_ABORT_MSG("VIPL was called from outside a simulated process");
}

void
ViplProcess::Main()
{
    if (m_program != nullptr)
    {
        m_guard.emplace(static_cast<RegisteredMemory*>(this));
        m_program->Run();
        Runner().Reach(); // the process was alive for everything until now
        if (m_missing != nullptr)
        {
            FailForMissing(); // it ended by itself before the event came
        }
        return;
    }
    Guarded([this] {
        m_status.code = m_body();
        Runner().Reach(); // the process was alive for everything until now
    });
}

void
ViplProcess::Guarded(const std::function<void()>& body)
{
    try
    {
        body();
    }
    catch (const FiberCancelled&)
    {
        if (Fiber::Current()->IsCancelled())
        {
            throw;
        }
        Leave(); // the program called exit() in there
    }
    catch (const std::exception& error)
    {
        m_status.code = 134;
        m_status.signal = 6;
        m_status.report = std::string("uncaught exception: ") + error.what();
        Leave();
    }
    catch (...)
    {
        m_status.code = 134;
        m_status.signal = 6;
        m_status.report =
            "uncaught exception of type " + NameOfType(abi::__cxa_current_exception_type());
        Leave();
    }
}

void
ViplProcess::Exit(int code, std::string report)
{
    m_status.code = code;
    m_status.report = std::move(report);
    throw FiberCancelled();
}

FiberThread*
ViplProcess::StartThread(std::function<void()> body)
{
    const auto guarded = [this, run = std::move(body)] { Guarded(run); };
    return FiberProcess::StartThread(Clock(), {guarded});
}

FiberListener*
ViplProcess::Listener()
{
    return m_program == nullptr ? nullptr : &m_program->MainThread();
}

FiberThread::Work
ViplProcess::HandlerWork()
{
    return {[this] { Guarded([this] { m_vipl.ServeHandlers(); }); },
            m_program == nullptr ? nullptr : &m_program->HandlerThread(),
            StackBytes()};
}

std::size_t
ViplProcess::StackBytes() const
{
    return m_program == nullptr ? Fiber::DEFAULT_STACK_BYTES : Program::STACK_BYTES;
}

const char*
ViplProcess::OnLoop(const char* loop)
{
    m_loops.push_back(loop + (m_program == nullptr ? std::string() : m_program->Place()));
    return m_loops.back().c_str();
}

void
ViplProcess::OnThreadEnd(FiberThread& thread)
{
    m_vipl.OnThreadEnd(thread);
    for (const auto& library : m_further)
    {
        library->OnThreadEnd(thread);
    }
}

bool
ViplProcess::Unwinds() const
{
    // exit() drops the stacks of all threads, as the C and C++ standards say
    return m_program == nullptr || WasKilled();
}

Ps
ViplProcess::KilledAt() const
{
    const Agenda& agenda = GetHost().GetWorld().agenda;
    // the agenda's time is that of its last event, which depends on the mode; the clock does not
    return m_isDropped ? std::min(Clock().at, agenda.Limit()) : agenda.Now();
}

void
ViplProcess::OnEnd()
{
    m_end = Clock().at;
    if (WasKilled()) // what it has printed ahead of that does not happen
    {
        m_end = KilledAt();
        m_texts.erase(m_texts.upper_bound({m_end, UINT32_MAX}), m_texts.end());
    }
    CompleteOutput();
    System().End();
    if (m_program == nullptr && WasKilled())
    {
        m_status = {128 + SIGKILL, SIGKILL, "killed"};
    }
    m_leftConnected = m_vipl.ConnectedVis();
    for (const auto& library : m_further)
    {
        m_leftConnected += library->ConnectedVis();
    }
    m_vipl.OnProcessEnd();
    for (const auto& library : m_further)
    {
        library->OnProcessEnd();
    }
    m_guard.reset();
    m_locale.reset();
    if (m_endListener)
    {
        m_endListener();
    }
}

void
ViplProcess::OnBadPointer(const char* call, const void* address)
{
    if (m_program == nullptr)
    {
        throw MemoryFault(address); // a bug of the C++ body
    }
    m_program->OnBadPointer(call, address);
}

void
ViplProcess::OnStackUsedUp(const char* call)
{
    if (m_program != nullptr)
    {
        m_program->OnStackUsedUp(call);
    }
}

bool
ViplProcess::IsRegistered(const void* address, std::size_t bytes)
{
    return m_vipl.HasRegistered(address, bytes) ||
           std::any_of(m_further.begin(), m_further.end(), [=](const auto& library) {
               return library->HasRegistered(address, bytes);
           });
}

bool
ViplProcess::Pins(const FiberStack& stack)
{
    return IsRegistered(stack.bottom, stack.bytes);
}

bool
ViplProcess::Holds(const void* address)
{
    return IsRegistered(address, 1);
}

void
ViplProcess::OnMissing(const void* address)
{
    if (m_missing == nullptr && !HasEnded())
    {
        m_missing = address;
        GetHost().Schedule(GetHost().Now(), Runner().Port(), this, MEMORY_IS_MISSING);
    }
}

void
ViplProcess::OnAgenda(std::uint32_t kind, std::uint64_t data)
{
    if (kind == TEXT_IS_DUE)
    {
        Print(GetHost().Now());
    }
    else if (kind != MEMORY_IS_MISSING)
    {
        FiberProcess::OnAgenda(kind, data);
    }
    else if (!HasEnded())
    {
        FailForMissing();
        Kill();
    }
}

void
ViplProcess::FailForMissing()
{
    std::ostringstream what;
    what << " at address " << m_missing
         << ": it is registered with the NIC, but was unmapped or protected";
    m_program->Fail(SIGSEGV, what.str());
}

Ps
ViplProcess::Now()
{
    Runner().Spend(Stage::CALL_CLOCK, GetHost().Costs().clockCall);
    Runner().Reach(); // a loop may poll only memory and the clock
    Runner().Settle();
    return Clock().at;
}

Ps
ViplProcess::CpuTime()
{
    return FiberProcess::CpuTime();
}

Ps
ViplProcess::SystemTime()
{
    return FiberProcess::SystemTime();
}

Ps
ViplProcess::ThreadTime(std::uint32_t thread, bool isSystem)
{
    const FiberThread& which = ThreadAt(thread);
    return isSystem ? which.BodySystemTime() : which.BodyCpuTime();
}

void
ViplProcess::SleepUntil(Ps when)
{
    FiberProcess::SleepUntil(when);
}

void
ViplProcess::Yield()
{
    Runner().SpendInKernel(Stage::COMPUTE, GetHost().Costs().systemCall);
    Runner().Reach();
    Runner().Settle();
}

void
ViplProcess::PassTime(std::uint32_t blocks)
{
    Runner().Spend(Stage::COMPUTE, GetHost().Costs().basicBlock * blocks);
    Runner().Look("a loop without calls, longer than --patience, while no other process will ever "
                  "make progress");
    Runner().Settle();
}

const std::string&
ViplProcess::HostName()
{
    return GetHost().Name();
}

int
ViplProcess::ProcessId()
{
    return static_cast<int>(Rank()) + 1;
}

std::uint32_t
ViplProcess::Cpus()
{
    return GetHost().Cpus().Count();
}

std::uint32_t
ViplProcess::Cpu()
{
    return GetHost().Cpus().NumberOf(Runner().CpuPlace());
}

void
ViplProcess::SpendCall(bool system)
{
    const HostCosts& costs = GetHost().Costs();
    if (system)
    {
        Runner().SpendInKernel(Stage::COMPUTE, costs.systemCall);
    }
    else
    {
        Runner().Spend(Stage::COMPUTE, costs.basicBlock);
    }
    Runner().Reach();
    Runner().Settle();
}

void
ViplProcess::SpendCopy(std::uint64_t bytes)
{
    const Ps from = Runner().Clock().at;
    // the cache contents are unknown: charge a copy from memory
    Runner().Spend(Stage::COPY, GetHost().CopyCost(bytes, false));
    Runner().KeepUp(from);
}

std::uint32_t
ViplProcess::StartThread(std::function<void()> body,
                         FiberListener& listener,
                         std::size_t stackBytes)
{
    const auto guarded = [this, run = std::move(body)] {
        Runner().SpendInKernel(Stage::CONTEXT_SWITCH, GetHost().Costs().contextSwitch);
        Guarded(run);
    };
    const FiberThread* thread =
        FiberProcess::StartThread(Clock(), {guarded, &listener, stackBytes});
    return thread == nullptr ? 0 : thread->Number();
}

bool
ViplProcess::Block(const char* what, Ps deadline)
{
    if (!Runner().BlockInterruptibly(deadline, what))
    {
        return false;
    }
    Runner().Wait(Runner().Woken(), Stage::BLOCKED);
    Runner().SpendInKernel(Stage::CONTEXT_SWITCH, GetHost().Costs().contextSwitch);
    return true;
}

bool
ViplProcess::Wake(std::uint32_t thread)
{
    return ThreadAt(thread).Wake({Clock().at, 0});
}

bool
ViplProcess::Interrupt(std::uint32_t thread, Ps until)
{
    return ThreadAt(thread).Interrupt({Clock().at, 0}, until);
}

void
ViplProcess::WaitForEver(const char* what)
{
    Runner().Block(PS_NEVER, what);
}

void
ViplProcess::Identify(char* text, std::size_t bytes) const
{
    std::snprintf(text,
                  bytes,
                  "rank %u on n%u at %lld ps, seed %llu",
                  Rank(),
                  GetHost().Id(),
                  static_cast<long long>(Clock().at),
                  static_cast<unsigned long long>(GetHost().GetWorld().seed));
}

void
ViplProcess::Output(int stream, const char* text, std::size_t bytes)
{
    const Ps now = GetHost().Now();
    const Ps at = m_outputIsComplete ? now : std::max(Clock().at, now);
    const TextPlace place{at, Runner().Port()};
    m_texts.emplace(place, PrintedText{at, GetHost().Id(), stream, std::string(text, bytes)});
    if (HasEnded() || at == now)
    {
        Print(at);
    }
    else
    {
        // the process runs ahead of others, which may print before this instant
        GetHost().Schedule(at, place.second, this, TEXT_IS_DUE);
    }
}

void
ViplProcess::CompleteOutput()
{
    Print(GetHost().GetWorld().agenda.Limit());
    m_outputIsComplete = true;
    if (m_program != nullptr)
    {
        m_program->EndLines();
    }
}

void
ViplProcess::Print(Ps until)
{
    const auto end = m_texts.upper_bound({until, UINT32_MAX});
    for (auto next = m_texts.begin(); next != end; ++next)
    {
        const PrintedText& text = next->second;
        if (PrintedTexts* const kept = PrintedTexts::Current())
        {
            kept->Add(text);
        }
        else
        {
            WriteToStream(text.stream, text.text.data(), text.text.size());
        }
    }
    m_texts.erase(m_texts.begin(), end);
}

} // namespace via
} // namespace ns3
