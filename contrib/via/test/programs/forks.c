/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Calls what no simulated process can do. */

#include <stdlib.h>
#include <unistd.h>

int
main(void)
{
    return fork() == 0 ? system("true") : 0;
}
