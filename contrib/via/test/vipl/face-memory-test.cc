/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// vipl.hpp: regions, registered memory, and descriptors from a pool.

#include "support/via-test-face-bench.h"

#include <cstdint>
#include <vector>

using namespace ns3::via;
using namespace ns3::via::test;

BOOST_AUTO_TEST_SUITE(face_memory)

BOOST_AUTO_TEST_CASE(ARegionNamesPiecesOfItself)
{
    RunFace([](FaceEnd& end) {
        std::vector<int> numbers(100);
        const vipl::Span<int> all(numbers);
        const vipl::Region region(end.nic, vipl::WritableBytes(all), {end.tag.Get()});
        const vipl::LocalBuffer piece = region.Local(8, 16);
        BOOST_TEST(piece.address == &numbers[2]);
        BOOST_TEST(piece.length == 16u);
        BOOST_TEST(piece.handle == region.Handle());
        BOOST_TEST(region.Local(all.subspan(3, 5)).address == &numbers[3]);
        BOOST_TEST(region.Local(all.subspan(3, 5)).length == 20u);
        BOOST_TEST(region.Remote(4).address == reinterpret_cast<VIP_UINT64>(&numbers[1]));
        BOOST_TEST(region.Remote().handle == region.Handle());
    });
}

BOOST_AUTO_TEST_CASE(APieceOutsideItsRegionIsRefused)
{
    RunFace([](FaceEnd& end) {
        const vipl::RegisteredMemory& memory = end.memory;
        BOOST_TEST(memory.Local(memory.Size(), 0).length == 0u);
        BOOST_CHECK_THROW(memory.Local(memory.Size(), 1), std::out_of_range);
        BOOST_CHECK_THROW(memory.Local(1, memory.Size()), std::out_of_range);
        BOOST_CHECK_THROW(memory.Local(SIZE_MAX, 2), std::out_of_range);
        BOOST_CHECK_THROW(memory.Remote(memory.Size() + 1), std::out_of_range);
        int elsewhere = 0;
        BOOST_CHECK_THROW(memory.Region().Local(vipl::Span<int>(&elsewhere, 1)), std::out_of_range);
    });
}

BOOST_AUTO_TEST_CASE(ARegionsRightsCanBeAskedAndChanged)
{
    RunFace([](FaceEnd& end) {
        std::vector<std::byte> bytes(64);
        vipl::Region region(end.nic, bytes, {end.tag.Get(), false});
        BOOST_TEST(!region.Query().rdmaWrite);
        region.SetAttributes({end.tag.Get(), true});
        BOOST_TEST(region.Query().rdmaWrite);
        BOOST_TEST(region.Query().tag == end.tag.Get());
        BOOST_CHECK_EXCEPTION(region.SetAttributes({&end}),
                              std::system_error,
                              Is(VIP_INVALID_PTAG));
        BOOST_TEST(region.Query().rdmaWrite);
    });
}

BOOST_AUTO_TEST_CASE(ARegistrationThatVipRefusesIsEmpty)
{
    RunFace([](FaceEnd& end) {
        std::error_code error;
        std::vector<std::byte> bytes(64);
        const vipl::Region region(end.nic, bytes, {&bytes}, error);
        BOOST_TEST(error == VIP_INVALID_PTAG);
        BOOST_TEST(!region);
        BOOST_CHECK_EXCEPTION(vipl::RegisteredMemory(end.nic, 64, {&bytes}),
                              std::system_error,
                              Is(VIP_INVALID_PTAG));
        BOOST_CHECK_EXCEPTION(vipl::Region(end.nic, {}, {end.tag.Get()}),
                              std::system_error,
                              Is(VIP_INVALID_PARAMETER));
    });
}

BOOST_AUTO_TEST_CASE(RegisteredMemoryBeginsAtAPageAndIsZero)
{
    RunFace([](FaceEnd& end) {
        const auto address = reinterpret_cast<std::uintptr_t>(end.memory.Data());
        BOOST_TEST(address % vipl::RegisteredMemory::ALIGNMENT == 0u);
        for (std::size_t i = 0; i < end.memory.Size(); ++i)
        {
            BOOST_REQUIRE((end.memory.Data()[i] == std::byte{0}));
        }
    });
}

BOOST_AUTO_TEST_CASE(RegisteredMemoryMovesWithItsRegistration)
{
    RunFace([](FaceEnd& end) {
        vipl::RegisteredMemory first(end.nic, 64, {end.tag.Get()});
        std::byte* const data = first.Data();
        vipl::RegisteredMemory second(std::move(first));
        BOOST_TEST(!first);
        BOOST_TEST(second.Data() == data);
        BOOST_TEST(second.Local(0, 64).address == data);
        second = vipl::RegisteredMemory(end.nic, 128, {end.tag.Get()});
        BOOST_TEST(second.Size() == 128u);
    });
}

BOOST_AUTO_TEST_CASE(DescriptorsOfAPoolAreAlignedAndApart)
{
    RunFace([](FaceEnd& end) {
        vipl::DescriptorPool pool(end.nic, end.tag, 3, 5);
        std::vector<std::uintptr_t> at;
        while (pool.Available() > 0)
        {
            at.push_back(reinterpret_cast<std::uintptr_t>(pool.Take().Get()));
            BOOST_TEST(at.back() % VIP_DESCRIPTOR_ALIGNMENT == 0u);
        }
        BOOST_TEST(at.size() == 3u);
        BOOST_TEST(at[1] - at[0] == 128u); // 32 + 5 * 16 bytes in whole lines
        BOOST_TEST(at[2] - at[1] == 128u);
    });
}

BOOST_AUTO_TEST_CASE(AnEmptyPoolRefusesUntilOneIsGivenBack)
{
    RunFace([](FaceEnd& end) {
        vipl::DescriptorPool pool(end.nic, end.tag, 1);
        const vipl::Descriptor only = pool.Take();
        std::error_code error;
        BOOST_TEST(!pool.Take(error));
        BOOST_TEST(error == VIP_ERROR_RESOURCE);
        BOOST_CHECK_EXCEPTION(pool.Take(), std::system_error, Is(VIP_ERROR_RESOURCE));
        pool.Give(only.Get());
        BOOST_TEST(pool.Take(error).Get() == only.Get());
        BOOST_TEST(!error);
    });
}

BOOST_AUTO_TEST_CASE(APoolTakesBackOnlyWhatWasTaken)
{
    RunFace([](FaceEnd& end) {
        vipl::DescriptorPool pool(end.nic, end.tag, 2);
        const vipl::Descriptor one = pool.Take();
        VIP_DESCRIPTOR foreign;
        BOOST_CHECK_THROW(pool.Give(&foreign), std::invalid_argument);
        BOOST_CHECK_THROW(pool.Give(nullptr), std::invalid_argument);
        BOOST_CHECK_THROW(pool.Give(one.Get() + 1), std::invalid_argument); // not taken
        BOOST_CHECK_THROW(vipl::DescriptorPool().Give(one.Get()), std::invalid_argument);
        pool.Give(one.Get());
        BOOST_CHECK_THROW(pool.Give(one.Get()), std::invalid_argument); // given twice
        BOOST_CHECK_THROW(pool.Again(one.Get()), std::invalid_argument);
        BOOST_TEST(pool.Available() == 2u);
    });
}

BOOST_AUTO_TEST_CASE(APoolThatCannotBeRegisteredIsEmpty)
{
    RunFace([](FaceEnd& end) {
        vipl::ProtectionTag gone(end.nic);
        const VIP_PROTECTION_HANDLE handle = gone.Get();
        VipDestroyPtag(end.nic.Get(), handle);
        std::error_code error;
        vipl::DescriptorPool pool(end.nic, gone, 4, 2, error);
        BOOST_TEST(error == VIP_INVALID_PTAG);
        BOOST_TEST(pool.Size() == 0u);
        BOOST_TEST(!pool.Take(error));
        BOOST_TEST(error == VIP_ERROR_RESOURCE);
        pool = vipl::DescriptorPool(end.nic, end.tag, 4, 2, error);
        BOOST_TEST(!error);
        BOOST_TEST(pool.Available() == 4u);
    });
}

BOOST_AUTO_TEST_CASE(ASendIsBuiltPieceByPiece)
{
    RunFace([](FaceEnd& end) {
        vipl::Descriptor made = end.pool.Take();
        made.Send().Add(end.Piece(10)).Add(end.Piece(20, 100)).Immediate(77).Fence();
        const VIP_DESCRIPTOR& raw = *made.Get();
        BOOST_TEST(raw.CS.SegCount == 2);
        BOOST_TEST(raw.CS.Length == 30u);
        BOOST_TEST(raw.CS.ImmediateData == 77u);
        BOOST_TEST(raw.CS.Control ==
                   (VIP_CONTROL_OP_SENDRECV | VIP_CONTROL_IMMEDIATE | VIP_CONTROL_QFENCE));
        BOOST_TEST(raw.DS[1].Local.Data.Address == end.memory.Data() + 100);
        BOOST_TEST(raw.DS[1].Local.Length == 20u);
    });
}

BOOST_AUTO_TEST_CASE(AnRdmaOperationBeginsWithItsRemotePlace)
{
    RunFace([](FaceEnd& end) {
        vipl::Descriptor made = end.pool.Take();
        made.RdmaWrite({4096, 9}).Add(end.Piece(10));
        BOOST_TEST(made.Get()->CS.Control == VIP_CONTROL_OP_RDMAWRITE);
        BOOST_TEST(made.Get()->CS.SegCount == 2);
        BOOST_TEST(made.Get()->CS.Length == 10u);
        BOOST_TEST(made.Get()->DS[0].Remote.Data.AddressBits == 4096u);
        BOOST_TEST(made.Get()->DS[0].Remote.Handle == 9u);
        made.RdmaRead({8192, 8}).Add(end.Piece(5));
        BOOST_TEST(made.Get()->CS.Control == VIP_CONTROL_OP_RDMAREAD);
        BOOST_TEST(made.Get()->CS.Length == 5u);
    });
}

BOOST_AUTO_TEST_CASE(BeginningAgainForgetsWhatWasThere)
{
    RunFace([](FaceEnd& end) {
        vipl::Descriptor made = end.pool.Take();
        made.Send().Add(end.Piece(10)).Immediate(1);
        made.Receive();
        BOOST_TEST(made.Get()->CS.SegCount == 0);
        BOOST_TEST(made.Get()->CS.Length == 0u);
        BOOST_TEST(made.Get()->CS.Control == 0);
        BOOST_TEST(made.Get()->CS.Status == 0u);
    });
}

BOOST_AUTO_TEST_CASE(MorePiecesThanADescriptorHasRoomForAreRefused)
{
    RunFace([](FaceEnd& end) {
        vipl::DescriptorPool pool(end.nic, end.tag, 1, 2);
        vipl::Descriptor made = pool.Take();
        made.RdmaWrite({0, 0}).Add(end.Piece(1));
        BOOST_CHECK_THROW(made.Add(end.Piece(1)), std::length_error);
        BOOST_TEST(made.Get()->CS.Length == 1u);
        made.Send().Add(end.Piece(1)).Add(end.Piece(1));
        BOOST_CHECK_THROW(made.Add(end.Piece(1)), std::length_error);
    });
}

BOOST_AUTO_TEST_SUITE_END()
