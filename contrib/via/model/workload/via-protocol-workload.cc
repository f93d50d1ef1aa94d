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

/// Messages that may bring credits for one window at a time.
constexpr std::uint32_t CREDIT_MESSAGES = 2;

} // namespace

ProtocolWorkload::ProtocolWorkload(const ProtocolKind& kind,
                                   WorkloadParameters& parameters,
                                   const WorkloadContext& context)
    : m_kind(kind),
      m_history(static_cast<std::uint32_t>(context.nics.size())),
      m_ip(context.ip)
{
    const std::uint32_t nodes = m_history.ProcessCount();
    if (nodes < 2)
    {
        throw ConfigError("nodes", std::to_string(nodes), kind.name + " needs at least 2");
    }
    const auto size =
        static_cast<std::uint32_t>(parameters.Number("size",
                                                     std::max(kind.messageBytes, kind.usualBytes),
                                                     kind.messageBytes,
                                                     context.nics[0]->Limits().transferBytes));
    m_rounds = parameters.Number("rounds", 10, 1, 1'000'000'000);
    const std::string transport =
        kind.connect == nullptr ? parameters.Text("transport", "via-send") : "";
    m_faults = ProcessFaults::Parse(parameters.Text("process-faults", ""), nodes);
    const Ps limit =
        static_cast<Ps>(parameters.Number("limit-ms", 600'000, 1, 4'000'000)) * PS_PER_MS;
    const ProtocolMaker make = kind.prepare(parameters, nodes);
    parameters.ExpectNoMore();
    MakeProcesses(context, make);
    Connect(transport, size, limit);
    m_history.SetOnOver([this] {
        for (const auto& process : m_processes)
        {
            process->Finish();
        }
    });
}

void
ProtocolWorkload::MakeProcesses(const WorkloadContext& context, const ProtocolMaker& make)
{
    const std::uint32_t nodes = m_history.ProcessCount();
    for (Rank rank = 0; rank < nodes; ++rank)
    {
        Nic& nic = *context.nics[rank];
        m_processes.push_back(
            std::make_unique<WorkloadProcess>(nic, rank, context.CostsOf(rank), *this));
        m_protocols.push_back(make(rank));
        const std::uint64_t seed = nic.GetHost().GetWorld().seed;
        m_protocols.back()->Place({&m_history, rank, nodes, m_rounds, seed});
    }
}

std::vector<PathShape>
ProtocolWorkload::Shapes(std::uint32_t bytes) const
{
    std::vector<PathShape> shapes(m_protocols.size());
    for (Rank rank = 0; rank < shapes.size(); ++rank)
    {
        PathShape& shape = shapes[rank];
        const MessageWindow flow = m_protocols[rank]->Flow();
        shape.bytes = bytes;
        shape.window = flow.window + (flow.bounded ? 0 : CREDIT_MESSAGES);
        shape.selective = m_protocols[rank]->Awaited() != ANYONE;
        NS_ABORT_MSG_IF(shape.selective && !flow.bounded,
                        m_kind.name << " names whom it waits for: it would not see credits");
        for (const Rank peer : m_protocols[rank]->Targets())
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
    const PathRequest request{m_processes, shapes, m_ip};
    MessagePaths paths =
        m_kind.connect == nullptr ? ConnectPaths(transport, request) : m_kind.connect(request);
    const ProcessFaults* faults = m_faults.IsEmpty() ? nullptr : &m_faults;
    for (Rank rank = 0; rank < m_processes.size(); ++rank)
    {
        m_paths.push_back(paths[rank].get());
        m_messengers.push_back(
            std::make_unique<Messenger>(*m_processes[rank], std::move(paths[rank]), bytes, faults));
        Messenger& messenger = *m_messengers.back();
        messenger.SetListener(m_protocols[rank].get());
        messenger.SetLimit(limit);
        const MessageWindow flow = m_protocols[rank]->Flow();
        if (!flow.bounded)
        {
            messenger.LimitWindow(flow.window, shapes[rank].to);
        }
        m_protocols[rank]->SetMessenger(messenger);
    }
}

void
ProtocolWorkload::Start()
{
    for (const auto& process : m_processes)
    {
        process->Start(0);
    }
}

bool
ProtocolWorkload::IsFinished() const
{
    return m_history.IsOver();
}

void
ProtocolWorkload::Conclude()
{
    m_samples = m_history.Durations(m_kind.span);
    m_violations.clear();
    for (const Checker& check : m_kind.checkers)
    {
        const std::string said = check(m_history);
        if (!said.empty())
        {
            m_violations.push_back(said);
        }
    }
}

void
ProtocolWorkload::OnStep(std::uint32_t rank)
{
    m_messengers[rank]->Step();
}

bool
ProtocolWorkload::OnAlarm(std::uint32_t rank)
{
    return m_messengers[rank]->OnAlarm();
}

void
ProtocolWorkload::ForeseeStep(std::uint32_t rank) const
{
    Prefetch(m_messengers[rank].get());
    Prefetch(m_protocols[rank].get());
    Messenger::ForeseeStep(m_paths[rank]);
}

void
ProtocolWorkload::ExpectStep(std::uint32_t rank) const
{
    m_messengers[rank]->ExpectStep();
}

bool
ProtocolWorkload::OnConnectionLost(std::uint32_t)
{
    return true; // what it does without a peer is the protocol's business
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
    for (const auto& messenger : m_messengers)
    {
        sent += messenger->MessagesSent();
    }
    return sent;
}

FaultHits
ProtocolWorkload::Hits() const
{
    FaultHits all;
    for (const auto& messenger : m_messengers)
    {
        all.crashed += messenger->Hits().crashed;
        all.delayed += messenger->Hits().delayed;
        all.lost += messenger->Hits().lost;
    }
    return all;
}

} // namespace via
} // namespace ns3
