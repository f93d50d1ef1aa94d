/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Event ordering: what each component does next, and which component is first.

#include "via-agenda.h"

#include "ns3/abort.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/via-run-control.h"

#include <algorithm>
#include <typeinfo>
#include <utility>

namespace ns3
{
namespace via
{

namespace
{

/// Bounds of levels of the heap of components: the root and its children are below SOON, and so on.
/// An entry that moves up is prefetched in steps: first its queue, then its target, then what the
/// target needs.
constexpr std::uint32_t SOON = 5;
constexpr std::uint32_t LATER = 21;
constexpr std::uint32_t MUCH_LATER = 85;

/// The same for a component's own heap. Only switches have that many items.
constexpr std::size_t NEXT_OF_COMPONENT = 3;

/// A time and what decides at equal times, as one number: comparisons are unpredictable, and this
/// one has no branch.
__extension__ using Wide = unsigned __int128;

Wide
OrderOf(Ps at, std::uint64_t tie)
{
    return static_cast<Wide>(static_cast<std::uint64_t>(at)) << 64 | tie;
}

/// The order of the items of one component.
Wide
OrderOf(const Agenda::Item& item)
{
    return OrderOf(item.at, std::uint64_t{item.port} << 32 | item.sequence);
}

bool
IsBefore(const Agenda::Item& a, const Agenda::Item& b)
{
    return OrderOf(a) < OrderOf(b);
}

/// Puts @p item into @p heap at @p place, which is free, or nearer to the root.
void
Rise(std::vector<Agenda::Item>& heap, std::size_t place, const Agenda::Item& item)
{
    while (place > 0 && IsBefore(item, heap[(place - 1) / 4]))
    {
        heap[place] = heap[(place - 1) / 4];
        place = (place - 1) / 4;
    }
    heap[place] = item;
}

/// The place of the first of @p four, by @p before.
template <class T, class Order>
std::uint32_t
FirstOfFour(const T* four, Order before)
{
    const std::uint32_t a = before(four[1], four[0]) ? 1 : 0;
    const std::uint32_t b = before(four[3], four[2]) ? 3 : 2;
    return before(four[b], four[a]) ? b : a;
}

/// Fills @p place, which is free, from below, and puts @p item where that ends: it was the last in
/// the heap, so it is likely to be late, and is not compared on the way.
void
Refill(std::vector<Agenda::Item>& heap, std::size_t place, const Agenda::Item& item)
{
    std::size_t child = 4 * place + 1;
    for (; child + 4 <= heap.size(); child = 4 * place + 1)
    {
        const std::size_t best = child + FirstOfFour(&heap[child], IsBefore);
        heap[place] = heap[best];
        place = best;
    }
    if (child < heap.size())
    {
        const auto begin = heap.begin() + static_cast<std::ptrdiff_t>(child);
        const auto best = std::min_element(begin, heap.end(), IsBefore);
        heap[place] = *best;
        place = static_cast<std::size_t>(best - heap.begin());
    }
    Rise(heap, place, item);
}

/// Removes the item at @p place.
void
TakeOut(std::vector<Agenda::Item>& heap, std::size_t place)
{
    const Agenda::Item last = heap.back();
    heap.pop_back();
    if (place < heap.size())
    {
        Refill(heap, place, last);
    }
}

/// Whether the run continues with @p next. On a standstill, reports @p next as the recurring work.
[[gnu::noinline, gnu::cold]] bool
GoesOn(ComponentId component, const Agenda::Item& next)
{
    if (RunControl::IsIdle(next.at, next.at))
    {
        RunControl::GiveUp({next.at, component, next.port, next.kind, typeid(*next.target).name()});
        return false;
    }
    return RunControl::Answer();
}

} // namespace

/// The one ns-3 event of an agenda, scheduled repeatedly.
class Agenda::HeadEvent : public EventImpl
{
  public:
    explicit HeadEvent(Agenda* agenda)
        : m_agenda(agenda)
    {
    }

    /// The agenda is destroyed; a copy still held by ns-3 does nothing.
    void Disown()
    {
        m_agenda = nullptr;
    }

  private:
    void Notify() override
    {
        if (m_agenda != nullptr)
        {
            m_agenda->RunHead();
        }
    }

    Agenda* m_agenda;
};

Agenda::Agenda()
    : m_event(Ptr<HeadEvent>(new HeadEvent(this), false))
{
}

Agenda::~Agenda()
{
    m_event->Disown();
}

void
Agenda::SetComponents(ComponentId count)
{
    NS_ABORT_MSG_IF(!m_order.empty(), "the agenda already has work");
    m_queues.resize(count);
    m_rest.resize(count);
    m_places.resize(count);
    for (std::vector<Item>& rest : m_rest)
    {
        rest.reserve(2); // a host's NIC and its process rarely have more
    }
}

std::uint32_t
Agenda::Schedule(ComponentId component,
                 Ps at,
                 AgendaPort port,
                 AgendaTarget* target,
                 std::uint32_t kind,
                 std::uint64_t data)
{
    NS_ABORT_MSG_IF(at < m_now,
                    "component " << component << " schedules work for " << at
                                 << " ps, but it is already " << m_now << " ps");
    Queue& queue = m_queues[component];
    if (queue.nextSequence == UINT32_MAX)
    {
        Renumber(component);
    }
    const Item item{at, queue.nextSequence++, port, data, target, kind, queue.nextNumber++};
    ++m_size;
    if (queue.IsEmpty())
    {
        queue.head = item;
        m_order.push_back({at, component});
        SiftUp(static_cast<std::uint32_t>(m_order.size() - 1), {at, component});
    }
    else if (IsBefore(item, queue.head))
    {
        PushRest(component, queue.head);
        queue.head = item;
        SiftUp(m_places[component], {at, component});
    }
    else
    {
        PushRest(component, item);
    }
    if (!m_running)
    {
        Arm();
    }
    return item.number;
}

void
Agenda::Renumber(ComponentId component)
{
    Queue& queue = m_queues[component];
    std::vector<Item*> items;
    if (!queue.IsEmpty())
    {
        items.push_back(&queue.head);
    }
    for (Item& item : m_rest[component])
    {
        items.push_back(&item);
    }
    std::sort(items.begin(), items.end(), [](const Item* a, const Item* b) {
        return a->sequence < b->sequence;
    });
    queue.nextSequence = 0;
    for (Item* item : items)
    {
        item->sequence = queue.nextSequence++;
    }
}

void
Agenda::PushRest(ComponentId component, const Item& item)
{
    std::vector<Item>& rest = m_rest[component];
    rest.push_back(item);
    Rise(rest, rest.size() - 1, item);
    ++m_queues[component].others;
}

void
Agenda::DropHead(ComponentId component)
{
    Queue& queue = m_queues[component];
    --m_size;
    if (queue.others == 0)
    {
        queue.head = NOTHING;
        Remove(m_places[component]);
        return;
    }
    std::vector<Item>& rest = m_rest[component];
    queue.head = rest.front();
    TakeOut(rest, 0);
    --queue.others;
    if (m_order.size() >= CROWD)
    {
        const std::size_t soon = std::min(rest.size(), NEXT_OF_COMPONENT);
        for (std::size_t next = 0; next < soon; ++next)
        {
            __builtin_prefetch(reinterpret_cast<const void*>(rest[next].data));
        }
    }
    SiftDown(m_places[component], {queue.head.at, component});
}

void
Agenda::Cancel(ComponentId component, std::uint32_t number)
{
    Queue& queue = m_queues[component];
    if (!queue.IsEmpty() && queue.head.number == number)
    {
        DropHead(component);
        return;
    }
    std::vector<Item>& rest = m_rest[component];
    const auto found = std::find_if(rest.begin(), rest.end(), [number](const Item& item) {
        return item.number == number;
    });
    NS_ABORT_MSG_IF(found == rest.end(), "nothing to cancel at component " << component);
    TakeOut(rest, static_cast<std::size_t>(found - rest.begin()));
    --queue.others;
    --m_size;
}

void
Agenda::Arm()
{
    ArmFrom(Simulator::Now().GetTimeStep());
}

void
Agenda::ArmFrom(Ps now)
{
    const Ps head = Head();
    if (head == PS_NEVER || head > m_limit || head >= m_armedAt)
    {
        return;
    }
    m_armedAt = head;
    // it is never cancelled: without a context ns-3 creates no EventId, which would cost as much as
    // our own step
    m_event->Ref();
    Simulator::ScheduleWithContext(Simulator::NO_CONTEXT,
                                   TimeStep(static_cast<std::uint64_t>(head - now)),
                                   PeekPointer(m_event));
}

bool
Agenda::MayRun()
{
    const Ps head = Head();
    if (head <= m_until)
    {
        return true;
    }
    if (m_others == nullptr || head > m_limit || head >= m_others->NextAt())
    {
        return false;
    }
    m_until = head;
    return true;
}

void
Agenda::RunHead()
{
    const Ps now = Simulator::Now().GetTimeStep();
    if (m_armedAt <= now)
    {
        m_armedAt = PS_NEVER;
    }
    m_running = true;
    m_until = now;
    while (MayRun())
    {
        const bool isAsked = __builtin_expect(RunControl::IsAsked(), 0); // rare
        if (isAsked && !GoesOn(m_order.front().component, m_queues[m_order.front().component].head))
        {
            Simulator::Stop();
            break;
        }
        DoFirst();
    }
    m_running = false;
    ArmFrom(now);
}

void
Agenda::DoFirst()
{
    const ComponentId component = m_order.front().component;
    const Item item = m_queues[component].head;
    DropHead(component);
    LookAhead();
    m_now = item.at;
    ++m_done;
    m_current = component;
    m_currentPort = item.port;
    AgendaFollower* follower = m_queues[component].follower;
    if (follower != nullptr)
    {
        follower->Precede(item.port);
        item.target->OnAgenda(item.kind, item.data);
        follower->Follow();
    }
    else
    {
        item.target->OnAgenda(item.kind, item.data);
    }
    m_current = NOBODY;
}

void
Agenda::LookAhead() const
{
    // With thousands of hosts, each touches its memory rarely, and every step would wait for it
    // line by line. Fetch what comes next while this item is done.
    if (m_order.size() < CROWD)
    {
        return;
    }
    const Item& next = m_queues[m_order.front().component].head;
    next.target->Prefetch(next.kind, next.data);
    // other components' work is prefetched when it moves up; a switch has thousands
    // of bursts to pass
    const ComponentId first = m_order.front().component;
    if (m_queues[first].others > 0)
    {
        const Item& afterNext = m_rest[first].front();
        afterNext.target->PrefetchEarly(afterNext.kind, afterNext.data);
    }
}

bool
Agenda::Before(const Entry& a, const Entry& b)
{
    return OrderOf(a.at, a.component) < OrderOf(b.at, b.component);
}

std::uint32_t
Agenda::FirstOf(std::uint32_t begin, std::uint32_t end) const
{
    if (end == begin + 4)
    {
        return begin + FirstOfFour(&m_order[begin], Before);
    }
    std::uint32_t first = begin;
    for (std::uint32_t place = begin + 1; place < end; ++place)
    {
        first = Before(m_order[place], m_order[first]) ? place : first;
    }
    return first;
}

void
Agenda::Put(std::uint32_t place, Entry head)
{
    m_order[place] = head;
    m_places[head.component] = place;
}

void
Agenda::HintAt(std::uint32_t place) const
{
    if (m_order.size() < CROWD || !m_running) // after a run, work may be left whose target is gone
    {
        return;
    }
    const Entry& head = m_order[place];
    if (place < SOON)
    {
        const Item& later = m_queues[head.component].head;
        later.target->PrefetchEarly(later.kind, later.data);
    }
    else if (place < LATER)
    {
        const Item& later = m_queues[head.component].head;
        __builtin_prefetch(later.target);
        __builtin_prefetch(reinterpret_cast<const char*>(later.target) + 64);
        __builtin_prefetch(reinterpret_cast<const char*>(later.target) + 128);
        __builtin_prefetch(later.data != 0 ? reinterpret_cast<const void*>(later.data)
                                           : later.target); // data may be a pointer
    }
    else if (place < MUCH_LATER)
    {
        __builtin_prefetch(&m_queues[head.component]);
    }
}

void
Agenda::Remove(std::uint32_t place)
{
    const Entry last = m_order.back();
    m_order.pop_back();
    if (place < m_order.size())
    {
        Move(place, last);
    }
}

void
Agenda::Move(std::uint32_t place, Entry head)
{
    if (place > 0 && Before(head, m_order[(place - 1) / 4]))
    {
        SiftUp(place, head);
    }
    else
    {
        SiftDown(place, head);
    }
}

void
Agenda::SiftUp(std::uint32_t place, Entry head)
{
    while (place > 0 && Before(head, m_order[(place - 1) / 4]))
    {
        Put(place, m_order[(place - 1) / 4]); // it had its hint
        place = (place - 1) / 4;
    }
    Put(place, head);
    HintAt(place);
}

void
Agenda::SiftDown(std::uint32_t place, Entry head)
{
    const auto size = static_cast<std::uint32_t>(m_order.size());
    for (std::uint32_t child = 4 * place + 1; child < size; child = 4 * place + 1)
    {
        const std::uint32_t best = FirstOf(child, std::min(child + 4, size));
        if (!Before(m_order[best], head))
        {
            break;
        }
        Put(place, m_order[best]);
        if (place > 0) // otherwise it has been among the next for some time
        {
            HintAt(place);
        }
        place = best;
    }
    Put(place, head);
    HintAt(place);
}

} // namespace via
} // namespace ns3
