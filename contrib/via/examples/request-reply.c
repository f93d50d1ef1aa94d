/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/*
 * Request and reply: the same service over TCP sockets and over VIPL. Rank 0 asks all others, in
 * each round one after the other, and collects the replies before the next round.
 *
 * usage: request-reply [-t tcp|via] [-s size] [-n requests] [-R rounds]
 * Rank 0 prints: transport, size in bytes, requests, time of one request with all its rounds in
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

#define PORT 4711 /* of rank 1; each rank has its own, for ranks may share a host */
#define MOST_PEERS 1000

static const char* transport = "tcp";
static long size = 64;
static long requests = 100;
static long rounds = 1;

static const Option options[] = {
    {'t', NULL, 0, 0, &transport, NULL, "transport: tcp or via"},
    {'s', &size, 1, 32768, NULL, NULL, "bytes of a request, and of a reply"},
    {'n', &requests, 1, 10000000, NULL, NULL, "requests"},
    {'R', &rounds, 1, 1000, NULL, NULL, "rounds of a request"}};

static Host host;
static int peers; /* of rank 0 all others, of the others rank 0 */
static char* request;
static char* reply;

/* ---- over sockets */

static int connections[MOST_PEERS];

static int
tcp_accept(int fd)
{
    struct sockaddr_in own = {.sin_family = AF_INET,
                              .sin_port = htons((unsigned short)(PORT + host.rank - 1))};
    int accepted;

    if (bind(fd, (struct sockaddr*)&own, sizeof(own)) != 0 || listen(fd, 1) != 0)
    {
        fail("the port is in use");
    }
    accepted = accept(fd, NULL, NULL);
    close(fd);
    return accepted;
}

static int
tcp_connect(int fd, int rank)
{
    struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
    struct addrinfo* server;
    char name[16];
    char port[16];

    sprintf(name, "n%d", rank / host.per_host);
    sprintf(port, "%d", PORT + rank - 1);
    if (getaddrinfo(name, port, &hints, &server) != 0)
    {
        fail("%s is not known", name);
    }
    while (connect(fd, server->ai_addr, server->ai_addrlen) != 0)
    {
        close(fd); /* the server does not listen yet */
        usleep(1000);
        fd = socket(AF_INET, SOCK_STREAM, 0);
    }
    freeaddrinfo(server);
    return fd;
}

static void
tcp_open(void)
{
    const int on = 1;
    int peer;

    for (peer = 0; peer < peers; peer++)
    {
        const int fd = socket(AF_INET, SOCK_STREAM, 0);
        connections[peer] = host.rank == 0 ? tcp_connect(fd, peer + 1) : tcp_accept(fd);
        setsockopt(connections[peer], IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    }
}

static void
tcp_send(int peer, const char* bytes)
{
    if (send(connections[peer], bytes, (size_t)size, 0) != size)
    {
        fail("send");
    }
}

static void
tcp_receive(int peer, char* bytes)
{
    if (recv(connections[peer], bytes, (size_t)size, MSG_WAITALL) != size)
    {
        fail("recv");
    }
}

static void
tcp_close(void)
{
    int peer;

    for (peer = 0; peer < peers; peer++)
    {
        close(connections[peer]);
    }
}

/* ---- over VIPL */

typedef struct Channel
{
    VIP_VI_HANDLE vi;
    VIP_DESCRIPTOR* receive;
    VIP_DESCRIPTOR* sent;
    char* arrived;
    char* leaving;
    int is_leaving; /* sent, and not known to have left */
} Channel;

static Channel channels[MOST_PEERS];

static void
via_open(void)
{
    int peer;

    host_open(&host, (VIP_ULONG)peers * 2 * (TAKEN(size) + TAKEN(sizeof(VIP_DESCRIPTOR))));
    for (peer = 0; peer < peers; peer++)
    {
        Channel* to = &channels[peer];
        to->vi = vi_open(&host);
        to->arrived = (char*)host_take(&host, (VIP_ULONG)size);
        to->leaving = (char*)host_take(&host, (VIP_ULONG)size);
        to->receive = (VIP_DESCRIPTOR*)host_take(&host, sizeof(VIP_DESCRIPTOR));
        to->sent = (VIP_DESCRIPTOR*)host_take(&host, sizeof(VIP_DESCRIPTOR));
        describe(&host, to->receive, to->arrived, (VIP_ULONG)size);
        CHECK(VipPostRecv(to->vi, to->receive, host.handle));
        if (host.rank == 0)
        {
            vi_request(&host, to->vi, peer + 1, 0);
        }
        else
        {
            vi_wait(&host, to->vi, 0, 0);
        }
    }
}

/* What is sent need not have left before the next peer is served, only before its own next send. */
static void
via_await_sent(Channel* to)
{
    if (to->is_leaving)
    {
        await_send(to->vi);
        to->is_leaving = 0;
    }
}

static void
via_send(int peer, const char* bytes)
{
    Channel* to = &channels[peer];

    via_await_sent(to);
    memcpy(to->leaving, bytes, (size_t)size);
    describe(&host, to->sent, to->leaving, (VIP_ULONG)size);
    CHECK(VipPostSend(to->vi, to->sent, host.handle));
    to->is_leaving = 1;
}

static void
via_receive(int peer, char* bytes)
{
    const Channel* from = &channels[peer];

    await_receive(from->vi, 1);
    memcpy(bytes, from->arrived, (size_t)size);
    describe(&host, from->receive, from->arrived, (VIP_ULONG)size);
    CHECK(VipPostRecv(from->vi, from->receive, host.handle));
}

static void
via_close(void)
{
    int peer;

    for (peer = 0; peer < peers; peer++)
    {
        via_await_sent(&channels[peer]);
        vi_close(channels[peer].vi);
    }
    host_close(&host);
}

/* ---- the service, which knows neither */

typedef struct Transport
{
    const char* name;
    void (*open)(void);
    void (*send)(int peer, const char* bytes);
    void (*receive)(int peer, char* bytes);
    void (*close)(void);
} Transport;

static const Transport transports[] = {{"tcp", tcp_open, tcp_send, tcp_receive, tcp_close},
                                       {"via", via_open, via_send, via_receive, via_close}};
static const Transport* over;

static void
serve(void)
{
    long i;
    long k;

    for (i = 0; i < requests * rounds; i++)
    {
        over->receive(0, request);
        for (k = 0; k < size; k++)
        {
            reply[k] = (char)~request[k];
        }
        over->send(0, reply);
    }
}

/* One round: all are asked, then all have answered. */
static void
ask_all(int value)
{
    int peer;

    memset(request, value, (size_t)size);
    for (peer = 0; peer < peers; peer++)
    {
        over->send(peer, request);
    }
    for (peer = 0; peer < peers; peer++)
    {
        over->receive(peer, reply);
        if (reply[0] != (char)~value || reply[size - 1] != (char)~value)
        {
            fail("wrong reply of rank %d", peer + 1);
        }
    }
}

static void
ask(void)
{
    const double start = now_us();
    const clock_t busy = clock();
    long i;
    long round;

    for (i = 0; i < requests; i++)
    {
        for (round = 0; round < rounds; round++)
        {
            ask_all((int)(i + round));
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
    int i;

    parse_options(&host, argc, argv, options, COUNT(options));
    if (host.size < 2 || host.size > MOST_PEERS + 1)
    {
        fail("request-reply needs 2 to %d processes, not %d", MOST_PEERS + 1, host.size);
    }
    for (i = 0; i < COUNT(transports); i++)
    {
        if (strcmp(transport, transports[i].name) == 0)
        {
            over = &transports[i];
        }
    }
    if (over == NULL)
    {
        fail("-t %s: tcp or via is needed", transport);
    }
    request = memory[0];
    reply = memory[1];
    peers = host.rank == 0 ? host.size - 1 : 1;
    over->open();
    host.rank == 0 ? ask() : serve();
    over->close();
    return 0;
}
