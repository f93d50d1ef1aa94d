/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Waits for a word of plain memory to change, without calling anything. */

#include <stdio.h>
#include <vipl.h>

volatile int g_flag;

int
main(void)
{
    VIP_NIC_HANDLE nic;
    if (VipOpenNic("nic0", &nic) != VIP_SUCCESS)
    {
        return 2;
    }
    printf("%s %p\n", (char*)nic, (void*)&g_flag);
    while (g_flag == 0)
    {
    }
    return g_flag;
}
