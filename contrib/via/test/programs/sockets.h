/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* What the programs that test sockets have in common. */

#ifndef SOCKETS_H
#define SOCKETS_H

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define PORT 5000

static inline int
Rank(void)
{
    return atoi(getenv("VIA_RANK"));
}

static inline int
Size(void)
{
    return atoi(getenv("VIA_SIZE"));
}

/* Of simulated time, since some fixed instant. */
static inline long
Nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000 + now.tv_nsec;
}

/* The host where rank 0 serves, on the network of the test. */
static inline const char*
Server(void)
{
    return getenv("SERVER") ? getenv("SERVER") : "n0";
}

static inline struct sockaddr_in
AddressOf(const char* host, int port)
{
    struct sockaddr_in address = {0};
    const struct hostent* entry = gethostbyname(host);
    assert(entry);
    address.sin_family = AF_INET;
    address.sin_port = htons((uint16_t)port);
    memcpy(&address.sin_addr, entry->h_addr_list[0], sizeof(address.sin_addr));
    return address;
}

static inline int
Listen(int port, int backlog)
{
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    const int on = 1;
    struct sockaddr_in address = {0};
    address.sin_family = AF_INET;
    address.sin_port = htons((uint16_t)port);
    assert(fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) == 0);
    assert(bind(fd, (struct sockaddr*)&address, sizeof(address)) == 0);
    assert(listen(fd, backlog) == 0);
    return fd;
}

/* Connects as programs do that start before their servers. */
static inline int
Connect(const char* host, int port)
{
    const struct sockaddr_in address = AddressOf(host, port);
    for (;;)
    {
        const int fd = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(fd, (const struct sockaddr*)&address, sizeof(address)) == 0)
        {
            return fd;
        }
        assert(errno == ECONNREFUSED);
        close(fd);
        usleep(1000);
    }
}

static inline unsigned char
Pattern(unsigned long at)
{
    return (unsigned char)(at * 31 + (at >> 8) * 7);
}

static inline unsigned long
Microseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (unsigned long)now.tv_sec * 1000000 + (unsigned long)now.tv_nsec / 1000;
}

#endif /* SOCKETS_H */
