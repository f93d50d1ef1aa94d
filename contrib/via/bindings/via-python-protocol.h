/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A protocol whose processes are Python coroutines, over the transports of the message loop.

#ifndef VIA_PYTHON_PROTOCOL_H
#define VIA_PYTHON_PROTOCOL_H

#include "via-python-process.h"

#include "ns3/via-protocol-kind.h"

#include <cstdint>
#include <memory>
#include <pybind11/pybind11.h>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

class PythonProtocol;

/// The C++ part of a Python instance: the base class of via.Protocol.
struct ProtocolSelf
{
    PythonProtocol* process{nullptr}; ///< null outside of a run

    /// @return the C++ part of @p object; null: not an instance
    static ProtocolSelf* Of(pybind11::handle object);
};

/// State shared by the processes of one run.
struct ProtocolRun
{
    PythonResults* results{nullptr};
    std::uint32_t leastBytes{0}; ///< shorter messages are padded with zeros
    std::uint32_t mostBytes{0};  ///< of the longest message
    bool counts{false};          ///< no message is ever lost, so those in flight can be counted
    std::vector<PythonProtocol*> members; ///< by rank
};

/// What a protocol's coroutine waits for.
struct Awaiting
{
    enum class Kind : std::uint8_t
    {
        NOTHING,
        MESSAGE,
        TIME,
        WAKE, ///< until another task wakes it
    };

    Kind kind{Kind::NOTHING};
    Rank source{ANYONE};
    Ps duration{PS_NEVER}; ///< of a sleep, or the timeout for a message; PS_NEVER: forever
};

/**
 * @brief One process of a protocol written in Python.
 *
 * It has tasks, which are coroutines: the first is run(), which can start others. The process ends
 * with the first. A message goes to the task that has waited for it longest.
 *
 * A coroutine runs outside of all fibers. Its requests (sends, entries to rounds) are queued in
 * order and done when it awaits, on the stack of the process, which may have to yield there. So a
 * Python process costs the same simulated time as its C++ equivalent.
 */
class PythonProtocol final : public Protocol, private OutsideCall
{
  public:
    /// Least size of a message: shorter ones are the loop's own.
    static constexpr std::uint32_t LEAST_BYTES = 5;

    PythonProtocol(pybind11::object self, ProtocolRun& run);
    ~PythonProtocol() override;

    std::vector<Rank> Targets() const override;
    MessageWindow Flow() const override;
    Rank Awaited() const override;
    void OnStart() override;
    void OnBytes(Rank from, const void* data, std::uint32_t length) override;
    void OnTimer(TimerId timer) override;
    void OnCrash() override;

    using Protocol::Now;
    using Protocol::Random;
    using Protocol::Rounds;
    using Protocol::Self;
    using Protocol::Size;

    /// @throws py::value_error for an invalid rank or length
    void Send(std::uint32_t to, pybind11::handle data);

    /// Starts a task, which runs to its first await. @return its number; numbers are used again
    std::uint32_t Spawn(pybind11::object coroutine);

    /// Ends task @p number where it is; nothing if it has ended.
    /// @return what its `finally` blocks raised; null: nothing
    pybind11::object Cancel(std::uint32_t number);

    /// Resumes task @p number, if it waits for that.
    void Wake(std::uint32_t number);

    /// The task that runs now.
    std::uint32_t Current() const
    {
        return m_current;
    }

    /// A task made something to await, and dropped it: @p what says what and where.
    void NoteForgotten(std::string what);

    void EnterRound(std::uint64_t round);
    void LeaveRound(std::uint64_t round);
    void Report(EventKind kind, std::uint64_t key, std::uint64_t value);

    /// @return the message that @p what waits for, or null if it has not arrived
    PyObject* TakeNow(const Awaiting& what);

    /// @throws py::value_error for an invalid rank
    void CheckPeer(std::uint32_t rank) const;

    bool IsSelective() const
    {
        return m_selective;
    }

  private:
    struct Letter
    {
        Rank peer;
        MessageCopy message;
    };

    struct Task
    {
        pybind11::object coroutine; ///< null: it has ended
        pybind11::object awaited;   ///< null: nothing
        Awaiting awaiting;
        std::uint64_t since{0}; ///< when it began to wait, in the order of all waits
        bool timedOut{false};
        bool isRunning{false};
    };

    class RunningTask;

    /// Messages to or from another process.
    struct Peer
    {
        Rank rank;
        std::uint64_t count; ///< sent to it, or received from it
        std::uint64_t taken; ///< sends that the peer has taken, when last asked
    };

    /// An action to be done at the coroutine's next await.
    struct PendingAction
    {
        enum class Kind : std::uint8_t
        {
            SEND,
            ENTER,
            LEAVE,
            NOTE,
        };

        Kind kind;
        EventKind event;
        std::uint64_t key;
        std::uint64_t value;
        std::size_t letter; ///< index in m_outgoing
    };

    void Run() override;
    void Step(std::uint32_t number);
    pybind11::object Resume(std::uint32_t number, const pybind11::object& value);
    void Go(std::uint32_t number);
    void DoDeeds();
    void SetTimers();
    void EndTask(std::uint32_t number);
    void End();

    /// A task has raised an exception when the end of run() ended it.
    void NoteAtEnd(const pybind11::object& raised);
    std::uint32_t WaitingFor(Rank from) const;
    std::vector<Letter>::iterator FindFor(const Awaiting& what);
    bool IsThere(const Awaiting& what);
    Peer* TargetAt(Rank rank);
    Peer& SourceAt(Rank rank);
    void NoteSent(Peer& to);
    MessageCopy Checked(const void* data, std::size_t bytes) const;
    pybind11::object TakeResult(std::uint32_t number);
    bool TakeAwaited(std::uint32_t number, pybind11::handle produced);
    void Fail(pybind11::error_already_set& error);

    pybind11::object m_self;
    ProtocolSelf& m_part; ///< part of m_self
    ProtocolRun& m_run;
    std::vector<Task> m_tasks;          ///< by number; the first is run()
    std::vector<std::uint32_t> m_ready; ///< tasks that were woken
    std::vector<std::uint32_t> m_timed; ///< tasks whose timers are to be set
    std::uint32_t m_due{0};             ///< the task to resume
    std::uint32_t m_current{0};         ///< the task that runs
    std::uint64_t m_waits{0};           ///< waits that have begun
    bool m_selective{false};
    bool m_bounded{false};
    std::uint32_t m_window{8};
    bool m_ended{false};
    ProcessExit m_exit;
    std::string m_forgotten;             ///< what was not awaited; empty: nothing
    std::vector<Letter> m_inbox;         ///< oldest first; rarely more than one
    mutable std::vector<Peer> m_targets; ///< by rank; empty: not yet requested
    std::vector<Peer> m_sources;         ///< senders so far, in order of their first message
    std::vector<Letter> m_outgoing;
    std::vector<PendingAction> m_actions;
};

} // namespace via
} // namespace ns3

#endif // VIA_PYTHON_PROTOCOL_H
