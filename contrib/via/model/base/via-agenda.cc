/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Event ordering: what each component does next, and which component is first.

#include "via-agenda.h"

#include "ns3/abort.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/via-run-control.h"

#include <typeinfo>
#include <utility>

namespace ns3
{
namespace via
{

namespace
{

/// How many places before its turn an item's target is prefetched (AHEAD), and gets each hint to
/// prefetch what it will need. Chosen by measurement: what comes too early is gone again.
constexpr std::uint32_t AHEAD = 5;
constexpr std::uint32_t FAR = 3;
constexpr std::uint32_t SOON = 2;
constexpr std::uint32_t NEXT = 1;
constexpr std::uint32_t NOW = 0;

/// The first lines of a target.
constexpr std::size_t TARGET_BYTES = 192;

/// Items of a day with hints, which follow from the order of a day. Chosen by measurement.
constexpr std::uint32_t FEW_IN_CROWD = 16;
constexpr std::uint32_t MANY_IN_CROWD = 64;

/// So many cancelled items do not matter.
constexpr std::size_t FEW_CANCELLED = 64;

/// Whether the run continues with @p next. On a standstill, reports @p next as the recurring work.
[[gnu::noinline, gnu::cold]] bool
GoesOn(const Agenda::Item& next)
{
    if (RunControl::IsIdle(next.at, next.at))
    {
        RunControl::GiveUp(
            {next.at, next.Component(), next.Port(), next.kind, typeid(*next.target).name()});
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
    NS_ABORT_MSG_IF(m_size > 0, "the agenda already has work");
    m_components.resize(count);
    m_items.reserve(2 * std::size_t{count}); // a host's NIC and its process rarely have more
    if (count >= CROWD)
    {
        m_programs.SetDay(FEW_IN_CROWD, MANY_IN_CROWD);
        m_beforeCalls.SetDay(FEW_IN_CROWD, MANY_IN_CROWD);
        m_others.SetDay(FEW_IN_CROWD, MANY_IN_CROWD);
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
    const std::uint32_t slot = NewSlot();
    const std::uint64_t tie = std::uint64_t{component} << 32 | port;
    m_items[slot] = {at, tie, ++m_sequence, target, data, kind, NONE};
    OrderOf(component, port, kind).Insert(slot);
    ++m_size;
    if (m_components[component].isTracked)
    {
        Link(m_components[component], slot);
    }
    if (!m_running)
    {
        Arm();
    }
    return static_cast<std::uint32_t>(m_sequence);
}

std::uint32_t
Agenda::NewSlot()
{
    if (m_free == NONE)
    {
        m_items.emplace_back();
        return static_cast<std::uint32_t>(m_items.size() - 1);
    }
    const std::uint32_t slot = std::exchange(m_free, m_items[m_free].next);
    if (m_free != NONE)
    {
        PrefetchLine(&m_items[m_free]); // the next one to be used
    }
    return slot;
}

void
Agenda::Free(std::uint32_t slot)
{
    m_items[slot].next = std::exchange(m_free, slot);
}

bool
Agenda::IsAfter(const Item& a, const Item& b)
{
    return a.at > b.at || (a.at == b.at && a.tie > b.tie);
}

void
Agenda::Link(Owner& owner, std::uint32_t slot)
{
    Item& item = m_items[slot];
    std::uint32_t before = NONE;
    std::uint32_t next = owner.first;
    if (next != NONE && !IsAfter(m_items[owner.last], item))
    {
        before = std::exchange(owner.last, slot);
        next = NONE;
    }
    while (next != NONE && !IsAfter(m_items[next], item))
    {
        before = std::exchange(next, m_items[next].next);
    }
    item.next = next;
    if (before != NONE)
    {
        m_items[before].next = slot;
        return;
    }
    owner.last = owner.first == NONE ? slot : owner.last;
    owner.first = slot;
    owner.head = item.at;
}

void
Agenda::Unlink(Owner& owner, std::uint32_t before, std::uint32_t slot)
{
    const std::uint32_t next = m_items[slot].next;
    owner.last = owner.last == slot ? before : owner.last;
    if (before != NONE)
    {
        m_items[before].next = next;
        return;
    }
    owner.first = next;
    owner.head = next == NONE ? PS_NEVER : m_items[next].at;
}

bool
Agenda::DropFirst(Order& order)
{
    bool dayBegins = order.Pop();
    while (__builtin_expect(m_cancelled > 0, 0) && !order.IsEmpty() &&
           m_items[order.First()].target == nullptr)
    {
        Free(order.First());
        dayBegins = order.Pop() || dayBegins;
        --m_cancelled;
    }
    return dayBegins;
}

void
Agenda::Cancel(ComponentId component, std::uint32_t number)
{
    Owner& owner = m_components[component];
    std::uint32_t before = NONE;
    std::uint32_t slot = owner.first;
    while (slot != NONE && NumberOf(m_items[slot]) != number)
    {
        before = std::exchange(slot, m_items[slot].next);
    }
    NS_ABORT_MSG_IF(slot == NONE, "nothing to cancel at component " << component);
    Unlink(owner, before, slot);
    --m_size;
    Order& order = OrderOf(component, m_items[slot].Port(), m_items[slot].kind);
    if (order.First() == slot)
    {
        Free(slot);
        DropFirst(order);
        return;
    }
    m_items[slot].target = nullptr;
    if (++m_cancelled > FEW_CANCELLED + m_size)
    {
        Purge();
    }
}

Ps
Agenda::OverUntil() const
{
    const Ps head = Head();
    const bool isWorkLeft = m_current != NOBODY || (head <= m_limit && head != PS_NEVER);
    return isWorkLeft || !Simulator::IsFinished()
               ? std::max<Ps>(m_now, Simulator::Now().GetTimeStep()) // this agenda may run ahead
               : m_limit;
}

void
Agenda::CancelWorkOf(const std::vector<bool>& whose)
{
    const auto isObsolete = [this, &whose](std::uint32_t slot) {
        const Item& item = m_items[slot];
        const bool isLive = item.target != nullptr;
        const ComponentId component = item.Component();
        if (isLive && (component >= whose.size() || !whose[component]))
        {
            return false;
        }
        if (isLive)
        {
            m_components[component].first = NONE;
            m_components[component].head = PS_NEVER;
            --m_size;
        }
        Free(slot);
        return true;
    };
    m_programs.Purge(isObsolete);
    m_beforeCalls.Purge(isObsolete);
    m_others.Purge(isObsolete);
    m_cancelled = 0;
}

void
Agenda::Purge()
{
    CancelWorkOf({}); // of nobody: only what has been cancelled already is removed
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
    if (m_runsTo == nullptr || head > m_limit || head >= m_runsTo->NextAt())
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
        if (isAsked && !GoesOn(m_items[FirstOrder().First()]))
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
    Order& order = FirstOrder();
    const std::uint32_t slot = order.First();
    const Item& item = m_items[slot];
    AgendaTarget* target = item.target; // the item itself may be used again
    const std::uint64_t data = item.data;
    const std::uint32_t kind = item.kind;
    m_now = item.at;
    m_current = item.Component();
    m_currentPort = item.Port();
    Owner& owner = m_components[m_current];
    if (owner.isTracked)
    {
        Unlink(owner, NONE, slot); // it is its first
    }
    Free(slot);
    --m_size;
    ++m_done;
    LookAhead(order, DropFirst(order));
    if (AgendaFollower* follower = owner.follower)
    {
        follower->Precede(m_currentPort);
        target->OnAgenda(kind, data);
        follower->Follow();
    }
    else
    {
        target->OnAgenda(kind, data);
    }
    m_current = NOBODY;
}

void
Agenda::LookAhead(const Order& order, bool dayBegins) const
{
    // With thousands of hosts, each touches its memory rarely, and every step would wait for it
    // line by line. Fetch what comes next while this item is done.
    if (m_size < CROWD || m_components.size() < CROWD)
    {
        return;
    }
    if (dayBegins)
    {
        BeginDay(order);
    }
    if (const Item* item = ItemAfter(order, AHEAD))
    {
        PrefetchTarget(*item);
    }
    GiveHint(Hint::FAR, order, FAR);
    GiveHint(Hint::SOON, order, SOON);
    GiveHint(Hint::NEXT, order, NEXT);
    GiveHint(Hint::NOW, order, NOW);
}

void
Agenda::GiveHint(Hint hint, const Order& order, std::uint32_t place) const
{
    if (const Item* item = ItemAfter(order, place))
    {
        item->target->Prefetch(hint, item->kind, item->data);
    }
}

void
Agenda::PrefetchTarget(const Item& item) const
{
    PrefetchUpTo(item.target, reinterpret_cast<const char*>(item.target) + TARGET_BYTES);
    PrefetchLine(item.data != 0 ? reinterpret_cast<const void*>(item.data)
                                : item.target); // data may be a pointer
    PrefetchLine(&m_components[item.Component()]);
}

const Agenda::Item*
Agenda::ItemAfter(const Order& order, std::uint32_t place) const
{
    const std::uint32_t slot = order.After(place);
    return slot == NONE || m_items[slot].target == nullptr ? nullptr : &m_items[slot];
}

void
Agenda::BeginDay(const Order& order) const
{
    for (std::uint32_t place = 0; order.After(place) != NONE; ++place)
    {
        PrefetchLine(&m_items[order.After(place)]);
    }
    for (std::uint32_t place = 0; place < AHEAD; ++place)
    {
        if (const Item* item = ItemAfter(order, place))
        {
            PrefetchTarget(*item);
        }
    }
    for (std::uint32_t place = 0; place < FAR; ++place)
    {
        GiveHint(Hint::FAR, order, place);
    }
    for (std::uint32_t place = 0; place < SOON; ++place)
    {
        GiveHint(Hint::SOON, order, place);
    }
    for (std::uint32_t place = 0; place < NEXT; ++place)
    {
        GiveHint(Hint::NEXT, order, place);
    }
}

} // namespace via
} // namespace ns3
