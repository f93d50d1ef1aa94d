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

    /// Starts recording.
    void Enable();

    bool IsEnabled() const
    {
        return m_record != nullptr;
    }

    /**
     * @brief Appends @p span; only while the log is on.
     * @param from if it is before the span begins, a wait of the same owner for the edge of its
     * clock (Stage::ALIGN) goes between the span's parent and the span
     * @return the span's number; the spans have the numbers 1, 2 and so on
     */
    SpanId Add(const Span& span, Ps from);

    /// Appends a span that begins when its parent ends.
    SpanId Add(const Span& span)
    {
        return Add(span, span.start);
    }

    /// All spans, 48 bytes each: that of number n is at n - 1.
    std::vector<Span> Unpack() const;

  private:
    struct Record;
    std::unique_ptr<Record> m_record; ///< null: off
};

/// The path that ends in the span @p last of @p spans (see SpanLog::Unpack), in time order, back to
/// the root or to @p from ps. Paths share prefixes, so candidates for a critical path cost nothing.
std::vector<Span> PathTo(const std::vector<Span>& spans, SpanId last, Ps from);

} // namespace via
} // namespace ns3

#endif // VIA_SPAN_LOG_H
