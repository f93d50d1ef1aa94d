/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A queue in one growing block: nothing is allocated once it has reached its working size.

#ifndef VIA_RING_H
#define VIA_RING_H

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @brief First in, first out, with access to everything in between.
 *
 * Entries have serial numbers that count from 0 over the life of the ring, so that somebody can
 * refer to an entry that may be gone by the time it asks.
 */
template <class T>
class Ring
{
  public:
    bool IsEmpty() const
    {
        return m_size == 0;
    }

    std::uint32_t Size() const
    {
        return m_size;
    }

    /// Serial number of the front; also how many entries have been popped.
    std::uint64_t FrontSerial() const
    {
        return m_popped;
    }

    /// Serial number that the next Push will get.
    std::uint64_t EndSerial() const
    {
        return m_popped + m_size;
    }

    T& Front()
    {
        return m_slots[m_first];
    }

    /// @param i counts from the front
    T& At(std::uint32_t i)
    {
        return m_slots[(m_first + i) & (m_slots.size() - 1)];
    }

    const T& At(std::uint32_t i) const
    {
        return m_slots[(m_first + i) & (m_slots.size() - 1)];
    }

    /// The entry with @p serial, or null when it has been popped.
    T* Find(std::uint64_t serial)
    {
        return serial < m_popped || serial >= EndSerial()
                   ? nullptr
                   : &At(static_cast<std::uint32_t>(serial - m_popped));
    }

    T& Push(T value)
    {
        if (m_size == m_slots.size())
        {
            Grow();
        }
        ++m_size;
        T& slot = At(m_size - 1);
        slot = std::move(value);
        return slot;
    }

    void Pop()
    {
        m_first = (m_first + 1) & static_cast<std::uint32_t>(m_slots.size() - 1);
        --m_size;
        ++m_popped;
    }

  private:
    void Grow()
    {
        std::vector<T> larger(m_slots.empty() ? 2 : 2 * m_slots.size());
        for (std::uint32_t i = 0; i < m_size; ++i)
        {
            larger[i] = std::move(At(i));
        }
        m_slots.swap(larger);
        m_first = 0;
    }

    std::vector<T> m_slots; ///< a power of two of them
    std::uint32_t m_first{0};
    std::uint32_t m_size{0};
    std::uint64_t m_popped{0};
};

} // namespace via
} // namespace ns3

#endif // VIA_RING_H
