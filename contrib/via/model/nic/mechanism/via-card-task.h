/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What a part of a card does, one thing after the other: cycles of work, and transfers.

#ifndef VIA_CARD_TASK_H
#define VIA_CARD_TASK_H

#include "ns3/via-dma-engines.h"

#include <memory>

namespace ns3
{
namespace via
{

/**
 * @brief The work of an engine of a card, or of a job that no engine waits for.
 *
 * Work and transfers are done at once, ahead of simulated time, up to a transfer whose bus, or
 * whose DMA engine, somebody else could still request before. That one is kept, and what follows it
 * too, and the planner of the task goes on with GoOn at PendingAt.
 *
 *     Work --> Read: not in this turn --> kept --> ... GoOn --> Read on the bus --> Work --> done
 *              Work, which follows it --> kept
 */
class CardTask
{
  public:
    /// What is to be done when all before it has been.
    class Listener
    {
      public:
        virtual ~Listener() = default;
        /// It is time. Work and transfers of @p task that are asked for now come before those that
        /// are kept. @param what, which as they were given to CardTask::Call
        virtual void OnReached(CardTask& task, std::uint64_t what, std::uint64_t which) = 0;
    };

    /**
     * @param dma of the card
     * @param engine the owner of its spans: NIC_SEND or NIC_RECEIVE
     * @param at when it begins
     */
    CardTask(DmaEngines& dma, Engine engine, Moment at = {})
        : m_at(at),
          m_dma(&dma),
          m_engine(engine)
    {
    }

    /// How far it is. While it IsPending, that is where it goes on.
    const Moment& At() const
    {
        return m_at;
    }

    Engine Owner() const
    {
        return m_engine;
    }

    /// Spends @p n cycles of the card.
    void Work(Stage stage, Cycles n)
    {
        if (__builtin_expect(m_isPending, 0))
        {
            Keep({Kept::WORK, stage, true, n.count, 0, nullptr});
            return;
        }
        m_at = m_dma->Processor().Work(m_at, stage, m_engine, n);
    }

    /// Reads host memory. @param isFirst false: it continues where the last one of its piece ended
    void Read(Stage stage, std::uint32_t bytes, bool isFirst = true)
    {
        Move(stage, bytes, isFirst, false);
    }

    /// Writes host memory; as Read.
    void Write(Stage stage, std::uint32_t bytes, bool isFirst = true)
    {
        Move(stage, bytes, isFirst, true);
    }

    /// If it has just moved data or waited: what follows is done when that has ended, and not as
    /// soon as its end is known. Work after it makes one piece with what follows.
    void AwaitEnd();

    /// Tells @p listener when all before this has been done.
    void Call(Listener& listener, std::uint64_t what, std::uint64_t which)
    {
        if (m_isPending)
        {
            Keep({Kept::CALL, Stage::PAYLOAD_READ, true, what, which, &listener});
            return;
        }
        listener.OnReached(*this, what, which);
    }

    /// Goes on at @p at. Only if nothing is kept.
    void Follow(Moment at)
    {
        AbortIfPending();
        m_at = at;
        m_moved = at.at;
    }

    /// Is something kept?
    bool IsPending() const
    {
        return m_isPending;
    }

    /// When it goes on, if it IsPending; PS_NEVER: others have to end first.
    Ps PendingAt() const
    {
        return m_dma->NextAt(m_more->transfer, m_at.at);
    }

    /// Does as much of what is kept as this turn includes.
    void GoOn();

  protected:
    Moment m_at; ///< how far it is

  private:
    /// What follows a transfer.
    struct Kept
    {
        enum Kind : std::uint8_t
        {
            WORK,
            READ,
            WRITE,
            END,
            CALL,
        };

        Kind kind{WORK};
        Stage stage{Stage::PAYLOAD_READ};
        bool isFirst{true};
        std::uint64_t what{0}; ///< cycles or bytes
        std::uint64_t which{0};
        Listener* listener{nullptr};
    };

    /// What most tasks never need.
    struct More
    {
        DmaTransfer transfer;   ///< that has not ended, or whose end has not come
        Ring<Kept> kept;        ///< after it
        std::uint32_t place{0}; ///< in `kept`, of what is asked for next
    };

    // inlined, because all that a card moves goes this way
    [[gnu::always_inline]] void Move(Stage stage, std::uint32_t bytes, bool isFirst, bool writes)
    {
        if (__builtin_expect(!m_isPending && m_dma->IsPlain(bytes) && m_dma->MayGoOn(m_at.at), 1))
        {
            m_at = m_dma->DoPlain(m_at, stage, bytes, writes);
            m_moved = m_at.at;
            return;
        }
        MoveLater(stage, bytes, isFirst, writes);
    }

    void MoveLater(Stage stage, std::uint32_t bytes, bool isFirst, bool writes);
    /// What follows is kept until @p transfer has ended.
    void Pend(const DmaTransfer& transfer);
    void Keep(const Kept& kept);
    void Do(const Kept& kept);
    void AbortIfPending() const;

    DmaEngines* m_dma;
    std::unique_ptr<More> m_more; ///< null: nothing was ever kept
    Ps m_moved{0};                ///< end of its last transfer or wait
    Engine m_engine;
    bool m_isPending{false}; ///< a transfer has not ended
};

} // namespace via
} // namespace ns3

#endif // VIA_CARD_TASK_H
