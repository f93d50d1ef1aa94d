/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Keeps pointers in 32 bits, and reads through them: those of globals, code, heap, stacks. */

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int s_set = 11;
static int s_zero[1000];
static int* const s_relocated[] = {&s_set, s_zero + 999};
static __thread int s_own = 13;

static int
Twice(int number)
{
    return 2 * number;
}

/* The same pointer, if 32 bits hold it. */
static void*
Kept(const void* pointer)
{
    const uint32_t narrow = (uint32_t)(uintptr_t)pointer;
    return (void*)(uintptr_t)(narrow & 0x7fffffffu);
}

static void
Show(const char* what, const void* pointer, int value)
{
    if (Kept(pointer) != pointer)
    {
        printf("%s is high, ", what);
        return;
    }
    printf("%s %d, ", what, *(int*)Kept(pointer) == value);
}

static void*
Run(void* given)
{
    int local = 17;
    Show("thread", &local, 17);
    Show("thread-local", &s_own, 13);
    return given;
}

int
main(int argc, char** argv)
{
    int local = 19;
    int* const small = malloc(sizeof(int));
    int* const large = malloc(20000000);
    pthread_t thread;
    int (*code)(int) = Twice;
    (void)argc;
    *small = 23;
    large[4999999] = 29;
    s_zero[999] = 31;
    Show("global", &s_set, 11);
    Show("zero", s_relocated[1], 31);
    Show("table", s_relocated[0], 11);
    Show("small", small, 23);
    Show("large", large + 4999999, 29);
    Show("stack", &local, 19);
    Show("own", &s_own, 13);
    pthread_create(&thread, NULL, Run, NULL);
    pthread_join(thread, NULL);
    if (Kept((void*)(uintptr_t)code) == (void*)(uintptr_t)code)
    {
        printf("code %d, ", ((int (*)(int))(uintptr_t)Kept((void*)(uintptr_t)code))(21));
    }
    if (Kept(argv[0]) == argv[0] && Kept(getenv("VIA_RANK")) == getenv("VIA_RANK") &&
        Kept("text") == (const void*)"text")
    {
        printf("texts, ");
    }
    printf("heap ends %d\n", malloc(64u << 20) == NULL);
    return 0;
}
