/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Shows the CPUs of the host in every way in which a program can ask.

#include <chrono>
#include <cstdio>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <thread>
#include <unistd.h>

int
main()
{
    unsigned int cpu = 99;
    unsigned int node = 99;
    cpu_set_t set;
    const auto start = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - start < std::chrono::milliseconds(1))
    {
        // others need a CPU, too
    }
    sched_getaffinity(0, sizeof(set), &set);
    std::printf("%u %ld %ld %d %d %d",
                std::thread::hardware_concurrency(),
                sysconf(_SC_NPROCESSORS_ONLN),
                sysconf(_SC_NPROCESSORS_CONF),
                get_nprocs(),
                get_nprocs_conf(),
                CPU_COUNT(&set));
    std::printf(" on %d", sched_getcpu());
    syscall(SYS_getcpu, &cpu, &node, nullptr);
    std::printf(" %u %u, pages of %ld\n", cpu, node, sysconf(_SC_PAGESIZE));
    return 0;
}
