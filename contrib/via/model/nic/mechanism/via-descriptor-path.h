/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// How the card gets a descriptor: by DMA, from its own memory, or not at all.

#ifndef VIA_DESCRIPTOR_PATH_H
#define VIA_DESCRIPTOR_PATH_H

#include "ns3/via-card-task.h"
#include "ns3/via-descriptor-checks.h"
#include "ns3/via-process.h"

namespace ns3
{
namespace via
{

class Nic;

/// The choice `nic.descriptor`. CPUs write DescriptorChecks::Bytes; cards fetch FetchBytes.
class DescriptorPath
{
  public:
    virtual ~DescriptorPath() = default;

    /// The work of the CPU when the program posts a descriptor to a VI's receive queue (true) or
    /// send queue (false), before it rings the doorbell.
    virtual void Post(Process&, const VirtualInterface&, bool, std::uint32_t)
    {
    }

    /// The last item of a receive queue has just been posted, and the card knows it.
    virtual void OnPosted(VirtualInterface&)
    {
    }

    /// A message has just taken an item of a receive queue.
    virtual void OnTaken(VirtualInterface&, Moment)
    {
    }

    /// An engine gets the descriptor, which is not WorkItem::COMING.
    virtual void Take(CardTask& engine, const WorkItem& item, std::uint32_t bytes) = 0;

    /// Time in ps that Take of a send needs at least.
    virtual Ps LeastTake() const
    {
        return 0;
    }
};

/**
 * @brief The card reads each descriptor from host memory when it needs it.
 *
 * The card prefetches the first `nic.descriptor_prefetch` descriptors of each receive queue as soon
 * as it knows of them and has room. If it needs one that is still being read, it waits
 * (descriptor-wait).
 */
class FetchedDescriptors final : public DescriptorPath
{
  public:
    FetchedDescriptors(Nic& nic, std::uint32_t ahead)
        : m_nic(nic),
          m_ahead(ahead)
    {
    }

    void OnPosted(VirtualInterface& vi) override;
    void OnTaken(VirtualInterface& vi, Moment at) override;
    void Take(CardTask& engine, const WorkItem& item, std::uint32_t bytes) override;
    Ps LeastTake() const override;

  private:
    /// Begins to prefetch receive @p serial of @p vi at @p at, or when the card knows of it.
    void Fetch(VirtualInterface& vi, RingSerial serial, Moment at);

    Nic& m_nic;
    std::uint32_t m_ahead;
};

/**
 * @brief The CPU writes descriptors into the card's memory, word by word. The card needs no DMA.
 *
 * The CPU is busy until the bus has accepted the last word.
 */
class WrittenDescriptors final : public DescriptorPath
{
  public:
    /// @param bus of the host that the card is on
    WrittenDescriptors(const ClockDomain& clock, Cycles read, std::uint32_t bus)
        : m_clock(clock),
          m_read(read),
          m_bus(bus)
    {
    }

    void Post(Process& process, const VirtualInterface&, bool, std::uint32_t bytes) override;
    void Take(CardTask& engine, const WorkItem& item, std::uint32_t bytes) override;
    Ps LeastTake() const override;

  private:
    const ClockDomain& m_clock; ///< of the card
    Cycles m_read;
    std::uint32_t m_bus;
};

} // namespace via
} // namespace ns3

#endif // VIA_DESCRIPTOR_PATH_H
