/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The Python module via._core: the facade of helper/, one to one. python/via builds the user's API
// on it.

#include "via-bindings.h"

PYBIND11_MODULE(_core, module)
{
    module.doc() = "The simulator behind the package via; not to be used directly.";
    ns3::via::BindErrors();
    ns3::via::BindAbout(module);
    ns3::via::BindTypes(module);
    ns3::via::BindProfile(module);
    ns3::via::BindTopology(module);
    ns3::via::BindTraffic(module);
    ns3::via::BindNs3(module);
    ns3::via::BindCounters(module);
    ns3::via::BindCluster(module);
    ns3::via::BindOperation(module);
    ns3::via::BindProcess(module);
    ns3::via::BindProcessQueues(module);
    ns3::via::BindProcessVi(module);
    ns3::via::BindProcessNotify(module);
    ns3::via::BindProcessSocket(module);
    ns3::via::BindProcessNic(module);
    ns3::via::BindProtocol(module);
    ns3::via::ExplainCalls(module);
}
