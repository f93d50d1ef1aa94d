/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Cards for tests that differ from the shipped one in their wire format.

#ifndef VIA_TEST_FRAMING_BENCH_H
#define VIA_TEST_FRAMING_BENCH_H

#include "via-test-profile-bench.h"

#include <string>
#include <vector>

namespace ns3
{
namespace via
{
namespace test
{

/// A change to a product's file: table, key, and the value as written in the file.
struct ProfileChange
{
    std::string table;
    std::string key;
    std::string value;
};

/// A copy of the card in its own file.
class FramingBench : public Bench
{
  public:
    explicit FramingBench(const std::vector<ProfileChange>& changes)
    {
        for (const ProfileChange& change : changes)
        {
            Set(change);
        }
    }

    /// Changes the value of a key. Adds "link.min_payload", which the card lacks.
    void Set(const ProfileChange& change) const
    {
        const std::string text = FileText(Card());
        std::size_t at = text.find("\n[" + change.table + "]\n");
        BOOST_REQUIRE_MESSAGE(at != std::string::npos, change.table);
        const std::string entry = "\n" + change.key + " = { value = ";
        if (change.key == "min_payload" && text.find(entry) == std::string::npos)
        {
            Edit("\n[link]\n",
                 "\n[link]\nmin_payload = { value = " + change.value +
                     ", unit = \"bytes\", source = \"test\", trust = \"assumed\" }\n");
            return;
        }
        at = text.find(entry, at);
        BOOST_REQUIRE_MESSAGE(at != std::string::npos, change.key);
        const std::size_t end = text.find(", unit", at);
        std::ofstream(Card()) << text.substr(0, at) << entry << change.value << text.substr(end);
    }
};

/// Ethernet frames: 8 bytes before, 14 + 4 around 46 to 1500 bytes of payload, and a gap of 12.
inline std::vector<ProfileChange>
EthernetFrames()
{
    return {{"link", "framing", "\"packets\""},
            {"link", "min_payload", "46"},
            {"link", "cell_bytes", "1538"},
            {"link", "cell_payload", "1500"},
            {"nic", "transmit_buffer", "8192"},
            {"switch", "forwarding", "\"store-and-forward\""}};
}

/// Packets of 2048 bytes of payload, without framing.
inline std::vector<ProfileChange>
BarePackets()
{
    return {{"link", "framing", "\"packets\""},
            {"link", "min_payload", "0"},
            {"link", "cell_bytes", "2048"},
            {"link", "cell_payload", "2048"},
            {"nic", "transmit_buffer", "8192"}};
}

/// Small packets that alternate between two wires.
inline std::vector<ProfileChange>
MergedLinks()
{
    return {{"link", "framing", "\"packets\""},
            {"link", "min_payload", "8"},
            {"link", "cell_bytes", "530"},
            {"link", "cell_payload", "512"},
            {"nic", "ports", "2"}};
}

} // namespace test
} // namespace via
} // namespace ns3

#endif // VIA_TEST_FRAMING_BENCH_H
