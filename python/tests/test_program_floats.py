# SPDX-License-Identifier: GPL-2.0-only
"""Programs that change how their thread computes: rounding, and exceptions that trap."""

import platform

import pytest
import via

HEADERS = r"""
#define _GNU_SOURCE
#include <fenv.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <vipl.h>
static volatile double one = 1, three = 3;
"""


@pytest.fixture
def run(compile_c):
    """A function that runs a program and returns the run."""

    def start(name, text, nodes=1, check=True):
        program = compile_c(name, HEADERS + text, "-w", "-lm")
        return via.Cluster(nodes=nodes).run_program(program, capture=True, check=check)

    return start


TRAPS = r"""
int main(void)
{
    struct timespec now;
    VIP_NIC_HANDLE nic;
    VIP_CQ_HANDLE cq;
    VIP_VI_HANDLE vi;
    VIP_BOOLEAN receive;
    void* memory = malloc(100000);
    feenableexcept(FE_INEXACT);
    fesetround(FE_UPWARD);
    for (int i = 0; i < 10; i++)
    {
        usleep(7);
        clock_gettime(CLOCK_MONOTONIC, &now);
        memset(memory, 1, 100000);
        printf("round %d\n", i);
    }
    VipOpenNic("VINIC", &nic);
    VipCreateCQ(nic, 8, &cq);
    printf("%d\n", VipCQWait(cq, 3, &vi, &receive) == VIP_TIMEOUT);
    printf("%d %d\n", fegetexcept() == FE_INEXACT, fegetround() == FE_UPWARD);
    fflush(stdout);
    return one / three > 0;
}
"""


def test_exceptions_trap_in_the_program_and_not_in_the_simulator(run):
    ran = run("traps", TRAPS, check=False)
    assert ran.stdout.splitlines()[-2:] == ["1", "1 1"]
    assert ran.report["processes"][0]["exit"] == 136  # SIGFPE, of the last division


FLAGS = r"""
static void* child(void* unused)
{
    printf("%d\n", fegetround() == FE_DOWNWARD);
    fesetround(FE_TONEAREST);
    return NULL;
}
int main(void)
{
    pthread_t thread;
    fesetround(FE_DOWNWARD);
    feclearexcept(FE_ALL_EXCEPT);
    pthread_create(&thread, NULL, child, NULL);
    usleep(7);
    pthread_join(thread, NULL);
    printf("%d %d\n", fetestexcept(FE_ALL_EXCEPT), fegetround() == FE_DOWNWARD);
    volatile double third = one / three;
    usleep(7);
    printf("%d\n", fetestexcept(FE_INEXACT) != 0);
    return 0;
}
"""


def test_a_thread_inherits_its_settings_and_keeps_them(run):
    assert run("flags", FLAGS).stdout.splitlines() == ["1", "0 1", "1"]


X87 = r"""
int main(void)
{
    unsigned short control = 0x340; /* the x87 unit alone traps whatever it can */
    struct timespec now;
    VIP_NIC_HANDLE nic;
    VIP_CQ_HANDLE cq;
    VIP_VI_HANDLE vi;
    VIP_BOOLEAN receive;
    __asm__ volatile("fldcw %0" : : "m"(control));
    VipOpenNic("VINIC", &nic);
    VipCreateCQ(nic, 8, &cq);
    for (int i = 0; i < 10; i++)
    {
        usleep(7);
        clock_gettime(CLOCK_MONOTONIC, &now);
        printf("%d\n", VipCQDone(cq, &vi, &receive) == VIP_NOT_DONE);
        printf("%d\n", VipCQWait(cq, 1, &vi, &receive) == VIP_TIMEOUT);
    }
    __asm__ volatile("fnstcw %0" : "=m"(control));
    printf("%x\n", control);
    return 0;
}
"""


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the unit is of this processor")
def test_the_simulator_computes_also_if_the_x87_unit_alone_traps(run):
    assert run("x87", X87).stdout.split() == ["1"] * 20 + ["340"]


LONG_DOUBLES = r"""
int main(void)
{
    unsigned short control = 0x340; /* the x87 unit alone traps whatever it can */
    VIP_NIC_HANDLE nic;
    VIP_CQ_HANDLE cq;
    VIP_VI_HANDLE vi;
    VIP_BOOLEAN receive;
    VipOpenNic("VINIC", &nic);
    VipCreateCQ(nic, 8, &cq);
    for (int i = 0; i < 10; i++)
    {
        if (atoi(getenv("VIA_RANK")) == 0)
        {
            volatile long double third = 1.0L / three; /* which is inexact */
            usleep(700);
        }
        else
        {
            __asm__ volatile("fldcw %0" : : "m"(control));
            VipCQWait(cq, 1, &vi, &receive);
        }
    }
    printf("done\n");
    return 0;
}
"""


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the unit is of this processor")
def test_what_one_process_computes_does_not_trap_in_another(run):
    assert run("long-doubles", LONG_DOUBLES, nodes=2).stdout.split() == ["done"] * 2
