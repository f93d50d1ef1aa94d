/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Defines functions that bear names of the C library: they are the program's own. */

#include <stdio.h>

int
error(int code)
{
    return code + 1;
}

int
wait(int code)
{
    return code + 2;
}

int
main(void)
{
    printf("%d\n", error(1) + wait(1));
    return 0;
}
