/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* A thread closes what another one waits for. argv[1]: what waits; argv[2]: shutdown comes first.
 */

#define _GNU_SOURCE
#include "sockets.h"

#include <pthread.h>

static const char* g_what;
static int g_fd;

static void*
Wait(void* unused)
{
    static char bytes[1000000];
    const ssize_t got = strcmp(g_what, "send") == 0 ? send(g_fd, bytes, sizeof(bytes), MSG_NOSIGNAL)
                        : strcmp(g_what, "pipe") == 0 ? read(g_fd, bytes, 4)
                                                      : recv(g_fd, bytes, 4, 0);
    printf("%s %s\n", g_what, got < 0 ? strerror(errno) : got == 0 ? "end" : "bytes");
    return unused;
}

static int
DatagramSocket(void)
{
    struct sockaddr_in own = {0};
    const int fd = socket(AF_INET, SOCK_DGRAM, 0);
    own.sin_family = AF_INET;
    own.sin_port = htons(PORT);
    assert(bind(fd, (struct sockaddr*)&own, sizeof(own)) == 0);
    return fd;
}

/* The other end: it writes one word after 3 ms, and reads nothing. */
static void
Peer(void)
{
    const struct sockaddr_in to = AddressOf("n1", PORT);
    const int fd = strcmp(g_what, "datagram") == 0 ? socket(AF_INET, SOCK_DGRAM, 0)
                   : strcmp(g_what, "pipe") == 0   ? -1
                                                   : accept(Listen(PORT, 1), NULL, NULL);
    usleep(3000);
    sendto(fd, "word", 4, MSG_NOSIGNAL, (const struct sockaddr*)&to, sizeof(to));
    usleep(3000);
}

int
main(int argc, char** argv)
{
    pthread_t thread;
    int ends[2];
    g_what = argv[1];
    if (Rank() == 0)
    {
        Peer();
        return 0;
    }
    assert(pipe(ends) == 0);
    g_fd = strcmp(g_what, "datagram") == 0 ? DatagramSocket()
           : strcmp(g_what, "pipe") == 0   ? ends[0]
                                           : Connect("n0", PORT);
    assert(pthread_create(&thread, NULL, Wait, NULL) == 0);
    usleep(2000);
    if (argc > 2)
    {
        shutdown(g_fd, SHUT_RDWR);
    }
    assert(close(g_fd) == 0);
    assert(recv(g_fd, ends, 1, 0) == -1 && errno == EBADF);
    if (strcmp(g_what, "pipe") == 0)
    {
        assert(write(ends[1], "word", 4) == 4);
    }
    assert(pthread_join(thread, NULL) == 0);
    return 0;
}
