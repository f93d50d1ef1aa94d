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

/// ConfigError of C++ becomes via.errors.ConfigError of Python.
void BindErrors();

/// Methods of classes say which argument is wrong. To be called when all of them are there.
void ExplainCalls(const pybind11::module_& module);

/// What the module was built of.
void BindAbout(pybind11::module_& module);

/// What ns-3 knows of the module's types and global values.
void BindTypes(pybind11::module_& module);

/// Profile and ProfileEntry, and the names of the profiles.
void BindProfile(pybind11::module_& module);

/// Topology.
void BindTopology(pybind11::module_& module);

/// Raw traffic over a fabric.
void BindTraffic(pybind11::module_& module);

/// Cluster, RunReport and ProcessReport.
void BindCluster(pybind11::module_& module);

/// Objects of ns-3: attributes and trace sources.
void BindNs3(pybind11::module_& module);

/// What processes written in Python await.
void BindOperation(pybind11::module_& module);

/// Such processes: time and memory.
void BindProcess(pybind11::module_& module);

/// Their NICs, protection tags, registered memory.
void BindProcessNic(pybind11::module_& module);

/// The base class of protocols written in Python.
void BindProtocol(pybind11::module_& module);

/// Their completions, completion queues and requests for connections.
void BindProcessQueues(pybind11::module_& module);

/// Handlers of completions, once VIs and queues are known.
void BindProcessNotify(pybind11::module_& module);

/// Their VIs.
void BindProcessVi(pybind11::module_& module);

} // namespace via
} // namespace ns3

#endif // VIA_BINDINGS_H
