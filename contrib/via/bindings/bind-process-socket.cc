/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Sockets of a simulated process for Python: the system calls that a C program makes.

#include "via-bindings.h"
#include "via-python-arguments.h"
#include "via-python-process.h"

#include "ns3/via-socket-address.h"

#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <cstring>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>

namespace py = pybind11;

namespace ns3
{
namespace via
{

namespace
{

constexpr std::uint64_t MOST_PORT = 65535;
constexpr std::uint64_t MOST_READ = std::uint64_t{1} << 24; // bytes of one recv

using SocketOwner = std::shared_ptr<PythonProcess>;

/// A socket: a number in the process' descriptor table.
struct PythonSocket
{
    SocketOwner process;
    int number{-1};
};

/// @throws OSError with @p code, one of <errno.h>; a time limit that has passed is a TimeoutError
[[noreturn]] void
RaiseOs(std::int64_t code, const char* text = nullptr)
{
    const int number = code == EAGAIN ? ETIMEDOUT : static_cast<int>(code);
    const py::object error = py::reinterpret_borrow<py::object>(
        PyExc_OSError)(number, text == nullptr ? std::strerror(number) : text);
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
    throw py::error_already_set();
}

template <class... Values>
std::int64_t
Call(const PythonProcess& process, ViaSystemCall call, Values... values)
{
    const std::array<std::int64_t, 6> arguments{static_cast<std::int64_t>(values)...};
    return process.System().Enter(call, arguments.data());
}

std::int64_t
Word(const void* pointer)
{
    return reinterpret_cast<std::intptr_t>(pointer);
}

/**
 * @brief A system call that a process awaits.
 * @tparam Out what the call needs and stores
 * @tparam Work std::int64_t(Out&), on the process' stack; below 0: minus an error
 * @tparam Answer py::object(Out&, std::int64_t result)
 */
template <class Out, class Work, class Answer>
class SocketOperation final : public Operation
{
  public:
    SocketOperation(SocketOwner process, Out out, Work work, Answer answer)
        : Operation(std::move(process)),
          m_out(std::move(out)),
          m_work(std::move(work)),
          m_answer(std::move(answer))
    {
    }

    void Do() override
    {
        m_result = m_work(m_out);
    }

    py::object Result() override
    {
        if (m_result < 0)
        {
            RaiseOs(-m_result);
        }
        return m_answer(m_out, m_result);
    }

  private:
    Out m_out;
    Work m_work;
    Answer m_answer;
    std::int64_t m_result{0};
};

template <class Out, class Work, class Answer>
std::unique_ptr<Operation>
MakeCall(const SocketOwner& process, Out out, Work work, Answer answer)
{
    return std::make_unique<SocketOperation<Out, Work, Answer>>(process,
                                                                std::move(out),
                                                                std::move(work),
                                                                std::move(answer));
}

template <class Out, class Work>
std::unique_ptr<Operation>
MakeCall(const SocketOwner& process, Out out, Work work)
{
    return MakeCall(process, std::move(out), std::move(work), [](Out&, std::int64_t) -> py::object {
        return py::none();
    });
}

// ---- addresses

/// @return the address of "n3", "c3", "localhost" or "10.0.0.4", or of a node by its number
Ipv4Address
AddressNamed(const PythonProcess& process, const py::object& host)
{
    const std::string name =
        py::isinstance<py::str>(host)
            ? host.cast<std::string>()
            : "n" + std::to_string(WholeNumber(host.ptr(), "host", UINT32_MAX));
    in_addr number{};
    if (name == "localhost")
    {
        return Ipv4Address::GetLoopback();
    }
    if (inet_pton(AF_INET, name.c_str(), &number) == 1)
    {
        return Ipv4Address(ntohl(number.s_addr));
    }
    const bool isHost = name.size() > 1 && name.size() < 12 && (name[0] == 'n' || name[0] == 'c') &&
                        name.find_first_not_of("0123456789", 1) == std::string::npos;
    const std::int64_t found = isHost && process.IsAlive()
                                   ? Call(process,
                                          name[0] == 'n' ? VIA_HOST_ADDRESS : VIA_CONTROL_ADDRESS,
                                          std::stoll(name.substr(1)))
                                   : -ENOENT;
    if (found < 0)
    {
        throw py::value_error("host = " + name + ": there is no such host");
    }
    return Ipv4Address(static_cast<std::uint32_t>(found));
}

/// As a program writes it. @param host None: all addresses
std::string
AddressFrom(const PythonProcess& process, const py::object& host, const py::object& port)
{
    const auto number = static_cast<std::uint16_t>(WholeNumber(port.ptr(), "port", MOST_PORT));
    const Ipv4Address address =
        host.is_none() ? Ipv4Address::GetAny() : AddressNamed(process, host);
    return WriteSocketAddress({address, number}, AF_INET);
}

/// An address that the kernel stores.
struct StoredAddress
{
    sockaddr_in in{};
    socklen_t bytes{sizeof(sockaddr_in)};

    /// @return host, as text, and port
    py::tuple ToPython() const
    {
        char text[INET_ADDRSTRLEN] = "";
        inet_ntop(AF_INET, &in.sin_addr, text, sizeof(text));
        return py::make_tuple(std::string(text), static_cast<int>(ntohs(in.sin_port)));
    }
};

// ---- the calls

std::unique_ptr<Operation>
OpenSocket(const SocketOwner& process, const std::string& kind)
{
    if (kind != "tcp" && kind != "udp")
    {
        throw py::value_error("kind = " + kind + ": tcp or udp");
    }
    if (!process->System().HasSockets())
    {
        RaiseOs(EAFNOSUPPORT, process->System().Refusal());
    }
    return MakeCall(
        process,
        PythonSocket{process},
        [type = kind == "tcp" ? SOCK_STREAM : SOCK_DGRAM](PythonSocket& made) {
            const std::int64_t number = Call(*made.process, VIA_SOCKET, AF_INET, type, 0);
            made.number = static_cast<int>(number);
            return number;
        },
        [](PythonSocket& made, std::int64_t) -> py::object { return py::cast(made); });
}

/// A call with an address: bind or connect.
std::unique_ptr<Operation>
WithAddress(const PythonSocket& on, ViaSystemCall call, std::string address)
{
    return MakeCall(on.process, std::move(address), [on, call](std::string& to) {
        return Call(*on.process, call, on.number, Word(to.data()), to.size());
    });
}

std::unique_ptr<Operation>
ListenOn(const PythonSocket& on, int backlog)
{
    return MakeCall(on.process, backlog, [on](int most) {
        return Call(*on.process, VIA_LISTEN, on.number, most);
    });
}

/// What accept stores.
struct Accepted
{
    PythonSocket socket;
    StoredAddress from;
};

std::unique_ptr<Operation>
AcceptOn(const PythonSocket& on)
{
    Accepted out;
    out.socket.process = on.process;
    return MakeCall(
        on.process,
        std::move(out),
        [on](Accepted& made) {
            const std::int64_t number = Call(*on.process,
                                             VIA_ACCEPT,
                                             on.number,
                                             Word(&made.from.in),
                                             Word(&made.from.bytes),
                                             0);
            made.socket.number = static_cast<int>(number);
            return number;
        },
        [](Accepted& made, std::int64_t) -> py::object {
            return py::make_tuple(made.socket, made.from.ToPython());
        });
}

/// Data and where they go; the address is empty for a connected socket.
struct Sending
{
    std::string bytes;
    std::string to;
};

std::unique_ptr<Operation>
SendOn(const PythonSocket& on, const py::buffer& data, std::string to)
{
    const py::buffer_info info = data.request();
    if (PyBuffer_IsContiguous(info.view(), 'C') == 0)
    {
        throw py::value_error("data must be contiguous");
    }
    const auto bytes = static_cast<std::size_t>(info.size * info.itemsize);
    return MakeCall(
        on.process,
        Sending{std::string(static_cast<const char*>(info.ptr), bytes), std::move(to)},
        [on](Sending& out) {
            return Call(*on.process,
                        VIA_SEND,
                        on.number,
                        Word(out.bytes.data()),
                        out.bytes.size(),
                        0,
                        out.to.empty() ? 0 : Word(out.to.data()),
                        out.to.size());
        },
        [](Sending&, std::int64_t sent) -> py::object { return py::int_(sent); });
}

/// Room for data, and for where they come from.
struct Receiving
{
    std::string bytes;
    StoredAddress from;
};

template <class Answer>
std::unique_ptr<Operation>
ReceiveOn(const PythonSocket& on, const py::object& most, int flags, Answer answer)
{
    const std::uint64_t room = WholeNumber(most.ptr(), "most", MOST_READ);
    return MakeCall(
        on.process,
        Receiving{std::string(room, '\0'), {}},
        [on, flags](Receiving& out) {
            return Call(*on.process,
                        VIA_RECEIVE,
                        on.number,
                        Word(out.bytes.data()),
                        out.bytes.size(),
                        flags,
                        Word(&out.from.in),
                        Word(&out.from.bytes));
        },
        answer);
}

std::unique_ptr<Operation>
ReceiveBytes(const PythonSocket& on, const py::object& most, bool all)
{
    return ReceiveOn(on,
                     most,
                     all ? MSG_WAITALL : 0,
                     [](Receiving& out, std::int64_t got) -> py::object {
                         return py::bytes(out.bytes.data(), static_cast<std::size_t>(got));
                     });
}

std::unique_ptr<Operation>
ReceiveDatagram(const PythonSocket& on, const py::object& most)
{
    return ReceiveOn(on, most, 0, [](Receiving& out, std::int64_t got) -> py::object {
        return py::make_tuple(py::bytes(out.bytes.data(), static_cast<std::size_t>(got)),
                              out.from.ToPython());
    });
}

std::unique_ptr<Operation>
ShutDown(const PythonSocket& on)
{
    return MakeCall(on.process, NoOutput{}, [on](NoOutput&) {
        return Call(*on.process, VIA_SHUTDOWN, on.number, SHUT_WR);
    });
}

std::unique_ptr<Operation>
CloseSocket(const PythonSocket& on)
{
    return MakeCall(on.process, NoOutput{}, [on](NoOutput&) {
        return Call(*on.process, VIA_CLOSE, on.number);
    });
}

/// @return host and port of one end
py::tuple
EndOf(const PythonSocket& on, ViaSystemCall which)
{
    if (!on.process->IsAlive())
    {
        throw py::value_error("this process has ended");
    }
    StoredAddress end;
    const std::int64_t result =
        Call(*on.process, which, on.number, Word(&end.in), Word(&end.bytes));
    if (result < 0)
    {
        RaiseOs(-result);
    }
    return end.ToPython();
}

void
SetTimeout(const PythonSocket& on, const py::object& time)
{
    const auto parse = py::module_::import("via._base.units").attr("whole_time");
    const Ps limit = time.is_none() ? 0 : parse("timeout", time, PS_PER_US).cast<Ps>();
    const timeval value{limit / PS_PER_SECOND, limit % PS_PER_SECOND / PS_PER_US};
    for (const int which : {SO_RCVTIMEO, SO_SNDTIMEO})
    {
        const std::int64_t result = !on.process->IsAlive() ? -EBADF
                                                           : Call(*on.process,
                                                                  VIA_SETSOCKOPT,
                                                                  on.number,
                                                                  SOL_SOCKET,
                                                                  which,
                                                                  Word(&value),
                                                                  sizeof(value));
        if (result < 0)
        {
            RaiseOs(-result);
        }
    }
}

} // namespace

void
BindProcessSocket(py::module_& module)
{
    py::class_<PythonSocket>(module, "Socket")
        .def_property_readonly("local",
                               [](const PythonSocket& on) { return EndOf(on, VIA_GETSOCKNAME); })
        .def_property_readonly("peer",
                               [](const PythonSocket& on) { return EndOf(on, VIA_GETPEERNAME); })
        .def(
            "bind",
            [](const PythonSocket& on, const py::object& port, const py::object& host) {
                return WithAddress(on, VIA_BIND, AddressFrom(*on.process, host, port));
            },
            py::arg("port"),
            py::arg("host") = py::none())
        .def("listen", &ListenOn, py::arg("backlog") = 128)
        .def("accept", &AcceptOn)
        .def(
            "connect",
            [](const PythonSocket& on, const py::object& host, const py::object& port) {
                return WithAddress(on, VIA_CONNECT, AddressFrom(*on.process, host, port));
            },
            py::arg("host").none(false),
            py::arg("port"))
        .def(
            "send",
            [](const PythonSocket& on, const py::buffer& data) { return SendOn(on, data, {}); },
            py::arg("data"))
        .def(
            "sendto",
            [](const PythonSocket& on,
               const py::buffer& data,
               const py::object& host,
               const py::object& port) {
                return SendOn(on, data, AddressFrom(*on.process, host, port));
            },
            py::arg("data"),
            py::arg("host").none(false),
            py::arg("port"))
        .def("recv", &ReceiveBytes, py::arg("most"), py::arg("all") = false)
        .def("recvfrom", &ReceiveDatagram, py::arg("most"))
        .def("shutdown", &ShutDown)
        .def("set_timeout", &SetTimeout, py::arg("time"))
        .def("close", &CloseSocket);

    module.attr("Process").attr("socket") = py::cpp_function(&OpenSocket,
                                                             py::name("socket"),
                                                             py::is_method(module.attr("Process")),
                                                             py::arg("kind") = "tcp");
}

} // namespace via
} // namespace ns3
