/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A protocol: what one process of it does when it starts, hears something, or a timer expires.

#ifndef VIA_PROTOCOL_H
#define VIA_PROTOCOL_H

#include "ns3/abort.h"
#include "ns3/via-history.h"
#include "ns3/via-messenger.h"

#include <cstdint>
#include <cstring>
#include <set>
#include <type_traits>
#include <vector>

namespace ns3
{
namespace via
{

/// What a process of a protocol knows from the start.
struct ProtocolPlace
{
    History* history{nullptr};
    Rank self{0};
    Rank size{0};            ///< processes
    std::uint64_t rounds{0}; ///< to be done
    std::uint64_t seed{0};   ///< of choices at random
};

/**
 * @brief One process of a protocol.
 *
 * A class of its own for each role is possible, but mostly one class knows by its rank what it is.
 * State is whatever members it has. It decides nothing by anything but messages, timers, its rank
 * and Random(), so a run can be repeated.
 */
class Protocol : public ProtocolListener
{
  public:
    /// Called once, before anything else is asked.
    void Place(const ProtocolPlace& place)
    {
        m_place = place;
    }

    /// Called once, before it starts.
    void SetMessenger(Messenger& messenger)
    {
        m_messenger = &messenger;
    }

    /// The ranks it may send to, in any order; known before it starts. Everybody else by default.
    virtual std::vector<Rank> Targets() const;

    /// What keeps messages from being sent faster than they are taken.
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
        return m_messenger->Now();
    }

    void SetTimer(TimerId timer, Ps after)
    {
        m_messenger->SetTimer(timer, after);
    }

    void CancelTimer(TimerId timer)
    {
        m_messenger->CancelTimer(timer);
    }

    /// A number that depends on seed, rank and @p what alone.
    std::uint64_t Random(std::uint64_t what) const;

    /// This process begins round @p round.
    void Enter(std::uint64_t round)
    {
        m_place.history->Enter(round, Now());
    }

    /// This process began round @p round at @p at, before now.
    void EnterAt(std::uint64_t round, Ps at)
    {
        m_place.history->Enter(round, at);
    }

    /// This process has done round @p round.
    void Leave(std::uint64_t round)
    {
        m_place.history->Leave(round, Now());
    }

    /// For the checkers.
    void Note(EventKind kind, std::uint64_t key, std::uint64_t value = 0)
    {
        m_place.history->Note({Now(), Self(), kind, key, value});
    }

    /// The run need not wait for this process any more. It goes on answering.
    void Finish()
    {
        m_place.history->Finish(Self());
    }

    Messenger& GetMessenger()
    {
        return *m_messenger;
    }

  private:
    ProtocolPlace m_place;
    Messenger* m_messenger{nullptr};
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

    /// A message has come.
    virtual void OnMessage(Rank from, const M& message) = 0;

  protected:
    void Send(Rank to, const M& message)
    {
        static_assert(std::is_trivially_copyable_v<M> && sizeof(M) <= MESSAGE_BYTES,
                      "messages are small plain structs");
        GetMessenger().Send(to, &message, sizeof(M));
    }

    /// To everybody else, in the order of ranks from the next one on.
    void SendToOthers(const M& message)
    {
        for (Rank step = 1; step < Size(); ++step)
        {
            Send((Self() + step) % Size(), message);
        }
    }
};

/// ceil(log2(@p n)): rounds of what doubles each time.
std::uint32_t CeilLog2(std::uint64_t n);

/// @p members as one number: equal for equal sets.
std::uint64_t HashOfMembers(const std::set<Rank>& members);

/// floor(n / 2) + 1: any two groups of so many have a member in common.
inline std::uint32_t
MajorityOf(std::uint32_t n)
{
    return n / 2 + 1;
}

} // namespace via
} // namespace ns3

#endif // VIA_PROTOCOL_H
