/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The VIPL processes of a cluster: programs and C++ functions, started, killed, started again.

#include "via-cluster-processes.h"

#include "ns3/via-cluster.h"
#include "ns3/via-error.h"
#include "ns3/via-fault-driver.h"
#include "ns3/via-fiber-thread.h"

#include <algorithm>
#include <iostream>
#include <optional>

namespace ns3
{
namespace via
{

namespace
{

std::string
Replace(std::string text, const std::map<std::string, std::string>& values)
{
    for (const auto& value : values)
    {
        const std::string name = "{" + value.first + "}";
        for (std::size_t at = text.find(name); at != std::string::npos;
             at = text.find(name, at + value.second.size()))
        {
            text.replace(at, name.size(), value.second);
        }
    }
    return text;
}

/// The number that @p digits, one to nine of them, denote; nothing if they are anything else.
std::optional<std::uint64_t>
NumberOf(const std::string& digits)
{
    constexpr std::size_t most = 9;
    if (digits.empty() || digits.size() > most ||
        digits.find_first_not_of("0123456789") != std::string::npos)
    {
        return std::nullopt;
    }
    return std::stoull(digits);
}

/// The processes that a variable written "1-:NAME=VALUE", "0:NAME=VALUE" or "2-5:NAME=VALUE" is
/// for.
struct RankedVariable
{
    std::uint64_t first{0};
    std::uint64_t last{UINT64_MAX};
    std::string variable; ///< NAME=VALUE

    static RankedVariable Read(const std::string& text, std::uint32_t size)
    {
        const std::size_t colon = text.find(':');
        const std::size_t equals = text.find('=');
        if (colon == std::string::npos || equals == std::string::npos || equals <= colon + 1)
        {
            return {0, UINT64_MAX, text};
        }
        const std::string range = text.substr(0, colon);
        const std::size_t dash = std::min(range.find('-'), range.size());
        const bool isOpen = dash + 1 == range.size(); // "1-"
        const auto first = NumberOf(range.substr(0, dash));
        const auto last = isOpen                 ? std::optional<std::uint64_t>(UINT64_MAX)
                          : dash == range.size() ? first
                                                 : NumberOf(range.substr(dash + 1));
        if (!first || !last)
        {
            return {0, UINT64_MAX, text};
        }
        const RankedVariable found{*first, *last, text.substr(colon + 1)};
        if (found.first >= size || found.last < found.first)
        {
            throw ConfigError("--env",
                              text,
                              "the run has processes 0 to " + std::to_string(size - 1));
        }
        return found;
    }
};

/// Adds NAME=VALUE; the last value of a name counts.
void
SetVariable(std::vector<std::string>& environment, const std::string& variable)
{
    const std::string name = variable.substr(0, variable.find('=') + 1);
    environment.erase(
        std::remove_if(environment.begin(),
                       environment.end(),
                       [&](const std::string& one) { return one.rfind(name, 0) == 0; }),
        environment.end());
    environment.push_back(variable);
}

} // namespace

const ProgramImage&
ClusterProcesses::Image(const std::string& path)
{
    auto& image = m_images[path];
    if (image == nullptr)
    {
        image = std::make_unique<ProgramImage>(path, ViplFunctionCount());
        const auto& partition = m_cluster.Config().partition;
        const bool isFirst = partition == nullptr || partition->plan.self == 0;
        if (isFirst && !image->ReportsBlocks())
        {
            std::cerr << "via: " << path << " was built with --no-trace-pc: loops that poll plain"
                      << " memory never see time pass\n";
        }
    }
    return *image;
}

std::uint32_t
ClusterProcesses::AddProgram(const ProgramSpec& spec)
{
    CheckNode(spec.node);
    const auto rank = static_cast<std::uint32_t>(m_nodes.size());
    const ProgramImage& image = Image(spec.path);
    const std::map<std::string, std::string> values = {{"rank", std::to_string(rank)},
                                                       {"size", std::to_string(spec.size)},
                                                       {"host", "n" + std::to_string(spec.node)}};
    ProgramOptions options;
    for (const std::string& argument : spec.arguments)
    {
        options.arguments.push_back(Replace(argument, values));
    }
    for (const std::string& variable : spec.environment)
    {
        const RankedVariable ranked = RankedVariable::Read(variable, std::max(spec.size, 1U));
        if (ranked.first <= rank && rank <= ranked.last)
        {
            SetVariable(options.environment, Replace(ranked.variable, values));
        }
    }
    options.environment.push_back("VIA_RANK=" + values.at("rank"));
    options.environment.push_back("VIA_SIZE=" + values.at("size"));
    const std::string perNode = "VIA_PROCS_PER_NODE=";
    const bool saysPerNode =
        std::any_of(spec.environment.begin(), spec.environment.end(), [&](const std::string& one) {
            return one.compare(0, perNode.size(), perNode) == 0;
        });
    if (!saysPerNode)
    {
        options.environment.push_back(perNode + "1");
    }
    options.libc.cwd = Replace(spec.directory, values);
    options.libc.input = spec.input;
    if (spec.prefix)
    {
        options.libc.prefix = "[" + values.at("host") + "." + std::to_string(spec.slot) + "] ";
    }
    const auto make = [this, node = spec.node, &image, options](std::uint32_t number) {
        return WithNics(std::make_unique<ViplProcess>(m_cluster.NicAt(node),
                                                      number,
                                                      m_cluster.Kinds().Of(node).setting,
                                                      image,
                                                      options),
                        node);
    };
    return StartNew(spec.node, make, spec.start, spec.stop);
}

std::unique_ptr<ViplProcess>
ClusterProcesses::WithNics(std::unique_ptr<ViplProcess> process, std::uint32_t node)
{
    for (std::uint32_t card = 1; card < m_cluster.GetTopology().rails; ++card)
    {
        process->AddNic(m_cluster.NicAt(node, card));
    }
    const ClusterConfig& config = m_cluster.Config();
    SystemCalls::Host host;
    host.hosts = config.nodes;
    if (config.partition != nullptr) // its stack would come into being without the others
    {
        host.refusal = "socket(): sockets need a run without MPI ranks (--mpi-ranks)";
    }
    else if (!m_cluster.Profile().MayHaveKernel())
    {
        host.refusal = "socket(): the host has no network stack: choose one with --kernel";
    }
    else
    {
        host.network = [this]() -> IpNetwork& {
            Agenda& agenda = m_cluster.GetWorld().agenda;
            if (agenda.RunsOn() && FiberThread::Current() != nullptr)
            {
                agenda.RunOn(nullptr); // from here on ns-3's clock matters
                FiberThread::Current()->GiveWay();
            }
            return m_cluster.Ip();
        };
    }
    if (config.controlNetwork && m_control == nullptr)
    {
        m_control = std::make_shared<ControlNetwork>(config.nodes);
    }
    host.control = m_control;
    process->SetNetwork(std::move(host));
    return process;
}

std::uint32_t
ClusterProcesses::StartNew(std::uint32_t node, Maker make, Ps start, Ps stop)
{
    const std::uint32_t number = TakeNumber(node);
    ++m_added;
    const bool isOurs = m_cluster.GetFabric().IsOurs(node);
    const Program program{node, isOurs ? std::move(make) : Maker(), stop};
    if (isOurs)
    {
        Launch(number, program, start);
    }
    if (m_cluster.Faults() != nullptr)
    {
        m_programs[number] = program; // of others, too: they take numbers when they start again
    }
    return number;
}

void
ClusterProcesses::Launch(std::uint32_t number, const Program& program, Ps start)
{
    m_processes.push_back(program.make(number));
    ViplProcess& process = *m_processes.back();
    process.Start(start);
    if (program.stop != PS_NEVER)
    {
        process.KillAt(program.stop);
    }
    if (m_cluster.Faults() != nullptr)
    {
        process.ExpectKill(m_cluster.Faults()->NextCrash(program.node, start));
    }
}

std::uint32_t
ClusterProcesses::TakeNumber(std::uint32_t node)
{
    m_nodes.push_back(node);
    return static_cast<std::uint32_t>(m_nodes.size() - 1);
}

void
ClusterProcesses::NumberRestarts(Ps until)
{
    for (const auto& [at, node] : m_cluster.Faults()->Restarts(m_numbered, until))
    {
        for (auto& [number, program] : m_programs)
        {
            if (program.node == node && at < program.stop)
            {
                program.next = TakeNumber(node);
            }
        }
    }
    m_numbered = until;
}

void
ClusterProcesses::CheckNode(std::uint32_t node) const
{
    const std::uint32_t nodes = m_cluster.Config().nodes;
    if (node >= nodes)
    {
        throw ConfigError("node",
                          std::to_string(node),
                          "the cluster has nodes 0 to " + std::to_string(nodes - 1));
    }
}

std::uint32_t
ClusterProcesses::AddProcess(std::uint32_t node, std::function<int()> body, Ps start, Ps stop)
{
    CheckNode(node);
    const auto make = [this, node, run = std::move(body)](std::uint32_t number) {
        const ViplSetting& setting = m_cluster.Kinds().Of(node).setting;
        return WithNics(std::make_unique<ViplProcess>(m_cluster.NicAt(node), number, setting, run),
                        node);
    };
    return StartNew(node, make, start, stop);
}

std::vector<std::uint32_t>
ClusterProcesses::Kill(std::uint32_t node, Ps until)
{
    std::vector<std::uint32_t> killed;
    const Workload* workload = m_cluster.GetWorkload();
    for (const auto& process : m_processes)
    {
        const bool isThere = process->GetHost().Id() == node && process->StartTime() < until;
        if (isThere && !process->HasEnded())
        {
            process->Kill();
            killed.push_back(process->Rank());
        }
    }
    if (workload != nullptr)
    {
        for (const auto& process : workload->Processes())
        {
            if (process != nullptr && process->GetHost().Id() == node && !process->HasFinished())
            {
                process->Kill();
                killed.push_back(process->Rank());
            }
        }
    }
    return killed;
}

void
ClusterProcesses::StartAgain(std::uint32_t number, Ps at)
{
    const auto before = m_firsts.find(number);
    const std::uint32_t first = before == m_firsts.end() ? number : before->second;
    const auto known = m_programs.find(first);
    const bool isKnown = known != m_programs.end(); // a workload's processes do not start again
    if (isKnown && at < known->second.stop)
    {
        NumberRestarts(at);
        const Program& program = known->second;
        m_firsts[program.next] = first;
        Launch(program.next, program, at);
    }
}

} // namespace via
} // namespace ns3
