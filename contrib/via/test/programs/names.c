/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Services, protocols, interfaces and calls that move several messages or a file: rank 1 asks and
 * sends, rank 0 answers. Nothing of the real machine shows. */

#define _GNU_SOURCE
#include "sockets.h"

#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>

static void
Names(void)
{
    const struct servent* service = getservbyname("www", "tcp");
    const struct protoent* const tcp = getprotobyname("tcp");
    struct addrinfo hints = {0};
    struct addrinfo* found;
    struct ifaddrs *all, *one;
    struct if_nameindex* names;
    char name[IF_NAMESIZE];
    assert(service && strcmp(service->s_name, "http") == 0 && strcmp(service->s_proto, "tcp") == 0);
    assert(ntohs((uint16_t)service->s_port) == 80);
    service = getservbyport(htons(514), "udp");
    assert(service && strcmp(service->s_name, "syslog") == 0);
    assert(!getservbyname("tftp", "tcp") && !getservbyname("no-such-service", NULL));
    assert(tcp && tcp->p_proto == IPPROTO_TCP && !getprotobynumber(250));
    hints.ai_socktype = SOCK_STREAM;
    assert(getaddrinfo("n0", "telnet", &hints, &found) == 0);
    printf("telnet is %d, ", ntohs(((const struct sockaddr_in*)found->ai_addr)->sin_port));
    freeaddrinfo(found);
    assert(getaddrinfo("n0", "tftp", &hints, &found) == EAI_SERVICE);
    assert(if_nametoindex("eth0") == 2 && if_nametoindex("wlan0") == 0 && errno == ENODEV);
    assert(strcmp(if_indextoname(1, name), "lo") == 0 && !if_indextoname(3, name));
    names = if_nameindex();
    assert(names[1].if_index == 2 && strcmp(names[1].if_name, "eth0") == 0 && !names[2].if_name);
    if_freenameindex(names);
    assert(!gethostent() && !getnetbyname("loopback"));
    assert(getifaddrs(&all) == 0);
    for (one = all; one; one = one->ifa_next)
    {
        const struct sockaddr_in* const in = (const struct sockaddr_in*)one->ifa_addr;
        printf("%s %s, ", one->ifa_name, inet_ntoa(in->sin_addr));
    }
    freeifaddrs(all);
}

/* What programs asked before there was getifaddrs. */
static void
Interfaces(int fd)
{
    struct ifreq all[8];
    struct ifconf list = {.ifc_len = sizeof(all), .ifc_req = all};
    struct ifconf sizes = {0};
    struct ifreq one;
    int i;
    assert(ioctl(fd, SIOCGIFCONF, &sizes) == 0 && sizes.ifc_len == 2 * sizeof(one));
    assert(ioctl(fd, SIOCGIFCONF, &list) == 0 && list.ifc_len == sizes.ifc_len);
    for (i = 0; i < 2; i++)
    {
        one = all[i];
        printf("%s %s ", one.ifr_name, inet_ntoa(((struct sockaddr_in*)&one.ifr_addr)->sin_addr));
        assert(ioctl(fd, SIOCGIFADDR, &one) == 0);
        assert(memcmp(&one.ifr_addr, &all[i].ifr_addr, sizeof(one.ifr_addr)) == 0);
        assert(ioctl(fd, SIOCGIFFLAGS, &one) == 0 && (one.ifr_flags & IFF_UP));
        assert(!(one.ifr_flags & IFF_LOOPBACK) == i);
        assert(ioctl(fd, SIOCGIFNETMASK, &one) == 0);
        printf("%s, ", inet_ntoa(((struct sockaddr_in*)&one.ifr_netmask)->sin_addr));
    }
    assert(ioctl(fd, SIOCGIFBRDADDR, &one) == 0);
    printf("%s, ", inet_ntoa(((struct sockaddr_in*)&one.ifr_broadaddr)->sin_addr));
    list.ifc_len = sizeof(one);
    assert(ioctl(fd, SIOCGIFCONF, &list) == 0 && list.ifc_len == sizeof(one));
    strcpy(one.ifr_name, "wlan0");
    assert(ioctl(fd, SIOCGIFADDR, &one) == -1 && errno == ENODEV);
    assert(ioctl(fd, SIOCGIFCONF, NULL) == -1 && errno == EFAULT);
}

/* Two datagrams in one call; both come in one call. */
static void
SendBoth(int fd, struct sockaddr_in* to)
{
    char text[2][4] = {"one", "two"};
    struct iovec parts[2] = {{text[0], 4}, {text[1], 4}};
    struct mmsghdr both[2];
    int i;
    memset(both, 0, sizeof(both));
    for (i = 0; i < 2; i++)
    {
        both[i].msg_hdr.msg_name = to;
        both[i].msg_hdr.msg_namelen = sizeof(*to);
        both[i].msg_hdr.msg_iov = &parts[i];
        both[i].msg_hdr.msg_iovlen = 1;
    }
    assert(sendmmsg(fd, both, 2, 0) == 2 && both[1].msg_len == 4);
    assert(sendmmsg(-1, both, 2, 0) == -1 && errno == EBADF);
}

static void
TakeBoth(int fd)
{
    char text[3][4];
    struct iovec parts[3] = {{text[0], 4}, {text[1], 4}, {text[2], 4}};
    struct mmsghdr all[3];
    int i, got;
    memset(all, 0, sizeof(all));
    for (i = 0; i < 3; i++)
    {
        all[i].msg_hdr.msg_iov = &parts[i];
        all[i].msg_hdr.msg_iovlen = 1;
    }
    usleep(5000);
    got = recvmmsg(fd, all, 3, MSG_WAITFORONE, NULL);
    assert(got == 2 && all[1].msg_len == 4);
    printf("%d datagrams: %s %s, ", got, text[0], text[1]);
}

static void
SendFile(void)
{
    static unsigned char bytes[100000];
    const int out = Connect("n0", PORT);
    const int file = open("names.bin", O_RDWR | O_CREAT | O_TRUNC, 0600);
    off_t at = 1000;
    size_t i, left;
    for (i = 0; i < sizeof(bytes); i++)
    {
        bytes[i] = Pattern(i);
    }
    assert(write(file, bytes, sizeof(bytes)) == (ssize_t)sizeof(bytes));
    assert(lseek(file, 0, SEEK_SET) == 0);
    for (left = sizeof(bytes); left > 0;)
    {
        const ssize_t sent = sendfile(out, file, NULL, left);
        assert(sent > 0);
        left -= (size_t)sent;
    }
    assert(lseek(file, 0, SEEK_CUR) == (off_t)sizeof(bytes));
    assert(sendfile(out, file, &at, 10) == 10 && at == 1010);
    assert(lseek(file, 0, SEEK_CUR) == (off_t)sizeof(bytes));
    assert(sendfile(out, out, NULL, 10) == -1);
    close(file);
    close(out);
    unlink("names.bin");
}

static void
TakeFile(void)
{
    const int listener = Listen(PORT, 1);
    const int in = accept(listener, NULL, NULL);
    unsigned char byte;
    unsigned long got = 0;
    while (read(in, &byte, 1) == 1)
    {
        assert(byte == Pattern(got < 100000 ? got : got - 100000 + 1000));
        ++got;
    }
    printf("%lu bytes of a file\n", got);
}

int
main(void)
{
    const int fd = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in own = {0};
    struct sockaddr_in to = AddressOf("n0", PORT);
    own.sin_family = AF_INET;
    own.sin_port = htons(PORT);
    assert(bind(fd, (struct sockaddr*)&own, sizeof(own)) == 0);
    if (Rank() == 0)
    {
        TakeBoth(fd);
        TakeFile();
        return 0;
    }
    Names();
    Interfaces(fd);
    SendBoth(fd, &to);
    SendFile();
    printf("done\n");
    return 0;
}
