/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What ns-3 sees of a NIC: its trace sources, and captures of single nodes.

#include "support/via-test-two-nodes.h"

#include "ns3/names.h"
#include "ns3/via-error.h"
#include "ns3/via-nic-object.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

using namespace ns3;
using namespace ns3::via;
using namespace ns3::via::test;
namespace fs = std::filesystem;

namespace
{

/// One message from node 0 to node 1, and what the trace sources of both nodes said.
struct TracedNics : TwoNodes
{
    struct Entry
    {
        bool isReceive;
        std::uint32_t value; ///< descriptors, bytes
        Ps at;
    };

    TracedNics()
        : nics(via.Install(nodes))
    {
        via.InstallProcess(nodes.Get(0), SendOne);
        via.InstallProcess(nodes.Get(1), ReceiveOne);
    }

    bool Watch(std::uint32_t node, const char* source, const CallbackBase& callback)
    {
        return nics.Get(node)->TraceConnectWithoutContext(source, callback);
    }

    void OnDoorbell(std::uint32_t, bool isReceive, Ps at)
    {
        doorbells.push_back({isReceive, 0, at});
    }

    void OnQueue(std::uint32_t, bool isReceive, std::uint32_t descriptors, Ps at)
    {
        lengths.push_back({isReceive, descriptors, at});
    }

    void OnCompletion(std::uint32_t,
                      bool isReceive,
                      std::uint32_t status,
                      std::uint32_t bytes,
                      Ps at)
    {
        BOOST_TEST((status & 1) == 0U); // DONE says nothing here
        completions.push_back({isReceive, bytes, at});
    }

    void OnCredits(std::uint32_t out, std::uint32_t waiting, Ps)
    {
        credits.push_back(out + waiting);
    }

    void OnMessage(const MessageRow& message)
    {
        dropped.push_back(message);
    }

    ViaNicContainer nics;
    std::vector<Entry> doorbells;
    std::vector<Entry> lengths;
    std::vector<Entry> completions;
    std::vector<std::uint32_t> credits;
    std::vector<MessageRow> dropped;
};

/// What the trace source Credits says of a stream from node 0 to node 1.
struct TracedStream : TwoNodes
{
    using Entry = std::tuple<std::uint32_t, std::uint32_t, Ps>;

    explicit TracedStream(bool reference)
    {
        via.SetReferenceMode(reference);
        const ViaNicContainer nics = via.Install(nodes);
        const Ptr<ViaNicObject> nic = nics.Get(0);
        nic->GetNetwork()->GetCluster().AddWorkload("stream", {{"size", "20000"}});
        nic->TraceConnectWithoutContext("Credits", MakeCallback(&TracedStream::OnCredits, this));
        Run();
    }

    void OnCredits(std::uint32_t out, std::uint32_t waiting, Ps at)
    {
        entries.emplace_back(out, waiting, at);
    }

    std::vector<Entry> entries;
};

/// What an event of ns-3 reads of a switch, every 37 ns, while such a stream runs.
struct ReadSwitch : TwoNodes
{
    explicit ReadSwitch(bool reference)
    {
        via.SetReferenceMode(reference);
        const Ptr<ViaNetwork> network = via.Install(nodes).Get(0)->GetNetwork();
        network->GetCluster().AddWorkload("stream", {{"size", "20000"}});
        for (int ns = 0; ns < 400'000; ns += 37)
        {
            Simulator::Schedule(NanoSeconds(ns), [this, network] {
                const PortCounters total = network->Fabric()->Get(0)->GetTotal();
                entries.emplace_back(total.cellsOut, total.bytesOut);
            });
        }
        Run();
    }

    std::vector<std::pair<std::uint64_t, std::uint64_t>> entries;
};

void
CountDrop(std::uint32_t* drops, const MessageRow& message)
{
    *drops += message.dropped ? 1 : 0;
}

/// The same in a folder of its own.
struct CapturedNics : TracedNics
{
    CapturedNics()
    {
        std::string name = (fs::temp_directory_path() / "via-nics-XXXXXX").string();
        BOOST_REQUIRE(mkdtemp(name.data()) != nullptr);
        folder = name;
        prefix = folder / "run";
    }

    ~CapturedNics()
    {
        fs::remove_all(folder);
    }

    fs::path folder;
    std::string prefix;
};

} // namespace

BOOST_AUTO_TEST_SUITE(nic_traces)

BOOST_FIXTURE_TEST_CASE(EachPostRingsADoorbell, TracedNics)
{
    BOOST_TEST(Watch(0, "Doorbell", MakeCallback(&TracedNics::OnDoorbell, this)));
    Run();
    BOOST_REQUIRE(doorbells.size() == 2);
    BOOST_TEST(doorbells[0].isReceive);
    BOOST_TEST(!doorbells[1].isReceive);
    BOOST_TEST(doorbells[0].at < doorbells[1].at);
}

BOOST_FIXTURE_TEST_CASE(AQueueFillsWithPostsAndEmptiesWithCompletions, TracedNics)
{
    BOOST_TEST(Watch(0, "Queue", MakeCallback(&TracedNics::OnQueue, this)));
    Run();
    std::vector<std::uint32_t> sends;
    for (const Entry& each : lengths)
    {
        if (!each.isReceive)
        {
            sends.push_back(each.value);
        }
    }
    BOOST_TEST(sends == (std::vector<std::uint32_t>{1, 0}), boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(ACompletionHasTheBytesOfItsMessage, TracedNics)
{
    BOOST_TEST(Watch(1, "Completion", MakeCallback(&TracedNics::OnCompletion, this)));
    Run();
    BOOST_REQUIRE(!completions.empty());
    BOOST_TEST(completions[0].isReceive);
    BOOST_TEST(completions[0].value == 8U);
    BOOST_TEST(completions[0].at > 0);
}

BOOST_FIXTURE_TEST_CASE(CreditsAreInUseWhenCellsAreHandedOver, TracedNics)
{
    BOOST_TEST(Watch(0, "Credits", MakeCallback(&TracedNics::OnCredits, this)));
    Run();
    BOOST_REQUIRE(!credits.empty());
    BOOST_TEST(*std::min_element(credits.begin(), credits.end()) >= 1U);
}

// They were counted when the engines had planned them, with all the plans that reached further.
BOOST_AUTO_TEST_CASE(CreditsAreThoseOfTheInstantInBothModes)
{
    const auto fast = TracedStream(false).entries;
    const auto slow = TracedStream(true).entries; // one cluster at a time
    BOOST_REQUIRE(fast.size() > 100);
    BOOST_TEST((fast == slow));
    for (const auto& [out, waiting, at] : fast)
    {
        BOOST_TEST(out > 0U);
        BOOST_TEST(out < 16U); // the card is no faster than the wire
    }
}

// They were as old as the last event of the model.
BOOST_AUTO_TEST_CASE(CountersOfASwitchAreThoseOfTheInstantInBothModes)
{
    const auto fast = ReadSwitch(false).entries;
    const auto slow = ReadSwitch(true).entries; // one cluster at a time
    BOOST_TEST((fast == slow));
    BOOST_TEST((fast.front() != fast.back()));
}

BOOST_FIXTURE_TEST_CASE(AMessageThatArrivesIsNoDrop, TracedNics)
{
    BOOST_TEST(Watch(1, "Drop", MakeCallback(&TracedNics::OnMessage, this)));
    Run();
    BOOST_TEST(dropped.empty());
}

BOOST_FIXTURE_TEST_CASE(AMessageWithoutADescriptorIsADrop, TwoNodes)
{
    const ViaNicContainer nics = via.Install(nodes);
    std::uint32_t drops = 0;
    nics.Get(1)->TraceConnectWithoutContext("Drop", MakeBoundCallback(&CountDrop, &drops));
    via.InstallProcess(nodes.Get(0), [] {
        Line line;
        line.Request();
        line.Send(8);
        line.Send(8); // the peer has posted one descriptor
        return 0;
    });
    via.InstallProcess(nodes.Get(1), [] {
        Line line;
        line.Accept();
        line.Receive();
        line.Receive();
        return 0;
    });
    Run();
    BOOST_TEST(drops == 1U);
}

BOOST_AUTO_TEST_CASE(ListenersDoNotChangeARun)
{
    std::vector<std::string> digests;
    for (const bool watched : {false, true})
    {
        TracedNics run;
        if (watched)
        {
            run.Watch(0, "Doorbell", MakeCallback(&TracedNics::OnDoorbell, &run));
            run.Watch(1, "Queue", MakeCallback(&TracedNics::OnQueue, &run));
            run.Watch(0, "Credits", MakeCallback(&TracedNics::OnCredits, &run));
        }
        digests.push_back(run.Run().digest);
    }
    BOOST_TEST(digests[0] == digests[1]);
}

BOOST_FIXTURE_TEST_CASE(WhoHasDisconnectedHearsNothing, TracedNics)
{
    const auto callback = MakeCallback(&TracedNics::OnDoorbell, this);
    Watch(0, "Doorbell", callback);
    BOOST_TEST(nics.Get(0)->TraceDisconnectWithoutContext("Doorbell", callback));
    Run();
    BOOST_TEST(doorbells.empty());
}

BOOST_AUTO_TEST_CASE(ANicOfNoClusterHasTheSameSources)
{
    TracedNics run;
    const auto alone = CreateObject<ViaNicObject>();
    const auto callback = MakeCallback(&TracedNics::OnDoorbell, &run);
    BOOST_TEST(alone->TraceConnectWithoutContext("Doorbell", callback));
    BOOST_TEST(!alone->TraceConnectWithoutContext("Doorbells", callback));
}

BOOST_FIXTURE_TEST_CASE(EnablePcapAllWritesAFileForEachNode, CapturedNics)
{
    via.EnablePcapAll(prefix);
    const std::string digest = Run().digest;
    Simulator::Destroy(); // the files are complete then
    BOOST_TEST(fs::file_size(prefix + "-0-via.pcapng") > 500U);
    BOOST_TEST(fs::file_size(prefix + "-1-via.pcapng") > 500U);
    TracedNics plain;
    BOOST_TEST(plain.Run().digest == digest);
}

BOOST_AUTO_TEST_CASE(TheFileOfANodeIsThatOfACaptureOfItAlone)
{
    std::vector<std::uintmax_t> sizes;
    for (const bool all : {false, true})
    {
        CapturedNics run;
        run.via.EnablePcap(run.prefix, all ? run.nodes : NodeContainer(run.nodes.Get(1)));
        run.Run();
        Simulator::Destroy();
        sizes.push_back(fs::file_size(run.prefix + "-1-via.pcapng"));
        BOOST_TEST(fs::exists(run.prefix + "-0-via.pcapng") == all);
    }
    BOOST_TEST(sizes[0] == sizes[1]);
}

BOOST_FIXTURE_TEST_CASE(TheNameOfANodeIsThatOfItsFile, CapturedNics)
{
    Names::Add("server", nodes.Get(1));
    via.EnablePcap(prefix, nics);
    via.EnablePcap(prefix + ".pcapng", nics.Get(0), true);
    Run();
    Simulator::Destroy();
    Names::Clear();
    BOOST_TEST(fs::exists(prefix + "-server-via.pcapng"));
    BOOST_TEST(fs::exists(prefix + ".pcapng"));
}

BOOST_FIXTURE_TEST_CASE(TwoCapturesInOneFileAreRefused, CapturedNics)
{
    via.EnablePcap(prefix, nics.Get(0));
    BOOST_CHECK_THROW(via.EnablePcapAll(prefix), ConfigError);
    via.EnablePcapAll(prefix + "-again");
    Run();
    Simulator::Destroy();
    BOOST_TEST(fs::exists(prefix + "-0-via.pcapng"));
    BOOST_TEST(fs::exists(prefix + "-again-0-via.pcapng"));
}

BOOST_FIXTURE_TEST_CASE(AFileIsTheSameHoweverItsPathIsWritten, CapturedNics)
{
    fs::create_directory(folder / "inner");
    fs::create_directory_symlink(folder / "inner", folder / "link");
    via.EnablePcap((folder / "inner" / "run.pcapng").string(), nics.Get(0), true);
    for (const fs::path& other :
         {folder / "link" / "run.pcapng", folder / "inner" / ".." / "inner" / "." / "run.pcapng"})
    {
        BOOST_CHECK_THROW(via.EnablePcap(other.string(), nics.Get(1), true), ConfigError);
    }
    Run();
    Simulator::Destroy();
    BOOST_TEST(fs::exists(folder / "inner" / "run.pcapng"));
}

BOOST_FIXTURE_TEST_CASE(ACaptureThatCannotBeginIsRefused, CapturedNics)
{
    const ViaHelper empty;
    BOOST_CHECK_THROW(empty.EnablePcapAll(prefix), ConfigError);
    BOOST_CHECK_THROW(empty.EnablePcap(prefix, nics), ConfigError);
    BOOST_CHECK_THROW(via.EnablePcap(prefix, NodeContainer(1)), ConfigError);
    BOOST_CHECK_THROW(via.EnablePcap(prefix, Ptr<ViaNicObject>()), ConfigError);
    BOOST_CHECK_THROW(via.EnablePcapAll(folder / "nowhere" / "run"), ConfigError);
    Run();
    BOOST_CHECK_THROW(via.EnablePcapAll(prefix), ConfigError); // time has passed
}

BOOST_AUTO_TEST_SUITE_END()
