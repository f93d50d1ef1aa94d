/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Prints its options, as getopt_long sees them, resting between two. */

#include <getopt.h>
#include <stdio.h>
#include <unistd.h>

int
main(int argc, char** argv)
{
    static const struct option LONGS[] = {{"size", required_argument, NULL, 's'},
                                          {"verbose", no_argument, NULL, 'v'},
                                          {"level", optional_argument, NULL, 'l'},
                                          {NULL, 0, NULL, 0}};
    int letter;
    while ((letter = getopt_long(argc, argv, "abo:s:v", LONGS, NULL)) != -1)
    {
        printf("%c=%s\n", letter, optarg ? optarg : "-");
        optarg = NULL;
        sleep(1);
    }
    for (; optind < argc; optind++)
    {
        printf("operand %s\n", argv[optind]);
    }
    return 0;
}
