/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// NICs, protection tags, asynchronous errors and the name service.

#ifndef VIPL_NIC_HPP
#define VIPL_NIC_HPP

#include "address.hpp"
#include "owned.hpp"

#include <functional>
#include <memory>
#include <mutex>
#include <string>

namespace vipl
{

/// An error that no call returns: VIPL tells it to the handler of the NIC.
struct AsyncError
{
    VIP_ERROR_CODE code;        ///< what happened
    VIP_RESOURCE_CODE resource; ///< which of the handles below it is about
    VIP_NIC_HANDLE nic;
    VIP_VI_HANDLE vi;
    VIP_CQ_HANDLE cq;
    VIP_DESCRIPTOR* descriptor;
    VIP_ULONG opCode;

    /// @return what the code means
    const char* Message() const noexcept
    {
        switch (code)
        {
        case VIP_ERROR_POST_DESC:
            return "bad address, handle or alignment of a descriptor";
        case VIP_ERROR_CONN_LOST:
            return "connection lost";
        case VIP_ERROR_RECVQ_EMPTY:
            return "a message found no receive";
        case VIP_ERROR_VI_OVERRUN:
            return "more descriptors than a queue holds";
        case VIP_ERROR_RDMAW_PROT:
            return "RDMA write from outside refused";
        case VIP_ERROR_RDMAW_DATA:
            return "RDMA write arrived corrupt";
        case VIP_ERROR_RDMAW_ABORT:
            return "RDMA write ended half way";
        case VIP_ERROR_RDMAR_PROT:
            return "RDMA read from outside refused";
        case VIP_ERROR_COMP_PROT:
            return "a completion could not be written";
        case VIP_ERROR_RDMA_TRANSPORT:
            return "transport failed under an RDMA operation";
        case VIP_ERROR_CATASTROPHIC:
            return "catastrophic failure";
        }
        return "unknown asynchronous error";
    }
};

/// Is told of asynchronous errors, in the provider's context: return soon.
using ErrorHandler = std::function<void(const AsyncError&)>;

namespace detail
{

/// The handler of a NIC. It may be replaced while it runs, so each run holds it, too.
struct ErrorSink
{
    std::mutex mutex;
    std::shared_ptr<const ErrorHandler> handler;

    std::shared_ptr<const ErrorHandler> Exchange(std::shared_ptr<const ErrorHandler> next)
    {
        const std::lock_guard<std::mutex> lock(mutex);
        return std::exchange(handler, std::move(next));
    }

    static void VI_CALL Call(VIP_PVOID self, VIP_ERROR_DESCRIPTOR* error)
    {
        std::shared_ptr<const ErrorHandler> handler;
        {
            auto& sink = *static_cast<ErrorSink*>(self);
            const std::lock_guard<std::mutex> lock(sink.mutex);
            handler = sink.handler;
        }
        if (handler)
        {
            (*handler)({error->ErrorCode,
                        error->ResourceCode,
                        error->NicHandle,
                        error->ViHandle,
                        error->CQHandle,
                        error->DescriptorPtr,
                        error->OpCode});
        }
    }
};

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
        return VipCloseNic(nic);
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
 * Everything made through it refers to it and must go first: declare it before them.
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
        const VIP_NIC_ATTRIBUTES attributes = Query();
        return NetAddress(
            Bytes(Span<const VIP_UINT8>(attributes.LocalNicAddress, attributes.NicAddressLen)));
    }

    /**
     * @brief One VipErrorCallback: @p handler is told of asynchronous errors from now on.
     *
     * It is kept until another takes its place or the NIC is closed; one that is running then
     * runs to its end. An empty function brings VIPL's own handler back.
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
    }

    /// One VipQuerySystemManagementInfo. @param answer of the type that @p infoType asks for
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

struct NameServiceValue
{
    static constexpr const char* CLOSE_CALL = "VipNSShutdown";
    VIP_NIC_HANDLE nic{nullptr};

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

/// A protection tag: a VI reaches only memory that bears its tag.
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

/// The name service of a NIC, running while this lives. Addresses stay valid afterwards.
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

    NameService(const Nic& nic, std::error_code& error)
    {
        Start(nic, nullptr, error);
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
        error = VipNSGetHostByName(m_value.nic, name.data(), address.Get(), index);
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
        VIP_ULONG length = sizeof(name) - 1;
        error = VipNSGetHostByAddr(m_value.nic, address.Get(), name, &length);
        return error ? std::string() : std::string(name);
    }

  private:
    void Start(const Nic& nic, void* info, std::error_code& error)
    {
        error = VipNSInit(nic.Get(), info);
        m_value.nic = error ? nullptr : nic.Get();
    }
};

} // namespace vipl

#endif // VIPL_NIC_HPP
