/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A protocol whose processes are Python coroutines, over the transports of the message loop.

#ifndef VIA_PYTHON_PROTOCOL_H
#define VIA_PYTHON_PROTOCOL_H

#include "via-python-process.h"

#include "ns3/via-protocol-kind.h"

#include <array>
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
    std::uint32_t messageBytes{0}; ///< size of each message
    bool counts{false};            ///< no message is ever lost, so those in flight can be counted
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
    };

    Kind kind{Kind::NOTHING};
    Rank source{ANYONE};
    Ps duration{PS_NEVER}; ///< of a sleep, or the timeout for a message; PS_NEVER: forever
};

/**
 * @brief One process of a protocol written in Python.
 *
 * The coroutine runs outside of all fibers. Its requests (sends, entries to rounds) are queued in
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
        std::uint32_t length;
        std::array<std::uint8_t, MESSAGE_BYTES> data;
    };

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
    void Step();
    void Go();
    void DoDeeds();
    void Arm();
    Peer* TargetAt(Rank rank);
    Peer& SourceAt(Rank rank);
    void NoteSent(Peer& to);
    void Fill(Letter& letter, const void* data, std::size_t bytes) const;
    pybind11::object TakeResult();
    bool TakeAwaited(pybind11::handle produced);
    void Fail(pybind11::error_already_set& error);

    pybind11::object m_self;
    ProtocolSelf& m_part; ///< part of m_self
    ProtocolRun& m_run;
    pybind11::object m_coroutine;
    bool m_selective{false};
    bool m_bounded{false};
    std::uint32_t m_window{8};
    Awaiting m_awaiting;
    bool m_timedOut{false};
    bool m_ended{false};
    std::string m_failure;
    std::vector<Letter> m_inbox;         ///< oldest first; rarely more than one
    mutable std::vector<Peer> m_targets; ///< by rank; empty: not yet requested
    std::vector<Peer> m_sources;         ///< senders so far, in order of their first message
    std::vector<Letter> m_outgoing;
    std::vector<PendingAction> m_actions;
};

} // namespace via
} // namespace ns3

#endif // VIA_PYTHON_PROTOCOL_H
