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
 * @brief What Python has of ns-3 during one run; handles of a run that is over refuse.
 *
 * Callbacks of ns-3 know a function of Python by its number here, so that nothing of Python is
 * left in ns-3 when the run ends.
 */
class Ns3Session
{
  public:
    /// @param results takes what a function raises: that ends the run
    explicit Ns3Session(PythonResults& results)
        : m_results(results)
    {
    }

    bool IsOpen() const
    {
        return m_open;
    }

    /// The run is over: no function is called any more.
    void Close();

    /// Keeps @p function to be called. @return its number
    std::size_t Keep(const pybind11::object& function);

    /**
     * @brief Calls a function, outside of all fibers.
     * @param arguments makes its arguments, which are those of a callback of ns-3
     */
    void Call(std::size_t function, const std::function<pybind11::tuple()>& arguments);

  private:
    PythonResults& m_results;
    bool m_open{true};
    std::vector<pybind11::object> m_functions;
};

/// An object of ns-3, as long as its run lasts.
class Ns3Handle
{
  public:
    Ns3Handle(std::shared_ptr<Ns3Session> session, Ptr<Object> object);

    /// @return the object. @throws ConfigError its run is over
    Object& Get() const;

    /// @return the name of its class, such as "ns3::Node"
    std::string TypeName() const;

    /// @return name, help, type, range, and whether it can be read and written, of each attribute
    pybind11::list Attributes() const;

    /// @return name, help and whether Python can connect to it, of each trace source
    pybind11::list TraceSources() const;

    /// @return the value of an attribute that there is and that can be read
    pybind11::object GetValue(const std::string& name) const;

    /**
     * @param value None, bool, int, float, str or another handle: what the attribute's class takes
     * @return false: the attribute does not take it
     */
    bool SetValue(const std::string& name, const pybind11::object& value) const;

    /// Calls @p function whenever the trace source fires. @return false: Python cannot
    bool Connect(const std::string& name, const pybind11::object& function) const;

    /// @return the objects that are aggregated to it
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

/// A packet of ns-3 as a trace source has shown it.
struct TracedPacket
{
    std::uint64_t uid{0};
    std::string bytes;
};

/**
 * @brief A callback of ns-3 that calls a function of Python.
 * @param signature the type of the trace source's callbacks, as ns-3 names it
 * @param function number of the session's function
 * @return null for signatures that nobody has translated to Python
 */
std::unique_ptr<CallbackBase> MakeTraceCallback(const std::string& signature,
                                                std::shared_ptr<Ns3Session> session,
                                                std::size_t function);

/// @return true if MakeTraceCallback knows @p signature
bool IsTraceSignature(const std::string& signature);

} // namespace via
} // namespace ns3

#endif // VIA_NS3_ACCESS_H
