# SPDX-License-Identifier: GPL-2.0-only
"""Waits of C programs that end in another way than by what they wait for."""

import pytest
import via
from via import programs

DISCONNECTS = """
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <vipl.h>
static VIP_NIC_HANDLE nic;
static VIP_VI_HANDLE vi;
static VIP_MEM_HANDLE memory;
static VIP_NET_ADDRESS* address(char* bytes, int node)
{
    VIP_NET_ADDRESS* named = (VIP_NET_ADDRESS*)bytes;
    const unsigned char host[6] = {2, 0, 0, 0, 0, node};
    memset(bytes, 0, 40);
    named->HostAddressLen = 6;
    named->DiscriminatorLen = 4;
    memcpy(named->HostAddress, host, 6);
    return named;
}
static void handle(VIP_PVOID context, VIP_ERROR_DESCRIPTOR* error)
{
}
static void* wait(void* name)
{
    VIP_DESCRIPTOR* descriptor;
    const VIP_RETURN result = VipRecvWait(vi, VIP_INFINITE, &descriptor);
    printf("%s %s\\n", (char*)name, result == VIP_SUCCESS ? "received"
                                    : descriptor == NULL  ? "nothing" : "flushed");
    return NULL;
}
int main(int count, char** words)
{
    const int rank = atoi(getenv("VIA_RANK")), sends = strcmp(words[1], "a message") == 0;
    VIP_PROTECTION_HANDLE tag;
    VIP_VI_ATTRIBUTES attributes = {.ReliabilityLevel = VIP_SERVICE_RELIABLE_DELIVERY};
    VIP_MEM_ATTRIBUTES access = {0};
    VIP_DESCRIPTOR *descriptor, *done;
    VIP_CONN_HANDLE request;
    char own[40], other[40], *bytes;
    pthread_t threads[3];
    VipOpenNic("VINIC", &nic);
    VipErrorCallback(nic, NULL, handle);
    VipCreatePtag(nic, &tag);
    access.Ptag = attributes.Ptag = tag;
    attributes.MaxTransferSize = 4096;
    VipCreateVi(nic, &attributes, NULL, NULL, &vi);
    bytes = aligned_alloc(4096, 4096);
    memset(bytes, 0, 4096);
    VipRegisterMem(nic, bytes, 4096, &access, &memory);
    descriptor = (VIP_DESCRIPTOR*)bytes;
    descriptor->CS.SegCount = 1;
    descriptor->CS.Length = descriptor->DS[0].Local.Length = 100;
    descriptor->DS[0].Local.Data.Address = bytes + 1024;
    descriptor->DS[0].Local.Handle = memory;
    if (rank == 1)
    {
        while (VipConnectRequest(vi, address(own, 1), address(other, 0), VIP_INFINITE, &attributes)
               == VIP_NO_MATCH)
        {
        }
        usleep(5000);
        if (sends)
        {
            VipPostSend(vi, descriptor, memory);
            VipSendWait(vi, VIP_INFINITE, &done);
            usleep(5000);
        }
        strcmp(words[1], "an own end") == 0 ? usleep(50000) : 0;
        VipDisconnect(vi);
        return 0;
    }
    VipPostRecv(vi, descriptor, memory);
    VipConnectWait(nic, address(own, 0), VIP_INFINITE, (VIP_NET_ADDRESS*)other, &attributes,
                   &request);
    VipConnectAccept(request, vi);
    pthread_create(&threads[0], NULL, wait, "first");
    usleep(100);
    pthread_create(&threads[1], NULL, wait, "second");
    usleep(100);
    pthread_create(&threads[2], NULL, wait, "third");
    if (strcmp(words[1], "an own end") == 0)
    {
        usleep(20000);
        VipDisconnect(vi);
    }
    for (int i = 0; i < 3; i++)
    {
        pthread_join(threads[i], NULL);
    }
    return 0;
}
"""


@pytest.mark.parametrize("by", ["a disconnect", "a message", "an own end"])
def test_waits_on_an_empty_queue_end_with_its_connection(compile_c, by):
    program = compile_c("disconnects", DISCONNECTS)
    run = via.Cluster(nodes=2).run_program(program, [by], capture=True)
    first = "received" if by == "a message" else "flushed"
    assert run.stdout.splitlines() == [f"first {first}", "second nothing", "third nothing"]


LOST_PLACES = """
#include "vipl-util.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static Host host;
static VIP_VI_HANDLE vi;
static VIP_DESCRIPTOR* sends[64];
static void* post(void* unused)
{
    for (int i = 0; i < 64; i++)
    {
        VipPostSend(vi, sends[i], host.handle);
    }
    return unused;
}
int main(int count, char** words)
{
    pthread_t thread;
    char* data;
    parse_options(&host, 1, words, NULL, 0);
    host_open(&host, 1 << 20);
    data = host_take(&host, 65536);
    vi = vi_open(&host);
    for (int i = 0; i < 64; i++)
    {
        sends[i] = host_take(&host, 64);
        describe(&host, sends[i], data, 4096);
        host.rank < 2 ? VIP_SUCCESS : VipPostRecv(vi, sends[i], host.handle);
    }
    host.rank < 2 ? vi_request(&host, vi, host.rank + 2, 0) : vi_wait(&host, vi, host.rank - 2, 0);
    if (host.rank == 0)
    {
        pthread_create(&thread, NULL, post, NULL);
        usleep(atoi(words[1]));
        atoi(words[2]) ? abort() : exit(0); /* the other thread stalls in a post */
    }
    usleep(host.rank == 1 ? 3000 : 10000);
    for (int i = 0; host.rank == 1 && i < 8; i++)
    {
        VipPostSend(vi, sends[i], host.handle);
        await_send(vi);
    }
    printf("rank %d ends\\n", host.rank);
    return 0;
}
"""


@pytest.mark.parametrize("aborts", [0, 1])
@pytest.mark.parametrize("us", [200, 210, 225])
def test_a_process_that_ends_in_a_post_leaves_the_doorbells_to_others(compile_c, us, aborts):
    common = [str(programs.folder() / name) for name in programs.COMMON_SOURCES]
    program = compile_c("lost-places", LOST_PLACES, f"-I{programs.folder()}", *common)
    cluster = via.Cluster(nodes=2, overrides={"nic.doorbell_depth": "1"})
    run = cluster.run_program(program, [us, aborts], procs_per_node=2, capture=True, check=False)
    assert sorted(run.stdout.splitlines()) == [f"rank {rank} ends" for rank in (1, 2, 3)]


RW_LOCKS = """
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static void* write_it(void* none)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    printf("writer: %s\\n", strerror(pthread_rwlock_timedwrlock(&lock, &until)));
    return none;
}
static void* read_it(void* none)
{
    pthread_rwlock_rdlock(&lock);
    puts("reader");
    pthread_rwlock_unlock(&lock);
    return none;
}
int main(void)
{
    pthread_t writer, readers[2];
    pthread_rwlock_rdlock(&lock);
    pthread_create(&writer, NULL, write_it, NULL);
    usleep(1000);
    pthread_create(&readers[0], NULL, read_it, NULL);
    pthread_create(&readers[1], NULL, read_it, NULL);
    pthread_join(writer, NULL);
    pthread_join(readers[0], NULL);
    pthread_join(readers[1], NULL);
    pthread_rwlock_unlock(&lock);
    printf("free %d\\n", pthread_rwlock_trywrlock(&lock) == 0);
    return 0;
}
"""


def test_readers_behind_a_writer_that_gives_up_get_the_lock(compile_c):
    run = via.Cluster(nodes=1).run_program(compile_c("rw-locks", RW_LOCKS), capture=True)
    assert run.stdout.splitlines() == [
        "writer: Connection timed out",
        "reader",
        "reader",
        "free 1",
    ]


SLOW_HANDLER = """
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <vipl.h>
static void handle(int number)
{
    usleep(20000);
}
int main(void)
{
    const struct itimerval timer = {{0, 0}, {0, 5000}};
    VIP_NIC_HANDLE nic;
    VIP_CQ_HANDLE queue;
    VIP_VI_HANDLE vi;
    VIP_BOOLEAN receive;
    struct timespec begin, end;
    VIP_RETURN result;
    VipOpenNic("VINIC", &nic);
    VipCreateCQ(nic, 16, &queue);
    signal(SIGALRM, handle);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    setitimer(ITIMER_REAL, &timer, NULL);
    result = VipCQWait(queue, 10, &vi, &receive);
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("%s after %ld ms\\n", result == VIP_TIMEOUT ? "timeout" : "something else",
           (end.tv_sec - begin.tv_sec) * 1000 + (end.tv_nsec - begin.tv_nsec) / 1000000);
    return 0;
}
"""


def test_a_wait_is_over_when_a_handler_returns_after_its_deadline(compile_c):
    run = via.Cluster(nodes=1).run_program(compile_c("slow-handler", SLOW_HANDLER), capture=True)
    assert run.stdout == "timeout after 25 ms\n"


LONG_COPY = """
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
static volatile int flag;
static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e6 + time.tv_nsec * 1e-3;
}
static void* watch(void* seen)
{
    for (*(double*)seen = now(); !flag; *(double*)seen = now())
    {
        usleep(1);
    }
    return NULL;
}
int main(int count, char** words)
{
    const size_t pieces = atol(words[1]), bytes = 4194304 / pieces;
    char* large = malloc(4194304);
    double seen, end;
    pthread_t watcher;
    pthread_create(&watcher, NULL, watch, &seen);
    usleep(100);
    for (size_t i = 0; i < pieces; i++)
    {
        memset(large + i * bytes, 1, bytes);
    }
    flag = 1;
    end = now();
    pthread_join(watcher, NULL);
    puts(seen > end - 10 ? "in time" : "early");
    return 0;
}
"""


@pytest.mark.parametrize("pieces", ["1", "65536"])
def test_what_follows_copies_is_not_seen_before_they_end(compile_c, pieces):
    cluster = via.Cluster(nodes=1, overrides={"cpu.count": "2"})
    program = compile_c("long-copy", LONG_COPY)
    assert cluster.run_program(program, [pieces], capture=True).stdout == "in time\n"
