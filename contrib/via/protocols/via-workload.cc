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

namespace
{

std::string
Joined(const std::vector<std::string>& names)
{
    std::string text;
    for (const std::string& name : names)
    {
        text += (text.empty() ? "" : ", ") + name;
    }
    return text;
}

} // namespace

WorkloadParameters::WorkloadParameters(std::string workload,
                                       std::map<std::string, std::string> values,
                                       std::uint32_t nodes,
                                       const NicLimits& limits)
    : m_workload(std::move(workload)),
      m_values(std::move(values)),
      m_nodes(nodes),
      m_limits(limits)
{
}

std::uint32_t
WorkloadParameters::Nodes(std::uint32_t least) const
{
    if (m_nodes < least)
    {
        throw ConfigError("nodes",
                          std::to_string(m_nodes),
                          m_workload + " needs at least " + std::to_string(least));
    }
    return m_nodes;
}

std::unique_ptr<std::string>
WorkloadParameters::Take(const std::string& name, const WorkloadOption& option)
{
    m_known[name] = option;
    const auto found = m_values.find(name);
    if (found == m_values.end())
    {
        return nullptr;
    }
    auto text = std::make_unique<std::string>(std::move(found->second));
    m_values.erase(found);
    return text;
}

std::uint64_t
WorkloadParameters::Number(const std::string& name,
                           std::uint64_t normal,
                           std::uint64_t least,
                           std::uint64_t most)
{
    const auto given = Take(name, {std::to_string(normal), least, most});
    if (given == nullptr)
    {
        return normal;
    }
    const std::string& text = *given;
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
    const auto given = Take(name, {normal, 0, 0});
    return given == nullptr ? normal : *given;
}

void
WorkloadParameters::ExpectNoMore() const
{
    if (!m_values.empty())
    {
        std::vector<std::string> names;
        for (const auto& [name, option] : m_known)
        {
            names.push_back(name);
        }
        throw ConfigError("parameter of " + m_workload,
                          m_values.begin()->first,
                          "must be one of " + Joined(names));
    }
}

void
Workload::AddTwo(const WorkloadContext& context, WorkloadStep& step)
{
    for (std::uint32_t rank = 0; rank < 2; ++rank)
    {
        m_processes.push_back(context.IsOurs(rank)
                                  ? std::make_unique<WorkloadProcess>(*context.nics[rank],
                                                                      rank,
                                                                      context.CostsOf(rank),
                                                                      step)
                                  : nullptr);
    }
}

void
Workload::StartTwo()
{
    for (const std::uint32_t rank : {1, 0})
    {
        if (m_processes[rank] != nullptr)
        {
            m_processes[rank]->Start(0);
        }
    }
}

namespace
{

/// The two steps that make a workload.
struct Recipe
{
    std::function<void(WorkloadParameters&)> read;
    std::function<std::unique_ptr<Workload>(WorkloadParameters&, const WorkloadContext&)> make;
};

template <class W>
Recipe
RecipeOf()
{
    return {&W::Read, [](WorkloadParameters& given, const WorkloadContext& context) {
                return std::make_unique<W>(W::Read(given), context);
            }};
}

Recipe
RecipeOf(const ProtocolKind& kind)
{
    const auto read = [&kind](WorkloadParameters& given) {
        return ProtocolWorkload::Read(kind, given);
    };
    return {read, [&kind, read](WorkloadParameters& given, const WorkloadContext& context) {
                return std::make_unique<ProtocolWorkload>(kind, read(given), context);
            }};
}

const std::map<std::string, Recipe>&
Recipes()
{
    static const std::map<std::string, Recipe> recipes = {
        {"message-stream", RecipeOf(MessageStreamKind())},
        {"ping-pong", RecipeOf<PingPong>()},
        {"socket-ping-pong", RecipeOf<SocketPingPong>()},
        {"socket-stream", RecipeOf<SocketStream>()},
        {"stream", RecipeOf<Stream>()}};
    return recipes;
}

Recipe
FindRecipe(const std::string& name)
{
    if (const ProtocolKind* kind = FindProtocol(name))
    {
        return RecipeOf(*kind);
    }
    const auto found = Recipes().find(name);
    if (found == Recipes().end())
    {
        throw ConfigError("workload", name, "one of " + Joined(WorkloadNames()));
    }
    return found->second;
}

} // namespace

std::unique_ptr<Workload>
MakeWorkload(const std::string& name,
             const std::map<std::string, std::string>& parameters,
             const WorkloadContext& context)
{
    WorkloadParameters given(name,
                             parameters,
                             static_cast<std::uint32_t>(context.nics.size()),
                             context.limits);
    return FindRecipe(name).make(given, context);
}

WorkloadOptions
JudgeWorkload(const std::string& name,
              const std::map<std::string, std::string>& parameters,
              std::uint32_t nodes,
              const NicLimits& limits)
{
    WorkloadParameters given(name, parameters, nodes, limits);
    FindRecipe(name).read(given);
    return given.Known();
}

std::vector<std::string>
WorkloadNames()
{
    std::vector<std::string> names = ProtocolNames();
    for (const auto& recipe : Recipes())
    {
        names.push_back(recipe.first);
    }
    std::sort(names.begin(), names.end());
    return names;
}

} // namespace via
} // namespace ns3
