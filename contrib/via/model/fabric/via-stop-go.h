/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Flow control by two marks of the receiver's buffer: Myrinet's stop and go, Ethernet's PAUSE.

#ifndef VIA_STOP_GO_H
#define VIA_STOP_GO_H

#include "ns3/via-ring.h"
#include "ns3/via-time.h"

#include <cstdint>

namespace ns3
{
namespace via
{

/**
 * @brief The fill of a buffer over time, and the stops and goes sent to the sender.
 *
 *     GO   --a cell arrives, fill = stop mark--> STOP
 *     STOP --a cell leaves, fill = go mark-----> GO
 *
 * The sender learns of each change after a delay. The slack between the stop mark and the capacity
 * holds the cells that it sends until then. Arrivals and departures are announced ahead, as
 * schedules; the fill at an instant is known as soon as the instant has come.
 *
 * Identity, asserted in every build: 0 <= fill <= capacity.
 */
class StopGo
{
  public:
    /// Marks, in cells of a buffer.
    struct Marks
    {
        std::uint32_t capacity;
        std::uint32_t stop; ///< at most capacity minus slack
        std::uint32_t go;   ///< less than stop
        Ps pause{0};        ///< duration of a stop unless it is repeated; 0: until a go
    };

    explicit StopGo(const Marks& marks);

    /// A cell will have arrived fully at @p at.
    void Sent(Ps at);

    /// @p cells will leave the buffer at @p at.
    void Freed(std::uint32_t cells, Ps at);

    /// Whether the last signal sent at or before @p asOf is a stop. Calls must not go back in time.
    bool IsStopped(Ps asOf);

    /// When the go will be sent, after a stop; PS_NEVER if the announced departures lead to none.
    Ps GoesAt() const;

    /// When the next cell leaves the buffer, after IsStopped; PS_NEVER if none is announced.
    Ps LeavesAt() const
    {
        return m_leaving.IsEmpty() ? PS_NEVER : m_leaving.At(0);
    }

    /// An upper bound of the cells that the buffer holds at any time if no more are sent.
    std::uint32_t Outstanding() const
    {
        return m_fill + m_arrivals.Size();
    }

    const Marks& GetMarks() const
    {
        return m_marks;
    }

    /// Stops sent, including repeated pauses.
    std::uint64_t Stops() const
    {
        return m_stops;
    }

    /// The maximum number of cells in the buffer.
    std::uint32_t PeakFill() const
    {
        return m_peak;
    }

  private:
    /// When cells arrive or leave, sorted.
    using Times = InlineRing<Ps, 2>;

    void Arrive(Ps at);
    void Leave(Ps at);

    Marks m_marks;
    std::uint32_t m_fill{0};
    bool m_stopped{false};
    Ps m_stoppedAt{0};
    std::uint32_t m_peak{0};
    std::uint64_t m_stops{0};
    Times m_arrivals; ///< not processed yet
    Times m_leaving;  ///< announced, not processed yet
};

} // namespace via
} // namespace ns3

#endif // VIA_STOP_GO_H
