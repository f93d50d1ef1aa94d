/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Descriptors of a process alone: dup2 of standard streams, pipes, socketpairs, waiting, errors. */

#define _GNU_SOURCE
#include "sockets.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/stat.h>

static void
Redirect(void)
{
    char text[64] = "";
    char pattern[] = "/tmp/via-descriptors-XXXXXX";
    const int file = mkstemp(pattern);
    const int saved = dup(1);
    unlink(pattern);
    assert(dup2(file, 1) == 1);
    printf("into the file\n");
    fflush(stdout);
    assert(write(1, "and more\n", 9) == 9);
    assert(dup2(saved, 1) == 1 && close(saved) == 0);
    assert(lseek(file, 0, SEEK_SET) == 0);
    assert(dup2(file, 0) == 0);
    assert(fgets(text, sizeof(text), stdin));
    printf("numbers %d %d: %s", file, saved, text);
    assert(dup2(99, 1) == -1 && errno == EBADF);
    assert(isatty(1) == 0 && fileno(stdout) == 1);
}

static void*
Echo(void* argument)
{
    const int* ends = (const int*)argument;
    char text[100];
    ssize_t got;
    while ((got = read(ends[0], text, sizeof(text))) > 0)
    {
        usleep(10);
        assert(write(ends[1], text, (size_t)got) == got);
    }
    close(ends[1]);
    return NULL;
}

static void
Pipes(void)
{
    int there[2];
    int back[2];
    int ends[2];
    char text[16] = "";
    struct stat about;
    pthread_t thread;
    assert(pipe(there) == 0 && pipe2(back, O_CLOEXEC) == 0);
    ends[0] = there[0];
    ends[1] = back[1];
    pthread_create(&thread, NULL, Echo, ends);
    assert(write(there[1], "hello", 5) == 5);
    assert(read(back[0], text, sizeof(text)) == 5);
    close(there[1]);
    assert(read(back[0], text + 8, 1) == 0);
    pthread_join(thread, NULL);
    close(there[0]);
    assert(fstat(back[0], &about) == 0 && S_ISFIFO(about.st_mode));
    assert(fcntl(back[0], F_GETFD) == FD_CLOEXEC);
    printf("pipes %s\n", text);
}

static void
Ends(void)
{
    int ends[2];
    char byte;
    int count = 0;
    static const char thousand[1000];
    assert(pipe(ends) == 0);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    assert(read(ends[0], &byte, 1) == -1 && errno == EAGAIN);
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    while (write(ends[1], thousand, 1000) == 1000)
    {
        count++;
    }
    assert(errno == EAGAIN && ioctl(ends[0], FIONREAD, &count) == 0);
    close(ends[0]);
    signal(SIGPIPE, SIG_IGN);
    assert(write(ends[1], "x", 1) == -1 && errno == EPIPE);
    assert(close(ends[1]) == 0 && close(ends[1]) == -1 && errno == EBADF);
    printf("a pipe holds %d\n", count);
}

static void
Pairs(void)
{
    int ends[2];
    int parts[2];
    char text[16] = "";
    FILE* stream;
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    assert(socketpair(AF_UNIX, SOCK_DGRAM, 0, parts) == 0);
    stream = fdopen(ends[0], "r+");
    fprintf(stream, "line %d\n", 1);
    fflush(stream);
    assert(recv(ends[1], text, sizeof(text), MSG_PEEK) == 7);
    assert(recv(ends[1], text, 4, 0) == 4 && recv(ends[1], text, sizeof(text), MSG_PEEK) == 3);
    assert(recv(ends[1], text, sizeof(text), 0) == 3 && strncmp(text, " 1\n", 3) == 0);
    assert(recv(ends[1], text, 1, MSG_PEEK | MSG_DONTWAIT) == -1 && errno == EAGAIN);
    assert(send(ends[1], "back\n", 5, 0) == 5 && shutdown(ends[1], SHUT_WR) == 0);
    assert(fgets(text, sizeof(text), stream) && strcmp(text, "back\n") == 0);
    assert(fgets(text, sizeof(text), stream) == NULL && fclose(stream) == 0);
    send(parts[0], "one", 3, 0);
    send(parts[0], "three", 5, 0);
    assert(recv(parts[1], text, 16, MSG_PEEK) == 3 && recv(parts[1], text, 2, MSG_PEEK) == 2);
    assert(recv(parts[1], text, 2, 0) == 2 && recv(parts[1], text, 16, 0) == 5);
    printf("pairs %.5s\n", text);
}

/* Takes what the end holds, then writes a byte to it. */
static void*
TakeAndWrite(void* argument)
{
    static char bytes[70000];
    const int* ends = (const int*)argument;
    usleep(100);
    assert(read(ends[0], bytes, sizeof(bytes)) > 300);
    assert(write(ends[1], "x", 1) == 1);
    return NULL;
}

/* What is ready for something else does not keep a call from waiting. */
static void
Patience(void)
{
    static char bytes[65436];
    int ends[2];
    int both[2];
    int given[2];
    char byte;
    pthread_t thread;
    assert(pipe(ends) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, both) == 0);
    given[0] = ends[0];
    given[1] = both[0];
    assert(write(ends[1], bytes, sizeof(bytes)) == sizeof(bytes));
    assert(shutdown(both[0], SHUT_RD) == 0);
    pthread_create(&thread, NULL, TakeAndWrite, given);
    assert(write(ends[1], bytes, 300) == 300); /* there is room for 100 */
    assert(read(both[1], &byte, 1) == 1 && byte == 'x');
    pthread_join(thread, NULL);
    printf("room and bytes are waited for\n");
}

static void
Waiting(void)
{
    int ends[2];
    fd_set set;
    struct timeval limit = {0, 500};
    struct epoll_event event = {EPOLLIN | EPOLLET, {.u32 = 7}};
    const int epoll = epoll_create1(0);
    unsigned long begin = Microseconds();
    struct pollfd one;
    assert(pipe(ends) == 0);
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    assert(select(ends[0] + 1, &set, NULL, NULL, &limit) == 0 && !FD_ISSET(ends[0], &set));
    printf("select waited %lu", (Microseconds() - begin) / 10 * 10);
    assert(epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event) == 0);
    assert(epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event) == -1 && errno == EEXIST);
    assert(epoll_wait(epoll, &event, 1, 1) == 0);
    assert(write(ends[1], "x", 1) == 1);
    assert(epoll_wait(epoll, &event, 1, -1) == 1 && event.data.u32 == 7);
    assert(epoll_wait(epoll, &event, 1, 0) == 0); /* an edge comes once */
    one = (struct pollfd){ends[0], POLLIN | POLLOUT, 0};
    assert(poll(&one, 1, -1) == 1 && one.revents == POLLIN);
    close(ends[1]);
    assert(poll(&one, 1, -1) == 1 && one.revents == (POLLIN | POLLHUP));
    one.fd = 500;
    assert(poll(&one, 1, 0) == 1 && one.revents == POLLNVAL);
    printf(" poll %x\n", one.revents);
}

/* ---- sets in sets, and descriptors that are added while another thread waits */

static void*
AddAndWrite(void* given)
{
    const int* const numbers = given; /* the inner set, a pipe's ends */
    struct epoll_event event = {EPOLLIN, {.u32 = 9}};
    usleep(1000);
    assert(epoll_ctl(numbers[0], EPOLL_CTL_ADD, numbers[1], &event) == 0);
    usleep(1000);
    assert(write(numbers[2], "x", 1) == 1);
    return NULL;
}

/* Puts sets into each other, the innermost first or last. @return the number of those that may */
static int
Nested(int step)
{
    int sets[10];
    struct epoll_event event = {EPOLLIN, {.u32 = 0}};
    int done = 0;
    for (int i = 0; i < 10; ++i)
    {
        sets[i] = epoll_create1(0);
    }
    for (int i = step > 0 ? 0 : 8; i >= 0 && i < 9; i += step)
    {
        if (epoll_ctl(sets[i], EPOLL_CTL_ADD, sets[i + 1], &event) != 0)
        {
            assert(errno == ELOOP);
            break;
        }
        ++done;
    }
    for (int i = 0; i < 10; ++i)
    {
        close(sets[i]);
    }
    return done;
}

static void
Sets(void)
{
    const int outer = epoll_create1(0);
    int numbers[] = {epoll_create1(0), -1, -1};
    struct epoll_event event = {EPOLLIN, {.u32 = 8}};
    struct pollfd one = {outer, POLLIN, 0};
    unsigned long begin = Microseconds();
    pthread_t thread;
    assert(Nested(1) == 4 && Nested(-1) == 4);
    assert(pipe(numbers + 1) == 0);
    assert(epoll_ctl(outer, EPOLL_CTL_ADD, numbers[0], &event) == 0);
    assert(epoll_ctl(numbers[0], EPOLL_CTL_ADD, outer, &event) == -1 && errno == ELOOP);
    pthread_create(&thread, NULL, AddAndWrite, numbers);
    assert(poll(&one, 1, 100) == 1 && one.revents == POLLIN);
    assert(Microseconds() - begin > 2000);
    assert(epoll_wait(outer, &event, 1, -1) == 1 && event.data.u32 == 8);
    assert(epoll_wait(numbers[0], &event, 1, -1) == 1 && event.data.u32 == 9);
    pthread_join(thread, NULL);
    assert(epoll_ctl(numbers[0], EPOLL_CTL_DEL, numbers[1], NULL) == 0);
    assert(poll(&one, 1, 1) == 0);
    begin = Microseconds();
    pthread_create(&thread, NULL, AddAndWrite, numbers); /* what is added is ready */
    assert(epoll_wait(numbers[0], &event, 1, -1) == 1 && event.data.u32 == 9);
    assert(Microseconds() - begin < 2000);
    pthread_join(thread, NULL);
    printf("sets are in sets\n");
}

static void
Errors(void)
{
    struct sockaddr_in address = {0};
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    struct pollfd one = {fd, POLLIN | POLLOUT, 0};
    int value = 0;
    socklen_t bytes = sizeof(value);
    assert(socket(AF_APPLETALK, SOCK_STREAM, 0) == -1 && errno == EAFNOSUPPORT);
    assert(socket(AF_INET, SOCK_RAW, 0) == -1 && errno == ESOCKTNOSUPPORT);
    assert(bind(1, (struct sockaddr*)&address, sizeof(address)) == -1 && errno == ENOTSOCK);
    assert(bind(77, (struct sockaddr*)&address, sizeof(address)) == -1 && errno == EBADF);
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(0x0a00004d);
    assert(bind(fd, (struct sockaddr*)&address, sizeof(address)) == -1 && errno == EADDRNOTAVAIL);
    assert(bind(fd, (struct sockaddr*)&address, 3) == -1 && errno == EINVAL);
    assert(bind(fd, NULL, sizeof(address)) == -1 && errno == EFAULT);
    assert(recv(fd, &value, 1, 0) == -1 && errno == ENOTCONN);
    assert(send(fd, &value, 1, MSG_NOSIGNAL) == -1 && errno == ENOTCONN);
    assert(accept(fd, NULL, NULL) == -1 && errno == EINVAL);
    assert(getpeername(fd, (struct sockaddr*)&address, &bytes) == -1 && errno == ENOTCONN);
    assert(getsockopt(fd, SOL_SOCKET, 999, &value, &bytes) == -1 && errno == ENOPROTOOPT);
    assert(getsockopt(fd, SOL_SOCKET, SO_TYPE, &value, &bytes) == 0 && value == SOCK_STREAM);
    assert(poll(&one, 1, 0) == 1);
    assert(lseek(fd, 0, SEEK_SET) == -1 && errno == ESPIPE);
    assert(gethostbyname("no-such-host") == NULL && h_errno == HOST_NOT_FOUND);
    printf("errors are told by name\n");
}

int
main(void)
{
    Redirect();
    Pipes();
    Ends();
    Pairs();
    Patience();
    Waiting();
    Sets();
    Errors();
    return 0;
}
