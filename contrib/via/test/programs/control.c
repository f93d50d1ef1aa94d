/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* The control network. argv[1] "begin": processes tell each other the ports of their sockets over
 * the network argv[2] ("c", "n", or none: they know them), then exchange datagrams over the wire.
 * "networks": one socket on both. "instant": when bytes arrive. "answers": what arrives there wakes
 * who then sends over the wire, while the card receives. */

#define _GNU_SOURCE
#include "sockets.h"

#include <ifaddrs.h>
#include <poll.h>

#define FIRST_PORT 7000

/* ---- ports of all ranks, through rank 0 */

static void
Serve(int* ports)
{
    const int listener = Listen(PORT, 5);
    int fds[16];
    int i;
    for (i = 1; i < Size(); i++)
    {
        int told[2];
        fds[i] = accept(listener, NULL, NULL);
        assert(recv(fds[i], told, sizeof(told), MSG_WAITALL) == sizeof(told));
        ports[told[0]] = told[1];
    }
    for (i = 1; i < Size(); i++)
    {
        assert(send(fds[i], ports, sizeof(int) * 16, 0) == sizeof(int) * 16);
        close(fds[i]);
    }
    close(listener);
}

static void
Ask(const char* network, int* ports)
{
    const char host[] = {network[0], '0', '\0'};
    const int told[2] = {Rank(), ports[Rank()]};
    struct pollfd ready = {Connect(host, PORT), POLLIN, 0};
    assert(send(ready.fd, told, sizeof(told), 0) == sizeof(told));
    assert(poll(&ready, 1, -1) == 1);
    assert(recv(ready.fd, ports, sizeof(int) * 16, MSG_WAITALL) == sizeof(int) * 16);
    close(ready.fd);
}

static void
PingPong(int fd, int other, int port)
{
    char host[16];
    char byte = 0;
    int i;
    struct sockaddr_in to;
    snprintf(host, sizeof(host), "n%d", other);
    to = AddressOf(host, port);
    for (i = 0; i < 5; i++)
    {
        const long begin = Nanoseconds();
        if (Rank() == 1)
        {
            assert(sendto(fd, &byte, 1, 0, (struct sockaddr*)&to, sizeof(to)) == 1);
        }
        assert(recv(fd, &byte, 1, 0) == 1);
        if (Rank() == 0)
        {
            assert(sendto(fd, &byte, 1, 0, (struct sockaddr*)&to, sizeof(to)) == 1);
        }
        else
        {
            printf("%ld ", Nanoseconds() - begin);
        }
    }
}

static void
Begin(const char* network)
{
    const struct timespec start = {0, 100000000};
    const int fd = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in own;
    char name[16];
    int ports[16];
    int i;
    gethostname(name, sizeof(name));
    own = AddressOf(name, FIRST_PORT + Rank());
    assert(bind(fd, (struct sockaddr*)&own, sizeof(own)) == 0);
    for (i = 0; i < Size(); i++)
    {
        ports[i] = network == NULL || i == Rank() ? FIRST_PORT + i : 0;
    }
    usleep(Rank() == 0 ? 100 : 1000); /* rank 0 listens first */
    if (network)
    {
        Rank() == 0 ? Serve(ports) : Ask(network, ports);
    }
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &start, NULL);
    if (Rank() < 2)
    {
        PingPong(fd, 1 - Rank(), ports[1 - Rank()]);
    }
}

/* ---- one socket that listens on both networks, and one for datagrams */

static void
AcceptOne(int listener)
{
    char host[16];
    char byte;
    struct sockaddr_in from;
    socklen_t bytes = sizeof(from);
    const int fd = accept(listener, (struct sockaddr*)&from, &bytes);
    assert(getnameinfo((struct sockaddr*)&from, bytes, host, sizeof(host), NULL, 0, 0) == 0);
    assert(recv(fd, &byte, 1, 0) == 1);
    printf("%s %s, ", host, inet_ntoa(from.sin_addr));
    close(fd);
}

static void
Networks(void)
{
    struct sockaddr_in own = {0};
    const int datagrams = socket(AF_INET, SOCK_DGRAM, 0);
    const int listener = Rank() == 0 ? Listen(PORT, 5) : -1;
    const char* const hosts[] = {"c0", "n0"};
    struct ifaddrs* list;
    struct ifaddrs* one;
    int i;
    own.sin_family = AF_INET;
    own.sin_port = htons(PORT);
    assert(bind(datagrams, (struct sockaddr*)&own, sizeof(own)) == 0);
    usleep(1000);
    for (i = 0; i < 2; i++)
    {
        struct sockaddr_in to = AddressOf(hosts[i], PORT);
        socklen_t bytes = sizeof(to);
        char byte;
        if (Rank() == 0)
        {
            AcceptOne(listener);
            assert(recvfrom(datagrams, &byte, 1, 0, (struct sockaddr*)&to, &bytes) == 1);
            printf("%s:%d\n", inet_ntoa(to.sin_addr), ntohs(to.sin_port));
        }
        else
        {
            const int fd = Connect(hosts[i], PORT);
            assert(send(fd, "x", 1, 0) == 1 && recv(fd, &byte, 1, 0) == 0);
            assert(sendto(datagrams, "y", 1, 0, (struct sockaddr*)&to, sizeof(to)) == 1);
            close(fd);
        }
    }
    assert(getifaddrs(&list) == 0);
    for (one = list; Rank() == 1 && one; one = one->ifa_next)
    {
        printf("%s %s ", one->ifa_name, inet_ntoa(((struct sockaddr_in*)one->ifa_addr)->sin_addr));
    }
    freeifaddrs(list);
    if (Rank() == 1)
    {
        const struct sockaddr_in nowhere = {.sin_family = AF_INET,
                                            .sin_addr = {inet_addr("172.16.0.9")}};
        const int fd = socket(AF_INET, SOCK_STREAM, 0);
        assert(connect(fd, (const struct sockaddr*)&nowhere, sizeof(nowhere)) == -1);
        printf("%s\n", strerror(errno));
    }
}

/* ---- a time stamp that arrives when it was written */

static void
Instant(void)
{
    long sent = Nanoseconds();
    const long reading = Nanoseconds() - sent; /* what it takes to read the clock */
    const int fd = Rank() == 0 ? accept(Listen(PORT, 5), NULL, NULL) : Connect("c0", PORT);
    int i;
    for (i = 0; i < 10; i++)
    {
        if (Rank() == 1)
        {
            usleep(100);
            sent = Nanoseconds();
            assert(send(fd, &sent, sizeof(sent), 0) == sizeof(sent));
        }
        else
        {
            assert(recv(fd, &sent, sizeof(sent), MSG_WAITALL) == sizeof(sent));
            printf("%d", Nanoseconds() - sent < reading + 10);
        }
    }
}

/* ---- each byte on the control network makes rank 0 send while its card receives */

static void
Answers(void)
{
    const int wire = socket(AF_INET, SOCK_DGRAM, 0);
    const int fd = Rank() == 0 ? accept(Listen(PORT, 1), NULL, NULL) : Connect("c0", PORT);
    const struct sockaddr_in to = AddressOf(Rank() == 0 ? "n1" : "n0", FIRST_PORT);
    char bytes[100] = {0};
    int i;
    for (i = 0; i < 300; i++)
    {
        const struct timespec later = {0, i * 100};
        const struct timespec pause = {0, 200000};
        if (Rank() == 1)
        {
            assert(sendto(wire, bytes, sizeof(bytes), 0, (struct sockaddr*)&to, sizeof(to)) > 0);
            nanosleep(&later, NULL);
            assert(send(fd, bytes, 1, 0) == 1);
            nanosleep(&pause, NULL);
        }
        else
        {
            assert(recv(fd, bytes, 1, 0) == 1);
            assert(sendto(wire, bytes, sizeof(bytes), 0, (struct sockaddr*)&to, sizeof(to)) > 0);
        }
    }
}

int
main(int argc, char** argv)
{
    if (strcmp(argv[1], "begin") == 0)
    {
        Begin(argc > 2 ? argv[2] : NULL);
    }
    else if (strcmp(argv[1], "networks") == 0)
    {
        Networks();
    }
    else if (strcmp(argv[1], "answers") == 0)
    {
        Answers();
    }
    else
    {
        Instant();
    }
    return 0;
}
