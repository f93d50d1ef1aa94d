/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Kernels: their files, what is refused, and what they leave alone.

#include "support/via-test-profile-bench.h"

#include "ns3/via-kernel-costs.h"

#include <boost/test/unit_test.hpp>

using namespace ns3;
using namespace ns3::via;
using namespace ns3::via::test;

BOOST_AUTO_TEST_SUITE(kernel_profile)

BOOST_AUTO_TEST_CASE(AProfileHasNoKernelUntilOneIsChosen)
{
    const ProviderProfile bare = ProviderProfile::Load(CARD);
    BOOST_TEST(bare.Kernel().empty());
    const ProviderProfile whole = bare.WithKernel();
    BOOST_TEST(whole.Kernel() == "linux-2.2");
    BOOST_TEST(whole.Number("ip.mtu") == 1500);
    BOOST_TEST(whole.Fingerprint() != bare.Fingerprint());
    BOOST_TEST(whole.Fingerprint() == ProviderProfile::Load(CARD, "", "linux-2.2").Fingerprint());
}

BOOST_AUTO_TEST_CASE(EveryKernelOfTheFolderCanBeRead)
{
    for (const auto& file : fs::directory_iterator(fs::path(ProfileFolder()) / "kernels"))
    {
        const auto profile = ProviderProfile::Load(CARD, "", file.path().string());
        BOOST_TEST(KernelCosts::From(profile).mtu > 0);
    }
}

BOOST_AUTO_TEST_CASE(EveryPcNamesAKernelThatIsThere)
{
    for (const auto& file : fs::directory_iterator(fs::path(ProfileFolder()) / "hosts"))
    {
        if (file.path().stem() != "sparc20-sunos4")
        {
            const auto profile = ProviderProfile::Load(CARD, file.path().string()).WithKernel();
            BOOST_TEST(!profile.Kernel().empty());
        }
    }
}

BOOST_AUTO_TEST_CASE(AHostWithoutADefaultKernelAsksForOne)
{
    const std::string refusal =
        RefusalOf([] { ProviderProfile::Load(CARD, "sparc20-sunos4").WithKernel(); });
    BOOST_TEST(refusal.find("has no default_kernel") != std::string::npos, refusal);
}

BOOST_AUTO_TEST_CASE(AChangedKeyOfAKernelNeedsTheKernel)
{
    const std::string refusal = RefusalOf([] { ProviderProfile::Load(CARD).With("ip.send", "1"); });
    BOOST_TEST(refusal.find("no kernel was chosen") != std::string::npos, refusal);
    const auto changed = ProviderProfile::Load(CARD, "", "linux-2.2").With("ip.send", "1");
    BOOST_TEST(changed.Number("ip.send") == 1);
}

BOOST_AUTO_TEST_CASE(ASecondKernelIsRefused)
{
    const auto whole = ProviderProfile::Load(CARD, "", "linux-2.2");
    const std::string refusal = RefusalOf([&whole] { whole.WithKernel("linux-2.2"); });
    BOOST_TEST(refusal.find("has linux-2.2 already") != std::string::npos, refusal);
}

BOOST_AUTO_TEST_CASE(AKeyOfAnotherFileIsRefused)
{
    const Bench bench;
    bench.Edit("[ip]\n",
               "[cpu]\nclock = { value = \"1 MHz\", unit = \"Hz\", source = \"s\", trust = "
               "\"assumed\" }\n[ip]\n",
               "kernels/linux-2.2.toml");
    const std::string refusal = RefusalOf([&bench] { bench.Load().WithKernel(); });
    BOOST_TEST(refusal.find("belongs to a host profile") != std::string::npos, refusal);
}

BOOST_AUTO_TEST_CASE(OptionsBringTheirOwnKeys)
{
    const auto kernel = ProviderProfile::Load(CARD, "", "linux-2.2");
    const std::string refusal =
        RefusalOf([&kernel] { kernel.With("kernel.payload", "zero-copy"); });
    BOOST_TEST(refusal.find("kernel.map_page is missing") != std::string::npos, refusal);
    const auto mapped = kernel.With({{"kernel.payload", "zero-copy"}, {"kernel.map_page", "900"}});
    BOOST_TEST(!KernelCosts::From(mapped).copies);
    const auto offloaded = kernel.With(
        {{"kernel.offload", "tcp"}, {"tcp.offload_send", "60"}, {"tcp.offload_receive", "70"}});
    BOOST_TEST(KernelCosts::From(offloaded).offloadsTcp);
}

BOOST_AUTO_TEST_SUITE_END()
