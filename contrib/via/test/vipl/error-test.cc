/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL: what asynchronous errors say of themselves, and where they go without a handler.

#include "support/via-test-program-bench.h"
#include "support/via-test-program-run.h"
#include "support/via-test-vipl-bench.h"

#include <cstdio>
#include <unistd.h>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

/// What is written to the test's own standard error while this lives.
class ErrorOutput
{
  public:
    ErrorOutput()
        : m_file(std::tmpfile()),
          m_before(dup(STDERR_FILENO))
    {
        std::fflush(stderr);
        dup2(fileno(m_file), STDERR_FILENO);
    }

    ~ErrorOutput()
    {
        dup2(m_before, STDERR_FILENO);
        close(m_before);
        std::fclose(m_file);
    }

    ErrorOutput(const ErrorOutput&) = delete;
    ErrorOutput& operator=(const ErrorOutput&) = delete;

    std::string Text()
    {
        std::string text(static_cast<std::size_t>(lseek(fileno(m_file), 0, SEEK_END)), '\0');
        BOOST_TEST(pread(fileno(m_file), text.data(), text.size(), 0) ==
                   static_cast<ssize_t>(text.size()));
        return text;
    }

  private:
    std::FILE* m_file;
    int m_before;
};

/// Lets the handler run, and checks that it was told of one error first.
VIP_ERROR_DESCRIPTOR
First(Party& self, const std::string& errors)
{
    BOOST_REQUIRE(self.Errors() == errors);
    BOOST_TEST(self.errors[0].NicHandle == self.nic);
    return self.errors[0];
}

} // namespace

BOOST_AUTO_TEST_SUITE(vipl_error)

BOOST_AUTO_TEST_CASE(ABadDescriptorIsNamed)
{
    const auto client = [](Party& self, Party&) {
        auto* crooked = reinterpret_cast<VIP_DESCRIPTOR*>(self.Pool() + 8);
        self.Send(crooked);
        const VIP_ERROR_DESCRIPTOR error = First(self, "POST_DESC CONN_LOST");
        BOOST_TEST(error.ResourceCode == VIP_RESOURCE_DESCRIPTOR);
        BOOST_TEST(error.DescriptorPtr == crooked);
        BOOST_TEST(error.ViHandle == self.vi);
        BOOST_TEST(error.CQHandle == nullptr);
        BOOST_TEST(self.errors[1].ResourceCode == VIP_RESOURCE_VI);
        BOOST_TEST(self.errors[1].DescriptorPtr == nullptr);
    };
    RunPair(client, Nothing);
}

BOOST_AUTO_TEST_CASE(TheDescriptorThatDidNotFitAQueueIsNamed)
{
    const auto body = [](Party& self) {
        self.Receive(self.Make({}));
        VIP_DESCRIPTOR* lost = self.Make({});
        self.Receive(lost);
        const VIP_ERROR_DESCRIPTOR error = First(self, "VI_OVERRUN");
        BOOST_TEST(error.ResourceCode == VIP_RESOURCE_VI);
        BOOST_TEST(error.ViHandle == self.vi);
        BOOST_TEST(error.DescriptorPtr == lost);
    };
    RunAlone(body, {}, With("nic.max_queue_depth", "1"));
}

BOOST_AUTO_TEST_CASE(ARefusedRdmaWriteNamesItsViAndTheOperation)
{
    Setup closed;
    closed.regionRdma = false;
    closed.level = VIP_SERVICE_UNRELIABLE;
    const auto client = [](Party& self, Party& peer) {
        self.Send(self.Write(peer.At(0, 8), {self.At(0, 8)}));
        BOOST_TEST(self.Sent() == WROTE);
    };
    const auto server = [](Party& self, Party&) {
        Pause(10 * PS_PER_MS);
        const VIP_ERROR_DESCRIPTOR error = First(self, "RDMAW_PROT");
        BOOST_TEST(error.ResourceCode == VIP_RESOURCE_VI);
        BOOST_TEST(error.ViHandle == self.vi);
        BOOST_TEST(error.OpCode == static_cast<VIP_ULONG>(VIP_CONTROL_OP_RDMAWRITE));
    };
    RunPair(client, server, closed);
}

BOOST_AUTO_TEST_CASE(AFullCqIsNamed)
{
    Setup setup;
    setup.cqEntries = 1;
    const auto body = [](Party& self) {
        self.Send(self.Make({}));
        self.Send(self.Make({}));
        const VIP_ERROR_DESCRIPTOR error = First(self, "COMP_PROT");
        BOOST_TEST(error.ResourceCode == VIP_RESOURCE_CQ);
        BOOST_TEST(error.CQHandle == self.cq);
        BOOST_TEST(error.ViHandle == self.vi);
    };
    RunAlone(body, setup);
}

BOOST_AUTO_TEST_CASE(WithoutAHandlerAnErrorIsLogged)
{
    ErrorOutput output;
    const auto body = [](Party& self) {
        VipErrorCallback(self.nic, nullptr, nullptr);
        self.Receive(self.Make({}));
        self.Receive(self.Make({}));
        Pause(PS_PER_MS);
        BOOST_TEST(VipErrorCallback(self.nic, nullptr, nullptr) == VIP_SUCCESS);
    };
    RunAlone(body, {}, With("nic.max_queue_depth", "1"));
    BOOST_TEST(output.Text() == "via: n0: asynchronous error VI_OVERRUN on VI 0 (no handler)\n");
}

BOOST_AUTO_TEST_CASE(AProgramsLogCarriesItsPrefix)
{
    ErrorOutput output;
    RunOnNodes(BuiltProgram("unhandled.c"), {{}}, With("nic.max_queue_depth", "2"));
    BOOST_TEST(output.Text() ==
               "[n0.0] via: n0: asynchronous error VI_OVERRUN on VI 0 (no handler)\n");
}

BOOST_AUTO_TEST_CASE(ErrorCallbacksCheckTheirNic)
{
    RunAlone([](Party& self) {
        BOOST_TEST(VipErrorCallback(nullptr, nullptr, nullptr) == VIP_INVALID_PARAMETER);
        BOOST_TEST(VipErrorCallback(self.vi, nullptr, nullptr) == VIP_INVALID_PARAMETER);
    });
}

BOOST_AUTO_TEST_SUITE_END()
