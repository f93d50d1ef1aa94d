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
 * @brief Makes VIs, numbers them from 0 on, and keeps them until they are destroyed.
 *
 * Numbers are not used twice, memory is: what one NIC has lies together. Those that were expected
 * lie in one block by number, each with the room of its work queues behind it: where one is need
 * not be looked up.
 */
class ViTable
{
  public:
    ViTable() = default;
    ~ViTable();
    ViTable(const ViTable&) = delete;
    ViTable& operator=(const ViTable&) = delete;

    /// A VI in state IDLE with the next number. It stays where it is.
    VirtualInterface& Create();

    /// The VI @p id, which exists, is gone.
    void Destroy(ViId id);

    /// The VI with number @p id, or null.
    VirtualInterface* Find(ViId id) const
    {
        if (id < m_expected && ExpectedAt(id)->id == id)
        {
            return ExpectedAt(id);
        }
        return id < m_byNumber.size() ? m_byNumber[id] : nullptr;
    }

    /// A hint: VI @p id and its work queues will be used soon. Nothing of it is looked at.
    void Foresee(ViId id) const
    {
        if (id < m_expected)
        {
            PrefetchUpTo(ExpectedAt(id), ExpectedAt(id + 1));
        }
    }

    /// By number; null where a VI is gone.
    const std::vector<VirtualInterface*>& All() const
    {
        return m_byNumber;
    }

    /// So many VIs more will be made, with room for @p entries descriptors each.
    void Expect(std::uint32_t count, std::uint32_t entries);

    /// Room for @p entries entries in @p items, which has none; a power of two, or 0. A queue of
    /// the VI that was made last.
    void MakeRoom(Ring<WorkItem>& items, std::uint32_t entries);

    /// VIs that exist.
    std::uint32_t Count() const
    {
        return m_count;
    }

  private:
    using Block = std::array<VirtualInterface, 4>;

    static constexpr std::uint32_t ITEMS = 4;   ///< in a block of them, at least
    static constexpr std::align_val_t LINE{64}; ///< a work item is one line of cache
    static constexpr ViId NO_ID = UINT32_MAX;   ///< of memory that is no VI's

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

    char* m_first{nullptr};      ///< of those that were expected
    std::uint32_t m_stride{0};   ///< bytes from one of them to the next
    std::uint32_t m_expected{0}; ///< so many of them were made, with the first numbers
    std::vector<VirtualInterface*> m_byNumber;
    WorkItem* m_nextItem{nullptr}; ///< room that was not given
    std::uint32_t m_itemsLeft{0};  ///< so much
    std::uint32_t m_toCome{0};     ///< expected, and not made yet
    std::uint32_t m_count{0};
    std::vector<VirtualInterface*> m_free; ///< those of a destroyed VI, and the rest of a block
    std::vector<std::unique_ptr<Block>> m_blocks;
    std::vector<Lines> m_lines; ///< those that were expected; room for rings
};

} // namespace via
} // namespace ns3

#endif // VIA_VI_TABLE_H
