/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Distributed locks: a lock server, and permission from all processes.

#ifndef VIA_LOCKS_H
#define VIA_LOCKS_H

#include "ns3/via-protocol-kind.h"

#include <deque>
#include <vector>

namespace ns3
{
namespace via
{

/// A message about the only lock.
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

/// A process holds the lock for hold-us. Parameter: hold-us (10).
class LockProtocol : public TypedProtocol<LockMessage>
{
  public:
    using TypedProtocol::OnMessage;

    LockProtocol(WorkloadParameters& parameters, std::uint32_t nodes);

    void OnTimer(TimerId timer) override;

  protected:
    /// Begins the next round: requests the lock.
    void Ask();

    /// This process has got the lock.
    void Acquire();

    /// Sends the request for the lock.
    virtual void Request() = 0;

    /// Gives the lock back.
    virtual void Release() = 0;

  private:
    Ps m_hold;
    std::uint64_t m_round{0};
};

/**
 * @brief Process 0 grants the lock to one process at a time: REQUEST, GRANT, RELEASE.
 *
 * 3 messages per acquisition by another process. The others acquire it `rounds` times each. Timed
 * from request to acquisition. A crashed holder keeps the lock.
 */
class LockServer : public LockProtocol
{
  public:
    using LockProtocol::LockProtocol;

    void OnStart() override;
    void OnMessage(Rank from, const LockMessage& message) override;

  protected:
    /// May the server grant the lock?
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
 * @brief A process asks all others for the lock; one that holds it or asked first replies later.
 *
 * Lamport clocks order the requests, ranks break ties: 2 (N - 1) messages per acquisition. A
 * crashed process gives no permission, so no process acquires the lock afterwards. Source: Ricart &
 * Agrawala, "An optimal algorithm for mutual exclusion in computer networks", CACM 24(1), 1981.
 */
class RicartAgrawala : public LockProtocol
{
  public:
    using LockProtocol::LockProtocol;

    void OnStart() override;
    void OnMessage(Rank from, const LockMessage& message) override;

  protected:
    /// Does this process hold the lock, or does its request precede that of @p from?
    virtual bool IsFirst(Rank from, std::uint64_t stamp) const;

    void Request() override;
    void Release() override;

  private:
    std::uint64_t m_clock{0};
    std::uint64_t m_stamp{0}; ///< stamp of its request; 0: none
    Rank m_permissions{0};
    std::vector<Rank> m_deferred;
};

/// Both by name.
std::vector<ProtocolKind> LockKinds();

} // namespace via
} // namespace ns3

#endif // VIA_LOCKS_H
