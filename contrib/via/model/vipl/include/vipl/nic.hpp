/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// NICs and protection tags.

#ifndef VIPL_NIC_HPP
#define VIPL_NIC_HPP

#include "address.hpp"
#include "async_error.hpp"
#include "owned.hpp"

#include <memory>
#include <string>
#include <vector>

namespace vipl
{

/// The hosts that a NIC can reach.
struct Neighbours
{
    VIP_ULONG hops{0}; ///< to the farthest of them
    std::vector<NetAddress> addresses;
};

namespace detail
{

struct NicValue
{
    static constexpr const char* CLOSE_CALL = "VipCloseNic";
    VIP_NIC_HANDLE nic{nullptr};
    std::unique_ptr<ErrorSink> sink{};

    explicit operator bool() const noexcept
    {
        return nic != nullptr;
    }

    VIP_RETURN Close() const
    {
        // others may have the same handle, and VIPL would still call what ends here
        const bool isCalled = sink && sink->End(nic);
        if (isCalled)
        {
            VipErrorCallback(nic, nullptr, nullptr);
        }
        const VIP_RETURN result = VipCloseNic(nic);
        if (isCalled && result != VIP_SUCCESS)
        {
            VipErrorCallback(nic, sink.get(), &ErrorSink::Call);
            sink->Begin(nic);
        }
        return result;
    }

    void Abandon() noexcept
    {
        static_cast<void>(sink.release());
    }
};

} // namespace detail

/**
 * @brief An open NIC.
 *
 * Objects made through it refer to it and must be destroyed first: declare it before them.
 */
class Nic : public detail::Owned<detail::NicValue>
{
  public:
    /// An empty handle.
    Nic() noexcept = default;

    /// One VipOpenNic. @param device e.g. "/dev/clanvi0"
    explicit Nic(const std::string& device)
    {
        detail::OrThrow("VipOpenNic", [&](std::error_code& error) { Open(device, error); });
    }

    /// One VipOpenNic; the handle is empty after an error.
    Nic(const std::string& device, std::error_code& error)
    {
        Open(device, error);
    }

    VIP_NIC_HANDLE Get() const noexcept
    {
        return m_value.nic;
    }

    /// One VipQueryNic.
    VIP_NIC_ATTRIBUTES Query() const
    {
        return detail::OrThrow("VipQueryNic", [&](std::error_code& error) { return Query(error); });
    }

    VIP_NIC_ATTRIBUTES Query(std::error_code& error) const
    {
        VIP_NIC_ATTRIBUTES attributes{};
        error = VipQueryNic(Get(), &attributes);
        return attributes;
    }

    /// One VipQueryNic. @return the NIC's own address, without a discriminator
    NetAddress Address() const
    {
        return detail::OrThrow("VipQueryNic",
                               [&](std::error_code& error) { return Address(error); });
    }

    NetAddress Address(std::error_code& error) const
    {
        const VIP_NIC_ATTRIBUTES attributes = Query(error);
        return NetAddress(
            Bytes(Span<const VIP_UINT8>(attributes.LocalNicAddress, attributes.NicAddressLen)));
    }

    /**
     * @brief One VipErrorCallback: @p handler receives asynchronous errors from now on.
     *
     * The handler is kept until it is replaced or the NIC is closed; a run in progress completes.
     * An empty function restores VIPL's own handler.
     */
    void ErrorCallback(ErrorHandler handler)
    {
        detail::OrThrow("VipErrorCallback",
                        [&](std::error_code& error) { ErrorCallback(std::move(handler), error); });
    }

    void ErrorCallback(ErrorHandler handler, std::error_code& error)
    {
        if (!m_value.sink)
        {
            m_value.sink = std::make_unique<detail::ErrorSink>();
        }
        detail::ErrorSink& sink = *m_value.sink;
        const bool given = static_cast<bool>(handler);
        auto before = sink.Exchange(given ? std::make_shared<const ErrorHandler>(std::move(handler))
                                          : nullptr);
        error = VipErrorCallback(Get(),
                                 given ? &sink : nullptr,
                                 given ? &detail::ErrorSink::Call : nullptr);
        if (error)
        {
            sink.Exchange(std::move(before));
        }
        else if (given)
        {
            sink.Begin(Get());
        }
        else
        {
            sink.End(Get());
        }
    }

    /// One VipQuerySystemManagementInfo. @param answer a struct of the type that @p infoType
    /// selects
    void QuerySystemManagementInfo(VIP_ULONG infoType, void* answer) const
    {
        detail::OrThrow("VipQuerySystemManagementInfo", [&](std::error_code& error) {
            QuerySystemManagementInfo(infoType, answer, error);
        });
    }

    void QuerySystemManagementInfo(VIP_ULONG infoType, void* answer, std::error_code& error) const
    {
        error = VipQuerySystemManagementInfo(Get(), infoType, answer);
    }

    /// One VipQuerySystemManagementInfo, VIP_SMI_AUTODISCOVERY: the other reachable hosts.
    Neighbours Autodiscovery() const
    {
        return detail::OrThrow("VipQuerySystemManagementInfo",
                               [&](std::error_code& error) { return Autodiscovery(error); });
    }

    Neighbours Autodiscovery(std::error_code& error) const
    {
        VIP_AUTODISCOVERY_LIST list{};
        QuerySystemManagementInfo(VIP_SMI_AUTODISCOVERY, &list, error);
        Neighbours found;
        if (!error)
        {
            found.hops = list.NumberOfHops;
            for (VIP_ULONG i = 0; i < list.NumAdAddrs; ++i)
            {
                const VIP_NET_ADDRESS& address = *list.ADAddrArray[i];
                found.addresses.emplace_back(
                    Bytes(Span<const VIP_UINT8>(address.HostAddress, address.HostAddressLen)));
            }
        }
        return found;
    }

  private:
    void Open(const std::string& device, std::error_code& error)
    {
        VIP_NIC_HANDLE nic = nullptr;
        error = VipOpenNic(device.c_str(), &nic);
        m_value.nic = error ? nullptr : nic;
    }
};

namespace detail
{

struct TagValue
{
    static constexpr const char* CLOSE_CALL = "VipDestroyPtag";
    VIP_NIC_HANDLE nic{nullptr};
    VIP_PROTECTION_HANDLE tag{nullptr};

    explicit operator bool() const noexcept
    {
        return tag != nullptr;
    }

    VIP_RETURN Close() const
    {
        return VipDestroyPtag(nic, tag);
    }
};

} // namespace detail

/// A protection tag: a VI accesses only memory with its own tag.
class ProtectionTag : public detail::Owned<detail::TagValue>
{
  public:
    ProtectionTag() noexcept = default;

    /// One VipCreatePtag.
    explicit ProtectionTag(const Nic& nic)
    {
        detail::OrThrow("VipCreatePtag", [&](std::error_code& error) { Create(nic, error); });
    }

    ProtectionTag(const Nic& nic, std::error_code& error)
    {
        Create(nic, error);
    }

    VIP_PROTECTION_HANDLE Get() const noexcept
    {
        return m_value.tag;
    }

  private:
    void Create(const Nic& nic, std::error_code& error)
    {
        VIP_PROTECTION_HANDLE tag = nullptr;
        error = VipCreatePtag(nic.Get(), &tag);
        m_value = error ? detail::TagValue{} : detail::TagValue{nic.Get(), tag};
    }
};

} // namespace vipl

#endif // VIPL_NIC_HPP
