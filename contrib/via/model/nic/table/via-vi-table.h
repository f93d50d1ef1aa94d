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
 * with Reserve() lie in one block, so that the address of a VI follows from its number without a
 * look-up.
 *
 * Receive queues have room for their descriptors of their own, because they are rarely empty. Send
 * queues are, so those of a NIC take turns with a few rooms.
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

    /// Prefetch hint: VI @p id will be used soon. Reads nothing of the VI.
    void PrefetchEarly(ViId id) const
    {
        if (id < m_expected)
        {
            PrefetchObject(ExpectedAt(id));
        }
    }

    /// Prefetch hint: VI @p id will send soon.
    void PrefetchBefore(ViId id) const
    {
        PrefetchEarly(id);
        PrefetchRoom();
    }

    /// The number that the next VI gets.
    ViId End() const
    {
        return m_expected + static_cast<ViId>(m_others.size());
    }

    /// All VIs by number.
    std::vector<VirtualInterface*> All() const;

    /// Reserves space for @p count more VIs, and for @p receives descriptors of all of them.
    void Reserve(std::uint32_t count, std::uint32_t receives);

    /// Gives @p receives, a receive queue without room, room for @p entries items (a power of two,
    /// or 0).
    void MakeRoom(Ring<WorkItem>& receives, std::uint32_t entries);

    /// Lends @p sends, a full send queue, room for one more item at least.
    void LendRoom(Ring<WorkItem>& sends);

    /// Takes the room of @p sends back, a send queue that has become empty.
    void TakeBack(Ring<WorkItem>& sends)
    {
        if (WorkItem* room = sends.GiveBack())
        {
            m_rooms = new (room) FreeRoom{m_rooms};
        }
    }

    /// Prefetch hint: LendRoom will be called soon.
    void PrefetchRoom() const
    {
        PrefetchLine(m_rooms);
    }

    /// Number of VIs with smaller numbers than @p id.
    std::uint32_t CountBefore(ViId id) const;

    /// Number of VIs that carry @p tag.
    std::uint32_t CountWithTag(Ptag tag) const;

    /// Number of VIs that exist.
    std::uint32_t Count() const
    {
        return m_count;
    }

  private:
    using Block = std::array<VirtualInterface, 4>;

    /// Room for a send that nobody has.
    struct FreeRoom
    {
        FreeRoom* next; ///< null: none
    };

    static constexpr std::uint32_t ROOMS = 4;   ///< for sends, that are made together
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
        return m_first + id;
    }

    void MakeItems(std::uint32_t items);
    WorkItem* TakeRoom(std::uint32_t entries);

    VirtualInterface* m_first{nullptr}; ///< the first reserved VI
    FreeRoom* m_rooms{nullptr};         ///< for sends; null: none is free
    std::uint32_t m_expected{0};        ///< reserved VIs created so far, with the first numbers
    std::vector<VirtualInterface*> m_others; ///< with the following numbers; null: destroyed
    WorkItem* m_nextItem{nullptr};           ///< room for receives that is still free
    std::uint32_t m_itemsLeft{0};            ///< items of free room
    std::uint32_t m_toCome{0};               ///< reserved VIs not created yet
    std::uint32_t m_count{0};
    std::vector<VirtualInterface*> m_free; ///< memory of destroyed VIs, and the rest of a block
    std::vector<std::unique_ptr<Block>> m_blocks;
    std::vector<Lines> m_lines; ///< memory of reserved VIs, and of room for queues
};

} // namespace via
} // namespace ns3

#endif // VIA_VI_TABLE_H
