/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// All spans of a run, in a few bytes each.

#ifndef VIA_SPAN_LOG_H
#define VIA_SPAN_LOG_H

#include "ns3/via-span.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @brief The tree of spans of a run, in the order in which they were added.
 *
 * A message has dozens of spans, so the log writes of each only what the spans before it do not let
 * expect: most spans begin where the last one ended, and take the cycles and the time of their
 * stage's last one. What it has written never moves. Reading unpacks all of it.
 */
class SpanLog
{
  public:
    SpanLog();
    SpanLog(SpanLog&& other) noexcept;
    SpanLog& operator=(SpanLog&& other) noexcept;
    ~SpanLog();

    /**
     * @brief Starts recording.
     * @param self which of the logs of the run this is: each partition has one
     * @param logs number of logs of the run. They take numbers in turns, so that a number that
     * travels with a packet says whose span it is
     */
    void Enable(std::uint32_t self = 0, std::uint32_t logs = 1);

    bool IsEnabled() const
    {
        return m_record != nullptr;
    }

    /**
     * @brief Appends @p span; only while the log is on.
     * @param from if it is before the span begins, a wait of the same owner for the edge of its
     * clock (Stage::ALIGN) goes between the span's parent and the span
     * @return the span's number; the spans of the only log of a run have the numbers 1, 2 and so on
     */
    SpanId Add(const Span& span, Ps from);

    /// Appends a span that begins when its parent ends.
    SpanId Add(const Span& span)
    {
        return Add(span, span.start);
    }

    /// All spans, 48 bytes each. In the only log of a run, that of number n is at n - 1.
    std::vector<Span> Unpack() const;

    std::size_t Count() const;

    /// What Restore() makes the same log of.
    std::vector<std::uint32_t> Pack() const;

    /// Becomes a log that was packed. @param words what Pack() has returned
    void Restore(const std::vector<std::uint32_t>& words);

  private:
    struct Record;
    std::unique_ptr<Record> m_record; ///< null: off
};

/// Gives the spans of several logs the numbers that they have in a single one.
class SpanNumbers
{
  public:
    /// @param counts of the spans of each log
    explicit SpanNumbers(const std::vector<std::size_t>& counts);

    /// The number of span @p id of any of the logs in the single one, which has the spans of the
    /// first log first.
    SpanId Of(SpanId id) const;

  private:
    std::vector<SpanId> m_before; ///< for each log, the spans of those before it
};

/// The path that ends in the span @p last of @p spans (see SpanLog::Unpack), in time order, back to
/// the root or to @p from ps. Paths share prefixes, so candidates for a critical path cost nothing.
std::vector<Span> PathTo(const std::vector<Span>& spans, SpanId last, Ps from);

} // namespace via
} // namespace ns3

#endif // VIA_SPAN_LOG_H
