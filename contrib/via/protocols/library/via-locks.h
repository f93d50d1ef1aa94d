/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Distributed locks: a lock server, and permission of everybody.

#ifndef VIA_LOCKS_H
#define VIA_LOCKS_H

#include "ns3/via-protocol-kind.h"

#include <deque>
#include <vector>

namespace ns3
{
namespace via
{

/// About the one lock that there is.
struct LockMessage
{
    enum Kind : std::uint32_t
    {
        REQUEST, ///< stamp: of the request
        GRANT,
        RELEASE,
    };

    std::uint32_t kind;
    std::uint32_t unused;
    std::uint64_t stamp;
};

/// Who holds the lock holds it for a while. Parameter: hold-us (10).
class LockProtocol : public TypedProtocol<LockMessage>
{
  public:
    using TypedProtocol::OnMessage;

    LockProtocol(WorkloadParameters& parameters, std::uint32_t nodes);

    void OnTimer(TimerId timer) override;

  protected:
    /// This process wants the lock: its next round begins.
    void Ask();

    /// It has the lock.
    void Acquire();

    /// Says that it wants the lock.
    virtual void Request() = 0;

    /// Says that it does not need the lock any more.
    virtual void Release() = 0;

  private:
    Ps m_hold;
    std::uint64_t m_round{0};
};

/**
 * @brief Process 0 gives the lock to one after the other: REQUEST, GRANT, RELEASE.
 *
 * 3 messages for an acquisition by another process. The others acquire it `rounds` times
 * each. Timed from request to acquisition. A crashed holder keeps the lock.
 */
class LockServer : public LockProtocol
{
  public:
    using LockProtocol::LockProtocol;

    void OnStart() override;
    void OnMessage(Rank from, const LockMessage& message) override;

  protected:
    /// May the server give the lock away?
    virtual bool IsFree() const
    {
        return !m_held;
    }

    void Request() override;
    void Release() override;

  private:
    void Grant();

    bool m_held{false};
    std::deque<Rank> m_queue;
};

/**
 * @brief Who wants the lock asks everybody; who wants it more, or has it, answers later.
 *
 * Lamport's clocks and ranks say who wanted it first: 2 (N - 1) messages for an acquisition. A
 * crashed process gives no permission: nobody acquires any more. Source: Ricart & Agrawala, "An
 * optimal algorithm for mutual exclusion in computer networks", CACM 24(1), 1981.
 */
class RicartAgrawala : public LockProtocol
{
  public:
    using LockProtocol::LockProtocol;

    void OnStart() override;
    void OnMessage(Rank from, const LockMessage& message) override;

  protected:
    /// Does this process' own request, or its having the lock, come before that of @p from?
    virtual bool IsFirst(Rank from, std::uint64_t stamp) const;

    void Request() override;
    void Release() override;

  private:
    std::uint64_t m_clock{0};
    std::uint64_t m_stamp{0}; ///< of its request; 0: it has none
    Rank m_permissions{0};
    std::vector<Rank> m_deferred;
};

/// Both by name.
std::vector<ProtocolKind> LockKinds();

} // namespace via
} // namespace ns3

#endif // VIA_LOCKS_H
