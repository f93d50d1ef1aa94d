/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Doorbells: how the host tells the card that a descriptor was posted, and how the card notices.

#ifndef VIA_DOORBELL_H
#define VIA_DOORBELL_H

#include "ns3/via-nic-processor.h"
#include "ns3/via-process.h"
#include "ns3/via-virtual-interface.h"

#include <vector>

namespace ns3
{
namespace via
{

class Nic;

/// A doorbell that the NIC has not worked off.
struct Doorbell
{
    Moment at;
    ViId vi{0};
    Packet* control{nullptr}; ///< not a doorbell: a packet of the kernel agent's
    bool isRung{false};       ///< the host has just rung; else the card comes back to it
};

/// Doorbells of sends, in the order of the instants at which the card gets them.
using Doorbells = Ring<Doorbell, 2>;

/// The choice `nic.doorbell`.
class DoorbellPath
{
  public:
    virtual ~DoorbellPath() = default;

    // ---- the host's side, in the process that posts; its clock stands behind the call's own work

    /// A send was posted. @return when the card knows
    virtual Moment RingSend(Process& process, VirtualInterface& vi, const WorkItem& item) = 0;

    /// A receive was posted. @return when the card knows
    virtual Moment RingReceive(Process& process, VirtualInterface& vi, const WorkItem& item) = 0;

    /// All sends that were posted to @p vi without ringing: its `deferred`, not 0. @return when the
    /// card knows
    virtual Moment RingDeferred(Process& process, VirtualInterface& vi) = 0;

    /// A process may have @p sends posted at a time, and cannot wait in the middle of a step.
    virtual void Expect(std::uint32_t)
    {
    }

    /// Whether a process may have to wait when it rings, with the sends that are expected.
    virtual bool MayStall() const
    {
        return false;
    }

    // ---- the card's side

    /// A doorbell has got there.
    virtual void OnRung()
    {
    }

    /// Which doorbell the card finds next, which has had nothing to do since the given instant.
    virtual std::uint32_t Next(const Doorbells&, Ps)
    {
        return 0;
    }

    /**
     * @brief The card takes a doorbell of a VI.
     * @param at it may do so from then on
     * @param idle as for Next
     */
    virtual Moment Take(const Doorbell& doorbell, Moment at, Ps idle) = 0;
};

/**
 * @brief A FIFO on the card, into which the CPU stores.
 *
 * It holds `nic.doorbell_depth` doorbells of sends. While it is full the bridge cannot deliver the
 * next store, and the CPU that made it stands still (doorbell-wait), until the card takes one.
 * Who waits first goes on first. Receives are noted at once and need no room.
 */
class DoorbellFifo final : public DoorbellPath
{
  public:
    /// @param bus that the card is on
    DoorbellFifo(NicProcessor& processor, Cycles decode, std::uint32_t depth, std::uint32_t bus = 0)
        : m_processor(processor),
          m_bus(bus),
          m_decode(decode),
          m_depth(depth)
    {
    }

    Moment RingSend(Process& process, VirtualInterface& vi, const WorkItem& item) override;
    Moment RingReceive(Process& process, VirtualInterface& vi, const WorkItem& item) override;
    Moment RingDeferred(Process& process, VirtualInterface& vi) override;

    void Expect(std::uint32_t sends) override
    {
        m_expected += sends;
    }

    bool MayStall() const override
    {
        return m_expected > m_depth;
    }

    void OnRung() override
    {
        ++m_held;
    }

    Moment Take(const Doorbell& doorbell, Moment at, Ps idle) override;

  private:
    class Waiting;

    void AwaitRoom(Process& process);

    NicProcessor& m_processor;
    std::uint32_t m_bus;
    Cycles m_decode;
    std::uint32_t m_depth;
    std::uint64_t m_expected{0};
    std::uint32_t m_held{0};
    std::uint32_t m_promised{0}; ///< places kept for processes that are about to go on
    std::vector<Waiting*> m_waiting;
};

/**
 * @brief How long firmware needs to find a word that it polls.
 *
 * A sweep looks at the words of all open VIs in order, `vi` cycles each, and costs `loop` more at
 * its begin. It goes on behind the word that was found last.
 */
struct DoorbellScan
{
    Cycles loop;
    Cycles vi;
    std::uint32_t open{1}; ///< words of a sweep
    std::uint32_t next{0}; ///< the word looked at first; equal to open: a sweep begins

    /**
     * @param word its place in a sweep
     * @param rung cycles after the scan went on, when the word was written
     * @return cycles after the scan went on, when a look that began no sooner than that is over
     */
    Cycles FoundAfter(std::uint32_t word, Cycles rung) const;
};

/// Words in the card's memory, one per VI, that firmware polls (doorbell-scan).
class DoorbellWords final : public DoorbellPath
{
  public:
    DoorbellWords(Nic& nic, NicProcessor& processor, Cycles decode, Cycles loop, Cycles vi)
        : m_nic(nic),
          m_processor(processor),
          m_decode(decode),
          m_loop(loop),
          m_vi(vi)
    {
    }

    Moment RingSend(Process& process, VirtualInterface& vi, const WorkItem& item) override;
    Moment RingReceive(Process& process, VirtualInterface& vi, const WorkItem& item) override;
    Moment RingDeferred(Process& process, VirtualInterface& vi) override;
    std::uint32_t Next(const Doorbells& doorbells, Ps idle) override;
    Moment Take(const Doorbell& doorbell, Moment at, Ps idle) override;

  private:
    Cycles Found(const DoorbellScan& scan, const Doorbell& doorbell, Ps idle) const;
    DoorbellScan Scan() const;

    Nic& m_nic;
    NicProcessor& m_processor;
    Cycles m_decode;
    Cycles m_loop;
    Cycles m_vi;
    ViId m_behind{0}; ///< the scan goes on with the first VI from this number on
};

} // namespace via
} // namespace ns3

#endif // VIA_DOORBELL_H
