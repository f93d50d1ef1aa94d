/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A view of consecutive objects: std::span where available, else the subset that is needed.

#ifndef VIPL_SPAN_HPP
#define VIPL_SPAN_HPP

#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

#if defined(__has_include)
#if __has_include(<version>)
#include <version>
#endif
#endif

#ifdef __cpp_lib_span
#include <span>
#endif

namespace vipl
{

#ifdef __cpp_lib_span

template <class T>
using Span = std::span<T>;

#else

/// The part of C++20's std::span that this library needs.
template <class T>
class Span
{
  public:
    using element_type = T;
    using value_type = std::remove_cv_t<T>;
    using size_type = std::size_t;
    using iterator = T*;

    constexpr Span() noexcept = default;

    constexpr Span(T* data, std::size_t size) noexcept
        : m_data(data),
          m_size(size)
    {
    }

    template <std::size_t N>
    constexpr Span(T (&array)[N]) noexcept
        : m_data(array),
          m_size(N)
    {
    }

    /// From any contiguous range, such as a vector, an array or a Span<value_type>.
    template <class C,
              class = std::enable_if_t<!std::is_array<std::remove_reference_t<C>>::value>,
              class = std::enable_if_t<std::is_convertible<
                  std::remove_pointer_t<decltype(std::data(std::declval<C&>()))> (*)[],
                  T (*)[]>::value>>
    constexpr Span(C&& container)
        : m_data(std::data(container)),
          m_size(std::size(container))
    {
    }

    constexpr T* data() const noexcept
    {
        return m_data;
    }

    constexpr std::size_t size() const noexcept
    {
        return m_size;
    }

    constexpr std::size_t size_bytes() const noexcept
    {
        return m_size * sizeof(T);
    }

    constexpr bool empty() const noexcept
    {
        return m_size == 0;
    }

    constexpr T& operator[](std::size_t i) const
    {
        return m_data[i];
    }

    constexpr T* begin() const noexcept
    {
        return m_data;
    }

    constexpr T* end() const noexcept
    {
        return m_data + m_size;
    }

    constexpr Span first(std::size_t count) const
    {
        return {m_data, count};
    }

    constexpr Span subspan(std::size_t offset) const
    {
        return {m_data + offset, m_size - offset};
    }

    constexpr Span subspan(std::size_t offset, std::size_t count) const
    {
        return {m_data + offset, count};
    }

  private:
    T* m_data{nullptr};
    std::size_t m_size{0};
};

#endif

/// The viewed bytes, read-only.
template <class T>
Span<const std::byte>
Bytes(Span<T> objects) noexcept
{
    return {reinterpret_cast<const std::byte*>(objects.data()), objects.size_bytes()};
}

/// The viewed bytes, writable.
template <class T>
Span<std::byte>
WritableBytes(Span<T> objects) noexcept
{
    static_assert(!std::is_const<T>::value, "what is const cannot be written");
    return {reinterpret_cast<std::byte*>(objects.data()), objects.size_bytes()};
}

} // namespace vipl

#endif // VIPL_SPAN_HPP
