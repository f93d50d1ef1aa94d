/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Connections whose lengths, pauses and ends are drawn from a number: each byte and each end must
 * arrive, whatever the wire does. ./exchanges NUMBER CONNECTIONS */

#include "sockets.h"

/* What both sides know of a connection. */
struct Exchange
{
    unsigned long asked;    /* bytes to the server */
    unsigned long answered; /* bytes to the client */
    int isHalfClosed;       /* the server learns of the end, not of the length */
    unsigned pauses[4];     /* of the client before and after it asks, of the server, in us */
    unsigned breath;        /* the longest pause between two pieces, in us */
};

static unsigned long long s_state;

static unsigned
Below(unsigned most)
{
    s_state = s_state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)((s_state >> 33) % most);
}

static unsigned
Pause(void)
{
    return Below(2) ? Below(3000000) : Below(3000);
}

static unsigned long
Length(void)
{
    return Below(4) ? Below(3000) : Below(200000);
}

static struct Exchange
Draw(int number, int connection)
{
    struct Exchange drawn;
    int i;
    s_state = (unsigned long long)number * 7919 + (unsigned)connection;
    drawn.asked = Length();
    drawn.answered = Below(3) ? Length() : 0;
    drawn.isHalfClosed = Below(3) != 0;
    for (i = 0; i < 4; i++)
    {
        drawn.pauses[i] = Pause();
    }
    drawn.breath = Below(2) ? 300000 : 1;
    s_state += (unsigned)Rank() + 1; /* the pieces are each side's own */
    return drawn;
}

static void
Put(int fd, unsigned long total, unsigned breath)
{
    static unsigned char bytes[70000];
    unsigned long done = 0;
    while (done < total)
    {
        const unsigned long left = total - done;
        const unsigned piece = 1 + Below(sizeof(bytes));
        const unsigned long count = piece < left ? piece : left;
        unsigned long i;
        ssize_t sent;
        for (i = 0; i < count; i++)
        {
            bytes[i] = Pattern(done + i);
        }
        sent = send(fd, bytes, count, MSG_NOSIGNAL);
        assert(sent > 0);
        done += (unsigned long)sent;
        usleep(Below(3) ? 0 : Below(breath));
    }
}

static void
Get(int fd, unsigned long total, int untilEnd, unsigned breath)
{
    static unsigned char bytes[70000];
    unsigned long done = 0;
    while (done < total || untilEnd)
    {
        ssize_t i;
        const ssize_t got = recv(fd, bytes, 1 + Below(sizeof(bytes)), 0);
        assert(got >= 0);
        if (got == 0)
        {
            break;
        }
        for (i = 0; i < got; i++)
        {
            assert(bytes[i] == Pattern(done + (unsigned long)i));
        }
        done += (unsigned long)got;
        usleep(Below(3) ? 0 : Below(breath));
    }
    assert(done == total);
}

int
main(int argc, char** argv)
{
    const int connections = atoi(argv[2]);
    const int listener = Rank() == 0 ? Listen(PORT, 5) : -1;
    int i;
    (void)argc;
    for (i = 0; i < connections; i++)
    {
        const struct Exchange drawn = Draw(atoi(argv[1]), i);
        const int fd = Rank() == 0 ? accept(listener, NULL, NULL) : Connect(Server(), PORT);
        assert(fd >= 0);
        if (Rank() == 0)
        {
            Get(fd, drawn.asked, drawn.isHalfClosed, drawn.breath);
            usleep(drawn.pauses[0]);
            Put(fd, drawn.answered, drawn.breath);
            usleep(drawn.pauses[1]);
        }
        else
        {
            usleep(drawn.pauses[2]);
            Put(fd, drawn.asked, drawn.breath);
            usleep(drawn.pauses[3]);
            if (drawn.isHalfClosed)
            {
                shutdown(fd, SHUT_WR);
            }
            Get(fd, drawn.answered, 1, drawn.breath);
        }
        close(fd);
    }
    printf("%d exchanged\n", connections);
    return 0;
}
