/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Faults for tests: one at a time, and two connected programs that observe it.

#include "via-test-fault-bench.h"

namespace ns3
{
namespace via
{
namespace test
{

PlannedFault
MakeFault(FaultKind kind, const std::string& where, Ps until, Ps at)
{
    PlannedFault fault;
    fault.kind = kind;
    fault.where = where;
    fault.when = {at, until};
    return fault;
}

ClusterConfig
Planned(const std::vector<PlannedFault>& faults, bool reference)
{
    ClusterConfig config = TestConfig();
    config.plan.faults = faults;
    config.reference = reference;
    return config;
}

Ps
SilenceSpan()
{
    return static_cast<Ps>((Key("nic.retransmit_limit") + 1) * Key("nic.retransmit_timeout")) *
           PS_PER_US;
}

void
SleepUntil(Ps when)
{
    Pause(when - Now());
}

FaultyPair::FaultyPair(const ClusterConfig& config,
                       VIP_USHORT level,
                       const Part& first,
                       const Part& second)
{
    Cluster cluster(config);
    Setup setup;
    setup.level = level;
    cluster.AddProcess(0, [&] {
        client.Open(setup);
        BOOST_TEST(client.Connect(client.vi, 1) == VIP_SUCCESS);
        first(client);
        return 0;
    });
    cluster.AddProcess(1, [&] {
        server.Open(setup);
        for (int i = 0; i < 8; ++i)
        {
            server.Receive(server.Make({server.At(8192 * i, 8192)}));
        }
        BOOST_TEST(server.Listen(server.vi) == VIP_SUCCESS);
        second(server);
        return 0;
    });
    report = cluster.Run();
}

void
Idle(Party&)
{
    SleepUntil(PS_PER_SECOND);
}

} // namespace test
} // namespace via
} // namespace ns3
