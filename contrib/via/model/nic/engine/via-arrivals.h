/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Records of the messages that are arriving at one NIC.

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
 * @brief Lends a VI the record of a message while the message arrives.
 *
 * Usually only one VI in thousands needs a record, so the records are pooled, not kept in the VIs.
 */
class Arrivals
{
  public:
    Arrivals() = default;
    Arrivals(const Arrivals&) = delete;
    Arrivals& operator=(const Arrivals&) = delete;

    /// A message begins to arrive for @p vi, which must have no open record.
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

    /// The message has arrived or is dropped. No effect if no record is open.
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
