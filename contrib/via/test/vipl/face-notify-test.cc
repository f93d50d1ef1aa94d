/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// vipl.hpp: handlers, and how long they live.

#include "support/via-test-face-bench.h"

#include <memory>
#include <vector>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

constexpr Ps LATER = 100 * PS_PER_MS;

/// Sends @p count messages with their number as immediate data, 10 ms apart.
FaceBody
Sends(VIP_UINT32 count)
{
    return [count](FaceEnd& end) {
        for (VIP_UINT32 i = 1; i <= count; ++i)
        {
            Pause(10 * PS_PER_MS);
            end.vi.PostSend(end.pool.Take().Send().Add(end.Piece(i)).Immediate(i));
            end.vi.SendWait(LONG).Check();
        }
    };
}

using Numbers = std::vector<VIP_UINT32>;

} // namespace

BOOST_AUTO_TEST_SUITE(face_notify)

BOOST_AUTO_TEST_CASE(AReceiveHandlerIsCalledOnceAndThenForgotten)
{
    RunFacePair(Sends(2), [](FaceEnd& end) {
        Numbers told;
        const auto witness = std::make_shared<int>();
        end.Receive(64);
        end.Receive(64);
        end.vi.RecvNotify([&, witness](vipl::ViRef vi, const vipl::Completion& done) {
            BOOST_TEST((vi == end.vi));
            told.push_back(done.Check().immediate.value());
        });
        BOOST_TEST(witness.use_count() == 2);
        Pause(LATER);
        BOOST_TEST(told == Numbers{1}, boost::test_tools::per_element());
        BOOST_TEST(witness.use_count() == 1);
        BOOST_TEST(end.vi.RecvDone().value().immediate.value() == 2u);
    });
}

BOOST_AUTO_TEST_CASE(AHandlerMayAskForTheNextOne)
{
    RunFacePair(Sends(3), [](FaceEnd& end) {
        Numbers told;
        vipl::CompletionHandler handler = [&](vipl::ViRef, const vipl::Completion& done) {
            told.push_back(done.bytes);
            end.vi.PostRecv(end.pool.Again(done.descriptor).Receive().Add(end.Piece(64)));
            end.vi.RecvNotify(handler);
        };
        end.Receive(64);
        end.vi.RecvNotify(handler);
        Pause(LATER);
        BOOST_TEST(told == (Numbers{1, 2, 3}), boost::test_tools::per_element());
        end.vi = {}; // the handler that still waits goes before what it refers to
    });
}

BOOST_AUTO_TEST_CASE(ASendHandlerIsHandedTheCompletedSend)
{
    const auto client = [](FaceEnd& end) {
        Numbers told;
        end.vi.SendNotify([&](vipl::ViRef, const vipl::Completion& done) {
            BOOST_TEST((done.operation == vipl::Operation::Send));
            told.push_back(done.bytes);
        });
        end.vi.PostSend(end.pool.Take().Send().Add(end.Piece(5)));
        Pause(LATER);
        BOOST_TEST(told == Numbers{5}, boost::test_tools::per_element());
    };
    RunFacePair(client, [](FaceEnd& end) {
        end.Receive(64);
        Pause(LATER);
    });
}

BOOST_AUTO_TEST_CASE(AnEntryHandlerHarvestsForItself)
{
    const auto client = [](FaceEnd& end) {
        Numbers told;
        vipl::VirtualInterface vi(end.nic, end.Attributes(), &end.cq, &end.cq);
        end.cq.Notify([&](const vipl::CqEntry& entry) {
            BOOST_TEST((entry.vi == vi));
            BOOST_TEST(!entry.receive);
            told.push_back(entry.Harvest().value().bytes);
        });
        vi.PostSend(end.pool.Take().Send().Add(end.Piece(0))); // not connected: flushed
        Pause(LATER);
        BOOST_TEST(told.size() == 1u);
        BOOST_TEST(!end.cq.Done());
    };
    RunFacePair(client, [](FaceEnd&) {});
}

BOOST_AUTO_TEST_CASE(TheEndOfTheViCancelsItsHandlers)
{
    RunFace([](FaceEnd& end) {
        const auto witness = std::make_shared<int>();
        int calls = 0;
        const auto count = [&calls, witness](vipl::ViRef, const vipl::Completion&) { ++calls; };
        end.vi.RecvNotify(count);
        end.vi.SendNotify(count);
        const auto before = witness.use_count();
        end.vi = vipl::VirtualInterface();
        BOOST_TEST(witness.use_count() == before - 2);
        Pause(LATER);
        BOOST_TEST(calls == 0);
    });
}

BOOST_AUTO_TEST_CASE(TheEndOfAConnectedViCallsNoHandlerWithWhatItFlushes)
{
    RunFacePair([](FaceEnd&) {},
                [](FaceEnd& end) {
                    const auto witness = std::make_shared<int>();
                    int calls = 0;
                    end.Receive(64);
                    end.vi.RecvNotify(
                        [&calls, witness](vipl::ViRef, const vipl::Completion&) { ++calls; });
                    end.vi = {};
                    BOOST_TEST(witness.use_count() == 1);
                    Pause(LATER);
                    BOOST_TEST(calls == 0);
                });
}

BOOST_AUTO_TEST_CASE(TheEndOfAViCallsNoHandlerOfItsQueueWithWhatItFlushes)
{
    RunFace([](FaceEnd& end) {
        int calls = 0;
        vipl::VirtualInterface first(end.nic, end.Attributes(), &end.cq, &end.cq);
        first.PostRecv(end.pool.Take().Receive().Add(end.Piece(8)));
        end.cq.Notify([&calls](const vipl::CqEntry& entry) {
            ++calls;
            BOOST_TEST(entry.Harvest().value().descriptor != nullptr);
        });
        first = {};
        Pause(LATER);
        BOOST_TEST(calls == 0);
        const vipl::VirtualInterface second(end.nic, end.Attributes(), &end.cq, &end.cq);
        second.PostSend(end.pool.Take().Send().Add(end.Piece(0))); // not connected: flushed
        Pause(LATER);
        BOOST_TEST(calls == 1); // it still waited
    });
}

BOOST_AUTO_TEST_CASE(AnExceptionThatLeavesAHandlerEndsTheProcess)
{
    const RunReport report = RunEach({[] {
        FaceEnd end;
        end.vi.SendNotify([](vipl::ViRef, const vipl::Completion& done) { done.Check(); });
        end.vi.PostSend(end.pool.Take().Send()); // not connected: flushed
        Pause(LATER);
    }});
    BOOST_TEST(report.processes[0].signal == 6);
    BOOST_TEST(report.processes[0].report == "uncaught exception: descriptor: flushed");
}

BOOST_AUTO_TEST_CASE(TheEndOfTheQueueCancelsItsHandlers)
{
    RunFace([](FaceEnd& end) {
        const auto witness = std::make_shared<int>();
        end.cq.Notify([witness](const vipl::CqEntry&) {});
        BOOST_TEST(witness.use_count() == 2);
        end.cq.Close();
        BOOST_TEST(witness.use_count() == 1);
    });
}

BOOST_AUTO_TEST_CASE(AHandlerIsCalledAlthoughItsOwnersMoved)
{
    RunFacePair(Sends(1), [](FaceEnd& end) {
        Numbers told;
        end.Receive(64);
        end.vi.RecvNotify(
            [&](vipl::ViRef, const vipl::Completion& done) { told.push_back(done.bytes); });
        vipl::VirtualInterface heir(std::move(end.vi));
        Pause(LATER);
        BOOST_TEST(told == Numbers{1}, boost::test_tools::per_element());
        end.vi = std::move(heir);
    });
}

BOOST_AUTO_TEST_CASE(AHandlerThatViplRefusesIsForgottenAtOnce)
{
    RunFace([](FaceEnd&) {
        const auto witness = std::make_shared<int>();
        vipl::VirtualInterface vi;
        vipl::CompletionQueue cq;
        std::error_code error;
        vi.RecvNotify([witness](vipl::ViRef, const vipl::Completion&) {}, error);
        BOOST_TEST(error == VIP_INVALID_PARAMETER);
        vi.SendNotify([witness](vipl::ViRef, const vipl::Completion&) {}, error);
        BOOST_TEST(error == VIP_INVALID_PARAMETER);
        cq.Notify([witness](const vipl::CqEntry&) {}, error);
        BOOST_TEST(error == VIP_INVALID_PARAMETER);
        BOOST_TEST(witness.use_count() == 1);
        BOOST_CHECK_EXCEPTION(cq.Notify([](const vipl::CqEntry&) {}),
                              std::system_error,
                              Is(VIP_INVALID_PARAMETER));
    });
}

BOOST_AUTO_TEST_SUITE_END()
