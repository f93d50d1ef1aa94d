/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* The C library's random generators and strtok, with their hidden state in the process. The numbers
 * are those of the C library for a process that runs alone; random bytes of the real machine would
 * make runs differ, so those of a process are the same in every run. */

#define _GNU_SOURCE
#include "via-shim-random.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/types.h>

static struct random_data s_random;
static char s_randomState[128]; /* the size of the C library's own default state */
static struct drand48_data s_rand48;

static void
BeginRandom(void)
{
    if (!s_random.state)
    {
        initstate_r(1, s_randomState, sizeof(s_randomState), &s_random);
    }
}

long
__wrap_random(void)
{
    int32_t number;
    BeginRandom();
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
    BeginRandom();
    srandom_r(seed, &s_random);
}

void
__wrap_srand(unsigned int seed)
{
    __wrap_srandom(seed);
}

/* These two return the state that was used before: its kind is in the word before the numbers. */
char*
__wrap_initstate(unsigned int seed, char* state, size_t bytes)
{
    int32_t* before;
    BeginRandom();
    before = &s_random.state[-1];
    return initstate_r(seed, state, bytes, &s_random) == 0 ? (char*)before : NULL;
}

char*
__wrap_setstate(char* state)
{
    int32_t* before;
    BeginRandom();
    before = &s_random.state[-1];
    return setstate_r(state, &s_random) == 0 ? (char*)before : NULL;
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

void
__wrap_lcong48(unsigned short parameters[7])
{
    lcong48_r(parameters, &s_rand48);
}

/* ---- random bytes */

uint64_t
via_shim_next_random(uint64_t* state)
{
    uint64_t mixed;
    if (*state == 0)
    {
        *state = (uint64_t)VIA_CALL(process_id) << 32;
    }
    *state += UINT64_C(0x9e3779b97f4a7c15);
    mixed = (*state ^ (*state >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
    return mixed ^ (mixed >> 31);
}

static uint64_t
NextRandom(void)
{
    static uint64_t state;
    return via_shim_next_random(&state);
}

ssize_t
__wrap_getrandom(void* bytes, size_t count, unsigned int flags)
{
    size_t done;
    if (flags & ~(unsigned int)(GRND_NONBLOCK | GRND_RANDOM | GRND_INSECURE))
    {
        errno = EINVAL;
        return -1;
    }
    for (done = 0; done < count; done++)
    {
        ((unsigned char*)bytes)[done] = (unsigned char)NextRandom();
    }
    return (ssize_t)count;
}

int
__wrap_getentropy(void* bytes, size_t count)
{
    if (count > 256)
    {
        errno = EIO;
        return -1;
    }
    __wrap_getrandom(bytes, count, 0);
    return 0;
}

uint32_t
__wrap_arc4random(void)
{
    return (uint32_t)NextRandom();
}

void
__wrap_arc4random_buf(void* bytes, size_t count)
{
    __wrap_getrandom(bytes, count, 0);
}

uint32_t
__wrap_arc4random_uniform(uint32_t bound)
{
    const uint32_t uneven =
        bound < 2 ? 0 : -bound % bound; /* numbers that would make some likelier */
    uint32_t number;
    do
    {
        number = (uint32_t)NextRandom();
    } while (number < uneven);
    return bound < 2 ? 0 : number % bound;
}

/* std::random_device::_M_getval() */
unsigned int
__wrap__ZNSt13random_device9_M_getvalEv(void* device)
{
    (void)device;
    return (unsigned int)NextRandom();
}

char*
__wrap_strfry(char* text)
{
    const size_t length = strlen(text);
    size_t i;
    for (i = 0; i + 1 < length; i++)
    {
        const size_t other = i + NextRandom() % (length - i);
        const char letter = text[i];
        text[i] = text[other];
        text[other] = letter;
    }
    return text;
}

/* ---- words */

char*
__wrap_strtok(char* text, const char* separators)
{
    static char* rest;
    return strtok_r(text, separators, &rest);
}
