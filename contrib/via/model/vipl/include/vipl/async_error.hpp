/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Asynchronous errors and their handler.

#ifndef VIPL_ASYNC_ERROR_HPP
#define VIPL_ASYNC_ERROR_HPP

#include <functional>
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

} // namespace detail

} // namespace vipl

#endif // VIPL_ASYNC_ERROR_HPP
