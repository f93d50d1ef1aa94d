/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* UDP: rank 0 answers each datagram of the others with its length and its first byte. */

#define _GNU_SOURCE
#include "sockets.h"

#include <fcntl.h>

static void
Serve(int fd)
{
    static unsigned char bytes[70000];
    const struct timeval limit = {0, 200000};
    struct sockaddr_in from;
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
    for (;;)
    {
        socklen_t room = sizeof(from);
        int answer[2];
        const ssize_t got = recvfrom(fd, bytes, sizeof(bytes), 0, (struct sockaddr*)&from, &room);
        if (got < 0)
        {
            printf("silence: %s\n", errno == EAGAIN ? "timeout" : strerror(errno));
            return;
        }
        answer[0] = (int)got;
        answer[1] = got > 0 ? bytes[0] : -1;
        assert(sendto(fd, answer, sizeof(answer), 0, (struct sockaddr*)&from, room) == 8);
    }
}

static void
Ask(int fd)
{
    static unsigned char bytes[70000];
    const struct sockaddr_in to = AddressOf(Server(), PORT);
    const int sizes[] = {0, 1, 1000, 5000};
    int answer[2];
    unsigned i;
    assert(sendto(fd, bytes, sizeof(bytes), 0, (const struct sockaddr*)&to, sizeof(to)) == -1);
    assert(errno == EMSGSIZE && send(fd, bytes, 1, 0) == -1 && errno == EDESTADDRREQ);
    assert(recv(fd, bytes, 1, MSG_DONTWAIT) == -1 && errno == EAGAIN);
    assert(connect(fd, (const struct sockaddr*)&to, sizeof(to)) == 0);
    for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
    {
        bytes[0] = (unsigned char)(i + 1);
        assert(send(fd, bytes, (size_t)sizes[i], 0) == sizes[i]);
        assert(recv(fd, answer, 4, MSG_PEEK | MSG_TRUNC) == 8);
        assert(recv(fd, answer, sizeof(answer), 0) == 8);
        printf("%d %d, ", answer[0], answer[1]);
    }
    printf("done\n");
}

int
main(void)
{
    const int fd = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in own = {0};
    own.sin_family = AF_INET;
    own.sin_port = htons(Rank() == 0 ? PORT : 0);
    assert(bind(fd, (struct sockaddr*)&own, sizeof(own)) == 0);
    if (Rank() == 0)
    {
        Serve(fd);
    }
    else
    {
        usleep(1000);
        Ask(fd);
    }
    return 0;
}
