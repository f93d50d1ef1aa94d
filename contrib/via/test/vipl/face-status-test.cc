/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// vipl.hpp: codes, statuses, timeouts, addresses and spans, without a simulation.

#include <array>
#include <boost/test/unit_test.hpp>
#include <set>
#include <string>
#include <type_traits>
#include <vector>
#include <vipl.hpp>

using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(face_status)

BOOST_AUTO_TEST_CASE(AReturnCodeIsAnErrorCode)
{
    const std::error_code error = VIP_TIMEOUT;
    BOOST_TEST(static_cast<bool>(error));
    BOOST_TEST(error == VIP_TIMEOUT);
    BOOST_TEST(error != VIP_REJECT);
    BOOST_TEST((error.category() == vipl::Category()));
    BOOST_TEST(error.message() == "timed out");
    BOOST_TEST(std::string(error.category().name()) == "vipl");
}

BOOST_AUTO_TEST_CASE(SuccessIsNoError)
{
    const std::error_code error = VIP_SUCCESS;
    BOOST_TEST(!error);
    BOOST_TEST(error.message() == "success");
}

BOOST_AUTO_TEST_CASE(EveryReturnCodeHasAMessageOfItsOwn)
{
    std::set<std::string> messages;
    for (int code = VIP_SUCCESS; code <= VIP_ERROR_NOT_SUPPORTED; ++code)
    {
        messages.insert(vipl::Category().message(code));
    }
    BOOST_TEST(messages.size() == 17u);
    BOOST_TEST(vipl::Category().message(17) == "VIPL return code 17");
    BOOST_TEST(vipl::Category().message(-1) == "VIPL return code -1");
}

BOOST_AUTO_TEST_CASE(CodesMeanWhatPosixMeansWhereItHasAWord)
{
    BOOST_TEST((make_error_code(VIP_TIMEOUT) == std::errc::timed_out));
    BOOST_TEST((make_error_code(VIP_REJECT) == std::errc::connection_refused));
    BOOST_TEST((make_error_code(VIP_NO_MATCH) == std::errc::connection_refused));
    BOOST_TEST((make_error_code(VIP_INVALID_MTU) == std::errc::invalid_argument));
    BOOST_TEST((make_error_code(VIP_NOT_REACHABLE) == std::errc::host_unreachable));
    BOOST_TEST((make_error_code(VIP_INVALID_RDMAREAD) == std::errc::not_supported));
    BOOST_TEST((make_error_code(VIP_ERROR_RESOURCE) == std::errc::not_enough_memory));
    BOOST_TEST((make_error_code(VIP_NOT_DONE) == std::errc::operation_would_block));
    BOOST_TEST((make_error_code(VIP_DESCRIPTOR_ERROR) == std::errc::io_error));
    BOOST_TEST((make_error_code(VIP_INVALID_STATE) != std::errc::invalid_argument));
}

BOOST_AUTO_TEST_CASE(AStatusIsTyped)
{
    const vipl::Status status(VIP_STATUS_DONE | VIP_STATUS_OP_REMOTE_RDMA_WRITE |
                              VIP_STATUS_IMMEDIATE);
    BOOST_TEST(status.Done());
    BOOST_TEST(status.Ok());
    BOOST_TEST(status.HasImmediate());
    BOOST_TEST((status.Operation() == vipl::Operation::RemoteRdmaWrite));
    BOOST_TEST(!status.Error());
    BOOST_TEST(!vipl::Status().Done());
    BOOST_TEST(!vipl::Status().Ok());
}

BOOST_AUTO_TEST_CASE(AStatusWithSeveralErrorsIsEachOfThem)
{
    const vipl::Status status(VIP_STATUS_DONE | VIP_STATUS_TRANSPORT_ERROR |
                              VIP_STATUS_PARTIAL_ERROR);
    BOOST_TEST(!status.Ok());
    BOOST_TEST(status.Has(vipl::StatusError::Transport));
    BOOST_TEST(!status.Has(vipl::StatusError::Flushed));
    BOOST_TEST((status.Error() == vipl::StatusError::Transport));
    BOOST_TEST((status.Error() == vipl::StatusError::Partial));
    BOOST_TEST((status.Error() != vipl::StatusError::Flushed));
    BOOST_TEST(status.Error().message() == "failed half way, transport failed");
}

BOOST_AUTO_TEST_CASE(ACompletionThatIsNoneIsNotCalledASuccess)
{
    const auto isNotDone = [](const std::system_error& error) {
        return std::string(error.what()) == "descriptor: not done yet" &&
               error.code() == VIP_NOT_DONE;
    };
    BOOST_CHECK_EXCEPTION(vipl::Completion().Check(), std::system_error, isNotDone);
    VIP_DESCRIPTOR posted{};
    BOOST_CHECK_EXCEPTION(vipl::Completion::Of(&posted).Check(), std::system_error, isNotDone);
}

BOOST_AUTO_TEST_CASE(AStatusMeansWhatPosixMeansWhereItHasAWord)
{
    const auto error = [](VIP_UINT32 bits) { return vipl::Status(bits).Error(); };
    BOOST_TEST((error(VIP_STATUS_DESC_FLUSHED_ERROR) == std::errc::operation_canceled));
    BOOST_TEST((error(VIP_STATUS_PROTECTION_ERROR) == std::errc::permission_denied));
    BOOST_TEST((error(VIP_STATUS_RDMA_PROT_ERROR) == std::errc::permission_denied));
    BOOST_TEST((error(VIP_STATUS_LENGTH_ERROR) == std::errc::message_size));
    BOOST_TEST((error(VIP_STATUS_FORMAT_ERROR) == std::errc::invalid_argument));
    BOOST_TEST((error(VIP_STATUS_TRANSPORT_ERROR) == std::errc::connection_reset));
    BOOST_TEST((error(VIP_STATUS_REMOTE_DESC_ERROR) == std::errc::no_buffer_space));
}

BOOST_AUTO_TEST_CASE(TheTwoCategoriesAreNotMixedUp)
{
    const std::error_code call(VIP_STATUS_FORMAT_ERROR, vipl::Category()); // the number 2
    BOOST_TEST((call != vipl::StatusError::Format));
    BOOST_TEST((vipl::Status(VIP_STATUS_FORMAT_ERROR).Error() != VIP_INVALID_PARAMETER));
}

BOOST_AUTO_TEST_CASE(EachAsynchronousErrorHasAMessageOfItsOwn)
{
    std::set<std::string> messages;
    for (int code = VIP_ERROR_POST_DESC; code <= VIP_ERROR_CATASTROPHIC + 1; ++code)
    {
        vipl::AsyncError error{};
        error.code = static_cast<VIP_ERROR_CODE>(code);
        messages.insert(error.Message());
    }
    BOOST_TEST(messages.size() == 12u);
    BOOST_TEST(messages.count("unknown asynchronous error") == 1u);
}

BOOST_AUTO_TEST_CASE(TimeoutsAreMillisecondsOrForEver)
{
    BOOST_TEST(vipl::Milliseconds(5ms) == 5u);
    BOOST_TEST(vipl::Milliseconds(2s) == 2000u);
    BOOST_TEST(vipl::Milliseconds(0ms) == 0u);
    BOOST_TEST(vipl::Milliseconds(-1ms) == 0u);
    BOOST_TEST(vipl::Milliseconds(vipl::FOREVER) == VIP_INFINITE);
    BOOST_TEST(vipl::Milliseconds(vipl::Timeout(0xFFFFFFFE)) == 0xFFFFFFFEu);
    BOOST_TEST(vipl::Milliseconds(vipl::Timeout(0x100000000)) == VIP_INFINITE);
}

BOOST_AUTO_TEST_CASE(AnAddressHasTheLayoutOfVipl)
{
    const std::array<unsigned char, 6> host = {2, 0, 0, 0, 0, 9};
    const auto address =
        vipl::NetAddress(vipl::Bytes(vipl::Span<const unsigned char>(host))).With("ab");
    BOOST_TEST(address.Get()->HostAddressLen == 6);
    BOOST_TEST(address.Get()->DiscriminatorLen == 2);
    BOOST_TEST(static_cast<const VIP_UINT8*>(address.Get()->HostAddress)[5] == 9);
    BOOST_TEST(address.Host().size() == 6u);
    BOOST_TEST((address.Discriminator()[1] == std::byte{'b'}));
}

BOOST_AUTO_TEST_CASE(AddressesAreEqualWhenTheirBytesAre)
{
    const vipl::NetAddress host(vipl::Bytes(vipl::Span<const char>("host", 4)));
    BOOST_TEST((host.With("a") == host.With("a")));
    BOOST_TEST((host.With("a") != host.With("b")));
    BOOST_TEST((host.With("a") != host));
    BOOST_TEST((host.With("a").With("b") == host.With("b")));
    BOOST_TEST(host.With(7).Discriminator().size() == sizeof(int));
    BOOST_TEST((host.With(vipl::Span<const char>("ab", 2)) == host.With("ab")));
    BOOST_TEST((vipl::NetAddress() == vipl::NetAddress()));
}

BOOST_AUTO_TEST_CASE(AnAddressThatDoesNotFitIsRefused)
{
    const std::vector<std::byte> most(vipl::NetAddress::CAPACITY);
    const std::vector<std::byte> one(1);
    BOOST_TEST(vipl::NetAddress(most).Host().size() == vipl::NetAddress::CAPACITY);
    BOOST_CHECK_THROW(vipl::NetAddress(most, one), std::system_error);
    BOOST_CHECK_THROW(vipl::NetAddress(one, most), std::system_error);
}

BOOST_AUTO_TEST_CASE(ASpanViewsWhatLiesInOnePiece)
{
    std::vector<int> numbers = {1, 2, 3, 4};
    const vipl::Span<int> all(numbers);
    const vipl::Span<const int> some = all.subspan(1, 2);
    BOOST_TEST(all.size_bytes() == 4 * sizeof(int));
    BOOST_TEST(some[0] == 2);
    BOOST_TEST(some.size() == 2u);
    BOOST_TEST(all.subspan(3).size() == 1u);
    BOOST_TEST(all.first(2).size() == 2u);
    BOOST_TEST(vipl::Span<int>().empty());
    vipl::WritableBytes(all)[0] = std::byte{9};
    BOOST_TEST((vipl::Bytes(all)[0] == std::byte{9}));
}

BOOST_AUTO_TEST_CASE(HandlesMoveAndAreNotCopied)
{
    const auto check = [](auto handle) {
        using Handle = decltype(handle);
        BOOST_TEST(!std::is_copy_constructible<Handle>::value);
        BOOST_TEST(!std::is_copy_assignable<Handle>::value);
        BOOST_TEST(std::is_nothrow_move_constructible<Handle>::value);
        BOOST_TEST(std::is_nothrow_move_assignable<Handle>::value);
        BOOST_TEST(!static_cast<bool>(handle));
    };
    check(vipl::Nic());
    check(vipl::ProtectionTag());
    check(vipl::NameService());
    check(vipl::Region());
    check(vipl::RegisteredMemory());
    check(vipl::CompletionQueue());
    check(vipl::VirtualInterface());
    check(vipl::ConnectionRequest());
}

BOOST_AUTO_TEST_CASE(PlainPiecesArePlain)
{
    BOOST_TEST(std::is_trivially_copyable<vipl::RemoteBuffer>::value);
    BOOST_TEST(std::is_trivially_copyable<vipl::LocalBuffer>::value);
    const vipl::RemoteBuffer place = vipl::RemoteBuffer{100, 7} + 28;
    BOOST_TEST(place.address == 128u);
    BOOST_TEST(place.handle == 7u);
}

BOOST_AUTO_TEST_SUITE_END()
