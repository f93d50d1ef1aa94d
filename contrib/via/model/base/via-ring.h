/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A queue in one growing block: allocates nothing once it has reached its working size.

#ifndef VIA_RING_H
#define VIA_RING_H

#include "ns3/via-prefetch.h"

#include <cstdint>
#include <utility>

namespace ns3
{
namespace via
{

/// Numbers the entries of a ring from 0 over its life. It wraps, which comparisons respect.
using RingSerial = std::uint32_t;

/// Whether @p a comes before @p b. They must be less than 2^31 entries apart.
constexpr bool
IsBefore(RingSerial a, RingSerial b)
{
    return static_cast<std::int32_t>(a - b) < 0;
}

static_assert(IsBefore(UINT32_MAX, 0) && !IsBefore(0, UINT32_MAX) && !IsBefore(7, 7));

/**
 * @brief A FIFO with access to all entries.
 *
 * Entries have serial numbers, so that a reference to a popped entry can be recognized.
 */
template <class T>
class Ring
{
  public:
    /// @param first serial number of the first entry
    explicit Ring(RingSerial first = 0)
        : m_popped(first)
    {
    }

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

    /// Whether the next Push needs more storage.
    bool IsFull() const
    {
        return m_size == m_capacity;
    }

    std::uint32_t Size() const
    {
        return m_size;
    }

    /// Serial number of the front: of how many entries have been popped.
    RingSerial FrontSerial() const
    {
        return m_popped;
    }

    /// Serial number that the next Push will get.
    RingSerial EndSerial() const
    {
        return m_popped + m_size;
    }

    T& Front()
    {
        return At(0);
    }

    T& Back()
    {
        return At(m_size - 1);
    }

    /// @param i counts from the front
    T& At(std::uint32_t i)
    {
        return m_slots[(m_popped + i) & (m_capacity - 1)];
    }

    const T& At(std::uint32_t i) const
    {
        return m_slots[(m_popped + i) & (m_capacity - 1)];
    }

    /// The entry with @p serial, or null if it has been popped.
    T* Find(RingSerial serial)
    {
        const std::uint32_t i = serial - m_popped;
        return i < m_size ? &At(i) : nullptr;
    }

    const T* Find(RingSerial serial) const
    {
        const std::uint32_t i = serial - m_popped;
        return i < m_size ? &At(i) : nullptr;
    }

    T& Push(T value)
    {
        T& slot = Extend();
        slot = std::move(value);
        return slot;
    }

    /// Inserts @p value, which must not be in the ring, before entry @p i, or after the last one.
    /// Serial numbers then only denote positions.
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
        ++m_popped;
    }

    /// Prefetch hint: the front, and the slot of the next Push, will be used soon.
    void Prefetch() const
    {
        if (m_capacity > 0) // otherwise there is no slot yet
        {
            PrefetchLine(&At(0));
            PrefetchLine(&At(m_size));
        }
    }

    /// Makes room for @p entries, a power of two.
    [[gnu::cold]] void Reserve(std::uint32_t entries)
    {
        if (entries <= m_capacity)
        {
            return;
        }
        T* larger = new T[entries];
        for (std::uint32_t i = 0; i < m_size; ++i)
        {
            larger[(m_popped + i) & (entries - 1)] = std::move(At(i));
        }
        Drop();
        m_slots = larger;
        m_owns = true;
        m_capacity = entries;
    }

    /// Lends an empty ring without storage @p entries, a power of two, in @p slots, which the
    /// caller keeps. The ring allocates its own block when it has to grow.
    void Borrow(T* slots, std::uint32_t entries)
    {
        m_slots = slots;
        m_capacity = entries;
        m_owns = false;
    }

    /// The storage that was lent, or null.
    T* Lent() const
    {
        return m_owns ? nullptr : m_slots;
    }

    /// Returns the storage that was lent to it, which must be empty. @return null: it has its own
    T* GiveBack()
    {
        if (m_owns)
        {
            return nullptr;
        }
        m_capacity = 0;
        return std::exchange(m_slots, nullptr);
    }

  private:
    /// Adds an entry at the end; its content is stale.
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
        if (m_owns)
        {
            delete[] m_slots;
        }
    }

    T* m_slots{nullptr};
    RingSerial m_popped; ///< the serial of the front, which decides its slot
    std::uint32_t m_size{0};
    std::uint32_t m_capacity{0}; ///< a power of two, or 0
    bool m_owns{false};          ///< its block
};

/**
 * @brief A ring with room for its first entries, without a block of their own: a cluster has tens
 * of thousands of rings, and each block costs another cache line. They come after what is read of
 * an empty ring.
 * @tparam ROOM entries, a power of two
 */
template <class T, std::uint32_t ROOM>
class InlineRing : public Ring<T>
{
  public:
    InlineRing()
    {
        this->Borrow(m_room, ROOM);
    }

  private:
    T m_room[ROOM];
};

} // namespace via
} // namespace ns3

#endif // VIA_RING_H
