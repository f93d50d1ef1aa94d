/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A cluster owned by Python: Python can close it, and handles signals while it runs.

#ifndef VIA_CLUSTER_HANDLE_H
#define VIA_CLUSTER_HANDLE_H

#include "via-ns3-access.h"
#include "via-python-protocol.h"

#include "ns3/via-network.h"

#include <map>
#include <memory>
#include <pybind11/pybind11.h>
#include <string>

namespace ns3
{
namespace via
{

/// A cluster that Python can close explicitly: only one can exist at a time.
class ClusterHandle
{
  public:
    /**
     * @param config of the cluster
     * @param ns3 also make ns-3 nodes: Nodes()
     */
    ClusterHandle(const ClusterConfig& config, bool ns3);
    ~ClusterHandle();
    ClusterHandle(const ClusterHandle&) = delete;
    ClusterHandle& operator=(const ClusterHandle&) = delete;

    /// @throws py::value_error if it is closed
    Cluster& Get() const;

    /// The ns-3 nodes, in order; none unless requested.
    pybind11::list Nodes() const;

    /**
     * @brief The objects that an ns-3 path selects, such as "/NodeList/0/DeviceList/0".
     * @throws ConfigError for an invalid path, or a class that does not exist
     */
    pybind11::list FindObjects(const std::string& path) const;

    /// Adds an IP device to each node. @return the devices, in node order
    pybind11::list AddIpDevices();

    /// Adds a process on @p node that runs @p function, such as a Python coroutine function.
    /// @return its rank
    std::uint32_t AddPython(std::uint32_t node,
                            const pybind11::object& function,
                            Ps start,
                            Ps stop);

    /**
     * @brief Adds a protocol written in Python: one process on each node.
     * @param make returns a new instance of a subclass of via.Protocol
     * @param kind its name, messageBytes and span
     */
    void AddProtocol(const pybind11::object& make,
                     ProtocolKind kind,
                     const std::map<std::string, std::string>& parameters);

    /**
     * @brief Runs to @p until or to the end, or until a Python signal handler raises an exception.
     * @param until simulated time; PS_NEVER: to the end
     * @param watchdog seconds of CPU time for which simulated time may stand still; 0: forever
     * @param progress called several times per second with the simulated time; null: nothing
     * @return whether nothing is left to simulate
     * @throws NoProgress if it stood still for longer
     */
    bool Advance(Ps until, std::uint32_t watchdog, const pybind11::object& progress);

    /// Ends the run where it is. @return its report
    RunReport Finish();

    /// Return values of Python processes, by rank.
    pybind11::dict Returned() const;

    /// Exceptions that ended Python processes, by rank.
    pybind11::dict Errors() const;

    /// Ends the run and releases everything.
    void Close();

  private:
    void Simulate();
    void DoExclusively(const std::function<void()>& work);
    void End();

    Ptr<ViaNetwork> BuildNetwork(ClusterConfig config);
    Ns3Handle HandleOf(Ptr<Object> object) const;

    std::unique_ptr<Cluster> m_cluster; ///< null: m_network has the cluster
    NodeContainer m_nodes;              ///< of ns-3
    Ptr<ViaNetwork> m_network;          ///< null: no ns-3 objects were requested
    PythonResults m_results;
    std::shared_ptr<Ns3Session> m_session{std::make_shared<Ns3Session>(m_results)};
    PythonRun m_run{&m_results, {}, {}, 0};
    ProtocolRun m_protocolRun{&m_results, 0, 0, false, {}};
    std::string m_protocol; ///< registered by name for the lifetime of this
    bool m_python{false};   ///< Python code takes part in the run
    bool m_running{false};
};

} // namespace via
} // namespace ns3

#endif // VIA_CLUSTER_HANDLE_H
