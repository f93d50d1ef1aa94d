/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What `via cc` and the loader refuse.

#include "support/via-test-folders.h"
#include "support/via-test-program-bench.h"
#include "support/via-test-program-run.h"

#include "ns3/via-error.h"

#include <boost/test/unit_test.hpp>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

std::string
Built(const std::string& name)
{
    return (BuildFolder() / name).string();
}

/// @return why the loader refuses the file
std::string
WhyRefused(const std::string& path, std::uint32_t viplCount = ViplCount())
{
    try
    {
        ProgramImage image(path, viplCount);
    }
    catch (const ConfigError& error)
    {
        return error.what();
    }
    return "";
}

} // namespace

BOOST_AUTO_TEST_SUITE(program_refusal)

BOOST_AUTO_TEST_CASE(TheCompilerWarnsOfImpossibleCallsByName)
{
    const auto [status, text] =
        RunViaCc("'" + ProgramSource("forks.c") + "' -o " + Built("forks.so"));
    BOOST_TEST(status == 0);
    BOOST_TEST(Contains(text,
                        "forks.c calls fork(); a call ends the process: "
                        "a simulated process cannot be copied"));
    BOOST_TEST(Contains(text, "forks.c calls system(); a call fails: "));
}

BOOST_AUTO_TEST_CASE(HarmlessImpossibleCallsAnswerAnErrorCode)
{
    const Finished run = RunAlone(BuiltProgram("forks.c"));
    BOOST_TEST(run.status.Ok());
    BOOST_TEST(run.out == "system -1 1 popen 1 wait 1 shmget 1 settimeofday 1\n");
}

BOOST_AUTO_TEST_CASE(OtherImpossibleCallsEndTheProcessByName)
{
    const Finished run = RunAlone(BuiltProgram("forks.c"), {"fork"});
    BOOST_TEST(run.status.signal == SIGABRT);
    BOOST_TEST(run.status.report ==
               "fork(): a simulated process cannot be copied; start more processes with --nodes");
}

BOOST_AUTO_TEST_CASE(TheUsersHeadersComeFirst)
{
    std::filesystem::create_directories(Built("own-headers"));
    std::ofstream(Built("own-headers/vipl.h")) << "#define OWN 7\n";
    std::ofstream(Built("own.c")) << "#include <vipl.h>\nint main(void) { return OWN; }\n";
    const auto out = Built("own.so");
    const auto [status, text] =
        RunViaCc("-I" + Built("own-headers") + " " + Built("own.c") + " -o " + out);
    BOOST_REQUIRE_MESSAGE(status == 0, text);
    BOOST_TEST(RunAlone(out).status.code == 7);
}

BOOST_AUTO_TEST_CASE(TheCompilerMissesMain)
{
    const auto source = Built("no-main.c");
    std::ofstream(source) << "int not_main(void) { return 0; }\n";
    const auto [status, text] = RunViaCc(source + " -o " + Built("no-main.so"));
    BOOST_TEST(status == 1);
    BOOST_TEST(Contains(text, "the program has no main()"));
}

BOOST_AUTO_TEST_CASE(TheCompilerReportsUnknownFunctions)
{
    const auto source = Built("unknown.c");
    std::ofstream(source) << "int VipFlyToTheMoon(void);\nint main(void) { return "
                             "VipFlyToTheMoon(); }\n";
    const auto [status, text] = RunViaCc(source + " -o " + Built("unknown.so"));
    BOOST_TEST(status == 1);
    BOOST_TEST(Contains(text, "undefined reference to `VipFlyToTheMoon'"));
}

BOOST_AUTO_TEST_CASE(TheCompilerExplainsItself)
{
    const auto [status, text] = RunViaCc("--help");
    BOOST_TEST(status == 0);
    BOOST_TEST(Contains(text, "usage: via cc"));
    BOOST_TEST(RunViaCc("-O2").first == 2);
}

BOOST_AUTO_TEST_CASE(SourcesOfBothLanguagesAndObjectsMix)
{
    std::ofstream(Built("part.c")) << "int part(void) { int class = 5; return class; }\n";
    std::ofstream(Built("whole.cc"))
        << "#include <vector>\nextern \"C\" int part();\n"
           "int main() { return std::vector<int>(3).size() + part(); }\n";
    BOOST_TEST(RunViaCc("-c " + Built("part.c") + " -o " + Built("part.o")).first == 0);
    for (const std::string part : {"part.c", "part.o"})
    {
        const auto out = Built("whole-" + part + ".so");
        BOOST_TEST(RunViaCc(Built("whole.cc") + " " + Built(part) + " -o " + out).first == 0);
        BOOST_TEST(RunAlone(out).status.code == 8);
    }
}

BOOST_AUTO_TEST_CASE(AMissingFileIsNamed)
{
    BOOST_TEST(Contains(WhyRefused("/nowhere/prog.so"), "/nowhere/prog.so: cannot be read"));
}

BOOST_AUTO_TEST_CASE(AFileThatIsNoObjectIsRefused)
{
    BOOST_TEST(Contains(WhyRefused(ProgramSource("forks.c")), "is not a shared object"));
}

BOOST_AUTO_TEST_CASE(AnObjectOfAnotherCompilerIsRefused)
{
    const auto plain = Built("plain.so");
    const auto command = "cc -shared -fPIC -o " + plain + " " + ProgramSource("clocks.c");
    BOOST_REQUIRE(std::system(command.c_str()) == 0);
    BOOST_TEST(Contains(WhyRefused(plain), "was not built by ./via cc"));
}

BOOST_AUTO_TEST_CASE(TheLoaderRefusesImpossibleCallsByName)
{
    const auto plain = Built("plain-forks.so");
    const auto command = "cc -shared -fPIC -o " + plain + " " + ProgramSource("forks.c");
    BOOST_REQUIRE(std::system(command.c_str()) == 0);
    BOOST_TEST(Contains(WhyRefused(plain), "plain-forks.so: calls fork()"));
}

BOOST_AUTO_TEST_CASE(AnObjectOfAnotherVersionIsRefused)
{
    const auto why = WhyRefused(BuiltProgram("polling.c"), ViplCount() + 1);
    BOOST_TEST(Contains(why, "was built by another version"));
}

BOOST_AUTO_TEST_CASE(AnObjectWithoutBlockReportsSaysSo)
{
    const ProgramImage image(BuiltProgram("polling.c", "--no-trace-pc"), ViplCount());
    BOOST_TEST(!image.ReportsBlocks());
}

BOOST_AUTO_TEST_CASE(AMissingDirectoryOrInputIsNamed)
{
    const ProgramImage image(BuiltProgram("polling.c"), ViplCount());
    Waiters waiters;
    ProgramOptions options;
    options.libc.cwd = "/nowhere";
    BOOST_CHECK_THROW(TestProcess(waiters, image, {}, options), ConfigError);
    options.libc = {};
    options.libc.input = "/nowhere";
    BOOST_CHECK_THROW(TestProcess(waiters, image, {}, options), ConfigError);
}

BOOST_AUTO_TEST_SUITE_END()
