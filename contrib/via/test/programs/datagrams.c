/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* argv[1] numbered datagrams from rank 1 to rank 0, which compares each byte. Each may be lost, and
 * the order is free; none comes changed. Both say what they counted. */

#define _GNU_SOURCE
#include "sockets.h"

#define MOST 10000
#define WORDS 200

static void
Send(int fd, uint32_t count)
{
    const struct sockaddr_in to = AddressOf("n0", PORT);
    uint32_t words[WORDS];
    uint32_t number;
    int i;
    usleep(1000); /* rank 0 listens by then */
    for (number = 0; number < count; number++)
    {
        for (i = 0; i < WORDS; i++)
        {
            words[i] = number * 2654435761U + (uint32_t)i;
        }
        words[0] = number;
        assert(sendto(fd, words, sizeof(words), 0, (const struct sockaddr*)&to, sizeof(to)) ==
               sizeof(words));
        usleep(100); /* what is lost, is lost on the wire */
    }
    printf("sent %u\n", count);
}

static void
Receive(int fd, uint32_t count)
{
    static char seen[MOST];
    const struct timeval limit = {1, 0};
    uint32_t words[WORDS + 1];
    uint32_t arrived = 0;
    ssize_t got;
    int i;
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
    while ((got = recv(fd, words, sizeof(words), 0)) > 0)
    {
        const uint32_t number = words[0];
        assert(got == WORDS * sizeof(words[0]) && number < count);
        assert(!seen[number]++);
        for (i = 1; i < WORDS; i++)
        {
            assert(words[i] == number * 2654435761U + (uint32_t)i);
        }
        arrived++;
    }
    assert(got == -1 && errno == EAGAIN);
    printf("lost %u\n", count - arrived);
}

int
main(int argc, char** argv)
{
    const int fd = socket(AF_INET, SOCK_DGRAM, 0);
    const uint32_t count = (uint32_t)strtoul(argv[argc - 1], NULL, 10);
    struct sockaddr_in own = {0};
    own.sin_family = AF_INET;
    own.sin_port = htons(PORT);
    assert(count <= MOST && bind(fd, (struct sockaddr*)&own, sizeof(own)) == 0);
    if (Rank() == 0)
    {
        Receive(fd, count);
    }
    else
    {
        Send(fd, count);
    }
    return 0;
}
