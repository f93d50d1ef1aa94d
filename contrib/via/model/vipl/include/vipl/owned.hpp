/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The one owner of something that VIPL gave and wants back.

#ifndef VIPL_OWNED_HPP
#define VIPL_OWNED_HPP

#include "status.hpp"

#include <utility>

namespace vipl
{

namespace detail
{

/// Runs the end of an object in its destructor: whatever goes wrong stays inside.
template <class F>
void
Quietly(F&& end) noexcept
{
    try
    {
        end();
    }
    catch (...)
    {
        // A simulated process is ended by unwinding; the rest of the stack follows later.
    }
}

// What VIPL may still use after it refused to close something is left alone for ever.
template <class Value>
auto
Abandon(Value& value, int) noexcept -> decltype(value.Abandon())
{
    value.Abandon();
}

template <class Value>
void
Abandon(Value&, long) noexcept
{
}

/**
 * @brief Base of all move-only handles.
 *
 * @tparam Value what the handle is made of: empty when default constructed, true as a bool when
 * it holds something, and with `VIP_RETURN Close()` that gives it back and names its call in
 * CLOSE_CALL.
 *
 * A moved-from or closed handle is empty. An empty one may be destroyed, assigned to, closed
 * (nothing happens) and used: VIPL answers VIP_INVALID_PARAMETER.
 */
template <class Value>
class Owned
{
  public:
    Owned() noexcept = default;

    Owned(Owned&& other) noexcept
        : m_value(std::exchange(other.m_value, Value()))
    {
    }

    /// What this one held is given back first.
    Owned& operator=(Owned&& other) noexcept
    {
        if (this != &other)
        {
            GiveBack();
            m_value = std::exchange(other.m_value, Value());
        }
        return *this;
    }

    explicit operator bool() const noexcept
    {
        return static_cast<bool>(m_value);
    }

    /// Gives it back. When VIPL refuses, because something still needs it, it is kept.
    void Close()
    {
        OrThrow(Value::CLOSE_CALL, [this](std::error_code& error) { Close(error); });
    }

    void Close(std::error_code& error)
    {
        error.clear();
        if (!m_value)
        {
            return;
        }
        error = m_value.Close();
        if (!error)
        {
            m_value = Value();
        }
    }

  protected:
    explicit Owned(Value value) noexcept
        : m_value(std::move(value))
    {
    }

    /// Gives it back; if VIPL refuses, it stays with the process until that ends.
    ~Owned()
    {
        GiveBack();
    }

    Value m_value;

  private:
    void GiveBack() noexcept
    {
        bool closed = !m_value;
        if (!closed)
        {
            Quietly([&] { closed = m_value.Close() == VIP_SUCCESS; });
        }
        if (!closed)
        {
            Abandon(m_value, 0);
        }
    }
};

} // namespace detail

} // namespace vipl

#endif // VIPL_OWNED_HPP
