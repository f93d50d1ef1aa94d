/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Requests of a Python protocol's process, queued until it awaits.

#include "via-python-protocol.h"

#include <algorithm>
#include <utility>

namespace py = pybind11;

namespace ns3
{
namespace via
{

void
PythonProtocol::Send(std::uint32_t to, py::handle data)
{
    CheckPeer(to);
    Peer* const peer = TargetAt(to);
    if (peer == nullptr)
    {
        throw py::value_error("targets() does not name process " + std::to_string(to));
    }
    Letter letter{to, {}};
    if (PyBytes_CheckExact(data.ptr()) != 0)
    {
        letter.message = Checked(PyBytes_AS_STRING(data.ptr()), PyBytes_GET_SIZE(data.ptr()));
    }
    else
    {
        const PythonView view(data, false, "data");
        letter.message = Checked(view.Data(), view.Size());
    }
    NoteSent(*peer);
    m_actions.push_back({PendingAction::Kind::SEND, EventKind::DECIDE, 0, 0, m_outgoing.size()});
    m_outgoing.push_back(std::move(letter));
}

MessageCopy
PythonProtocol::Checked(const void* data, std::size_t bytes) const
{
    if (bytes > m_run.mostBytes)
    {
        const bool isFixed = m_run.leastBytes == m_run.mostBytes;
        throw py::value_error(
            "a message of this protocol has " + std::string(isFixed ? "" : "at most ") +
            std::to_string(m_run.mostBytes) + " bytes, not " + std::to_string(bytes) +
            (isFixed ? ": its message_bytes" : ": its max_message_bytes"));
    }
    return {data, static_cast<std::uint32_t>(bytes), m_run.leastBytes};
}

PythonProtocol::Peer*
PythonProtocol::TargetAt(Rank rank)
{
    const auto found =
        std::lower_bound(m_targets.begin(),
                         m_targets.end(),
                         rank,
                         [](const Peer& peer, Rank wanted) { return peer.rank < wanted; });
    return found == m_targets.end() || found->rank != rank ? nullptr : &*found;
}

PythonProtocol::Peer&
PythonProtocol::SourceAt(Rank rank)
{
    const auto found = std::find_if(m_sources.begin(), m_sources.end(), [rank](const Peer& peer) {
        return peer.rank == rank;
    });
    return found == m_sources.end() ? m_sources.emplace_back(Peer{rank, 0, 0}) : *found;
}

void
PythonProtocol::NoteSent(Peer& to)
{
    if (!m_bounded || !m_run.counts)
    {
        return;
    }
    if (to.count - to.taken >= m_window && m_run.members.at(to.rank) != nullptr)
    {
        to.taken = m_run.members[to.rank]->SourceAt(Self()).count;
    }
    if (to.count - to.taken >= m_window)
    {
        throw py::value_error("more than " + std::to_string(m_window) +
                              " messages are on their way to process " + std::to_string(to.rank) +
                              ": more than its `bounded` allows");
    }
    ++to.count;
}

void
PythonProtocol::EnterRound(std::uint64_t round)
{
    m_actions.push_back({PendingAction::Kind::ENTER, EventKind::DECIDE, round, 0, 0});
}

void
PythonProtocol::LeaveRound(std::uint64_t round)
{
    m_actions.push_back({PendingAction::Kind::LEAVE, EventKind::DECIDE, round, 0, 0});
}

void
PythonProtocol::Report(EventKind kind, std::uint64_t key, std::uint64_t value)
{
    m_actions.push_back({PendingAction::Kind::NOTE, kind, key, value, 0});
}

} // namespace via
} // namespace ns3
