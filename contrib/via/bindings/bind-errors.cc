/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// User errors and stalled runs, as Python exceptions.

#include "via-bindings.h"
#include "via-python-arguments.h"

#include "ns3/via-error.h"
#include "ns3/via-run-control.h"

#include <exception>
#include <string>

namespace
{

/// Accepts any object, but only once pybind11 converts arguments, so after all other overloads.
struct LastResort
{
    pybind11::object value;
};

} // namespace

template <>
struct pybind11::detail::type_caster<LastResort>
{
    PYBIND11_TYPE_CASTER(LastResort, const_name("object"));

    bool load(handle given, bool convert)
    {
        value.value = reinterpret_borrow<object>(given);
        return convert;
    }
};

namespace py = pybind11;

namespace ns3
{
namespace via
{

namespace
{

/// Adds a last overload to a method of @p type, for arguments that no other takes: pybind11 would
/// list its signatures, whereas via._base.calls names the wrong argument. @p doc is its docstring.
void
ExplainMethod(py::handle type, const std::string& name, const std::string& doc)
{
    const py::object method = py::getattr(type, name.c_str());
    const std::string signature = py::str(method.attr("__doc__"));
    py::options options;
    options.disable_function_signatures(); // the docstring is only @p doc
    const auto explain = [name, signature](py::handle,
                                           const LastResort& first,
                                           const py::args& more,
                                           const py::kwargs& named) {
        const py::object refuse = py::module_::import("via._base.calls").attr("refuse_call");
        refuse(name, signature, first.value, more, named);
    };
    // a positional argument: without one, pybind11 tries no conversions
    const py::arg_v first(py::arg("_") = py::ellipsis());
    if (name == "__init__")
    {
        py::cpp_function(explain,
                         py::name(name.c_str()),
                         py::is_method(type),
                         py::sibling(method),
                         py::detail::is_new_style_constructor(),
                         first,
                         doc.c_str());
        return;
    }
    py::cpp_function(explain,
                     py::name(name.c_str()),
                     py::is_method(type),
                     py::sibling(method),
                     first,
                     doc.c_str());
}

} // namespace

void
ExplainCalls(const py::module_& module)
{
    const py::dict docs = py::module_::import("via._base.stub").attr("docstrings")();
    const auto docOf = [&docs](const std::string& name) {
        return docs.contains(name) ? docs[name.c_str()].cast<std::string>() : std::string();
    };
    for (const auto& [typeName, type] : py::dict(module.attr("__dict__")))
    {
        if (PyType_Check(type.ptr()) == 0)
        {
            continue;
        }
        const auto owner = typeName.cast<std::string>();
        type.attr("__doc__") = docOf(owner);
        for (const auto& [key, member] : py::dict(type.attr("__dict__")))
        {
            const auto name = key.cast<std::string>();
            const std::string doc = docOf(owner + "." + name);
            if (PyInstanceMethod_Check(member.ptr()) != 0)
            {
                ExplainMethod(type, name, doc);
            }
            else if (Py_TYPE(member.ptr()) == &PyProperty_Type)
            {
                member.attr("__doc__") = doc;
            }
        }
    }
}

void
SetConfigError(const ConfigError& error)
{
    const py::module_ errors = py::module_::import("via.errors");
    const std::string text = error.what(); // may quote bytes of a file that are not UTF-8
    const auto shown = py::reinterpret_steal<py::object>(
        PyUnicode_DecodeUTF8(text.data(), static_cast<py::ssize_t>(text.size()), "replace"));
    const py::object made = errors.attr("from_core")(shown);
    PyErr_SetObject(errors.attr("ConfigError").ptr(), made.ptr());
}

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
            SetConfigError(error);
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
