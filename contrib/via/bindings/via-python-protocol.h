/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A protocol whose processes are coroutines of Python, over the transports of the messenger.

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

/// What an instance of the Python class has of C++: the base class of via.Protocol.
struct ProtocolSelf
{
    PythonProtocol* process{nullptr}; ///< null outside of a run

    /// The part of @p object; null: it is no instance.
    static ProtocolSelf* Of(pybind11::handle object);
};

/// What the processes of one run have in common.
struct ProtocolRun
{
    PythonResults* results{nullptr};
    std::uint32_t messageBytes{0}; ///< of each message
    bool counts{false};            ///< nothing is ever lost: messages on their way can be counted
    std::vector<PythonProtocol*> members; ///< by rank
};

/// What a coroutine of a protocol waits for.
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
    Ps duration{PS_NEVER}; ///< of a sleep; of patience with a message, PS_NEVER: for ever
};

/**
 * @brief One process of a protocol written in Python.
 *
 * The coroutine runs outside of all fibers. What it asks for (sends, entries to rounds) is kept in
 * order and done when it awaits, on the stack of the process, where the process may have to give
 * way to others: a Python process costs the simulated time of the same one in C++.
 */
class PythonProtocol final : public Protocol, private Errand
{
  public:
    /// Of a message: shorter ones are the messenger's own.
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

    /// @throws py::value_error for a rank or a length that there is not
    void Send(std::uint32_t to, pybind11::handle data);

    void EnterRound(std::uint64_t round);
    void LeaveRound(std::uint64_t round);
    void Report(EventKind kind, std::uint64_t key, std::uint64_t value);

    /// The message that @p what waits for, if it is there already; null: it is not.
    PyObject* TakeNow(const Awaiting& what);

    /// @throws py::value_error for a rank that there is not
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
        std::uint64_t count; ///< sent to it, or taken from it
        std::uint64_t taken; ///< of those sent, as far as this process has asked
    };

    /// Something to be done when the coroutine has come to its next await.
    struct Deed
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
        std::size_t letter; ///< of m_outgoing
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
    ProtocolSelf& m_part; ///< of m_self
    ProtocolRun& m_run;
    pybind11::object m_coroutine;
    bool m_selective{false};
    bool m_bounded{false};
    std::uint32_t m_window{8};
    Awaiting m_awaiting;
    bool m_timedOut{false};
    bool m_ended{false};
    std::string m_failure;
    std::vector<Letter> m_inbox;         ///< the oldest first; hardly ever more than one
    mutable std::vector<Peer> m_targets; ///< by rank; empty: not asked yet
    std::vector<Peer> m_sources;         ///< that have sent something, in the order of the first
    std::vector<Letter> m_outgoing;
    std::vector<Deed> m_deeds;
};

} // namespace via
} // namespace ns3

#endif // VIA_PYTHON_PROTOCOL_H
