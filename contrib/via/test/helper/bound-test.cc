/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The profile `ideal`: a bound that offers everything, costs next to nothing, and lets loops end.

#include "support/via-test-vipl-bench.h"

#include "ns3/via-error.h"

#include <functional>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

ClusterConfig
Ideal()
{
    ClusterConfig config;
    config.profile = "ideal";
    return config;
}

/// How long the first message of a ping-pong is under way.
Ps
OneWay(ClusterConfig config)
{
    config.record = true;
    Cluster cluster(config);
    cluster.AddWorkload("ping-pong", {{"size", "4"}, {"rounds", "1"}});
    cluster.Run();
    const MessageRow first = cluster.Messages().front();
    return first.end - first.posted;
}

/// Whether a call takes time, whatever it answers.
void
TakesTime(const std::function<void()>& call)
{
    const Ps before = Now();
    call();
    BOOST_TEST(Now() > before);
}

} // namespace

BOOST_AUTO_TEST_SUITE(bound)

BOOST_AUTO_TEST_CASE(TheBoundOffersAllLevels)
{
    const auto body = [](Party& self) {
        VIP_NIC_ATTRIBUTES attributes;
        BOOST_TEST(VipQueryNic(self.nic, &attributes) == VIP_SUCCESS);
        BOOST_TEST(attributes.ReliabilityLevelSupport == VIP_BASE_SERVICES);
        BOOST_TEST(attributes.RDMAReadSupport != 0);
    };
    RunAlone(body, {}, Ideal());
}

BOOST_AUTO_TEST_CASE(AllItsNumbersAreAssumedForTheReasonBound)
{
    const ProviderProfile profile = ProviderProfile::Load("ideal");
    for (const ProfileEntry& entry : profile.Entries())
    {
        BOOST_TEST(entry.trust == "assumed", entry.key);
        BOOST_TEST(entry.source.rfind("bound: ", 0) == 0u, entry.key);
    }
}

BOOST_AUTO_TEST_CASE(WhatIsLeftOfALatencyIsTheWire)
{
    const ProviderProfile profile = ProviderProfile::Load("ideal");
    const Ps cables = 2 * profile.Number("link.cable_length_mm") *
                      profile.Number("link.propagation_ps_per_m") / 1000;
    const ClockDomain crossbar(profile.Clock("switch.clock"));
    const std::uint64_t bytes = profile.Number("link.cell_bytes");
    const std::uint64_t symbols =
        bytes * 8 * profile.Number("link.code_symbols") / profile.Number("link.code_data");
    const Ps cell = ClockDomain(profile.Clock("link.symbol_rate")).Span(Cycles(symbols));
    const Ps wire = cables + crossbar.Span(Cycles(profile.Number("switch.latency"))) + cell;
    const Ps edges = crossbar.Span(Cycles(1)) + 2 * cell / bytes; // of the switch and two links
    const Ps oneWay = OneWay(Ideal());
    BOOST_TEST(oneWay > wire);
    BOOST_TEST(oneWay < wire + edges + 5 * PS_PER_NS); // two calls and a few clocks of the bus
    BOOST_TEST(oneWay < OneWay({}) / 7);
}

BOOST_AUTO_TEST_CASE(EveryCallTakesTimeSoNoLoopSpinsForEver)
{
    const auto body = [](Party& self) {
        VIP_DESCRIPTOR* descriptor;
        VIP_VI_HANDLE vi;
        VIP_BOOLEAN flag;
        VIP_NIC_ATTRIBUTES nic;
        VIP_VI_STATE state;
        VIP_VI_ATTRIBUTES attributes;
        VIP_CONN_HANDLE request;
        VIP_CHAR host[] = "nobody";
        Address here(0);
        Address there(1);
        self.Receive(self.Make({}));
        TakesTime([&] { VipRecvDone(self.vi, &descriptor); });
        TakesTime([&] { VipSendDone(self.vi, &descriptor); });
        TakesTime([&] { VipRecvWait(self.vi, 0, &descriptor); });
        TakesTime([&] { VipSendWait(self.vi, 0, &descriptor); });
        TakesTime([&] { VipCQDone(self.cq, &vi, &flag); });
        TakesTime([&] { VipCQWait(self.cq, 0, &vi, &flag); });
        TakesTime([&] { VipQueryVi(self.vi, &state, &attributes, &flag, &flag); });
        TakesTime([&] { VipQueryNic(self.nic, &nic); });
        TakesTime([&] { VipConnectWait(self.nic, here, 0, there, &attributes, &request); });
        TakesTime([&] { VipConnectRequest(self.vi, here, here, 1, &attributes); });
        TakesTime([&] { VipConnectRequest(self.vi, here, there, 1, &attributes); });
        TakesTime([&] { VipConnectPeerDone(self.vi, &attributes); });
        TakesTime([&] { VipNSGetHostByName(self.nic, host, here, 0); });
        TakesTime([&] { VipPostSend(self.vi, nullptr, 0); });
        TakesTime([&] { VipPostSend(self.vi, self.Make({}), self.pool); });
        TakesTime([&] { VipDisconnect(self.vi); });
        TakesTime([&] { VipRecvDone(nullptr, &descriptor); });
        TakesTime([&] { VipCQDone(nullptr, &vi, &flag); });
    };
    Setup setup;
    setup.cqEntries = 8;
    RunAlone(body, setup, Ideal());
}

BOOST_AUTO_TEST_CASE(APollingReceiverIsServedThere)
{
    std::uint64_t polls = 0;
    RunPair([](Party& self, Party&) { self.Send(self.Make({self.At(0, 4)})); },
            [&](Party& self, Party&) {
                self.Receive(self.Make({self.At(0, 4)}));
                while (VipRecvDone(self.vi, &self.last) == VIP_NOT_DONE)
                {
                    ++polls;
                }
                BOOST_TEST(self.last->CS.Status == RECEIVED);
            },
            {},
            Ideal());
    BOOST_TEST(polls > 900'000u); // a millisecond, a nanosecond each
}

BOOST_AUTO_TEST_CASE(AHostOnWhichACallIsFreeIsRefused)
{
    ClusterConfig config = Ideal();
    for (const char* key : {"vipl.done_miss", "vipl.query", "cpu.basic_block", "cpu.time_call"})
    {
        config.overrides = {{key, "0"}};
        BOOST_CHECK_THROW(Cluster cluster(config), ConfigError);
    }
}

BOOST_AUTO_TEST_SUITE_END()
