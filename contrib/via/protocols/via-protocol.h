/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A protocol: what a process does when it starts, gets a message, or a timer expires.

#ifndef VIA_PROTOCOL_H
#define VIA_PROTOCOL_H

#include "ns3/abort.h"
#include "ns3/via-history.h"
#include "ns3/via-message-loop.h"

#include <cstdint>
#include <cstring>
#include <set>
#include <type_traits>
#include <vector>

namespace ns3
{
namespace via
{

/// What a process of a protocol knows before it starts.
struct ProtocolPlace
{
    History* history{nullptr};
    Rank self{0};
    Rank size{0};            ///< number of processes
    std::uint64_t rounds{0}; ///< rounds to run
    std::uint64_t seed{0};   ///< of random choices
};

/**
 * @brief One process of a protocol.
 *
 * Roles may have separate classes, but usually one class derives its role from its rank. Its
 * members are its state. Its decisions depend only on messages, timers, its rank and Random(), so
 * that runs are reproducible. A handler may wait in the middle, where it sends: what others are to
 * use meanwhile must not be a local variable (see ProcessStep).
 */
class Protocol : public ProtocolListener
{
  public:
    /// Called once, before all other functions.
    void Place(const ProtocolPlace& place)
    {
        m_place = place;
    }

    /// Called once, before the process starts.
    void SetMessenger(MessageLoop& loop)
    {
        m_loop = &loop;
    }

    /// The ranks it may send to, in any order; known before it starts. Default: all others.
    virtual std::vector<Rank> Targets() const;

    /// The flow control: keeps messages from being sent faster than they are taken.
    virtual MessageWindow Flow() const
    {
        return {};
    }

    Rank Awaited() const override
    {
        return ANYONE;
    }

    void OnTimer(TimerId) override
    {
    }

    void OnCrash() override
    {
        m_place.history->Crash(m_place.self);
    }

  protected:
    Rank Self() const
    {
        return m_place.self;
    }

    Rank Size() const
    {
        return m_place.size;
    }

    std::uint64_t Rounds() const
    {
        return m_place.rounds;
    }

    Ps Now() const
    {
        return m_loop->Now();
    }

    void SetTimer(TimerId timer, Ps after)
    {
        m_loop->SetTimer(timer, after);
    }

    void CancelTimer(TimerId timer)
    {
        m_loop->CancelTimer(timer);
    }

    /// A number that depends only on seed, rank and @p what.
    std::uint64_t Random(std::uint64_t what) const;

    /// Reports that this process begins round @p round.
    void Enter(std::uint64_t round)
    {
        m_place.history->Enter(round, Now());
    }

    /// Reports that this process began round @p round at @p at, before now.
    void EnterAt(std::uint64_t round, Ps at)
    {
        m_place.history->Enter(round, at);
    }

    /// Reports that this process has completed round @p round.
    void Leave(std::uint64_t round)
    {
        m_place.history->Leave(round, Self(), Now());
    }

    /// Reports an event to the checkers.
    void Note(EventKind kind, std::uint64_t key, std::uint64_t value = 0)
    {
        m_place.history->Note({Now(), Self(), kind, key, value});
    }

    /// The run no longer waits for this process. It still answers messages.
    void Finish()
    {
        m_place.history->Finish(Self());
    }

    MessageLoop& GetMessenger()
    {
        return *m_loop;
    }

  private:
    ProtocolPlace m_place;
    MessageLoop* m_loop{nullptr};
};

/**
 * @brief A protocol whose messages are all of one type.
 * @tparam M a plain struct of at most MESSAGE_BYTES
 */
template <class M>
class TypedProtocol : public Protocol
{
  public:
    using Message = M;

    void OnBytes(Rank from, const void* data, std::uint32_t length) final
    {
        NS_ABORT_MSG_IF(length < sizeof(M), "a message of " << length << " bytes is too short");
        M message;
        std::memcpy(&message, data, sizeof(M));
        OnMessage(from, message);
    }

    /// Handles a message.
    virtual void OnMessage(Rank from, const M& message) = 0;

  protected:
    void Send(Rank to, const M& message)
    {
        static_assert(std::is_trivially_copyable_v<M> && sizeof(M) <= MESSAGE_BYTES,
                      "messages are small plain structs");
        GetMessenger().Send(to, &message, sizeof(M));
    }

    /// Sends to all others, in the order of ranks from the next one on.
    void SendToOthers(const M& message)
    {
        for (Rank step = 1; step < Size(); ++step)
        {
            Send((Self() + step) % Size(), message);
        }
    }
};

/// ceil(log2(@p n)).
std::uint32_t CeilLog2(std::uint64_t n);

/// A hash of @p members: equal for equal sets.
std::uint64_t HashOfMembers(const std::set<Rank>& members);

/// floor(n / 2) + 1: any two groups of this size share a member.
inline std::uint32_t
MajorityOf(std::uint32_t n)
{
    return n / 2 + 1;
}

} // namespace via
} // namespace ns3

#endif // VIA_PROTOCOL_H
