/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* TCP between processes: argv[1] says what is shown. Rank 0 serves. */

#define _GNU_SOURCE
#include "sockets.h"

#include <poll.h>
#include <signal.h>
#include <sys/select.h>

/* ---- many bytes, checked at the other side; then a half-close and a count back */

static void
SendBytes(int fd, unsigned long total)
{
    static unsigned char buffer[60000];
    unsigned long done = 0;
    while (done < total)
    {
        const unsigned long part = total - done < sizeof(buffer) ? total - done : sizeof(buffer);
        unsigned long i;
        for (i = 0; i < part; i++)
        {
            buffer[i] = Pattern(done + i);
        }
        assert(send(fd, buffer, part, 0) == (ssize_t)part);
        done += part;
    }
    assert(shutdown(fd, SHUT_WR) == 0);
}

static unsigned long
CheckBytes(int fd)
{
    static unsigned char buffer[50000];
    unsigned long done = 0;
    ssize_t got;
    while ((got = recv(fd, buffer, sizeof(buffer), 0)) > 0)
    {
        ssize_t i;
        for (i = 0; i < got; i++)
        {
            assert(buffer[i] == Pattern(done + (unsigned long)i));
        }
        done += (unsigned long)got;
    }
    assert(got == 0);
    return done;
}

static void
Bytes(unsigned long total)
{
    unsigned long seen = 0;
    if (Rank() == 0)
    {
        const int fd = accept(Listen(PORT, 5), NULL, NULL);
        seen = CheckBytes(fd);
        assert(write(fd, &seen, sizeof(seen)) == sizeof(seen));
        close(fd);
    }
    else
    {
        const int fd = Connect(Server(), PORT);
        SendBytes(fd, total);
        assert(recv(fd, &seen, sizeof(seen), MSG_WAITALL) == sizeof(seen));
        printf("%lu bytes arrived, then the end %d\n", seen, (int)read(fd, &seen, 1));
    }
}

/* ---- names of both ends */

static void
Names(void)
{
    struct sockaddr_in own;
    struct sockaddr_in peer;
    socklen_t bytes = sizeof(own);
    char host[16];
    const int fd = Rank() == 0 ? accept(Listen(PORT, 5), (struct sockaddr*)&peer, &bytes)
                               : Connect(Server(), PORT);
    bytes = sizeof(own);
    assert(getsockname(fd, (struct sockaddr*)&own, &bytes) == 0 && bytes == sizeof(own));
    assert(getpeername(fd, (struct sockaddr*)&peer, &bytes) == 0);
    printf("%s:%d", inet_ntoa(own.sin_addr), ntohs(own.sin_port));
    printf(" - %s:%d", inet_ntoa(peer.sin_addr), ntohs(peer.sin_port));
    assert(getnameinfo((struct sockaddr*)&peer, bytes, host, sizeof(host), NULL, 0, 0) == 0);
    printf(" %s\n", host);
}

/* ---- connections that fail */

static int
Try(const char* host, int port)
{
    const struct sockaddr_in address = AddressOf(host, port);
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    const int failed = connect(fd, (const struct sockaddr*)&address, sizeof(address));
    const int code = errno;
    close(fd);
    return failed ? code : 0;
}

static void
Failures(void)
{
    if (Rank() == 1)
    {
        const unsigned long begin = Microseconds();
        printf("refused %d", Try(Server(), 4999) == ECONNREFUSED);
        printf(" soon %d", Microseconds() - begin < 10000);
        printf(" no host %d", Try("10.0.0.77", PORT) == ETIMEDOUT);
        printf(" late %d\n", Microseconds() - begin > 1000000);
    }
}

/* ---- a wire that is cut: before a connection, or for ever while bytes flow */

static void
Unreachable(void)
{
    if (Rank() == 1)
    {
        printf("connect: %s\n", strerror(Try(Server(), PORT)));
    }
}

static void
CutOff(void)
{
    static char bytes[10000];
    const struct timeval hour = {3600, 0};
    unsigned long seen = 0;
    ssize_t got;
    const int fd = Rank() == 0 ? accept(Listen(PORT, 5), NULL, NULL) : Connect(Server(), PORT);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &hour, sizeof(hour));
    while ((got = Rank() == 0 ? recv(fd, bytes, sizeof(bytes), 0)
                              : send(fd, bytes, sizeof(bytes), 0)) > 0)
    {
        seen += (unsigned long)got;
    }
    printf("%s after bytes %d, late %d\n",
           errno == EAGAIN ? "silence" : strerror(errno),
           seen > 0,
           Microseconds() > 1000000);
}

/* ---- a peer that fails: it ends without a close, or resets */

static void
Deaths(const char* how)
{
    char byte;
    ssize_t got;
    if (Rank() == 0)
    {
        const int fd = accept(Listen(PORT, 5), NULL, NULL);
        signal(SIGPIPE, SIG_IGN);
        assert(read(fd, &byte, 1) == 1);
        got = read(fd, &byte, 1);
        printf("read %d %s", (int)got, got < 0 ? strerror(errno) : "end");
        usleep(1000);
        got = write(fd, &byte, 1);
        usleep(1000);
        got = write(fd, &byte, 1);
        printf(", write %d %s\n", (int)got, got < 0 ? strerror(errno) : "");
    }
    else
    {
        const struct linger none = {1, 0};
        const int fd = Connect(Server(), PORT);
        assert(write(fd, "x", 1) == 1);
        usleep(10000);
        if (strcmp(how, "aborts") == 0)
        {
            abort();
        }
        setsockopt(fd, SOL_SOCKET, SO_LINGER, &none, sizeof(none));
    }
}

/* ---- a peer that closed long ago still answers bytes with a reset */

static void
WriteLate(void)
{
    char byte = 0;
    const int fd = Rank() == 0 ? accept(Listen(PORT, 5), NULL, NULL) : Connect(Server(), PORT);
    if (Rank() == 0)
    {
        return;
    }
    signal(SIGPIPE, SIG_IGN);
    assert(read(fd, &byte, 1) == 0);
    sleep(300);
    assert(write(fd, &byte, 1) == 1);
    usleep(1000);
    assert(write(fd, &byte, 1) == -1);
    printf("write: %s\n", strerror(errno));
}

/* ---- a peer that never reads */

static void
NeverRead(void)
{
    static char bytes[1000000];
    const int fd = Rank() == 0 ? accept(Listen(PORT, 5), NULL, NULL) : Connect(Server(), PORT);
    if (Rank() == 1)
    {
        send(fd, bytes, sizeof(bytes), 0);
    }
    pause();
}

/* ---- a peer that begins to read long after its window is shut, with nothing left to send to it */

static void
ReadLate(unsigned long total)
{
    static char bytes[200000];
    const int fd = Rank() == 0 ? accept(Listen(PORT, 5), NULL, NULL) : Connect(Server(), PORT);
    if (Rank() == 1)
    {
        assert(send(fd, bytes, total, 0) == (ssize_t)total);
        sleep(20);
        assert(send(fd, bytes, 1000, 0) == 1000);
        close(fd);
        return;
    }
    sleep(60);
    total = 0;
    for (;;)
    {
        const ssize_t got = recv(fd, bytes, sizeof(bytes), 0);
        assert(got >= 0);
        if (got == 0)
        {
            break;
        }
        total += (unsigned long)got;
    }
    printf("%lu bytes\n", total);
}

/* ---- two connections of one port with the same peer */

static void
ConnectTwice(void)
{
    const struct sockaddr_in to = AddressOf("n0", PORT);
    const struct sockaddr_in own = AddressOf("n1", PORT + 1);
    const int on = 1;
    int fds[2];
    int i;
    if (Rank() == 0)
    {
        char byte;
        assert(recv(accept(Listen(PORT, 5), NULL, NULL), &byte, 1, 0) == 1);
        return;
    }
    sleep(1);
    for (i = 0; i < 2; i++)
    {
        fds[i] = socket(AF_INET, SOCK_STREAM, 0);
        assert(setsockopt(fds[i], SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) == 0);
        assert(bind(fds[i], (const struct sockaddr*)&own, sizeof(own)) == 0);
        errno = 0;
        printf("%d ", connect(fds[i], (const struct sockaddr*)&to, sizeof(to)));
        printf("%s\n", strerror(errno));
    }
    assert(send(fds[0], "x", 1, 0) == 1);
}

/* ---- many connections at once, served with poll */

static void
ServeMany(int count)
{
    struct pollfd* const list = calloc((size_t)count + 1, sizeof(*list));
    int served = 0;
    int used = 1;
    list[0].fd = Listen(PORT, 100);
    list[0].events = POLLIN;
    while (served < count)
    {
        int i;
        assert(poll(list, (nfds_t)used, -1) > 0);
        for (i = used - 1; i > 0; i--)
        {
            int number;
            if (list[i].revents & POLLIN)
            {
                assert(read(list[i].fd, &number, sizeof(number)) == sizeof(number));
                number *= 3;
                assert(write(list[i].fd, &number, sizeof(number)) == sizeof(number));
                close(list[i].fd);
                list[i] = list[--used];
                served++;
            }
        }
        if (list[0].revents & POLLIN)
        {
            list[used].fd = accept(list[0].fd, NULL, NULL);
            list[used].events = POLLIN;
            list[used++].revents = 0;
        }
    }
    printf("served %d\n", served);
}

/* All connections are open at once; what select says is ready is read, and nothing else. */
static void
ServeSelecting(int count)
{
    int* const fds = calloc((size_t)count, sizeof(*fds));
    const int listener = Listen(PORT, 100);
    fd_set open;
    int served = 0;
    int most = 0;
    int i;
    FD_ZERO(&open);
    for (i = 0; i < count; i++)
    {
        fds[i] = accept(listener, NULL, NULL);
        FD_SET(fds[i], &open);
        most = fds[i] > most ? fds[i] : most;
    }
    while (served < count)
    {
        fd_set ready = open;
        int bits = select(most + 1, &ready, NULL, NULL, NULL);
        assert(bits > 0);
        for (i = 0; i < count; i++)
        {
            int number;
            if (FD_ISSET(fds[i], &ready))
            {
                assert(FD_ISSET(fds[i], &open));
                assert(recv(fds[i], &number, sizeof(number), MSG_DONTWAIT) == sizeof(number));
                number *= 3;
                assert(send(fds[i], &number, sizeof(number), 0) == sizeof(number));
                FD_CLR(fds[i], &open);
                bits--;
                served++;
            }
        }
        assert(bits == 0);
    }
    printf("selected among %d, served %d\n", count, served);
}

static void
Many(int count, void (*serve)(int))
{
    int* const fds = calloc((size_t)count, sizeof(*fds));
    int i;
    if (Rank() == 0)
    {
        serve(count);
        return;
    }
    for (i = 0; i < count; i++)
    {
        fds[i] = Connect(Server(), PORT);
    }
    for (i = 0; i < count; i++)
    {
        assert(write(fds[i], &i, sizeof(i)) == sizeof(i));
    }
    for (i = 0; i < count; i++)
    {
        int number = 0;
        assert(recv(fds[i], &number, sizeof(number), MSG_WAITALL) == sizeof(number));
        assert(number == 3 * i);
        close(fds[i]);
    }
}

int
main(int argc, char** argv)
{
    const char* what = argv[1];
    const unsigned long number = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    if (strcmp(what, "bytes") == 0)
    {
        Bytes(number);
    }
    else if (strcmp(what, "names") == 0)
    {
        Names();
    }
    else if (strcmp(what, "failures") == 0)
    {
        Failures();
    }
    else if (strcmp(what, "many") == 0)
    {
        Many((int)number, ServeMany);
    }
    else if (strcmp(what, "select") == 0)
    {
        Many((int)number, ServeSelecting);
    }
    else if (strcmp(what, "unreachable") == 0)
    {
        Unreachable();
    }
    else if (strcmp(what, "cut off") == 0)
    {
        CutOff();
    }
    else if (strcmp(what, "late") == 0)
    {
        WriteLate();
    }
    else if (strcmp(what, "never read") == 0)
    {
        NeverRead();
    }
    else if (strcmp(what, "read late") == 0)
    {
        ReadLate(number);
    }
    else if (strcmp(what, "twice") == 0)
    {
        ConnectTwice();
    }
    else
    {
        Deaths(what);
    }
    return 0;
}
