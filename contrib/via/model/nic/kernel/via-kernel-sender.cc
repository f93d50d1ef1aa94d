/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A card without VIA: the kernel's send path and its checks.

#include "ns3/via-kernel-path.h"
#include "ns3/via-nic.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace via
{

FrameBytes::FrameBytes(const NicCosts& costs, std::uint32_t length, std::uint32_t frame)
    : first(frame == 0 ? 0 : std::min(frame * costs.cellPayload - costs.messageHeader, length)),
      count(std::min((frame + 1) * costs.cellPayload - costs.messageHeader, length) - first)
{
}

Moment
KernelSender::RingSend(Process& process, VirtualInterface& vi, const WorkItem& item)
{
    process.Spend(Stage::TRAP, m_costs->mechanisms.trap);
    Frames frames;
    const Moment rung = Begin(process, vi, item, frames);
    m_frames[{vi.id, vi.SendQueue().items.EndSerial()}] = std::move(frames); // it is posted next
    return rung;
}

Moment
KernelSender::RingDeferred(Process& process, VirtualInterface& vi)
{
    process.Spend(Stage::TRAP, m_costs->mechanisms.trap);
    const RingSerial end = vi.SendQueue().items.EndSerial();
    const RingSerial first = end - vi.deferred;
    for (RingSerial serial = first; serial != end; ++serial)
    {
        m_frames[{vi.id, serial}].rank = process.Rank(); // the card knows of all at once
    }
    return BeginPosted(process, vi, first);
}

Moment
KernelSender::BeginPosted(Process& process, VirtualInterface& vi, RingSerial serial)
{
    const WorkItem* posted = vi.SendQueue().items.Find(serial);
    if (posted == nullptr)
    {
        return process.Clock(); // another thread was faster
    }
    const WorkItem item = *posted;
    Frames frames;
    const Moment rung = Begin(process, vi, item, frames);
    Frames& own = m_frames[{vi.id, serial}];
    if (own.made.empty() && !own.isOver) // else another thread was faster
    {
        own = std::move(frames);
        m_nic.Sender().OnFrameMade();
    }
    return rung;
}

void
KernelSender::EndCall(Process& process, VirtualInterface& vi, RingSerial first, RingSerial end)
{
    for (RingSerial serial = first; serial != end; ++serial)
    {
        const auto next = m_frames.find({vi.id, serial});
        if (next == m_frames.end())
        {
            continue; // the card needs no more of them
        }
        if (vi.SendQueue().items.Find(serial) == nullptr)
        {
            next->second.isOver = true; // flushed and reaped while the kernel worked
            m_nic.Sender().OnFrameMade();
            continue;
        }
        if (next->second.made.empty() && !next->second.isOver)
        {
            BeginPosted(process, vi, serial);
        }
        MakeOthers(process, {vi.id, serial});
    }
}

Moment
KernelSender::Begin(Process& process, VirtualInterface& vi, const WorkItem& item, Frames& frames)
{
    const MechanismCosts& costs = m_costs->mechanisms;
    frames.rank = process.Rank();
    process.Spend(Stage::KERNEL_DESCRIPTOR, costs.kernelDescriptor);
    std::vector<Piece> pieces;
    if (vi.state != ViState::CONNECTED || !m_nic.Checks().IsValid(vi, item) ||
        m_nic.Checks().CheckSend(vi, *item.descriptor, pieces) != 0)
    {
        frames.isOver = true;
        process.Reach(); // the store meets the bus as it is then
        return process.GetHost().MmioStore(process.Clock(), m_nic.Card());
    }
    const Descriptor& descriptor = *item.descriptor;
    const bool reads = (descriptor.control & Descriptor::OP_MASK) == Descriptor::OP_RDMA_READ;
    frames.length = reads ? 0 : descriptor.length;
    const std::uint64_t pages = CountPages(m_nic.GetTpt(),
                                           {descriptor, frames.length},
                                           process.GetHost().Costs().pageBytes);
    process.Spend(Stage::KERNEL_TRANSLATE, costs.kernelTranslate * pages);
    Add(frames, Make(process, frames.length, 0));
    return frames.made.front();
}

Moment
KernelSender::Make(Process& process, std::uint32_t length, std::size_t frame) const
{
    const MechanismCosts& costs = m_costs->mechanisms;
    Host& host = process.GetHost();
    const FrameBytes bytes(*m_costs, length, static_cast<std::uint32_t>(frame));
    process.Spend(Stage::KERNEL_SEND, costs.kernelSend);
    if (costs.sendCopies && bytes.count > 0)
    {
        process.Spend(Stage::COPY, host.CopyCost(bytes.count, false));
    }
    process.Reach(); // the store meets the bus as it is then
    return host.MmioStore(process.Clock(), m_nic.Card());
}

void
KernelSender::Add(Frames& frames, Moment made) const
{
    const auto number = static_cast<std::uint32_t>(frames.made.size());
    const FrameBytes bytes(*m_costs, frames.length, number);
    frames.made.push_back(made);
    frames.isOver = bytes.first + bytes.count >= frames.length;
}

void
KernelSender::MakeOthers(Process& process, Key key)
{
    for (auto own = m_frames.find(key); own != m_frames.end() && !own->second.isOver;)
    {
        const Moment made = Make(process, own->second.length, own->second.made.size());
        own = m_frames.find(key); // others may have had their turn
        if (own != m_frames.end())
        {
            Add(own->second, made);
            m_nic.Sender().OnFrameMade();
        }
    }
}

void
KernelSender::Forget(std::uint32_t rank, Moment)
{
    for (auto& [key, frames] : m_frames)
    {
        frames.isOver |= frames.rank == rank; // the card does not wait for the rest
    }
    m_nic.Sender().OnFrameMade();
}

Moment
KernelSender::RingReceive(Process& process, VirtualInterface&, const WorkItem&)
{
    process.Spend(Stage::TRAP, m_costs->mechanisms.trap);
    return process.Clock();
}

void
KernelSender::Take(CardTask& engine, const Doorbell&, Ps)
{
    engine.Work(Stage::DOORBELL_DECODE, m_costs->decodeDoorbell);
}

Ps
KernelSender::MadeAt(ViId vi, std::uint64_t item, std::uint32_t frame) const
{
    const auto own = m_frames.find({vi, item});
    if (own == m_frames.end())
    {
        return 0;
    }
    const Frames& frames = own->second;
    if (frame < frames.made.size())
    {
        return frames.made[frame].at;
    }
    return frames.isOver ? 0 : PS_NEVER;
}

void
KernelSender::TakeFrame(CardTask& engine, ViId vi, std::uint64_t item, std::uint32_t frame)
{
    // earlier sends were flushed: the card will never take their frames
    m_frames.erase(m_frames.lower_bound({vi, 0}), m_frames.lower_bound({vi, item}));
    const auto own = m_frames.find({vi, item});
    if (own != m_frames.end() && frame < own->second.made.size())
    {
        engine.Follow(Later(engine.At(), own->second.made[frame]));
    }
    if (own != m_frames.end() && own->second.isOver && frame + 1 >= own->second.made.size())
    {
        m_frames.erase(own);
    }
    FetchEntry(engine);
}

void
KernelSender::FetchEntry(CardTask& engine)
{
    engine.Read(Stage::RING_FETCH, m_costs->mechanisms.ringEntryBytes);
}

void
KernelDescriptors::Take(CardTask& engine, const WorkItem&, std::uint32_t)
{
    if (engine.Owner() == Engine::NIC_RECEIVE)
    {
        engine.Follow(m_host.KernelSpend(engine.At(), Stage::KERNEL_DESCRIPTOR, m_cycles));
    }
}

void
KernelTranslation::LookUp(CardTask& engine, const TranslationRequest& request)
{
    if (request.IsLocal() && engine.Owner() == Engine::NIC_SEND)
    {
        return;
    }
    const std::uint32_t pageBytes = m_host.Costs().pageBytes;
    std::uint64_t pages = 0;
    request.ForEachRange([&](MemoryHandle handle, std::uint64_t address, std::uint64_t bytes) {
        // the kernel looks through the pages that a peer names before it knows where they end
        const Region* region =
            request.IsLocal() ? RegionOf(m_tpt, handle, address, bytes) : m_tpt.Find(handle);
        if (region != nullptr && address >= region->base)
        {
            ForEachPage(*region, address, bytes, pageBytes, [&](PageName) { ++pages; });
        }
    });
    engine.Follow(m_host.KernelSpend(engine.At(), Stage::KERNEL_TRANSLATE, m_perPage * pages));
}

} // namespace via
} // namespace ns3
