/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* What sockets tell of connections that fail, and of wrong arguments, as on Linux: one line each.
 */

#include "sockets.h"

#include <poll.h>

static struct timeval
Limit(long seconds, long microseconds)
{
    struct timeval limit;
    limit.tv_sec = seconds;
    limit.tv_usec = microseconds;
    return limit;
}

static int
SetLimit(int fd, struct timeval limit)
{
    return setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
}

static void
Tell(const char* call, ssize_t result)
{
    printf("%s %zd %s", call, result, result < 0 ? strerror(errno) : "");
}

/* A refused socket connects once its server listens. */
static void
Retry(void)
{
    const struct sockaddr_in to = AddressOf(Server(), PORT);
    int fd;
    if (Rank() == 0)
    {
        char byte;
        usleep(20000);
        fd = accept(Listen(PORT, 5), NULL, NULL);
        printf("read %zd\n", recv(fd, &byte, 1, 0));
        return;
    }
    fd = socket(AF_INET, SOCK_STREAM, 0);
    while (connect(fd, (const struct sockaddr*)&to, sizeof(to)) != 0)
    {
        assert(errno == ECONNREFUSED);
        usleep(5000);
    }
    assert(send(fd, "x", 1, 0) == 1);
}

/* A reader is at the end also if a reset follows it, and gets no signal. */
static void
ResetAfterEnd(void)
{
    char bytes[20];
    int fd;
    if (Rank() == 1)
    {
        fd = Connect(Server(), PORT);
        assert(send(fd, "0123456789", 10, 0) == 10);
        close(fd);
        return;
    }
    fd = accept(Listen(PORT, 5), NULL, NULL);
    sleep(1);
    assert(send(fd, "x", 1, 0) == 1);
    sleep(1);
    printf("read %zd", recv(fd, bytes, sizeof(bytes), 0));
    printf(" %zd, ", recv(fd, bytes, sizeof(bytes), 0));
    Tell("send", send(fd, "x", 1, MSG_NOSIGNAL));
    printf("\n");
}

/* A time limit is that of the whole call. */
static void
TimeLimits(void)
{
    char bytes[9];
    int i;
    int fd;
    long before;
    if (Rank() == 1)
    {
        fd = Connect(Server(), PORT);
        for (i = 0; i < 9; i++)
        {
            usleep(30000);
            assert(send(fd, "x", 1, 0) == 1);
        }
        return;
    }
    fd = accept(Listen(PORT, 5), NULL, NULL);
    printf("limits %d %d", SetLimit(fd, Limit(0, 1000000)), SetLimit(fd, Limit(0, 100000)));
    before = Nanoseconds();
    printf(", all %zd", recv(fd, bytes, sizeof(bytes), MSG_WAITALL));
    printf(" in %ld ms", (Nanoseconds() - before) / 1000000);
    assert(SetLimit(fd, Limit(10000000, 0)) == 0);
    printf(", next %zd\n", recv(fd, bytes, sizeof(bytes), 0));
    while (recv(fd, bytes, sizeof(bytes), 0) > 0)
    {
    }
}

static void
WrongSizes(void)
{
    volatile size_t most = (size_t)-1; /* the compiler would warn */
    char byte = 0;
    int ends[2];
    struct pollfd asked;
    assert(pipe(ends) == 0);
    Tell("write", write(ends[1], &byte, most));
    asked.fd = ends[0];
    asked.events = POLLIN;
    Tell(", poll", poll(&asked, most, 0));
    most = (size_t)1 << 40;
    assert(write(ends[1], &byte, 1) == 1);
    printf(", read %zd\n", read(ends[0], &byte, most));
}

/* The names of System V. */
static void
OtherNames(void)
{
    int ends[2];
    struct pollfd asked;
    assert(pipe(ends) == 0);
    asked.fd = ends[0];
    asked.events = POLLRDNORM;
    printf("poll %d", poll(&asked, 1, 0));
    assert(write(ends[1], "x", 1) == 1);
    printf(" %d", poll(&asked, 1, -1));
    printf(" %x", asked.revents);
    asked.fd = ends[1];
    asked.events = POLLWRNORM;
    printf(" %d", poll(&asked, 1, -1));
    printf(" %x\n", asked.revents);
}

static void
Multicast(void)
{
    const struct sockaddr_in group = AddressOf("224.0.0.1", PORT);
    const struct sockaddr* const to = (const struct sockaddr*)&group;
    const int datagrams = socket(AF_INET, SOCK_DGRAM, 0);
    const int stream = socket(AF_INET, SOCK_STREAM, 0);
    Tell("sendto", sendto(datagrams, "x", 1, 0, to, sizeof(group)));
    Tell(", connect", connect(stream, to, sizeof(group)));
    printf("\n");
}

/* Nobody accepts a connection of a listener that is closed. */
static void
NeverAccepted(void)
{
    char byte;
    int fd;
    if (Rank() == 0)
    {
        fd = Listen(PORT, 5);
        usleep(10000);
        close(fd);
        return;
    }
    fd = Connect(Server(), PORT);
    usleep(20000);
    Tell("read", recv(fd, &byte, 1, 0));
    printf("\n");
}

int
main(int argc, char** argv)
{
    static const struct
    {
        const char* name;
        void (*run)(void);
    } all[] = {{"retry", Retry},
               {"reset after end", ResetAfterEnd},
               {"time limits", TimeLimits},
               {"wrong sizes", WrongSizes},
               {"other names", OtherNames},
               {"multicast", Multicast},
               {"never accepted", NeverAccepted}};

    unsigned i;
    (void)argc;
    for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
    {
        if (strcmp(argv[1], all[i].name) == 0)
        {
            all[i].run();
        }
    }
    return 0;
}
