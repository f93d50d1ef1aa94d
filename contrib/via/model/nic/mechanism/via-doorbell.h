/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Doorbells: how the host notifies the card of a posted descriptor, and how the card notices.

#ifndef VIA_DOORBELL_H
#define VIA_DOORBELL_H

#include "ns3/via-card-task.h"
#include "ns3/via-nic-processor.h"
#include "ns3/via-process.h"
#include "ns3/via-virtual-interface.h"

#include <vector>

namespace ns3
{
namespace via
{

class Nic;

/// A doorbell that the NIC has not processed yet.
struct Doorbell
{
    Moment at;
    ViId vi{0};
    Packet* control{nullptr}; ///< if set, not a doorbell but a packet of the kernel agent
    bool isRung{false};       ///< first of a new ring; false: a retry, or a later send of one ring
    bool isAgain{false};      ///< a retry of one that a SendGate has held back
    bool hasWaited{false};    ///< for room in the buffer of its channel, before all that have not
};

/// Doorbells of sends, in the order in which the card gets them.
using Doorbells = InlineRing<Doorbell, 2>;

/// The choice `nic.doorbell`.
class DoorbellPath
{
  public:
    virtual ~DoorbellPath() = default;

    // ---- host side, in the posting process; its clock already includes the call's own work

    /// A send was posted. @return when the card knows
    virtual Moment RingSend(Process& process, VirtualInterface& vi, const WorkItem& item) = 0;

    /// A receive was posted. @return when the card knows
    virtual Moment RingReceive(Process& process, VirtualInterface& vi, const WorkItem& item) = 0;

    /// Rings once for all deferred sends of @p vi; `vi.deferred` is not 0. @return when the card
    /// knows
    virtual Moment RingDeferred(Process& process, VirtualInterface& vi) = 0;

    /// The rest of the call that has posted sends @p first to @p end - 1 of @p vi, of which the
    /// card has been told.
    virtual void EndCall(Process&, VirtualInterface&, RingSerial /* first */, RingSerial /* end */)
    {
    }

    // ---- card side

    /// A doorbell has reached the card.
    virtual void OnRung()
    {
    }

    /// Index of the doorbell that the card, idle since the given instant, finds next.
    virtual std::uint32_t Next(const Doorbells&, Ps)
    {
        return 0;
    }

    /**
     * @brief The send engine takes a doorbell of a VI, and decodes it.
     * @param idle when it became idle, as for Next
     */
    virtual void Take(CardTask& engine, const Doorbell& doorbell, Ps idle) = 0;

    /// A send that was about to ring, or has rung, is flushed: the card will take no doorbell.
    virtual void OnFlushed(Moment /* at */)
    {
    }

    /// The process @p rank has ended: none of its threads resumes, wherever it stalls. Others that
    /// get their turn resume at @p at.
    virtual void Forget(std::uint32_t /* rank */, Moment /* at */)
    {
    }
};

/**
 * @brief A FIFO on the card, which the CPU fills with stores.
 *
 * It holds `nic.doorbell_depth` doorbells of sends. While it is full the bridge cannot deliver the
 * next store, and the CPU that made it stalls (doorbell-wait) until the card takes an entry.
 * Stalled CPUs resume in order of arrival. Doorbells of receives are taken at once and need no
 * entry.
 */
class DoorbellFifo final : public DoorbellPath
{
  public:
    /// @param bus the bus of the card
    explicit DoorbellFifo(Cycles decode, std::uint32_t depth, std::uint32_t bus = 0)
        : m_bus(bus),
          m_decode(decode),
          m_depth(depth)
    {
    }

    Moment RingSend(Process& process, VirtualInterface& vi, const WorkItem& item) override;
    Moment RingReceive(Process& process, VirtualInterface& vi, const WorkItem& item) override;
    Moment RingDeferred(Process& process, VirtualInterface& vi) override;

    void OnRung() override
    {
        ++m_held;
    }

    void Take(CardTask& engine, const Doorbell& doorbell, Ps idle) override;

    void OnFlushed(Moment at) override
    {
        PromiseFree(at);
    }

    void Forget(std::uint32_t rank, Moment at) override;

  private:
    class Place;

    void AwaitRoom(Process& process);
    void RemoveAt(std::size_t index);
    void PromiseOne(Moment at);
    /// Promises the entries that are free.
    void PromiseFree(Moment at);

    std::uint32_t m_bus;
    Cycles m_decode;
    std::uint32_t m_depth;
    std::uint32_t m_held{0};
    std::vector<Process*> m_stalled; ///< in order of arrival
    std::uint32_t m_promised{0};     ///< how many of them, the first, have an entry and will resume
};

/**
 * @brief How long firmware takes to find a doorbell word by polling.
 *
 * A sweep looks at the words of all open VIs in order, `vi` cycles each, and costs `loop` cycles
 * more at its start. The scan resumes after the word that was found last.
 */
struct DoorbellScan
{
    Cycles loop;
    Cycles vi;
    std::uint32_t open{1}; ///< words in a sweep
    std::uint32_t next{0}; ///< the first word to look at; equal to open: a new sweep begins

    /**
     * @param word position of the word in a sweep
     * @param rung cycles from the resumption of the scan until the word was written
     * @return cycles from the resumption of the scan to the end of the first look at the word that
     * begins no earlier than that
     */
    Cycles FoundAfter(std::uint32_t word, Cycles rung) const;
};

/// Words in the card's memory, one per VI, which firmware polls (doorbell-scan).
class DoorbellWords final : public DoorbellPath
{
  public:
    DoorbellWords(Nic& nic, Cycles decode, Cycles loop, Cycles vi)
        : m_nic(nic),
          m_decode(decode),
          m_loop(loop),
          m_vi(vi)
    {
    }

    Moment RingSend(Process& process, VirtualInterface&, const WorkItem&) override
    {
        return WriteWord(process);
    }

    Moment RingReceive(Process& process, VirtualInterface&, const WorkItem&) override
    {
        return WriteWord(process);
    }

    Moment RingDeferred(Process& process, VirtualInterface&) override
    {
        return WriteWord(process);
    }

    std::uint32_t Next(const Doorbells& doorbells, Ps idle) override;
    void Take(CardTask& engine, const Doorbell& doorbell, Ps idle) override;

  private:
    /// The process writes the word of a VI, whatever it has posted there.
    Moment WriteWord(Process& process) const;
    Cycles Found(const DoorbellScan& scan, const Doorbell& doorbell, Ps idle) const;
    DoorbellScan Scan() const;

    Nic& m_nic;
    Cycles m_decode;
    Cycles m_loop;
    Cycles m_vi;
    ViId m_behind{0}; ///< the scan resumes at the first VI with this number or a higher one
};

} // namespace via
} // namespace ns3

#endif // VIA_DOORBELL_H
