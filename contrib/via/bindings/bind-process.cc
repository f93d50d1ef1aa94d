/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A simulated process for Python: time, memory, and access to its NIC.

#include "via-bindings.h"
#include "via-python-arguments.h"
#include "via-python-nic.h"

#include <algorithm>

namespace py = pybind11;

namespace ns3
{
namespace via
{

namespace
{

using Owner = std::shared_ptr<PythonProcess>;

constexpr std::uint64_t MOST_BYTES = std::uint64_t{1} << 32;  // of memory, in one piece
constexpr std::uint64_t MOST_CYCLES = std::uint64_t{1} << 40; // an hour at 300 MHz
constexpr Ps LAST = PS_NEVER / 4;                             // limit of a process' time: 26 days

/// @throws py::value_error unless the instant @p after now is within the range of a simulation
/// @param option the argument, given as @p value
void
CheckInstant(const PythonProcess& process, Ps after, const char* option, const py::object& value)
{
    if (after < 0 || after > LAST - std::min(process.Now(), LAST))
    {
        throw py::value_error(Given(option, value.ptr()) +
                              "it must be 0 or more, and end within 26 days of simulated time");
    }
}

/// A time from the user: picoseconds, or text such as "5us".
Ps
TimeOf(const py::object& time, const char* option)
{
    if (py::isinstance<py::str>(time))
    {
        return py::module_::import("via._base.units").attr("parse_time")(time, option).cast<Ps>();
    }
    return static_cast<Ps>(WholeNumber(time.ptr(), option, static_cast<std::uint64_t>(LAST)));
}

/// The least number of cycles that cover @p time.
std::uint64_t
CyclesFor(const ClockDomain& clock, Ps time)
{
    std::uint64_t low = 0;
    std::uint64_t high = MOST_CYCLES;
    while (low < high)
    {
        const std::uint64_t middle = low + (high - low) / 2;
        clock.Span(Cycles(middle)) < time ? low = middle + 1 : high = middle;
    }
    return low;
}

std::unique_ptr<Operation>
Compute(const Owner& process, const py::object& work)
{
    if (!process->IsAlive())
    {
        throw py::value_error("this process has ended");
    }
    const ClockDomain& clock = process->Thread().GetHost().CpuClock();
    const auto cycles = py::isinstance<py::str>(work)
                            ? CyclesFor(clock, TimeOf(work, "work"))
                            : WholeNumber(work.ptr(), "work", MOST_CYCLES);
    CheckInstant(*process, clock.Span(Cycles(cycles)), "work", work);
    return MakeOperation(process, [process = process.get(), cycles] {
        process->Thread().Spend(Stage::COMPUTE, Cycles(cycles));
        process->Thread().Reach();
        process->Thread().Settle();
        return CallResult{};
    });
}

std::unique_ptr<Operation>
Sleep(const Owner& process, const py::object& time)
{
    const Ps duration = TimeOf(time, "duration");
    CheckInstant(*process, duration, "duration", time);
    return MakeOperation(process, [process = process.get(), duration] {
        process->Services().SleepUntil(process->Now() + duration);
        return CallResult{};
    });
}

std::unique_ptr<Operation>
Clock(const Owner& process)
{
    return MakeOperation(
        process,
        Ps{0},
        [process = process.get()](Ps& now) {
            now = process->Services().Now();
            return CallResult{};
        },
        [](Ps& now) -> py::object { return py::int_(now); });
}

py::memoryview
Allocate(PythonProcess& process, const py::object& bytes)
{
    const std::uint64_t wanted = WholeNumber(bytes.ptr(), "bytes", MOST_BYTES, 1);
    return py::memoryview(py::cast(std::make_unique<PythonMemory>(process.Places(), wanted)));
}

std::unique_ptr<Operation>
OpenNic(const Owner& process, const std::string& name)
{
    return MakeOperation(
        process,
        PythonNic{process},
        [name](PythonNic& nic) -> CallResult {
            const CallResult opened{"VipOpenNic", VipOpenNic(name.c_str(), &nic.handle)};
            return opened.Failed()
                       ? opened
                       : CallResult{"VipQueryNic", VipQueryNic(nic.handle, &nic.attributes)};
        },
        [](PythonNic& nic) -> py::object {
            nic.attributes.LocalNicAddress = nullptr; // the provider's, and may be freed later
            return py::cast(nic);
        });
}

} // namespace

void
BindProcess(py::module_& module)
{
    py::class_<PythonMemory>(module, "Memory", py::buffer_protocol())
        .def_buffer([](PythonMemory& memory) {
            return py::buffer_info(memory.Data(), static_cast<py::ssize_t>(memory.Size()));
        });

    py::class_<PythonProcess, Owner>(module, "Process")
        .def_property_readonly("rank", &PythonProcess::Rank)
        .def_property_readonly("node", &PythonProcess::Node)
        .def_property_readonly("size", &PythonProcess::Size)
        .def_property_readonly("host", &PythonProcess::HostName)
        .def_property_readonly("now", &PythonProcess::Now)
        .def_property_readonly("alive", &PythonProcess::IsAlive)
        .def("compute", &Compute, py::arg("work"))
        .def("sleep", &Sleep, py::arg("duration"))
        .def("clock", &Clock)
        .def("allocate", &Allocate, py::arg("bytes"))
        .def("open_nic", &OpenNic, py::arg("name") = "nic0");
}

} // namespace via
} // namespace ns3
