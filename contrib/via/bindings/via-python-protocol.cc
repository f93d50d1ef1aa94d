/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A protocol whose processes are Python coroutines, over the transports of the message loop.

#include "via-python-protocol.h"

#include "via-protocol-await.h"

#include "ns3/via-error.h"

#include <algorithm>
#include <pybind11/stl.h>
#include <utility>

namespace py = pybind11;

namespace ns3
{
namespace via
{

namespace
{

constexpr std::uint32_t MAIN = 0; // the task of run()
constexpr std::uint32_t NO_TASK = UINT32_MAX;

std::string
TypeName(const py::object& object)
{
    return py::str(py::type::of(object).attr("__name__"));
}

ProtocolSelf&
CheckedPart(const py::object& self)
{
    ProtocolSelf* const part = ProtocolSelf::Of(self);
    if (part == nullptr)
    {
        throw ConfigError("workload",
                          "a value of type " + TypeName(self),
                          "a subclass of via.Protocol is needed, or a function that returns an "
                          "instance of one for each process");
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
        throw ConfigError("workload",
                          "an instance of " + TypeName(m_self) + " for several",
                          "each process of a protocol needs an instance of its own");
    }
    const py::object flow =
        py::module_::import("via._programs.task").attr("flow_of")(m_self); // checked
    const py::tuple values(flow);
    m_window = values[0].cast<std::uint32_t>();
    m_bounded = values[1].cast<bool>();
    m_selective = values[2].cast<bool>();
    m_part.process = this;
}

PythonProtocol::~PythonProtocol()
{
    m_part.process = nullptr;
    for (Task& task : m_tasks)
    {
        if (task.coroutine)
        {
            CloseCoroutine(std::exchange(task.coroutine, py::object()));
        }
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
        const py::object checked = py::module_::import("via._programs.task").attr("targets_of");
        targets = checked(given, Self(), Size()).cast<std::vector<Rank>>();
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
    for (const Task& task : m_tasks)
    {
        if (task.awaiting.kind == Awaiting::Kind::MESSAGE)
        {
            return task.awaiting.source;
        }
    }
    return NOBODY;
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
            GetMessenger().Send(letter.peer, letter.message.Data(), letter.message.Length());
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

std::vector<PythonProtocol::Letter>::iterator
PythonProtocol::FindFor(const Awaiting& what)
{
    return std::find_if(m_inbox.begin(), m_inbox.end(), [&](const Letter& letter) {
        return what.source == ANYONE || letter.peer == what.source;
    });
}

bool
PythonProtocol::IsThere(const Awaiting& what)
{
    return what.kind == Awaiting::Kind::MESSAGE && FindFor(what) != m_inbox.end();
}

PyObject*
PythonProtocol::TakeNow(const Awaiting& what)
{
    if (what.kind != Awaiting::Kind::MESSAGE)
    {
        return nullptr;
    }
    const auto found = FindFor(what);
    if (found == m_inbox.end())
    {
        return nullptr;
    }
    PyObject* data = PyBytes_FromStringAndSize(reinterpret_cast<const char*>(found->message.Data()),
                                               found->message.Length());
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
    Go(MAIN);
}

std::uint32_t
PythonProtocol::WaitingFor(Rank from) const
{
    std::uint32_t first = NO_TASK;
    for (std::uint32_t number = 0; number < m_tasks.size(); ++number)
    {
        const Task& task = m_tasks[number];
        if (task.awaiting.kind == Awaiting::Kind::MESSAGE &&
            (task.awaiting.source == ANYONE || task.awaiting.source == from) &&
            (first == NO_TASK || task.since < m_tasks[first].since))
        {
            first = number;
        }
    }
    return first;
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
    m_inbox.push_back({from, {data, std::min(length, m_run.mostBytes)}});
    const std::uint32_t waiting = WaitingFor(from);
    if (waiting != NO_TASK)
    {
        Go(waiting);
    }
}

void
PythonProtocol::OnTimer(TimerId timer)
{
    Task& task = m_tasks[timer];
    if (!m_ended && task.awaiting.duration != PS_NEVER)
    {
        task.timedOut = true;
        Go(timer);
    }
}

void
PythonProtocol::OnCrash()
{
    m_ended = true;
    Protocol::OnCrash();
}

void
PythonProtocol::Go(std::uint32_t number)
{
    m_due = number;
    Fiber::RunOutside(*this);
    DoDeeds();
    if (m_exit.code != 0)
    {
        GetMessenger().Fail(m_exit.report.empty()
                                ? "exited with code " + std::to_string(m_exit.code)
                                : m_exit.report,
                            m_exit.code);
    }
    else if (m_ended)
    {
        Finish();
    }
    else
    {
        SetTimers();
    }
}

void
PythonProtocol::SetTimers()
{
    for (const std::uint32_t number : m_timed)
    {
        const Awaiting& awaiting = m_tasks[number].awaiting;
        if (awaiting.duration != PS_NEVER) // else it has ended, or went on
        {
            SetTimer(number, awaiting.duration);
        }
    }
    m_timed.clear();
}

void
PythonProtocol::Run()
{
    try
    {
        if (m_tasks.empty())
        {
            Spawn(StartCoroutine(m_self.attr("run"), py::object()));
        }
        else
        {
            Step(m_due);
        }
        while (!m_ended && !m_ready.empty())
        {
            const std::uint32_t next = m_ready.front();
            m_ready.erase(m_ready.begin());
            Step(next);
        }
    }
    catch (py::error_already_set& error)
    {
        Fail(error);
    }
}

std::uint32_t
PythonProtocol::Spawn(py::object coroutine)
{
    if (m_ended)
    {
        throw py::value_error("this process has ended");
    }
    const auto free = std::find_if(m_tasks.begin(), m_tasks.end(), [](const Task& task) {
        return !task.coroutine;
    });
    const auto number = static_cast<std::uint32_t>(free - m_tasks.begin());
    if (free == m_tasks.end())
    {
        m_tasks.emplace_back();
    }
    m_tasks[number].coroutine = std::move(coroutine);
    Step(number);
    return number;
}

py::object
PythonProtocol::Cancel(std::uint32_t number)
{
    if (number >= m_tasks.size() || !m_tasks[number].coroutine)
    {
        return {};
    }
    if (m_tasks[number].isRunning)
    {
        throw py::value_error("a task cannot cancel itself, or the one that started it now");
    }
    const py::object coroutine = m_tasks[number].coroutine;
    EndTask(number);
    return EndCoroutine(coroutine);
}

void
PythonProtocol::Wake(std::uint32_t number)
{
    if (number < m_tasks.size() && m_tasks[number].awaiting.kind == Awaiting::Kind::WAKE)
    {
        m_tasks[number].awaiting = Awaiting{};
        m_ready.push_back(number);
    }
}

void
PythonProtocol::NoteForgotten(std::string what)
{
    m_forgotten = std::move(what);
}

py::object
PythonProtocol::TakeResult(std::uint32_t number)
{
    Task& task = m_tasks[number];
    const Awaiting what = std::exchange(task.awaiting, Awaiting{});
    const bool timedOut = std::exchange(task.timedOut, false);
    if (const py::object awaited = std::exchange(task.awaited, py::object()))
    {
        ProtocolAwait::From(awaited.ptr())->Release();
    }
    if (what.kind == Awaiting::Kind::MESSAGE && what.duration != PS_NEVER)
    {
        CancelTimer(number);
    }
    if (timedOut || what.kind != Awaiting::Kind::MESSAGE)
    {
        return py::none();
    }
    return py::reinterpret_steal<py::object>(TakeNow(what));
}

/// Marks a task as the one that runs.
class PythonProtocol::RunningTask
{
  public:
    RunningTask(PythonProtocol& process, std::uint32_t number)
        : m_process(process),
          m_number(number),
          m_caller(std::exchange(process.m_current, number))
    {
        process.m_tasks[number].isRunning = true;
    }

    ~RunningTask()
    {
        m_process.m_tasks[m_number].isRunning = false;
        m_process.m_current = m_caller;
    }

    RunningTask(const RunningTask&) = delete;
    RunningTask& operator=(const RunningTask&) = delete;

  private:
    PythonProtocol& m_process;
    std::uint32_t m_number;
    std::uint32_t m_caller;
};

py::object
PythonProtocol::Resume(std::uint32_t number, const py::object& value)
{
    const py::object coroutine = m_tasks[number].coroutine;
    const RunningTask running(*this, number);
    return RunCoroutine(
        coroutine,
        value,
        py::object(),
        "a protocol may await only self.recv() and self.sleep(), each call once, and its tasks",
        [this, number](py::object&& produced) { return TakeAwaited(number, produced); });
}

void
PythonProtocol::Step(std::uint32_t number)
{
    py::object value = TakeResult(number);
    py::object returned;
    try
    {
        for (returned = Resume(number, value); !returned && IsThere(m_tasks[number].awaiting);)
        {
            value = TakeResult(number); // a generator does not look before it yields
            returned = Resume(number, value);
        }
    }
    catch (const py::error_already_set&)
    {
        EndTask(number);
        m_forgotten.clear(); // dropped on the way, perhaps by a signal's handler
        throw;
    }
    if (!m_forgotten.empty())
    {
        RaiseNotAwaited(std::exchange(m_forgotten, std::string()));
    }
    if (returned)
    {
        EndTask(number);
    }
    if (returned && number == MAIN)
    {
        m_run.results->returned[Self()] = std::move(returned);
        End();
    }
}

void
PythonProtocol::EndTask(std::uint32_t number)
{
    Task& task = m_tasks[number];
    if (task.awaiting.duration != PS_NEVER)
    {
        CancelTimer(number);
    }
    task = Task{};
}

void
PythonProtocol::End()
{
    m_ended = true;
    for (std::uint32_t number = 0; number < m_tasks.size(); ++number)
    {
        if (const py::object raised = Cancel(number))
        {
            NoteAtEnd(raised);
        }
    }
}

void
PythonProtocol::NoteAtEnd(const py::object& raised)
{
    PyErr_SetObject(py::type::handle_of(raised).ptr(), raised.ptr());
    py::error_already_set error;
    if (m_exit.code == 0)
    {
        m_exit = m_run.results->NoteError(Self(), error);
        return;
    }
    error.restore(); // the process has failed before
    PyErr_WriteUnraisable(nullptr);
}

bool
PythonProtocol::TakeAwaited(std::uint32_t number, py::handle produced)
{
    ProtocolAwait* await = ProtocolAwait::From(produced.ptr());
    if (await == nullptr || await->owner->process != this || !await->Claim())
    {
        return false;
    }
    const bool isMessage = await->what.kind == Awaiting::Kind::MESSAGE;
    if (m_selective && isMessage && Awaited() != NOBODY)
    {
        PyErr_SetString(PyExc_ValueError, "a selective protocol waits for one message at a time");
        throw py::error_already_set();
    }
    Task& task = m_tasks[number];
    task.awaited = py::reinterpret_borrow<py::object>(produced);
    task.awaiting = await->what;
    task.since = m_waits++;
    if (await->what.duration != PS_NEVER)
    {
        m_timed.push_back(number);
    }
    return true;
}

void
PythonProtocol::Fail(py::error_already_set& error)
{
    m_exit = m_run.results->NoteError(Self(), error);
    End();
}

} // namespace via
} // namespace ns3
