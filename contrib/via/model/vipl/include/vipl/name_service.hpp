/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The name service: hosts by name and by address.

#ifndef VIPL_NAME_SERVICE_HPP
#define VIPL_NAME_SERVICE_HPP

#include "nic.hpp"

#include <cstddef>
#include <string>

namespace vipl
{

namespace detail
{

struct NameServiceValue
{
    static constexpr const char* CLOSE_CALL = "VipNSShutdown";
    VIP_NIC_HANDLE nic{nullptr};
    void* info{nullptr};

    explicit operator bool() const noexcept
    {
        return nic != nullptr;
    }

    VIP_RETURN Close() const
    {
        return VipNSShutdown(nic);
    }
};

} // namespace detail

/**
 * @brief The name service of a NIC; it runs during this object's lifetime. Addresses stay valid
 * afterwards.
 *
 * VIPL knows one service for all users of a NIC, and any of them ends it. So a look-up that fails
 * starts it again and is repeated once: each of several objects goes on when another has ended.
 */
class NameService : public detail::Owned<detail::NameServiceValue>
{
  public:
    static constexpr std::size_t MOST_NAME = 256; ///< bytes of the longest host name

    NameService() noexcept = default;

    /// One VipNSInit. @param info for the provider, or null
    explicit NameService(const Nic& nic, void* info = nullptr)
    {
        detail::OrThrow("VipNSInit", [&](std::error_code& error) { Start(nic, info, error); });
    }

    NameService(const Nic& nic, void* info, std::error_code& error)
    {
        Start(nic, info, error);
    }

    /// One VipNSGetHostByName. @return its address number @p index, without discriminator
    NetAddress HostByName(std::string name, VIP_ULONG index = 0) const
    {
        return detail::OrThrow("VipNSGetHostByName", [&](std::error_code& error) {
            return HostByName(std::move(name), index, error);
        });
    }

    NetAddress HostByName(std::string name, VIP_ULONG index, std::error_code& error) const
    {
        NetAddress address;
        address.Get()->HostAddressLen = NetAddress::CAPACITY;
        error = LookUp(
            [&] { return VipNSGetHostByName(m_value.nic, name.data(), address.Get(), index); });
        address.Get()->DiscriminatorLen = 0;
        return error ? NetAddress() : address;
    }

    /// One VipNSGetHostByAddr. @return the host's name
    std::string HostByAddr(NetAddress address) const
    {
        return detail::OrThrow("VipNSGetHostByAddr",
                               [&](std::error_code& error) { return HostByAddr(address, error); });
    }

    std::string HostByAddr(NetAddress address, std::error_code& error) const
    {
        char name[MOST_NAME] = {};
        error = LookUp([&] {
            VIP_ULONG length = sizeof(name) - 1;
            return VipNSGetHostByAddr(m_value.nic, address.Get(), name, &length);
        });
        return error ? std::string() : std::string(name);
    }

  private:
    template <class Call>
    VIP_RETURN LookUp(Call&& call) const
    {
        const VIP_RETURN result = call();
        return result == VIP_ERROR_NAMESERVICE &&
                       VipNSInit(m_value.nic, m_value.info) == VIP_SUCCESS
                   ? call()
                   : result;
    }

    void Start(const Nic& nic, void* info, std::error_code& error)
    {
        error = VipNSInit(nic.Get(), info);
        if (!error)
        {
            m_value = {nic.Get(), info};
        }
    }
};

} // namespace vipl

#endif // VIPL_NAME_SERVICE_HPP
