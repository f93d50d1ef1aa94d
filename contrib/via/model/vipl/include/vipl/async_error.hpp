/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Asynchronous errors and their handler.

#ifndef VIPL_ASYNC_ERROR_HPP
#define VIPL_ASYNC_ERROR_HPP

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vipl.h>

namespace vipl
{

/// An error that no call returns: VIPL reports it to the NIC's handler.
struct AsyncError
{
    VIP_ERROR_CODE code;        ///< what happened
    VIP_RESOURCE_CODE resource; ///< the handle below that it refers to
    VIP_NIC_HANDLE nic;
    VIP_VI_HANDLE vi;
    VIP_CQ_HANDLE cq;
    VIP_DESCRIPTOR* descriptor;
    VIP_ULONG opCode;

    /// @return the meaning of the code
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

/// Receives asynchronous errors, in the provider's context: return soon.
using ErrorHandler = std::function<void(const AsyncError&)>;

namespace detail
{

/// The handler of a NIC. It may be replaced while it runs, so each run shares ownership.
struct ErrorSink
{
    std::mutex mutex;
    std::shared_ptr<const ErrorHandler> handler;

    std::shared_ptr<const ErrorHandler> Exchange(std::shared_ptr<const ErrorHandler> next)
    {
        const std::lock_guard<std::mutex> lock(mutex);
        return std::exchange(handler, std::move(next));
    }

    /// Notes that VIPL calls this one for @p nic from now on; owners may share a handle.
    void Begin(VIP_NIC_HANDLE nic)
    {
        const std::lock_guard<std::mutex> lock(Guard());
        Called()[nic] = this;
    }

    /// @return whether VIPL called this one for @p nic; it must not any more
    bool End(VIP_NIC_HANDLE nic)
    {
        const std::lock_guard<std::mutex> lock(Guard());
        const auto found = Called().find(nic);
        if (found == Called().end() || found->second != this)
        {
            return false;
        }
        Called().erase(found);
        return true;
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

  private:
    // Both are never destroyed: NICs may be static objects.
    static std::mutex& Guard()
    {
        static auto* const guard = new std::mutex;
        return *guard;
    }

    static std::map<VIP_NIC_HANDLE, const ErrorSink*>& Called()
    {
        static auto* const called = new std::map<VIP_NIC_HANDLE, const ErrorSink*>;
        return *called;
    }
};

} // namespace detail

} // namespace vipl

#endif // VIPL_ASYNC_ERROR_HPP
