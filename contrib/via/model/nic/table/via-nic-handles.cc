/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What processes have open on a NIC.

#include "via-nic-handles.h"

#include "ns3/via-nic.h"

#include <algorithm>

namespace ns3
{
namespace via
{

std::uint32_t
NicHandles::Open(AsyncListener* listener)
{
    m_owners.push_back(listener);
    return static_cast<std::uint32_t>(m_owners.size() - 1);
}

bool
NicHandles::HasObjects(std::uint32_t owner) const
{
    const auto isOurs = [owner](const auto* vi) { return vi->owner == owner; };
    const auto cqIsOurs = [owner](const auto& cq) { return cq->Owner() == owner; };
    const auto vis = m_nic.Vis().All();
    return std::any_of(vis.begin(), vis.end(), isOurs) ||
           std::any_of(m_cqs.begin(), m_cqs.end(), cqIsOurs) ||
           !m_nic.GetTpt().HandlesOf(owner).empty() || !m_nic.GetTpt().TagsOf(owner).empty();
}

void
NicHandles::CloseAll(std::uint32_t owner, Moment at)
{
    m_owners[owner] = nullptr;
    if (ConnectionManager* manager = m_nic.GetViConnections().KnownManager())
    {
        manager->CloseAll(owner, at);
    }
    for (VirtualInterface* vi : m_nic.Vis().All())
    {
        if (vi->owner == owner)
        {
            m_nic.GetViConnections().Disconnect(*vi, at);
            DestroyVi(vi->id);
        }
    }
    for (const MemoryHandle handle : m_nic.GetTpt().HandlesOf(owner))
    {
        Deregister(handle);
    }
    for (const Ptag tag : m_nic.GetTpt().TagsOf(owner))
    {
        m_nic.GetTpt().DestroyTag(tag);
    }
    const auto isOurs = [owner](const auto& cq) { return cq->Owner() == owner; };
    m_cqs.erase(std::remove_if(m_cqs.begin(), m_cqs.end(), isOurs), m_cqs.end());
}

void
NicHandles::Deregister(MemoryHandle handle)
{
    m_nic.Sender().OnDeregistered(handle);
    m_nic.GetTpt().Deregister(handle);
}

VirtualInterface&
NicHandles::CreateVi(const ViAttributes& attributes,
                     std::uint32_t owner,
                     std::uint32_t rank,
                     CompletionQueue* sendCq,
                     CompletionQueue* receiveCq)
{
    VirtualInterface& vi = m_nic.Vis().Create();
    vi.owner = owner;
    vi.rank = rank;
    vi.attributes = attributes;
    if (sendCq != nullptr)
    {
        vi.MakeExtras().sendCq = sendCq;
        ++sendCq->bindings;
    }
    if (receiveCq != nullptr)
    {
        vi.MakeExtras().receiveCq = receiveCq;
        ++receiveCq->bindings;
    }
    return vi;
}

void
NicHandles::DestroyVi(ViId id)
{
    VirtualInterface& vi = *m_nic.FindVi(id);
    for (CompletionQueue* cq : {vi.CqOf(false), vi.CqOf(true)})
    {
        if (cq != nullptr)
        {
            cq->Purge(id);
            --cq->bindings;
        }
    }
    if (ConnectionManager* manager = m_nic.GetViConnections().KnownManager())
    {
        manager->Forget(id);
    }
    m_nic.Sender().OnDestroyed(id);
    m_nic.Vis().Destroy(id);
}

CompletionQueue&
NicHandles::CreateCq(std::uint32_t entries, std::uint32_t owner)
{
    m_cqs.push_back(std::make_unique<CompletionQueue>(entries, owner));
    return *m_cqs.back();
}

void
NicHandles::DestroyCq(CompletionQueue* cq)
{
    m_cqs.erase(std::find_if(m_cqs.begin(), m_cqs.end(), [cq](const auto& other) {
        return other.get() == cq;
    }));
}

void
NicHandles::Raise(const VirtualInterface& vi,
                  AsyncCode code,
                  Ps at,
                  CompletionQueue* cq,
                  Descriptor* descriptor)
{
    if (m_owners[vi.owner] != nullptr)
    {
        m_owners[vi.owner]->OnAsyncError({code, vi.id, cq, at, vi.owner, descriptor});
    }
}

} // namespace via
} // namespace ns3
