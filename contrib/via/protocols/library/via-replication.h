/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Replicated servers (primary and backups, a chain) and a server that is not replicated.

#ifndef VIA_REPLICATION_H
#define VIA_REPLICATION_H

#include "ns3/via-protocol-kind.h"

#include <map>

namespace ns3
{
namespace via
{

/// A request, an update between servers, or a reply.
struct ServiceMessage
{
    enum Kind : std::uint32_t
    {
        REQUEST, ///< from a client
        UPDATE,  ///< between servers: store this value at this position
        STORED,  ///< I have stored it
        REPLY,   ///< to the client
    };

    std::uint32_t kind;
    std::uint32_t client;
    std::uint64_t position;
    std::uint64_t value;
};

/// A client sends a request, waits for the reply, and repeats; servers keep a log.
class Service : public TypedProtocol<ServiceMessage>
{
  public:
    using TypedProtocol::OnMessage;

    void OnStart() override;
    void OnMessage(Rank from, const ServiceMessage& message) override;

  protected:
    virtual bool IsClient() const = 0;

    /// The server that receives the requests.
    virtual Rank Server() const
    {
        return 0;
    }

    /// Handles a message at a server.
    virtual void OnServer(Rank from, const ServiceMessage& message) = 0;

    /// Stores @p value at @p position of this server's log. @return false if it is out of order
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
 * @brief A server and clients: 2 messages per request.
 *
 * Process 0 serves all others, each with one request at a time; the pattern of a web server whose
 * replies fit in one message. Rounds: requests of each client. Timed from a client's request to its
 * reply.
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
 * @brief The primary stores the value, then all backups do, then the primary replies.
 *
 * The last process is the client, the first is the primary, the others are backups: 2 + 2 (n - 1)
 * messages per request to n servers, in 4 steps. No fail-over: a crashed backup stops the service,
 * which is safe. Source: Alsberg & Day, "A principle for resilient sharing of distributed
 * resources", ICSE 1976; Budhiraja, Marzullo, Schneider & Toueg, "The primary-backup approach"
 * (1993).
 */
class PrimaryBackup : public Service
{
  protected:
    bool IsClient() const override
    {
        return Self() + 1 == Size();
    }

    void OnServer(Rank from, const ServiceMessage& message) override;

    /// Number of answers that the primary waits for.
    virtual Rank Backups() const
    {
        return Size() - 2;
    }

  private:
    void Conclude(const ServiceMessage& message);

    std::map<std::uint64_t, Rank> m_answers; ///< by position
};

/**
 * @brief Each server stores the value and forwards it to the next; the last one replies.
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

/// The protocols by name.
std::vector<ProtocolKind> ReplicationKinds();

/// All servers have the same log: no position has two values; every acknowledged value is kept.
std::string CheckLog(const History& history);

} // namespace via
} // namespace ns3

#endif // VIA_REPLICATION_H
