/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The module's types as ns-3 knows them, for the reference of attributes and trace sources.

#include "via-bindings.h"

#include "ns3/global-value.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/type-id.h"

#include <pybind11/stl.h>
#include <string>
#include <utility>

namespace py = pybind11;

namespace ns3
{
namespace via
{

namespace
{

/// The access flags of an attribute, in ns-3's words.
std::string
FlagsOf(std::uint32_t flags)
{
    std::string words;
    for (const auto& [flag, word] : {std::pair{TypeId::ATTR_CONSTRUCT, "construct"},
                                     std::pair{TypeId::ATTR_SET, "set"},
                                     std::pair{TypeId::ATTR_GET, "get"}})
    {
        if (flags & flag)
        {
            words += (words.empty() ? "" : ", ") + std::string(word);
        }
    }
    return words;
}

/// The type of an attribute's values, with their range if they have one.
std::string
TypeOf(const AttributeChecker& checker)
{
    return checker.HasUnderlyingTypeInformation() ? checker.GetUnderlyingTypeInformation()
                                                  : checker.GetValueTypeName();
}

py::list
AttributesOf(TypeId type)
{
    py::list attributes;
    for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        const TypeId::AttributeInformation each = type.GetAttribute(i);
        py::dict row;
        row["name"] = each.name;
        row["help"] = each.help;
        row["use"] = FlagsOf(each.flags);
        row["type"] = TypeOf(*each.checker);
        const bool isObject = DynamicCast<const PointerValue>(each.originalInitialValue) != nullptr;
        row["initial"] = isObject ? "" : each.originalInitialValue->SerializeToString(each.checker);
        attributes.append(row);
    }
    return attributes;
}

py::list
TraceSourcesOf(TypeId type)
{
    py::list sources;
    for (std::size_t i = 0; i < type.GetTraceSourceN(); ++i)
    {
        const TypeId::TraceSourceInformation each = type.GetTraceSource(i);
        py::dict row;
        row["name"] = each.name;
        row["help"] = each.help;
        row["callback"] = each.callback;
        sources.append(row);
    }
    return sources;
}

py::list
Types()
{
    py::list types;
    for (std::size_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        if (type.GetName().rfind("ns3::via::", 0) != 0)
        {
            continue;
        }
        py::dict row;
        row["name"] = type.GetName();
        row["parent"] = type.GetParent().GetName();
        row["attributes"] = AttributesOf(type);
        row["trace_sources"] = TraceSourcesOf(type);
        types.append(row);
    }
    return types;
}

py::list
GlobalValues()
{
    py::list globals;
    for (auto each = GlobalValue::Begin(); each != GlobalValue::End(); ++each)
    {
        if ((*each)->GetName().rfind("Via", 0) == 0)
        {
            StringValue value;
            (*each)->GetValue(value);
            py::dict row;
            row["name"] = (*each)->GetName();
            row["help"] = (*each)->GetHelp();
            row["initial"] = value.Get();
            globals.append(row);
        }
    }
    return globals;
}

} // namespace

void
BindTypes(py::module_& module)
{
    module.def("types", Types);
    module.def("global_values", GlobalValues);
}

} // namespace via
} // namespace ns3
