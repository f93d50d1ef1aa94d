/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The ns-3 objects behind a run, for Python: attributes by name, trace sources as callbacks.

#include "via-ns3-access.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/integer.h"
#include "ns3/nstime.h"
#include "ns3/object-ptr-container.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"
#include "ns3/via-error.h"

#include <optional>
#include <utility>

namespace py = pybind11;

namespace ns3
{
namespace via
{

namespace
{

using AttributeInformation = TypeId::AttributeInformation;

/// Calls @p act with a class and each of its ancestors.
template <class Act>
void
ForEachClass(TypeId type, Act act)
{
    for (;;)
    {
        act(type);
        if (!type.HasParent() || type.GetParent() == type)
        {
            return;
        }
        type = type.GetParent();
    }
}

/// Calls a Python function for a trace source, with the source's arguments.
class TraceCall final : public OutsideCall
{
  public:
    TraceCall(const py::object& function,
              const std::function<py::tuple()>& arguments,
              PythonResults& results)
        : m_function(function),
          m_arguments(arguments),
          m_results(results)
    {
    }

    void Run() override
    {
        try
        {
            m_function(*m_arguments());
        }
        catch (py::error_already_set& error)
        {
            m_results.StopRun(error);
        }
    }

  private:
    py::object m_function;
    const std::function<py::tuple()>& m_arguments;
    PythonResults& m_results;
};

template <class Value>
std::optional<py::object>
NumberIn(const AttributeValue& value)
{
    const auto* number = dynamic_cast<const Value*>(&value);
    return number == nullptr ? std::nullopt : std::optional<py::object>(py::cast(number->Get()));
}

/// An attribute's value as a Python value, or nothing.
std::optional<py::object>
PlainValue(const AttributeValue& value)
{
    if (const auto* time = dynamic_cast<const TimeValue*>(&value))
    {
        return py::cast(time->Get().GetPicoSeconds());
    }
    if (auto found = NumberIn<BooleanValue>(value))
    {
        return found;
    }
    if (auto found = NumberIn<IntegerValue>(value))
    {
        return found;
    }
    if (auto found = NumberIn<UintegerValue>(value))
    {
        return found;
    }
    if (auto found = NumberIn<DoubleValue>(value))
    {
        return found;
    }
    return NumberIn<StringValue>(value);
}

/// The ns-3 value for a Python value, for an attribute of this class.
Ptr<AttributeValue>
ValueFor(const std::string& kind, const py::object& value)
{
    if (py::isinstance<Ns3Handle>(value))
    {
        return Create<PointerValue>(&value.cast<Ns3Handle&>().Get());
    }
    if (py::isinstance<py::bool_>(value))
    {
        return Create<BooleanValue>(value.cast<bool>());
    }
    if (py::isinstance<py::float_>(value))
    {
        return Create<DoubleValue>(value.cast<double>());
    }
    if (!py::isinstance<py::int_>(value))
    {
        return Create<StringValue>(value.cast<std::string>());
    }
    if (kind == "ns3::TimeValue")
    {
        return Create<TimeValue>(PicoSeconds(value.cast<std::int64_t>()));
    }
    if (kind == "ns3::UintegerValue")
    {
        return Create<UintegerValue>(value.cast<std::uint64_t>());
    }
    return Create<IntegerValue>(value.cast<std::int64_t>());
}

} // namespace

void
Ns3Session::Close()
{
    m_open = false;
    m_functions.clear();
}

std::size_t
Ns3Session::Keep(const py::object& function)
{
    m_functions.push_back(function);
    return m_functions.size() - 1;
}

void
Ns3Session::Call(std::size_t function, const std::function<py::tuple()>& arguments)
{
    if (!m_open || m_results.interrupt)
    {
        return; // the run is about to end
    }
    TraceCall call(m_functions[function], arguments, m_results);
    Fiber::RunOutside(call);
}

Ns3Handle::Ns3Handle(std::shared_ptr<Ns3Session> session, Ptr<Object> object)
    : m_session(std::move(session)),
      m_object(object)
{
}

Object&
Ns3Handle::Get() const
{
    if (!m_session->IsOpen())
    {
        throw ConfigError(TypeName(),
                          "of a run that has ended",
                          "ns-3 objects exist only until their run ends");
    }
    return *m_object;
}

std::string
Ns3Handle::TypeName() const
{
    return m_object->GetInstanceTypeId().GetName();
}

py::list
Ns3Handle::Attributes() const
{
    py::list attributes;
    ForEachClass(Get().GetInstanceTypeId(), [&](TypeId type) {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            const AttributeInformation each = type.GetAttribute(i);
            const AttributeChecker& checker = *each.checker;
            attributes.append(py::make_tuple(
                each.name,
                each.help,
                checker.GetValueTypeName(),
                checker.HasUnderlyingTypeInformation() ? checker.GetUnderlyingTypeInformation()
                                                       : std::string(),
                (each.flags & TypeId::ATTR_GET) != 0 && each.accessor->HasGetter(),
                (each.flags & TypeId::ATTR_SET) != 0 && each.accessor->HasSetter()));
        }
    });
    return attributes;
}

py::list
Ns3Handle::TraceSources() const
{
    py::list sources;
    ForEachClass(Get().GetInstanceTypeId(), [&](TypeId type) {
        for (std::size_t i = 0; i < type.GetTraceSourceN(); ++i)
        {
            const TypeId::TraceSourceInformation each = type.GetTraceSource(i);
            sources.append(py::make_tuple(each.name, each.help, IsTraceSignature(each.callback)));
        }
    });
    return sources;
}

py::object
Ns3Handle::GetValue(const std::string& name) const
{
    AttributeInformation info;
    Get().GetInstanceTypeId().LookupAttributeByName(name, &info);
    const Ptr<AttributeValue> value = info.checker->Create();
    Get().GetAttribute(name, *value);
    if (const auto plain = PlainValue(*value))
    {
        return *plain;
    }
    if (const auto* pointer = dynamic_cast<const PointerValue*>(PeekPointer(value)))
    {
        const Ptr<Object> object = pointer->GetObject();
        return object == nullptr ? py::object(py::none()) : py::cast(Another(object));
    }
    if (const auto* many = dynamic_cast<const ObjectPtrContainerValue*>(PeekPointer(value)))
    {
        py::list objects;
        for (auto each = many->Begin(); each != many->End(); ++each)
        {
            objects.append(Another(each->second));
        }
        return objects;
    }
    return py::cast(value->SerializeToString(info.checker));
}

bool
Ns3Handle::SetValue(const std::string& name, const py::object& value) const
{
    AttributeInformation info;
    Get().GetInstanceTypeId().LookupAttributeByName(name, &info);
    const Ptr<AttributeValue> given = ValueFor(info.checker->GetValueTypeName(), value);
    return Get().SetAttributeFailSafe(name, *given);
}

bool
Ns3Handle::Connect(const std::string& name, const py::object& function) const
{
    TypeId::TraceSourceInformation info;
    const auto source = Get().GetInstanceTypeId().LookupTraceSourceByName(name, &info);
    if (source == nullptr || !IsTraceSignature(info.callback))
    {
        return false;
    }
    const auto callback = MakeTraceCallback(info.callback, m_session, m_session->Keep(function));
    return source->ConnectWithoutContext(&Get(), *callback);
}

py::list
Ns3Handle::Aggregated() const
{
    py::list objects;
    for (auto each = Get().GetAggregateIterator(); each.HasNext();)
    {
        objects.append(Another(ConstCast<Object>(each.Next())));
    }
    return objects;
}

Ns3Handle
Ns3Handle::Another(Ptr<Object> object) const
{
    return {m_session, object};
}

} // namespace via
} // namespace ns3
