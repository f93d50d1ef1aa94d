/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A fiber: blocking code on its own stack, run inside events.

#include "via-fiber.h"

#include "ns3/abort.h"
#include "ns3/via-agenda.h"
#include "ns3/via-sanitizer.h"

#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <typeinfo>
#include <utility>

namespace ns3
{
namespace via
{

namespace
{

/// Allocator required by Boost; the Fiber owns the stack, so there is nothing to free.
struct BorrowedStack
{
    boost::context::stack_context allocate()
    {
        return {};
    }

    void deallocate(boost::context::stack_context&) noexcept
    {
    }
};

// Switches are announced to AddressSanitizer, which tracks each stack. A null `fake` on leaving
// means that the stack will never be entered again.
inline void
AnnounceLeave([[maybe_unused]] void** fake,
              [[maybe_unused]] const void* bottom,
              [[maybe_unused]] std::size_t bytes)
{
#ifdef VIA_ASAN
    __sanitizer_start_switch_fiber(fake, bottom, bytes);
#endif
}

inline void
AnnounceArrival([[maybe_unused]] void* fake,
                [[maybe_unused]] const void** bottom,
                [[maybe_unused]] std::size_t* bytes)
{
#ifdef VIA_ASAN
    __sanitizer_finish_switch_fiber(fake, bottom, bytes);
#endif
}

} // namespace

Fiber* Fiber::s_current = nullptr;

void
FiberFrames::Prefetch() const
{
    PrefetchUpTo(bytes.data(), bytes.data() + bytes.size());
}

Fiber::Fiber(std::function<void()> body,
             FiberListener* listener,
             std::size_t stackBytes,
             StackGuard guard)
    : m_body(std::move(body)),
      m_listener(listener),
      m_stack(FiberStackPool::Instance().Take(stackBytes, guard))
{
    boost::context::stack_context context;
    context.sp = m_stack.Top();
    context.size = m_stack.bytes;
    m_inside = Context(std::allocator_arg,
                       boost::context::preallocated(context.sp, context.size, context),
                       BorrowedStack(),
                       [this](Context&& from) { return Main(std::move(from)); });
}

Fiber::~Fiber()
{
    if (!m_done)
    {
        Kill();
    }
    FiberStackPool::Instance().Return(m_stack);
}

Fiber::Context
Fiber::Main(Context&& from)
{
    AnnounceArrival(nullptr, &m_outsideBottom, &m_outsideBytes);
    m_outside = std::move(from);
    RunBody();
    m_done = true;
    AnnounceLeave(nullptr, m_outsideBottom, m_outsideBytes);
    return std::move(m_outside);
}

void
Fiber::RunBody()
{
    try
    {
        if (!m_cancelled)
        {
            m_body();
        }
    }
    catch (const FiberCancelled&)
    {
    }
    catch (...)
    {
        m_error = std::current_exception();
    }
}

void
Fiber::SwapExceptionState()
{
    auto* current = reinterpret_cast<ExceptionState*>(abi::__cxa_get_globals());
    std::swap(*current, m_exceptions);
}

void
Fiber::Interrupt()
{
    m_cancelled = true;
    Resume();
    m_cancelled = false;
}

void
Fiber::CopyFrames(const char* base, FiberFrames& frames) const
{
    static_assert(sizeof(m_inside) == sizeof(frames.innermost)); // it points to that frame
    std::memcpy(&frames.innermost, &m_inside, sizeof(frames.innermost));
    frames.bytes.assign(static_cast<const char*>(frames.innermost), base);
    frames.exceptions = m_exceptions;
}

void
Fiber::SetFrames(const FiberFrames& frames)
{
    std::memcpy(frames.innermost, frames.bytes.data(), frames.bytes.size());
    std::memcpy(static_cast<void*>(&m_inside), &frames.innermost, sizeof(frames.innermost));
    m_exceptions = frames.exceptions;
}

void
Fiber::Resume()
{
    NS_ABORT_MSG_IF(m_done, "a fiber that is done was resumed");
    NS_ABORT_MSG_IF(s_current == this, "a fiber resumed itself");
    Fiber* outer = std::exchange(s_current, this);
    m_started = true;
    SwitchIn();
    s_current = outer;
    while (m_errand != nullptr)
    {
        RunOutside(*std::exchange(m_errand, nullptr));
        s_current = this;
        SwitchIn();
        s_current = outer;
    }
    if (m_isStuck)
    {
        Abandon();
    }
    if (m_error)
    {
        std::rethrow_exception(std::exchange(m_error, nullptr));
    }
}

void
Fiber::SwitchIn()
{
    SwapExceptionState();
    if (m_listener)
    {
        m_listener->OnEnter();
    }
    void* fake = nullptr;
    AnnounceLeave(&fake, m_stack.bottom, m_stack.bytes);
    m_inside = std::move(m_inside).resume();
    AnnounceArrival(fake, nullptr, nullptr);
    if (m_listener)
    {
        m_listener->OnLeave();
    }
    if (m_outerTerminate != nullptr)
    {
        std::set_terminate(std::exchange(m_outerTerminate, nullptr));
    }
    SwapExceptionState();
}

void
Fiber::SwitchOut()
{
    void* fake = nullptr;
    AnnounceLeave(&fake, m_outsideBottom, m_outsideBytes);
    m_outside = std::move(m_outside).resume();
    AnnounceArrival(fake, &m_outsideBottom, &m_outsideBytes);
}

void
Fiber::Suspend()
{
    Fiber* self = s_current;
    NS_ABORT_MSG_IF(!self, "Fiber::Suspend() was called outside of a fiber");
    self->SwitchOut();
    if (self->m_cancelled)
    {
        self->ThrowCancelled();
    }
}

void
Fiber::RunOutside(OutsideCall& errand)
{
    if (s_current == nullptr)
    {
        errand.Run();
        return;
    }
    s_current->m_errand = &errand;
    Suspend();
}

void
Fiber::ThrowCancelled()
{
    if (m_outerTerminate == nullptr)
    {
        m_outerTerminate = std::set_terminate(&Fiber::OnTerminate);
    }
    if (m_listener)
    {
        m_listener->OnCancel();
    }
#ifdef VIA_ASAN
    const __lsan::ScopedDisabler lostWithADroppedStack;
#endif
    throw FiberCancelled();
}

void
Fiber::OnTerminate()
{
    Fiber* const self = s_current;
    const std::type_info* const type = abi::__cxa_current_exception_type();
    // a noexcept function of which others remain in the frame ends here without catching
    const bool isKill = type != nullptr ? *type == typeid(FiberCancelled)
                                        : self->m_cancelled && std::uncaught_exceptions() > 0;
    if (!isKill)
    {
        self->m_outerTerminate != nullptr ? self->m_outerTerminate() : std::abort();
    }
    self->m_isStuck = true;
    self->SwitchOut();
    NS_ABORT_MSG("a fiber that was dropped was resumed");
}

void
Fiber::Kill()
{
    m_cancelled = true;
    if (s_current == this)
    {
        ThrowCancelled();
    }
    for (int i = 0; m_started && !m_done && i < MAX_SWALLOWED; i++)
    {
        Resume();
    }
    if (!m_done)
    {
        Abandon();
    }
}

void
Fiber::Abandon()
{
    NS_ABORT_MSG_IF(s_current == this, "a fiber abandoned itself");
    // Not Boost's own unwinding: its switches are not announced, and the body would swallow Boost's
    // exception just as it swallowed ours. The context's record lies on the stack, so dropping it
    // leaks nothing of Boost's.
    m_done = true;
    new (&m_inside) Context();
}

} // namespace via
} // namespace ns3
