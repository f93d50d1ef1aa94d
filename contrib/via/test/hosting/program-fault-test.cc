/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Faults of hosted programs: they end the program, say where, and leave everything else running.

#include "support/via-test-program-bench.h"

#include "ns3/via-sanitizer.h"

#include <boost/test/unit_test.hpp>
#include <csignal>

using namespace ns3::via;
using namespace ns3::via::test;

namespace
{

const std::string HERE = " (faults.c:";

Finished
Fail(const std::string& how)
{
    return RunAlone(BuiltProgram("faults.c"), {how});
}

/// The program has ended by a signal; its report begins and goes on like this.
void
Check(const std::string& how, int signal, const std::string& begin, const std::string& place)
{
    const Finished run = Fail(how);
    BOOST_TEST(run.status.signal == signal);
    BOOST_TEST(run.status.code == 128 + signal);
    BOOST_TEST(run.status.report.find(begin) == 0U, run.status.report);
    BOOST_TEST(run.status.report.find(place) != std::string::npos, run.status.report);
    BOOST_TEST(run.err.find("faults.c") == 0U, run.err);
    BOOST_TEST(run.err.find(": " + run.status.report + "\n") != std::string::npos, run.err);
    BOOST_TEST(run.out == "begun\n");
}

} // namespace

BOOST_AUTO_TEST_SUITE(program_fault)

BOOST_AUTO_TEST_CASE(ANullDereferenceEndsTheProgram)
{
    Check("null", SIGSEGV, "segmentation fault (SIGSEGV) at address 0x0, in null", HERE);
}

BOOST_AUTO_TEST_CASE(AWriteIntoConstantsEndsTheProgram)
{
    Check("write-text", SIGSEGV, "segmentation fault (SIGSEGV) at address 0x", "in write_text");
}

BOOST_AUTO_TEST_CASE(ADivisionByZeroEndsTheProgram)
{
    Check("divide", SIGFPE, "arithmetic error (SIGFPE), in divide", HERE);
}

BOOST_AUTO_TEST_CASE(AnIllegalInstructionEndsTheProgram)
{
    Check("illegal", SIGILL, "illegal instruction (SIGILL), in illegal", HERE);
}

BOOST_AUTO_TEST_CASE(ABadPointerGivenToTheCLibraryEndsTheProgram)
{
    const std::string caller = ", called from library" + HERE;
    Check("library", SIGSEGV, "segmentation fault (SIGSEGV) at address 0x10, in ", caller);
    Check("print",
          SIGSEGV,
          "segmentation fault (SIGSEGV) at address 0x10, in ",
          "called from print");
}

BOOST_AUTO_TEST_CASE(ACallToNowhereEndsTheProgram)
{
    const std::string caller = "in no code at all, called from nowhere" + HERE;
    Check("nowhere", SIGSEGV, "segmentation fault (SIGSEGV) at address 0x0, ", caller);
}

BOOST_AUTO_TEST_CASE(AStackThatIsUsedUpEndsTheProgram)
{
    Check("recursion", SIGSEGV, "stack overflow (SIGSEGV), in deeper", HERE);
    Check("big-frame", SIGSEGV, "stack overflow (SIGSEGV), in big_frame", HERE);
}

#ifndef VIA_ASAN // which has a free() of its own, and ends the whole run on a broken heap

BOOST_AUTO_TEST_CASE(AnAbortOfTheCLibraryEndsTheProgram)
{
    Check("bad-free", SIGABRT, "aborted by the C library (SIGABRT), in ", "called from bad_free");
}

BOOST_AUTO_TEST_CASE(ABrokenHeapEndsTheProgram)
{
    const Finished run = Fail("broken-heap");
    BOOST_TEST(run.status.signal == SIGSEGV);
    BOOST_TEST(run.status.report.find("broken_heap") != std::string::npos, run.status.report);
}

#endif

BOOST_AUTO_TEST_CASE(ASmashedStackEndsTheProgram)
{
    const Finished run = Fail("smashed");
    BOOST_TEST(run.status.signal != 0);
}

BOOST_AUTO_TEST_CASE(AnEmptyLoopBlocksTheProgramForEver)
{
    const ProgramImage image(BuiltProgram("faults.c"), ViplCount());
    Waiters waiters;
    TestProcess process(waiters, image, {"loop"});
    waiters.Run();
    BOOST_TEST(!process.Thread().IsDone());
    BOOST_TEST(process.waitsFor.find("an endless loop that does nothing, in loop" + HERE) == 0U);
    process.Thread().Kill();
    BOOST_TEST(process.Status().signal == SIGKILL);
}

BOOST_AUTO_TEST_CASE(OthersRunOnAfterAFault)
{
    const ProgramImage image(BuiltProgram("faults.c"), ViplCount());
    Waiters waiters;
    TestProcess first(waiters, image, {"null"});
    TestProcess second(waiters, image, {"divide"});
    TestProcess third(waiters, image, {"nothing"});
    waiters.Run();
    BOOST_TEST(first.Status().signal == SIGSEGV);
    BOOST_TEST(second.Status().signal == SIGFPE);
    BOOST_TEST(third.Status().Ok());
}

BOOST_AUTO_TEST_CASE(TheHandlersAreThereOnlyWhileProgramsRun)
{
    struct sigaction before
    {
    };

    struct sigaction after
    {
    };

    sigaction(SIGSEGV, nullptr, &before);
    Fail("null");
    sigaction(SIGSEGV, nullptr, &after);
    BOOST_TEST((before.sa_sigaction == after.sa_sigaction));
    BOOST_TEST(before.sa_flags == after.sa_flags);
}

BOOST_AUTO_TEST_SUITE_END()
