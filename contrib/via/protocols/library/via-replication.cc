/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Replicated servers (primary and backups, a chain) and a server that is not replicated.

#include "via-replication.h"

#include <set>

namespace ns3
{
namespace via
{

void
Service::OnStart()
{
    if (IsClient())
    {
        Ask();
    }
    else
    {
        Finish(); // the clients decide when the run is over
    }
}

void
Service::Ask()
{
    const std::uint64_t value = Self() * Rounds() + m_round;
    Enter(value);
    Note(EventKind::PROPOSE, value, value);
    Send(Server(), {ServiceMessage::REQUEST, Self(), 0, value});
}

void
Service::OnMessage(Rank from, const ServiceMessage& message)
{
    if (!IsClient())
    {
        OnServer(from, message);
        return;
    }
    NS_ABORT_MSG_IF(message.value != Self() * Rounds() + m_round,
                    "client " << Self() << " got the reply to another request");
    Note(EventKind::DECIDE, message.position, message.value);
    Leave(message.value);
    if (++m_round < Rounds())
    {
        Ask();
    }
    else
    {
        Finish();
    }
}

bool
Service::Store(std::uint64_t position, std::uint64_t value)
{
    if (position != m_stored)
    {
        return false;
    }
    ++m_stored;
    Note(EventKind::DELIVER, position, value);
    return true;
}

void
Service::Reply(const ServiceMessage& request)
{
    Send(request.client, {ServiceMessage::REPLY, request.client, request.position, request.value});
}

void
RequestReply::OnServer(Rank, const ServiceMessage& message)
{
    ServiceMessage request = message;
    request.position = Stored();
    Store(request.position, request.value);
    Reply(request);
}

void
PrimaryBackup::OnServer(Rank from, const ServiceMessage& message)
{
    ServiceMessage next = message;
    switch (message.kind)
    {
    case ServiceMessage::REQUEST:
        next.kind = ServiceMessage::UPDATE;
        next.position = Stored();
        Store(next.position, next.value);
        for (Rank backup = 1; backup + 1 < Size(); ++backup)
        {
            Send(backup, next);
        }
        return Conclude(next);
    case ServiceMessage::UPDATE:
        if (Store(message.position, message.value))
        {
            next.kind = ServiceMessage::STORED;
            Send(from, next);
        }
        return;
    case ServiceMessage::STORED:
        ++m_answers[message.position];
        return Conclude(message);
    default:
        return;
    }
}

void
PrimaryBackup::Conclude(const ServiceMessage& message)
{
    if (m_answers[message.position] == Backups())
    {
        m_answers[message.position] = Size(); // so that it is not counted again
        Reply(message);
    }
}

void
ChainReplication::OnServer(Rank, const ServiceMessage& message)
{
    ServiceMessage next = message;
    next.kind = ServiceMessage::UPDATE;
    if (Self() == 0)
    {
        next.position = Stored();
    }
    if (!Store(next.position, next.value))
    {
        return; // the chain is broken
    }
    if (Self() + 2 < Size())
    {
        Send(Self() + 1, next);
    }
    else
    {
        Reply(next);
    }
}

std::string
CheckLog(const History& history)
{
    std::set<std::pair<std::uint64_t, std::uint64_t>> kept;
    std::map<std::uint64_t, Rank> copies;
    Rank servers = 0;
    for (const HistoryEvent& event : history.Events())
    {
        if (event.kind == EventKind::DELIVER)
        {
            kept.emplace(event.key, event.value);
            ++copies[event.key];
            servers = std::max(servers, event.rank + 1);
        }
        else if (event.kind == EventKind::DECIDE &&
                 (kept.count({event.key, event.value}) == 0 || copies[event.key] < servers))
        {
            return "client " + std::to_string(event.rank) + " was told that " +
                   std::to_string(event.value) + " is at " + std::to_string(event.key) +
                   ", but not all servers keep it";
        }
    }
    return {};
}

std::vector<ProtocolKind>
ReplicationKinds()
{
    const RoundSpan span = RoundSpan::FIRST_ENTRY_TO_FIRST_EXIT;
    const std::vector<Checker> checkers = {&CheckTotalOrder, &CheckLog};
    return {KindOf<RequestReply>("request-reply", span, checkers),
            KindOf<PrimaryBackup>("primary-backup", span, checkers),
            KindOf<ChainReplication>("chain-replication", span, checkers)};
}

} // namespace via
} // namespace ns3
