/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Names of codes, in strict C89. */

#include <stdio.h>
#include <vipl-names.h>

int
main(void)
{
    printf("%s %s %s %s, ",
           VipReturnName(VIP_SUCCESS),
           VipReturnName(VIP_ERROR),
           VipReturnName(VIP_ERROR_NOT_SUPPORTED),
           VipReturnName((VIP_RETURN)99));
    printf("%s %s, ", VipErrorName(VIP_ERROR_CATASTROPHIC), VipErrorName((VIP_ERROR_CODE)-1));
    printf("%s %s\n", VipStateName(VIP_STATE_CONNECT_PENDING), VipStateName((VIP_VI_STATE)4));
    return 0;
}
