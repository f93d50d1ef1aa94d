/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL's return codes and the status of descriptors as std::error_code.

#ifndef VIPL_STATUS_HPP
#define VIPL_STATUS_HPP

#include <cstddef>
#include <iterator>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vipl.h>

namespace vipl
{

namespace detail
{

/// Messages and conditions of VIPL's return codes.
class CallCategory final : public std::error_category
{
  public:
    const char* name() const noexcept override
    {
        return "vipl";
    }

    std::string message(int code) const override
    {
        static const char* const meanings[] = {
            "success",
            "not done yet",
            "invalid parameter",
            "out of resources",
            "timed out",
            "connection rejected",
            "reliability level invalid, not supported or not the peer's",
            "transfer size invalid, not supported or not the peer's",
            "quality of service invalid, not supported or not the peer's",
            "protection tag invalid",
            "RDMA read is not supported",
            "descriptor failed, or none is queued",
            "not possible in this state of the VI",
            "name service failed",
            "nobody waits at that discriminator",
            "host not reachable",
            "not supported by this provider",
        };
        const auto i = static_cast<std::size_t>(code);
        return i < std::size(meanings) ? meanings[i] : "VIPL return code " + std::to_string(code);
    }

    std::error_condition default_error_condition(int code) const noexcept override
    {
        switch (code)
        {
        case VIP_NOT_DONE:
            return std::errc::operation_would_block;
        case VIP_INVALID_PARAMETER:
        case VIP_INVALID_RELIABILITY_LEVEL:
        case VIP_INVALID_MTU:
        case VIP_INVALID_QOS:
        case VIP_INVALID_PTAG:
            return std::errc::invalid_argument;
        case VIP_ERROR_RESOURCE:
            return std::errc::not_enough_memory;
        case VIP_TIMEOUT:
            return std::errc::timed_out;
        case VIP_REJECT:
        case VIP_NO_MATCH:
            return std::errc::connection_refused;
        case VIP_DESCRIPTOR_ERROR:
            return std::errc::io_error;
        case VIP_NOT_REACHABLE:
            return std::errc::host_unreachable;
        case VIP_INVALID_RDMAREAD:
        case VIP_ERROR_NOT_SUPPORTED:
            return std::errc::not_supported;
        default: // an invalid state and a name service error have no POSIX equivalent
            return std::error_condition(code, *this);
        }
    }
};

/// Messages of the error bits in a descriptor's status; a code is a set of bits.
class StatusCategory final : public std::error_category
{
  public:
    const char* name() const noexcept override
    {
        return "vipl descriptor";
    }

    std::string message(int bits) const override
    {
        static const std::pair<int, const char*> meanings[] = {
            {VIP_STATUS_FORMAT_ERROR, "malformed descriptor"},
            {VIP_STATUS_PROTECTION_ERROR, "local memory may not be used"},
            {VIP_STATUS_LENGTH_ERROR, "wrong length"},
            {VIP_STATUS_PARTIAL_ERROR, "failed half way"},
            {VIP_STATUS_DESC_FLUSHED_ERROR, "flushed"},
            {VIP_STATUS_TRANSPORT_ERROR, "transport failed"},
            {VIP_STATUS_RDMA_PROT_ERROR, "remote memory may not be used"},
            {VIP_STATUS_REMOTE_DESC_ERROR, "the peer's receive failed"},
        };
        std::string text;
        for (const auto& [bit, meaning] : meanings)
        {
            if ((bits & bit) != 0)
            {
                text += (text.empty() ? "" : ", ") + std::string(meaning);
            }
        }
        return text.empty() ? "success" : text;
    }

    std::error_condition default_error_condition(int bits) const noexcept override
    {
        switch (bits)
        {
        case VIP_STATUS_FORMAT_ERROR:
            return std::errc::invalid_argument;
        case VIP_STATUS_PROTECTION_ERROR:
        case VIP_STATUS_RDMA_PROT_ERROR:
            return std::errc::permission_denied;
        case VIP_STATUS_LENGTH_ERROR:
            return std::errc::message_size;
        case VIP_STATUS_DESC_FLUSHED_ERROR:
            return std::errc::operation_canceled;
        case VIP_STATUS_TRANSPORT_ERROR:
            return std::errc::connection_reset;
        case VIP_STATUS_REMOTE_DESC_ERROR:
            return std::errc::no_buffer_space;
        default:
            return std::error_condition(bits, *this);
        }
    }

    /// A status with several bits is equivalent to each of them.
    bool equivalent(const std::error_code& code, int condition) const noexcept override
    {
        return code.category() == *this && (code.value() & condition) != 0;
    }
};

} // namespace detail

/// Category of VIP_RETURN, named "vipl". @return always the same object
inline const std::error_category&
Category() noexcept
{
    static const detail::CallCategory category;
    return category;
}

/// Category of a descriptor's error bits, named "vipl descriptor". @return always the same object
inline const std::error_category&
DescriptorCategory() noexcept
{
    static const detail::StatusCategory category;
    return category;
}

/// Error bits of a status. As std::error_condition: equal to each code that has the bit.
enum class StatusError : VIP_UINT32
{
    Format = VIP_STATUS_FORMAT_ERROR,                ///< the descriptor is malformed
    Protection = VIP_STATUS_PROTECTION_ERROR,        ///< handle, range or tag of local memory
    Length = VIP_STATUS_LENGTH_ERROR,                ///< lengths disagree or exceed a limit
    Partial = VIP_STATUS_PARTIAL_ERROR,              ///< part of the data was already sent
    Flushed = VIP_STATUS_DESC_FLUSHED_ERROR,         ///< removed by a disconnect or an error
    Transport = VIP_STATUS_TRANSPORT_ERROR,          ///< the connection failed
    RdmaProtection = VIP_STATUS_RDMA_PROT_ERROR,     ///< the peer refused access
    RemoteDescriptor = VIP_STATUS_REMOTE_DESC_ERROR, ///< the peer's receive failed
};

inline std::error_condition
make_error_condition(StatusError error) noexcept
{
    return {static_cast<int>(error), DescriptorCategory()};
}

/// The operation of a descriptor.
enum class Operation : VIP_UINT32
{
    Send = VIP_STATUS_OP_SEND,
    Receive = VIP_STATUS_OP_RECEIVE,
    RdmaWrite = VIP_STATUS_OP_RDMA_WRITE,
    RemoteRdmaWrite = VIP_STATUS_OP_REMOTE_RDMA_WRITE, ///< a receive consumed by an RDMA write
    RdmaRead = VIP_STATUS_OP_RDMA_READ,
};

/// The typed status word of a descriptor.
class Status
{
  public:
    constexpr Status() noexcept = default;

    explicit constexpr Status(VIP_UINT32 bits) noexcept
        : m_bits(bits)
    {
    }

    constexpr VIP_UINT32 Bits() const noexcept
    {
        return m_bits;
    }

    /// The descriptor is complete, with or without an error.
    constexpr bool Done() const noexcept
    {
        return (m_bits & VIP_STATUS_DONE) != 0;
    }

    /// Complete, without an error.
    constexpr bool Ok() const noexcept
    {
        return (m_bits & (VIP_STATUS_DONE | VIP_STATUS_ERROR_MASK)) == VIP_STATUS_DONE;
    }

    constexpr bool Has(StatusError error) const noexcept
    {
        return (m_bits & static_cast<VIP_UINT32>(error)) != 0;
    }

    /// The operation. Meaningful once Done().
    constexpr vipl::Operation Operation() const noexcept
    {
        return static_cast<vipl::Operation>(m_bits & VIP_STATUS_OP_MASK);
    }

    /// Immediate data came with it.
    constexpr bool HasImmediate() const noexcept
    {
        return (m_bits & VIP_STATUS_IMMEDIATE) != 0;
    }

    /// The error bits, in DescriptorCategory(); no error if there are none.
    std::error_code Error() const noexcept
    {
        return {static_cast<int>(m_bits & VIP_STATUS_ERROR_MASK), DescriptorCategory()};
    }

  private:
    VIP_UINT32 m_bits{0};
};

namespace detail
{

/// Calls a function that reports through an error_code; throws std::system_error naming @p call.
template <class F>
auto
OrThrow(const char* call, F&& function)
{
    std::error_code error;
    if constexpr (std::is_void_v<decltype(function(error))>)
    {
        function(error);
        if (error)
        {
            throw std::system_error(error, call);
        }
    }
    else
    {
        auto result = function(error);
        if (error)
        {
            throw std::system_error(error, call);
        }
        return result;
    }
}

} // namespace detail

} // namespace vipl

/// Makes VIP_RETURN convertible to, and comparable with, std::error_code.
inline std::error_code
make_error_code(VIP_RETURN code) noexcept
{
    return {static_cast<int>(code), vipl::Category()};
}

namespace std
{

template <>
struct is_error_code_enum<VIP_RETURN> : true_type
{
};

template <>
struct is_error_condition_enum<vipl::StatusError> : true_type
{
};

} // namespace std

#endif // VIPL_STATUS_HPP
