/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The kernels' profiles against what was published of TCP over these cards.

#include "support/via-test-kernel-bench.h"
#include "support/via-test-profile-bench.h"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <sstream>

using namespace ns3;
using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// A row of published.csv, and what it is compared on.
struct Row
{
    const char* name; ///< provider/metric
    const char* profile;
    const char* host;
    const char* kernel;
    const char* topology;
};

constexpr double VERIFIED = 5; // percent
constexpr double MEDIUM = 15;

const Row LATENCIES[] = {
    {"cLAN/latency_tcp_min", "giganet-clan1000", "pii450-win", "nt4", "star"},
    {"cLAN/latency_tcp", "giganet-clan1000", "piii1000-linux22", "linux-2.2", "star"},
};

const Row BANDWIDTHS[] = {
    {"cLAN/bandwidth_tcp_peak", "giganet-clan1000", "pii450-win", "nt4", "star"},
    {"cLAN/bandwidth_tcp", "giganet-clan1000", "piii1000-linux22", "linux-2.2", "star"},
    {"GigaE-PM/bandwidth_tcp_alpha533_NT_PacketEngines",
     "mvia-gnic2",
     "alpha533-nt4",
     "nt4-alpha",
     "back-to-back"},
    {"GigaE-PM/bandwidth_tcp_PII333_NT_Essential",
     "mvia-gnic2",
     "pii333-nt4",
     "nt4",
     "back-to-back"},
    {"GigaE-PM/bandwidth_tcp_PII333_Linux_Essential",
     "mvia-gnic2",
     "pii333-linux20",
     "linux-2.0",
     "back-to-back"},
    {"GigaE-PM/bandwidth_tcp_P150_Linux_Essential",
     "mvia-gnic2",
     "p150-linux20",
     "linux-2.0",
     "back-to-back"},
};

/// What a row says: its value in us or MB/s, and percent that may be missed.
struct Target
{
    double value{0};
    double allowed{0};
};

Target
TargetOf(const Row& row)
{
    std::istringstream csv(FileText(fs::path(ProfileFolder()) / "published.csv"));
    std::string wanted = row.name;
    wanted.replace(wanted.find('/'), 1, ",");
    for (std::string line; std::getline(csv, line);)
    {
        if (line.compare(0, wanted.size() + 1, wanted + ",") == 0)
        {
            std::istringstream rest(line.substr(wanted.size() + 1));
            std::string size;
            std::string value;
            std::string unit;
            std::getline(rest, size, ',');
            std::getline(rest, value, ',');
            std::getline(rest, unit, ',');
            const double scale = unit == "Mb/s" ? 1.0 / 8 : 1.0;
            const bool isVerified = line.find("VERIFIED") != std::string::npos;
            return {std::stod(value) * scale, isVerified ? VERIFIED : MEDIUM};
        }
    }
    BOOST_FAIL("no such row: " << row.name);
    return {};
}

ClusterConfig
ConfigOf(const Row& row)
{
    ClusterConfig config;
    config.profile = row.profile;
    config.host = row.host;
    config.kernel = row.kernel;
    config.topology = row.topology;
    return config;
}

std::ostream&
operator<<(std::ostream& stream, const Row& row)
{
    return stream << row.name;
}

} // namespace

BOOST_AUTO_TEST_SUITE(kernel_calibration)

BOOST_DATA_TEST_CASE(TcpLatenciesAreThosePublished, LATENCIES, row)
{
    const Target target = TargetOf(row);
    const double simulated = double(KernelLatency(ConfigOf(row), Carrier::TCP, 1)) / PS_PER_US;
    BOOST_TEST_MESSAGE(row << ": " << simulated << " us of " << target.value);
    BOOST_TEST(std::abs(simulated / target.value - 1) * 100 < target.allowed, simulated);
}

BOOST_DATA_TEST_CASE(TcpBandwidthsAreThosePublished, BANDWIDTHS, row)
{
    const Target target = TargetOf(row);
    const double simulated = KernelBandwidth(ConfigOf(row), Carrier::TCP, 65536);
    BOOST_TEST_MESSAGE(row << ": " << simulated << " MB/s of " << target.value);
    BOOST_TEST(std::abs(simulated / target.value - 1) * 100 < target.allowed, simulated);
}

BOOST_AUTO_TEST_SUITE_END()
