/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* The C library's random generators and strtok, with their hidden state in the process. The numbers
 * are those of the C library for a process that runs alone. */

#define _GNU_SOURCE
#include "via-shim.h"

#include <stdlib.h>
#include <string.h>

static struct random_data s_random;
static char s_randomState[128]; /* the size of the C library's own default state */
static struct drand48_data s_rand48;

static void
Seed(unsigned int seed)
{
    __real_memset(&s_random, 0, sizeof(s_random));
    initstate_r(seed, s_randomState, sizeof(s_randomState), &s_random);
}

long
__wrap_random(void)
{
    int32_t number;
    if (!s_random.state)
    {
        Seed(1);
    }
    random_r(&s_random, &number);
    return number;
}

int
__wrap_rand(void)
{
    return (int)__wrap_random();
}

void
__wrap_srandom(unsigned int seed)
{
    Seed(seed);
}

void
__wrap_srand(unsigned int seed)
{
    Seed(seed);
}

double
__wrap_erand48(unsigned short state[3])
{
    double number;
    erand48_r(state, &s_rand48, &number);
    return number;
}

long
__wrap_nrand48(unsigned short state[3])
{
    long number;
    nrand48_r(state, &s_rand48, &number);
    return number;
}

long
__wrap_jrand48(unsigned short state[3])
{
    long number;
    jrand48_r(state, &s_rand48, &number);
    return number;
}

double
__wrap_drand48(void)
{
    double number;
    drand48_r(&s_rand48, &number);
    return number;
}

long
__wrap_lrand48(void)
{
    long number;
    lrand48_r(&s_rand48, &number);
    return number;
}

long
__wrap_mrand48(void)
{
    long number;
    mrand48_r(&s_rand48, &number);
    return number;
}

void
__wrap_srand48(long seed)
{
    srand48_r(seed, &s_rand48);
}

unsigned short*
__wrap_seed48(unsigned short state[3])
{
    static unsigned short old[3];
    __real_memcpy(old, s_rand48.__x, sizeof(old));
    seed48_r(state, &s_rand48);
    return old;
}

char*
__wrap_strtok(char* text, const char* separators)
{
    static char* rest;
    return strtok_r(text, separators, &rest);
}
