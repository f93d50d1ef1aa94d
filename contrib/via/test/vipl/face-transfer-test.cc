/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// vipl.hpp: connections, transfers, completion queues, asynchronous errors.

#include "support/via-test-face-bench.h"

#include <memory>
#include <vector>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

void
Idle(FaceEnd&)
{
}

/// Two bodies that connect, or fail to, on their own.
void
RunUnconnected(const FaceBody& client, const FaceBody& server)
{
    const auto on = [](const FaceBody& body, Ps start) {
        return [&body, start] {
            FaceEnd end;
            Pause(start);
            body(end);
        };
    };
    const RunReport report = RunEach({on(client, PS_PER_MS), on(server, 0)});
    BOOST_TEST((report.exit == RunExit::SUCCESS), report.processes[0].report);
}

} // namespace

BOOST_AUTO_TEST_SUITE(face_transfer)

BOOST_AUTO_TEST_CASE(AMessageArrivesWithItsLengthAndImmediateData)
{
    RunFacePair(
        [](FaceEnd& end) {
            end.Write("hello");
            end.vi.PostSend(end.pool.Take().Send().Add(end.Piece(5)).Immediate(42));
            const vipl::Completion sent = end.vi.SendWait(LONG);
            BOOST_TEST(sent.Ok());
            BOOST_TEST((sent.operation == vipl::Operation::Send));
            BOOST_TEST(!sent.immediate);
            end.pool.Give(sent.descriptor);
        },
        [](FaceEnd& end) {
            end.Receive(64);
            const vipl::Completion received = end.vi.RecvWait(LONG).Check();
            BOOST_TEST((received.operation == vipl::Operation::Receive));
            BOOST_TEST(received.bytes == 5u);
            BOOST_TEST(received.immediate.value() == 42u);
            BOOST_TEST(end.Read(5) == "hello");
            end.vi.PostRecv(end.pool.Again(received.descriptor).Receive());
        });
}

BOOST_AUTO_TEST_CASE(AnRdmaWriteLandsWhereThePeerSaid)
{
    RunFacePair(
        [](FaceEnd& end) {
            end.Receive(sizeof(vipl::RemoteBuffer));
            end.vi.RecvWait(LONG).Check();
            const auto target = *reinterpret_cast<vipl::RemoteBuffer*>(end.memory.Data());
            end.Write("onetwo", 100);
            end.vi.PostSend(end.pool.Take()
                                .RdmaWrite(target + 10)
                                .Add(end.Piece(3, 103))
                                .Add(end.Piece(3, 100))
                                .Immediate(6));
            BOOST_TEST((end.vi.SendWait(LONG).operation == vipl::Operation::RdmaWrite));
        },
        [](FaceEnd& end) {
            Pause(2 * PS_PER_MS);
            *reinterpret_cast<vipl::RemoteBuffer*>(end.memory.Data()) = end.memory.Remote(1000);
            end.vi.PostRecv(end.pool.Take().Receive());
            end.vi.PostSend(end.pool.Take().Send().Add(end.Piece(sizeof(vipl::RemoteBuffer))));
            const vipl::Completion written = end.vi.RecvWait(LONG).Check();
            BOOST_TEST((written.operation == vipl::Operation::RemoteRdmaWrite));
            BOOST_TEST(written.immediate.value() == 6u);
            BOOST_TEST(end.Read(6, 1010) == "twoone");
        });
}

BOOST_AUTO_TEST_CASE(AnRdmaReadFetchesWhatThePeerAllows)
{
    ClusterConfig config;
    config.profile = "ideal";
    const auto client = [](FaceEnd& end) {
        end.Receive(sizeof(vipl::RemoteBuffer));
        end.vi.RecvWait(LONG).Check();
        const auto source = *reinterpret_cast<vipl::RemoteBuffer*>(end.memory.Data());
        end.vi.PostSend(end.pool.Take().RdmaRead(source).Add(end.Piece(5, 200)));
        end.vi.PostSend(end.pool.Take().Send().Add(end.Piece(1)).Fence());
        BOOST_TEST((end.vi.SendWait(LONG).Check().operation == vipl::Operation::RdmaRead));
        BOOST_TEST(end.Read(5, 200) == "there");
        BOOST_TEST((end.vi.SendWait(LONG).Check().operation == vipl::Operation::Send));
    };
    const auto server = [](FaceEnd& end) {
        Pause(2 * PS_PER_MS);
        const vipl::RegisteredMemory open(end.nic, 64, {end.tag.Get(), false, true});
        const std::string text = "there";
        text.copy(reinterpret_cast<char*>(open.Data()), text.size());
        *reinterpret_cast<vipl::RemoteBuffer*>(end.memory.Data()) = open.Remote();
        end.Receive(8, 100);
        end.vi.PostSend(end.pool.Take().Send().Add(end.Piece(sizeof(vipl::RemoteBuffer))));
        end.vi.RecvWait(LONG).Check();
    };
    RunFacePair(client, server, config);
}

BOOST_AUTO_TEST_CASE(NothingYetIsNoErrorButAnEmptyQueueIs)
{
    RunFacePair(Idle, [](FaceEnd& end) {
        std::error_code error;
        BOOST_TEST(!end.vi.RecvDone(error));
        BOOST_TEST(error == VIP_DESCRIPTOR_ERROR);
        BOOST_CHECK_EXCEPTION(end.vi.RecvDone(), std::system_error, Is(VIP_DESCRIPTOR_ERROR));
        BOOST_CHECK_EXCEPTION(end.vi.SendDone(), std::system_error, Is(VIP_DESCRIPTOR_ERROR));
        BOOST_CHECK_EXCEPTION(end.vi.SendWait(LONG), std::system_error, Is(VIP_DESCRIPTOR_ERROR));
        BOOST_TEST(!end.vi.RecvWait(LONG, error));
        BOOST_TEST(error == VIP_DESCRIPTOR_ERROR);
        end.Receive(8);
        BOOST_TEST(!end.vi.RecvDone(error));
        BOOST_TEST(!error);
        BOOST_TEST(!end.vi.RecvDone());
        BOOST_TEST(!end.cq.Done());
    });
}

BOOST_AUTO_TEST_CASE(AWaitThatTakesTooLongTimesOut)
{
    RunFacePair(Idle, [](FaceEnd& end) {
        end.Receive(8);
        const Ps before = Now();
        std::error_code error;
        BOOST_TEST(!end.vi.RecvWait(std::chrono::milliseconds(3), error));
        BOOST_TEST(error == VIP_TIMEOUT);
        BOOST_TEST((error == std::errc::timed_out));
        BOOST_TEST((Now() - before) / PS_PER_MS == 3);
        BOOST_CHECK_EXCEPTION(end.vi.RecvWait(vipl::Timeout(1)),
                              std::system_error,
                              Is(VIP_TIMEOUT));
        BOOST_CHECK_EXCEPTION(end.cq.Wait(vipl::Timeout(1)), std::system_error, Is(VIP_TIMEOUT));
    });
}

BOOST_AUTO_TEST_CASE(ADescriptorThatFailsIsACompletionNotAnException)
{
    RunFacePair(
        [](FaceEnd& end) {
            end.Receive(8);
            vipl::LocalBuffer wrong = end.Piece(8);
            wrong.handle += 1000;
            end.vi.PostSend(end.pool.Take().Send().Add(wrong));
            const vipl::Completion sent = end.vi.SendWait(LONG);
            BOOST_TEST((sent.status.Error() == vipl::StatusError::Protection));
            BOOST_CHECK_EXCEPTION(sent.Check(),
                                  std::system_error,
                                  Is(std::errc::permission_denied));
            const vipl::Completion flushed = end.vi.RecvDone().value();
            BOOST_TEST((flushed.status.Error() == std::errc::operation_canceled));
            BOOST_TEST((end.vi.Query().state == vipl::State::Error));
            end.vi.Disconnect();
            BOOST_TEST((end.vi.Query().state == vipl::State::Idle));
        },
        Idle);
}

BOOST_AUTO_TEST_CASE(EntriesOfACompletionQueueSayWhereToHarvest)
{
    const auto client = [](FaceEnd& end) {
        vipl::VirtualInterface vi(end.nic, end.Attributes(), &end.cq, &end.cq);
        vi.PostRecv(end.pool.Take().Receive().Add(end.Piece(8)));
        vi.ConnectRequest(end.Server("n0"), end.Server("n1"), LONG);
        const vipl::CqEntry received = end.cq.Wait(LONG);
        BOOST_TEST((received.vi == vi));
        BOOST_TEST(received.receive);
        BOOST_TEST(received.Harvest().value().Check().bytes == 8u);
        vi.PostSend(end.pool.Take().Send().Add(end.Piece(4)));
        const vipl::CqEntry sent = end.cq.Wait(LONG);
        BOOST_TEST(!sent.receive);
        std::error_code error;
        BOOST_TEST(sent.Harvest(error).value().Ok());
        BOOST_TEST(!sent.Harvest(error)); // one entry, one descriptor
        BOOST_TEST(error == VIP_DESCRIPTOR_ERROR);
    };
    const auto server = [](FaceEnd& end) {
        end.Receive(8);
        vipl::ConnectionRequest(end.nic, end.Server("n1"), LONG).Accept(end.vi);
        end.vi.PostSend(end.pool.Take().Send().Add(end.Piece(8)));
        BOOST_TEST(end.vi.RecvWait(LONG).Check().bytes == 4u);
        Pause(PS_PER_MS);
    };
    RunUnconnected(client, server);
}

BOOST_AUTO_TEST_CASE(ARequestThatNobodyAnswersIsRejectedWhenItGoes)
{
    const auto client = [](FaceEnd& end) {
        std::error_code error;
        end.vi.ConnectRequest(end.Server("n0"), end.Server("n1"), LONG, error);
        BOOST_TEST(error == VIP_REJECT);
        end.vi.ConnectRequest(end.Server("n0"), end.Server("n1"), LONG, error);
        BOOST_TEST(error == VIP_REJECT);
        BOOST_TEST((end.vi.Query().state == vipl::State::Idle));
    };
    const auto server = [](FaceEnd& end) {
        {
            const vipl::ConnectionRequest request(end.nic, end.Server("n1"), LONG);
            BOOST_TEST((request.Remote() == end.Server("n0")));
        }
        vipl::ConnectionRequest(end.nic, end.Server("n1"), LONG).Reject();
        Pause(PS_PER_MS);
    };
    RunUnconnected(client, server);
}

BOOST_AUTO_TEST_CASE(ARequestStaysWhenAttributesDisagree)
{
    const auto client = [](FaceEnd& end) {
        vipl::ViAttributes attributes = end.Attributes();
        attributes.maxTransferSize = 40000;
        end.vi.SetAttributes(attributes);
        const vipl::ViAttributes remote =
            end.vi.ConnectRequest(end.Server("n0"), end.Server("n1"), LONG);
        BOOST_TEST(remote.maxTransferSize == 40000u);
        BOOST_TEST(remote.rdmaWrite);
        BOOST_CHECK_EXCEPTION(end.vi.SetAttributes(attributes),
                              std::system_error,
                              Is(VIP_INVALID_STATE));
    };
    const auto server = [](FaceEnd& end) {
        vipl::ConnectionRequest request(end.nic, end.Server("n1"), LONG);
        BOOST_TEST(request.RemoteAttributes().maxTransferSize == 40000u);
        std::error_code error;
        request.Accept(end.vi, error);
        BOOST_TEST(error == VIP_INVALID_MTU);
        BOOST_TEST(static_cast<bool>(request));
        vipl::ViAttributes attributes = end.Attributes();
        attributes.maxTransferSize = request.RemoteAttributes().maxTransferSize;
        end.vi.SetAttributes(attributes);
        request.Accept(end.vi);
        BOOST_TEST(!request);
        Pause(PS_PER_MS);
    };
    RunUnconnected(client, server);
}

BOOST_AUTO_TEST_CASE(NobodyAtADiscriminatorIsNoMatch)
{
    RunFace([](FaceEnd& end) {
        BOOST_CHECK_EXCEPTION(end.vi.ConnectRequest(end.Server("n0"), end.Server("n1"), LONG),
                              std::system_error,
                              Is(VIP_NO_MATCH));
        std::error_code error;
        end.vi.ConnectRequest(end.Server("n0"), end.Server("n1"), vipl::Timeout(0), error);
        BOOST_TEST(error == VIP_INVALID_PARAMETER);
        const vipl::ConnectionRequest none(end.nic, end.Server("n0"), vipl::Timeout(1), error);
        BOOST_TEST(error == VIP_TIMEOUT);
        BOOST_TEST(!none);
    });
}

BOOST_AUTO_TEST_CASE(AVisUserDataIsAPointerOfTheUsers)
{
    RunFace([](FaceEnd& end) {
        BOOST_TEST(end.vi.GetUserData() == nullptr);
        end.vi.SetUserData(&end);
        BOOST_TEST(end.vi.GetUserData() == &end);
    });
}

BOOST_AUTO_TEST_CASE(DeferredSendsWaitForOneDoorbell)
{
    const auto client = [](FaceEnd& end) {
        BOOST_TEST(!end.vi.PostDeferredSends(true));
        end.vi.PostSend(end.pool.Take().Send().Add(end.Piece(1)));
        end.vi.PostSend(end.pool.Take().Send().Add(end.Piece(2)));
        Pause(PS_PER_MS);
        BOOST_TEST(!end.vi.SendDone());
        BOOST_TEST(end.vi.PostDeferredSends(false));
        BOOST_TEST(end.vi.SendWait(LONG).Check().bytes == 1u);
        BOOST_TEST(end.vi.SendWait(LONG).Check().bytes == 2u);
    };
    RunFacePair(client, [](FaceEnd& end) {
        end.Receive(8);
        end.Receive(8);
    });
}

BOOST_AUTO_TEST_CASE(AnEventIsTiedToAQueueOnce)
{
    RunFace([](FaceEnd& end) {
        VIP_EVENT_HANDLE event = nullptr;
        end.cq.AddTag(event, 1, 0);
        BOOST_TEST(event != nullptr);
        std::error_code error;
        end.cq.AddTag(event, 1, 0, error);
        BOOST_TEST(error == VIP_INVALID_PARAMETER);
        end.cq.RemoveTag(event, 1);
        BOOST_CHECK_EXCEPTION(end.cq.RemoveTag(event, 1),
                              std::system_error,
                              Is(VIP_INVALID_PARAMETER));
    });
}

BOOST_AUTO_TEST_CASE(WhereTheExtrasAreNotTheFaceSaysSo)
{
    ClusterConfig config;
    config.overrides = {{"vipl.extensions", "0"}};
    const auto body = [](FaceEnd& end) {
        std::error_code error;
        VIP_EVENT_HANDLE event = nullptr;
        end.cq.AddTag(event, 1, 0, error);
        BOOST_TEST((error == std::errc::not_supported));
        end.cq.RemoveTag(event, 1, error);
        BOOST_TEST(error == VIP_ERROR_NOT_SUPPORTED);
        BOOST_CHECK_EXCEPTION(end.vi.PostDeferredSends(true),
                              std::system_error,
                              Is(VIP_ERROR_NOT_SUPPORTED));
    };
    RunFace(body, config);
}

BOOST_AUTO_TEST_CASE(AsynchronousErrorsReachTheLatestHandlerOnly)
{
    RunFacePair(
        [](FaceEnd& end) {
            for (int i = 0; i < 3; ++i)
            {
                Pause(PS_PER_MS);
                end.vi.PostSend(end.pool.Take().Send().Add(end.Piece(8)));
            }
        },
        [](FaceEnd& end) {
            std::vector<vipl::AsyncError> told;
            auto witness = std::make_shared<int>();
            end.nic.ErrorCallback(
                [&told, witness](const vipl::AsyncError& error) { told.push_back(error); });
            BOOST_TEST(witness.use_count() == 2);
            Pause(3 * PS_PER_MS);
            end.vi.Query();
            BOOST_TEST(told.size() == 2u); // no receive; the connection broke
            BOOST_TEST(told.at(0).code == VIP_ERROR_RECVQ_EMPTY);
            BOOST_TEST(told.at(0).vi == end.vi.Get());
            BOOST_TEST(std::string(told.at(1).Message()) == "connection lost");
            end.nic.ErrorCallback([](const vipl::AsyncError&) {});
            BOOST_TEST(witness.use_count() == 1);
            end.nic.ErrorCallback(nullptr);
        });
}

BOOST_AUTO_TEST_CASE(AHandlerThatVipRefusesLeavesTheOldOneInPlace)
{
    RunFace([](FaceEnd&) {
        vipl::Nic empty;
        std::error_code error;
        auto witness = std::make_shared<int>();
        empty.ErrorCallback([witness](const vipl::AsyncError&) {}, error);
        BOOST_TEST(error == VIP_INVALID_PARAMETER);
        BOOST_TEST(witness.use_count() == 1);
    });
}

BOOST_AUTO_TEST_CASE(ANicMayMoveWhileItsHandlerIsSet)
{
    ClusterConfig config;
    config.overrides = {{"nic.max_queue_depth", "1"}};
    const auto body = [](FaceEnd& end) {
        std::vector<VIP_ERROR_CODE> told;
        vipl::Nic first("nic0");
        first.ErrorCallback([&told](const vipl::AsyncError& error) { told.push_back(error.code); });
        const vipl::Nic second(std::move(first));
        const vipl::ProtectionTag tag(second);
        vipl::ViAttributes attributes;
        attributes.tag = tag.Get();
        const vipl::VirtualInterface vi(second, attributes);
        vi.PostRecv(end.pool.Take().Receive());
        vi.PostRecv(end.pool.Take().Receive()); // one more than the queue holds
        Pause(PS_PER_MS);
        vi.Query();
        BOOST_TEST(told == std::vector<VIP_ERROR_CODE>{VIP_ERROR_VI_OVERRUN},
                   boost::test_tools::per_element());
    };
    RunFace(body, config);
}

BOOST_AUTO_TEST_CASE(AClosedNicTakesItsHandlerWithItThoughAnotherHasItsHandle)
{
    ClusterConfig config;
    config.overrides = {{"nic.max_queue_depth", "1"}};
    const auto body = [](FaceEnd& end) {
        int calls = 0;
        const auto witness = std::make_shared<int>();
        vipl::Nic other("nic0");
        other.ErrorCallback([&calls, witness](const vipl::AsyncError&) { ++calls; });
        other.Close();
        BOOST_TEST(witness.use_count() == 1);
        end.Receive(8);
        end.Receive(8); // one more than the queue holds
        Pause(PS_PER_MS);
        end.vi.Query();
        BOOST_TEST(calls == 0);
    };
    RunFace(body, config);
}

BOOST_AUTO_TEST_CASE(AClosedNicLeavesTheHandlerOfAnotherInPlace)
{
    ClusterConfig config;
    config.overrides = {{"nic.max_queue_depth", "1"}};
    const auto body = [](FaceEnd& end) {
        int calls = 0;
        vipl::Nic other("nic0");
        other.ErrorCallback([](const vipl::AsyncError&) {});
        end.nic.ErrorCallback([&calls](const vipl::AsyncError&) { ++calls; });
        other.Close();
        end.Receive(8);
        end.Receive(8); // one more than the queue holds
        Pause(PS_PER_MS);
        end.vi.Query();
        BOOST_TEST(calls == 1);
        end.nic.ErrorCallback(nullptr);
    };
    RunFace(body, config);
}

BOOST_AUTO_TEST_SUITE_END()
