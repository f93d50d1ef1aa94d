/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/*
 * What the parts of VIBe share: a channel between the two processes, set up in one of many ways,
 * and the two measurements made on it, a ping-pong and a stream.
 */

#ifndef VIBE_H
#define VIBE_H

#include "vipl-util.h"

/* How a process finds out that a message has come. */
typedef enum Finding
{
    BY_POLLING,  /* VipRecvDone until it says so */
    BY_BLOCKING, /* VipRecvWait */
    BY_CQ,       /* VipCQDone until it says so, then VipRecvDone */
    BY_HANDLER   /* VipRecvNotify; the handler wakes the program */
} Finding;

/* One way to send messages. */
typedef struct Setting
{
    long size;     /* bytes of a message to rank 1 */
    long reply;    /* bytes of a message to rank 0 */
    long pieces;   /* descriptors that make a message, all of the same length */
    long segments; /* data segments of each descriptor */
    long window;   /* of a stream: receives that are kept posted */
    long reuse;    /* percent of the messages that lie where others lay */
    int rdma;      /* RDMA writes with immediate data instead of sends */
    int in_step;   /* a round of a ping-pong begins as the one before ends, not some time later */
    Finding finding;
    VIP_RELIABILITY_LEVEL level;
    VIP_ULONG mtu; /* the VI's MaxTransferSize */
} Setting;

/* What was measured: time of a message and the share of it that this process had a CPU for. Only
 * one of the two processes measures. */
typedef struct Figure
{
    int measured;
    double us;
    double cpu_percent;
} Figure;

/* A VI connected with one of the other process, and the memory that its messages use. */
typedef struct Channel
{
    Setting setting;
    VIP_VI_HANDLE vi;
    VIP_CQ_HANDLE cq;
    VIP_ULONG mark; /* memory that was taken before */
    Target target;  /* where RDMA writes go */
    struct Lane* send;
    struct Lane* receive;
} Channel;

extern Host host;
extern long rounds; /* of each measurement, after some to warm up */

/* ---- vibe-channel.c ---- */

/* A setting with one descriptor of one segment for each message of so many bytes, found by polling,
 * always in the same buffer. */
Setting plain(long size);

/* Make and connect a channel; both processes call it with the same setting. uses: how many messages
 * of each direction will have a buffer, sends: descriptors in the queue of sends of this process,
 * receives: in its queue of receives. A stream carries data one way: the other is for credits. */
void channel_open(Channel* channel,
                  const Setting* setting,
                  long uses,
                  long sends,
                  long receives,
                  int credits);
void channel_close(Channel* channel);

/* Build the next descriptor, which is to be posted later. */
void channel_prepare(Channel* channel, VIP_UINT32 immediate);
void channel_remark(Channel* channel, VIP_UINT32 immediate); /* tell something else by it */
void channel_post(Channel* channel);
void channel_expect(Channel* channel);
VIP_DESCRIPTOR* channel_receive(Channel* channel);
void channel_sent(Channel* channel);

/* A VI that is connected with one of the other process and does nothing. */
VIP_VI_HANDLE idle_open(void);

/* ---- vibe-measure.c ---- */

/* Microseconds since some fixed instant, of CPU time, and that it takes to look at a clock. */
double wall_us(void);
double cpu_us(void);
double clock_us(void);

/* Half of a round trip of messages, a mean; rank 0 measures. */
Figure ping_pong(const Setting* setting);

/* The time from message to message of a long row of them; rank 1 measures. */
Figure stream(const Setting* setting);

/* ---- vibe.c ---- */

/* Print a line of the results; the process that measured calls it. */
void print_result(const char* series, long x, long size, double value, const char* unit);
void print_missing(const char* series, long x, const char* why);

void print_latency(const char* series, long x, const Setting* setting);
void print_bandwidth(const char* series, long x, const Setting* setting);

/* Whether a message of so many bytes fits a descriptor; if not, say so. */
int fits(const char* series, long x, long size);

/* ---- The experiments: what is measured at one x ---- */

void measure_setup(long calls);
void measure_registration(long bytes);
void measure_latency(long bytes);
void measure_bandwidth(long bytes);
void measure_blocking_latency(long bytes);
void measure_blocking_bandwidth(long bytes);
void measure_reuse(long percent);
void measure_segments(long segments);
void measure_cq(long bytes);
void measure_vis(long count);
void measure_rdma(long bytes);
void measure_reliability(long bytes);
void measure_mtu(long bytes);
void measure_async(long bytes);
void measure_pipeline(long depth);
void measure_client_server(long bytes);

#endif /* VIBE_H */
