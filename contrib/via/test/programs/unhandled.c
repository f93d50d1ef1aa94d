/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Raises an asynchronous error for which it has no handler. */

#include <stdio.h>
#include <unistd.h>
#include <vipl.h>

static VIP_DESCRIPTOR s_descriptor __attribute__((aligned(VIP_DESCRIPTOR_ALIGNMENT)));

int
main(void)
{
    VIP_NIC_HANDLE nic;
    VIP_NIC_ATTRIBUTES about;
    VIP_VI_ATTRIBUTES attributes = {VIP_SERVICE_UNRELIABLE, 4096, NULL, NULL, VIP_FALSE, VIP_FALSE};
    VIP_MEM_ATTRIBUTES rights = {NULL, VIP_FALSE, VIP_FALSE};
    VIP_MEM_HANDLE memory;
    VIP_VI_HANDLE vi;
    VIP_ULONG i;
    if (VipOpenNic("nic0", &nic) != VIP_SUCCESS || VipQueryNic(nic, &about) != VIP_SUCCESS ||
        VipCreatePtag(nic, &rights.Ptag) != VIP_SUCCESS ||
        VipRegisterMem(nic, &s_descriptor, sizeof(s_descriptor), &rights, &memory) != VIP_SUCCESS)
    {
        return 1;
    }
    attributes.Ptag = rights.Ptag;
    if (VipCreateVi(nic, &attributes, NULL, NULL, &vi) != VIP_SUCCESS)
    {
        return 1;
    }
    for (i = 0; i <= about.MaxDescriptorsPerQueue; ++i)
    {
        VipPostRecv(vi, &s_descriptor, memory);
    }
    sleep(1);
    return 0;
}
