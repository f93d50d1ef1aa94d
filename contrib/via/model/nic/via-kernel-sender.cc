/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A card without VIA: what the host's kernel does to send, and its checks.

#include "ns3/via-kernel-path.h"
#include "ns3/via-nic.h"

#include <algorithm>

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
    process.Spend(Stage::KERNEL_DESCRIPTOR, m_costs->mechanisms.kernelDescriptor);
    std::vector<Piece> pieces;
    if (vi.state == ViState::CONNECTED && m_nic.Checks().IsValid(vi, item) &&
        m_nic.Checks().CheckSend(vi, *item.descriptor, pieces) == 0)
    {
        MakeFrames(process, vi, item);
        return m_frames[{vi.id, vi.send.items.EndSerial()}].front();
    }
    return process.GetHost().MmioStore(process.Clock());
}

void
KernelSender::MakeFrames(Process& process, VirtualInterface& vi, const WorkItem& item)
{
    const MechanismCosts& costs = m_costs->mechanisms;
    Host& host = process.GetHost();
    const Descriptor& descriptor = *item.descriptor;
    const bool reads = (descriptor.control & Descriptor::OP_MASK) == Descriptor::OP_RDMA_READ;
    const std::uint32_t length = reads ? 0 : descriptor.length;
    process.Spend(
        Stage::KERNEL_TRANSLATE,
        costs.kernelTranslate *
            CountPages(m_nic.GetTpt(), descriptor, length, host.Costs().pageBytes));
    std::vector<Moment> frames;
    std::uint32_t made = 0;
    do
    {
        const FrameBytes bytes(*m_costs, length, static_cast<std::uint32_t>(frames.size()));
        process.Spend(Stage::KERNEL_SEND, costs.kernelSend);
        if (costs.sendCopies && bytes.count > 0)
        {
            process.Spend(Stage::COPY, host.CopyCost(bytes.count, false));
        }
        frames.push_back(host.MmioStore(process.Clock()));
        made = bytes.first + bytes.count;
    } while (made < length);
    m_frames[{vi.id, vi.send.items.EndSerial()}] = std::move(frames);
}

Moment
KernelSender::RingReceive(Process& process)
{
    process.Spend(Stage::TRAP, m_costs->mechanisms.trap);
    return process.Clock();
}

Moment
KernelSender::RingDeferred(Process& process)
{
    process.Spend(Stage::TRAP, m_costs->mechanisms.trap);
    return process.GetHost().MmioStore(process.Clock());
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
    // what was flushed before it began will never be taken
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
KernelTranslation::Segments(Moment at,
                            Engine engine,
                            const Descriptor& descriptor,
                            std::uint64_t bytes)
{
    if (engine == Engine::NIC_SEND)
    {
        return at;
    }
    const std::uint64_t pages = CountPages(m_tpt, descriptor, bytes, m_host.Costs().pageBytes);
    return m_host.KernelSpend(at, Stage::KERNEL_TRANSLATE, m_perPage * pages);
}

Moment
KernelTranslation::Range(Moment at,
                         Engine,
                         MemoryHandle handle,
                         std::uint64_t address,
                         std::uint64_t bytes)
{
    std::uint64_t pages = 0;
    const Region* region = m_tpt.Find(handle);
    if (region != nullptr && address >= region->base)
    {
        ForEachPage(*region, address, bytes, m_host.Costs().pageBytes, [&](PageName) { ++pages; });
    }
    return m_host.KernelSpend(at, Stage::KERNEL_TRANSLATE, m_perPage * pages);
}

} // namespace via
} // namespace ns3
