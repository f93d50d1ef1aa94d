/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Names of hosts: node i is "n<i>", and "c<i>" on the control network. Nothing of the real network
 * is asked. */

#define _GNU_SOURCE
#include "via-shim-descriptors.h"
#include "via-shim-services.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

int __wrap_gethostname(char* name, size_t size);

/* @return 1 if there is such a host; its address in network order */
static int
FindHost(const char* name, struct in_addr* address)
{
    char* end;
    int64_t found;
    char own[64] = "";
    if (inet_aton(name, address))
    {
        return 1;
    }
    if (strcmp(name, "localhost") == 0 || strncmp(name, "localhost.", 10) == 0)
    {
        address->s_addr = htonl(INADDR_LOOPBACK);
        return 1;
    }
    __wrap_gethostname(own, sizeof(own));
    if (strcmp(name, own) == 0)
    {
        found = VIA_SYSTEM(VIA_HOST_ADDRESS, -1);
    }
    else if ((name[0] == 'n' || name[0] == 'c') && name[1] >= '0' && name[1] <= '9')
    {
        const long node = strtol(name + 1, &end, 10);
        const enum ViaSystemCall which = name[0] == 'n' ? VIA_HOST_ADDRESS : VIA_CONTROL_ADDRESS;
        found = *end == '\0' || *end == '.' ? VIA_SYSTEM(which, node) : -1;
    }
    else
    {
        return 0;
    }
    address->s_addr = htonl((uint32_t)found);
    return found > 0;
}

/* @return the node with this address on one of the networks, -1 if there is none */
static int64_t
NodeAt(enum ViaSystemCall which, struct in_addr address)
{
    const int64_t first = VIA_SYSTEM(which, 0);
    const int64_t node = (int64_t)ntohl(address.s_addr) - first;
    return first > 0 && node >= 0 && VIA_SYSTEM(which, node) > 0 ? node : -1;
}

/* @return 1 if a host has the address; its name */
static int
NameOf(struct in_addr address, char* name, size_t size)
{
    const int64_t node = NodeAt(VIA_HOST_ADDRESS, address);
    const int64_t control = NodeAt(VIA_CONTROL_ADDRESS, address);
    if (address.s_addr == htonl(INADDR_LOOPBACK))
    {
        snprintf(name, size, "localhost");
        return 1;
    }
    snprintf(name, size, node >= 0 ? "n%ld" : "c%ld", (long)(node >= 0 ? node : control));
    return node >= 0 || control >= 0;
}

/* ---- gethostbyname and its like */

static struct hostent s_host;

static struct hostent*
Host(const char* name, struct in_addr address)
{
    static char text[64];
    static struct in_addr number;
    static char* addresses[2] = {(char*)&number, NULL};
    static char* aliases[1] = {NULL};
    snprintf(text, sizeof(text), "%s", name);
    number = address;
    s_host.h_name = text;
    s_host.h_aliases = aliases;
    s_host.h_addrtype = AF_INET;
    s_host.h_length = sizeof(number);
    s_host.h_addr_list = addresses;
    return &s_host;
}

static struct hostent*
NotFound(void)
{
    *__h_errno_location() = HOST_NOT_FOUND;
    return NULL;
}

struct hostent*
__wrap_gethostbyname(const char* name)
{
    struct in_addr address;
    return FindHost(name, &address) ? Host(name, address) : NotFound();
}

struct hostent*
__wrap_gethostbyname2(const char* name, int family)
{
    return family == AF_INET ? __wrap_gethostbyname(name) : NotFound();
}

struct hostent*
__wrap_gethostbyaddr(const void* address, socklen_t bytes, int family)
{
    struct in_addr number;
    char name[64];
    if (family != AF_INET || bytes < sizeof(number))
    {
        return NotFound();
    }
    __real_memcpy(&number, address, sizeof(number));
    return NameOf(number, name, sizeof(name)) ? Host(name, number) : NotFound();
}

/* The result lies in the process' static memory, as that of gethostbyname. */
int
__wrap_gethostbyname_r(const char* name,
                       struct hostent* out,
                       char* buffer,
                       size_t bytes,
                       struct hostent** result,
                       int* error)
{
    (void)buffer;
    (void)bytes;
    *result = __wrap_gethostbyname(name);
    *error = *result ? 0 : HOST_NOT_FOUND;
    if (*result)
    {
        *out = **result;
        *result = out;
    }
    return 0;
}

/* ---- getaddrinfo */

/* @return the port with this number or name, -1 if there is none */
static long
PortOf(const char* service, int type, int flags)
{
    char* end;
    const long port = strtol(service, &end, 10);
    if (*service != '\0' && *end == '\0')
    {
        return port <= 65535 ? port : -1;
    }
    return flags & AI_NUMERICSERV ? -1
                                  : via_shim_service_port(service,
                                                          type == SOCK_STREAM  ? "tcp"
                                                          : type == SOCK_DGRAM ? "udp"
                                                                               : NULL);
}

static struct addrinfo*
Info(struct in_addr address, int port, int type, const struct addrinfo* hints)
{
    const int is6 = hints && hints->ai_family == AF_INET6;
    struct addrinfo* info =
        (struct addrinfo*)__wrap_malloc(sizeof(*info) + sizeof(struct sockaddr_in6));
    struct sockaddr_in* to = (struct sockaddr_in*)(info + 1);
    struct sockaddr_in6* to6 = (struct sockaddr_in6*)(info + 1);
    __real_memset(info, 0, sizeof(*info) + sizeof(struct sockaddr_in6));
    info->ai_family = is6 ? AF_INET6 : AF_INET;
    info->ai_socktype = type;
    info->ai_protocol = type == SOCK_STREAM ? IPPROTO_TCP : IPPROTO_UDP;
    info->ai_addrlen = is6 ? sizeof(*to6) : sizeof(*to);
    info->ai_addr = (struct sockaddr*)to;
    to->sin_family = (sa_family_t)info->ai_family;
    to->sin_port = htons((uint16_t)port);
    if (!is6)
    {
        to->sin_addr = address;
    }
    else if (address.s_addr == htonl(INADDR_LOOPBACK))
    {
        to6->sin6_addr = in6addr_loopback;
    }
    else if (address.s_addr != INADDR_ANY)
    {
        to6->sin6_addr.s6_addr[10] = to6->sin6_addr.s6_addr[11] = 0xff;
        __real_memcpy(to6->sin6_addr.s6_addr + 12, &address, sizeof(address));
    }
    return info;
}

int
__wrap_getaddrinfo(const char* node,
                   const char* service,
                   const struct addrinfo* hints,
                   struct addrinfo** result)
{
    const int flags = hints ? hints->ai_flags : 0;
    const int type = hints ? hints->ai_socktype : 0;
    struct in_addr address = {htonl(flags & AI_PASSIVE ? INADDR_ANY : INADDR_LOOPBACK)};
    struct addrinfo** last = result;
    const long port = service ? PortOf(service, type, flags) : 0;
    if (hints && hints->ai_family != AF_UNSPEC && hints->ai_family != AF_INET &&
        hints->ai_family != AF_INET6)
    {
        return EAI_FAMILY;
    }
    if ((!node && !service) || (type != 0 && type != SOCK_STREAM && type != SOCK_DGRAM))
    {
        return !node && !service ? EAI_NONAME : EAI_SOCKTYPE;
    }
    if (port < 0)
    {
        return EAI_SERVICE;
    }
    if (node && !(flags & AI_NUMERICHOST ? inet_aton(node, &address) : FindHost(node, &address)))
    {
        return EAI_NONAME;
    }
    if (type != SOCK_DGRAM)
    {
        *last = Info(address, (int)port, SOCK_STREAM, hints);
        last = &(*last)->ai_next;
    }
    if (type != SOCK_STREAM)
    {
        *last = Info(address, (int)port, SOCK_DGRAM, hints);
    }
    if (flags & AI_CANONNAME)
    {
        (*result)->ai_canonname = __wrap_strdup(node ? node : "localhost");
    }
    return 0;
}

void
__wrap_freeaddrinfo(struct addrinfo* list)
{
    while (list)
    {
        struct addrinfo* next = list->ai_next;
        __wrap_free(list->ai_canonname);
        __wrap_free(list);
        list = next;
    }
}

int
__wrap_getnameinfo(const struct sockaddr* address,
                   socklen_t bytes,
                   char* host,
                   socklen_t hostRoom,
                   char* service,
                   socklen_t serviceRoom,
                   int flags)
{
    const struct sockaddr_in* in = (const struct sockaddr_in*)address;
    struct in_addr number = in->sin_addr;
    char name[64];
    (void)bytes;
    if (address->sa_family == AF_INET6)
    {
        const struct sockaddr_in6* in6 = (const struct sockaddr_in6*)address;
        __real_memcpy(&number, in6->sin6_addr.s6_addr + 12, sizeof(number));
        if (IN6_IS_ADDR_LOOPBACK(&in6->sin6_addr))
        {
            number.s_addr = htonl(INADDR_LOOPBACK);
        }
    }
    else if (address->sa_family != AF_INET)
    {
        return EAI_FAMILY;
    }
    if (host && hostRoom > 0)
    {
        const int isNamed = !(flags & NI_NUMERICHOST) && NameOf(number, name, sizeof(name));
        if (!isNamed && (flags & NI_NAMEREQD))
        {
            return EAI_NONAME;
        }
        snprintf(host,
                 hostRoom,
                 "%s",
                 isNamed ? name : inet_ntop(AF_INET, &number, name, sizeof(name)));
    }
    if (service && serviceRoom > 0)
    {
        const int port = ntohs(in->sin_port);
        const char* const over = flags & NI_DGRAM ? "udp" : "tcp";
        const char* const known = flags & NI_NUMERICSERV ? NULL : via_shim_service_name(port, over);
        known ? snprintf(service, serviceRoom, "%s", known)
              : snprintf(service, serviceRoom, "%d", port);
    }
    return 0;
}
