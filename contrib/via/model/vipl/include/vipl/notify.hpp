/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Function objects that VIPL calls once each.

#ifndef VIPL_NOTIFY_HPP
#define VIPL_NOTIFY_HPP

#include "status.hpp"

#include <list>
#include <memory>
#include <mutex>
#include <utility>

namespace vipl
{

namespace detail
{

/**
 * @brief The handlers of one VI or completion queue that have not been called yet.
 *
 * VIPL gets the address of a slot as context. Handlers may run in threads of the provider, so the
 * list has a lock; it is never held while a handler or VIPL runs.
 */
template <class Function>
class PendingCalls
{
  public:
    struct Slot
    {
        PendingCalls* owner;
        Function function;
    };

    /// @return the context for VIPL
    Slot* Add(Function function)
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_slots.push_back({this, std::move(function)});
        return &m_slots.back();
    }

    /// Forgets all handlers: what VIPL still answers calls none of them.
    void Cancel()
    {
        std::list<Function> gone; // destroyed without the lock: a handler may own anything
        const std::lock_guard<std::mutex> lock(m_mutex);
        for (Slot& slot : m_slots)
        {
            gone.push_back(std::exchange(slot.function, nullptr));
        }
    }

    /// Removes a handler whose one call has come, or will never come. @return it; empty if
    /// cancelled
    static Function Take(void* context)
    {
        auto* const slot = static_cast<Slot*>(context);
        PendingCalls& owner = *slot->owner;
        const std::lock_guard<std::mutex> lock(owner.m_mutex);
        Function function = std::move(slot->function);
        owner.m_slots.remove_if([slot](const Slot& each) { return &each == slot; });
        return function;
    }

  private:
    std::mutex m_mutex;
    std::list<Slot> m_slots;
};

/// Registers a handler through @p call, which gets the context; removes it if VIPL refuses.
template <class Function, class Call>
void
Notify(PendingCalls<Function>& pending, Function handler, std::error_code& error, Call&& call)
{
    auto* const context = pending.Add(std::move(handler));
    error = call(context);
    if (error)
    {
        PendingCalls<Function>::Take(context);
    }
}

} // namespace detail

} // namespace vipl

#endif // VIPL_NOTIFY_HPP
