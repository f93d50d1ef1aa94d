/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A cluster as Python holds it: it ends when Python wants, and signals are handled while it runs.

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

/// A cluster that Python can end when it wants to: there is room for only one at a time.
class ClusterHandle
{
  public:
    /**
     * @param config of the cluster
     * @param ns3 make nodes of ns-3, too: Nodes()
     */
    ClusterHandle(const ClusterConfig& config, bool ns3);
    ~ClusterHandle();
    ClusterHandle(const ClusterHandle&) = delete;
    ClusterHandle& operator=(const ClusterHandle&) = delete;

    /// @throws py::value_error when it is closed
    Cluster& Get() const;

    /// The nodes as objects of ns-3, in their order; none unless that was asked for.
    pybind11::list Nodes() const;

    /**
     * @brief The objects that a path of ns-3 leads to, such as "/NodeList/0/DeviceList/0".
     * @throws ConfigError for what is no path, and for classes that there are not
     */
    pybind11::list FindObjects(const std::string& path) const;

    /// A NIC of each node for IP: their devices, in the order of the nodes.
    pybind11::list AddIpDevices();

    /// Adds a process on @p node that runs @p function, a coroutine function or the like, of
    /// Python.
    /// @return its rank
    std::uint32_t AddPython(std::uint32_t node,
                            const pybind11::object& function,
                            Ps start,
                            Ps stop);

    /**
     * @brief Adds a protocol written in Python: one process on each node.
     * @param make gives a new instance of a subclass of via.Protocol
     * @param kind its name, messageBytes and span
     */
    void AddProtocol(const pybind11::object& make,
                     ProtocolKind kind,
                     const std::map<std::string, std::string>& parameters);

    /**
     * @brief Runs to the end, or until Python has a signal to handle that raises something.
     * @param watchdog seconds of CPU time in which simulated time may stand still; 0: for ever
     * @throws NoProgress when it has stood still for longer
     */
    RunReport Run(std::uint32_t watchdog);

    /// What Python processes have returned, by rank.
    pybind11::dict Returned() const;

    /// What has ended Python processes, by rank.
    pybind11::dict Errors() const;

    /// Ends what runs, and lets go of everything.
    void Close();

  private:
    RunReport Simulate();
    void End();

    Ptr<ViaNetwork> BuildNetwork(ClusterConfig config);
    Ns3Handle HandleOf(Ptr<Object> object) const;

    std::unique_ptr<Cluster> m_cluster; ///< null: that of m_network
    NodeContainer m_nodes;              ///< of ns-3
    Ptr<ViaNetwork> m_network;          ///< null: no object of ns-3 was asked for
    PythonResults m_results;
    std::shared_ptr<Ns3Session> m_session{std::make_shared<Ns3Session>(m_results)};
    PythonRun m_run{&m_results, {}, {}, 0};
    ProtocolRun m_protocolRun{&m_results, 0, false, {}};
    std::string m_protocol; ///< that is known by name as long as this is
    bool m_python{false};   ///< Python code takes part
    bool m_running{false};
};

} // namespace via
} // namespace ns3

#endif // VIA_CLUSTER_HANDLE_H
