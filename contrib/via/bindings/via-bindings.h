/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The parts of the Python module _core: one function per family of classes.

#ifndef VIA_BINDINGS_H
#define VIA_BINDINGS_H

#include <pybind11/pybind11.h>

namespace ns3
{
namespace via
{

/// Translates the C++ ConfigError to Python's via.errors.ConfigError.
void BindErrors();

/// Makes methods of all classes name the wrong argument, and gives classes and members the
/// docstrings of the stub _core.pyi. Call it after all classes are bound.
void ExplainCalls(const pybind11::module_& module);

/// The module's build information.
void BindAbout(pybind11::module_& module);

/// The module's types and global values, as registered in ns-3.
void BindTypes(pybind11::module_& module);

/// Profile, ProfileEntry and the profile names.
void BindProfile(pybind11::module_& module);

/// Topology.
void BindTopology(pybind11::module_& module);

/// Raw traffic over a fabric.
void BindTraffic(pybind11::module_& module);

/// RunCounters: the traffic of wires, ports and cards.
void BindCounters(pybind11::module_& module);

/// Cluster, RunReport and ProcessReport.
void BindCluster(pybind11::module_& module);

/// ns-3 objects: attributes and trace sources.
void BindNs3(pybind11::module_& module);

/// Operations that Python processes await.
void BindOperation(pybind11::module_& module);

/// Python processes: time and memory.
void BindProcess(pybind11::module_& module);

/// Their sockets.
void BindProcessSocket(pybind11::module_& module);

/// Their NICs, protection tags, registered memory.
void BindProcessNic(pybind11::module_& module);

/// The base class of protocols written in Python.
void BindProtocol(pybind11::module_& module);

/// Their completions, completion queues and connection requests.
void BindProcessQueues(pybind11::module_& module);

/// Handlers of completions; needs VIs and queues bound first.
void BindProcessNotify(pybind11::module_& module);

/// Their VIs.
void BindProcessVi(pybind11::module_& module);

} // namespace via
} // namespace ns3

#endif // VIA_BINDINGS_H
