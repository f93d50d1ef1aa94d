/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Fails as it is told to, in a function that bears the name of the failure. */

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline, noclone))

static int* volatile s_null;
static volatile int s_one = 1;
static volatile int s_zero;
static char* volatile s_low = (char*)0x10;

NOINLINE static int
null(void)
{
    return *s_null;
}

NOINLINE static int
write_text(void)
{
    *(volatile char*)"text" = 0;
    return 0;
}

NOINLINE static int
divide(void)
{
    return s_one / s_zero;
}

NOINLINE static int
illegal(void)
{
    __builtin_trap();
}

NOINLINE static int
library(void)
{
    return (int)strlen(s_low);
}

NOINLINE static int
print(void)
{
    return printf("%s\n", s_low) + 1;
}

NOINLINE static int
nowhere(void)
{
    return ((int (*)(void))s_null)() + 1;
}

NOINLINE static int
deeper(volatile int* depth)
{
    volatile int more[64];
    more[0] = *depth + 1;
    return deeper(more) + more[0];
}

NOINLINE static int
recursion(void)
{
    volatile int depth = 0;
    return deeper(&depth);
}

NOINLINE static int
big_frame(void)
{
    volatile char much[64 << 20];
    much[s_zero] = 1;
    return much[s_zero];
}

NOINLINE static int
bad_free(void)
{
    volatile int local[8] = {0}; /* else the compiler drops the zeros, as nobody reads them */
    free((char*)local + 16 + s_zero);
    return 0;
}

NOINLINE static int
broken_heap(void)
{
    char* one = (char*)malloc(100);
    char* two = (char*)malloc(100);
    char* three = (char*)malloc(100);
    memset(one - 8 * s_zero, 0x7f, 4000);
    free(two);
    free(three);
    free(one);
    return two != NULL && malloc(200) != NULL;
}

NOINLINE static int
smashed(void)
{
    volatile long frame[2] = {0, 0};
    volatile long* at = frame;
    for (int i = 0; i < 64; i++)
    {
        at[i] = 0x123456789abcdef;
    }
    return (int)frame[s_zero];
}

NOINLINE static int
loop(void)
{
    for (;;)
    {
    }
}

static const struct
{
    const char* name;
    int (*fail)(void);
} WAYS[] = {{"null", null},
            {"write-text", write_text},
            {"divide", divide},
            {"illegal", illegal},
            {"library", library},
            {"print", print},
            {"nowhere", nowhere},
            {"recursion", recursion},
            {"big-frame", big_frame},
            {"bad-free", bad_free},
            {"broken-heap", broken_heap},
            {"smashed", smashed},
            {"loop", loop}};

int
main(int argc, char** argv)
{
    size_t i;
    printf("begun\n");
    for (i = 0; i < sizeof(WAYS) / sizeof(WAYS[0]); i++)
    {
        if (argc > 1 && strcmp(argv[1], WAYS[i].name) == 0)
        {
            return WAYS[i].fail() & 1;
        }
    }
    return 0;
}
