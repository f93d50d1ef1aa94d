# SPDX-License-Identifier: GPL-2.0-only
"""Sockets and pipes of C programs that do the same as on Linux: each program runs on both."""

PAIRS = r"""
static int pipes;
static void count(int number) { pipes++; }
static int events(int fd)
{
    struct pollfd one = {fd, POLLIN | POLLOUT | POLLRDHUP};
    poll(&one, 1, 0);
    return one.revents;
}
static void tour(int kind)
{
    char text[64];
    int two[2], type = 0;
    socklen_t bytes = sizeof(type);
    SHOW(socketpair(AF_UNIX, kind | SOCK_NONBLOCK, 0, two));
    SHOW(getsockopt(two[0], SOL_SOCKET, SO_TYPE, &type, &bytes) + type);
    SHOW(write(two[0], "hello", 5));
    SHOW(write(two[0], "", 0));
    SHOW(write(two[0], "abc", 3));
    SHOW(recv(two[1], text, 2, MSG_PEEK));
    SHOW(recv(two[1], text, 2, 0));
    SHOW(recv(two[1], text, 10, 0));
    SHOW(recv(two[1], text, 10, 0));
    SHOW(recv(two[1], text, 10, 0));
    SHOW(shutdown(two[1], SHUT_RD));
    SHOW(events(two[0]));
    SHOW(events(two[1]));
    SHOW(write(two[0], "q", 1) + 10 * pipes);
    SHOW(shutdown(two[1], SHUT_WR));
    SHOW(events(two[0]));
    SHOW(events(two[1]));
    SHOW(write(two[1], "q", 1) + 10 * pipes);
    SHOW(recv(two[0], text, 10, 0));
    SHOW(close(two[1]));
    SHOW(events(two[0]));
    SHOW(write(two[0], "q", 1) + 10 * pipes);
    SHOW(read(two[0], text, 1));
    SHOW(close(two[0]));
}
int main(void)
{
    int two[2];
    signal(SIGPIPE, count);
    tour(SOCK_DGRAM);
    tour(SOCK_SEQPACKET);
    tour(SOCK_STREAM);
    SHOW(socketpair(AF_UNIX, 99, 0, two));
    return 0;
}
"""


def test_pairs_of_sockets_keep_the_bounds_of_messages_and_end_as_their_type_does(both):
    both("pairs-of-sockets", PAIRS)


UNSET = r"""
static void restore(int name, int size)
{
    char value[32];
    int i, sum = 0;
    socklen_t bytes = size;
    memset(value, 7, sizeof(value));
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    SHOW(getsockopt(fd, SOL_SOCKET, name, value, &bytes) + bytes);
    for (i = 0; i < size; i++)
    {
        sum += value[i];
    }
    printf("%d of %d\n", sum, size);
    SHOW(setsockopt(fd, SOL_SOCKET, name, value, bytes));
    SHOW(setsockopt(fd, SOL_SOCKET, name, value, 4));
}
int main(void)
{
    restore(SO_RCVTIMEO, sizeof(struct timeval));
    restore(SO_SNDTIMEO, sizeof(struct timeval));
    restore(SO_SNDTIMEO, 8);
    restore(SO_LINGER, sizeof(struct linger));
    restore(SO_KEEPALIVE, sizeof(int));
    return 0;
}
"""


def test_an_option_that_was_never_set_can_be_saved_and_restored(both):
    both("unset-options", UNSET)


SHUT_READS = r"""
int main(void)
{
    struct sockaddr_in at = {AF_INET, 0, {htonl(INADDR_LOOPBACK)}};
    struct pollfd one = {.events = POLLIN | POLLOUT | POLLRDHUP};
    socklen_t bytes = sizeof(at);
    char text[8];
    int listens = socket(AF_INET, SOCK_STREAM, 0), writes = socket(AF_INET, SOCK_STREAM, 0);
    listen(listens, 1);
    getsockname(listens, (struct sockaddr*)&at, &bytes);
    SHOW(connect(writes, (struct sockaddr*)&at, sizeof(at)));
    one.fd = accept(listens, NULL, NULL);
    write(writes, "abcdef", 6);
    usleep(20000);
    SHOW(shutdown(one.fd, SHUT_RD));
    SHOW(poll(&one, 1, 0) + 10 * one.revents);
    SHOW(recv(one.fd, text, 3, MSG_PEEK));
    SHOW(read(one.fd, text, 8));
    SHOW(read(one.fd, text, 8));
    SHOW(write(writes, "later", 5));
    usleep(20000);
    SHOW(recv(one.fd, text, 8, MSG_WAITALL));
    SHOW(shutdown(one.fd, SHUT_WR));
    SHOW(poll(&one, 1, 0) + 10 * one.revents);
    return 0;
}
"""


def test_bytes_that_arrive_are_read_after_a_shutdown_of_reads(both):
    assert "read(one.fd, text, 8): 6, errno 0" in both("shut-reads", SHUT_READS)


NOTHING = r"""
static void empty(int fd)
{
    char text[8];
    struct iovec none = {text, 0};
    SHOW(read(fd, text, 0));
    SHOW(readv(fd, &none, 1));
    SHOW(recv(fd, text, 8, MSG_DONTWAIT));
    SHOW(read(fd, text, 0));
}
int main(void)
{
    struct sockaddr_in at = {AF_INET, 0, {htonl(INADDR_LOOPBACK)}};
    socklen_t bytes = sizeof(at);
    int two[2], fd = socket(AF_INET, SOCK_DGRAM, 0), stream = socket(AF_INET, SOCK_STREAM, 0);
    bind(fd, (struct sockaddr*)&at, sizeof(at));
    getsockname(fd, (struct sockaddr*)&at, &bytes);
    sendto(fd, "first", 5, 0, (struct sockaddr*)&at, sizeof(at));
    usleep(20000);
    empty(fd);
    socketpair(AF_UNIX, SOCK_DGRAM, 0, two);
    write(two[0], "first", 5);
    empty(two[1]);
    empty(stream);
    return 0;
}
"""


def test_a_read_of_no_bytes_leaves_the_datagram(both):
    both("reads-of-nothing", "#include <sys/uio.h>" + NOTHING)


FULL_PIPE = r"""
int main(void)
{
    static char text[70000];
    int ends[2];
    struct pollfd one = {.events = POLLOUT};
    pipe2(ends, O_NONBLOCK);
    one.fd = ends[1];
    SHOW(write(ends[1], text, 65000));
    SHOW(poll(&one, 1, 0));
    SHOW(write(ends[1], text, 1000));
    SHOW(read(ends[0], text, 8192));
    SHOW(poll(&one, 1, 0));
    SHOW(write(ends[1], text, 4096));
    close(ends[0]);
    SHOW(poll(&one, 1, 0));
    return 0;
}
"""


def test_a_pipe_is_writable_when_the_longest_undivided_write_fits(both):
    both("full-pipe", FULL_PIPE)


PAIR_CALLS = r"""
static void ask(int fd, int level, int name)
{
    int value = 77;
    socklen_t bytes = sizeof(value);
    SHOW(getsockopt(fd, level, name, &value, &bytes));
    SHOW(value + 1000 * bytes);
    value = 1;
    SHOW(setsockopt(fd, level, name, &value, sizeof(value)));
}
int main(void)
{
    struct sockaddr at;
    struct timeval limit = {0, 20000};
    socklen_t bytes = sizeof(at);
    char text[70000] = {0};
    int two[2], ends[2];
    pipe(ends);
    SHOW(socketpair(AF_UNIX, SOCK_STREAM, 0, two));
    SHOW(getsockname(two[0], &at, &bytes) + 1000 * at.sa_family + bytes);
    SHOW(getpeername(two[1], &at, &bytes) + 1000 * at.sa_family + bytes);
    SHOW(getsockname(ends[0], &at, &bytes));
    ask(two[0], SOL_SOCKET, SO_ERROR);
    ask(two[0], SOL_SOCKET, SO_ACCEPTCONN);
    ask(two[0], SOL_SOCKET, SO_KEEPALIVE);
    ask(two[0], SOL_SOCKET, 9999);
    ask(two[0], IPPROTO_TCP, 1);
    ask(ends[0], SOL_SOCKET, SO_KEEPALIVE);
    ask(99, SOL_SOCKET, SO_KEEPALIVE);
    SHOW(setsockopt(two[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)));
    SHOW(recv(two[0], text, 1, 0));
    SHOW(read(two[0], text, 1));
    SHOW(setsockopt(two[1], SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit)));
    while (send(two[1], text, sizeof(text), MSG_DONTWAIT) > 0)
    {
    }
    SHOW(send(two[1], text, sizeof(text), 0));
    return 0;
}
"""


def test_a_pair_of_sockets_has_options_names_and_limits_of_time(both):
    assert "recv(two[0], text, 1, 0): -1, errno 11" in both("calls-of-pairs", PAIR_CALLS)


REFUSED = r"""
static int pipes;
static void count(int number) { pipes++; }
int main(void)
{
    struct sockaddr_in to = {AF_INET, htons(7777), {htonl(INADDR_LOOPBACK)}};
    struct pollfd one = {.events = POLLIN};
    char text[8];
    int error = 0, fd = socket(AF_INET, SOCK_DGRAM, 0);
    socklen_t bytes = sizeof(error);
    signal(SIGPIPE, count);
    SHOW(sendto(fd, "x", 1, 0, (struct sockaddr*)&to, sizeof(to)));
    usleep(20000);
    SHOW(recv(fd, text, 1, MSG_DONTWAIT));
    SHOW(connect(fd, (struct sockaddr*)&to, sizeof(to)));
    SHOW(send(fd, "x", 1, 0));
    SHOW(recv(fd, text, 1, 0));
    SHOW(send(fd, "x", 1, 0));
    one.fd = fd;
    SHOW(poll(&one, 1, 1000) + 100 * one.revents);
    SHOW(getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &bytes) + error);
    SHOW(send(fd, "x", 1, 0));
    usleep(20000);
    SHOW(send(fd, "x", 1, 0));
    usleep(20000);
    SHOW(recv(fd, text, 1, MSG_DONTWAIT));
    SHOW(recv(fd, text, 1, MSG_DONTWAIT));
    SHOW(send(fd, "x", 1, MSG_OOB));
    SHOW(shutdown(fd, SHUT_WR));
    SHOW(send(fd, "x", 1, 0) + 10 * pipes);
    SHOW(shutdown(fd, SHUT_RD));
    SHOW(recv(fd, text, 1, 0));
    return 0;
}
"""


def test_a_connected_datagram_socket_hears_that_nobody_receives(both):
    assert "recv(fd, text, 1, 0): -1, errno 111" in both("refused-datagrams", REFUSED)


PEEKS = r"""
static int fd;
static void* add(void* unused)
{
    usleep(20000);
    write(fd, "de", 2);
    usleep(20000);
    write(fd, "fg", 2);
    close(fd);
    return NULL;
}
int main(void)
{
    struct sockaddr_in at = {AF_INET, 0, {htonl(INADDR_LOOPBACK)}};
    socklen_t bytes = sizeof(at);
    char text[8];
    pthread_t writer;
    int listens = socket(AF_INET, SOCK_STREAM, 0), reads;
    listen(listens, 1);
    getsockname(listens, (struct sockaddr*)&at, &bytes);
    fd = socket(AF_INET, SOCK_STREAM, 0);
    SHOW(connect(fd, (struct sockaddr*)&at, sizeof(at)));
    reads = accept(listens, NULL, NULL);
    write(fd, "abc", 3);
    pthread_create(&writer, NULL, add, NULL);
    SHOW(recv(reads, text, 5, MSG_PEEK | MSG_WAITALL));
    SHOW(recv(reads, text, 5, MSG_WAITALL));
    SHOW(recv(reads, text, 5, MSG_PEEK | MSG_WAITALL));
    SHOW(recv(reads, text, 1, MSG_OOB));
    return 0;
}
"""


def test_a_peek_can_wait_for_all_bytes(both):
    both("peeks", PEEKS)


UNREAD = r"""
static int state(int fd)
{
    int error = 0;
    socklen_t bytes = sizeof(error);
    struct pollfd one = {fd, POLLIN | POLLOUT | POLLRDHUP};
    poll(&one, 1, 0);
    SHOW(one.revents);
    getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &bytes);
    return error;
}
static void leave(int kind, int asks)
{
    char text[8];
    int two[2];
    signal(SIGPIPE, SIG_IGN);
    SHOW(socketpair(AF_UNIX, kind | SOCK_NONBLOCK, 0, two));
    SHOW(write(two[0], "lost", 4));
    SHOW(write(two[1], "kept", 4));
    SHOW(close(two[1]));
    if (asks)
    {
        SHOW(state(two[0]));
    }
    SHOW(write(two[0], "more", 4));
    SHOW(read(two[0], text, 8));
    SHOW(read(two[0], text, 0));
    SHOW(write(two[0], "again", 5));
    SHOW(recv(two[0], text, 8, MSG_PEEK));
    SHOW(read(two[0], text, 8));
    SHOW(close(two[0]));
}
int main(void)
{
    int asks;
    for (asks = 0; asks < 2; asks++)
    {
        leave(SOCK_STREAM, asks);
        leave(SOCK_SEQPACKET, asks);
        leave(SOCK_DGRAM, asks);
    }
    return 0;
}
"""


def test_a_pair_that_is_closed_with_unread_bytes_tells_its_peer(both):
    both("unread-pairs", UNREAD)


NATURES = r"""
static void tell(int fd)
{
    int domain = -1, type = -1, protocol = -1;
    socklen_t bytes = sizeof(domain);
    SHOW(fcntl(fd, F_GETFL));
    SHOW(getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &bytes));
    SHOW(getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &bytes));
    SHOW(getsockopt(fd, SOL_SOCKET, SO_PROTOCOL, &protocol, &bytes));
    SHOW(setsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, bytes));
    printf("%d %d %d\n", domain, type, protocol);
}
int main(void)
{
    int two[2];
    pipe2(two, O_NONBLOCK);
    tell(two[0]);
    tell(two[1]);
    socketpair(AF_UNIX, SOCK_SEQPACKET, 0, two);
    tell(two[0]);
    tell(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0));
    tell(socket(AF_INET, SOCK_DGRAM, 0));
    tell(socket(AF_INET6, SOCK_STREAM, IPPROTO_TCP));
    return 0;
}
"""


def test_descriptors_tell_what_they_are(both):
    both("natures", NATURES)
