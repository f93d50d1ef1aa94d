/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Processor faults while simulated programs run: their attribution and handling.

#include "via-fault.h"

#include "ns3/abort.h"
#include "ns3/via-code-walk.h"
#include "ns3/via-fiber.h"
#include "ns3/via-program-memory.h"
#include "ns3/via-run-ticks.h"

#include <algorithm>
#include <cerrno>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <iterator>
#include <optional>
#include <pthread.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include <vector>

namespace ns3
{
namespace via
{

namespace
{

constexpr int SIGNALS[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
constexpr std::size_t COUNT = std::size(SIGNALS);
constexpr std::size_t STACK_BYTES = 256 * 1024; // the unwinder uses some, a sanitizer more
constexpr unsigned MOST_GIVEN_PAGES = 16;       // at one address, before giving up

/// State of the handlers; created by the first guard, destroyed with the last.
struct Handlers
{
    unsigned guards{0};
    std::vector<RegisteredMemory*> memories; ///< of the running processes
    const void* missing{nullptr};            ///< address for which the last page was given
    unsigned given{0};                       ///< consecutive pages for that address
    pthread_t thread{};
    std::array<struct sigaction, COUNT> outer{};

    stack_t outerStack{};
    void* stack{nullptr};
    std::optional<RunTicks> ticks;
};

Handlers g_handlers;

std::size_t
IndexOf(int number)
{
    std::size_t index = 0;
    while (SIGNALS[index] != number)
    {
        ++index;
    }
    return index;
}

/// The program whose fiber runs in this OS thread; null if there is none.
FaultTarget*
Running()
{
    const Fiber* fiber = Fiber::Current();
    return fiber != nullptr && pthread_equal(pthread_self(), g_handlers.thread) != 0
               ? fiber->Target()
               : nullptr;
}

/// Where a walk over a broken stack ends.
std::jmp_buf g_walk;
volatile std::sig_atomic_t g_walking = 0;

/// Set in the handler: a fault of the handler itself is the simulator's.
volatile std::sig_atomic_t g_handling = 0;

Fault
Walk(int number, const siginfo_t& info, const void* context)
{
    static Fault fault; // not on a stack that a longjmp abandons
    fault = FaultAt(number, info, context);
    if (_setjmp(g_walk) == 0)
    {
        g_walking = 1;
        AddCallers(fault, context, Fiber::Current()->Stack());
    }
    g_walking = 0;
    return fault;
}

bool
IsProgramsOwn(const Fault& fault, const FaultTarget& target)
{
    const CodeOwner owner = OwnerOf(fault, target);
    return owner == CodeOwner::PROGRAM || target.IsInHeap();
}

/// The page below the stack is never mapped.
bool
StackIsUsedUp(const Fault& fault)
{
    const char* bottom = Fiber::Current()->Stack().bottom;
    const auto* address = static_cast<const char*>(fault.address);
    return fault.hasAddress && address < bottom && bottom - address <= sysconf(_SC_PAGESIZE);
}

/// Reports an internal error; the signal then ends the run.
void
TellInternal(int number, const void* address, const FaultTarget* target)
{
    char who[160] = "no process was running";
    if (target != nullptr)
    {
        target->Identify(who, sizeof(who));
    }
    char text[320];
    const int length =
        std::snprintf(text,
                      sizeof(text),
                      "via: internal error: signal %d at address %p in the simulator "
                      "itself; %s\n",
                      number,
                      address,
                      who);
    if (write(STDERR_FILENO, text, static_cast<std::size_t>(length)) < 0)
    {
        return; // no output is possible
    }
}

/// Passes the signal to its previous handler.
void
PassOn(int number, const siginfo_t& info)
{
    sigaction(number, &g_handlers.outer[IndexOf(number)], nullptr);
    if (info.si_code <= 0)
    {
        raise(number); // a fault recurs by itself
    }
}

/// Ends the program if the fault is its own.
void
EndProgram(int number, const siginfo_t& info, const void* context, FaultTarget& target)
{
    Fault fault = Walk(number, info, context);
    fault.stackIsUsedUp = StackIsUsedUp(fault);
    if (IsProgramsOwn(fault, target))
    {
        g_handling = 0;
        target.OnFault(fault);
    }
}

/// @return whether the simulator followed a pointer of a program; the access then reports failure
bool
EndAccess(const siginfo_t& info, void* context)
{
    const void* address = info.si_code == SI_KERNEL ? nullptr : info.si_addr;
    const void* next = ProgramMemory::OnFault(CodeOf(context), address);
    if (next != nullptr)
    {
        static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP] =
            static_cast<greg_t>(reinterpret_cast<std::uintptr_t>(next));
    }
    return next != nullptr;
}

/// Makes the page at @p address readable and writable.
bool
GivePage(int number, void* address)
{
    const auto bytes = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    auto* page = static_cast<char*>(address) - reinterpret_cast<std::uintptr_t>(address) % bytes;
    constexpr int ALL = PROT_READ | PROT_WRITE;
    // a page that is only protected keeps its bytes; a page beyond the end of a file has none
    return (number == SIGSEGV && mprotect(page, bytes, ALL) == 0) ||
           mmap(page, bytes, ALL, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == page;
}

/// @return whether a NIC accessed registered memory that its process had unmapped; it
/// now has a page
bool
GiveBack(int number, const siginfo_t& info)
{
    const bool missing = (number == SIGSEGV || number == SIGBUS) && info.si_code != SI_KERNEL;
    if (!missing || pthread_equal(pthread_self(), g_handlers.thread) == 0)
    {
        return false;
    }
    auto& all = g_handlers.memories;
    const auto owner = std::find_if(all.begin(), all.end(), [&info](RegisteredMemory* memory) {
        return memory->Holds(info.si_addr);
    });
    Handlers& handlers = g_handlers;
    handlers.given = handlers.missing == info.si_addr ? handlers.given + 1 : 0;
    handlers.missing = info.si_addr;
    if (owner == all.end() || handlers.given == MOST_GIVEN_PAGES || !GivePage(number, info.si_addr))
    {
        return false;
    }
    (*owner)->OnMissing(info.si_addr);
    return true;
}

void
OnSignal(int number, siginfo_t* info, void* context)
{
    if (g_walking != 0 && number != SIGABRT)
    {
        _longjmp(g_walk, 1);
    }
    if (info->si_code > 0 && EndAccess(*info, context))
    {
        return;
    }
    const int code = errno;
    FaultTarget* target = g_handling != 0 ? nullptr : Running();
    g_handling = 1;
    // a fault of the processor or the C library's abort(), not a signal from another process
    const bool isOurs = info->si_code > 0 || (number == SIGABRT && info->si_pid == getpid());
    if (target != nullptr && isOurs && target->CanEnd())
    {
        EndProgram(number, *info, context, *target);
    }
    if (!isOurs || !GiveBack(number, *info))
    {
        TellInternal(number, info->si_addr, target);
        PassOn(number, *info);
    }
    g_handling = 0;
    errno = code;
}

void
InstallStack(Handlers& handlers)
{
    if (handlers.stack == nullptr)
    {
        handlers.stack = mmap(nullptr,
                              STACK_BYTES,
                              PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK,
                              -1,
                              0);
        NS_ABORT_MSG_IF(handlers.stack == MAP_FAILED, "no memory for a handler's stack");
    }
    stack_t stack{};
    stack.ss_sp = handlers.stack;
    stack.ss_size = STACK_BYTES;
    sigaltstack(&stack, &handlers.outerStack);
}

} // namespace

FaultGuard::FaultGuard(RegisteredMemory* memory)
    : m_memory(memory)
{
    Handlers& handlers = g_handlers;
    if (m_memory != nullptr)
    {
        handlers.memories.push_back(m_memory);
    }
    if (handlers.guards++ > 0)
    {
        return;
    }
    handlers.thread = pthread_self();
    InstallStack(handlers);

    struct sigaction action
    {
    };

    action.sa_sigaction = &OnSignal;
    // the handler may be left by a jump: it must not leave signals blocked
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    for (std::size_t i = 0; i < COUNT; ++i)
    {
        sigaction(SIGNALS[i], &action, &handlers.outer[i]);
    }
    handlers.ticks.emplace();
}

FaultGuard::~FaultGuard()
{
    Handlers& handlers = g_handlers;
    auto& all = handlers.memories;
    all.erase(std::remove(all.begin(), all.end(), m_memory), all.end());
    if (--handlers.guards > 0)
    {
        return;
    }
    handlers.ticks.reset();
    for (std::size_t i = 0; i < COUNT; ++i)
    {
        sigaction(SIGNALS[i], &handlers.outer[i], nullptr);
    }
    if (pthread_equal(pthread_self(), handlers.thread) != 0)
    {
        sigaltstack(&handlers.outerStack, nullptr);
    }
}

} // namespace via
} // namespace ns3
