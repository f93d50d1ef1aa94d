/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The user's mistakes, and runs that stand still, carried over into Python.

#include "via-bindings.h"

#include "ns3/via-error.h"
#include "ns3/via-run-control.h"

#include <exception>

namespace py = pybind11;

namespace ns3
{
namespace via
{

void
BindErrors()
{
    py::register_exception_translator([](std::exception_ptr thrown) {
        try
        {
            std::rethrow_exception(thrown);
        }
        catch (const ConfigError& error)
        {
            const py::module_ errors = py::module_::import("via.errors");
            const py::object made = errors.attr("from_core")(error.what());
            PyErr_SetObject(errors.attr("ConfigError").ptr(), made.ptr());
        }
        catch (const NoProgress& error)
        {
            const py::object type = py::module_::import("via.errors").attr("NoProgress");
            PyErr_SetString(type.ptr(), error.what());
        }
    });
}

} // namespace via
} // namespace ns3
