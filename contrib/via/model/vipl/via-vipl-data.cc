/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL: posting descriptors, harvesting work queues, completion queues.

#include "via-vipl.h"

namespace ns3
{
namespace via
{

static_assert(sizeof(VIP_DESCRIPTOR) == 64 && offsetof(VIP_DESCRIPTOR, CS) == 0 &&
                  offsetof(VIP_DESCRIPTOR, DS) == Descriptor::CONTROL_BYTES,
              "programs and NIC see the same descriptor");

VIP_RETURN
Vipl::Post(VIP_VI_HANDLE handle, VIP_DESCRIPTOR* descriptor, VIP_MEM_HANDLE memory, bool receive)
{
    OpenedVi* const opened = m_vis.Find(handle);
    VirtualInterface* const vi = FindVi(opened);
    ViLibrary& library = Library();
    if (vi == nullptr || descriptor == nullptr)
    {
        return Charge(Stage::CALL_SETUP, library.Costs().query, VIP_INVALID_PARAMETER);
    }
    const Use use(opened);
    auto* raw = reinterpret_cast<Descriptor*>(descriptor);
    if (receive)
    {
        library.PostReceive(*vi, raw, memory);
    }
    else
    {
        library.PostSend(*vi, raw, memory);
    }
    library.GetProcess().Settle();
    return VIP_SUCCESS;
}

VIP_RETURN
Vipl::Answer(const Harvest& harvest, VIP_DESCRIPTOR** descriptor)
{
    ProgramMemory::Write(descriptor, reinterpret_cast<VIP_DESCRIPTOR*>(harvest.descriptor));
    if (harvest.result == Harvest::NOT_DONE)
    {
        return VIP_NOT_DONE;
    }
    const bool fine =
        harvest.result == Harvest::DONE && (harvest.status & Descriptor::ERROR_MASK) == 0;
    return fine ? VIP_SUCCESS : VIP_DESCRIPTOR_ERROR;
}

VIP_RETURN
Vipl::Answer(const Completion& completion, VIP_VI_HANDLE* vi, VIP_BOOLEAN* receive)
{
    ProgramMemory::Write(vi, HandleOf(completion.vi));
    ProgramMemory::Write(receive, completion.receive ? VIP_TRUE : VIP_FALSE);
    return VIP_SUCCESS;
}

VIP_RETURN
Vipl::Done(VIP_VI_HANDLE handle, VIP_DESCRIPTOR** descriptor, bool receive)
{
    OpenedVi* const opened = m_vis.Find(handle);
    VirtualInterface* const vi = FindVi(opened);
    ViLibrary& library = Library();
    const ViplCosts& costs = library.Costs();
    if (vi == nullptr || descriptor == nullptr)
    {
        return Charge(Stage::CALL_SETUP, costs.query, VIP_INVALID_PARAMETER);
    }
    const Use use(opened);
    const Harvest harvest = library.Poll(*vi, receive);
    const WorkItem* head = vi->QueueOf(receive).Head();
    if (harvest.result == Harvest::NOT_DONE && head != nullptr)
    {
        Caller().NoteVainPoll({handle,
                               receive ? FiberThread::Polled::RECEIVES : FiberThread::Polled::SENDS,
                               Stage::CALL_POLL,
                               costs.doneMiss,
                               head->visible.at});
    }
    return Answer(harvest, descriptor);
}

VIP_RETURN
Vipl::CreateCq(VIP_NIC_HANDLE nic, VIP_ULONG entries, VIP_CQ_HANDLE* cq)
{
    const OpenedNic* opened = FindNic(nic);
    if (opened == nullptr || cq == nullptr || entries == 0)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    const NicLimits& limits = m_nic.Limits();
    if (entries > limits.cqEntries || m_nic.GetHandles().CqCount() >= limits.cqs)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().createCq, VIP_ERROR_RESOURCE);
    }
    ProgramMemory::Write(cq,
                         m_cqs.Add(&m_nic.GetHandles().CreateCq(static_cast<std::uint32_t>(entries),
                                                                opened->owner)));
    return Charge(Stage::CALL_SETUP, Library().Costs().createCq);
}

VIP_RETURN
Vipl::DestroyCq(VIP_CQ_HANDLE handle)
{
    Caller().Reach();
    CompletionQueue** cq = m_cqs.Find(handle);
    if (cq == nullptr)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    if ((*cq)->bindings > 0)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().destroyCq, VIP_ERROR_RESOURCE);
    }
    m_claims.Cancel(CompletionClaims::KeyOf(handle, false));
    UntieAll(handle);
    m_nic.GetHandles().DestroyCq(*cq);
    m_cqs.Remove(handle);
    return Charge(Stage::CALL_SETUP, Library().Costs().destroyCq);
}

VIP_RETURN
Vipl::ResizeCq(VIP_CQ_HANDLE handle, VIP_ULONG entries)
{
    Caller().Reach();
    CompletionQueue** cq = m_cqs.Find(handle);
    if (cq == nullptr || entries == 0)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    if (entries > m_nic.Limits().cqEntries ||
        entries < (*cq)->Size() + m_nic.GetCompletions().EntriesFor(**cq))
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().resizeCq, VIP_ERROR_RESOURCE);
    }
    (*cq)->Resize(static_cast<std::uint32_t>(entries));
    return Charge(Stage::CALL_SETUP, Library().Costs().resizeCq);
}

VIP_RETURN
Vipl::CqDone(VIP_CQ_HANDLE handle, VIP_VI_HANDLE* vi, VIP_BOOLEAN* receive)
{
    CompletionQueue** cq = m_cqs.Find(handle);
    if (cq == nullptr || vi == nullptr || receive == nullptr)
    {
        return Charge(Stage::CALL_SETUP, Library().Costs().query, VIP_INVALID_PARAMETER);
    }
    const Use use(*cq);
    ViLibrary& library = Library();
    Completion completion;
    if (library.PollCq(**cq, completion))
    {
        return Answer(completion, vi, receive);
    }
    const Completion* next = (*cq)->Next();
    Caller().NoteVainPoll({handle,
                           FiberThread::Polled::COMPLETIONS,
                           Stage::CALL_CQ_POLL,
                           library.Costs().cqDoneMiss,
                           next == nullptr ? PS_NEVER : next->visible.at});
    return VIP_NOT_DONE;
}

} // namespace via
} // namespace ns3
