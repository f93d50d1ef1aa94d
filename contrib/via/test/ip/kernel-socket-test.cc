/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Sockets of a kernel for simulated processes: messages, what they cost, and who is woken.

#include "support/via-test-kernel-bench.h"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

using namespace ns3;
using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

const Carrier TRANSPORTS[] = {Carrier::UDP, Carrier::TCP};
const std::uint32_t SPEEDS[] = {1, 10};

ClusterConfig
With(std::map<std::string, std::string> overrides)
{
    ClusterConfig config;
    config.overrides = std::move(overrides);
    return config;
}

/// Two processes send each other more than two sockets hold, and none reads.
void
SendToEachOtherAtOnce(KernelBench& bench)
{
    for (const NodeId node : {0U, 1U})
    {
        bench.Add(node, [node](KernelProgram& sender) { sender.Send(1 - node, 1'000'000); });
    }
}

} // namespace

namespace ns3
{
namespace via
{

std::ostream&
boost_test_print_type(std::ostream& stream, KernelSocket::Transport transport)
{
    return stream << (transport == KernelSocket::Transport::UDP ? "UDP" : "TCP");
}

} // namespace via
} // namespace ns3

BOOST_AUTO_TEST_SUITE(kernel_socket)

BOOST_DATA_TEST_CASE(MessagesArriveWholeAndFromWhomTheyCame, TRANSPORTS, transport)
{
    KernelBench bench({}, transport);
    std::vector<std::size_t> sizes;
    bench.Add(0, [](KernelProgram& sender) {
        for (const std::uint32_t size : {1U, 1500U, 9000U, 0U})
        {
            sender.Send(1, size);
        }
    });
    bench.Add(1, [&sizes](KernelProgram& receiver) {
        for (int i = 0; i < 4; ++i)
        {
            const KernelMessage message = receiver.Receive();
            sizes.push_back(message.bytes.size());
            BOOST_TEST(message.from.address == IpNetwork::AddressOf(0));
            BOOST_TEST(message.from.port == KernelProgram::PORT);
        }
    });
    BOOST_TEST((bench.Run().exit == RunExit::SUCCESS));
    BOOST_TEST(sizes == (std::vector<std::size_t>{1, 1500, 9000, 0}),
               boost::test_tools::per_element());
}

BOOST_DATA_TEST_CASE(AnswersComeBackOnTheSameSocket, TRANSPORTS, transport)
{
    const Ps latency = KernelLatency({}, transport, 4);
    BOOST_TEST(latency > 30 * PS_PER_US);
    BOOST_TEST(latency < 120 * PS_PER_US);
}

BOOST_DATA_TEST_CASE(TheSameRunTakesTheSameTime, TRANSPORTS, transport)
{
    BOOST_TEST(KernelLatency({}, transport, 400) == KernelLatency({}, transport, 400));
}

BOOST_AUTO_TEST_CASE(ACycleOfAStageOnThePathIsACycleOfLatency)
{
    const Ps cycles = 3000;
    const Ps base = KernelLatency({}, Carrier::UDP, 4);
    const auto profile = ProviderProfile::Load("giganet-clan1000").WithKernel();
    for (const char* key : {"kernel.socket_send",
                            "kernel.socket_receive",
                            "kernel.wake_up",
                            "kernel.soft_interrupt",
                            "kernel.driver_send",
                            "kernel.driver_receive",
                            "kernel.receive_residual",
                            "ip.send",
                            "ip.receive",
                            "udp.send",
                            "udp.receive",
                            "os.syscall",
                            "os.interrupt",
                            "os.context_switch"})
    {
        const std::uint64_t now = profile.Number(key);
        const Ps more = KernelLatency(With({{key, std::to_string(now + cycles)}}), Carrier::UDP, 4);
        const Ps least = cycles * PS_PER_US / 300; // at 300 MHz
        BOOST_TEST(more - base > least - 100 * PS_PER_NS, key << " " << more - base);
        // a receive call is entered before the message is there
        BOOST_TEST(more - base < 2 * least + 100 * PS_PER_NS, key << " " << more - base);
    }
}

BOOST_DATA_TEST_CASE(WhatAKernelDoesForItsProcessesTakesThemAsLongAsItsCpu, SPEEDS, factor)
{
    PlannedFault slow;
    slow.kind = FaultKind::SLOW_NODE;
    slow.where = "n0";
    slow.when = {0, PS_NEVER};
    slow.num = factor;
    ClusterConfig config;
    config.plan.faults = {slow};
    KernelBench bench(config, Carrier::UDP);
    bench.Add(0, [](KernelProgram& sender) { sender.Send(1, 1400); });
    bench.Add(1, [](KernelProgram& receiver) { receiver.Receive(); });
    const RunReport report = bench.Run();
    Ps cpu = 0;
    for (const auto& [stage, time] : report.nodeCpu.Of(0))
    {
        cpu += time;
    }
    IpKernel& kernel = *bench.GetCluster().Ip().DeviceOf(0)->GetKernel();
    BOOST_TEST(report.processes.at(0).cpu + kernel.TakeSpent() == cpu);
}

BOOST_AUTO_TEST_CASE(ATcpOffloadEngineSparesTheCpu)
{
    const auto time = [](const ClusterConfig& config) {
        KernelBench bench(config, Carrier::TCP);
        bench.Add(0, [](KernelProgram& sender) { sender.Send(1, 30000); });
        bench.Add(1, [](KernelProgram& receiver) { receiver.Receive(); });
        bench.Run();
        return bench.GetCluster().HostAt(1).CpuTime(Stage::PROTOCOL) +
               bench.GetCluster().HostAt(1).CpuTime(Stage::CHECKSUM);
    };
    BOOST_TEST(time({}) > 0);
    BOOST_TEST(time(With({{"kernel.offload", "tcp"},
                          {"tcp.offload_send", "60"},
                          {"tcp.offload_receive", "60"}})) == 0);
}

BOOST_AUTO_TEST_CASE(ZeroCopySocketsMapPagesInsteadOfCopying)
{
    KernelBench bench(With({{"kernel.payload", "zero-copy"}, {"kernel.map_page", "900"}}),
                      Carrier::UDP);
    bench.Add(0, [](KernelProgram& sender) { sender.Send(1, 1400); });
    bench.Add(1, [](KernelProgram& receiver) { receiver.Receive(); });
    bench.Run();
    BOOST_TEST(bench.GetCluster().HostAt(0).CpuTime(Stage::COPY) == 0);
    BOOST_TEST(bench.GetCluster().HostAt(0).CpuTime(Stage::MAP_PAGES) > 0);
}

BOOST_AUTO_TEST_CASE(WhoWaitsForNobodyIsReported)
{
    KernelBench bench({}, Carrier::UDP);
    bench.Add(1, [](KernelProgram& receiver) { receiver.Receive(); });
    const RunReport report = bench.Run();
    BOOST_TEST((report.exit == RunExit::DEADLOCK));
    BOOST_TEST(report.processes[0].report.find("message on a socket") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(WhoWaitsForRoomForeverIsReported)
{
    KernelBench bench({}, Carrier::TCP);
    SendToEachOtherAtOnce(bench); // ns-3 asks for room, and the simulation would never end
    BOOST_TEST((bench.Run().exit == RunExit::DEADLOCK));
}

BOOST_AUTO_TEST_CASE(ARunWithoutRoomEndsWhereItIsStopped)
{
    ClusterConfig config;
    config.stop = 100'000 * PS_PER_US;
    KernelBench bench(config, Carrier::TCP);
    SendToEachOtherAtOnce(bench);
    BOOST_TEST((bench.Run().exit == RunExit::DEADLOCK));
    BOOST_TEST(bench.GetCluster().GetWorld().agenda.Now() < config.stop);
}

BOOST_AUTO_TEST_CASE(NobodyWaitsForRoomAtAProcessThatDiscards)
{
    KernelBench bench({}, Carrier::TCP);
    bench.Add(0, [](KernelProgram& sender) {
        for (int i = 0; i < 10; ++i)
        {
            sender.Send(1, 60'000);
        }
    });
    bench.Add(1, [](KernelProgram& receiver) {
        receiver.Receive();
        FiberThread::Current()->SleepUntil(20'000 * PS_PER_US); // the window shuts
        receiver.socket.Discard();
        FiberThread::Current()->SleepUntil(900'000 * PS_PER_US);
    });
    BOOST_TEST((bench.Run().exit == RunExit::SUCCESS));
}

BOOST_AUTO_TEST_CASE(AProcessMayEndWhileAConnectionToItIsBeingSetUp)
{
    for (Ps end = 0; end < 120 * PS_PER_US; end += 2 * PS_PER_US)
    {
        KernelBench bench({}, Carrier::TCP);
        bench.Add(0, [](KernelProgram& sender) { sender.Send(1, 4); });
        bench.Add(1, [end](KernelProgram&) { FiberThread::Current()->SleepUntil(end); });
        BOOST_TEST((bench.Run().exit == RunExit::SUCCESS), "ends at " << end);
    }
}

BOOST_AUTO_TEST_CASE(WhatIsSentToAHostWithoutASocketIsLostAndTheSenderGoesOn)
{
    KernelBench bench({}, Carrier::TCP);
    bench.Add(0, [](KernelProgram& sender) {
        sender.Send(1, 4); // refused
        FiberThread::Current()->SleepUntil(20 * PS_PER_MS);
        sender.Send(1, 5);
    });
    bench.GetCluster().AddProcess(1, [&bench] {
        FiberThread::Current()->SleepUntil(10 * PS_PER_MS);
        const auto socket = bench.GetCluster().Ip().MakeSocket(Carrier::TCP, 1, 7000);
        BOOST_TEST(socket->Receive(*FiberThread::Current()).bytes.size() == 5U);
        return 0;
    });
    BOOST_TEST((bench.Run().exit == RunExit::SUCCESS));
}

BOOST_AUTO_TEST_CASE(TcpBringsEverythingOverALossyWire)
{
    ClusterConfig config;
    config.plan.AddLoss("all", {2'000'000, 0}); // 0.2 % of the cells
    KernelBench bench(config, Carrier::TCP);
    std::size_t bytes = 0;
    bench.Add(0, [](KernelProgram& sender) {
        for (int i = 0; i < 40; ++i)
        {
            sender.Send(1, 5000);
        }
    });
    bench.Add(1, [&bytes](KernelProgram& receiver) {
        for (int i = 0; i < 40; ++i)
        {
            bytes += receiver.Receive().bytes.size();
        }
    });
    const RunReport report = bench.Run();
    BOOST_TEST((report.exit == RunExit::SUCCESS));
    BOOST_TEST(bytes == 200'000U);
    BOOST_TEST(report.end > 200 * PS_PER_MS); // TCP has waited for a time-out
}

BOOST_AUTO_TEST_CASE(UdpLosesWhatTheWireLoses)
{
    ClusterConfig config;
    config.plan.AddLoss("all", {10'000'000, 0});
    KernelBench bench(config, Carrier::UDP);
    std::uint32_t received = 0;
    bench.Add(0, [](KernelProgram& sender) {
        for (int i = 0; i < 50; ++i)
        {
            sender.Send(1, 1400);
        }
    });
    bench.Add(1, [&received](KernelProgram& receiver) {
        while (!receiver.Receive().bytes.empty())
        {
            ++received;
        }
    });
    bench.Run();
    BOOST_TEST(received > 5);
    BOOST_TEST(received < 50);
}

BOOST_AUTO_TEST_SUITE_END()
