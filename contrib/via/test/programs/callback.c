/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Registers an error handler that ends the process. */

#include <stdio.h>
#include <stdlib.h>
#include <vipl.h>

static void
OnError(VIP_PVOID context, VIP_ERROR_DESCRIPTOR* error)
{
    printf("%s %p\n", (const char*)context, error->NicHandle);
    exit(11);
}

int
main(void)
{
    VipErrorCallback(NULL, (VIP_PVOID) "handler", OnError);
    printf("not reached\n");
    return 0;
}
