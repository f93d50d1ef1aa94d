/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* A handler of VIPL's runs beside main: what it shares with it, and that its exit() is the end. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <vipl.h>

static int s_calls;
static const char* s_how;

static void
OnSent(VIP_PVOID context, VIP_NIC_HANDLE nic, VIP_VI_HANDLE vi, VIP_DESCRIPTOR* descriptor)
{
    (void)nic;
    (void)vi;
    (void)descriptor;
    s_calls++;
    printf("handler %s, errno %d\n", (const char*)context, errno);
    errno = 7;
    if (strcmp(s_how, "exit") == 0)
    {
        exit(11);
    }
    if (strcmp(s_how, "abort") == 0)
    {
        abort();
    }
}

static void
SayGoodbye(void)
{
    printf("goodbye after %d call\n", s_calls);
}

int
main(int argc, char** argv)
{
    VIP_NIC_HANDLE nic;
    VIP_PROTECTION_HANDLE tag;
    VIP_MEM_ATTRIBUTES rights;
    VIP_VI_ATTRIBUTES attributes;
    VIP_VI_HANDLE vi;
    VIP_MEM_HANDLE memory;
    VIP_DESCRIPTOR* descriptor = aligned_alloc(VIP_DESCRIPTOR_ALIGNMENT, sizeof(*descriptor));
    s_how = argc > 1 ? argv[1] : "";
    atexit(SayGoodbye);
    memset(descriptor, 0, sizeof(*descriptor));
    memset(&rights, 0, sizeof(rights));
    memset(&attributes, 0, sizeof(attributes));
    VipOpenNic("nic0", &nic);
    VipCreatePtag(nic, &tag);
    rights.Ptag = attributes.Ptag = tag;
    attributes.ReliabilityLevel = VIP_SERVICE_UNRELIABLE;
    attributes.MaxTransferSize = 64;
    VipRegisterMem(nic, descriptor, sizeof(*descriptor), &rights, &memory);
    VipCreateVi(nic, &attributes, NULL, NULL, &vi);
    VipSendNotify(vi, (VIP_PVOID) "of a flushed send", OnSent);
    errno = 3;
    VipPostSend(vi, descriptor, memory); /* not connected: flushed at once */
    sleep(1);
    printf("main, errno %d\n", errno);
    return 0;
}
