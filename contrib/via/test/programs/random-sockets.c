/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/*
 * Random socket calls, valid and not, of several threads of several processes. Every error must be
 * one that the call may return; what is read must be what somebody has written, and nothing beside
 * it may change. Compile it without the tracing of basic blocks: threads then take turns in calls
 * only, so that a slot and the kind of its socket agree.
 *
 * random-sockets SEED CALLS THREADS
 */

#define _GNU_SOURCE
#include "sockets.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/uio.h>

#define FDS 48
#define MOST 20000
#define GUARD 64
#define PORTS 6

/* Bytes on streams and pipes are all this one; those of datagrams depend on length and place. */
#define STREAM_BYTE 0x5A

typedef struct
{
    uint64_t state;
    int number;
    unsigned char out[MOST];
    unsigned char in[MOST + GUARD];
} Thread;

static int s_fds[FDS]; /* of all threads; -1: none */
static char s_isStream[FDS];
static long s_calls, s_bad;
static const char* s_servers[] = {"n0", "n1", "localhost", "c0", "c1"};

static unsigned
Random(Thread* own, unsigned below)
{
    uint64_t z = (own->state += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return (unsigned)((z ^ (z >> 31)) % below);
}

static void
Bad(const char* call, long result, int code)
{
    printf("BAD %s: %ld %s\n", call, result, strerror(code));
    __atomic_add_fetch(&s_bad, 1, __ATOMIC_RELAXED);
}

/* Errors that any call on a number may return in this program: the number may be of anything, or of
 * nothing, and timers expire. */
static const int s_usual[] = {EBADF, ENOTSOCK, EINVAL, EFAULT, EINTR, ENOTCONN, EOPNOTSUPP};

static int
IsOneOf(int code, const int* list, size_t count)
{
    size_t i = 0;
    while (i < count && list[i] != code)
    {
        i++;
    }
    return i < count;
}

/* Every call goes through here. */
#define CHECK(call, ...)                                                                           \
    __extension__({                                                                                \
        const int also[] = {0, ##__VA_ARGS__};                                                     \
        errno = 0;                                                                                 \
        const long result = (long)(call);                                                          \
        const int code = errno;                                                                    \
        s_calls++;                                                                                 \
        if (result < -1 || (result == -1 && !IsOneOf(code, s_usual, 7) &&                          \
                            !IsOneOf(code, also, sizeof(also) / sizeof(int))))                     \
        {                                                                                          \
            Bad(#call, result, code);                                                              \
        }                                                                                          \
        result;                                                                                    \
    })

static int
Slot(Thread* own)
{
    return (int)Random(own, FDS);
}

/* A number: mostly of something, now and then of nothing. */
static int
Some(Thread* own)
{
    const int slot = Slot(own);
    return Random(own, 200) == 0 ? (int)Random(own, 2000) - 500 : s_fds[slot];
}

/* Other slots may have the same number. */
static void
Drop(int slot)
{
    const int fd = s_fds[slot];
    int i;
    for (i = 0; i < FDS; i++)
    {
        s_fds[i] = s_fds[i] == fd ? -1 : s_fds[i];
    }
    CHECK(close(fd));
}

static void
Keep(Thread* own, long fd, int isStream)
{
    const int slot = Slot(own);
    const struct timeval limit = {0, 1 + (suseconds_t)Random(own, 3000)};
    if (fd < 0)
    {
        return;
    }
    setsockopt((int)fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
    setsockopt((int)fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
    Drop(slot);
    s_fds[slot] = (int)fd;
    s_isStream[slot] = (char)isStream;
}

static struct sockaddr_in
Somewhere(Thread* own)
{
    struct sockaddr_in address = {0};
    const char* const host = s_servers[Random(own, getenv("CONTROL") ? 5 : 3)];
    address = AddressOf(host, PORT + (int)Random(own, PORTS));
    if (Random(own, 300) == 0)
    {
        address.sin_family = (sa_family_t)Random(own, 12);
    }
    return address;
}

/* ---- what makes descriptors */

static void
MakeSocket(Thread* own)
{
    const int type = Random(own, 3) ? SOCK_STREAM : SOCK_DGRAM;
    const int flags = Random(own, 2) ? SOCK_NONBLOCK : 0;
    const int family = Random(own, 8) ? AF_INET : (int)Random(own, 12);
    const long fd = CHECK(socket(family, type | flags, Random(own, 50) ? 0 : (int)Random(own, 20)),
                          EAFNOSUPPORT,
                          EPROTONOSUPPORT,
                          ESOCKTNOSUPPORT);
    Keep(own, fd, type == SOCK_STREAM);
}

static void
MakePair(Thread* own)
{
    int ends[2] = {-1, -1};
    const int isPipe = (int)Random(own, 2);
    const long failed = isPipe ? CHECK(pipe2(ends, O_NONBLOCK))
                               : CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends));
    if (failed == 0)
    {
        Keep(own, ends[0], 1);
        Keep(own, ends[1], 1);
    }
}

static void
Listening(Thread* own)
{
    struct sockaddr_in at = Somewhere(own);
    const int fd = Some(own);
    at.sin_addr.s_addr = Random(own, 4) ? INADDR_ANY : at.sin_addr.s_addr;
    CHECK(bind(fd, (struct sockaddr*)&at, Random(own, 100) ? sizeof(at) : Random(own, 30)),
          EADDRINUSE,
          EADDRNOTAVAIL,
          EAFNOSUPPORT);
    CHECK(listen(fd, (int)Random(own, 8) - 1), EADDRINUSE);
}

static void
Accepting(Thread* own)
{
    struct sockaddr_storage from; /* the socket may be one of IPv6 */
    socklen_t bytes = Random(own, 20);
    Keep(
        own,
        CHECK(
            accept4(Some(own), (struct sockaddr*)&from, &bytes, Random(own, 2) ? SOCK_NONBLOCK : 0),
            EAGAIN,
            EMFILE),
        1);
}

static void
Connecting(Thread* own)
{
    const struct sockaddr_in to = Somewhere(own);
    CHECK(connect(Some(own),
                  (const struct sockaddr*)&to,
                  Random(own, 100) ? sizeof(to) : Random(own, 30)),
          EINPROGRESS,
          EALREADY,
          EISCONN,
          ECONNREFUSED,
          EAFNOSUPPORT,
          ENETUNREACH,
          EHOSTUNREACH,
          ETIMEDOUT,
          ECONNRESET,
          EPIPE,
          EAGAIN,
          EADDRNOTAVAIL);
}

static void
Copying(Thread* own)
{
    const int from = Slot(own);
    const int to = Slot(own);
    if (Random(own, 2))
    {
        const int isStream = s_isStream[from];
        Keep(own, CHECK(dup(s_fds[from]), EMFILE), isStream);
    }
    else if (s_fds[from] > 2 && s_fds[to] > 2 && s_isStream[from] == s_isStream[to])
    {
        CHECK(dup2(s_fds[from], s_fds[to]));
    }
}

/* ---- what moves bytes */

static size_t
Fill(Thread* own, int isStream)
{
    const size_t count = Random(own, 4) ? Random(own, 300) : Random(own, MOST);
    size_t i;
    for (i = 0; i < count; i++)
    {
        own->out[i] = isStream ? STREAM_BYTE : (unsigned char)(count * 7 + i);
    }
    return count;
}

#define SEND_ERRORS                                                                                \
    EAGAIN, EPIPE, ECONNRESET, EDESTADDRREQ, EMSGSIZE, ENETUNREACH, EHOSTUNREACH, ECONNREFUSED,    \
        ETIMEDOUT, EAFNOSUPPORT, EISCONN, EADDRNOTAVAIL

static void
Sending(Thread* own)
{
    const struct sockaddr_in to = Somewhere(own); /* takes time: other threads change the slots */
    const int slot = Slot(own);
    const int fd = s_fds[slot];
    const size_t count = Fill(own, s_isStream[slot]);
    const int flags = Random(own, 2) ? MSG_DONTWAIT : 0;
    struct iovec parts[2] = {{own->out, count / 2}, {own->out + count / 2, count - count / 2}};
    struct msghdr message = {0};
    int named = !s_isStream[slot] && Random(own, 4);
    switch (Random(own, 4))
    {
    case 0:
        CHECK(write(fd, own->out, count), SEND_ERRORS);
        break;
    case 1:
        message.msg_iov = parts;
        message.msg_iovlen = 2;
        message.msg_name = named ? (void*)&to : NULL;
        message.msg_namelen = named ? sizeof(to) : 0;
        CHECK(sendmsg(fd, &message, flags), SEND_ERRORS);
        break;
    case 2:
        CHECK(writev(fd, parts, 2), SEND_ERRORS);
        break;
    default:
        CHECK(sendto(fd,
                     own->out,
                     count,
                     flags,
                     named ? (const struct sockaddr*)&to : NULL,
                     named ? sizeof(to) : 0),
              SEND_ERRORS);
    }
}

static void
Receiving(Thread* own)
{
    const int fd = Some(own);
    const size_t room = Random(own, 2) ? MOST : Random(own, 1000);
    struct iovec part = {own->in, room};
    struct msghdr message = {0};
    struct sockaddr_in from;
    socklen_t bytes = sizeof(from);
    const int flags = (Random(own, 2) ? MSG_DONTWAIT : 0) | (Random(own, 5) ? 0 : MSG_PEEK) |
                      (Random(own, 9) ? 0 : MSG_WAITALL);
    long got;
    long i;
    memset(own->in, 0, sizeof(own->in));
    switch (Random(own, 3))
    {
    case 0:
        got = CHECK(read(fd, own->in, room), EAGAIN, ECONNRESET, EPIPE, ECONNREFUSED, ETIMEDOUT);
        break;
    case 1:
        message.msg_iov = &part;
        message.msg_iovlen = 1;
        got =
            CHECK(recvmsg(fd, &message, flags), EAGAIN, ECONNRESET, EPIPE, ECONNREFUSED, ETIMEDOUT);
        break;
    default:
        got = CHECK(recvfrom(fd, own->in, room, flags, (struct sockaddr*)&from, &bytes),
                    EAGAIN,
                    ECONNRESET,
                    EPIPE,
                    ECONNREFUSED,
                    ETIMEDOUT);
    }
    if (got > (long)room)
    {
        Bad("more than there is room for", got, 0);
    }
    for (i = 0; i < got && got < (long)room; i++)
    {
        if (own->in[i] != STREAM_BYTE && own->in[i] != (unsigned char)(got * 7 + i))
        {
            Bad("a byte that nobody has sent", i, 0);
            break;
        }
    }
    for (i = got < 0 ? 0 : got; i < (long)sizeof(own->in); i++)
    {
        if (own->in[i] != 0)
        {
            Bad("a byte beside those read", i, 0);
            break;
        }
    }
}

/* ---- what waits, and the rest */

static void
Waiting(Thread* own)
{
    struct pollfd list[8];
    struct timeval limit = {0, (suseconds_t)Random(own, 500)};
    struct epoll_event event = {.events = Random(own, 2) ? EPOLLIN : EPOLLIN | EPOLLOUT | EPOLLET};
    fd_set reads, writes;
    int i, fd, set;
    switch (Random(own, 3))
    {
    case 0:
        for (i = 0; i < 8; i++)
        {
            list[i] =
                (struct pollfd){Some(own), (short)(POLLIN | (Random(own, 2) ? POLLOUT : 0)), 0};
        }
        CHECK(poll(list, Random(own, 9), (int)Random(own, 2)));
        break;
    case 1:
        FD_ZERO(&reads);
        FD_ZERO(&writes);
        for (i = 0; i < 8; i++)
        {
            fd = s_fds[Slot(own)];
            if (fd >= 0)
            {
                FD_SET(fd, Random(own, 2) ? &reads : &writes);
            }
        }
        CHECK(select(FD_SETSIZE, &reads, &writes, NULL, &limit));
        break;
    default:
        set = (int)CHECK(epoll_create1(0), EMFILE);
        for (i = 0; i < 4; i++)
        {
            fd = Some(own);
            event.data.fd = fd;
            CHECK(epoll_ctl(set, EPOLL_CTL_ADD, fd, &event), EEXIST, EPERM);
            CHECK(epoll_ctl(set, 1 + (int)Random(own, 4), fd, &event), EEXIST, ENOENT, EPERM);
        }
        CHECK(epoll_wait(set, &event, 1, (int)Random(own, 2)));
        CHECK(close(set));
    }
}

static void
Options(Thread* own)
{
    static const int levels[] = {SOL_SOCKET, IPPROTO_TCP, IPPROTO_IP, 77};
    const int level = levels[Random(own, 4)];
    const int name = (int)Random(own, 70);
    const int isLimit = level == SOL_SOCKET && (name == SO_RCVTIMEO || name == SO_SNDTIMEO);
    char value[32] = {0};
    socklen_t bytes = Random(own, sizeof(value) + 1);
    value[0] = (char)Random(own, 3);
    if (Random(own, 2) && !isLimit) /* nothing here waits for ever */
    {
        CHECK(setsockopt(Some(own), level, name, value, bytes), ENOPROTOOPT);
    }
    else
    {
        CHECK(getsockopt(Some(own), level, name, value, &bytes), ENOPROTOOPT);
    }
}

static void
Asking(Thread* own)
{
    struct sockaddr_in address;
    socklen_t bytes = sizeof(address);
    int number = 0;
    switch (Random(own, 5))
    {
    case 0:
        CHECK(getsockname(Some(own), (struct sockaddr*)&address, &bytes));
        break;
    case 1:
        CHECK(getpeername(Some(own), (struct sockaddr*)&address, &bytes));
        break;
    case 2:
        CHECK(ioctl(Some(own), FIONREAD, &number), ENOTTY);
        break;
    case 3:
        number = (int)Random(own, 2);
        CHECK(ioctl(Some(own), FIONBIO, &number), ENOTTY);
        break;
    default:
        CHECK(fcntl(Some(own), F_SETFL, Random(own, 2) ? O_NONBLOCK : 0));
    }
}

static void
Wrong(Thread* own)
{
    char* const nowhere = (char*)(intptr_t)(16 + Random(own, 4000));
    switch (Random(own, 5))
    {
    case 0:
        CHECK(bind(Some(own), (struct sockaddr*)nowhere, 16), EFAULT);
        break;
    case 1:
        CHECK(poll((struct pollfd*)nowhere, 1 + Random(own, 5), 0), EFAULT);
        break;
    case 2:
        CHECK(accept(Some(own), (struct sockaddr*)nowhere, (socklen_t*)nowhere), EAGAIN, EMFILE);
        break;
    case 3:
        CHECK(shutdown(Some(own), (int)Random(own, 6) - 1));
        break;
    default:
        CHECK(fcntl(Some(own), 1 + (int)Random(own, 11), 0)); /* all but F_DUPFD */
    }
}

static void
Closing(Thread* own)
{
    const int slot = Slot(own);
    if (Random(own, 2))
    {
        CHECK(shutdown(s_fds[slot], (int)Random(own, 3)));
    }
    Drop(slot);
}

static void
OnTimer(int number)
{
    (void)number;
}

static void
Calls(Thread* own, long count)
{
    static void (*const kinds[])(Thread*) = {
        MakeSocket, MakeSocket, MakePair,  Listening, Listening, Accepting, Accepting, Connecting,
        Connecting, Connecting, Copying,   Sending,   Sending,   Sending,   Sending,   Receiving,
        Receiving,  Receiving,  Receiving, Waiting,   Options,   Asking,    Wrong,     Closing};
    while (s_calls < count)
    {
        kinds[Random(own, sizeof(kinds) / sizeof(kinds[0]))](own);
    }
}

static Thread s_threads[4];
static long s_most;

static void*
Run(void* thread)
{
    Calls(thread, s_most);
    return NULL;
}

int
main(int argc, char** argv)
{
    const int threads = argc > 3 ? atoi(argv[3]) : 1;
    const struct itimerval often = {{0, 3000}, {0, 3000}};
    struct sigaction action = {0};
    pthread_t others[4];
    int i;
    action.sa_handler = OnTimer;
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL); /* nothing waits for ever */
    signal(SIGPIPE, SIG_IGN);
    s_most = atol(argv[2]);
    memset(s_fds, -1, sizeof(s_fds));
    for (i = 0; i < threads; i++)
    {
        s_threads[i].number = i;
        s_threads[i].state = strtoull(argv[1], NULL, 10) * 1000 + (unsigned)(Rank() * 10 + i);
        if (i > 0)
        {
            assert(pthread_create(&others[i], NULL, Run, &s_threads[i]) == 0);
        }
    }
    Calls(&s_threads[0], s_most);
    for (i = 1; i < threads; i++)
    {
        pthread_join(others[i], NULL);
    }
    printf("calls %ld bad %ld\n", s_calls, s_bad);
    return s_bad != 0;
}
