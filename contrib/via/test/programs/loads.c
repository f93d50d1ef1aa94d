/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Finds VIPL and its own symbols by name, as programs do that run with several providers. */

#define _GNU_SOURCE
#include <assert.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <vipl.h>

int answer(void);

int switched = 7;

int
answer(void)
{
    return 42;
}

static void
OpenNic(void* library)
{
    VIP_RETURN (*open)(const VIP_CHAR*, VIP_NIC_HANDLE*);
    VIP_RETURN (*close)(VIP_NIC_HANDLE);
    VIP_NIC_HANDLE nic;
    *(void**)&open = dlsym(library, "VipOpenNic");
    *(void**)&close = dlsym(RTLD_DEFAULT, "VipCloseNic");
    assert(open && close && !dlerror());
    assert(open("nic0", &nic) == VIP_SUCCESS && close(nic) == VIP_SUCCESS);
    printf("opened, ");
}

int
main(void)
{
    void* const library = dlopen("/usr/lib/libvipl.so.1", RTLD_NOW | RTLD_GLOBAL);
    void* const self = dlopen(NULL, RTLD_LAZY);
    int (*own)(void);
    assert(library && self && library != self);
    OpenNic(library);
    *(void**)&own = dlsym(self, "answer");
    assert(own && dlsym(RTLD_DEFAULT, "switched") == &switched);
    printf("own %d %d, ", own(), *(int*)dlsym(self, "switched"));
    assert(!dlsym(library, "answer") && strstr(dlerror(), "answer: neither"));
    printf("%s, ", dlsym(self, "VipNothing") ? "VipNothing" : "no VipNothing");
    assert(dlerror() && !dlerror());
    assert(!dlopen("libm.so.6", RTLD_NOW) && strstr(dlerror(), "libm.so.6: "));
    printf("no libm.so.6, ");
    assert(!dlsym(&own, "answer") && dlclose(&own) == -1 && strstr(dlerror(), "handle"));
    printf("no handle\n");
    return dlclose(library) + dlclose(self);
}
