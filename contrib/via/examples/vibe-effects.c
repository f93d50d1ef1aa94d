/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* VIBe's effects: what latency and bandwidth depend on beside the size of a message. */

#include "vibe.h"

#define SMALL 4
#define MEDIUM 4096
#define LARGE 16384
#define TRANSFER 65536
#define MOST_VIS 4096

/* 0 %: each message lies where none lay before, so no translation that is kept can be of use. */
void
measure_reuse(long percent)
{
    Setting setting = plain(MEDIUM);

    if (percent > 100)
    {
        fail("-x %ld: a percentage is needed", percent);
    }
    setting.reuse = percent;
    print_latency("reuse_latency", percent, &setting);
    setting.size = LARGE;
    print_bandwidth("reuse_bandwidth", percent, &setting);
}

/* The same bytes in one piece or in many, gathered by one card and scattered by the other. */
void
measure_segments(long segments)
{
    Setting setting = plain(MEDIUM);

    if (segments < 1 || segments > MEDIUM)
    {
        fail("-x %ld: a number of segments from 1 to %d is needed", segments, MEDIUM);
    }
    if ((VIP_ULONG)segments > host.attributes.MaxSegmentsPerDesc)
    {
        print_missing("segments_latency", segments, "more than MaxSegmentsPerDesc");
        return;
    }
    setting.segments = segments;
    print_latency("segments_latency", segments, &setting);
    print_bandwidth("segments_bandwidth", segments, &setting);
}

void
measure_cq(long bytes)
{
    Setting setting = plain(bytes);

    if (!fits("cq_latency", bytes, bytes))
    {
        return;
    }
    print_latency("queue_latency", bytes, &setting);
    print_bandwidth("queue_bandwidth", bytes, &setting);
    setting.finding = BY_CQ;
    print_latency("cq_latency", bytes, &setting);
    print_bandwidth("cq_bandwidth", bytes, &setting);
}

/* All VIs are connected, messages go over one of them. */
void
measure_vis(long count)
{
    static VIP_VI_HANDLE idle[MOST_VIS];
    Setting small = plain(SMALL);
    const Setting medium = plain(MEDIUM);
    long i;

    if (count < 1 || count > MOST_VIS)
    {
        fail("-x %ld: a number of VIs from 1 to %d is needed", count, MOST_VIS);
    }
    if ((VIP_ULONG)count > host.attributes.MaxVI)
    {
        print_missing("vis_latency", count, "more than MaxVI");
        return;
    }
    for (i = 1; i < count; i++)
    {
        idle[i] = idle_open();
    }
    small.in_step = 0;
    print_latency("vis_latency", count, &small);
    print_bandwidth("vis_bandwidth", count, &medium);
    for (i = 1; i < count; i++)
    {
        vi_close(idle[i]);
    }
}

void
measure_rdma(long bytes)
{
    Setting setting = plain(bytes);

    if (!fits("rdma_latency", bytes, bytes))
    {
        return;
    }
    print_latency("send_latency", bytes, &setting);
    print_bandwidth("send_bandwidth", bytes, &setting);
    setting.rdma = 1;
    print_latency("rdma_latency", bytes, &setting);
    print_bandwidth("rdma_bandwidth", bytes, &setting);
}

void
measure_reliability(long bytes)
{
    static const VIP_RELIABILITY_LEVEL levels[] = {VIP_SERVICE_UNRELIABLE,
                                                   VIP_SERVICE_RELIABLE_DELIVERY,
                                                   VIP_SERVICE_RELIABLE_RECEPTION};
    static const char* const latencies[] = {"unreliable_latency",
                                            "delivery_latency",
                                            "reception_latency"};
    static const char* const rates[] = {"unreliable_bandwidth",
                                        "delivery_bandwidth",
                                        "reception_bandwidth"};
    Setting setting = plain(bytes);
    int i;

    for (i = 0; i < COUNT(levels) && fits(latencies[i], bytes, bytes); i++)
    {
        if ((host.attributes.ReliabilityLevelSupport & levels[i]) == 0)
        {
            print_missing(latencies[i], bytes, "not in ReliabilityLevelSupport");
            continue;
        }
        setting.level = levels[i];
        print_latency(latencies[i], bytes, &setting);
        print_bandwidth(rates[i], bytes, &setting);
    }
}

/* 64 KiB as one message or several, as long as the VI's MaxTransferSize allows. */
void
measure_mtu(long bytes)
{
    Setting setting = plain(bytes);

    if (bytes < 1 || TRANSFER % bytes != 0)
    {
        fail("-x %ld: %d must be a multiple of it", bytes, TRANSFER);
    }
    if (!fits("mtu_transfer", bytes, bytes))
    {
        return;
    }
    setting.pieces = TRANSFER / bytes;
    if ((VIP_ULONG)(2 * setting.pieces) > host.attributes.MaxDescriptorsPerQueue)
    {
        print_missing("mtu_transfer", bytes, "more pieces than MaxDescriptorsPerQueue");
        return;
    }
    setting.mtu = (VIP_ULONG)bytes;
    print_latency("mtu_transfer", bytes, &setting);
}

/* How many messages may be under way. */
void
measure_pipeline(long depth)
{
    Setting setting = plain(MEDIUM);

    if (depth < 1)
    {
        fail("-x %ld: at least one message is needed", depth);
    }
    if ((VIP_ULONG)depth > host.attributes.MaxDescriptorsPerQueue)
    {
        print_missing("pipeline_bandwidth", depth, "more than MaxDescriptorsPerQueue");
        return;
    }
    setting.window = depth;
    print_bandwidth("pipeline_bandwidth", depth, &setting);
}
