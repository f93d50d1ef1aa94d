/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The protocol of one's own that doc/protocols.md shows.

#include "../support/via-test-protocol-bench.h"

#include <boost/test/unit_test.hpp>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

struct Hop
{
    std::uint64_t round;
};

/// A message goes round the ring, once a round.
class Relay : public TypedProtocol<Hop>
{
  public:
    using TypedProtocol::OnMessage;

    std::vector<Rank> Targets() const override
    {
        return {(Self() + 1) % Size()};
    }

    void OnStart() override
    {
        if (Self() == 0)
        {
            Begin(0);
        }
    }

    void OnMessage(Rank, const Hop& hop) override
    {
        if (Self() != 0)
        {
            Send((Self() + 1) % Size(), hop);
        }
        else
        {
            Leave(hop.round);
        }
        if (hop.round + 1 == Rounds())
        {
            Finish();
        }
        else if (Self() == 0)
        {
            Begin(hop.round + 1);
        }
    }

  private:
    void Begin(std::uint64_t round)
    {
        Enter(round);
        Send((Self() + 1) % Size(), {round});
    }
};

void
AddRelay()
{
    AddProtocol(KindOf<Relay>("relay", RoundSpan::FIRST_ENTRY_TO_FIRST_EXIT, {}));
}

} // namespace

BOOST_AUTO_TEST_SUITE(UserProtocolTest)

BOOST_AUTO_TEST_CASE(AProtocolOfOnesOwnRunsByItsName)
{
    AddRelay();
    for (const std::string& transport : TransportNames())
    {
        const ProtocolRun run =
            RunProtocol("relay", 6, {{"rounds", "4"}, {"transport", transport}});
        BOOST_TEST(run.finished);
        BOOST_TEST(run.messages == 4U * 6U);
        BOOST_TEST(run.samples.size() == 4U);
    }
    RemoveProtocol("relay");
}

BOOST_AUTO_TEST_SUITE_END()
