/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The VIs of one NIC by number, in blocks of memory.

#ifndef VIA_VI_TABLE_H
#define VIA_VI_TABLE_H

#include "ns3/via-agenda.h"
#include "ns3/via-virtual-interface.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @brief Creates VIs, numbers them from 0, and keeps them until they are destroyed.
 *
 * Numbers are never reused, but memory is, so that the VIs of one NIC stay together. VIs announced
 * with Reserve() lie in one block by number, each followed by the room of its work queues, so that
 * the address of a VI follows from its number without a look-up.
 */
class ViTable
{
  public:
    ViTable() = default;
    ~ViTable();
    ViTable(const ViTable&) = delete;
    ViTable& operator=(const ViTable&) = delete;

    /// Creates a VI in state IDLE with the next number. Its address never changes.
    VirtualInterface& Create();

    /// Destroys the VI @p id, which must exist.
    void Destroy(ViId id);

    /// The VI with number @p id, or null.
    VirtualInterface* Find(ViId id) const
    {
        if (id < m_expected)
        {
            return ExpectedAt(id)->id == id ? ExpectedAt(id) : nullptr;
        }
        return id < End() ? m_others[id - m_expected] : nullptr;
    }

    /// Prefetch hint: VI @p id and its work queues will be used soon. Reads nothing of the VI.
    void PrefetchEarly(ViId id) const
    {
        if (id < m_expected)
        {
            PrefetchUpTo(ExpectedAt(id), ExpectedAt(id + 1));
        }
    }

    /// The number that the next VI gets.
    ViId End() const
    {
        return m_expected + static_cast<ViId>(m_others.size());
    }

    /// All VIs by number.
    std::vector<VirtualInterface*> All() const;

    /// Reserves space for @p count more VIs, with room for @p entries descriptors each.
    void Reserve(std::uint32_t count, std::uint32_t entries);

    /// Allocates room for @p entries items (a power of two, or 0) in @p items, which has none. The
    /// queue must belong to the VI that was created last.
    void MakeRoom(Ring<WorkItem>& items, std::uint32_t entries);

    /// Number of VIs that exist.
    std::uint32_t Count() const
    {
        return m_count;
    }

  private:
    using Block = std::array<VirtualInterface, 4>;

    static constexpr std::uint32_t ITEMS = 2;   ///< smallest number in a block of items
    static constexpr std::align_val_t LINE{64}; ///< a work item is one cache line
    static constexpr ViId NO_ID = UINT32_MAX;   ///< of memory that holds no VI

    struct FreeLines
    {
        void operator()(void* lines) const
        {
            ::operator delete(lines, LINE);
        }
    };

    using Lines = std::unique_ptr<void, FreeLines>;

    static Lines MakeLines(std::size_t bytes)
    {
        return Lines(::operator new(bytes, LINE));
    }

    VirtualInterface* ExpectedAt(ViId id) const
    {
        return reinterpret_cast<VirtualInterface*>(m_first + std::size_t{id} * m_stride);
    }

    WorkItem* TakeRoom(std::uint32_t entries);

    char* m_first{nullptr};      ///< the first reserved VI
    std::uint32_t m_stride{0};   ///< bytes from one reserved VI to the next
    std::uint32_t m_expected{0}; ///< reserved VIs created so far; they have the first numbers
    std::vector<VirtualInterface*> m_others; ///< with the following numbers; null: destroyed
    WorkItem* m_nextItem{nullptr};           ///< room that is still free
    std::uint32_t m_itemsLeft{0};            ///< items of free room
    std::uint32_t m_toCome{0};               ///< reserved VIs not created yet
    std::uint32_t m_count{0};
    std::vector<VirtualInterface*> m_free; ///< memory of destroyed VIs, and the rest of a block
    std::vector<std::unique_ptr<Block>> m_blocks;
    std::vector<Lines> m_lines; ///< memory of reserved VIs; room for rings
};

} // namespace via
} // namespace ns3

#endif // VIA_VI_TABLE_H
