/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The user's mistakes, carried over into Python.

#include "via-bindings.h"

#include "ns3/via-error.h"

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
            const py::object type = py::module_::import("via.errors").attr("ConfigError");
            PyErr_SetString(type.ptr(), error.what());
        }
    });
}

} // namespace via
} // namespace ns3
