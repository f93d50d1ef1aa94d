/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A queue in one growing block: nothing is allocated once it has reached its working size.

#ifndef VIA_RING_H
#define VIA_RING_H

#include <cstdint>
#include <utility>

namespace ns3
{
namespace via
{

/// Room for the first entries of a ring, inside it.
template <class T, std::uint32_t N>
struct RingRoom
{
    T* Slots()
    {
        return slots;
    }

    T slots[N];
};

/// No room inside.
template <class T>
struct RingRoom<T, 0>
{
    T* Slots()
    {
        return nullptr;
    }
};

/**
 * @brief First in, first out, with access to everything in between.
 * @tparam ROOM a power of two of entries, or none, that need no block of their own: a cluster has
 * rings by the ten thousand, and each block is a line of cache more
 *
 * Entries have serial numbers that count from 0 over the life of the ring, so that somebody can
 * refer to an entry that may be gone by the time it asks.
 */
template <class T, std::uint32_t ROOM = 0>
class Ring : private RingRoom<T, ROOM>
{
  public:
    Ring() = default;
    Ring(const Ring&) = delete;
    Ring& operator=(const Ring&) = delete;

    ~Ring()
    {
        Drop();
    }

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
        return m_slots[(m_first + i) & (m_capacity - 1)];
    }

    const T& At(std::uint32_t i) const
    {
        return m_slots[(m_first + i) & (m_capacity - 1)];
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
        T& slot = Extend();
        slot = std::move(value);
        return slot;
    }

    /// Puts @p value, which is not in the ring, before entry @p i, or behind the last one. Serials
    /// then tell places only.
    void Insert(std::uint32_t i, const T& value)
    {
        Extend();
        for (std::uint32_t place = m_size - 1; place > i; --place)
        {
            At(place) = std::move(At(place - 1));
        }
        At(i) = value;
    }

    void Pop()
    {
        --m_size;
        // an empty ring starts over: its first slots are the ones in the cache
        m_first = m_size == 0 ? 0 : (m_first + 1) & (m_capacity - 1);
        ++m_popped;
    }

    /// A hint: its front, and the place of the next Push, will be used soon.
    void Expect() const
    {
        if (m_capacity > 0) // else there is no slot yet
        {
            __builtin_prefetch(&At(0));
            __builtin_prefetch(&At(m_size));
        }
    }

    /// Makes room for @p entries, a power of two, ahead of time.
    [[gnu::cold]] void Reserve(std::uint32_t entries)
    {
        if (entries <= m_capacity)
        {
            return;
        }
        T* larger = new T[entries];
        for (std::uint32_t i = 0; i < m_size; ++i)
        {
            larger[i] = std::move(At(i));
        }
        Drop();
        m_slots = larger;
        m_owns = true;
        m_capacity = entries;
        m_first = 0;
    }

    /// Has @p entries, a power of two, in @p slots, which somebody else keeps. It is empty, and has
    /// no room of its own yet; when it has to grow it will.
    void Borrow(T* slots, std::uint32_t entries)
    {
        m_slots = slots;
        m_capacity = entries;
        m_owns = false;
    }

  private:
    /// One entry more, behind the last one; what it holds is left from before.
    T& Extend()
    {
        if (m_size == m_capacity)
        {
            Reserve(m_capacity == 0 ? 2 : 2 * m_capacity);
        }
        return At(m_size++);
    }

    void Drop()
    {
        if (m_owns && m_capacity > ROOM)
        {
            delete[] m_slots;
        }
    }

    T* m_slots{this->Slots()};
    std::uint32_t m_capacity{ROOM}; ///< a power of two, or 0
    std::uint32_t m_first{0};
    std::uint32_t m_size{0};
    bool m_owns{true}; ///< what it has beyond its own room
    std::uint64_t m_popped{0};
};

} // namespace via
} // namespace ns3

#endif // VIA_RING_H
