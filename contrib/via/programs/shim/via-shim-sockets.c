/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Sockets and pipes: the simulator's, over the simulated kernel and wire. */

#define _GNU_SOURCE
#include "via-shim-descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

int
__wrap_socket(int family, int type, int protocol)
{
    return (int)VIA_SYSTEM(VIA_SOCKET, family, type, protocol);
}

int
__wrap_socketpair(int family, int type, int protocol, int* ends)
{
    if (family != AF_UNIX || protocol != 0)
    {
        errno = family != AF_UNIX ? EOPNOTSUPP : EPROTONOSUPPORT;
        return -1;
    }
    return (int)VIA_SYSTEM(VIA_SOCKETPAIR, VIA_POINTER(ends), type);
}

int
__wrap_pipe(int* ends)
{
    return (int)VIA_SYSTEM(VIA_PIPE, VIA_POINTER(ends), 0);
}

int
__wrap_pipe2(int* ends, int flags)
{
    return (int)VIA_SYSTEM(VIA_PIPE, VIA_POINTER(ends), flags);
}

int
__wrap_bind(int fd, const struct sockaddr* address, socklen_t bytes)
{
    return (int)VIA_SYSTEM(VIA_BIND, fd, VIA_POINTER(address), bytes);
}

int
__wrap_listen(int fd, int backlog)
{
    return (int)VIA_SYSTEM(VIA_LISTEN, fd, backlog);
}

int
__wrap_accept4(int fd, struct sockaddr* address, socklen_t* bytes, int flags)
{
    return (int)VIA_SYSTEM(VIA_ACCEPT, fd, VIA_POINTER(address), VIA_POINTER(bytes), flags);
}

int
__wrap_accept(int fd, struct sockaddr* address, socklen_t* bytes)
{
    return __wrap_accept4(fd, address, bytes, 0);
}

int
__wrap_connect(int fd, const struct sockaddr* address, socklen_t bytes)
{
    return (int)VIA_SYSTEM(VIA_CONNECT, fd, VIA_POINTER(address), bytes);
}

ssize_t
__wrap_sendto(int fd,
              const void* from,
              size_t count,
              int flags,
              const struct sockaddr* to,
              socklen_t bytes)
{
    return VIA_SYSTEM(VIA_SEND,
                      fd,
                      VIA_POINTER(from),
                      (int64_t)count,
                      flags,
                      VIA_POINTER(to),
                      bytes);
}

ssize_t
__wrap_send(int fd, const void* from, size_t count, int flags)
{
    return __wrap_sendto(fd, from, count, flags, NULL, 0);
}

ssize_t
__wrap_recvfrom(int fd, void* to, size_t count, int flags, struct sockaddr* from, socklen_t* bytes)
{
    return VIA_SYSTEM(VIA_RECEIVE,
                      fd,
                      VIA_POINTER(to),
                      (int64_t)count,
                      flags,
                      VIA_POINTER(from),
                      VIA_POINTER(bytes));
}

ssize_t
__wrap_recv(int fd, void* to, size_t count, int flags)
{
    return __wrap_recvfrom(fd, to, count, flags, NULL, NULL);
}

ssize_t
__wrap___recv_chk(int fd, void* to, size_t count, size_t room, int flags)
{
    return __wrap_recv(fd, to, count < room ? count : room, flags);
}

ssize_t
__wrap___recvfrom_chk(int fd,
                      void* to,
                      size_t count,
                      size_t room,
                      int flags,
                      struct sockaddr* from,
                      socklen_t* bytes)
{
    return __wrap_recvfrom(fd, to, count < room ? count : room, flags, from, bytes);
}

/* @return -1 with EMSGSIZE if there are too many pieces */
static int64_t
SumOf(const struct msghdr* message)
{
    int64_t sum = 0;
    size_t i;
    if (message->msg_iovlen > IOV_MAX)
    {
        errno = EMSGSIZE;
        return -1;
    }
    for (i = 0; i < message->msg_iovlen; i++)
    {
        sum += (int64_t)message->msg_iov[i].iov_len;
    }
    return sum;
}

/* Pieces travel as one buffer; ancillary data, such as descriptors, is refused. */
ssize_t
__wrap_sendmsg(int fd, const struct msghdr* message, int flags)
{
    const int64_t sum = SumOf(message);
    char* const bytes = sum < 0 ? NULL : (char*)__wrap_malloc((size_t)sum);
    size_t at = 0;
    size_t i;
    ssize_t sent;
    if (sum >= 0 && message->msg_control && message->msg_controllen > 0)
    {
        errno = EOPNOTSUPP;
        __wrap_free(bytes);
        return -1;
    }
    if (!bytes)
    {
        return -1;
    }
    for (i = 0; i < message->msg_iovlen; at += message->msg_iov[i].iov_len, i++)
    {
        __real_memcpy(bytes + at, message->msg_iov[i].iov_base, message->msg_iov[i].iov_len);
    }
    sent = __wrap_sendto(fd,
                         bytes,
                         at,
                         flags,
                         (const struct sockaddr*)message->msg_name,
                         message->msg_namelen);
    __wrap_free(bytes);
    return sent;
}

ssize_t
__wrap_recvmsg(int fd, struct msghdr* message, int flags)
{
    const int64_t sum = SumOf(message);
    const size_t room = sum < 0 ? 0 : (size_t)sum;
    char* const bytes = sum < 0 ? NULL : (char*)__wrap_malloc(room);
    const ssize_t got = !bytes ? -1
                               : __wrap_recvfrom(fd,
                                                 bytes,
                                                 room,
                                                 flags | MSG_TRUNC,
                                                 (struct sockaddr*)message->msg_name,
                                                 message->msg_name ? &message->msg_namelen : NULL);
    const size_t kept = got < 0 ? 0 : (size_t)got < room ? (size_t)got : room;
    size_t done = 0;
    size_t i;
    for (i = 0; i < message->msg_iovlen && done < kept; i++)
    {
        const size_t left = kept - done;
        const size_t part = message->msg_iov[i].iov_len < left ? message->msg_iov[i].iov_len : left;
        __real_memcpy(message->msg_iov[i].iov_base, bytes + done, part);
        done += part;
    }
    __wrap_free(bytes);
    message->msg_controllen = 0;
    message->msg_flags = got > (ssize_t)room ? MSG_TRUNC : 0;
    return got < 0 ? got : (ssize_t)((flags & MSG_TRUNC) ? (size_t)got : kept);
}

/* @return the number sent; the error of the first */
int
__wrap_sendmmsg(int fd, struct mmsghdr* messages, unsigned count, int flags)
{
    unsigned i;
    for (i = 0; i < count; i++)
    {
        const ssize_t sent = __wrap_sendmsg(fd, &messages[i].msg_hdr, flags);
        if (sent < 0)
        {
            return i > 0 ? (int)i : -1;
        }
        messages[i].msg_len = (unsigned)sent;
    }
    return (int)count;
}

/* As in Linux, the limit is looked at only after a message has come. */
int
__wrap_recvmmsg(int fd, struct mmsghdr* messages, unsigned count, int flags, struct timespec* limit)
{
    const int64_t begin = VIA_CALL(clock, VIA_CLOCK_STANDING);
    unsigned i;
    for (i = 0; i < count; i++)
    {
        const int mayWait = i == 0 || !(flags & MSG_WAITFORONE);
        const int how = (flags & ~MSG_WAITFORONE) | (mayWait ? 0 : MSG_DONTWAIT);
        const ssize_t got = __wrap_recvmsg(fd, &messages[i].msg_hdr, how);
        if (got < 0)
        {
            return i > 0 ? (int)i : -1;
        }
        messages[i].msg_len = (unsigned)got;
        if (limit && (VIA_CALL(clock, VIA_CLOCK_STANDING) - begin) / 1000 >=
                         (int64_t)limit->tv_sec * 1000000000 + limit->tv_nsec)
        {
            return (int)(i + 1);
        }
    }
    return (int)count;
}

/* Reads and writes piece by piece: the simulated kernel has no path without a copy. */
ssize_t
__wrap_sendfile(int to, int from, off_t* offset, size_t count)
{
    const size_t most = 65536;
    char* const piece = (char*)__wrap_malloc(count < most ? count : most);
    off_t at = offset ? *offset : __wrap_lseek(from, 0, SEEK_CUR);
    size_t done = 0;
    ssize_t got = at < 0 ? -1 : 0;
    while (at >= 0 && done < count)
    {
        const size_t part = count - done < most ? count - done : most;
        got = __wrap_pread(from, piece, part, at);
        got = got > 0 ? __wrap_write(to, piece, (size_t)got) : got;
        if (got <= 0)
        {
            break;
        }
        done += (size_t)got;
        at += got;
    }
    if (offset)
    {
        *offset = at;
    }
    else if (at >= 0)
    {
        __wrap_lseek(from, at, SEEK_SET); /* only what was sent has been read */
    }
    __wrap_free(piece);
    return got < 0 && done == 0 ? -1 : (ssize_t)done;
}

ssize_t
__wrap_sendfile64(int to, int from, off_t* offset, size_t count)
{
    return __wrap_sendfile(to, from, offset, count);
}

int
__wrap_shutdown(int fd, int how)
{
    return (int)VIA_SYSTEM(VIA_SHUTDOWN, fd, how);
}

int
__wrap_getsockname(int fd, struct sockaddr* address, socklen_t* bytes)
{
    return (int)VIA_SYSTEM(VIA_GETSOCKNAME, fd, VIA_POINTER(address), VIA_POINTER(bytes));
}

int
__wrap_getpeername(int fd, struct sockaddr* address, socklen_t* bytes)
{
    return (int)VIA_SYSTEM(VIA_GETPEERNAME, fd, VIA_POINTER(address), VIA_POINTER(bytes));
}

int
__wrap_setsockopt(int fd, int level, int name, const void* value, socklen_t bytes)
{
    return (int)VIA_SYSTEM(VIA_SETSOCKOPT, fd, level, name, VIA_POINTER(value), bytes);
}

int
__wrap_getsockopt(int fd, int level, int name, void* value, socklen_t* bytes)
{
    return (int)VIA_SYSTEM(VIA_GETSOCKOPT, fd, level, name, VIA_POINTER(value), VIA_POINTER(bytes));
}
