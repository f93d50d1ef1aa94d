/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// vipl.hpp for tests: one end of a connection, and runs of one end or two.

#include "via-test-face-bench.h"

#include <algorithm>

namespace ns3
{
namespace via
{
namespace test
{

namespace
{

constexpr Ps AFTER_ALL = 5 * PS_PER_SECOND; // no process ends earlier

void
Succeed(const RunReport& report)
{
    for (const ProcessReport& process : report.processes)
    {
        BOOST_TEST(process.exit == 0, process.report);
    }
}

} // namespace

vipl::ViAttributes
FaceEnd::Attributes() const
{
    vipl::ViAttributes attributes;
    attributes.tag = tag.Get();
    attributes.rdmaWrite = true;
    attributes.rdmaRead = nic.Query().RDMAReadSupport != 0;
    return attributes;
}

void
FaceEnd::Write(const std::string& text, std::size_t offset)
{
    std::copy(text.begin(), text.end(), reinterpret_cast<char*>(memory.Data() + offset));
}

std::string
FaceEnd::Read(std::size_t length, std::size_t offset) const
{
    return {reinterpret_cast<const char*>(memory.Data() + offset), length};
}

void
RunFace(const FaceBody& body, const ClusterConfig& config)
{
    const auto alone = [&] {
        FaceEnd end;
        body(end);
    };
    Succeed(RunEach({alone}, config));
}

void
RunFacePair(const FaceBody& client, const FaceBody& server, const ClusterConfig& config)
{
    const auto asClient = [&] {
        FaceEnd end;
        std::error_code error = VIP_NO_MATCH;
        while (error == VIP_NO_MATCH)
        {
            end.vi.ConnectRequest(end.Server("n0"), end.Server("n1"), LONG, error);
        }
        BOOST_TEST(!error, error.message());
        Pause(PS_PER_MS);
        client(end);
        FiberProcess::Current()->SleepUntil(AFTER_ALL);
    };
    const auto asServer = [&] {
        FaceEnd end;
        vipl::ConnectionRequest(end.nic, end.Server("n1"), LONG).Accept(end.vi);
        server(end);
        FiberProcess::Current()->SleepUntil(AFTER_ALL);
    };
    Succeed(RunEach({asClient, asServer}, config));
}

} // namespace test
} // namespace via
} // namespace ns3
