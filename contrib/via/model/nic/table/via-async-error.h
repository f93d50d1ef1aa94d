/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Asynchronous errors of a NIC, and their listener.

#ifndef VIA_ASYNC_ERROR_H
#define VIA_ASYNC_ERROR_H

#include "ns3/via-completion-queue.h"
#include "ns3/via-descriptor.h"

namespace ns3
{
namespace via
{

/// Kinds of asynchronous errors, numbered as in <vipl.h>.
enum class AsyncCode
{
    POST_DESCRIPTOR = 0,
    CONNECTION_LOST = 1,
    RECEIVE_QUEUE_EMPTY = 2,
    VI_OVERRUN = 3,
    RDMA_WRITE_PROTECTION = 4,
    RDMA_WRITE_DATA = 5,
    RDMA_WRITE_ABORT = 6,
    RDMA_READ_PROTECTION = 7,
    COMPLETION_PROTECTION = 8,
    RDMA_TRANSPORT = 9,
    CATASTROPHIC = 10,
};

/// An error that no call can return.
struct AsyncError
{
    AsyncCode code{AsyncCode::POST_DESCRIPTOR};
    ViId vi{0};
    CompletionQueue* cq{nullptr}; ///< the CQ that overflowed, or null
    Ps at{0};
    std::uint32_t owner{0};          ///< NIC handle through which the VI was created
    Descriptor* descriptor{nullptr}; ///< the descriptor that could not be used, or null
};

/// Gets the asynchronous errors of one NIC handle.
class AsyncListener
{
  public:
    virtual ~AsyncListener() = default;
    virtual void OnAsyncError(const AsyncError& error) = 0;
};

} // namespace via
} // namespace ns3

#endif // VIA_ASYNC_ERROR_H
