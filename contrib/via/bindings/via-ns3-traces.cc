/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// ns-3 trace sources as Python callbacks: one line for each callback type.

#include "via-ns3-access.h"

#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/simple-ref-count.h"
#include "ns3/via-run-report.h"
#include "ns3/via-vipl-process.h"

#include <map>
#include <utility>

namespace py = pybind11;

namespace ns3
{
namespace via
{

namespace
{

/// Converts an ns-3 value for Python.
template <class Value>
py::object
ToPython(const Value& value)
{
    return py::cast(value);
}

py::object
ToPython(const Time& time)
{
    return py::cast(time.GetPicoSeconds());
}

py::object
ToPython(const ExitStatus& status)
{
    return py::cast(status.code);
}

py::object
ToPython(const Ptr<const ns3::Packet>& packet)
{
    std::vector<std::uint8_t> bytes(packet->GetSize());
    packet->CopyData(bytes.data(), static_cast<std::uint32_t>(bytes.size()));
    return py::cast(TracedPacket{packet->GetUid(), std::string(bytes.begin(), bytes.end())});
}

/// The receiving end of a trace source. @tparam Arguments of its callbacks
template <class... Arguments>
class TraceSink : public SimpleRefCount<TraceSink<Arguments...>>
{
  public:
    TraceSink(std::shared_ptr<Ns3Session> session, std::size_t function)
        : m_session(std::move(session)),
          m_function(function)
    {
    }

    void Fire(Arguments... arguments)
    {
        m_session->Call(m_function, [&] { return py::make_tuple(ToPython(arguments)...); });
    }

  private:
    std::shared_ptr<Ns3Session> m_session;
    std::size_t m_function;
};

using Maker = std::unique_ptr<CallbackBase> (*)(std::shared_ptr<Ns3Session>, std::size_t);

template <class... Arguments>
std::unique_ptr<CallbackBase>
Make(std::shared_ptr<Ns3Session> session, std::size_t function)
{
    using Sink = TraceSink<Arguments...>;
    const auto sink = Create<Sink>(std::move(session), function);
    return std::make_unique<Callback<void, Arguments...>>(MakeCallback(&Sink::Fire, sink));
}

/// A traced value: the old one and the new one.
template <class Value>
std::pair<const std::string, Maker>
Traced(const char* name)
{
    return {std::string("ns3::TracedValueCallback::") + name, &Make<Value, Value>};
}

const std::map<std::string, Maker>&
Makers()
{
    static const std::map<std::string, Maker> makers = {
        {"ns3::via::ViaNicObject::MessageTracedCallback", &Make<const MessageRow&>},
        {"ns3::via::ViaNicObject::DoorbellTracedCallback", &Make<std::uint32_t, bool, Ps>},
        {"ns3::via::ViaNicObject::QueueTracedCallback",
         &Make<std::uint32_t, bool, std::uint32_t, Ps>},
        {"ns3::via::ViaNicObject::CompletionTracedCallback",
         &Make<std::uint32_t, bool, std::uint32_t, std::uint32_t, Ps>},
        {"ns3::via::ViaNicObject::CreditsTracedCallback", &Make<std::uint32_t, std::uint32_t, Ps>},
        {"ns3::via::ViaProcessApplication::EndTracedCallback",
         &Make<std::uint32_t, const ExitStatus&, Ps>},
        {"ns3::Packet::TracedCallback", &Make<Ptr<const ns3::Packet>>},
        Traced<bool>("Bool"),
        Traced<std::int8_t>("Int8"),
        Traced<std::int16_t>("Int16"),
        Traced<std::int32_t>("Int32"),
        Traced<std::int64_t>("Int64"),
        Traced<std::uint8_t>("Uint8"),
        Traced<std::uint16_t>("Uint16"),
        Traced<std::uint32_t>("Uint32"),
        Traced<std::uint64_t>("Uint64"),
        Traced<double>("Double"),
        Traced<Time>("Time"),
    };
    return makers;
}

} // namespace

std::unique_ptr<CallbackBase>
MakeTraceCallback(const std::string& signature,
                  std::shared_ptr<Ns3Session> session,
                  std::size_t function)
{
    const auto found = Makers().find(signature);
    return found == Makers().end() ? nullptr : found->second(std::move(session), function);
}

bool
IsTraceSignature(const std::string& signature)
{
    return Makers().count(signature) != 0;
}

} // namespace via
} // namespace ns3
