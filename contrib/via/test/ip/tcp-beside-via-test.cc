/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// TCP beside a stream of VIA messages on one wire: both progress, and together they fill it.

#include "support/via-test-kernel-bench.h"

#include <boost/test/unit_test.hpp>
#include <deque>
#include <vipl.hpp>

using namespace ns3;
using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

constexpr vipl::Timeout TIMEOUT{1000};
constexpr std::uint32_t MESSAGE = 32768;
constexpr std::uint32_t AHEAD = 4;
constexpr Ps BEGIN = 5 * PS_PER_MS; // VIs are connected by then
constexpr Ps END = 25 * PS_PER_MS;

/// A NIC, registered memory and a VI.
struct Endpoint
{
    Endpoint()
    {
        nic.ErrorCallback([](const vipl::AsyncError&) {}); // the peer may leave first
    }

    vipl::ViAttributes Attributes() const
    {
        vipl::ViAttributes attributes;
        attributes.tag = tag.Get();
        attributes.rdmaWrite = true;
        return attributes;
    }

    vipl::Nic nic{"/dev/clanvi0"};
    vipl::ProtectionTag tag{nic};
    vipl::RegisteredMemory memory{nic, MESSAGE, {tag.Get(), true}};
    vipl::DescriptorPool descriptors{nic, tag, AHEAD};
    vipl::VirtualInterface vi{nic, Attributes()};
};

/// What both streams have brought between BEGIN and END.
struct Totals
{
    void Add(std::uint64_t& bytes, std::uint64_t more, Ps at) const
    {
        bytes += at >= BEGIN && at < END ? more : 0;
    }

    double Rate(std::uint64_t bytes) const
    {
        return double(bytes) / (double(END - BEGIN) / PS_PER_US);
    }

    std::uint64_t tcp{0};
    std::uint64_t via{0};
    vipl::RemoteBuffer target{};
};

int
Target(Totals& totals)
{
    Endpoint end;
    totals.target = end.memory.Remote();
    end.vi.PostRecv(end.descriptors.Take().Receive().Add(end.memory.Local(0, 4)));
    vipl::ConnectionRequest(end.nic, end.nic.Address().With("p"), TIMEOUT).Accept(end.vi);
    end.vi.RecvWait(TIMEOUT).Check();
    return 0;
}

int
Writer(Totals& totals)
{
    Endpoint end;
    const vipl::NameService names(end.nic);
    std::error_code error = VIP_NO_MATCH;
    while (error == VIP_NO_MATCH)
    {
        end.vi.ConnectRequest(names.HostByName("n0").With("p"),
                              names.HostByName("n1").With("p"),
                              TIMEOUT,
                              error);
    }
    std::deque<vipl::Descriptor> free;
    for (std::uint32_t i = 0; i < AHEAD; ++i)
    {
        free.push_back(end.descriptors.Take());
    }
    const auto now = [] { return ViplProcess::Running().Clock().at; };
    std::deque<vipl::Descriptor> posted;
    while (now() < END || !posted.empty())
    {
        while (now() < END && !free.empty())
        {
            end.vi.PostSend(
                free.front().RdmaWrite(totals.target).Add(end.memory.Local(0, MESSAGE)));
            posted.push_back(free.front());
            free.pop_front();
        }
        end.vi.SendWait(TIMEOUT).Check();
        totals.Add(totals.via, MESSAGE, now());
        free.push_back(posted.front());
        posted.pop_front();
    }
    end.vi.PostSend(free.front().Send().Add(end.memory.Local(0, 4)));
    end.vi.SendWait(TIMEOUT).Check();
    return 0;
}

} // namespace

BOOST_AUTO_TEST_SUITE(tcp_beside_via)

BOOST_AUTO_TEST_CASE(BothProgressAndTogetherTheyFillTheWire)
{
    ClusterConfig config;
    config.host = "xeon2400-linux24"; // whose bus is faster than the wire
    config.stop = END;
    KernelBench bench(config, Carrier::TCP);
    Totals totals;
    bench.GetCluster().AddProcess(1, [&totals] { return Target(totals); });
    bench.GetCluster().AddProcess(0, [&totals] { return Writer(totals); });
    bench.Add(0, [](KernelProgram& sender) {
        while (sender.process.Clock().at < END)
        {
            sender.Send(1, 16384);
        }
    });
    bench.Add(1, [&totals](KernelProgram& receiver) {
        for (;;)
        {
            const std::size_t bytes = receiver.Receive().bytes.size();
            totals.Add(totals.tcp, bytes, receiver.process.Clock().at);
            if (bytes == 0)
            {
                return;
            }
        }
    });
    bench.Run();
    BOOST_TEST_MESSAGE("TCP " << totals.Rate(totals.tcp) << " MB/s, VIA " << totals.Rate(totals.via)
                              << " MB/s");
    const Link& wire = *bench.GetCluster().GetFabric().Uplinks()[0];
    const double payload = 48 / (double(wire.CellTime()) / PS_PER_US); // MB/s
    BOOST_TEST(totals.Rate(totals.tcp) > 2);
    BOOST_TEST(totals.Rate(totals.via) > 50);
    BOOST_TEST(totals.Rate(totals.tcp + totals.via) > 0.9 * payload);
    BOOST_TEST(totals.Rate(totals.tcp + totals.via) < payload);
}

BOOST_AUTO_TEST_SUITE_END()
