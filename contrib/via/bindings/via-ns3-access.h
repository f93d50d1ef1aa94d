/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The ns-3 objects behind a run, for Python: attributes by name, trace sources as callbacks.

#ifndef VIA_NS3_ACCESS_H
#define VIA_NS3_ACCESS_H

#include "via-python-process.h"

#include "ns3/callback.h"
#include "ns3/object.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <pybind11/pybind11.h>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @brief Python's access to ns-3 during one run; handles from a finished run refuse.
 *
 * ns-3 callbacks identify a Python function by its number here, so ns-3 holds no Python objects
 * when the run ends.
 */
class Ns3Session
{
  public:
    /// @param results receives an exception of a function, which ends the run
    explicit Ns3Session(PythonResults& results)
        : m_results(results)
    {
    }

    bool IsOpen() const
    {
        return m_open;
    }

    /// Ends the session: no function is called any more.
    void Close();

    /// Stores @p function for later calls. @return its number
    std::size_t Keep(const pybind11::object& function);

    /**
     * @brief Calls a function, outside of all fibers.
     * @param arguments makes the arguments, those of an ns-3 callback
     */
    void Call(std::size_t function, const std::function<pybind11::tuple()>& arguments);

  private:
    PythonResults& m_results;
    bool m_open{true};
    std::vector<pybind11::object> m_functions;
};

/// An ns-3 object, valid during its run.
class Ns3Handle
{
  public:
    Ns3Handle(std::shared_ptr<Ns3Session> session, Ptr<Object> object);

    /// @return the object. @throws ConfigError if its run is over
    Object& Get() const;

    /// @return its class name, such as "ns3::Node"
    std::string TypeName() const;

    /// @return name, help, type, range and access (read, write) of each attribute
    pybind11::list Attributes() const;

    /// @return name, help and whether Python can connect to it, of each trace source
    pybind11::list TraceSources() const;

    /// @return the value of an existing, readable attribute
    pybind11::object GetValue(const std::string& name) const;

    /**
     * @param value None, bool, int, float, str or another handle, as the attribute's class requires
     * @return false: the attribute rejects the value
     */
    bool SetValue(const std::string& name, const pybind11::object& value) const;

    /// Calls @p function whenever the trace source fires. @return false: not supported for Python
    bool Connect(const std::string& name, const pybind11::object& function) const;

    /// @return the objects aggregated to it
    pybind11::list Aggregated() const;

    /// @return another object of the same run
    Ns3Handle Another(Ptr<Object> object) const;

    bool operator==(const Ns3Handle& other) const
    {
        return m_object == other.m_object;
    }

  private:
    std::shared_ptr<Ns3Session> m_session;
    Ptr<Object> m_object;
};

/// An ns-3 packet from a trace source.
struct TracedPacket
{
    std::uint64_t uid{0};
    std::string bytes;
};

/**
 * @brief Makes an ns-3 callback that calls a Python function.
 * @param signature the type of the trace source's callbacks, as ns-3 names it
 * @param function number of the session's function
 * @return null for signatures without a Python translation
 */
std::unique_ptr<CallbackBase> MakeTraceCallback(const std::string& signature,
                                                std::shared_ptr<Ns3Session> session,
                                                std::size_t function);

/// @return true if MakeTraceCallback knows @p signature
bool IsTraceSignature(const std::string& signature);

} // namespace via
} // namespace ns3

#endif // VIA_NS3_ACCESS_H
