/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Tests of what ends a run because it must not happen.

#ifndef VIA_TEST_ABORT_H
#define VIA_TEST_ABORT_H

#include <csignal>
#include <cstdio>
#include <functional>
#include <iostream>
#include <sys/wait.h>
#include <unistd.h>

namespace ns3
{
namespace via
{
namespace test
{

/// Does @p act end its OS process by an abort? It runs in a copy of ours.
inline bool
Aborts(const std::function<void()>& act)
{
    std::cout.flush(); // or both would write it
    const pid_t child = fork();
    if (child == 0)
    {
        std::signal(SIGABRT, SIG_DFL);
        std::fclose(stderr);
        act();
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

} // namespace test
} // namespace via
} // namespace ns3

#endif // VIA_TEST_ABORT_H
