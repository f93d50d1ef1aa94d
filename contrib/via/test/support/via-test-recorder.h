/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// For tests of handlers: a handler that records its calls, and peers that send.

#ifndef VIA_TEST_RECORDER_H
#define VIA_TEST_RECORDER_H

#include "support/via-test-vipl-bench.h"

namespace ns3
{
namespace via
{
namespace test
{

/// One call of a handler.
struct Call
{
    int tag;
    Ps at;
    VIP_NIC_HANDLE nic;
    VIP_VI_HANDLE vi;
    VIP_DESCRIPTOR* descriptor;
    VIP_BOOLEAN receive;
};

/// Records calls of handlers: the tag of the registration, and the arguments.
class Recorder
{
  public:
    VIP_RETURN OnReceive(VIP_VI_HANDLE vi, int tag = 0)
    {
        return VipRecvNotify(vi, New(tag), &Recorder::OnDescriptor);
    }

    VIP_RETURN OnSend(VIP_VI_HANDLE vi, int tag = 0)
    {
        return VipSendNotify(vi, New(tag), &Recorder::OnDescriptor);
    }

    VIP_RETURN OnEntry(VIP_CQ_HANDLE cq, int tag = 0)
    {
        return VipCQNotify(cq, New(tag), &Recorder::OnCompletion);
    }

    /// Tags in the order of calls.
    std::string Tags() const
    {
        std::string tags;
        for (const Call& call : calls)
        {
            tags += std::to_string(call.tag);
        }
        return tags;
    }

    std::vector<Call> calls;
    std::function<void(const Call&)> then; ///< called with each call

  private:
    struct Context
    {
        Recorder* self;
        int tag;
    };

    Context* New(int tag)
    {
        m_contexts.push_back(std::make_unique<Context>(Context{this, tag}));
        return m_contexts.back().get();
    }

    void Record(const Call& call)
    {
        calls.push_back(call);
        if (then)
        {
            then(call);
        }
    }

    static void OnDescriptor(VIP_PVOID context,
                             VIP_NIC_HANDLE nic,
                             VIP_VI_HANDLE vi,
                             VIP_DESCRIPTOR* descriptor)
    {
        const auto* known = static_cast<Context*>(context);
        known->self->Record({known->tag, Now(), nic, vi, descriptor, VIP_FALSE});
    }

    static void OnCompletion(VIP_PVOID context,
                             VIP_NIC_HANDLE nic,
                             VIP_VI_HANDLE vi,
                             VIP_BOOLEAN receive)
    {
        const auto* known = static_cast<Context*>(context);
        known->self->Record({known->tag, Now(), nic, vi, nullptr, receive});
    }

    std::vector<std::unique_ptr<Context>> m_contexts;
};

/// Sends @p count empty messages, 10 ms apart.
inline PairBody
Sends(int count)
{
    return [count](Party& self, Party&) {
        for (int i = 0; i < count; ++i)
        {
            Pause(10 * PS_PER_MS);
            self.Send(self.Make({}));
        }
    };
}

/// An instant after everything that a test waits for.
constexpr Ps LATER = 100 * PS_PER_MS;

/// A party with a completion queue.
inline Setup
WithCq()
{
    Setup setup;
    setup.cqEntries = 16;
    return setup;
}

} // namespace test
} // namespace via
} // namespace ns3

#endif // VIA_TEST_RECORDER_H
