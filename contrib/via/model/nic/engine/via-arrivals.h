/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The messages that are arriving at one NIC.

#ifndef VIA_ARRIVALS_H
#define VIA_ARRIVALS_H

#include "ns3/via-virtual-interface.h"

#include <memory>
#include <utility>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @brief Lends a VI what it keeps of a message while that arrives.
 *
 * At most times that is one VI of thousands, so these are not in the VIs, but used again and again.
 */
class Arrivals
{
  public:
    Arrivals() = default;
    Arrivals(const Arrivals&) = delete;
    Arrivals& operator=(const Arrivals&) = delete;

    /// A message begins to arrive for @p vi, for which none does.
    void Open(VirtualInterface& vi, std::uint64_t packet)
    {
        if (m_free == nullptr)
        {
            m_more.push_back(std::make_unique<Arrival>());
            m_free = m_more.back().get();
        }
        vi.arrival = std::exchange(m_free, m_free->next);
        *vi.arrival = Arrival{};
        vi.arrival->packet = packet;
    }

    /// It has arrived, or is not wanted any more; no effect if there is none.
    void Close(VirtualInterface& vi)
    {
        if (vi.arrival != nullptr)
        {
            vi.arrival->next = m_free;
            m_free = std::exchange(vi.arrival, nullptr);
        }
    }

  private:
    Arrival m_first;
    Arrival* m_free{&m_first};
    std::vector<std::unique_ptr<Arrival>> m_more;
};

} // namespace via
} // namespace ns3

#endif // VIA_ARRIVALS_H
