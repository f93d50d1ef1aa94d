/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The module's build information, for Python.

#include "via-bindings.h"

#include "ns3/via-profile-reader.h"

#if !defined(VIA_VERSION) || !defined(VIA_NS3_VERSION)
#error "VIA_VERSION and VIA_NS3_VERSION must be the versions of this module and of ns-3"
#endif

namespace py = pybind11;

namespace ns3
{
namespace via
{

namespace
{

#ifdef __clang__
constexpr const char* COMPILER = "clang " __clang_version__;
#else
constexpr const char* COMPILER = "gcc " __VERSION__;
#endif

} // namespace

void
BindAbout(py::module_& module)
{
    module.def("build", [] {
        py::dict build;
        build["via"] = VIA_VERSION;
        build["ns3"] = VIA_NS3_VERSION;
        build["compiler"] = COMPILER;
        build["pybind11"] =
            PYBIND11_TOSTRING(PYBIND11_VERSION_MAJOR) "." PYBIND11_TOSTRING(PYBIND11_VERSION_MINOR);
        build["library"] = LibraryPath();
        return build;
    });
}

} // namespace via
} // namespace ns3
