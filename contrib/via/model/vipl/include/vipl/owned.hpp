/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The single owner of a VIPL object that must be released.

#ifndef VIPL_OWNED_HPP
#define VIPL_OWNED_HPP

#include "status.hpp"

#include <utility>

namespace vipl
{

namespace detail
{

/// Releases an object in its destructor and swallows all exceptions.
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

// Memory that VIPL may still use after it refused to close an object is leaked on purpose.
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
 * @tparam Value the handle's content: empty when default constructed, true as a bool if it holds an
 * object, with `VIP_RETURN Close()` to release it and the name of that call in CLOSE_CALL.
 *
 * A moved-from or closed handle is empty. An empty one may be destroyed, assigned to, closed (a
 * no-op) and used: VIPL answers VIP_INVALID_PARAMETER.
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

    /// Releases the old object first.
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

    /// Releases the object. If VIPL refuses because it is still in use, the handle keeps it.
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

    /// Releases the object; if VIPL refuses, it remains until the process ends.
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
