/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A protocol whose processes are Python coroutines, over the transports of the message loop.

#include "via-python-protocol.h"

#include "via-protocol-await.h"
#include "via-python-arguments.h"

#include <algorithm>
#include <cstring>

namespace py = pybind11;

namespace ns3
{
namespace via
{

namespace
{

constexpr TimerId SLEEP = 0;
constexpr TimerId PATIENCE = 1;
constexpr std::uint32_t MOST_WINDOW = 4096;

ProtocolSelf&
CheckedPart(const py::object& self)
{
    ProtocolSelf* const part = ProtocolSelf::Of(self);
    if (part == nullptr)
    {
        throw py::type_error("a protocol must be a subclass of via.Protocol, or a function that "
                             "returns an instance");
    }
    return *part;
}

} // namespace

PythonProtocol::PythonProtocol(py::object self, ProtocolRun& run)
    : m_self(std::move(self)),
      m_part(CheckedPart(m_self)),
      m_run(run)
{
    if (m_part.process != nullptr)
    {
        throw py::value_error("each process of a protocol needs an instance of its own");
    }
    m_selective = py::bool_(m_self.attr("selective"));
    m_bounded = py::bool_(m_self.attr("bounded"));
    m_window = static_cast<std::uint32_t>(
        WholeNumber(py::object(m_self.attr("window")).ptr(), "window", MOST_WINDOW));
    if (m_window < 1 || (m_selective && !m_bounded))
    {
        throw py::value_error("window must be 1 to 4096, and a selective protocol must be bounded");
    }
    m_part.process = this;
}

PythonProtocol::~PythonProtocol()
{
    m_part.process = nullptr;
    if (m_coroutine)
    {
        CloseCoroutine(std::exchange(m_coroutine, py::object()));
    }
}

std::vector<Rank>
PythonProtocol::Targets() const
{
    const py::object given = m_self.attr("targets")();
    std::vector<Rank> targets;
    if (given.is_none())
    {
        targets = Protocol::Targets();
    }
    else
    {
        for (const py::handle rank : given)
        {
            targets.push_back(
                static_cast<Rank>(WholeNumber(rank.ptr(), "a rank of targets()", UINT32_MAX)));
            CheckPeer(targets.back());
        }
    }
    m_targets.clear();
    for (const Rank rank : targets)
    {
        m_targets.push_back({rank, 0, 0});
    }
    std::sort(m_targets.begin(), m_targets.end(), [](const Peer& a, const Peer& b) {
        return a.rank < b.rank;
    });
    return targets;
}

void
PythonProtocol::CheckPeer(std::uint32_t rank) const
{
    if (rank >= Size() || rank == Self())
    {
        throw py::value_error("process " + std::to_string(rank) + " is not a peer of process " +
                              std::to_string(Self()) + " of " + std::to_string(Size()));
    }
}

MessageWindow
PythonProtocol::Flow() const
{
    return {m_window, m_bounded};
}

Rank
PythonProtocol::Awaited() const
{
    if (!m_selective)
    {
        return ANYONE;
    }
    return m_awaiting.kind == Awaiting::Kind::MESSAGE ? m_awaiting.source : NOBODY;
}

void
PythonProtocol::DoDeeds()
{
    for (const PendingAction& action : m_actions)
    {
        switch (action.kind)
        {
        case PendingAction::Kind::SEND: {
            const Letter& letter = m_outgoing[action.letter];
            GetMessenger().Send(letter.peer, letter.data.data(), letter.length);
            break;
        }
        case PendingAction::Kind::ENTER:
            Enter(action.key);
            break;
        case PendingAction::Kind::LEAVE:
            Leave(action.key);
            break;
        case PendingAction::Kind::NOTE:
            Note(action.event, action.key, action.value);
            break;
        }
    }
    m_actions.clear();
    m_outgoing.clear();
}

PyObject*
PythonProtocol::TakeNow(const Awaiting& what)
{
    if (what.kind != Awaiting::Kind::MESSAGE)
    {
        return nullptr;
    }
    const auto found = std::find_if(m_inbox.begin(), m_inbox.end(), [&](const Letter& letter) {
        return what.source == ANYONE || letter.peer == what.source;
    });
    if (found == m_inbox.end())
    {
        return nullptr;
    }
    PyObject* data =
        PyBytes_FromStringAndSize(reinterpret_cast<const char*>(found->data.data()), found->length);
    PyObject* rank = PyLong_FromUnsignedLong(found->peer);
    m_inbox.erase(found);
    PyObject* message = data == nullptr || rank == nullptr ? nullptr : PyTuple_Pack(2, rank, data);
    Py_XDECREF(rank);
    Py_XDECREF(data);
    return message;
}

void
PythonProtocol::OnStart()
{
    m_run.members.resize(Size());
    m_run.members[Self()] = this;
    Go();
}

void
PythonProtocol::OnBytes(Rank from, const void* data, std::uint32_t length)
{
    if (m_bounded && m_run.counts)
    {
        ++SourceAt(from).count;
    }
    if (m_ended)
    {
        return;
    }
    Letter& letter = m_inbox.emplace_back();
    letter.peer = from;
    letter.length = std::min(length, m_run.messageBytes);
    std::memcpy(letter.data.data(), data, letter.length);
    if (m_awaiting.kind == Awaiting::Kind::MESSAGE &&
        (m_awaiting.source == ANYONE || m_awaiting.source == from))
    {
        Go();
    }
}

void
PythonProtocol::OnTimer(TimerId timer)
{
    const Awaiting::Kind due = timer == SLEEP ? Awaiting::Kind::TIME : Awaiting::Kind::MESSAGE;
    if (!m_ended && m_awaiting.kind == due)
    {
        m_timedOut = true;
        Go();
    }
}

void
PythonProtocol::OnCrash()
{
    m_ended = true;
    Protocol::OnCrash();
}

void
PythonProtocol::Go()
{
    if (m_awaiting.kind == Awaiting::Kind::MESSAGE && m_awaiting.duration != PS_NEVER)
    {
        CancelTimer(PATIENCE);
    }
    Fiber::RunOutside(*this);
    DoDeeds();
    if (!m_failure.empty())
    {
        GetMessenger().Fail(m_failure);
    }
    else if (m_ended)
    {
        Finish();
    }
    else if (m_awaiting.duration != PS_NEVER)
    {
        SetTimer(m_awaiting.kind == Awaiting::Kind::TIME ? SLEEP : PATIENCE, m_awaiting.duration);
    }
}

void
PythonProtocol::Run()
{
    try
    {
        Step();
    }
    catch (py::error_already_set& error)
    {
        Fail(error);
    }
}

py::object
PythonProtocol::TakeResult()
{
    const Awaiting what = std::exchange(m_awaiting, Awaiting{});
    if (std::exchange(m_timedOut, false) || what.kind != Awaiting::Kind::MESSAGE)
    {
        return py::none();
    }
    return py::reinterpret_steal<py::object>(TakeNow(what));
}

void
PythonProtocol::Step()
{
    py::object value = py::none();
    if (!m_coroutine)
    {
        m_coroutine = StartCoroutine(m_self.attr("run"), py::object());
    }
    else
    {
        value = TakeResult();
    }
    py::object returned =
        RunCoroutine(m_coroutine,
                     value,
                     py::object(),
                     "a protocol may await only self.recv() or self.sleep()",
                     [this](py::object&& produced) { return TakeAwaited(produced); });
    if (returned)
    {
        m_ended = true;
        m_run.results->returned[Self()] = std::move(returned);
    }
}

bool
PythonProtocol::TakeAwaited(py::handle produced)
{
    const ProtocolAwait* await = ProtocolAwait::From(produced.ptr());
    if (await == nullptr || await->owner->process != this)
    {
        return false;
    }
    m_awaiting = await->what;
    return true;
}

void
PythonProtocol::Fail(py::error_already_set& error)
{
    m_ended = true;
    m_failure = m_run.results->NoteError(Self(), error);
}

} // namespace via
} // namespace ns3
