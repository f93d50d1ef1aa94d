/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// An ns-3 Application that hosts a VIPL process.

#ifndef VIA_PROCESS_APPLICATION_H
#define VIA_PROCESS_APPLICATION_H

#include "ns3/application.h"
#include "ns3/traced-callback.h"
#include "ns3/via-cluster.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{
namespace via
{

/**
 * @ingroup via
 * @brief Runs a program made by `./via cc`, or a C++ function, on the node's VIA NIC.
 *
 * The process starts at StartTime. At StopTime it is killed, if it has not ended: its destructors
 * run, its memory is freed, its VIs are disconnected and their peers are notified. With StopTime 0
 * (the default) it runs to its end. Both times are read when ns-3 initializes the application, at
 * time 0 or when it is added later, and count from then.
 *
 * The node must have a NIC (ViaHelper::Install). ViaHelper::InstallProgram and InstallProcess
 * create these applications and report errors before the simulation begins. An application created
 * directly throws ConfigError out of Simulator::Run(), before its process runs.
 */
class ViaProcessApplication : public Application
{
  public:
    /**
     * @brief Signature of the trace source End.
     * @param rank rank of the process
     * @param status how it ended; code 137 and signal 9 if it was killed
     * @param when in ps
     */
    typedef void (*EndTracedCallback)(std::uint32_t rank, const ExitStatus& status, Ps when);

    /// @return the TypeId
    static TypeId GetTypeId();

    ViaProcessApplication();
    ~ViaProcessApplication() override;

    /// @param arguments arguments of the program, without argv[0]; {rank}, {size}, {host} are
    /// replaced
    void SetArguments(std::vector<std::string> arguments);

    /// @param arguments as in SetArguments, separated by blanks
    void SetArgumentLine(const std::string& arguments);

    /// @return the arguments, separated by blanks
    std::string GetArgumentLine() const;

    /// @param body runs instead of a program: blocking C++ code that may call <vipl.h>
    void SetBody(std::function<int()> body);

    /// @return the process; null before its application is initialized and after it is disposed
    const ViplProcess* GetProcess() const;

    /// @return true once the process has a rank. For ViaNetwork.
    bool IsEnrolled() const;

    /**
     * @brief Creates the process and schedules its start and stop. For ViaNetwork.
     * @param cluster that it joins
     * @param host it runs on
     * @param size number of processes of the run
     */
    void Enrol(Cluster& cluster, std::uint32_t host, std::uint32_t size);

    /// @throws ConfigError unless there is either a program or a body, and StopTime is after
    /// StartTime
    void Check() const;

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    void OnEnd();

    std::string m_path;
    std::vector<std::string> m_arguments;
    std::string m_directory;
    std::string m_input;
    bool m_prefix{false};
    std::function<int()> m_body;
    bool m_enrolled{false};
    ViplProcess* m_process{nullptr};
    TracedCallback<std::uint32_t, const ExitStatus&, Ps> m_endTrace;
};

} // namespace via
} // namespace ns3

#endif // VIA_PROCESS_APPLICATION_H
