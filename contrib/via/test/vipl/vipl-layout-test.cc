/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The numbers of vipl.h that programs, providers and the descriptor format rely on.

#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <vipl.h>

namespace
{

std::size_t
CountFunctions()
{
    const char* const names[] = {
#define VIPL_FUNCTION(ret, name, params, names) #name,
#include <vipl-functions.def>
    };
    return sizeof(names) / sizeof(names[0]);
}

} // namespace

BOOST_AUTO_TEST_SUITE(ViplLayout)

BOOST_AUTO_TEST_CASE(ScalarsHaveTheWidthsTheirNamesSay)
{
    BOOST_TEST(sizeof(VIP_UINT8) == 1);
    BOOST_TEST(sizeof(VIP_UINT16) == 2);
    BOOST_TEST(sizeof(VIP_UINT32) == 4);
    BOOST_TEST(sizeof(VIP_UINT64) == 8);
    BOOST_TEST(sizeof(VIP_ULONG) == sizeof(unsigned long));
    BOOST_TEST(sizeof(VIP_MEM_HANDLE) == 4);
    BOOST_TEST(sizeof(VIP_PVOID64) == 8);
    BOOST_TEST(VIP_INFINITE == std::numeric_limits<VIP_UINT32>::max());
}

BOOST_AUTO_TEST_CASE(ADescriptorIsOneControlAndTwoOtherSegmentsIn64Bytes)
{
    BOOST_TEST(sizeof(VIP_CONTROL_SEGMENT) == 32);
    BOOST_TEST(sizeof(VIP_ADDRESS_SEGMENT) == 16);
    BOOST_TEST(sizeof(VIP_DATA_SEGMENT) == 16);
    BOOST_TEST(sizeof(VIP_DESCRIPTOR) == VIP_DESCRIPTOR_ALIGNMENT);
    BOOST_TEST(offsetof(VIP_DESCRIPTOR, CS) == 0);
    BOOST_TEST(offsetof(VIP_DESCRIPTOR, DS[0]) == 32);
    BOOST_TEST(offsetof(VIP_DESCRIPTOR, DS[1]) == 48);
}

BOOST_AUTO_TEST_CASE(GiganetsSpellingNamesTheSameBytes)
{
    BOOST_TEST(offsetof(VIP_DESCRIPTOR, Control) == offsetof(VIP_DESCRIPTOR, CS));
    BOOST_TEST(offsetof(VIP_DESCRIPTOR, Data[0]) == offsetof(VIP_DESCRIPTOR, DS[0]));
    BOOST_TEST(offsetof(VIP_DESCRIPTOR, Data[1]) == offsetof(VIP_DESCRIPTOR, DS[1]));
    const bool isData = std::is_same<decltype(VIP_DESCRIPTOR::Data), VIP_DATA_SEGMENT[2]>::value;
    BOOST_TEST(isData); // Data[0].Data.Address, as its sources have it; DS[0].Local.Data.Address
}

BOOST_AUTO_TEST_CASE(TheSpellingForHeadersThatMakeMacrosOfCsAndDsNamesThemToo)
{
    BOOST_TEST(offsetof(VIP_DESCRIPTOR, _CS) == offsetof(VIP_DESCRIPTOR, CS));
    BOOST_TEST(offsetof(VIP_DESCRIPTOR, _DS[1]) == offsetof(VIP_DESCRIPTOR, DS[1]));
}

BOOST_AUTO_TEST_CASE(AnAddressOf64BitsIsAPointerToDataOrToADescriptor)
{
    VIP_DESCRIPTOR descriptor;
    VIP_PVOID64 address;
    address.AddressBits = 0;
    address.Descriptor = &descriptor;
    BOOST_TEST(address.Address == &descriptor);
    BOOST_TEST(address.AddressBits == reinterpret_cast<VIP_UINT64>(&descriptor));
}

BOOST_AUTO_TEST_CASE(AControlSegmentHasItsFieldsInWireOrder)
{
    BOOST_TEST(offsetof(VIP_CONTROL_SEGMENT, Next) == 0);
    BOOST_TEST(offsetof(VIP_CONTROL_SEGMENT, NextHandle) == 8);
    BOOST_TEST(offsetof(VIP_CONTROL_SEGMENT, SegCount) == 12);
    BOOST_TEST(offsetof(VIP_CONTROL_SEGMENT, Control) == 14);
    BOOST_TEST(offsetof(VIP_CONTROL_SEGMENT, Reserved) == 16);
    BOOST_TEST(offsetof(VIP_CONTROL_SEGMENT, ImmediateData) == 20);
    BOOST_TEST(offsetof(VIP_CONTROL_SEGMENT, Length) == 24);
    BOOST_TEST(offsetof(VIP_CONTROL_SEGMENT, Status) == 28);
}

BOOST_AUTO_TEST_CASE(AddressAndDataSegmentsDifferOnlyInTheirLastField)
{
    BOOST_TEST(offsetof(VIP_ADDRESS_SEGMENT, Data) == 0);
    BOOST_TEST(offsetof(VIP_ADDRESS_SEGMENT, Handle) == 8);
    BOOST_TEST(offsetof(VIP_ADDRESS_SEGMENT, Reserved) == 12);
    BOOST_TEST(offsetof(VIP_DATA_SEGMENT, Data) == 0);
    BOOST_TEST(offsetof(VIP_DATA_SEGMENT, Handle) == 8);
    BOOST_TEST(offsetof(VIP_DATA_SEGMENT, Length) == 12);
}

BOOST_AUTO_TEST_CASE(DescriptorsAreCopiedByAssignmentAndByMemcpy)
{
    BOOST_TEST(std::is_copy_constructible<VIP_DESCRIPTOR>::value);
    BOOST_TEST(std::is_copy_assignable<VIP_DESCRIPTOR>::value);
    BOOST_TEST(std::is_standard_layout<VIP_DESCRIPTOR>::value);
}

BOOST_AUTO_TEST_CASE(ANetAddressKeepsHostAddressAndDiscriminatorBehindTwoLengths)
{
    BOOST_TEST(offsetof(VIP_NET_ADDRESS, HostAddressLen) == 0);
    BOOST_TEST(offsetof(VIP_NET_ADDRESS, DiscriminatorLen) == 2);
    BOOST_TEST(offsetof(VIP_NET_ADDRESS, HostAddress) == 4);
    BOOST_TEST(sizeof(VIP_NET_ADDRESS) == 6);
}

BOOST_AUTO_TEST_CASE(AttributesHaveTheirSizesOn64BitHosts,
                     *boost::unit_test::precondition(
                         [](boost::unit_test::test_unit_id) -> boost::test_tools::assertion_result {
                             return sizeof(VIP_ULONG) == 8;
                         }))
{
    BOOST_TEST(sizeof(VIP_NIC_ATTRIBUTES) == 200);
    BOOST_TEST(sizeof(VIP_VI_ATTRIBUTES) == 40);
    BOOST_TEST(sizeof(VIP_MEM_ATTRIBUTES) == 16);
    BOOST_TEST(sizeof(VIP_ERROR_DESCRIPTOR) == 48);
    BOOST_TEST(offsetof(VIP_NIC_ATTRIBUTES, LocalNicAddress) == 88);
    BOOST_TEST(offsetof(VIP_NIC_ATTRIBUTES, MaxTransferSize) == 168);
    BOOST_TEST(offsetof(VIP_NIC_ATTRIBUTES, RDMAReadSupport) == 194);
    BOOST_TEST(offsetof(VIP_VI_ATTRIBUTES, EnableRdmaRead) == 36);
}

BOOST_AUTO_TEST_CASE(ReturnCodesAreNumberedAsBothHeadersNumberThem)
{
    BOOST_TEST(VIP_SUCCESS == 0);
    BOOST_TEST(VIP_NOT_DONE == 1);
    BOOST_TEST(VIP_INVALID_PARAMETER == 2);
    BOOST_TEST(VIP_ERROR_RESOURCE == 3);
    BOOST_TEST(VIP_TIMEOUT == 4);
    BOOST_TEST(VIP_REJECT == 5);
    BOOST_TEST(VIP_INVALID_RELIABILITY_LEVEL == 6);
    BOOST_TEST(VIP_INVALID_MTU == 7);
    BOOST_TEST(VIP_INVALID_QOS == 8);
    BOOST_TEST(VIP_INVALID_PTAG == 9);
    BOOST_TEST(VIP_INVALID_RDMAREAD == 10);
    BOOST_TEST(VIP_DESCRIPTOR_ERROR == 11);
    BOOST_TEST(VIP_INVALID_STATE == 12);
    BOOST_TEST(VIP_ERROR_NAMESERVICE == 13);
    BOOST_TEST(VIP_NO_MATCH == 14);
}

BOOST_AUTO_TEST_CASE(GiganetsReturnCodesFollow)
{
    BOOST_TEST(VIP_NOT_REACHABLE == 15);
    BOOST_TEST(VIP_ERROR_NOT_SUPPORTED == 16);
    BOOST_TEST(VIP_ERROR == VIP_DESCRIPTOR_ERROR);
}

BOOST_AUTO_TEST_CASE(StatesResourcesAndErrorsCountFromZero)
{
    BOOST_TEST(VIP_STATE_IDLE == 0);
    BOOST_TEST(VIP_STATE_CONNECTED == 1);
    BOOST_TEST(VIP_STATE_CONNECT_PENDING == 2);
    BOOST_TEST(VIP_STATE_ERROR == 3);
    BOOST_TEST(VIP_RESOURCE_NIC == 0);
    BOOST_TEST(VIP_RESOURCE_VI == 1);
    BOOST_TEST(VIP_RESOURCE_CQ == 2);
    BOOST_TEST(VIP_RESOURCE_DESCRIPTOR == 3);
}

BOOST_AUTO_TEST_CASE(AsynchronousErrorsCountFromZero)
{
    BOOST_TEST(VIP_ERROR_POST_DESC == 0);
    BOOST_TEST(VIP_ERROR_CONN_LOST == 1);
    BOOST_TEST(VIP_ERROR_RECVQ_EMPTY == 2);
    BOOST_TEST(VIP_ERROR_VI_OVERRUN == 3);
    BOOST_TEST(VIP_ERROR_RDMAW_PROT == 4);
    BOOST_TEST(VIP_ERROR_RDMAW_DATA == 5);
    BOOST_TEST(VIP_ERROR_RDMAW_ABORT == 6);
    BOOST_TEST(VIP_ERROR_RDMAR_PROT == 7);
    BOOST_TEST(VIP_ERROR_COMP_PROT == 8);
    BOOST_TEST(VIP_ERROR_RDMA_TRANSPORT == 9);
    BOOST_TEST(VIP_ERROR_CATASTROPHIC == 10);
}

BOOST_AUTO_TEST_CASE(ControlBitsFillSixteenBitsWithoutOverlap)
{
    BOOST_TEST(VIP_CONTROL_OP_SENDRECV == 0);
    BOOST_TEST(VIP_CONTROL_OP_RDMAWRITE == 1);
    BOOST_TEST(VIP_CONTROL_OP_RDMAREAD == 2);
    BOOST_TEST(VIP_CONTROL_OP_RESERVED == 3);
    BOOST_TEST((VIP_CONTROL_OP_MASK + VIP_CONTROL_IMMEDIATE + VIP_CONTROL_QFENCE +
                VIP_CONTROL_RESERVED) == 0xFFFF);
}

BOOST_AUTO_TEST_CASE(TheErrorMaskIsEveryErrorBitOfAStatus)
{
    BOOST_TEST((VIP_STATUS_FORMAT_ERROR | VIP_STATUS_PROTECTION_ERROR | VIP_STATUS_LENGTH_ERROR |
                VIP_STATUS_PARTIAL_ERROR | VIP_STATUS_DESC_FLUSHED_ERROR |
                VIP_STATUS_TRANSPORT_ERROR | VIP_STATUS_RDMA_PROT_ERROR |
                VIP_STATUS_REMOTE_DESC_ERROR) == VIP_STATUS_ERROR_MASK);
    BOOST_TEST(VIP_STATUS_DONE == 1);
}

BOOST_AUTO_TEST_CASE(AStatusNamesItsOperationInThreeBits)
{
    BOOST_TEST(VIP_STATUS_OP_SEND == 0);
    BOOST_TEST(VIP_STATUS_OP_RECEIVE == 0x10000);
    BOOST_TEST(VIP_STATUS_OP_RDMA_WRITE == 0x20000);
    BOOST_TEST(VIP_STATUS_OP_REMOTE_RDMA_WRITE == 0x30000);
    BOOST_TEST(VIP_STATUS_OP_RDMA_READ == 0x40000);
    BOOST_TEST(VIP_STATUS_IMMEDIATE == 0x80000);
    BOOST_TEST((VIP_STATUS_DONE + VIP_STATUS_ERROR_MASK + VIP_STATUS_OP_MASK +
                VIP_STATUS_IMMEDIATE + VIP_STATUS_RESERVED) == 0xFFFFFFFF);
}

BOOST_AUTO_TEST_CASE(ReliabilityLevelsAreBits)
{
    BOOST_TEST(VIP_SERVICE_UNRELIABLE == 1);
    BOOST_TEST(VIP_SERVICE_RELIABLE_DELIVERY == 2);
    BOOST_TEST(VIP_SERVICE_RELIABLE_RECEPTION == 4);
    BOOST_TEST(VIP_BASE_SERVICES == 7);
    BOOST_TEST(VIP_SERVICE_ACK == 1 << 14);
    BOOST_TEST(VIP_SERVICE_DFC == 1 << 15);
}

BOOST_AUTO_TEST_CASE(TheFunctionListNamesAllOfTheGuideAndFiveOfGiganet)
{
    BOOST_TEST(CountFunctions() == 41 + 5);
}

BOOST_AUTO_TEST_SUITE_END()
