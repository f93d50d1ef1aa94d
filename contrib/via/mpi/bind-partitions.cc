/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The Python module via._partitions: a partition whose processes are written in Python.

#include "via-partition-run.h"

#include "ns3/via-error.h"

#include <cstdint>
#include <pybind11/pybind11.h>
#include <string>

namespace py = pybind11;

namespace ns3
{
namespace via
{

namespace
{

/// What a Python object builds and simulates.
class PythonWork final : public PartitionWork
{
  public:
    explicit PythonWork(const py::object& self)
        : m_self(self)
    {
    }

    Cluster& Build(const PartitionTask&, const ClusterConfig& config) override
    {
        // the classes are those of via._core; its handle tells where the cluster is
        const py::object address = Call("build", py::cast(config));
        return *reinterpret_cast<Cluster*>(address.cast<std::uintptr_t>());
    }

    void Simulate() override
    {
        m_self.attr("simulate")();
    }

    void Close() override
    {
        m_self.attr("close")();
    }

  private:
    /// @throws ConfigError in place of Python's
    py::object Call(const char* method, const py::object& argument) const
    {
        try
        {
            return m_self.attr(method)(argument);
        }
        catch (py::error_already_set& error)
        {
            if (!error.matches(py::module_::import("via.errors").attr("ConfigError")))
            {
                throw;
            }
            throw ConfigError(py::str(error.value()).cast<std::string>());
        }
    }

    py::object m_self;
};

int
Run(const std::string& from, const std::string& to, const py::object& work)
{
    PythonWork python(work);
    return RunPartition(from, to, python);
}

} // namespace

} // namespace via
} // namespace ns3

PYBIND11_MODULE(_partitions, module)
{
    module.doc() = "One of several partitions; not to be used directly.";
    module.def("run",
               &ns3::via::Run,
               "Run this OS process' partition of a task; return an exit code.",
               py::arg("task"),
               py::arg("result"),
               py::arg("work"));
}
