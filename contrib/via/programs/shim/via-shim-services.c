/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Names of services, protocols and interfaces: tables of our own, the same on every machine. */

#define _GNU_SOURCE
#include "via-shim-services.h"

#include "via-shim-descriptors.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <string.h>
#include <sys/socket.h>

/* ---- services, with the ports that IANA has assigned */

static const struct ViaService
{
    const char* name;
    const char* alias;
    int port;
    const char* protocol; /* null: both */
} s_services[] = {
    {"echo", NULL, 7, NULL},
    {"discard", "sink", 9, NULL},
    {"daytime", NULL, 13, NULL},
    {"chargen", "ttytst", 19, NULL},
    {"ftp-data", NULL, 20, "tcp"},
    {"ftp", NULL, 21, "tcp"},
    {"ssh", NULL, 22, "tcp"},
    {"telnet", NULL, 23, "tcp"},
    {"smtp", "mail", 25, "tcp"},
    {"time", "timserver", 37, NULL},
    {"domain", NULL, 53, NULL},
    {"tftp", NULL, 69, "udp"},
    {"finger", NULL, 79, "tcp"},
    {"http", "www", 80, "tcp"},
    {"pop3", "pop-3", 110, "tcp"},
    {"sunrpc", "portmapper", 111, NULL},
    {"nntp", NULL, 119, "tcp"},
    {"ntp", NULL, 123, "udp"},
    {"imap2", "imap", 143, "tcp"},
    {"snmp", NULL, 161, NULL},
    {"ldap", NULL, 389, NULL},
    {"https", NULL, 443, NULL},
    {"exec", NULL, 512, "tcp"},
    {"login", NULL, 513, "tcp"},
    {"shell", "cmd", 514, "tcp"},
    {"syslog", NULL, 514, "udp"},
    {"printer", "spooler", 515, "tcp"},
    {"nfs", NULL, 2049, NULL},
};

#define SERVICES (sizeof(s_services) / sizeof(s_services[0]))

static int
IsOver(const struct ViaService* service, const char* protocol)
{
    return !protocol || !service->protocol || strcmp(service->protocol, protocol) == 0;
}

int
via_shim_service_port(const char* name, const char* protocol)
{
    size_t i;
    for (i = 0; i < SERVICES; i++)
    {
        const struct ViaService* const one = &s_services[i];
        if (IsOver(one, protocol) &&
            (strcmp(one->name, name) == 0 || (one->alias && strcmp(one->alias, name) == 0)))
        {
            return one->port;
        }
    }
    return -1;
}

const char*
via_shim_service_name(int port, const char* protocol)
{
    size_t i;
    for (i = 0; i < SERVICES; i++)
    {
        if (s_services[i].port == port && IsOver(&s_services[i], protocol))
        {
            return s_services[i].name;
        }
    }
    return NULL;
}

static struct servent*
Service(int port, const char* protocol)
{
    static struct servent entry;
    static char* aliases[2];
    static char name[32], alias[32], over[4];
    size_t i;
    for (i = 0; i < SERVICES; i++)
    {
        const struct ViaService* const one = &s_services[i];
        if (one->port == port && IsOver(one, protocol))
        {
            snprintf(name, sizeof(name), "%s", one->name);
            snprintf(alias, sizeof(alias), "%s", one->alias ? one->alias : "");
            snprintf(over,
                     sizeof(over),
                     "%s",
                     one->protocol ? one->protocol
                     : protocol    ? protocol
                                   : "tcp");
            aliases[0] = one->alias ? alias : NULL;
            entry = (struct servent){name, aliases, htons((uint16_t)port), over};
            return &entry;
        }
    }
    return NULL;
}

struct servent*
__wrap_getservbyname(const char* name, const char* protocol)
{
    const int port = via_shim_service_port(name, protocol);
    return port < 0 ? NULL : Service(port, protocol);
}

struct servent*
__wrap_getservbyport(int port, const char* protocol)
{
    return Service(ntohs((uint16_t)port), protocol);
}

/* The texts lie in the process' static memory, as those of getservbyname. */
int
__wrap_getservbyname_r(const char* name,
                       const char* protocol,
                       struct servent* out,
                       char* buffer,
                       size_t bytes,
                       struct servent** result)
{
    const struct servent* const found = __wrap_getservbyname(name, protocol);
    (void)buffer;
    (void)bytes;
    *result = found ? out : NULL;
    if (found)
    {
        *out = *found;
    }
    return 0;
}

int
__wrap_getservbyport_r(int port,
                       const char* protocol,
                       struct servent* out,
                       char* buffer,
                       size_t bytes,
                       struct servent** result)
{
    const struct servent* const found = __wrap_getservbyport(port, protocol);
    (void)buffer;
    (void)bytes;
    *result = found ? out : NULL;
    if (found)
    {
        *out = *found;
    }
    return 0;
}

/* ---- protocols */

static const struct
{
    const char* name;
    const char* alias;
    int number;
} s_protocols[] = {
    {"ip", "IP", IPPROTO_IP},
    {"icmp", "ICMP", IPPROTO_ICMP},
    {"tcp", "TCP", IPPROTO_TCP},
    {"udp", "UDP", IPPROTO_UDP},
    {"ipv6", "IPv6", IPPROTO_IPV6},
};

static struct protoent*
Protocol(size_t which)
{
    static struct protoent entry;
    static char* aliases[2];
    static char name[8], alias[8];
    if (which == sizeof(s_protocols) / sizeof(s_protocols[0]))
    {
        return NULL;
    }
    snprintf(name, sizeof(name), "%s", s_protocols[which].name);
    snprintf(alias, sizeof(alias), "%s", s_protocols[which].alias);
    aliases[0] = alias;
    entry = (struct protoent){name, aliases, s_protocols[which].number};
    return &entry;
}

struct protoent*
__wrap_getprotobyname(const char* name)
{
    size_t i = 0;
    while (i < sizeof(s_protocols) / sizeof(s_protocols[0]) &&
           strcmp(s_protocols[i].name, name) != 0 && strcmp(s_protocols[i].alias, name) != 0)
    {
        i++;
    }
    return Protocol(i);
}

struct protoent*
__wrap_getprotobynumber(int number)
{
    size_t i = 0;
    while (i < sizeof(s_protocols) / sizeof(s_protocols[0]) && s_protocols[i].number != number)
    {
        i++;
    }
    return Protocol(i);
}

/* ---- interfaces: the loopback, and those on which the node has its addresses */

static const struct ViaInterface
{
    const char* name;
    enum ViaSystemCall address; /* of any but the loopback */
    uint32_t mask;
} s_interfaces[] = {
    {"lo", VIA_HOST_ADDRESS, IN_CLASSA_NET},
    {VIA_INTERFACE, VIA_HOST_ADDRESS, IN_CLASSA_NET},
    {VIA_CONTROL_INTERFACE, VIA_CONTROL_ADDRESS, VIA_CONTROL_MASK},
};

static unsigned
Interfaces(void)
{
    return VIA_SYSTEM(VIA_CONTROL_ADDRESS, -1) > 0 ? 3 : 2;
}

unsigned
__wrap_if_nametoindex(const char* name)
{
    unsigned i;
    for (i = 0; i < Interfaces(); i++)
    {
        if (strcmp(name, s_interfaces[i].name) == 0)
        {
            return i + 1;
        }
    }
    errno = ENODEV;
    return 0;
}

char*
__wrap_if_indextoname(unsigned index, char* name)
{
    if (index == 0 || index > Interfaces())
    {
        errno = ENXIO;
        return NULL;
    }
    snprintf(name, IF_NAMESIZE, "%s", s_interfaces[index - 1].name);
    return name;
}

/* The list and its names are one block. */
struct if_nameindex*
__wrap_if_nameindex(void)
{
    const unsigned count = Interfaces();
    struct if_nameindex* const list =
        (struct if_nameindex*)__wrap_malloc((count + 1) * sizeof(*list) + count * IF_NAMESIZE);
    char* names = (char*)(list + count + 1);
    unsigned i;
    if (!list)
    {
        errno = ENOBUFS;
        return NULL;
    }
    for (i = 0; i < count; i++, names += IF_NAMESIZE)
    {
        snprintf(names, IF_NAMESIZE, "%s", s_interfaces[i].name);
        list[i] = (struct if_nameindex){i + 1, names};
    }
    list[count] = (struct if_nameindex){0, NULL};
    return list;
}

void
__wrap_if_freenameindex(struct if_nameindex* list)
{
    __wrap_free(list);
}

/* What getifaddrs tells of one interface, in one block of memory. */
struct ViaInterfaceEntry
{
    struct ifaddrs entry;
    struct sockaddr_in address, mask, broadcast;
    char name[IF_NAMESIZE];
};

static struct ifaddrs*
Entry(unsigned index)
{
    const struct ViaInterface* const of = &s_interfaces[index];
    const uint32_t address = index == 0 ? INADDR_LOOPBACK : (uint32_t)VIA_SYSTEM(of->address, -1);
    struct ViaInterfaceEntry* const one = (struct ViaInterfaceEntry*)__wrap_malloc(sizeof(*one));
    if (!one)
    {
        return NULL;
    }
    __real_memset(one, 0, sizeof(*one));
    snprintf(one->name, sizeof(one->name), "%s", of->name);
    one->address.sin_family = one->mask.sin_family = one->broadcast.sin_family = AF_INET;
    one->address.sin_addr.s_addr = htonl(address);
    one->mask.sin_addr.s_addr = htonl(of->mask);
    one->broadcast.sin_addr.s_addr = htonl(address | ~of->mask);
    one->entry.ifa_name = one->name;
    one->entry.ifa_flags = IFF_UP | IFF_RUNNING | (index == 0 ? IFF_LOOPBACK : IFF_BROADCAST);
    one->entry.ifa_addr = (struct sockaddr*)&one->address;
    one->entry.ifa_netmask = (struct sockaddr*)&one->mask;
    one->entry.ifa_broadaddr = index == 0 ? NULL : (struct sockaddr*)&one->broadcast;
    return &one->entry;
}

int
__wrap_getifaddrs(struct ifaddrs** list)
{
    const unsigned count = Interfaces();
    struct ifaddrs** last = list;
    unsigned i;
    for (i = 0; i < count; i++)
    {
        *last = Entry(i);
        if (!*last)
        {
            errno = ENOMEM;
            return -1;
        }
        last = &(*last)->ifa_next;
    }
    return 0;
}

void
__wrap_freeifaddrs(struct ifaddrs* list)
{
    while (list)
    {
        struct ifaddrs* const next = list->ifa_next;
        __wrap_free(list); /* the first member of its block */
        list = next;
    }
}
