/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A peer that is not heard of any more: what programs see of it, and when.

#include "support/via-test-vipl-bench.h"

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// A cluster of two nodes whose wires can be cut.
class Cut
{
  public:
    Cut()
        : m_cluster(Config())
    {
    }

    Cluster& GetCluster()
    {
        return m_cluster;
    }

    /// From now on the wires of both nodes spoil so much.
    void Set(const LinkLoss& loss)
    {
        for (const auto& uplink : m_cluster.GetFabric().Uplinks())
        {
            uplink->SetLoss(loss);
        }
    }

  private:
    static ClusterConfig Config()
    {
        ClusterConfig config;
        config.plan.AddLoss("all", {0, 0});
        return config;
    }

    Cluster m_cluster;
};

/// What `nic.retransmit_limit` time-outs take, and one more.
Ps
SilenceSpan()
{
    return static_cast<Ps>((Key("nic.retransmit_limit") + 1) * Key("nic.retransmit_timeout")) *
           PS_PER_US;
}

/// Connects two parties, cuts the wire, and lets the client go on.
void
RunCut(VIP_USHORT level, const std::function<void(Party& self, Ps cut)>& after)
{
    Cut cut;
    Party client;
    Party server;
    Setup setup;
    setup.level = level;
    cut.GetCluster().AddProcess(0, [&] {
        client.Open(setup);
        BOOST_TEST(client.Connect(client.vi, 1) == VIP_SUCCESS);
        Pause(10 * PS_PER_MS);
        cut.Set({LinkLoss::ALL, 0});
        after(client, Now());
        return 0;
    });
    cut.GetCluster().AddProcess(1, [&] {
        server.Open(setup);
        BOOST_TEST(server.Listen(server.vi) == VIP_SUCCESS);
        Pause(PS_PER_SECOND);
        return 0;
    });
    BOOST_TEST((cut.GetCluster().Run().exit == RunExit::SUCCESS));
}

} // namespace

BOOST_AUTO_TEST_SUITE(nic_silent_peer)

BOOST_AUTO_TEST_CASE(AReliableConnectionBreaksAfterSoManyTimeOuts)
{
    RunCut(VIP_SERVICE_RELIABLE_DELIVERY, [](Party& self, Ps cut) {
        self.Send(self.Make({self.At(0, 100)}));
        BOOST_TEST(self.Sent() == SENT); // it had been handed over
        while (self.State() == VIP_STATE_CONNECTED)
        {
            Pause(PS_PER_MS / 10);
        }
        BOOST_TEST(Now() - cut > SilenceSpan());
        BOOST_TEST(Now() - cut < SilenceSpan() + PS_PER_MS);
        BOOST_TEST(self.Errors() == "CONN_LOST");
    });
}

BOOST_AUTO_TEST_CASE(ReliableReceptionTellsItInTheDescriptor)
{
    RunCut(VIP_SERVICE_RELIABLE_RECEPTION, [](Party& self, Ps) {
        self.Send(self.Make({self.At(0, 100)}));
        self.Send(self.Make({self.At(0, 100)}));
        BOOST_TEST(self.Sent() == (SENT | VIP_STATUS_TRANSPORT_ERROR));
        BOOST_TEST(self.Sent() == (VIP_STATUS_DONE | VIP_STATUS_DESC_FLUSHED_ERROR));
        BOOST_TEST(self.State() == VIP_STATE_ERROR);
        BOOST_TEST(self.Errors() == "CONN_LOST");
    });
}

BOOST_AUTO_TEST_CASE(AnUnreliableConnectionDoesNotNotice)
{
    RunCut(VIP_SERVICE_UNRELIABLE, [](Party& self, Ps) {
        self.Send(self.Make({self.At(0, 100)}));
        BOOST_TEST(self.Sent() == SENT);
        Pause(2 * SilenceSpan());
        BOOST_TEST(self.State() == VIP_STATE_CONNECTED);
        BOOST_TEST(self.Errors() == "");
    });
}

BOOST_AUTO_TEST_CASE(ARequestToASilentHostTimesOutEvenIfItWaitsForEver)
{
    ClusterConfig config;
    config.plan.AddLoss("n1", {LinkLoss::ALL, 0});
    const auto client = [] {
        Party self;
        self.Open({});
        Address here(0);
        Address there(1);
        VIP_VI_ATTRIBUTES attributes;
        BOOST_TEST(VipConnectRequest(self.vi, here, there, VIP_INFINITE, &attributes) ==
                   VIP_TIMEOUT);
        BOOST_TEST(self.State() == VIP_STATE_IDLE);
    };
    RunEach({client, [] {}}, config);
}

BOOST_AUTO_TEST_CASE(APeerRequestToASilentHostTimesOutEvenIfItWaitsForEver)
{
    ClusterConfig config;
    config.plan.AddLoss("n0", {LinkLoss::ALL, 0});
    const auto larger = [] {
        Party self;
        self.Open({});
        VIP_VI_ATTRIBUTES attributes;
        BOOST_TEST(VipConnectPeerRequest(self.vi, Address(1), Address(0), VIP_INFINITE) ==
                   VIP_SUCCESS);
        BOOST_TEST(VipConnectPeerWait(self.vi, &attributes) == VIP_TIMEOUT);
        BOOST_TEST(self.State() == VIP_STATE_IDLE);
    };
    BOOST_TEST((RunEach({[] {}, larger}, config).exit == RunExit::SUCCESS));
}

BOOST_AUTO_TEST_CASE(ARequestOfAPeerThatIsGivenUpIsNotPaired)
{
    Cut cut;
    Party smaller;
    Party larger;
    cut.GetCluster().AddProcess(0, [&] {
        smaller.Open({});
        BOOST_TEST(smaller.Listen(smaller.vi) == VIP_SUCCESS);
        Pause(10 * PS_PER_MS); // the request has arrived
        cut.Set({LinkLoss::ALL, 0});
        smaller.Send(smaller.Make({smaller.At(0, 100)}));
        Pause(2 * SilenceSpan());
        VIP_VI_ATTRIBUTES attributes;
        const VIP_VI_HANDLE other = smaller.CreateVi();
        BOOST_TEST(VipConnectPeerRequest(other, Address(0), Address(1), 10) == VIP_SUCCESS);
        BOOST_TEST(VipConnectPeerWait(other, &attributes) == VIP_TIMEOUT);
        return 0;
    });
    cut.GetCluster().AddProcess(1, [&] {
        larger.Open({});
        BOOST_TEST(larger.Connect(larger.vi, 0) == VIP_SUCCESS);
        VipConnectPeerRequest(larger.CreateVi(), Address(1), Address(0), VIP_INFINITE);
        Pause(PS_PER_SECOND);
        return 0;
    });
    BOOST_TEST((cut.GetCluster().Run().exit == RunExit::SUCCESS));
}

BOOST_AUTO_TEST_CASE(AProgramThatIsFarAheadOfTheAgendaIsNotTakenForSilence)
{
    const auto client = [] {
        Party self;
        self.Open({});
        FiberThread::Current()->Spend(Stage::COMPUTE, Cycles(60'000'000)); // 200 ms, alone
        BOOST_TEST(self.Connect(self.vi, 1) == VIP_SUCCESS);
    };
    const auto server = [] {
        Party self;
        self.Open({});
        BOOST_TEST(self.Listen(self.vi) == VIP_SUCCESS);
        Pause(PS_PER_MS);
    };
    RunEach({client, server});
}

BOOST_AUTO_TEST_CASE(AfterASilenceTheChannelBeginsAgain)
{
    Cut cut;
    Party client;
    Party server;
    cut.GetCluster().AddProcess(0, [&] {
        client.Open({});
        BOOST_TEST(client.Connect(client.vi, 1) == VIP_SUCCESS);
        cut.Set({LinkLoss::ALL, 0});
        client.Send(client.Make({client.At(0, 5000)}));
        Pause(2 * SilenceSpan());
        BOOST_TEST(client.State() == VIP_STATE_ERROR);
        cut.Set({0, 0});
        BOOST_TEST(VipDisconnect(client.vi) == VIP_SUCCESS);
        BOOST_TEST(client.Connect(client.vi, 1, "again") == VIP_SUCCESS);
        client.Fill(0, 5000, 7);
        client.Send(client.Make({client.At(0, 5000)}));
        Pause(PS_PER_SECOND);
        return 0;
    });
    cut.GetCluster().AddProcess(1, [&] {
        server.Open({});
        BOOST_TEST(server.Listen(server.vi) == VIP_SUCCESS);
        server.vi = server.CreateVi();
        server.Receive(server.Make({server.At(0, 5000)}));
        BOOST_TEST(server.Listen(server.vi, "again") == VIP_SUCCESS);
        BOOST_TEST(server.Received() == RECEIVED);
        BOOST_TEST(server.Holds(0, 5000, 7));
        return 0;
    });
    BOOST_TEST((cut.GetCluster().Run().exit == RunExit::SUCCESS));
}

BOOST_AUTO_TEST_SUITE_END()
