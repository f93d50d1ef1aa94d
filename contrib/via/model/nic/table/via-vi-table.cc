/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The VIs of one NIC by number, in blocks of memory.

#include "via-vi-table.h"

#include <algorithm>
#include <memory>
#include <type_traits>
#include <utility>

namespace ns3
{
namespace via
{

static_assert(sizeof(WorkItem) == 64 && std::is_trivially_destructible_v<WorkItem>);

ViTable::~ViTable()
{
    for (ViId id = 0; id < m_expected; ++id)
    {
        ExpectedAt(id)->~VirtualInterface();
    }
}

void
ViTable::Reserve(std::uint32_t count, std::uint32_t receives)
{
    if (End() == 0 && m_first == nullptr)
    {
        m_lines.push_back(MakeLines(count * sizeof(VirtualInterface)));
        m_first = static_cast<VirtualInterface*>(m_lines.back().get());
        m_toCome = count;
    }
    else
    {
        m_others.reserve(m_others.size() + count);
    }
    if (receives > m_itemsLeft)
    {
        MakeItems(receives);
    }
}

void
ViTable::MakeItems(std::uint32_t items)
{
    m_lines.push_back(MakeLines(items * sizeof(WorkItem)));
    m_nextItem = static_cast<WorkItem*>(m_lines.back().get());
    m_itemsLeft = items;
}

VirtualInterface&
ViTable::Create()
{
    VirtualInterface* vi = nullptr;
    const ViId id = End();
    if (m_toCome > 0 && m_others.empty())
    {
        --m_toCome;
        vi = new (ExpectedAt(m_expected++)) VirtualInterface;
    }
    else
    {
        if (m_free.empty())
        {
            m_blocks.push_back(std::make_unique<Block>());
            Block& block = *m_blocks.back();
            for (auto one = block.rbegin(); one != block.rend(); ++one)
            {
                m_free.push_back(&*one); // the first one is taken next
            }
        }
        vi = m_free.back();
        m_free.pop_back();
        m_others.push_back(vi);
    }
    vi->id = id;
    ++m_count;
    return *vi;
}

void
ViTable::Destroy(ViId id)
{
    VirtualInterface* vi = Find(id);
    if (id >= m_expected)
    {
        m_others[id - m_expected] = nullptr;
    }
    --m_count;
    if (vi->Uses(false))
    {
        TakeBack(vi->SendQueue().items);
    }
    vi->~VirtualInterface();
    m_free.push_back(new (vi) VirtualInterface);
    vi->id = NO_ID;
}

std::vector<VirtualInterface*>
ViTable::All() const
{
    std::vector<VirtualInterface*> all;
    for (ViId id = 0; id < End(); ++id)
    {
        if (VirtualInterface* vi = Find(id))
        {
            all.push_back(vi);
        }
    }
    return all;
}

WorkItem*
ViTable::TakeRoom(std::uint32_t entries)
{
    if (entries > m_itemsLeft)
    {
        MakeItems(entries);
    }
    m_itemsLeft -= entries;
    WorkItem* room = std::exchange(m_nextItem, m_nextItem + entries);
    std::uninitialized_default_construct_n(room, entries); // nothing to destroy
    return room;
}

void
ViTable::MakeRoom(Ring<WorkItem>& receives, std::uint32_t entries)
{
    if (entries > 0)
    {
        receives.Borrow(TakeRoom(entries), entries);
    }
}

void
ViTable::LendRoom(Ring<WorkItem>& sends)
{
    if (sends.Size() > 0) // more than a room has
    {
        WorkItem* outgrown = sends.Lent();
        sends.Reserve(2 * sends.Size());
        if (outgrown != nullptr)
        {
            m_rooms = new (outgrown) FreeRoom{m_rooms};
        }
        return;
    }
    if (m_rooms == nullptr)
    {
        m_lines.push_back(MakeLines(ROOMS * sizeof(WorkItem)));
        auto* items = static_cast<WorkItem*>(m_lines.back().get());
        for (std::uint32_t room = ROOMS; room > 0; --room)
        {
            m_rooms = new (items + room - 1) FreeRoom{m_rooms};
        }
    }
    void* room = std::exchange(m_rooms, m_rooms->next);
    sends.Borrow(new (room) WorkItem, 1);
}

std::uint32_t
ViTable::CountBefore(ViId id) const
{
    std::uint32_t count = 0;
    for (ViId before = 0; before < id && before < End(); ++before)
    {
        count += Find(before) != nullptr ? 1 : 0;
    }
    return count;
}

std::uint32_t
ViTable::CountWithTag(Ptag tag) const
{
    const auto vis = All();
    const auto carries = [tag](const auto* vi) { return vi->attributes.tag == tag; };
    return static_cast<std::uint32_t>(std::count_if(vis.begin(), vis.end(), carries));
}

} // namespace via
} // namespace ns3
