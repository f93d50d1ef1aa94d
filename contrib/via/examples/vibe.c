/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/*
 * VIBe: a benchmark of a VI Architecture provider, after the one of this name by Banikazemi et al.
 * (IPDPS 2001). One experiment per run, at several x, between two processes.
 *
 * usage: vibe [-e experiment] [-x x,x,...] [-n rounds]
 * A line of the results: "result", series, x, unit of x, bytes of a message, value, unit. What the
 * provider does not offer: "missing", series, x, unit of x, and why.
 */

#include "vibe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MEMORY_BYTES 1048576UL
#define REUSE_BYTES 16777216UL /* memory that is used only once */
#define SIZES "4,16,64,256,1024,4096,16384,65536"

typedef struct Experiment
{
    const char* name;
    const char* unit; /* of x */
    const char* xs;
    void (*measure)(long x);
} Experiment;

static const Experiment experiments[] = {
    {"setup", "calls", "16", measure_setup},
    {"registration", "pages", "4,4096,16384,65536,262144,1048576,4194304", measure_registration},
    {"latency", "bytes", SIZES, measure_latency},
    {"bandwidth", "bytes", SIZES, measure_bandwidth},
    {"blocking-latency", "bytes", SIZES, measure_blocking_latency},
    {"blocking-bandwidth", "bytes", SIZES, measure_blocking_bandwidth},
    {"reuse", "percent", "0,25,50,75,100", measure_reuse},
    {"segments", "segments", "1,2,4,8,16,32,64,128", measure_segments},
    {"cq", "bytes", SIZES, measure_cq},
    {"vis", "vis", "1,2,4,8,16,32,64,128,256,512,1024", measure_vis},
    {"rdma", "bytes", SIZES, measure_rdma},
    {"reliability", "bytes", SIZES, measure_reliability},
    {"mtu", "bytes", "1024,2048,4096,8192,16384,32768,65536", measure_mtu},
    {"async", "bytes", SIZES, measure_async},
    {"pipeline", "messages", "1,2,4,8,16,32,64", measure_pipeline},
    {"client-server", "bytes", SIZES, measure_client_server}};

Host host;
long rounds = 20;

static const char* name = "latency";
static const char* xs = "";
static const char* x_unit;

static const Option options[] = {
    {'e', NULL, 0, 0, &name, NULL, "experiment; a wrong one is told the right ones"},
    {'x', NULL, 0, 0, &xs, NULL, "where to measure: sizes or counts, with commas between"},
    {'n', &rounds, 1, 100000, NULL, NULL, "rounds of each measurement"}};

void
print_result(const char* series, long x, long size, double value, const char* unit)
{
    printf("result %s %ld %s %ld %.4f %s\n", series, x, x_unit, size, value, unit);
}

/* Both processes know what the provider lacks; one says it. */
void
print_missing(const char* series, long x, const char* why)
{
    if (host.rank == 0)
    {
        printf("missing %s %ld %s %s\n", series, x, x_unit, why);
    }
}

int
fits(const char* series, long x, long size)
{
    const int fit = (VIP_ULONG)size <= host.max_transfer;

    if (!fit)
    {
        print_missing(series, x, "longer than MaxTransferSize");
    }
    return fit;
}

void
print_latency(const char* series, long x, const Setting* setting)
{
    const Figure found = ping_pong(setting);

    if (found.measured)
    {
        print_result(series, x, setting->size * setting->pieces, found.us, "us");
    }
}

void
print_bandwidth(const char* series, long x, const Setting* setting)
{
    const Figure found = stream(setting);

    if (found.measured)
    {
        print_result(series, x, setting->size, setting->size / found.us, "MB/s");
    }
}

static const Experiment*
find_experiment(void)
{
    int i;

    for (i = 0; i < COUNT(experiments); i++)
    {
        if (strcmp(experiments[i].name, name) == 0)
        {
            return &experiments[i];
        }
    }
    fprintf(stderr, "-e %s: there are", name);
    for (i = 0; i < COUNT(experiments); i++)
    {
        fprintf(stderr, " %s", experiments[i].name);
    }
    fail("no such experiment");
    return NULL;
}

static void
measure_all(const Experiment* experiment)
{
    const char* next = *xs == '\0' ? experiment->xs : xs;
    char* end;

    x_unit = experiment->unit;
    while (*next != '\0')
    {
        const long x = strtol(next, &end, 10);

        if (end == next || (*end != ',' && *end != '\0') || x < 0)
        {
            fail("-x %s: whole numbers with commas between are needed", xs);
        }
        experiment->measure(x);
        next = *end == ',' ? end + 1 : end;
    }
}

int
main(int argc, char** argv)
{
    const Experiment* experiment;

    parse_options(&host, argc, argv, options, COUNT(options));
    experiment = find_experiment();
    if (host.size != 2)
    {
        fail("vibe needs 2 processes, not %d", host.size);
    }
    host_open(&host, experiment->measure == measure_reuse ? REUSE_BYTES : MEMORY_BYTES);
    clock_us(); /* now: within a measurement messages would pile up meanwhile */
    measure_all(experiment);
    host_close(&host);
    return 0;
}
