/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// An ns-3 Application that hosts a VIPL process.

#include "via-process-application.h"

#include "ns3/boolean.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/via-error.h"
#include "ns3/via-nic-object.h"

#include <iterator>
#include <sstream>
#include <utility>

namespace ns3
{
namespace via
{

NS_LOG_COMPONENT_DEFINE("ViaProcessApplication");

NS_OBJECT_ENSURE_REGISTERED(ViaProcessApplication);

TypeId
ViaProcessApplication::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::via::ViaProcessApplication")
            .SetParent<Application>()
            .SetGroupName("Via")
            .AddConstructor<ViaProcessApplication>()
            .AddAttribute("Program",
                          "Shared object built by `./via cc`",
                          StringValue(""),
                          MakeStringAccessor(&ViaProcessApplication::m_path),
                          MakeStringChecker())
            .AddAttribute("Arguments",
                          "Arguments of the program, separated by spaces; {rank}, {size} and "
                          "{host} are replaced",
                          StringValue(""),
                          MakeStringAccessor(&ViaProcessApplication::SetArgumentLine,
                                             &ViaProcessApplication::GetArgumentLine),
                          MakeStringChecker())
            .AddAttribute("Directory",
                          "Working directory of the program; empty: that of the simulator",
                          StringValue(""),
                          MakeStringAccessor(&ViaProcessApplication::m_directory),
                          MakeStringChecker())
            .AddAttribute("Input",
                          "File for the program's standard input; empty: no input",
                          StringValue(""),
                          MakeStringAccessor(&ViaProcessApplication::m_input),
                          MakeStringChecker())
            .AddAttribute("Prefix",
                          "Write the host's name before each line that the program prints",
                          BooleanValue(false),
                          MakeBooleanAccessor(&ViaProcessApplication::m_prefix),
                          MakeBooleanChecker())
            .AddTraceSource("End",
                            "The process exited, died, or was killed",
                            MakeTraceSourceAccessor(&ViaProcessApplication::m_endTrace),
                            "ns3::via::ViaProcessApplication::EndTracedCallback");
    return tid;
}

ViaProcessApplication::ViaProcessApplication() = default;

ViaProcessApplication::~ViaProcessApplication() = default;

void
ViaProcessApplication::SetArguments(std::vector<std::string> arguments)
{
    m_arguments = std::move(arguments);
}

void
ViaProcessApplication::SetArgumentLine(const std::string& arguments)
{
    std::istringstream words(arguments);
    m_arguments.assign(std::istream_iterator<std::string>(words), {});
}

std::string
ViaProcessApplication::GetArgumentLine() const
{
    std::string line;
    for (const std::string& argument : m_arguments)
    {
        line += (line.empty() ? "" : " ") + argument;
    }
    return line;
}

void
ViaProcessApplication::SetBody(std::function<int()> body)
{
    m_body = std::move(body);
}

const ViplProcess*
ViaProcessApplication::GetProcess() const
{
    return m_process;
}

bool
ViaProcessApplication::IsEnrolled() const
{
    return m_enrolled;
}

void
ViaProcessApplication::Check() const
{
    if (m_path.empty() == (m_body == nullptr))
    {
        throw ConfigError("ViaProcessApplication::Program",
                          m_path.empty() ? "\"\"" : m_path,
                          "either a program or a C++ function");
    }
    if (m_startTime.IsStrictlyNegative())
    {
        throw ConfigError("ViaProcessApplication::StartTime",
                          std::to_string(m_startTime.GetTimeStep()) + " ps",
                          "0 or later");
    }
    if (!m_stopTime.IsZero() && m_stopTime <= m_startTime)
    {
        throw ConfigError("ViaProcessApplication::StopTime",
                          std::to_string(m_stopTime.GetTimeStep()) + " ps",
                          "later than StartTime, which is " +
                              std::to_string(m_startTime.GetTimeStep()) + " ps; 0: never");
    }
}

void
ViaProcessApplication::Enrol(Cluster& cluster, std::uint32_t host, std::uint32_t size)
{
    Check();
    const Ps now = Simulator::Now().GetTimeStep();
    const Ps start = now + m_startTime.GetTimeStep();
    const Ps stop = m_stopTime.IsZero() ? PS_NEVER : now + m_stopTime.GetTimeStep();
    std::uint32_t rank = 0;
    if (m_body != nullptr)
    {
        rank = cluster.AddProcess(host, m_body, start, stop);
    }
    else
    {
        ProgramSpec spec;
        spec.path = m_path;
        spec.node = host;
        spec.size = size;
        spec.arguments = m_arguments;
        spec.directory = m_directory;
        spec.input = m_input;
        spec.prefix = m_prefix;
        spec.start = start;
        spec.stop = stop;
        rank = cluster.AddProgram(spec);
    }
    m_process = cluster.Processes().back().get();
    m_process->SetEndListener([this] { OnEnd(); });
    m_enrolled = true;
    NS_LOG_INFO("rank " << rank << " on host " << host << " starts at " << start
                        << " ps: " << (m_path.empty() ? "a C++ function" : m_path));
}

void
ViaProcessApplication::OnEnd()
{
    NS_LOG_INFO("rank " << m_process->Rank() << " ends at " << m_process->EndTime()
                        << " ps with status " << m_process->Status().code);
    m_endTrace(m_process->Rank(), m_process->Status(), m_process->EndTime());
}

void
ViaProcessApplication::DoInitialize()
{
    const Ptr<ViaNicObject> nic = m_node->GetObject<ViaNicObject>();
    if (nic == nullptr)
    {
        throw ConfigError("ViaProcessApplication",
                          "node " + std::to_string(m_node->GetId()),
                          "it has no VIA NIC: call ViaHelper::Install first");
    }
    nic->GetNetwork()->Enrol();
    // Not Application::DoInitialize, which would schedule start and stop as ns-3 events: a polling
    // process may run ahead of ns-3's clock, so the Agenda must know them in advance.
    Object::DoInitialize();
}

void
ViaProcessApplication::DoDispose()
{
    if (m_process != nullptr)
    {
        m_process->SetEndListener(nullptr);
        m_process = nullptr;
    }
    m_body = nullptr;
    Application::DoDispose();
}

} // namespace via
} // namespace ns3
