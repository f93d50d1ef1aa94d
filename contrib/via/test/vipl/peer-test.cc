/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL: peer-to-peer connections.

#include "support/via-test-vipl-bench.h"

#include <array>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// What a process sees of a run: its own party and the number of its node.
using PeerBody = std::function<void(Party& self, std::uint32_t node)>;

/// Asks from node @p node for the other of nodes 0 and 1, under the same discriminator.
VIP_RETURN
Ask(Party& self, std::uint32_t node, VIP_ULONG timeout, const std::string& name = "peer")
{
    return VipConnectPeerRequest(self.vi, Address(node, name), Address(1 - node, name), timeout);
}

/// Waits for the end of what was asked.
VIP_RETURN
Wait(Party& self, VIP_VI_HANDLE vi = nullptr)
{
    VIP_VI_ATTRIBUTES attributes;
    return VipConnectPeerWait(vi == nullptr ? self.vi : vi, &attributes);
}

/// Looks for the end of what was asked.
VIP_RETURN
Done(Party& self)
{
    VIP_VI_ATTRIBUTES attributes;
    return VipConnectPeerDone(self.vi, &attributes);
}

/// Runs one body on node 0 and one on node 1; nobody exits before both are done.
void
RunPeers(const PeerBody& zero,
         const PeerBody& one,
         const Setup& setupOfZero = {},
         const Setup& setupOfOne = {})
{
    Party ends[2];
    const std::array<const PeerBody*, 2> bodies{&zero, &one};
    const std::array<const Setup*, 2> setups{&setupOfZero, &setupOfOne};
    const auto run = [&](std::uint32_t node) {
        ends[node].Open(*setups[node]);
        (*bodies[node])(ends[node], node);
        FiberProcess::Current()->SleepUntil(PS_PER_SECOND);
    };
    for (const ProcessReport& process : RunEach({[&] { run(0); }, [&] { run(1); }}).processes)
    {
        BOOST_TEST(process.exit == 0, process.report);
    }
}

/// The message of either side arrives at the other.
void
Talk(Party& self)
{
    self.Fill(0, 100, 1);
    self.Send(self.Make({self.At(0, 100)}));
    BOOST_TEST(self.Sent() == SENT);
    BOOST_TEST(self.Received() == RECEIVED);
    BOOST_TEST(self.Holds(1000, 100, 1));
}

} // namespace

BOOST_AUTO_TEST_SUITE(vipl_peer)

BOOST_AUTO_TEST_CASE(TwoThatAskForEachOtherAreConnectedWhoeverAsksFirst)
{
    for (const int late : {-1, 0, 1}) // node 1 much earlier, at the same time, much later
    {
        const PeerBody body = [late](Party& self, std::uint32_t node) {
            Pause((1 + (node == 0 ? -late : late)) * 10 * PS_PER_MS);
            self.Receive(self.Make({self.At(1000, 100)}));
            BOOST_TEST(Ask(self, node, VIP_INFINITE) == VIP_SUCCESS);
            BOOST_TEST(Wait(self) == VIP_SUCCESS);
            BOOST_TEST(self.State() == VIP_STATE_CONNECTED);
            Talk(self);
            BOOST_TEST(self.Errors() == "");
        };
        RunPeers(body, body);
    }
}

BOOST_AUTO_TEST_CASE(RequestsThatMeetOnTheWireGiveOneConnectionAtEveryOffset)
{
    for (int us = -30; us <= 30; ++us)
    {
        const PeerBody body = [us](Party& self, std::uint32_t node) {
            FiberProcess::Current()->SleepUntil(10 * PS_PER_MS + (node == 0 ? us * PS_PER_US : 0));
            self.Receive(self.Make({self.At(1000, 100)}));
            Ask(self, node, 100);
            BOOST_TEST(Wait(self) == VIP_SUCCESS);
            Talk(self);
            BOOST_TEST(self.Errors() == "");
        };
        RunPeers(body, body);
    }
}

BOOST_AUTO_TEST_CASE(EachSideLearnsTheOthersAttributes)
{
    Setup closed;
    closed.viRdma = false; // need not be equal
    const PeerBody zero = [](Party& self, std::uint32_t node) {
        VIP_VI_ATTRIBUTES remote;
        Ask(self, node, 100);
        BOOST_TEST(VipConnectPeerWait(self.vi, &remote) == VIP_SUCCESS);
        BOOST_TEST(remote.ReliabilityLevel == VIP_SERVICE_RELIABLE_DELIVERY);
        BOOST_TEST(remote.MaxTransferSize == 65536u);
        BOOST_TEST(remote.EnableRdmaWrite == VIP_FALSE);
        BOOST_TEST(remote.Ptag == nullptr); // a tag means nothing elsewhere
    };
    const PeerBody one = [](Party& self, std::uint32_t node) {
        VIP_VI_ATTRIBUTES remote;
        Ask(self, node, 100);
        BOOST_TEST(VipConnectPeerWait(self.vi, &remote) == VIP_SUCCESS);
        BOOST_TEST(remote.EnableRdmaWrite == VIP_TRUE);
    };
    RunPeers(zero, one, {}, closed);
}

BOOST_AUTO_TEST_CASE(TheRequestDoesNotBlockAndTheViIsPendingMeanwhile)
{
    const PeerBody zero = [](Party& self, std::uint32_t node) {
        BOOST_TEST(Ask(self, node, 100) == VIP_SUCCESS);
        BOOST_TEST(self.State() == VIP_STATE_CONNECT_PENDING);
        BOOST_TEST(Done(self) == VIP_NOT_DONE);
        BOOST_TEST(Ask(self, node, 100) == VIP_INVALID_STATE);
        BOOST_TEST(VipDestroyVi(self.vi) == VIP_INVALID_STATE);
        VIP_VI_ATTRIBUTES attributes = self.ViAttributes();
        BOOST_TEST(VipSetViAttributes(self.vi, &attributes) == VIP_INVALID_STATE);
        self.Send(self.Make({}));
        BOOST_TEST(self.Sent() == (VIP_STATUS_DONE | VIP_STATUS_DESC_FLUSHED_ERROR));
        self.Receive(self.Make({}));
        BOOST_TEST(VipRecvDone(self.vi, &self.last) == VIP_NOT_DONE);
        VIP_RETURN result = VIP_NOT_DONE;
        while (result == VIP_NOT_DONE)
        {
            result = Done(self);
        }
        BOOST_TEST(result == VIP_SUCCESS);
        BOOST_TEST(self.State() == VIP_STATE_CONNECTED);
    };
    const PeerBody one = [](Party& self, std::uint32_t node) {
        Pause(20 * PS_PER_MS);
        Ask(self, node, 100);
        BOOST_TEST(Wait(self) == VIP_SUCCESS);
    };
    RunPeers(zero, one);
    RunPeers([&](Party& self, std::uint32_t node) { one(self, node); },
             [&](Party& self, std::uint32_t node) { zero(self, node); });
}

BOOST_AUTO_TEST_CASE(APeerThatNeverAsksIsATimeoutOnTheMillisecond)
{
    const PeerBody body = [](Party& self, std::uint32_t node) {
        const Ps before = Now();
        Ask(self, node, 20, node == 0 ? "mine" : "yours");
        BOOST_TEST(Wait(self) == VIP_TIMEOUT);
        BOOST_TEST(Now() - before == 20 * PS_PER_MS);
        BOOST_TEST(self.State() == VIP_STATE_IDLE);
        BOOST_TEST(Wait(self) == VIP_INVALID_STATE); // it was told
    };
    RunPeers(body, body);
}

BOOST_AUTO_TEST_CASE(ATimeoutIsSeenByWhoeverLooksAndOnlyThen)
{
    const PeerBody body = [](Party& self, std::uint32_t node) {
        const Ps before = Now();
        Ask(self, node, 20, node == 0 ? "mine" : "yours");
        FiberProcess::Current()->SleepUntil(before + 20 * PS_PER_MS - PS_PER_US);
        BOOST_TEST(self.State() == VIP_STATE_CONNECT_PENDING);
        FiberProcess::Current()->SleepUntil(before + 20 * PS_PER_MS);
        BOOST_TEST(self.State() == VIP_STATE_IDLE);
        BOOST_TEST(Done(self) == VIP_TIMEOUT);
        BOOST_TEST(Done(self) == VIP_INVALID_STATE);
    };
    RunPeers(body, body);
}

BOOST_AUTO_TEST_CASE(ARequestThatTimedOutMeetsNoLaterOne)
{
    const PeerBody early = [](Party& self, std::uint32_t node) {
        Ask(self, node, 10);
        BOOST_TEST(Wait(self) == VIP_TIMEOUT);
    };
    const PeerBody late = [](Party& self, std::uint32_t node) {
        Pause(20 * PS_PER_MS);
        Ask(self, node, 10);
        BOOST_TEST(Wait(self) == VIP_TIMEOUT);
        BOOST_TEST(self.Errors() == "");
    };
    RunPeers(early, late);
    RunPeers(late, early);
}

BOOST_AUTO_TEST_CASE(AfterATimeoutTheSameViMayAskAgain)
{
    const PeerBody body = [](Party& self, std::uint32_t node) {
        self.Receive(self.Make({self.At(1000, 100)}));
        if (node == 0)
        {
            Ask(self, node, 10); // its result is never taken
            Pause(10 * PS_PER_MS);
        }
        else
        {
            Pause(20 * PS_PER_MS);
        }
        BOOST_TEST(Ask(self, node, 100) == VIP_SUCCESS);
        BOOST_TEST(Wait(self) == VIP_SUCCESS);
        Talk(self);
    };
    RunPeers(body, body);
}

BOOST_AUTO_TEST_CASE(TheEndOfARequestThatMeetsItsPartnerLeavesBothSidesAgreed)
{
    for (const std::uint32_t first : {0u, 1u})
    {
        for (int us = -40; us <= 40; us += 2)
        {
            std::array<VIP_RETURN, 2> results{};
            const PeerBody body = [&](Party& self, std::uint32_t node) {
                FiberProcess::Current()->SleepUntil(10 * PS_PER_MS);
                if (node == first)
                {
                    Ask(self, node, 10);
                }
                else // the call and its packet take about 1.2 ms
                {
                    Pause(PS_PER_MS * 88 / 10 + us * PS_PER_US);
                    Ask(self, node, 100);
                }
                results[node] = Wait(self);
                Pause(PS_PER_MS);
                // who was paired with one that gave up hears of it as of any broken connection
                const bool alone = results[node] == VIP_SUCCESS && results[1 - node] != VIP_SUCCESS;
                BOOST_TEST(self.Errors() == (alone ? "CONN_LOST" : ""));
                BOOST_TEST(self.State() == (alone                          ? VIP_STATE_ERROR
                                            : results[node] == VIP_SUCCESS ? VIP_STATE_CONNECTED
                                                                           : VIP_STATE_IDLE));
            };
            RunPeers(body, body);
        }
    }
}

BOOST_AUTO_TEST_CASE(UnequalAttributesAreToldToBothSides)
{
    Setup small;
    small.maxTransfer = 4096;
    Setup unreliable;
    unreliable.level = VIP_SERVICE_UNRELIABLE;
    const auto expect = [](VIP_RETURN code) {
        return [code](Party& self, std::uint32_t node) {
            Ask(self, node, 100);
            BOOST_TEST(Wait(self) == code);
            BOOST_TEST(self.State() == VIP_STATE_IDLE);
            BOOST_TEST(self.Errors() == "");
        };
    };
    const PeerBody mtu = expect(VIP_INVALID_MTU);
    RunPeers(mtu, mtu, {}, small);
    const PeerBody level = expect(VIP_INVALID_RELIABILITY_LEVEL);
    RunPeers(level, level, unreliable, {});
}

BOOST_AUTO_TEST_CASE(AHostThatIsNotThereCannotBeReached)
{
    RunAlone([](Party& self) {
        std::array<Address, 2> nowhere{Address(2), Address(0)};
        nowhere[1]->HostAddress[0] = 9;
        for (Address& to : nowhere)
        {
            BOOST_TEST(VipConnectPeerRequest(self.vi, Address(0), to, 9) == VIP_SUCCESS);
            BOOST_TEST(Done(self) == VIP_NOT_REACHABLE);
            BOOST_TEST(self.State() == VIP_STATE_IDLE);
            BOOST_TEST(Done(self) == VIP_INVALID_STATE);
        }
    });
}

BOOST_AUTO_TEST_CASE(ADisconnectTakesTheRequestBack)
{
    const PeerBody taker = [](Party& self, std::uint32_t node) {
        Ask(self, node, VIP_INFINITE);
        Pause(PS_PER_MS);
        BOOST_TEST(VipDisconnect(self.vi) == VIP_SUCCESS);
        BOOST_TEST(self.State() == VIP_STATE_IDLE);
        BOOST_TEST(Done(self) == VIP_INVALID_STATE);
        BOOST_TEST(VipDestroyVi(self.vi) == VIP_SUCCESS);
        self.vi = self.CreateVi();
    };
    const PeerBody other = [](Party& self, std::uint32_t node) {
        Pause(20 * PS_PER_MS);
        Ask(self, node, 10);
        BOOST_TEST(Wait(self) == VIP_TIMEOUT);
        BOOST_TEST(self.Errors() == "");
    };
    RunPeers(taker, other);
    RunPeers(other, taker);
}

BOOST_AUTO_TEST_CASE(AllThreadsThatWaitForOneRequestLearnItsResult)
{
    const auto waitTwice = [](VIP_ULONG timeout, VIP_RETURN expected) {
        return [timeout, expected](Party& self, std::uint32_t node) {
            std::array<VIP_RETURN, 2> results{};
            Ask(self, node, timeout);
            ViplProcess::Running().StartThread([&] { results[1] = Wait(self); });
            results[0] = Wait(self);
            Pause(PS_PER_MS);
            BOOST_TEST(results[0] == expected);
            BOOST_TEST(results[1] == expected);
            BOOST_TEST(Now() < 30 * PS_PER_MS);
            BOOST_TEST(Wait(self) == VIP_INVALID_STATE); // they were told
        };
    };
    const PeerBody late = [](Party& self, std::uint32_t node) {
        Pause(10 * PS_PER_MS);
        Ask(self, node, 100);
        BOOST_TEST(Wait(self) == VIP_SUCCESS);
    };
    RunPeers(waitTwice(VIP_INFINITE, VIP_SUCCESS), late);
    RunPeers(late, waitTwice(VIP_INFINITE, VIP_SUCCESS));
    RunPeers(waitTwice(20, VIP_TIMEOUT), [](Party&, std::uint32_t) {});
}

BOOST_AUTO_TEST_CASE(ADisconnectEndsTheWaitsOfAllThreadsForTheRequest)
{
    const PeerBody zero = [](Party& self, std::uint32_t node) {
        int told = 0;
        Ask(self, node, VIP_INFINITE);
        for (int i = 0; i < 2; ++i)
        {
            ViplProcess::Running().StartThread(
                [&] { told += Wait(self) == VIP_INVALID_STATE ? 1 : 0; });
        }
        Pause(10 * PS_PER_MS);
        BOOST_TEST(VipDisconnect(self.vi) == VIP_SUCCESS);
        Pause(PS_PER_MS);
        BOOST_TEST(told == 2);
    };
    RunPeers(zero, [](Party&, std::uint32_t) {});
}

BOOST_AUTO_TEST_CASE(ManyPendingRequestsPairInTheirOrder)
{
    const PeerBody body = [](Party& self, std::uint32_t node) {
        std::array<VIP_VI_HANDLE, 8> vis{};
        Pause(node * 5 * PS_PER_MS);
        for (VIP_VI_HANDLE& vi : vis)
        {
            vi = self.vi = self.CreateVi();
            self.Receive(self.Make({self.At(1000, 100)}));
            BOOST_TEST(Ask(self, node, 100) == VIP_SUCCESS);
        }
        for (std::uint32_t i = 0; i < vis.size(); ++i)
        {
            self.vi = vis[vis.size() - 1 - i]; // waited for in any order
            BOOST_TEST(Wait(self) == VIP_SUCCESS);
        }
        for (std::uint32_t i = 0; i < vis.size(); ++i)
        {
            self.vi = vis[i];
            self.Fill(0, 100, static_cast<int>(i));
            self.Send(self.Make({self.At(0, 100)}));
            BOOST_TEST(self.Sent() == SENT);
            BOOST_TEST(self.Received() == RECEIVED);
            BOOST_TEST(self.Holds(1000, 100, static_cast<int>(i)));
        }
    };
    RunPeers(body, body);
}

BOOST_AUTO_TEST_CASE(OnlyTheReversedAddressesMatch)
{
    const PeerBody body = [](Party& self, std::uint32_t node) {
        Address here(node, node == 0 ? "a" : "b");
        BOOST_TEST(VipConnectPeerRequest(self.vi, here, Address(1 - node, "a"), 10) == VIP_SUCCESS);
        BOOST_TEST(Wait(self) == VIP_TIMEOUT);
        Address there(1 - node, node == 0 ? "b" : "a");
        BOOST_TEST(VipConnectPeerRequest(self.vi, here, there, 10) == VIP_SUCCESS);
        BOOST_TEST(Wait(self) == VIP_SUCCESS);
    };
    RunPeers(body, body);
}

BOOST_AUTO_TEST_CASE(ClientsAndServersDoNotMeetPeers)
{
    const PeerBody peer = [](Party& self, std::uint32_t node) {
        Ask(self, node, 20);
        BOOST_TEST(Wait(self) == VIP_TIMEOUT);
    };
    const PeerBody client = [](Party& self, std::uint32_t node) {
        Pause(5 * PS_PER_MS);
        VIP_VI_ATTRIBUTES attributes;
        Address here(node, "peer");
        Address there(1 - node, "peer");
        BOOST_TEST(VipConnectRequest(self.vi, here, there, 5, &attributes) == VIP_NO_MATCH);
        VIP_CONN_HANDLE connection;
        BOOST_TEST(VipConnectWait(self.nic, here, 5, there, &attributes, &connection) ==
                   VIP_TIMEOUT);
    };
    RunPeers(peer, client);
    RunPeers(client, peer);
}

BOOST_AUTO_TEST_CASE(VisOfOneNodeMayBePeersEvenUnderOneAddress)
{
    for (const std::string name : {"one", "two"})
    {
        RunAlone([&name](Party& self) {
            const VIP_VI_HANDLE first = self.vi;
            BOOST_TEST(VipConnectPeerRequest(first, Address(0, "one"), Address(0, name), 100) ==
                       VIP_SUCCESS);
            self.vi = self.CreateVi();
            BOOST_TEST(VipConnectPeerRequest(self.vi, Address(0, name), Address(0, "one"), 100) ==
                       VIP_SUCCESS);
            BOOST_TEST(Wait(self, first) == VIP_SUCCESS);
            BOOST_TEST(Wait(self) == VIP_SUCCESS);
            self.Receive(self.Make({self.At(1000, 100)}));
            Pause(PS_PER_MS);
            self.Fill(0, 100, 3);
            VipPostSend(first, self.Make({self.At(0, 100)}), self.pool);
            BOOST_TEST(self.Received() == RECEIVED);
            BOOST_TEST(self.Holds(1000, 100, 3));
        });
    }
}

BOOST_AUTO_TEST_CASE(AViIsNotItsOwnPeer)
{
    RunAlone([](Party& self) {
        Address here(0);
        BOOST_TEST(VipConnectPeerRequest(self.vi, here, here, 10) == VIP_SUCCESS);
        BOOST_TEST(Wait(self) == VIP_TIMEOUT);
    });
}

BOOST_AUTO_TEST_CASE(AProcessThatEndsTakesItsRequestsBack)
{
    for (const std::uint32_t dying : {0u, 1u})
    {
        Party ends[2];
        Cluster cluster{ClusterConfig{}};
        for (const std::uint32_t node : {0u, 1u})
        {
            const auto body = [&ends, node, dying] {
                ends[node].Open({});
                Pause(node == dying ? 0 : 30 * PS_PER_MS);
                Ask(ends[node], node, node == dying ? VIP_INFINITE : 20);
                BOOST_TEST(Wait(ends[node]) == VIP_TIMEOUT);
                BOOST_TEST(ends[node].Errors() == "");
                return 0;
            };
            cluster.AddProcess(node, body, 0, node == dying ? 10 * PS_PER_MS : PS_NEVER);
        }
        const RunReport report = cluster.Run();
        BOOST_TEST(report.processes[1 - dying].exit == 0);
        BOOST_TEST(report.processes[dying].signal == 9);
    }
}

BOOST_AUTO_TEST_CASE(ADisconnectByAnotherThreadEndsTheWait)
{
    RunAlone([](Party& self) {
        Ask(self, 0, VIP_INFINITE);
        ViplProcess::Running().StartThread([&self] {
            Pause(5 * PS_PER_MS);
            BOOST_TEST(VipDisconnect(self.vi) == VIP_SUCCESS);
        });
        BOOST_TEST(Wait(self) == VIP_INVALID_STATE);
        BOOST_TEST(self.State() == VIP_STATE_IDLE);
    });
}

BOOST_AUTO_TEST_CASE(ReferenceModeConnectsPeersAtTheSamePicosecond)
{
    for (const int late : {-1, 1})
    {
        std::array<std::array<Ps, 2>, 2> connected{};
        for (const bool reference : {false, true})
        {
            Party ends[2];
            ClusterConfig config;
            config.reference = reference;
            const auto run = [&](std::uint32_t node) {
                ends[node].Open({});
                Pause((1 + (node == 0 ? -late : late)) * 5 * PS_PER_MS);
                Ask(ends[node], node, VIP_INFINITE);
                while (Done(ends[node]) == VIP_NOT_DONE)
                {
                }
                connected[reference ? 1 : 0][node] = Now();
                FiberProcess::Current()->SleepUntil(PS_PER_SECOND);
            };
            RunEach({[&] { run(0); }, [&] { run(1); }}, config);
        }
        BOOST_TEST(connected[0] == connected[1], boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(BothFormsOfInfinityWaitForEver)
{
    for (const VIP_ULONG infinite : {VIP_INFINITE, ~0UL})
    {
        const RunReport report = RunEach({[infinite] {
            Party self;
            self.Open({});
            Ask(self, 0, infinite);
            Wait(self);
        }});
        BOOST_TEST((report.exit == RunExit::DEADLOCK));
        BOOST_TEST(report.processes[0].report.find("VipConnectPeerWait") != std::string::npos);
    }
}

BOOST_AUTO_TEST_CASE(PeerCallsCheckTheirArguments)
{
    RunAlone([](Party& self) {
        const VIP_RETURN refused = VIP_INVALID_PARAMETER;
        Address a(0);
        Address tooLong(1, "12345678901234567");
        VIP_VI_ATTRIBUTES out;
        BOOST_TEST(VipConnectPeerRequest(nullptr, a, a, 9) == refused);
        BOOST_TEST(VipConnectPeerRequest(self.vi, nullptr, a, 9) == refused);
        BOOST_TEST(VipConnectPeerRequest(self.vi, a, nullptr, 9) == refused);
        BOOST_TEST(VipConnectPeerRequest(self.vi, a, tooLong, 9) == refused);
        BOOST_TEST(VipConnectPeerRequest(self.vi, a, a, 0) == refused);
        BOOST_TEST(VipConnectPeerDone(nullptr, &out) == refused);
        BOOST_TEST(VipConnectPeerDone(self.vi, nullptr) == refused);
        BOOST_TEST(VipConnectPeerWait(nullptr, &out) == refused);
        BOOST_TEST(VipConnectPeerWait(self.vi, nullptr) == refused);
        BOOST_TEST(Done(self) == VIP_INVALID_STATE);
        BOOST_TEST(Wait(self) == VIP_INVALID_STATE);
        BOOST_TEST(self.State() == VIP_STATE_IDLE);
    });
}

BOOST_AUTO_TEST_CASE(OnlyAnIdleViAsks)
{
    const auto client = [](Party& self, Party&) {
        BOOST_TEST(Ask(self, 0, 9) == VIP_INVALID_STATE);
        BOOST_TEST(Done(self) == VIP_INVALID_STATE);
        BOOST_TEST(self.State() == VIP_STATE_CONNECTED);
    };
    RunPair(client, Nothing);
}

BOOST_AUTO_TEST_SUITE_END()
