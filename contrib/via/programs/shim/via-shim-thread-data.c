/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Per-thread data: keys and their values, thread-local variables; and pthread_once. */

#define _GNU_SOURCE
#include "via-shim-thread.h"

#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>

struct Key
{
    int used;
    void (*destroy)(void*);
};

static struct Key s_keys[PTHREAD_KEYS_MAX];

int
__wrap_pthread_key_create(pthread_key_t* key, void (*destroy)(void*))
{
    unsigned int i;
    for (i = 0; i < PTHREAD_KEYS_MAX; i++)
    {
        if (!s_keys[i].used)
        {
            s_keys[i].used = 1;
            s_keys[i].destroy = destroy;
            *key = i;
            return 0;
        }
    }
    return EAGAIN;
}

int
__wrap_pthread_key_delete(pthread_key_t key)
{
    struct ViaThread* thread = &via_shim_main_thread;
    if (key >= PTHREAD_KEYS_MAX || !s_keys[key].used)
    {
        return EINVAL;
    }
    s_keys[key].used = 0;
    for (; thread; thread = thread->other) /* a later key with this number starts as null */
    {
        if (thread->values)
        {
            thread->values[key] = NULL;
        }
    }
    if (via_shim_handler_thread.values)
    {
        via_shim_handler_thread.values[key] = NULL;
    }
    return 0;
}

void*
__wrap_pthread_getspecific(pthread_key_t key)
{
    const struct ViaThread* self = ViaSelf();
    return self->values && key < PTHREAD_KEYS_MAX ? self->values[key] : NULL;
}

int
__wrap_pthread_setspecific(pthread_key_t key, const void* value)
{
    struct ViaThread* self = ViaSelf();
    if (key >= PTHREAD_KEYS_MAX || !s_keys[key].used)
    {
        return EINVAL;
    }
    if (!self->values)
    {
        const size_t bytes = PTHREAD_KEYS_MAX * sizeof(void*);
        self->values = (void**)__wrap_malloc(bytes);
        if (!self->values)
        {
            return ENOMEM;
        }
        __real_memset(self->values, 0, bytes);
    }
    self->values[key] = (void*)value;
    return 0;
}

void
via_shim_destroy_values(struct ViaThread* thread)
{
    int round;
    unsigned int i;
    int found = thread->values != NULL;
    for (round = 0; found && round < PTHREAD_DESTRUCTOR_ITERATIONS; round++)
    {
        found = 0; /* a destructor may set values again */
        for (i = 0; i < PTHREAD_KEYS_MAX; i++)
        {
            void* value = thread->values[i];
            thread->values[i] = NULL;
            if (value && s_keys[i].used && s_keys[i].destroy)
            {
                found = 1;
                s_keys[i].destroy(value);
            }
        }
    }
    __wrap_free(thread->values);
    thread->values = NULL;
}

/* ---- thread-local variables
 *
 * The compiler accesses them through __tls_get_addr, which knows one block per OS thread. The main
 * thread uses that block, unless the program has to be below 2 GiB; every other thread gets its
 * own.
 */

struct TlsIndex
{
    unsigned long module;
    unsigned long offset;
};

extern const Elf64_Ehdr __ehdr_start __attribute__((visibility("hidden")));
void* __real___tls_get_addr(struct TlsIndex* index);

/* The first segment of a type; the program has one. */
static const Elf64_Phdr*
Segment(Elf64_Word type)
{
    const char* base = (const char*)&__ehdr_start;
    const Elf64_Phdr* segment = (const Elf64_Phdr*)(base + __ehdr_start.e_phoff);
    const Elf64_Phdr* end = segment + __ehdr_start.e_phnum;
    while (segment < end && segment->p_type != type)
    {
        segment++;
    }
    return segment;
}

void*
__wrap___tls_get_addr(struct TlsIndex* index)
{
    struct ViaThread* self = ViaSelf();
    if (self == &via_shim_main_thread && (uintptr_t)&__ehdr_start > INT32_MAX)
    {
        return __real___tls_get_addr(index);
    }
    if (!self->storage)
    {
        const Elf64_Phdr* segment = Segment(PT_TLS);
        const size_t alignment = segment->p_align > 16 ? segment->p_align : 16;
        self->storage = (char*)VIA_CALL(allocate, segment->p_memsz, alignment);
        if (!self->storage)
        {
            VIA_CALL(die, 6, "no memory for the thread-local variables of a thread");
        }
        __real_memset(self->storage, 0, segment->p_memsz);
        __real_memcpy(self->storage,
                      (const char*)&__ehdr_start + (segment->p_vaddr - Segment(PT_LOAD)->p_vaddr),
                      segment->p_filesz);
    }
    return self->storage + index->offset;
}

void
via_shim_free_storage(struct ViaThread* thread)
{
    __wrap_free(thread->storage);
    thread->storage = NULL;
}

/* ---- once */

enum OnceState
{
    ONCE_NEW = 0,
    ONCE_RUNNING = 1,
    ONCE_DONE = 2
};

static struct ViaLine s_onceLine; /* of all initializers; a woken thread checks its own */

static void
WakeAllOnce(void)
{
    while (via_shim_wake(&s_onceLine))
    {
    }
}

/* The initializer threw: the next caller tries again. */
static void
ResetOnce(pthread_once_t** running)
{
    if (*running)
    {
        **running = ONCE_NEW;
        WakeAllOnce();
    }
}

int
__wrap_pthread_once(pthread_once_t* once, void (*initialize)(void))
{
    while (*once == ONCE_RUNNING)
    {
        via_shim_wait(&s_onceLine, "pthread_once", INT64_MAX);
    }
    if (*once == ONCE_NEW)
    {
        pthread_once_t* running __attribute__((cleanup(ResetOnce))) = once;
        *once = ONCE_RUNNING;
        initialize();
        running = NULL;
        *once = ONCE_DONE;
        WakeAllOnce();
    }
    return 0;
}
