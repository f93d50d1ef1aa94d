/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Pieces of booked work: those that are not done in time are the last ones, and may go on.

#include "ns3/via-booked-work.h"

#include <boost/test/unit_test.hpp>
#include <map>

using namespace ns3::via;

namespace
{

/// Work in three pieces: 10 ps of computing, 20 of polling, 30 of posting.
struct ThreePieces
{
    ThreePieces()
    {
        work.Add({Stage::COMPUTE, false, 10}, false);
        work.Add({Stage::CALL_POLL, false, 20}, false);
        work.Add({Stage::CALL_POST_SEND, true, 30}, false);
    }

    /// @return what belongs to none of them
    Ps Change(Ps more)
    {
        return work.Change(more, [this](const BookedWork::Piece& piece, Ps change) {
            booked[piece.stage] += change;
        });
    }

    BookedWork work;
    std::map<Stage, Ps> booked{{Stage::COMPUTE, 10},
                               {Stage::CALL_POLL, 20},
                               {Stage::CALL_POST_SEND, 30}};
};

} // namespace

BOOST_AUTO_TEST_SUITE(BookedWorkTest)

BOOST_FIXTURE_TEST_CASE(TheLastPiecesAreNotDone, ThreePieces)
{
    BOOST_TEST(Change(-35) == 0);
    BOOST_TEST(booked[Stage::COMPUTE] == 10);
    BOOST_TEST(booked[Stage::CALL_POLL] == 15);
    BOOST_TEST(booked[Stage::CALL_POST_SEND] == 0);
}

BOOST_FIXTURE_TEST_CASE(WhatHadToStopGoesOnWhereItStopped, ThreePieces)
{
    Change(-35);
    BOOST_TEST(Change(15) == 0);
    BOOST_TEST(booked[Stage::CALL_POLL] == 20);
    BOOST_TEST(booked[Stage::CALL_POST_SEND] == 10);
}

BOOST_FIXTURE_TEST_CASE(MoreThanThereWasIsOfTheLastPiece, ThreePieces)
{
    BOOST_TEST(Change(7) == 0);
    BOOST_TEST(booked[Stage::CALL_POST_SEND] == 37);
}

BOOST_FIXTURE_TEST_CASE(NoPieceHasLessThanNothing, ThreePieces)
{
    BOOST_TEST(Change(-70) == -10);
    BOOST_TEST(booked[Stage::COMPUTE] == 0);
}

BOOST_FIXTURE_TEST_CASE(APieceThatComesFirstIsDoneBeforeTheOthers, ThreePieces)
{
    work.Add({Stage::CONTEXT_SWITCH, false, 5}, true);
    BOOST_TEST(Change(-60) == 0);
    BOOST_TEST(booked[Stage::COMPUTE] == 0);
    BOOST_TEST(booked.count(Stage::CONTEXT_SWITCH) == 0);
}

BOOST_FIXTURE_TEST_CASE(WhatWasDoneBeforeAPieceThatComesFirstDoesNotChange, ThreePieces)
{
    booked[Stage::CONTEXT_SWITCH] = 5;
    work.KeepLast(35); // 5 of the polling, 30 of the posting
    work.Add({Stage::CONTEXT_SWITCH, false, 5}, true);
    BOOST_TEST(Change(-38) == 0);
    BOOST_TEST(booked[Stage::COMPUTE] == 10);
    BOOST_TEST(booked[Stage::CALL_POLL] == 15);
    BOOST_TEST(booked[Stage::CONTEXT_SWITCH] == 2);
}

BOOST_FIXTURE_TEST_CASE(WhatHadToStopIsKeptWithTheLastPieces, ThreePieces)
{
    Change(-40);
    work.KeepLast(15);
    BOOST_TEST(Change(40) == 0);
    BOOST_TEST(booked[Stage::COMPUTE] == 10);
    BOOST_TEST(booked[Stage::CALL_POLL] == 20);
    BOOST_TEST(booked[Stage::CALL_POST_SEND] == 30);
}

BOOST_FIXTURE_TEST_CASE(WhatIsOverDoesNotChange, ThreePieces)
{
    work.Clear();
    BOOST_TEST(Change(-5) == -5);
    BOOST_TEST(Change(5) == 5);
}

BOOST_AUTO_TEST_SUITE_END()
