/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/*
 * What the VIPL example programs share: options, checked calls, one NIC with one registered
 * region, connections between ranks and with services, descriptors, and bytes that can be
 * recognized.
 */

#ifndef VIPL_UTIL_H
#define VIPL_UTIL_H

#include <vipl.h>

/* One process of a parallel program: its place, its NIC and the memory the NIC may touch. Rank i
 * runs on host n<i / per_host>. */
typedef struct Host
{
    int rank;
    int size;
    int per_host;
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

/* A program's option: `-x number` in a range, `-x text`, or the flag `-x`; and what -h says of it.
 */
typedef struct Option
{
    char letter;
    long* number;
    long least;
    long most;
    const char** text;
    int* flag;
    const char* meaning;
} Option;

/* The number of elements of an array. */
#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* Say what is wrong, in printf's manner, and end this process with status 1. */
void fail(const char* format, ...);

/* End this process unless a call succeeded. */
#define CHECK(call) check((call), #call, __FILE__, __LINE__)
void check(VIP_RETURN result, const char* call, const char* file, int line);

/* Read the options. Those of every program: its rank and the number of processes, -r and -p, else
 * from VIA_RANK and VIA_SIZE; processes per host, -k, else from VIA_PROCS_PER_NODE; reliability
 * level, -l; and -h for help. */
void parse_options(Host* host, int argc, char** argv, const Option* options, int count);

/* Microseconds since some fixed instant. */
double now_us(void);

/* Open the NIC and register bytes of memory, of which host_take hands out aligned pieces. Other
 * memory can be registered, too; the caller deregisters it. */
void host_open(Host* host, VIP_ULONG bytes);
void* host_take(Host* host, VIP_ULONG bytes);
VIP_MEM_HANDLE host_register(const Host* host, void* data, VIP_ULONG bytes);
void host_close(Host* host);

/* What host_take uses up for so many bytes. */
#define TAKEN(bytes) (((VIP_ULONG)(bytes) + 63) / 64 * 64)

/* Make a VI, its queues without or with completion queues; disconnect it, drain its queues and
 * destroy it. Only an abandoned VI may have messages and completed sends that nobody looked at. */
VIP_VI_HANDLE vi_open(const Host* host);
VIP_VI_HANDLE vi_open_on(const Host* host, VIP_CQ_HANDLE sends, VIP_CQ_HANDLE receives);
void vi_close(VIP_VI_HANDLE vi);
void vi_abandon(VIP_VI_HANDLE vi);

/* Connect with a VI of another rank: one side requests, the other waits. The channel, 0 to 65535,
 * tells apart several connections between the same two ranks. */
void vi_request(const Host* host, VIP_VI_HANDLE vi, int peer, int channel);
void vi_wait(const Host* host, VIP_VI_HANDLE vi, int peer, int channel);

/* Every rank calls this: connect `out` to rank + distance, `in` to rank - distance, modulo size. */
void vi_ring(const Host* host, VIP_VI_HANDLE out, VIP_VI_HANDLE in, int distance, int channel);

/* Connecting every two ranks takes so many rounds, in each of which a rank has one partner, or
 * none: -1. Partners have each other, so nobody waits for somebody who waits for a third. */
int mesh_rounds(const Host* host);
int mesh_partner(const Host* host, int round);

/* A service is for whoever asks. Clients connect with the process of a rank, and name themselves by
 * rank and channel. The server accepts or rejects; a request returns VIP_SUCCESS or VIP_REJECT. */
VIP_RETURN service_request(const Host* host, VIP_VI_HANDLE vi, int server, int channel);
VIP_CONN_HANDLE service_wait(const Host* host, int* client, int* channel);

/* Fill in a descriptor for a send or a receive, or for an RDMA write to the start of a target. The
 * data is in the host's region, or, with `describe_in`, in another. */
void describe(const Host* host, VIP_DESCRIPTOR* descriptor, void* data, VIP_ULONG length);
void describe_in(VIP_MEM_HANDLE region, VIP_DESCRIPTOR* descriptor, void* data, VIP_ULONG length);
void describe_write(const Host* host,
                    VIP_DESCRIPTOR* descriptor,
                    void* data,
                    VIP_ULONG length,
                    const Target* target);
void describe_empty(VIP_DESCRIPTOR* descriptor); /* no segment, no byte */
void add_immediate(VIP_DESCRIPTOR* descriptor, VIP_UINT32 value);

/* Where data lies in this process, as another one has to name it. */
VIP_UINT64 address_bits(const void* data);

/* Reap the oldest descriptor of a queue, which must have succeeded. `completed` judges what a call
 * of this kind returned, and returns the descriptor. */
VIP_DESCRIPTOR* completed(VIP_RETURN result, VIP_DESCRIPTOR* descriptor, const char* what);
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

/* Endless streams of bytes, each byte a function of the stream's number and of its place. Write
 * some of one; say where what was received differs from it, -1 if nowhere. */
void bytes_fill(void* data, VIP_ULONG length, VIP_UINT32 stream, VIP_ULONG place);
long bytes_differ(const void* data, VIP_ULONG length, VIP_UINT32 stream, VIP_ULONG place);

/* The next of a sequence of numbers that look random; the state is any number to begin with. */
VIP_UINT32 next_random(VIP_UINT32* state);

#endif /* VIPL_UTIL_H */
