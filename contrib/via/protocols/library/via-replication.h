/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Replicated servers: primary and backups, a chain; and a server that is not replicated.

#ifndef VIA_REPLICATION_H
#define VIA_REPLICATION_H

#include "ns3/via-protocol-kind.h"

#include <map>

namespace ns3
{
namespace via
{

/// A request, what servers make of it, and the reply.
struct ServiceMessage
{
    enum Kind : std::uint32_t
    {
        REQUEST, ///< of a client
        UPDATE,  ///< between servers: do this at this position
        STORED,  ///< I have
        REPLY,   ///< to the client
    };

    std::uint32_t kind;
    std::uint32_t client;
    std::uint64_t position;
    std::uint64_t value;
};

/// A client asks, waits for the reply, and asks again; servers keep a log.
class Service : public TypedProtocol<ServiceMessage>
{
  public:
    using TypedProtocol::OnMessage;

    void OnStart() override;
    void OnMessage(Rank from, const ServiceMessage& message) override;

  protected:
    virtual bool IsClient() const = 0;

    /// The server that gets the requests.
    virtual Rank Server() const
    {
        return 0;
    }

    /// A server gets something.
    virtual void OnServer(Rank from, const ServiceMessage& message) = 0;

    /// This server keeps @p value at @p position. @return false if it is not its turn
    bool Store(std::uint64_t position, std::uint64_t value);

    void Reply(const ServiceMessage& request);

    std::uint64_t Stored() const
    {
        return m_stored;
    }

  private:
    void Ask();

    std::uint64_t m_round{0};
    std::uint64_t m_stored{0};
};

/**
 * @brief A server and clients: 2 messages for a request, and nothing else.
 *
 * Process 0 serves all others, who ask one after the other; the pattern of a web server whose
 * answers fit one message. Rounds: of each client. Timed from a client's request to its reply.
 */
class RequestReply : public Service
{
  protected:
    bool IsClient() const override
    {
        return Self() != 0;
    }

    void OnServer(Rank from, const ServiceMessage& message) override;
};

/**
 * @brief The primary does it, has all backups do it, and then replies.
 *
 * The last process is the client, the first is the primary, the others are backups: for n servers
 * 2 + 2 (n - 1) messages for a request, in 4 steps. No fail-over: a crashed backup stops it, which
 * is safe. Source: Alsberg & Day, "A principle for resilient sharing of distributed resources",
 * ICSE 1976; Budhiraja, Marzullo, Schneider & Toueg, "The primary-backup approach", 1993.
 */
class PrimaryBackup : public Service
{
  protected:
    bool IsClient() const override
    {
        return Self() + 1 == Size();
    }

    void OnServer(Rank from, const ServiceMessage& message) override;

    /// Answers that the primary waits for.
    virtual Rank Backups() const
    {
        return Size() - 2;
    }

  private:
    void Conclude(const ServiceMessage& message);

    std::map<std::uint64_t, Rank> m_answers; ///< by position
};

/**
 * @brief Each server does it and tells the next; the last one replies.
 *
 * n + 1 messages for a request to n servers, in n + 1 steps. No fail-over, as PrimaryBackup.
 * Source: van Renesse & Schneider, "Chain replication for supporting high throughput and
 * availability", OSDI 2004.
 */
class ChainReplication : public Service
{
  protected:
    bool IsClient() const override
    {
        return Self() + 1 == Size();
    }

    void OnServer(Rank from, const ServiceMessage& message) override;
};

/// They by name.
std::vector<ProtocolKind> ReplicationKinds();

/// Servers keep one log: no position has two values; what a client was told is kept.
std::string CheckLog(const History& history);

} // namespace via
} // namespace ns3

#endif // VIA_REPLICATION_H
