/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/*
 * Request and reply: the same client and server over TCP sockets and over VIPL.
 *
 * usage: request-reply [-t tcp|via] [-s size] [-n requests]
 * Rank 0 prints: transport, size in bytes, requests, time of one request and its reply in
 * microseconds, and CPU time that it took of rank 0.
 */

#include "vipl-util.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define PORT 4711

static const char* transport = "tcp";
static long size = 64;
static long requests = 100;

static const Option options[] = {
    {'t', NULL, 0, 0, &transport, NULL, "transport: tcp or via"},
    {'s', &size, 1, 32768, NULL, NULL, "bytes of a request, and of a reply"},
    {'n', &requests, 1, 10000000, NULL, NULL, "requests"}};

static Host host;
static char* request;
static char* reply;

/* ---- over sockets */

static int connection;

static void
tcp_open(void)
{
    const int on = 1;
    struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
    struct addrinfo* server;
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    if (getaddrinfo("n1", "4711", &hints, &server) != 0)
    {
        fail("n1 is not known");
    }
    if (host.rank == 1)
    {
        struct sockaddr_in own = {.sin_family = AF_INET, .sin_port = htons(PORT)};
        if (bind(fd, (struct sockaddr*)&own, sizeof(own)) != 0 || listen(fd, 1) != 0)
        {
            fail("the port is in use");
        }
        connection = accept(fd, NULL, NULL);
        close(fd);
    }
    else
    {
        while (connect(fd, server->ai_addr, server->ai_addrlen) != 0)
        {
            close(fd); /* the server does not listen yet */
            usleep(1000);
            fd = socket(AF_INET, SOCK_STREAM, 0);
        }
        connection = fd;
    }
    freeaddrinfo(server);
    setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

static void
tcp_send(const char* bytes)
{
    if (send(connection, bytes, (size_t)size, 0) != size)
    {
        fail("send");
    }
}

static void
tcp_receive(char* bytes)
{
    if (recv(connection, bytes, (size_t)size, MSG_WAITALL) != size)
    {
        fail("recv");
    }
}

/* ---- over VIPL */

static VIP_VI_HANDLE vi;
static VIP_DESCRIPTOR* receive;
static VIP_DESCRIPTOR* sent;
static char* arrived;
static char* leaving;

static void
via_open(void)
{
    host_open(&host, 2 * (TAKEN(size) + TAKEN(sizeof(VIP_DESCRIPTOR))));
    vi = vi_open(&host);
    arrived = (char*)host_take(&host, (VIP_ULONG)size);
    leaving = (char*)host_take(&host, (VIP_ULONG)size);
    receive = (VIP_DESCRIPTOR*)host_take(&host, sizeof(VIP_DESCRIPTOR));
    sent = (VIP_DESCRIPTOR*)host_take(&host, sizeof(VIP_DESCRIPTOR));
    describe(&host, receive, arrived, (VIP_ULONG)size);
    CHECK(VipPostRecv(vi, receive, host.handle));
    if (host.rank == 0)
    {
        vi_request(&host, vi, 1, 0);
    }
    else
    {
        vi_wait(&host, vi, 0, 0);
    }
}

static void
via_send(const char* bytes)
{
    memcpy(leaving, bytes, (size_t)size);
    describe(&host, sent, leaving, (VIP_ULONG)size);
    CHECK(VipPostSend(vi, sent, host.handle));
    await_send(vi);
}

static void
via_receive(char* bytes)
{
    await_receive(vi, 1);
    memcpy(bytes, arrived, (size_t)size);
    describe(&host, receive, arrived, (VIP_ULONG)size);
    CHECK(VipPostRecv(vi, receive, host.handle));
}

/* ---- the service, which knows neither */

static void (*send_all)(const char*) = tcp_send;
static void (*receive_all)(char*) = tcp_receive;

static void
serve(void)
{
    long i;
    long k;

    for (i = 0; i < requests; i++)
    {
        receive_all(request);
        for (k = 0; k < size; k++)
        {
            reply[k] = (char)~request[k];
        }
        send_all(reply);
    }
}

static void
ask(void)
{
    const double start = now_us();
    const clock_t busy = clock();
    long i;

    for (i = 0; i < requests; i++)
    {
        memset(request, (int)i, (size_t)size);
        send_all(request);
        receive_all(reply);
        if (reply[0] != (char)~i || reply[size - 1] != (char)~i)
        {
            fail("request %ld: wrong reply", i);
        }
    }
    printf("%s %ld %ld %.3f %.3f\n",
           transport,
           size,
           requests,
           (now_us() - start) / (double)requests,
           (double)(clock() - busy) * 1e6 / CLOCKS_PER_SEC / (double)requests);
}

int
main(int argc, char** argv)
{
    static char memory[2][32768];
    parse_options(&host, argc, argv, options, COUNT(options));
    if (host.size != 2)
    {
        fail("request-reply needs 2 processes, not %d", host.size);
    }
    request = memory[0];
    reply = memory[1];
    if (strcmp(transport, "via") == 0)
    {
        send_all = via_send;
        receive_all = via_receive;
        via_open();
    }
    else
    {
        tcp_open();
    }
    host.rank == 0 ? ask() : serve();
    if (strcmp(transport, "via") == 0)
    {
        vi_close(vi);
        host_close(&host);
    }
    else
    {
        close(connection);
    }
    return 0;
}
