/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Spans: the owner of each picosecond of a message, and what each span waited for.

#ifndef VIA_SPAN_H
#define VIA_SPAN_H

#include "ns3/via-time.h"

#include <cstddef>
#include <cstdint>

namespace ns3
{
namespace via
{

/// What an interval of time was spent on, or waited for. StageName() gives its name in tables.
enum class Stage : std::uint8_t
{
    // the host CPU
    COMPUTE,
    CALL_POST_SEND,
    CALL_POST_RECV,
    CALL_REAP,
    CALL_POLL,
    CALL_CQ_REAP,
    CALL_CQ_POLL,
    CALL_WAIT,
    CALL_SETUP,
    CALL_CONNECT,
    CALL_CLOCK,
    INTERRUPT,
    CONTEXT_SWITCH,
    CACHE_MISS,
    KERNEL_SEND,
    KERNEL_RECEIVE,
    COPY,
    TRAP,
    KERNEL_DESCRIPTOR,
    KERNEL_TRANSLATE,
    KERNEL_RESIDUAL,
    // the host bus
    DOORBELL,
    DESCRIPTOR_WRITE,
    RING_FETCH,
    TRANSLATION_FETCH,
    DESCRIPTOR_FETCH,
    PAYLOAD_READ,
    PAYLOAD_WRITE,
    STATUS_WRITE,
    CQ_WRITE,
    // the NIC
    DOORBELL_SCAN,
    DOORBELL_DECODE,
    DMA_START,
    DESCRIPTOR_READ,
    TRANSLATE,
    TRANSLATION_HIT,
    TRANSLATION_MISS,
    SEGMENT,
    DEMUX,
    RESIDUAL,
    COMPLETE,
    CONNECTION,
    TRANSPORT,
    // the fabric
    SERIALIZE,
    PROPAGATE,
    SWITCH,
    // waits
    ALIGN,
    CPU_WAIT,
    BUS_WAIT,
    ENGINE_WAIT,
    LINK_WAIT,
    CREDIT_WAIT,
    DOORBELL_WAIT,
    DESCRIPTOR_WAIT,
    COALESCE,
    RECEIVER_LATE,
    BLOCKED,
    TIME_OUT,
    // the host CPU in its kernel's network stack
    SYSTEM_CALL,
    SOCKET,
    PROTOCOL,
    CHECKSUM,
    MAP_PAGES,
    DRIVER,
    SOFT_INTERRUPT,
    WAKE_UP,
    // in a fabric with adaptive routes
    RESEQUENCE,
    // on a NIC that performs barriers
    BARRIER_STEP,
    // on a NIC that hears of congestion
    CONGESTION_WAIT,
};

/// Number of stages.
constexpr std::size_t STAGE_COUNT = static_cast<std::size_t>(Stage::CONGESTION_WAIT) + 1;

/// The name of @p stage in CSV files and traces, e.g. "descriptor-fetch".
const char* StageName(Stage stage);

/// The part of a component that owns a span. EngineName() gives its name in tables.
enum class Engine : std::uint8_t
{
    CPU,
    BUS,
    NIC_SEND,
    NIC_RECEIVE,
    LINK,
    CROSSBAR,
    PROGRAM,
};

/// The suffix of an owner's name, e.g. "bus" in "n3.bus".
const char* EngineName(Engine engine);

/// Number of a span, from 1; 0 is "none" (also when nothing is recorded). It is unique in the run,
/// also where several partitions have a log each.
using SpanId = std::uint32_t;

/// An interval of time with an owner, and the span that had to end before it could begin.
struct Span
{
    Ps start;
    Ps end;
    std::uint64_t hz;     ///< clock of the owner; 0 for a wait
    std::uint64_t cycles; ///< of that clock; 0 for a wait
    SpanId parent;
    std::uint32_t component;
    Stage stage;
    Engine engine;
};

/**
 * @brief An instant and the span that ends there.
 *
 * The model passes moments, not times. A later moment results only from spending cycles of a named
 * engine or from waiting, so every picosecond has an owner.
 */
struct Moment
{
    Ps at{0};
    SpanId cause{0};
};

/// The later moment, at which both conditions hold.
inline const Moment&
Later(const Moment& a, const Moment& b)
{
    return b.at > a.at ? b : a;
}

} // namespace via
} // namespace ns3

#endif // VIA_SPAN_H
