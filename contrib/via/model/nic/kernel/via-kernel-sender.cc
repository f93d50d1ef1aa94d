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
    return Post(process, vi, item, vi.SendQueue().items.EndSerial());
}

Moment
KernelSender::RingDeferred(Process& process, VirtualInterface& vi)
{
    process.Spend(Stage::TRAP, m_costs->mechanisms.trap);
    Ring<WorkItem>& items = vi.SendQueue().items;
    const RingSerial end = items.EndSerial();
    const RingSerial first = end - vi.deferred;
    Moment rung = process.Clock();
    for (RingSerial serial = first; serial != end; ++serial)
    {
        const Moment made = Post(process, vi, *items.Find(serial), serial);
        rung = serial == first ? made : rung; // the card starts while the kernel continues
    }
    return rung;
}

Moment
KernelSender::Post(Process& process, VirtualInterface& vi, const WorkItem& item, RingSerial serial)
{
    process.Spend(Stage::KERNEL_DESCRIPTOR, m_costs->mechanisms.kernelDescriptor);
    std::vector<Piece> pieces;
    if (vi.state == ViState::CONNECTED && m_nic.Checks().IsValid(vi, item) &&
        m_nic.Checks().CheckSend(vi, *item.descriptor, pieces) == 0)
    {
        std::vector<Moment> frames = MakeFrames(process, *item.descriptor);
        const Moment first = frames.front();
        m_frames[{vi.id, serial}] = std::move(frames);
        return first;
    }
    return process.GetHost().MmioStore(process.Clock(), m_nic.Card());
}

std::vector<Moment>
KernelSender::MakeFrames(Process& process, const Descriptor& descriptor)
{
    const MechanismCosts& costs = m_costs->mechanisms;
    Host& host = process.GetHost();
    const bool reads = (descriptor.control & Descriptor::OP_MASK) == Descriptor::OP_RDMA_READ;
    const std::uint32_t length = reads ? 0 : descriptor.length;
    process.Spend(Stage::KERNEL_TRANSLATE,
                  costs.kernelTranslate *
                      CountPages(m_nic.GetTpt(), {descriptor, length}, host.Costs().pageBytes));
    std::vector<Moment> frames;
    frames.reserve(length / m_costs->cellPayload + 1);
    std::uint32_t made = 0;
    do
    {
        const FrameBytes bytes(*m_costs, length, static_cast<std::uint32_t>(frames.size()));
        process.Spend(Stage::KERNEL_SEND, costs.kernelSend);
        if (costs.sendCopies && bytes.count > 0)
        {
            process.Spend(Stage::COPY, host.CopyCost(bytes.count, false));
        }
        frames.push_back(host.MmioStore(process.Clock(), m_nic.Card()));
        made = bytes.first + bytes.count;
    } while (made < length);
    return frames;
}

Moment
KernelSender::RingReceive(Process& process, VirtualInterface&, const WorkItem&)
{
    process.Spend(Stage::TRAP, m_costs->mechanisms.trap);
    return process.Clock();
}

Moment
KernelSender::Take(const Doorbell&, Moment at, Ps)
{
    return m_nic.Parts().processor.Work(at,
                                        Stage::DOORBELL_DECODE,
                                        Engine::NIC_SEND,
                                        m_costs->decodeDoorbell);
}

Moment
KernelSender::TakeFrame(Moment at, ViId vi, std::uint64_t item, std::uint32_t frame)
{
    // earlier sends were flushed: the card will never take their frames
    m_frames.erase(m_frames.lower_bound({vi, 0}), m_frames.lower_bound({vi, item}));
    const auto made = m_frames.find({vi, item});
    if (made != m_frames.end() && frame < made->second.size())
    {
        at = Later(at, made->second[frame]);
        if (frame + 1 == made->second.size())
        {
            m_frames.erase(made);
        }
    }
    return FetchEntry(at);
}

Moment
KernelSender::FetchEntry(Moment at)
{
    return m_nic.Parts().dma.Read(at,
                                  Stage::RING_FETCH,
                                  Engine::NIC_SEND,
                                  m_costs->mechanisms.ringEntryBytes);
}

Moment
KernelDescriptors::Take(Moment at, Engine engine, const WorkItem&, std::uint32_t)
{
    return engine == Engine::NIC_SEND ? at
                                      : m_host.KernelSpend(at, Stage::KERNEL_DESCRIPTOR, m_cycles);
}

Moment
KernelTranslation::LookUp(Moment at, Engine engine, const TranslationRequest& request)
{
    if (request.IsLocal() && engine == Engine::NIC_SEND)
    {
        return at;
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
    return m_host.KernelSpend(at, Stage::KERNEL_TRANSLATE, m_perPage * pages);
}

} // namespace via
} // namespace ns3
