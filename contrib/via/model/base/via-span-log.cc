/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// All spans of a run, in a few bytes each.

#include "via-span-log.h"

#include "ns3/abort.h"

#include <algorithm>
#include <array>
#include <limits>

namespace ns3
{
namespace via
{

namespace
{

// An entry of the log is a span and the wait for the edge before it: 32 bits with the stage, the
// engine and the lengths of seven numbers in words of 32 bits, then these words.
constexpr std::uint32_t STAGE_BITS = 7;
constexpr std::uint32_t ENGINE_BITS = 3;
constexpr std::uint32_t LENGTH_BITS = 2;
constexpr std::uint32_t NUMBERS = 7;

static_assert(STAGE_COUNT <= 1U << STAGE_BITS);
static_assert(static_cast<std::uint32_t>(Engine::PROGRAM) < 1U << ENGINE_BITS);
static_assert(STAGE_BITS + ENGINE_BITS + LENGTH_BITS * NUMBERS <= 32);

constexpr std::size_t CHUNK_WORDS = 16 << 10;
/// The count of the spans, and which log it is, precede the chunks of a packed log.
constexpr std::size_t HEAD_WORDS = 3;

constexpr std::size_t MOST_WORDS = 1 + 2 * NUMBERS;
constexpr std::size_t FULL_WORDS = CHUNK_WORDS - MOST_WORDS; ///< no entry begins after these

/// Writes an entry: those of its numbers that were not expected.
class Writer
{
  public:
    Writer(std::uint32_t* place, Stage stage, Engine engine)
        : m_place(place),
          m_next(place + 1),
          m_head(static_cast<std::uint32_t>(engine) << STAGE_BITS |
                 static_cast<std::uint32_t>(stage))
    {
    }

    /// Writes @p number unless it was expected, and expects it again.
    template <class T>
    void Put(T number, T& expected)
    {
        if (number != expected)
        {
            const std::uint32_t high = std::uint64_t{number} >> 32;
            const std::uint32_t words = high == 0 ? 1 : 2;
            m_next[0] = static_cast<std::uint32_t>(number);
            m_next[1] = high; // what follows overwrites a 0
            m_next += words;
            m_head |= words << m_shift;
            expected = number;
        }
        m_shift += LENGTH_BITS;
    }

    /// Completes the entry. @return the place after it
    std::uint32_t* End() const
    {
        *m_place = m_head;
        return m_next;
    }

  private:
    std::uint32_t* m_place;
    std::uint32_t* m_next;
    std::uint32_t m_head;
    std::uint32_t m_shift{STAGE_BITS + ENGINE_BITS};
};

/// Reads what Writer wrote, in the same order.
class Reader
{
  public:
    explicit Reader(const std::uint32_t* place)
        : m_next(place + 1),
          m_head(*place)
    {
    }

    Stage GetStage()
    {
        return static_cast<Stage>(Take(STAGE_BITS));
    }

    Engine GetEngine()
    {
        return static_cast<Engine>(Take(ENGINE_BITS));
    }

    /// Reads a number, and expects it again.
    template <class T>
    T Get(T& expected)
    {
        if (const std::uint32_t words = Take(LENGTH_BITS); words != 0)
        {
            const std::uint64_t high = words == 2 ? m_next[1] : 0;
            expected = static_cast<T>(high << 32 | m_next[0]);
            m_next += words;
        }
        return expected;
    }

    const std::uint32_t* End() const
    {
        return m_next;
    }

  private:
    /// The next @p bits of the head.
    std::uint32_t Take(std::uint32_t bits)
    {
        const std::uint32_t value = m_head & ((1U << bits) - 1);
        m_head >>= bits;
        return value;
    }

    const std::uint32_t* m_next;
    std::uint32_t m_head;
};

/// What the entries so far let expect of the next one.
struct Expectation
{
    /// Of a stage: what its last span took.
    struct Work
    {
        std::uint64_t time{0};
        std::uint64_t cycles{0};
        std::uint64_t hz{0};
    };

    SpanId parent{0};
    std::uint32_t component{0};
    std::uint64_t from{0};
    std::array<Work, STAGE_COUNT> work;

    /// Expects a span that follows the one of this number and end.
    void Follow(SpanId last, std::uint64_t end)
    {
        parent = last;
        from = end;
    }
};

/// Which of the logs of a run it is.
struct LogPlace
{
    std::uint32_t self{0};
    std::uint32_t logs{1};

    /// The number of the log's span @p n, counted from 1.
    SpanId NumberOf(std::size_t n) const
    {
        return static_cast<SpanId>((n - 1) * logs + self + 1);
    }
};

/// Appends to @p spans the span at @p place, after the wait for its edge. @return the next place
const std::uint32_t*
Read(const std::uint32_t* place,
     const LogPlace& log,
     Expectation& expected,
     std::vector<Span>& spans)
{
    Reader reader(place);
    Span span{};
    span.stage = reader.GetStage();
    span.engine = reader.GetEngine();
    Expectation::Work& work = expected.work[static_cast<std::size_t>(span.stage)];
    span.parent = reader.Get(expected.parent);
    span.component = reader.Get(expected.component);
    const std::uint64_t from = reader.Get(expected.from);
    std::uint64_t wait = 0;
    reader.Get(wait);
    span.start = static_cast<Ps>(from + wait);
    span.end = static_cast<Ps>(from + wait + reader.Get(work.time));
    if (wait != 0)
    {
        spans.push_back({static_cast<Ps>(from),
                         span.start,
                         0,
                         0,
                         span.parent,
                         span.component,
                         Stage::ALIGN,
                         span.engine});
        span.parent = log.NumberOf(spans.size());
    }
    span.cycles = reader.Get(work.cycles);
    span.hz = reader.Get(work.hz);
    spans.push_back(span);
    expected.Follow(log.NumberOf(spans.size()), static_cast<std::uint64_t>(span.end));
    return reader.End();
}

} // namespace

struct SpanLog::Record
{
    std::vector<std::unique_ptr<std::uint32_t[]>> chunks;
    std::uint32_t* next{nullptr}; ///< place of the next entry
    std::uint32_t* full{nullptr}; ///< from here on, it goes to another chunk
    SpanId count{0};
    LogPlace log;
    Expectation expected;

    void AddChunk();
};

void
SpanLog::Record::AddChunk()
{
    NS_ABORT_MSG_IF(count > std::numeric_limits<SpanId>::max() / log.logs - CHUNK_WORDS,
                    "more than 2^32 spans recorded: trace a shorter run");
    chunks.emplace_back(new std::uint32_t[CHUNK_WORDS]);
    next = chunks.back().get();
    full = next + FULL_WORDS;
}

SpanLog::SpanLog() = default;
SpanLog::SpanLog(SpanLog&& other) noexcept = default;
SpanLog& SpanLog::operator=(SpanLog&& other) noexcept = default;
SpanLog::~SpanLog() = default;

void
SpanLog::Enable(std::uint32_t self, std::uint32_t logs)
{
    if (m_record == nullptr)
    {
        m_record = std::make_unique<Record>();
        m_record->log = {self, logs};
    }
}

SpanId
SpanLog::Add(const Span& span, Ps from)
{
    NS_ABORT_MSG_IF(m_record == nullptr, "the span log is off");
    Record& record = *m_record;
    if (record.next >= record.full)
    {
        record.AddChunk();
    }
    Expectation& expected = record.expected;
    Expectation::Work& work = expected.work[static_cast<std::size_t>(span.stage)];
    const auto begin = static_cast<std::uint64_t>(std::min(from, span.start));
    const auto start = static_cast<std::uint64_t>(span.start);
    const auto end = static_cast<std::uint64_t>(span.end);
    std::uint64_t noWait = 0;
    Writer writer(record.next, span.stage, span.engine);
    writer.Put(span.parent, expected.parent);
    writer.Put(span.component, expected.component);
    writer.Put(begin, expected.from);
    writer.Put(start - begin, noWait);
    writer.Put(end - start, work.time);
    writer.Put(span.cycles, work.cycles);
    writer.Put(span.hz, work.hz);
    record.next = writer.End();
    record.count += start == begin ? 1 : 2;
    const SpanId number = record.log.NumberOf(record.count);
    expected.Follow(number, end);
    return number;
}

std::vector<Span>
SpanLog::Unpack() const
{
    std::vector<Span> spans;
    if (m_record == nullptr)
    {
        return spans;
    }
    spans.reserve(m_record->count);
    Expectation expected;
    for (const auto& chunk : m_record->chunks)
    {
        const std::uint32_t* place = chunk.get();
        while (place < chunk.get() + FULL_WORDS && spans.size() < m_record->count)
        {
            place = Read(place, m_record->log, expected, spans);
        }
    }
    return spans;
}

std::size_t
SpanLog::Count() const
{
    return m_record == nullptr ? 0 : m_record->count;
}

std::vector<std::uint32_t>
SpanLog::Pack() const
{
    NS_ABORT_MSG_IF(m_record == nullptr, "the span log is off");
    std::vector<std::uint32_t> words{m_record->count, m_record->log.self, m_record->log.logs};
    words.reserve(words.size() + m_record->chunks.size() * CHUNK_WORDS);
    for (const auto& chunk : m_record->chunks)
    {
        words.insert(words.end(), chunk.get(), chunk.get() + CHUNK_WORDS);
    }
    return words;
}

void
SpanLog::Restore(const std::vector<std::uint32_t>& words)
{
    NS_ABORT_MSG_IF(words.size() % CHUNK_WORDS != HEAD_WORDS, "a torn log of spans");
    Enable(words[1], words[2]);
    for (std::size_t from = HEAD_WORDS; from < words.size(); from += CHUNK_WORDS)
    {
        m_record->AddChunk();
        std::copy_n(&words[from], CHUNK_WORDS, m_record->chunks.back().get());
    }
    m_record->count = words[0];
}

SpanNumbers::SpanNumbers(const std::vector<std::size_t>& counts)
{
    std::size_t before = 0;
    for (const std::size_t count : counts)
    {
        m_before.push_back(static_cast<SpanId>(before));
        before += count;
    }
    NS_ABORT_MSG_IF(before > std::numeric_limits<SpanId>::max(),
                    "more than 2^32 spans recorded: trace a shorter run");
}

SpanId
SpanNumbers::Of(SpanId id) const
{
    if (id == 0)
    {
        return 0;
    }
    const auto logs = static_cast<std::uint32_t>(m_before.size());
    return m_before[(id - 1) % logs] + (id - 1) / logs + 1;
}

std::vector<Span>
PathTo(const std::vector<Span>& spans, SpanId last, Ps from)
{
    std::vector<Span> path;
    for (SpanId id = last; id != 0 && spans[id - 1].end > from; id = spans[id - 1].parent)
    {
        path.push_back(spans[id - 1]);
    }
    std::reverse(path.begin(), path.end());
    return path;
}

} // namespace via
} // namespace ns3
