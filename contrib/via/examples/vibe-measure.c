/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* VIBe's two measurements: a ping-pong and a stream. */

#include "vibe.h"

#include <time.h>

#define WARM_UP 4
#define SLOTS 2   /* rounds of a ping-pong whose descriptors exist at a time */
#define CREDITS 4 /* messages that return credits and are under way at a time */
#define CLOCK_READINGS 16
#define PAUSE 4 /* round trips, at most */

/* Streams of short messages are longer: a single wake-up would count in their time. */
#define SHORT 4096
#define LONGER 8

static double
read_us(clockid_t which)
{
    struct timespec now;

    if (clock_gettime(which, &now) != 0)
    {
        fail("no clock %d", (int)which);
    }
    return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

double
wall_us(void)
{
    return read_us(CLOCK_MONOTONIC);
}

double
cpu_us(void)
{
    return read_us(CLOCK_PROCESS_CPUTIME_ID);
}

/* ---- The interval that is measured ---- */

static double wall_start;
static double cpu_start;
static double paused; /* since then, on purpose */
static double paused_there;

double
clock_us(void)
{
    static double cost = 0;
    double start;
    long i;

    if (cost == 0)
    {
        start = wall_us();
        for (i = 0; i < CLOCK_READINGS; i++)
        {
            wall_us();
        }
        cost = (wall_us() - start) / (CLOCK_READINGS + 1);
    }
    return cost;
}

/* Readings of the clock that lie inside an interval, of wall and CPU alike. */
#define OWN_READINGS 2
#define HIDDEN_READINGS 0 /* while they pass, messages are under way */

static void
begin(void)
{
    paused = 0;
    paused_there = 0;
    wall_start = wall_us();
    cpu_start = cpu_us();
}

static Figure
end(double parts, int readings)
{
    const double apart = readings * clock_us() + paused;
    const double wall = wall_us() - wall_start - apart - paused_there;
    const double cpu = cpu_us() - cpu_start - apart;
    Figure found;

    found.measured = 1;
    found.us = wall / parts;
    found.cpu_percent = cpu < wall ? 100 * cpu / wall : 100; /* they are not read at one instant */
    return found;
}

static Figure
nothing(void)
{
    const Figure found = {0, 0, 0};

    return found;
}

/* ---- Ping-pong ---- */

/* A message of one descriptor is built beforehand, one of several as it is posted. */
static void
send_message(Channel* channel)
{
    long piece;

    channel_post(channel);
    for (piece = 1; piece < channel->setting.pieces; piece++)
    {
        channel_prepare(channel, 0);
        channel_post(channel);
    }
}

static VIP_UINT32
receive_message(Channel* channel)
{
    VIP_UINT32 immediate = 0;
    long piece;

    for (piece = 0; piece < channel->setting.pieces; piece++)
    {
        immediate = channel_receive(channel)->CS.ImmediateData;
    }
    return immediate;
}

/* What can be done while the answer is under way: post receives anew, take sends of the round
 * before back, build the next. */
static void
tidy(Channel* channel, long round)
{
    long piece;

    for (piece = 0; piece < channel->setting.pieces; piece++)
    {
        channel_expect(channel);
        if (round > 0)
        {
            channel_sent(channel);
        }
    }
    channel_prepare(channel, 0);
}

/* Pause for another time before each message, up to some round trips. Firmware that looks at one
 * doorbell after the other would else be found at the same place by each, far from the mean. */
static void
fall_out_of_step(long round, double round_trip)
{
    const double golden = round * 0.6180339887498949; /* its fractions spread evenly */
    const double start = wall_us();
    double now = start;

    while (now - start < (golden - (long)golden) * PAUSE * round_trip)
    {
        now = wall_us();
    }
    paused += now - start + clock_us();
}

/* The last answer tells how long the other process has paused. */
static Figure
ping(Channel* channel)
{
    const double start = wall_us();
    double round_trip = 0;
    long round;

    for (round = 0; round < WARM_UP + rounds; round++)
    {
        if (round == WARM_UP)
        {
            round_trip = (wall_us() - start) / WARM_UP;
            begin();
        }
        if (!channel->setting.in_step)
        {
            fall_out_of_step(round, round_trip);
        }
        send_message(channel);
        if (round > 0)
        {
            tidy(channel, round);
        }
        else
        {
            channel_prepare(channel, 0);
        }
        paused_there = receive_message(channel) / 1e3;
    }
    return end(2.0 * rounds, OWN_READINGS);
}

static void
pong(Channel* channel)
{
    const double start = wall_us();
    double round_trip = 0;
    long round;

    for (round = 0; round < WARM_UP + rounds; round++)
    {
        receive_message(channel);
        if (round == WARM_UP)
        {
            round_trip = (wall_us() - start) / (WARM_UP + 1);
            paused = 0;
        }
        if (!channel->setting.in_step)
        {
            fall_out_of_step(round, round_trip);
            channel_remark(channel, (VIP_UINT32)(paused * 1e3));
        }
        send_message(channel);
        tidy(channel, round);
    }
}

Figure
ping_pong(const Setting* setting)
{
    const long descriptors = SLOTS * setting->pieces;
    const long uses = WARM_UP + rounds + SLOTS + 1;
    Figure found = nothing();
    Channel channel;
    long piece;

    channel_open(&channel, setting, uses * setting->pieces, descriptors, descriptors, 0);
    channel_prepare(&channel, 0);
    if (host.rank == 0)
    {
        found = ping(&channel);
    }
    else
    {
        pong(&channel);
    }
    for (piece = 0; piece < setting->pieces; piece++)
    {
        channel_sent(&channel);
    }
    channel_close(&channel);
    return found;
}

/* ---- Stream ---- */

static long
take_credits(Channel* channel)
{
    const long credit = (long)channel_receive(channel)->CS.ImmediateData;

    channel_expect(channel);
    return credit;
}

static void
send_stream(Channel* channel, long messages)
{
    const long window = channel->setting.window;
    long credit = window;
    long sent;

    for (sent = 0; sent < messages; sent++)
    {
        while (credit == 0)
        {
            credit += take_credits(channel);
        }
        if (sent >= window)
        {
            channel_sent(channel);
        }
        channel_prepare(channel, 0);
        channel_post(channel);
        credit--;
    }
    while (credit < window)
    {
        credit += take_credits(channel);
    }
    for (sent = messages < window ? messages : window; sent > 0; sent--)
    {
        channel_sent(channel);
    }
}

/* Each time half of the window is posted anew, the sender is told. The interval begins and ends as
 * the last message of a window is found, before anything else is done: as many messages wait to be
 * found then and now, so that all that it counts came in it. */
static Figure
receive_stream(Channel* channel, long messages)
{
    const long window = channel->setting.window;
    const long half = window < 2 ? 1 : window / 2;
    Figure found = nothing();
    long told = 0;
    long received;

    for (received = 1; received <= messages; received++)
    {
        channel_receive(channel);
        if (received == window)
        {
            begin();
        }
        else if (received == messages - window)
        {
            found = end((double)(messages - 2 * window), HIDDEN_READINGS);
        }
        channel_expect(channel);
        if (received % half == 0 || received == messages)
        {
            if (told >= CREDITS)
            {
                channel_sent(channel);
            }
            channel_prepare(channel, (VIP_UINT32)(received % half == 0 ? half : received % half));
            channel_post(channel);
            told++;
        }
    }
    for (received = told < CREDITS ? told : CREDITS; received > 0; received--)
    {
        channel_sent(channel);
    }
    return found;
}

/* Whole windows, so that credits come as often as they do in the long run; one before and one
 * behind what is measured. */
Figure
stream(const Setting* setting)
{
    const long window = setting->window;
    const long least = setting->size <= SHORT ? LONGER * rounds : rounds;
    const long messages = 2 * window + (least + window - 1) / window * window;
    const int sender = host.rank == 0;
    Figure found = nothing();
    Channel channel;

    channel_open(&channel,
                 setting,
                 messages + window,
                 sender ? window : CREDITS,
                 sender ? CREDITS : window,
                 1);
    if (sender)
    {
        send_stream(&channel, messages);
    }
    else
    {
        found = receive_stream(&channel, messages);
    }
    channel_close(&channel);
    return found;
}
