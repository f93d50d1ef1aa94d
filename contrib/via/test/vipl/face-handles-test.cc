/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// vipl.hpp: owners, their ends, what a moved-from one does, and what VIPL refuses.

#include "support/via-test-face-bench.h"

#include <memory>
#include <optional>

using namespace ns3::via;
using namespace ns3::via::test;

BOOST_AUTO_TEST_SUITE(face_handles)

BOOST_AUTO_TEST_CASE(ANicTellsWhatItIs)
{
    RunFace([](FaceEnd& end) {
        const VIP_NIC_ATTRIBUTES attributes = end.nic.Query();
        BOOST_TEST(attributes.NicAddressLen == 6);
        BOOST_TEST(vipl::Offers(attributes.ReliabilityLevelSupport, vipl::Reliability::Unreliable));
        BOOST_TEST((end.nic.Address() == end.names.HostByName("n0")));
        BOOST_TEST(end.names.HostByAddr(end.nic.Address()) == "n0");
    });
}

BOOST_AUTO_TEST_CASE(ADeviceThatIsNotThereIsRefusedBothWays)
{
    RunFace([](FaceEnd&) {
        BOOST_CHECK_EXCEPTION(vipl::Nic("/dev/null"), std::system_error, Is(VIP_INVALID_PARAMETER));
        std::error_code error;
        const vipl::Nic nic("/dev/null", error);
        BOOST_TEST(error == VIP_INVALID_PARAMETER);
        BOOST_TEST(!nic);
    });
}

BOOST_AUTO_TEST_CASE(AnExceptionNamesTheCall)
{
    RunFace([](FaceEnd&) {
        std::string what;
        try
        {
            vipl::Nic("/dev/null");
        }
        catch (const std::system_error& error)
        {
            what = error.what();
        }
        BOOST_TEST(what == "VipOpenNic: invalid parameter");
    });
}

BOOST_AUTO_TEST_CASE(ASuccessfulCallClearsTheError)
{
    RunFace([](FaceEnd& end) {
        std::error_code error = VIP_TIMEOUT;
        end.nic.Query(error);
        BOOST_TEST(!error);
    });
}

BOOST_AUTO_TEST_CASE(ANicWithChildrenIsNotClosedButKept)
{
    RunFace([](FaceEnd& end) {
        std::error_code error;
        end.nic.Close(error);
        BOOST_TEST(error == VIP_ERROR_RESOURCE);
        BOOST_TEST(static_cast<bool>(end.nic));
        BOOST_CHECK_EXCEPTION(end.nic.Close(), std::system_error, Is(VIP_ERROR_RESOURCE));
        BOOST_TEST(end.nic.Query().NicAddressLen == 6);
    });
}

BOOST_AUTO_TEST_CASE(DeclaredInOrderEverythingIsGivenBack)
{
    const auto body = [] {
        vipl::Nic nic("nic0");
        {
            const vipl::ProtectionTag tag(nic);
            const vipl::RegisteredMemory memory(nic, 100, {tag.Get()});
            const vipl::DescriptorPool pool(nic, tag, 4);
            const vipl::CompletionQueue cq(nic, 8);
            vipl::ViAttributes attributes;
            attributes.tag = tag.Get();
            const vipl::VirtualInterface vi(nic, attributes, &cq, &cq);
        }
        nic.Close(); // it throws while anything is left
        BOOST_TEST(!nic);
    };
    BOOST_TEST((RunEach({body}).exit == RunExit::SUCCESS));
}

BOOST_AUTO_TEST_CASE(AParentThatGoesTooEarlyStaysOpenUntilTheProcessEnds)
{
    const auto body = [] {
        auto nic = std::make_unique<vipl::Nic>("nic0");
        vipl::ProtectionTag tag(*nic);
        nic.reset(); // VIPL refuses, the destructor keeps quiet
        std::error_code error;
        tag.Close(error);
        BOOST_TEST(!error);
    };
    BOOST_TEST((RunEach({body}).exit == RunExit::SUCCESS));
}

BOOST_AUTO_TEST_CASE(AnEmptyHandleMayBeClosedAndIsRefusedByEveryCall)
{
    RunFace([](FaceEnd& end) {
        vipl::Nic nic;
        vipl::VirtualInterface vi;
        vipl::CompletionQueue cq;
        nic.Close();
        vi.Close();
        cq.Close();
        std::error_code error;
        nic.Query(error);
        BOOST_TEST(error == VIP_INVALID_PARAMETER);
        BOOST_TEST((nic.Address(error) == vipl::NetAddress()));
        BOOST_TEST(error == VIP_INVALID_PARAMETER);
        BOOST_TEST(!vipl::NameService(nic, nullptr, error));
        BOOST_TEST(error == VIP_INVALID_PARAMETER);
        vi.Query(error);
        BOOST_TEST(error == VIP_INVALID_PARAMETER);
        BOOST_TEST(!vi.RecvDone(error));
        BOOST_TEST(error == VIP_INVALID_PARAMETER);
        BOOST_TEST(!cq.Done(error));
        BOOST_TEST(error == VIP_INVALID_PARAMETER);
        vipl::ProtectionTag(nic, error);
        BOOST_TEST(error == VIP_INVALID_PARAMETER);
        vi.PostSend(end.pool.Take().Send(), error);
        BOOST_TEST(error == VIP_INVALID_PARAMETER);
    });
}

BOOST_AUTO_TEST_CASE(AMovedFromHandleIsEmptyAndItsHeirWorks)
{
    RunFace([](FaceEnd& end) {
        vipl::ProtectionTag first(end.nic);
        const VIP_PROTECTION_HANDLE handle = first.Get();
        vipl::ProtectionTag second(std::move(first));
        BOOST_TEST(!first);
        BOOST_TEST(second.Get() == handle);
        first.Close();
        second.Close();
        BOOST_TEST(!second);
        second = vipl::ProtectionTag(end.nic);
        BOOST_TEST(static_cast<bool>(second));
    });
}

BOOST_AUTO_TEST_CASE(AssignmentGivesBackWhatWasHeld)
{
    RunFace([](FaceEnd& end) {
        vipl::CompletionQueue cq(end.nic, 8);
        VIP_CQ_HANDLE old = cq.Get();
        cq = vipl::CompletionQueue(end.nic, 8);
        BOOST_TEST(VipDestroyCQ(old) == VIP_INVALID_PARAMETER);
        vipl::CompletionQueue& same = cq;
        cq = std::move(same);
        BOOST_TEST(static_cast<bool>(cq));
    });
}

BOOST_AUTO_TEST_CASE(AViTakesItsQueuesAlongWhenItMoves)
{
    RunFace([](FaceEnd& end) {
        end.Receive(8);
        vipl::VirtualInterface heir(std::move(end.vi));
        BOOST_TEST(!end.vi);
        BOOST_TEST(!heir.Query().recvQueueEmpty);
        end.vi = std::move(heir);
        BOOST_TEST(!end.vi.Query().recvQueueEmpty);
    });
}

BOOST_AUTO_TEST_CASE(AViWithDescriptorsIsNotClosedButItsDestructorDrainsIt)
{
    RunFace([](FaceEnd& end) {
        std::optional<vipl::VirtualInterface> vi;
        vi.emplace(end.nic, end.Attributes(), &end.cq, &end.cq);
        const VIP_VI_HANDLE handle = vi->Get();
        vi->PostRecv(end.pool.Take().Receive().Add(end.Piece(8)));
        vi->PostRecv(end.pool.Take().Receive().Add(end.Piece(8)));
        BOOST_CHECK_EXCEPTION(vi->Close(), std::system_error, Is(VIP_ERROR_RESOURCE));
        BOOST_TEST(static_cast<bool>(*vi));
        vi.reset();
        BOOST_TEST(VipDestroyVi(handle) == VIP_INVALID_PARAMETER);
        BOOST_TEST(!end.cq.Done()); // its entries went with it
        end.cq.Close();
    });
}

BOOST_AUTO_TEST_CASE(AQueueInUseIsNotClosed)
{
    RunFace([](FaceEnd& end) {
        const vipl::VirtualInterface vi(end.nic, end.Attributes(), &end.cq, nullptr);
        BOOST_CHECK_EXCEPTION(end.cq.Close(), std::system_error, Is(VIP_ERROR_RESOURCE));
        end.cq.Resize(128);
    });
}

BOOST_AUTO_TEST_CASE(AnUnhandledFailureEndsTheProcessWithItsReason)
{
    const RunReport report = RunEach({[] { vipl::Nic("/dev/null"); }});
    BOOST_TEST(report.processes[0].exit == 134);
    BOOST_TEST(report.processes[0].report == "uncaught exception: VipOpenNic: invalid parameter");
}

BOOST_AUTO_TEST_CASE(AProcessThatIsKilledGivesEverythingBackOnItsWay)
{
    bool unwound = false;
    Cluster cluster{ClusterConfig{}};
    cluster.AddProcess(
        0,
        [&] {
            struct Last
            {
                bool& flag;

                ~Last()
                {
                    flag = true;
                }
            } last{unwound};

            FaceEnd end;
            end.Receive(8);
            end.vi.RecvWait(vipl::FOREVER);
            return 0;
        },
        0,
        PS_PER_MS);
    const RunReport report = cluster.Run();
    BOOST_TEST(report.processes[0].signal == 9);
    BOOST_TEST(unwound);
}

BOOST_AUTO_TEST_CASE(TheEndOfANameServiceLeavesOtherUsersOfTheNicTheirs)
{
    RunFace([](FaceEnd& end) {
        vipl::NameService(end.nic).Close();
        BOOST_TEST(end.names.HostByName("n0").Host().size() == 6u);
        const vipl::Nic other("nic0"); // the product's handles name one NIC
        vipl::NameService(other).Close();
        BOOST_TEST(end.names.HostByName("n0").Host().size() == 6u);
    });
}

BOOST_AUTO_TEST_CASE(HandlesOfOneProcessAreNoneOfAnother)
{
    VIP_NIC_HANDLE theirs = nullptr;
    const auto opens = [&] {
        const vipl::Nic nic("nic0");
        theirs = nic.Get();
        Pause(2 * PS_PER_MS);
    };
    const auto borrows = [&] {
        const vipl::Nic nic("nic0");
        Pause(PS_PER_MS);
        VIP_NIC_ATTRIBUTES attributes;
        BOOST_TEST(VipQueryNic(theirs, &attributes) == VIP_INVALID_PARAMETER);
    };
    BOOST_TEST((RunEach({opens, borrows}).exit == RunExit::SUCCESS));
}

BOOST_AUTO_TEST_CASE(NamesAreNotKnownBeforeTheServiceRuns)
{
    RunFace([](FaceEnd& end) {
        BOOST_CHECK_EXCEPTION(end.names.HostByName("nobody"),
                              std::system_error,
                              Is(VIP_ERROR_NAMESERVICE));
        BOOST_CHECK_EXCEPTION(end.names.HostByAddr(vipl::NetAddress()),
                              std::system_error,
                              Is(VIP_ERROR_NAMESERVICE));
        end.names.Close();
        std::error_code error;
        BOOST_TEST((end.names.HostByName("n0", 0, error) == vipl::NetAddress()));
        BOOST_TEST(error == VIP_INVALID_PARAMETER);
        end.names = vipl::NameService(end.nic);
        BOOST_TEST(end.names.HostByName("n0").Host().size() == 6u);
    });
}

BOOST_AUTO_TEST_SUITE_END()
