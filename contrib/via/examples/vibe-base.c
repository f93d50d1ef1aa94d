/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* VIBe's base measurements: latency, bandwidth and CPU time, and request and reply. */

#include "vibe.h"

#define REQUEST_BYTES 16

static void
print_cpu(const char* series, long bytes, const Figure* found)
{
    print_result(series, bytes, bytes, found->cpu_percent, "%");
}

void
measure_latency(long bytes)
{
    static const char* const latencies[] = {"latency_polled", "latency_blocking"};
    static const char* const shares[] = {"cpu_latency_polled", "cpu_latency_blocking"};
    Setting setting = plain(bytes);
    int i;

    for (i = 0; i < COUNT(latencies) && fits(latencies[i], bytes, bytes); i++)
    {
        Figure found;

        setting.finding = i == 0 ? BY_POLLING : BY_BLOCKING;
        found = ping_pong(&setting);
        if (found.measured)
        {
            print_result(latencies[i], bytes, bytes, found.us, "us");
            print_cpu(shares[i], bytes, &found);
        }
    }
}

void
measure_bandwidth(long bytes)
{
    static const char* const rates[] = {"bandwidth_polled", "bandwidth_blocking"};
    static const char* const shares[] = {"cpu_bandwidth_polled", "cpu_bandwidth_blocking"};
    Setting setting = plain(bytes);
    int i;

    for (i = 0; i < COUNT(rates) && fits(rates[i], bytes, bytes); i++)
    {
        Figure found;

        setting.finding = i == 0 ? BY_POLLING : BY_BLOCKING;
        found = stream(&setting);
        if (found.measured)
        {
            print_result(rates[i], bytes, bytes, bytes / found.us, "MB/s");
            print_cpu(shares[i], bytes, &found);
        }
    }
}

/* One of them alone, for who watches the node meanwhile. */
void
measure_blocking_latency(long bytes)
{
    Setting setting = plain(bytes);

    if (fits("blocking_latency", bytes, bytes))
    {
        setting.finding = BY_BLOCKING;
        print_latency("blocking_latency", bytes, &setting);
    }
}

void
measure_blocking_bandwidth(long bytes)
{
    Setting setting = plain(bytes);

    if (fits("blocking_bandwidth", bytes, bytes))
    {
        setting.finding = BY_BLOCKING;
        print_bandwidth("blocking_bandwidth", bytes, &setting);
    }
}

void
measure_async(long bytes)
{
    Setting setting = plain(bytes);

    if (fits("async_handler", bytes, bytes))
    {
        print_latency("async_polled", bytes, &setting);
        setting.finding = BY_BLOCKING;
        print_latency("async_blocking", bytes, &setting);
        setting.finding = BY_HANDLER;
        print_latency("async_handler", bytes, &setting);
    }
}

/* A client asks in few bytes for many; x is the size of the reply. */
void
measure_client_server(long bytes)
{
    Setting setting = plain(REQUEST_BYTES);

    setting.reply = bytes;
    if (fits("transactions_polled", bytes, bytes))
    {
        static const char* const series[] = {"transactions_polled", "transactions_blocking"};
        int i;

        for (i = 0; i < COUNT(series); i++)
        {
            Figure found;

            setting.finding = i == 0 ? BY_POLLING : BY_BLOCKING;
            found = ping_pong(&setting);
            if (found.measured)
            {
                print_result(series[i], bytes, REQUEST_BYTES, 1e6 / (2 * found.us), "1/s");
            }
        }
    }
}
