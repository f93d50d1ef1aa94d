/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Network addresses as values: host bytes and a discriminator.

#ifndef VIPL_ADDRESS_HPP
#define VIPL_ADDRESS_HPP

#include "span.hpp"
#include "status.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace vipl
{

/**
 * @brief A VIP_NET_ADDRESS that owns its bytes.
 *
 * Host address and discriminator share CAPACITY bytes; longer ones fail with VIP_INVALID_PARAMETER.
 * NICs allow less: see MaxDiscriminatorLen of Nic::Query().
 */
class NetAddress
{
  public:
    static constexpr std::size_t CAPACITY = 508; ///< bytes

    /// No host, no discriminator.
    NetAddress() noexcept = default;

    explicit NetAddress(Span<const std::byte> host, Span<const std::byte> discriminator = {})
    {
        Set(host, discriminator);
    }

    /// The same host with another discriminator, which distinguishes endpoints of one host.
    NetAddress With(Span<const std::byte> discriminator) const
    {
        return NetAddress(Host(), discriminator);
    }

    template <class Char, class = std::enable_if_t<std::is_same<Char, const char>::value>>
    NetAddress With(Span<Char> discriminator) const
    {
        return With(Bytes(discriminator));
    }

    NetAddress With(std::string_view discriminator) const
    {
        return With(Bytes(Span<const char>(discriminator.data(), discriminator.size())));
    }

    /// Uses the bytes of an integer or a struct as the discriminator.
    template <
        class T,
        class =
            std::enable_if_t<std::is_trivially_copyable<T>::value && !std::is_pointer<T>::value>,
        class = std::enable_if_t<!std::is_convertible<const T&, std::string_view>::value &&
                                 !std::is_convertible<const T&, Span<const std::byte>>::value>>
    NetAddress With(const T& discriminator) const
    {
        return With(Bytes(Span<const T>(&discriminator, 1)));
    }

    Span<const std::byte> Host() const noexcept
    {
        return {m_room.bytes.data() + HEAD, Get()->HostAddressLen};
    }

    Span<const std::byte> Discriminator() const noexcept
    {
        return {m_room.bytes.data() + HEAD + Get()->HostAddressLen, Get()->DiscriminatorLen};
    }

    /// For VIPL calls that write an address; the result must fit, too.
    VIP_NET_ADDRESS* Get() noexcept
    {
        return &m_room.address;
    }

    const VIP_NET_ADDRESS* Get() const noexcept
    {
        return &m_room.address;
    }

    friend bool operator==(const NetAddress& a, const NetAddress& b) noexcept
    {
        const auto same = [](Span<const std::byte> x, Span<const std::byte> y) {
            return x.size() == y.size() && std::equal(x.begin(), x.end(), y.begin());
        };
        return same(a.Host(), b.Host()) && same(a.Discriminator(), b.Discriminator());
    }

    friend bool operator!=(const NetAddress& a, const NetAddress& b) noexcept
    {
        return !(a == b);
    }

  private:
    static constexpr std::size_t HEAD = offsetof(VIP_NET_ADDRESS, HostAddress);

    void Set(Span<const std::byte> host, Span<const std::byte> discriminator)
    {
        if (host.size() > CAPACITY || discriminator.size() > CAPACITY - host.size())
        {
            throw std::system_error(make_error_code(VIP_INVALID_PARAMETER), "NetAddress");
        }
        Get()->HostAddressLen = static_cast<VIP_UINT16>(host.size());
        Get()->DiscriminatorLen = static_cast<VIP_UINT16>(discriminator.size());
        std::byte* const bytes = m_room.bytes.data() + HEAD;
        std::copy(host.begin(), host.end(), bytes);
        std::copy(discriminator.begin(), discriminator.end(), bytes + host.size());
    }

    union Room {
        std::array<std::byte, HEAD + CAPACITY> bytes{};
        VIP_NET_ADDRESS address;
    };

    Room m_room;
};

} // namespace vipl

#endif // VIPL_ADDRESS_HPP
