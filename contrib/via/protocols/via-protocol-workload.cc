/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A workload that runs a protocol of the library.

#include "via-protocol-workload.h"

#include "ns3/via-error.h"

#include <algorithm>

namespace ns3
{
namespace via
{

namespace
{

/// For prefetch hints: a protocol keeps the data that each message needs in its first bytes.
constexpr std::size_t PROTOCOL_BYTES = 128;

/// Largest number of credit messages per window under way.
constexpr std::uint32_t CREDIT_MESSAGES = 2;

} // namespace

ProtocolWorkload::Settings
ProtocolWorkload::Read(const ProtocolKind& kind, WorkloadParameters& given)
{
    const std::uint32_t nodes = given.Nodes(2);
    Settings settings;
    settings.size =
        static_cast<std::uint32_t>(given.Number("size",
                                                std::max(kind.messageBytes, kind.usualBytes),
                                                kind.messageBytes,
                                                given.Limits().transferBytes));
    if (settings.size > given.Limits().transferBytes)
    {
        throw ConfigError("message_bytes",
                          std::to_string(settings.size),
                          "the card transfers at most " +
                              std::to_string(given.Limits().transferBytes));
    }
    settings.rounds = given.Number("rounds", 10, 1, 1'000'000'000);
    settings.transport = kind.connect == nullptr ? given.Text("transport", "via-send") : "";
    settings.faults = ProcessFaults::Parse(given.Text("process-faults", ""), nodes);
    settings.limit = static_cast<Ps>(given.Number("limit-ms", 600'000, 1, 4'000'000)) * PS_PER_MS;
    settings.make = kind.prepare(given, nodes);
    given.ExpectNoMore();
    if (kind.connect == nullptr)
    {
        CheckTransport(settings.transport);
    }
    return settings;
}

ProtocolWorkload::ProtocolWorkload(const ProtocolKind& kind,
                                   const Settings& settings,
                                   const WorkloadContext& context)
    : m_kind(kind),
      m_history(static_cast<std::uint32_t>(context.nics.size())),
      m_ip(context.ip),
      m_partition(context.partition),
      m_words(context.words),
      m_faults(settings.faults),
      m_rounds(settings.rounds)
{
    MakeProcesses(context, settings.make);
    Connect(settings.transport, settings.size, settings.limit);
    m_history.SetOnOver([this] {
        for (const auto& process : m_processes)
        {
            if (process != nullptr)
            {
                process->Finish();
            }
        }
    });
    m_history.SetOnFinish([this](Rank rank) { PlanEnd(rank); });
    if (m_partition != nullptr)
    {
        m_partition->SetListener(this);
    }
}

void
ProtocolWorkload::PlanEnd(Rank rank)
{
    const WorkloadProcess& process = *m_processes[rank];
    Host& host = process.GetHost();
    // others may not have got to its clock yet
    const Ps due = std::max(process.Clock().at, host.Now()) + m_words;
    if (m_partition != nullptr)
    {
        host.HearAfter(m_words); // of the last one's end
        m_partition->TellAll(rank, due, rank);
        return;
    }
    host.Schedule(due, WorkloadPartition::WORD_PORT, this, 0);
}

void
ProtocolWorkload::MakeProcesses(const WorkloadContext& context, const ProtocolMaker& make)
{
    const std::uint32_t nodes = m_history.ProcessCount();
    for (Rank rank = 0; rank < nodes; ++rank)
    {
        m_processes.push_back(context.IsOurs(rank)
                                  ? std::make_unique<WorkloadProcess>(*context.nics[rank],
                                                                      rank,
                                                                      context.CostsOf(rank),
                                                                      *this)
                                  : nullptr);
        m_members.push_back({make(rank), nullptr, nullptr});
        m_members.back().protocol->Place({&m_history, rank, nodes, m_rounds, context.seed});
    }
}

std::vector<PathShape>
ProtocolWorkload::Shapes(std::uint32_t bytes) const
{
    std::vector<PathShape> shapes(m_members.size());
    for (Rank rank = 0; rank < shapes.size(); ++rank)
    {
        PathShape& shape = shapes[rank];
        const Protocol& protocol = *m_members[rank].protocol;
        const MessageWindow flow = protocol.Flow();
        shape.bytes = bytes;
        shape.window = flow.window + (flow.bounded ? 0 : CREDIT_MESSAGES);
        shape.selective = protocol.Awaited() != ANYONE;
        NS_ABORT_MSG_IF(shape.selective && !flow.bounded,
                        m_kind.name << " is selective: it would not see credits");
        for (const Rank peer : protocol.Targets())
        {
            shape.to.push_back(peer);
            shapes[peer].from.push_back(rank);
            if (!flow.bounded)
            {
                shape.from.push_back(peer); // credits
                shapes[peer].to.push_back(rank);
            }
        }
    }
    for (PathShape& shape : shapes)
    {
        for (std::vector<Rank>* ranks : {&shape.to, &shape.from})
        {
            std::sort(ranks->begin(), ranks->end());
            ranks->erase(std::unique(ranks->begin(), ranks->end()), ranks->end());
        }
    }
    return shapes;
}

void
ProtocolWorkload::Connect(const std::string& transport, std::uint32_t bytes, Ps limit)
{
    const std::vector<PathShape> shapes = Shapes(bytes);
    const PathRequest request{m_processes, shapes, m_ip, m_partition};
    MessagePaths paths =
        m_kind.connect == nullptr ? ConnectPaths(transport, request) : m_kind.connect(request);
    for (Rank rank = 0; rank < m_processes.size(); ++rank)
    {
        if (m_processes[rank] != nullptr)
        {
            AddMessenger(rank, std::move(paths[rank]), shapes[rank], limit);
        }
        else
        {
            m_members[rank].protocol = nullptr; // it has named its peers
        }
    }
}

void
ProtocolWorkload::AddMessenger(Rank rank,
                               std::unique_ptr<MessagePath> path,
                               const PathShape& shape,
                               Ps limit)
{
    const ProcessFaults* faults = m_faults.IsEmpty() ? nullptr : &m_faults;
    Member& member = m_members[rank];
    member.path = path.get();
    const std::uint32_t least = m_kind.leastBytes == 0 ? shape.bytes : m_kind.leastBytes;
    member.loop = std::make_unique<MessageLoop>(*m_processes[rank],
                                                std::move(path),
                                                least,
                                                shape.bytes,
                                                faults);
    MessageLoop& loop = *member.loop;
    loop.SetListener(member.protocol.get());
    loop.SetLimit(limit);
    const MessageWindow flow = member.protocol->Flow();
    if (!flow.bounded)
    {
        loop.LimitWindow(flow.window, shape.to);
    }
    member.protocol->SetMessenger(loop);
}

void
ProtocolWorkload::Start()
{
    for (const auto& process : m_processes)
    {
        if (process != nullptr)
        {
            process->Start(0);
        }
    }
}

bool
ProtocolWorkload::IsFinished() const
{
    return m_history.IsOver();
}

void
ProtocolWorkload::ConcludeFrom(const History& history)
{
    m_samples = history.Durations(m_kind.span);
    m_violations.clear();
    for (const Checker& check : m_kind.checkers)
    {
        const std::string said = check(history);
        if (!said.empty())
        {
            m_violations.push_back(said);
        }
    }
}

void
ProtocolWorkload::OnStep(std::uint32_t rank)
{
    m_members[rank].loop->Step();
}

bool
ProtocolWorkload::OnAlarm(std::uint32_t rank)
{
    return m_members[rank].loop->OnAlarm();
}

void
ProtocolWorkload::PrefetchStep(Hint hint, std::uint32_t rank) const
{
    const Member& member = m_members[rank];
    if (hint == Hint::FAR)
    {
        PrefetchObject(&member);
        return;
    }
    if (hint == Hint::SOON)
    {
        PrefetchObject(member.loop.get());
        PrefetchUpTo(member.protocol.get(),
                     reinterpret_cast<const char*>(member.protocol.get()) + PROTOCOL_BYTES);
    }
    MessageLoop::PrefetchStep(hint, member.path);
}

bool
ProtocolWorkload::OnConnectionLost(std::uint32_t)
{
    return true; // the protocol handles the loss of a peer
}

void
ProtocolWorkload::OnCrash(std::uint32_t rank)
{
    m_history.Crash(rank);
}

std::uint64_t
ProtocolWorkload::MessagesSent() const
{
    std::uint64_t sent = 0;
    for (const Member& member : m_members)
    {
        sent += member.loop == nullptr ? 0 : member.loop->MessagesSent();
    }
    return sent;
}

FaultHits
ProtocolWorkload::Hits() const
{
    FaultHits all;
    for (const Member& member : m_members)
    {
        if (member.loop == nullptr)
        {
            continue;
        }
        const FaultHits& hits = member.loop->Hits();
        all.crashed += hits.crashed;
        all.delayed += hits.delayed;
        all.lost += hits.lost;
    }
    return all;
}

} // namespace via
} // namespace ns3
