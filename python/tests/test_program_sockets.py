# SPDX-License-Identifier: GPL-2.0-only
"""Sockets and sets of descriptors in C programs: what Linux answers in the less usual cases."""

import pytest
import via

HEADERS = """
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static struct sockaddr_in at(const char* host, int port)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port)};
    memcpy(&to.sin_addr, gethostbyname(host)->h_addr_list[0], 4);
    return to;
}
#define SA(address) (struct sockaddr*)&(address), sizeof(address)
#define SAY(what, failed) printf("%s: %s\\n", what, (failed) ? strerror(errno) : "done")
"""


@pytest.fixture
def told(compile_c):
    """A function that runs a program and returns the lines that it prints."""

    def run(name, text, arguments=(), nodes=1, **given):
        program = compile_c(name, HEADERS + text)
        cluster = via.Cluster(nodes=nodes, **given)
        return cluster.run_program(program, arguments, capture=True).stdout.splitlines()

    return run


DATAGRAMS = """
int main(int count, char** words)
{
    struct sockaddr_in first = at(words[1], 5001), second = at(words[1], 5002), from;
    struct sockaddr none = {.sa_family = AF_UNSPEC};
    socklen_t bytes = sizeof from;
    char got[9];
    int u = socket(AF_INET, SOCK_DGRAM, 0), v = socket(AF_INET, SOCK_DGRAM, 0);
    int w = socket(AF_INET, SOCK_DGRAM, 0);
    bind(v, SA(first));
    bind(w, SA(second));
    connect(u, SA(first));
    sendto(u, "x", 1, 0, SA(second));
    usleep(10000);
    printf("named %zd", recvfrom(w, got, 9, MSG_DONTWAIT, (struct sockaddr*)&from, &bytes));
    printf(" connected %zd\\n", recv(v, got, 9, MSG_DONTWAIT));
    send(u, "yy", 2, 0);
    usleep(10000);
    printf("connected %zd\\n", recv(v, got, 9, MSG_DONTWAIT));
    SAY("dissolve", connect(u, SA(none)));
    SAY("peer", getpeername(u, (struct sockaddr*)&first, &bytes));
    SAY("send", send(u, "x", 1, 0) < 0);
    sendto(w, "zzz", 3, 0, SA(from));
    usleep(10000);
    printf("from another %zd\\n", recv(u, got, 9, MSG_DONTWAIT));
    return 0;
}
"""


@pytest.mark.parametrize("host", ["localhost", "n0", "c0"])
def test_a_datagram_goes_where_its_call_says_though_the_socket_is_connected(told, host):
    lines = told("datagrams-of-connected", DATAGRAMS, [host], control_network=host == "c0")
    assert lines == [
        "named 1 connected -1",
        "connected 2",
        "dissolve: done",
        "peer: Transport endpoint is not connected",
        "send: Destination address required",
        "from another 3",
    ]


SHUT_LISTENER = """
static int listener;
static void* wait(void* none)
{
    SAY("accept", accept(listener, NULL, NULL) < 0);
    return none;
}
int main(int count, char** words)
{
    struct sockaddr_in own = at(words[1], 5000);
    int peer = socket(AF_INET, SOCK_STREAM, 0), late = socket(AF_INET, SOCK_STREAM, 0);
    pthread_t thread;
    listener = socket(AF_INET, SOCK_STREAM, 0);
    bind(listener, SA(own));
    listen(listener, 5);
    SAY("shut writes", shutdown(listener, SHUT_WR));
    SAY("connect", connect(peer, SA(own)));
    close(accept(listener, NULL, NULL));
    pthread_create(&thread, NULL, wait, NULL);
    usleep(1000);
    SAY("shut", shutdown(listener, SHUT_RDWR));
    pthread_join(thread, NULL);
    SAY("accept later", accept(listener, NULL, NULL) < 0);
    SAY("connect", connect(late, SA(own)));
    close(late);
    late = socket(AF_INET, SOCK_STREAM, 0);
    SAY("listen again", listen(listener, 5));
    SAY("connect", connect(late, SA(own)));
    SAY("accept", accept(listener, NULL, NULL) < 0);
    return 0;
}
"""


@pytest.mark.parametrize("host", ["localhost", "n0", "c0"])
def test_shutdown_of_a_listening_socket_ends_accept(told, host):
    lines = told("shut-listener", SHUT_LISTENER, [host], control_network=host == "c0")
    assert lines == [
        "shut writes: done",
        "connect: done",
        "shut: done",
        "accept: Invalid argument",
        "accept later: Invalid argument",
        "connect: Connection refused",
        "listen again: done",
        "connect: done",
        "accept: done",
    ]


EPOLLS = """
int main(void)
{
    int p[2], q[2], times[2] = {0, 0}, set = epoll_create1(0);
    struct epoll_event event = {EPOLLIN}, got;
    pipe(p);
    pipe(q);
    write(p[1], "a", 1);
    write(q[1], "b", 1);
    epoll_ctl(set, EPOLL_CTL_ADD, p[0], &event);
    event.data.fd = 1;
    epoll_ctl(set, EPOLL_CTL_ADD, q[0], &event);
    for (int i = 0; i < 10; i++)
    {
        epoll_wait(set, &got, 1, 0);
        times[got.data.fd]++;
    }
    printf("in turns %d %d\\n", times[0], times[1]);
    close(set);
    set = epoll_create1(0);
    event.events = 0;
    epoll_ctl(set, EPOLL_CTL_ADD, p[0], &event);
    printf("not asked for %d\\n", epoll_wait(set, &got, 1, 1));
    close(p[1]);
    printf("hang-up %d", epoll_wait(set, &got, 1, 1));
    printf(" %d\\n", got.events == EPOLLHUP);
    event.events = EPOLLIN | EPOLLONESHOT;
    epoll_ctl(set, EPOLL_CTL_MOD, p[0], &event);
    printf("once %d", epoll_wait(set, &got, 1, 1));
    printf(" %d\\n", epoll_wait(set, &got, 1, 1));
    return 0;
}
"""


def test_epoll_gives_each_descriptor_its_turn_and_tells_hang_ups_always(told):
    assert told("epolls", EPOLLS) == ["in turns 5 5", "not asked for 0", "hang-up 1 1", "once 1 0"]


BULK = """
#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/time.h>
static long us(struct timeval at) { return at.tv_sec * 1000000 + at.tv_usec; }
int main(int count, char** words)
{
    static char bytes[1 << 20];
    const size_t most = (size_t)atol(words[1]);
    struct sockaddr_in own = at("n0", 5000);
    struct timeval begin, end;
    struct rusage before, after;
    int listens = socket(AF_INET, SOCK_STREAM, 0), fd = listens;
    if (atoi(getenv("VIA_RANK")) == 0)
    {
        bind(listens, SA(own));
        listen(listens, 5);
        fd = accept(listens, NULL, NULL);
        while (read(fd, bytes, sizeof bytes) > 0)
        {
        }
        return 0;
    }
    usleep(1000);
    connect(fd, SA(own));
    fcntl(fd, F_SETFL, count > 2 ? O_NONBLOCK : 0);
    getrusage(RUSAGE_SELF, &before);
    gettimeofday(&begin, NULL);
    for (size_t done = 0; done < sizeof bytes;)
    {
        struct pollfd one = {fd, POLLOUT};
        const size_t rest = sizeof bytes - done;
        const ssize_t sent = write(fd, bytes + done, rest < most ? rest : most);
        done += sent > 0 ? (size_t)sent : 0;
        count > 2 ? poll(&one, 1, -1) : 0;
    }
    gettimeofday(&end, NULL);
    getrusage(RUSAGE_SELF, &after);
    printf("%ld %ld\\n", us(end) - us(begin), us(after.ru_stime) - us(before.ru_stime));
    return 0;
}
"""


@pytest.mark.parametrize("how", [[], ["non-blocking"]])
def test_a_long_write_pays_for_the_bytes_that_the_kernel_takes_when_it_takes_them(told, how):
    def times(most):
        return map(int, told("bulk", BULK, [str(most), *how], nodes=2)[0].split())

    (parts, system), (whole, system_of_whole) = times(16_384), times(1 << 20)
    assert whole < 1.02 * parts
    assert system_of_whole < 1.05 * system


BINDS_AGAIN = """
int main(void)
{
    struct sockaddr_in own = at("n0", 5000);
    int one = 1;
    for (int i = 0; i < 2; i++)
    {
        int end = socket(AF_INET, SOCK_STREAM, 0), other = socket(AF_INET, SOCK_STREAM, 0);
        char byte;
        if (atoi(getenv("VIA_RANK")) == 1)
        {
            usleep(1000);
            SAY("connect", connect(end, SA(own)));
            read(end, &byte, 1);
            close(end);
            usleep(20000);
            continue;
        }
        setsockopt(end, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
        SAY("bind", bind(end, SA(own)));
        listen(end, 5);
        SAY("bind another", bind(other, SA(own)));
        close(accept(end, NULL, NULL)); /* it closes first, so the connection stays a while */
        close(end);
        usleep(10000);
    }
    return 0;
}
"""


def test_a_server_binds_its_own_address_again(told):
    lines = told("binds-again", BINDS_AGAIN, nodes=2)
    assert lines.count("bind: done") == lines.count("connect: done") == 2
    assert lines.count("bind another: Address already in use") == 2


BETWEEN_TWO = """
static int joined(void)
{
    struct sockaddr_in server = at("n0", 5000);
    int end = socket(AF_INET, SOCK_STREAM, 0);
    if (atoi(getenv("VIA_RANK")) == 0)
    {
        bind(end, SA(server));
        listen(end, 5);
        return accept(end, NULL, NULL);
    }
    usleep(1000);
    connect(end, SA(server));
    return end;
}
static void tell(int end)
{
    static char bytes[4096];
    ssize_t all = 0, got;
    while ((got = read(end, bytes, sizeof bytes)) > 0)
        all += got;
    printf("%s got %zd, end %zd\\n", getenv("VIA_RANK"), all, got);
}
"""

HALF_CLOSES = """
static char bytes[80000];
int main(void)
{
    int serves = atoi(getenv("VIA_RANK")) == 0, end = joined();
    usleep(serves ? 20000 : 0); /* the client's bytes do not fit, and its end waits for room */
    write(end, bytes, serves ? 1000 : sizeof bytes);
    shutdown(end, SHUT_WR);
    usleep(serves ? 40000 : 100000); /* the server's end is there before its bytes are read */
    tell(end);
    return 0;
}
"""


def test_bytes_that_wait_for_room_at_a_half_close_survive_the_peers_end(told):
    lines = told("half-closes", BETWEEN_TWO + HALF_CLOSES, nodes=2)
    assert sorted(lines) == ["0 got 80000, end 0", "1 got 1000, end 0"]


ENDS_BEFORE_ITS_BYTES_ARE_READ = """
static char bytes[66240]; /* more than the window; one full segment less is acknowledged at first */
int main(void)
{
    int serves = atoi(getenv("VIA_RANK")) == 0, end = joined();
    usleep(serves ? 50000 : 0);
    write(end, bytes, serves ? 0 : sizeof bytes);
    shutdown(end, SHUT_WR);
    sleep(1);
    tell(end);
    return 0;
}
"""


def test_an_end_that_tells_of_a_smaller_window_is_not_answered_with_more(told):
    lines = told("ends-unread", BETWEEN_TWO + ENDS_BEFORE_ITS_BYTES_ARE_READ, nodes=2)
    assert sorted(lines) == ["0 got 66240, end 0", "1 got 0, end 0"]


ENDS_CROSS = """
static char bytes[3020];
int main(void)
{
    int serves = atoi(getenv("VIA_RANK")) == 0, nagle = 0, end = joined();
    struct timespec both = {0, serves ? 10000000 : 10005000};
    setsockopt(end, IPPROTO_TCP, TCP_NODELAY, &nagle, sizeof nagle);
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &both, NULL);
    write(end, bytes, serves ? 100 : sizeof bytes); /* 100 of these wait for an acknowledgement, */
    write(end, bytes, serves ? 100 : 0);            /* as these do */
    shutdown(end, SHUT_WR);
    sleep(60);
    tell(end);
    return 0;
}
"""


def test_ends_that_cross_with_the_last_bytes_are_not_repeated(compile_c):
    program = compile_c("ends-cross", HEADERS + BETWEEN_TWO + ENDS_CROSS)
    run = via.Cluster(nodes=2).run_program(program, capture=True)
    assert sorted(run.stdout.splitlines()) == ["0 got 3020, end 0", "1 got 200, end 0"]
    assert run.report["events"] < 1000


ENDS_AT_A_SHUT_WINDOW = """
static char bytes[65535]; /* the whole window */
int main(int count, char** words)
{
    int shuts = words[1][0] == 's', end = joined();
    if (atoi(getenv("VIA_RANK")) == 1)
    {
        write(end, bytes, sizeof bytes);
        sleep(3);
        if (shuts)
        {
            shutdown(end, SHUT_WR);
            tell(end);
        }
        return close(end);
    }
    usleep(3050000);
    if (shuts)
        write(end, bytes, 500); /* says that the window is still shut */
    sleep(20);
    tell(end);
    return 0;
}
"""


@pytest.mark.parametrize("how", ["shutdown", "close"])
def test_a_connection_may_end_while_the_peers_window_is_shut(told, how):
    lines = told("ends-at-a-shut-window", BETWEEN_TWO + ENDS_AT_A_SHUT_WINDOW, [how], nodes=2)
    answer = ["1 got 500, end 0"] if how == "shutdown" else []
    assert lines == ["0 got 65535, end 0", *answer]


def test_an_end_that_is_lost_while_the_peers_window_is_shut_is_repeated(told):
    cut = via.Faults().link_down("n1", at="3 s", until="3020 ms")
    text = BETWEEN_TWO + ENDS_AT_A_SHUT_WINDOW
    lines = told("ends-at-a-shut-window", text, ["shutdown"], nodes=2, faults=cut)
    assert lines == ["0 got 65535, end 0", "1 got 500, end 0"]


GIVES_UP = """
int main(void)
{
    struct sockaddr_in server = at("n0", 5000);
    struct timeval limit = {0, 1500};
    int end = socket(AF_INET, SOCK_STREAM, 0);
    if (atoi(getenv("VIA_RANK")) == 1)
    {
        usleep(1000);
        setsockopt(end, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
        SAY("connect", connect(end, SA(server)));
        close(end); /* a reset, and the first that the server hears */
        return 0;
    }
    bind(end, SA(server));
    listen(end, 5);
    sleep(10);
    return 0;
}
"""


def test_a_listener_may_hear_of_a_connection_by_its_reset_alone(told):
    cut = via.Faults().link_down("n0", at="900 us", until="2 ms")
    lines = told("gives-up", GIVES_UP, nodes=2, faults=cut)
    assert lines == ["connect: Operation now in progress"]


FILLS_A_LISTENER = """
int main(int count, char** words)
{
    struct sockaddr_in own = at("localhost", 5000);
    int listener = socket(AF_INET, SOCK_STREAM, 0), connected = 0;
    bind(listener, SA(own));
    listen(listener, atoi(words[1]));
    for (int i = 0; i < 5; i++)
    {
        struct pollfd end = {socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), POLLOUT};
        connect(end.fd, SA(own));
        connected += poll(&end, 1, 100);
    }
    printf("%d\\n", connected);
    return 0;
}
"""


@pytest.mark.parametrize(("backlog", "held"), [(0, 1), (1, 2), (3, 4), (-1, 5)])
def test_a_listener_holds_one_connection_more_than_its_backlog(told, backlog, held):
    assert told("fills-a-listener", FILLS_A_LISTENER, [str(backlog)]) == [str(held)]


CONNECTS_LATER = """
int main(int count, char** words)
{
    struct sockaddr_in server = at("n0", 5000);
    int end = socket(AF_INET, SOCK_STREAM, 0);
    struct timeval soon = {0, 1}, never = {0, 0};
    if (atoi(getenv("VIA_RANK")) == 0)
    {
        bind(end, SA(server));
        listen(end, 5);
        return sleep(1);
    }
    usleep(1000);
    setsockopt(end, SOL_SOCKET, SO_SNDTIMEO, &soon, sizeof soon);
    SAY("connect", connect(end, SA(server)));
    SAY("too soon", connect(end, SA(server)));
    usleep(atoi(words[1]));
    setsockopt(end, SOL_SOCKET, SO_SNDTIMEO, &never, sizeof never);
    SAY("later", connect(end, SA(server)));
    SAY("again", connect(end, SA(server)));
    return 0;
}
"""


@pytest.mark.parametrize("pause_us", [0, 10000])
def test_a_connect_that_goes_on_alone_is_waited_for_and_told_as_done_once(told, pause_us):
    assert told("connects-later", CONNECTS_LATER, [str(pause_us)], nodes=2) == [
        "connect: Operation now in progress",
        "too soon: Operation already in progress",
        "later: done",
        "again: Transport endpoint is already connected",
    ]
