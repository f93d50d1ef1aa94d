/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A cluster owned by Python.

#include "via-cluster-handle.h"

#include "via-watched.h"

#include "ns3/simulator.h"
#include "ns3/via-run-control.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace py = pybind11;

namespace ns3
{
namespace via
{

ClusterHandle::ClusterHandle(const ClusterConfig& config, bool ns3)
    : m_python(ns3)
{
    if (ns3)
    {
        m_network = BuildNetwork(config);
        return;
    }
    try
    {
        DoWatched(m_results, [&] { m_cluster = std::make_unique<Cluster>(config); });
    }
    catch (const py::error_already_set&)
    {
        Simulator::Destroy(); // the partial cluster has scheduled events
        throw;
    }
}

ClusterHandle::~ClusterHandle()
{
    End();
}

void
ClusterHandle::End()
{
    m_session->Close();
    if (m_network != nullptr)
    {
        Simulator::Destroy();
        m_network = nullptr;
        m_nodes = NodeContainer();
    }
    m_cluster.reset();
    m_run.Close();
    if (!m_protocol.empty())
    {
        RemoveProtocol(std::exchange(m_protocol, std::string()));
    }
}

Cluster&
ClusterHandle::Get() const
{
    if (m_network != nullptr)
    {
        return m_network->GetCluster();
    }
    if (!m_cluster)
    {
        throw py::value_error("this cluster is closed");
    }
    return *m_cluster;
}

std::uint32_t
ClusterHandle::AddPython(std::uint32_t node, const py::object& function, Ps start, Ps stop)
{
    const std::size_t index = m_run.functions.size();
    const std::uint32_t rank = Get().AddProcess(
        node,
        [run = &m_run, index] { return run->Body(index); },
        start,
        stop);
    m_run.functions.push_back(function);
    m_python = true;
    return rank;
}

void
ClusterHandle::AddProtocol(const py::object& make,
                           ProtocolKind kind,
                           const std::map<std::string, std::string>& parameters)
{
    if (!m_protocol.empty())
    {
        throw py::value_error("a run can have only one protocol");
    }
    kind.prepare = [this, make](WorkloadParameters&, std::uint32_t) -> ProtocolMaker {
        return
            [this, make](Rank) { return std::make_unique<PythonProtocol>(make(), m_protocolRun); };
    };
    m_protocolRun.mostBytes = kind.messageBytes;
    m_protocolRun.leastBytes = kind.leastBytes == 0 ? kind.messageBytes : kind.leastBytes;
    if (m_protocolRun.leastBytes < PythonProtocol::LEAST_BYTES ||
        m_protocolRun.leastBytes > m_protocolRun.mostBytes)
    {
        throw py::value_error("messages have at least 5 bytes, and at most max_message_bytes");
    }
    via::AddProtocol(kind);
    m_protocol = kind.name;
    m_protocolRun.counts = !Get().GetWorld().lossy && parameters.count("process-faults") == 0;
    m_python = true;
    Get().AddWorkload(kind.name, parameters);
}

bool
ClusterHandle::Advance(Ps until, std::uint32_t watchdog, const py::object& progress)
{
    const Agenda& agenda = Get().GetWorld().agenda;
    const std::function<void()> tell = [&] { progress(agenda.Now()); };
    DoExclusively([&] {
        m_run.size = Get().GetProcesses().Count();
        if (until != PS_NEVER)
        {
            const Ps now = Simulator::Now().GetTimeStep();
            Simulator::Stop(TimeStep(static_cast<std::uint64_t>(std::max<Ps>(until - now, 0))));
        }
        DoWatched(
            m_results,
            [this] { Simulate(); },
            watchdog,
            progress ? tell : std::function<void()>());
    });
    return until == PS_NEVER || Get().IsOver();
}

RunReport
ClusterHandle::Finish()
{
    RunReport report;
    DoExclusively([&] {
        DoWatched(m_results, [&] {
            Get().CompleteOutputs();
            report = Get().Finish();
        });
    });
    return report;
}

void
ClusterHandle::DoExclusively(const std::function<void()>& work)
{
    if (m_running)
    {
        throw py::value_error("this cluster is already running");
    }
    m_running = true;
    try
    {
        work();
    }
    catch (...)
    {
        m_running = false;
        throw;
    }
    m_running = false;
}

void
ClusterHandle::Simulate()
{
    {
        // without Python code inside, other Python threads may run beside the simulation
        std::optional<py::gil_scoped_release> release;
        if (!m_python)
        {
            release.emplace();
        }
        Get().Simulate();
    }
    if (m_results.interrupt)
    {
        throw RunStopped();
    }
}

py::dict
ClusterHandle::Returned() const
{
    py::dict returned;
    for (const auto& [rank, value] : m_results.returned)
    {
        returned[py::int_(rank)] = value;
    }
    return returned;
}

py::dict
ClusterHandle::Errors() const
{
    py::dict errors;
    for (const auto& [rank, error] : m_results.errors)
    {
        errors[py::int_(rank)] = error;
    }
    return errors;
}

void
ClusterHandle::Close()
{
    if (m_running)
    {
        throw py::value_error("a cluster cannot be closed while it runs");
    }
    End();
}

} // namespace via
} // namespace ns3
