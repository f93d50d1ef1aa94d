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

static void
begin(void)
{
    clock_us();
    cpu_start = cpu_us();
    wall_start = wall_us();
}

/* One reading of the clock lies inside the interval of the wall, three in that of the CPU. */
static Figure
end(double parts)
{
    const double wall = wall_us() - wall_start - clock_us();
    const double cpu = cpu_us() - cpu_start - 3 * clock_us();
    Figure found;

    found.measured = 1;
    found.us = wall / parts;
    found.cpu_percent = 100 * cpu / wall;
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

static void
receive_message(Channel* channel)
{
    long piece;

    for (piece = 0; piece < channel->setting.pieces; piece++)
    {
        channel_receive(channel);
    }
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

static Figure
ping(Channel* channel)
{
    Figure found;
    long round;

    for (round = 0; round < WARM_UP + rounds; round++)
    {
        if (round == WARM_UP)
        {
            begin();
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
        receive_message(channel);
    }
    found = end(2.0 * rounds);
    return found;
}

static void
pong(Channel* channel)
{
    long round;

    for (round = 0; round < WARM_UP + rounds; round++)
    {
        receive_message(channel);
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

/* Each time half of the window is posted anew, the sender is told. */
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
        if (received == messages)
        {
            found = end((double)(messages - window));
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
        if (received == window)
        {
            begin();
        }
    }
    for (received = told < CREDITS ? told : CREDITS; received > 0; received--)
    {
        channel_sent(channel);
    }
    return found;
}

/* Whole windows, so that credits come as often as they do in the long run. */
Figure
stream(const Setting* setting)
{
    const long window = setting->window;
    const long messages = window + (rounds + window - 1) / window * window;
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
