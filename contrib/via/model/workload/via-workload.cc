/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Built-in workloads: their parameters and their names.

#include "via-workload.h"

#include "ns3/via-error.h"
#include "ns3/via-message-stream.h"
#include "ns3/via-ping-pong.h"
#include "ns3/via-protocol-workload.h"
#include "ns3/via-socket-pair.h"
#include "ns3/via-stream.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace ns3
{
namespace via
{

WorkloadParameters::WorkloadParameters(std::string workload,
                                       std::map<std::string, std::string> values)
    : m_workload(std::move(workload)),
      m_values(std::move(values))
{
}

std::uint64_t
WorkloadParameters::Number(const std::string& name,
                           std::uint64_t normal,
                           std::uint64_t least,
                           std::uint64_t most)
{
    const auto found = m_values.find(name);
    if (found == m_values.end())
    {
        return normal;
    }
    const std::string text = found->second;
    m_values.erase(found);
    const bool digits = !text.empty() && text.size() < 19 &&
                        text.find_first_not_of("0123456789") == std::string::npos;
    const std::uint64_t value = digits ? std::stoull(text) : 0;
    if (!digits || value < least || value > most)
    {
        throw ConfigError(m_workload + " " + name,
                          text,
                          "a whole number from " + std::to_string(least) + " to " +
                              std::to_string(most));
    }
    return value;
}

Ps
WorkloadParameters::Microseconds(const std::string& name, std::uint64_t normal)
{
    return static_cast<Ps>(Number(name, normal, 1, 1'000'000'000)) * PS_PER_US;
}

std::string
WorkloadParameters::Text(const std::string& name, const std::string& normal)
{
    const auto found = m_values.find(name);
    if (found == m_values.end())
    {
        return normal;
    }
    const std::string text = found->second;
    m_values.erase(found);
    return text;
}

void
WorkloadParameters::ExpectNoMore() const
{
    if (!m_values.empty())
    {
        throw ConfigError(m_workload + " " + m_values.begin()->first,
                          m_values.begin()->second,
                          "the workload has no such parameter");
    }
}

namespace
{

using Maker = std::function<std::unique_ptr<Workload>(WorkloadParameters&, const WorkloadContext&)>;

template <class W>
std::unique_ptr<Workload>
Make(WorkloadParameters& parameters, const WorkloadContext& context)
{
    return std::make_unique<W>(parameters, context);
}

std::unique_ptr<Workload>
MakeMessageStream(WorkloadParameters& parameters, const WorkloadContext& context)
{
    return std::make_unique<ProtocolWorkload>(MessageStreamKind(), parameters, context);
}

const std::map<std::string, Maker>&
Makers()
{
    static const std::map<std::string, Maker> makers = {{"message-stream", &MakeMessageStream},
                                                        {"ping-pong", &Make<PingPong>},
                                                        {"socket-ping-pong", &Make<SocketPingPong>},
                                                        {"socket-stream", &Make<SocketStream>},
                                                        {"stream", &Make<Stream>}};
    return makers;
}

} // namespace

std::unique_ptr<Workload>
MakeWorkload(const std::string& name,
             const std::map<std::string, std::string>& parameters,
             const WorkloadContext& context)
{
    WorkloadParameters given(name, parameters);
    if (const ProtocolKind* kind = FindProtocol(name))
    {
        return std::make_unique<ProtocolWorkload>(*kind, given, context);
    }
    const auto maker = Makers().find(name);
    if (maker == Makers().end())
    {
        std::string known;
        for (const std::string& one : WorkloadNames())
        {
            known += (known.empty() ? "" : ", ") + one;
        }
        throw ConfigError("workload", name, "one of " + known);
    }
    return maker->second(given, context);
}

std::vector<std::string>
WorkloadNames()
{
    std::vector<std::string> names = ProtocolNames();
    for (const auto& maker : Makers())
    {
        names.push_back(maker.first);
    }
    std::sort(names.begin(), names.end());
    return names;
}

} // namespace via
} // namespace ns3
