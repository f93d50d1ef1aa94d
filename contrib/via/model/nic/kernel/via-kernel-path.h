/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A card without VIA: the host's kernel posts, checks, translates, copies and completes.

#ifndef VIA_KERNEL_PATH_H
#define VIA_KERNEL_PATH_H

#include "ns3/via-data-path.h"
#include "ns3/via-descriptor-path.h"
#include "ns3/via-doorbell.h"
#include "ns3/via-frame-ring.h"
#include "ns3/via-nic-costs.h"
#include "ns3/via-port.h"
#include "ns3/via-translation.h"

#include <map>
#include <utility>
#include <vector>

namespace ns3
{
namespace via
{

class Nic;
class ReceiveEngine;

/// The first byte of a packet that a frame carries, and the number of bytes.
struct FrameBytes
{
    FrameBytes(const NicCosts& costs, std::uint32_t length, std::uint32_t frame);

    std::uint32_t first;
    std::uint32_t count;
};

/**
 * @brief Sending: the kernel does all work in the trap, in the caller's context, frame by frame.
 *
 * Each frame goes into the card's ring as soon as the kernel has built it. The card starts with the
 * first frame while the kernel still builds the next, and waits for each.
 */
class KernelSender final : public DoorbellPath, public SendRing
{
  public:
    KernelSender(Nic& nic, const Shared<NicCosts>& costs)
        : m_nic(nic),
          m_costs(costs)
    {
    }

    Moment RingSend(Process& process, VirtualInterface& vi, const WorkItem& item) override;
    Moment RingReceive(Process& process, VirtualInterface& vi, const WorkItem& item) override;
    Moment RingDeferred(Process& process, VirtualInterface& vi) override;
    void EndCall(Process& process, VirtualInterface& vi, RingSerial first, RingSerial end) override;
    void Take(CardTask& engine, const Doorbell& doorbell, Ps idle) override;
    void Forget(std::uint32_t rank, Moment at) override;

    Ps MadeAt(ViId vi, std::uint64_t item, std::uint32_t frame) const override;
    void FetchEntry(CardTask& engine) override;
    void TakeFrame(CardTask& engine, ViId vi, std::uint64_t item, std::uint32_t frame) override;

  private:
    /// The frames of a send.
    struct Frames
    {
        std::uint32_t rank{0};    ///< of the process
        std::uint32_t length{0};  ///< of the message
        std::vector<Moment> made; ///< when each is in the ring
        bool isOver{false};       ///< no more will be made
    };

    /// By VI and serial of a send.
    using Key = std::pair<ViId, std::uint64_t>;

    /// The kernel's work for a send of @p vi up to its first frame, or until it finds that it
    /// cannot be sent. @return when the card may begin
    Moment Begin(Process& process, VirtualInterface& vi, const WorkItem& item, Frames& frames);
    /// As Begin, for a send that has been posted.
    Moment BeginPosted(Process& process, VirtualInterface& vi, RingSerial serial);
    /// Makes the next frame. @return when it is in the ring
    Moment Make(Process& process, std::uint32_t length, std::size_t frame) const;
    /// Makes the frames that follow the first.
    void MakeOthers(Process& process, Key key);
    void Add(Frames& frames, Moment made) const;

    Nic& m_nic;
    Shared<NicCosts> m_costs;
    std::map<Key, Frames> m_frames;
};

/// The kernel's checks of a descriptor. It checks sends in the trap, at no cost here.
class KernelDescriptors final : public DescriptorPath
{
  public:
    KernelDescriptors(Host& host, Cycles cycles)
        : m_host(host),
          m_cycles(cycles)
    {
    }

    void Take(CardTask& engine, const WorkItem& item, std::uint32_t bytes) override;

  private:
    Host& m_host;
    Cycles m_cycles;
};

/// The kernel's translation, page by page. It translates sends in the trap, at no cost here.
class KernelTranslation final : public Translation
{
  public:
    KernelTranslation(Host& host, const Tpt& tpt, Cycles perPage)
        : m_host(host),
          m_tpt(tpt),
          m_perPage(perPage)
    {
    }

    void LookUp(CardTask& engine, const TranslationRequest& request) override;

  private:
    Host& m_host;
    const Tpt& m_tpt;
    Cycles m_perPage;
};

/// The kernel copies payload out of its ring. Its completions cost no separate time.
class KernelData final : public DataPath
{
  public:
    KernelData(Host& host, std::uint32_t frame)
        : m_host(host),
          m_frame(frame)
    {
    }

    void Place(CardTask& task, std::uint32_t bytes, bool) override
    {
        const Cycles copy = m_host.CopyCost(bytes, false);
        task.Follow(m_host.KernelSpend(task.At(), Stage::COPY, copy));
    }

    void Complete(CardTask&, Stage, std::uint32_t) override
    {
    }

    std::uint32_t MostBytes() const override
    {
        return m_frame;
    }

  private:
    Host& m_host;
    std::uint32_t m_frame;
};

/**
 * @brief Receiving: the card writes frames into the kernel's ring and interrupts.
 *
 *     frame --> in the ring --> (coalesce) --> interrupt --> kernel-receive --> receive engine
 *                    ^                                            |  next frame, if there is one
 *                    `--------------------------------------------'  else the handler ends
 *
 * The card writes one frame after the other. The receive engine models the kernel here. Frames that
 * arrive while the handler runs are handled in order, without an interrupt of their own.
 *
 * A frame that never arrived is in the ring, too, for the engine to see what is missing. It costs
 * nothing, and neither begins nor prolongs a handler.
 */
class KernelReceiver final : public AgendaTarget, public ReceiveRing
{
  public:
    KernelReceiver(Nic& nic, const Shared<NicCosts>& costs)
        : m_nic(nic),
          m_costs(costs)
    {
    }

    /// Sets the upstream end of the wire, which gets the credits.
    void SetUpstream(InPort* upstream)
    {
        m_upstream = upstream;
    }

    /// A frame has arrived completely, or should have.
    void Accept(Cell* cell);

    void OnDone(Moment at) override;
    void OnAgenda(std::uint32_t kind, std::uint64_t data) override;

    /// Number of interrupts so far.
    std::uint64_t Interrupts() const
    {
        return m_interrupts;
    }

  private:
    static constexpr std::uint32_t INTERRUPT = 0;
    static constexpr std::uint32_t NEXT = 1;

    /// A frame in the ring.
    struct Entry
    {
        Cell* cell{nullptr};
        Moment ready;

        bool HasArrived() const
        {
            return !(cell->lost && cell->absent);
        }
    };

    class RingJob;

    /// The card turns to the frames that have arrived.
    void WriteFrames();
    /// The card writes the frame of @p cell.
    void WriteRing(const Cell& cell, CardTask& card) const;
    /// The oldest frame that has arrived is in the ring, or never will be, at @p at.
    void OnWritten(Moment at);
    void Plan();
    Ps DueAt();
    void Interrupt();
    void HandleNext();
    void Handle();
    void Pay(const Cell& cell);

    Nic& m_nic;
    Shared<NicCosts> m_costs;
    InPort* m_upstream{nullptr};
    Ring<Entry> m_arrived; ///< frames that are not in the ring yet
    bool m_writes{false};  ///< the card is writing the oldest of them
    Ring<Entry> m_ring;
    Moment m_cardAt;                   ///< when the card has written the last one
    const Packet* m_cardOn{nullptr};   ///< its packet
    Moment m_kernelAt;                 ///< how far the handler is
    const Packet* m_kernelOn{nullptr}; ///< packet of the frame it handled last
    bool m_handles{false};             ///< the handler is running
    bool m_passes{false};              ///< the engine has a frame that never arrived, on no CPU
    bool m_planned{false};             ///< an interrupt is on the agenda
    Ps m_due{0};                       ///< when that interrupt is due
    std::uint32_t m_plan{0};           ///< its number on the agenda
    std::uint64_t m_interrupts{0};
};

} // namespace via
} // namespace ns3

#endif // VIA_KERNEL_PATH_H
