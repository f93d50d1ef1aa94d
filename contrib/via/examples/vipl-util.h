/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/*
 * What the VIPL example programs share: options, checked calls, one NIC with one registered
 * region, connections between ranks, descriptors, and bytes that can be recognized.
 */

#ifndef VIPL_UTIL_H
#define VIPL_UTIL_H

#include <vipl.h>

/* One process of a parallel program: its place, its NIC and the memory the NIC may touch. There is
 * one process per host, and rank i runs on host n<i>. */
typedef struct Host
{
    int rank;
    int size;
    VIP_NIC_HANDLE nic;
    VIP_NIC_ATTRIBUTES attributes;
    VIP_PROTECTION_HANDLE ptag;
    VIP_RELIABILITY_LEVEL level;
    VIP_ULONG max_transfer; /* bytes per descriptor */
    void* allocated;
    char* memory; /* the registered region, aligned for descriptors */
    VIP_ULONG length;
    VIP_ULONG taken;
    VIP_MEM_HANDLE handle;
} Host;

/* Where another process lets us write; it tells us so in a message. */
typedef struct Target
{
    VIP_UINT64 address;
    VIP_MEM_HANDLE handle;
    VIP_UINT32 length;
} Target;

/* A program's option: `-x number` in a range, `-x text`, or the flag `-x`. */
typedef struct Option
{
    char letter;
    long* number;
    long least;
    long most;
    const char** text;
    int* flag;
} Option;

/* Say what is wrong, in printf's manner, and end this process with status 1. */
void fail(const char* format, ...);

/* End this process unless a call succeeded. */
#define CHECK(call) check((call), #call, __FILE__, __LINE__)
void check(VIP_RETURN result, const char* call, const char* file, int line);

/* Read the options. Rank and size come from -r and -p, else from VIA_RANK and VIA_SIZE. */
void parse_options(Host* host, int argc, char** argv, const Option* options, int count);

/* Microseconds since some fixed instant. */
double now_us(void);

/* Open the NIC and register bytes of memory, of which host_take hands out aligned pieces. */
void host_open(Host* host, VIP_ULONG bytes);
void* host_take(Host* host, VIP_ULONG bytes);
void host_close(Host* host);

/* What host_take uses up for so many bytes. */
#define TAKEN(bytes) (((VIP_ULONG)(bytes) + 63) / 64 * 64)

/* Make a VI; disconnect it, drain its queues and destroy it. */
VIP_VI_HANDLE vi_open(const Host* host);
void vi_close(VIP_VI_HANDLE vi);

/* Connect with a VI of another rank: one side requests, the other waits. The channel, 0 to 255,
 * tells apart several connections between the same two ranks. */
void vi_request(const Host* host, VIP_VI_HANDLE vi, int peer, int channel);
void vi_wait(const Host* host, VIP_VI_HANDLE vi, int peer, int channel);

/* Every rank calls this: connect `out` to rank + distance, `in` to rank - distance, modulo size. */
void vi_ring(const Host* host, VIP_VI_HANDLE out, VIP_VI_HANDLE in, int distance, int channel);

/* Fill in a descriptor for a send or a receive, or for an RDMA write to the start of a target. */
void describe(const Host* host, VIP_DESCRIPTOR* descriptor, void* data, VIP_ULONG length);
void describe_write(const Host* host,
                    VIP_DESCRIPTOR* descriptor,
                    void* data,
                    VIP_ULONG length,
                    const Target* target);
void add_immediate(VIP_DESCRIPTOR* descriptor, VIP_UINT32 value);

/* Reap the oldest descriptor of a queue, which must have succeeded. */
VIP_DESCRIPTOR* await_send(VIP_VI_HANDLE vi);
VIP_DESCRIPTOR* await_receive(VIP_VI_HANDLE vi, int blocking);

/* Tell the peer where it may write, and learn it from the peer. The learning side calls
 * target_expect before it connects. */
void target_offer(Host* host, VIP_VI_HANDLE vi, void* data, VIP_ULONG length);
void target_expect(Host* host, VIP_VI_HANDLE vi);
Target target_learn(VIP_VI_HANDLE vi);

/* A pattern in registered memory of which messages are sent. Message number i of up to size bytes
 * starts at pattern_at(i); PATTERN_MESSAGES consecutive messages differ in every byte. */
#define PATTERN_MESSAGES 16
#define PATTERN_BYTES(size) TAKEN((size) + 64 * PATTERN_MESSAGES)
char* pattern_open(Host* host, VIP_ULONG size);
char* pattern_at(char* pattern, long message);

#endif /* VIPL_UTIL_H */
