/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* The one user and group of all processes, "via", and groups of processes: each is one of its own.
 * Files are real, so numbers of users are the real ones; nobody can become another user. */

#define _GNU_SOURCE
#include "via-shim.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <string.h>
#include <sys/fsuid.h>
#include <unistd.h>

int __wrap_kill(pid_t process, int number);

/* ---- becoming another user */

static int
Become(unsigned int wanted, unsigned int now)
{
    return wanted == now ? 0 : ViaFail(wanted == (unsigned int)-1 ? EINVAL : EPERM);
}

/* As Become, but -1 leaves the user as it is. */
static int
MayBecome(unsigned int wanted, unsigned int now)
{
    return wanted == (unsigned int)-1 ? 0 : Become(wanted, now);
}

int
__wrap_setuid(uid_t user)
{
    return Become(user, getuid());
}

int
__wrap_seteuid(uid_t user)
{
    return Become(user, getuid());
}

int
__wrap_setreuid(uid_t real, uid_t effective)
{
    return MayBecome(real, getuid()) ? -1 : MayBecome(effective, getuid());
}

int
__wrap_setresuid(uid_t real, uid_t effective, uid_t saved)
{
    return __wrap_setreuid(real, effective) ? -1 : MayBecome(saved, getuid());
}

int
__wrap_setgid(gid_t group)
{
    return Become(group, getgid());
}

int
__wrap_setegid(gid_t group)
{
    return Become(group, getgid());
}

int
__wrap_setregid(gid_t real, gid_t effective)
{
    return MayBecome(real, getgid()) ? -1 : MayBecome(effective, getgid());
}

int
__wrap_setresgid(gid_t real, gid_t effective, gid_t saved)
{
    return __wrap_setregid(real, effective) ? -1 : MayBecome(saved, getgid());
}

/* These two return what was there before. */
int
__wrap_setfsuid(uid_t user)
{
    (void)user;
    return (int)getuid();
}

int
__wrap_setfsgid(gid_t group)
{
    (void)group;
    return (int)getgid();
}

/* ---- the lists of users and groups */

static struct passwd s_user =
    {(char*)"via", (char*)"x", 1000, 1000, (char*)"", (char*)"/", (char*)"/bin/sh"};
static char* s_members[] = {NULL};
static struct group s_group = {(char*)"via", (char*)"x", 1000, s_members};
static int s_usersRead;
static int s_groupsRead;

struct passwd*
__wrap_getpwuid(uid_t user)
{
    s_user.pw_uid = user;
    s_user.pw_gid = user;
    return &s_user;
}

struct passwd*
__wrap_getpwnam(const char* name)
{
    return strcmp(name, "via") == 0 ? __wrap_getpwuid(1000) : NULL;
}

int
__wrap_getpwuid_r(uid_t user, struct passwd* out, char* room, size_t bytes, struct passwd** found)
{
    (void)room;
    (void)bytes;
    *out = *__wrap_getpwuid(user);
    *found = out;
    return 0;
}

int
__wrap_getpwnam_r(const char* name,
                  struct passwd* out,
                  char* room,
                  size_t bytes,
                  struct passwd** found)
{
    *found = NULL;
    return strcmp(name, "via") == 0 ? __wrap_getpwuid_r(1000, out, room, bytes, found) : 0;
}

struct passwd*
__wrap_getpwent(void)
{
    return s_usersRead++ == 0 ? __wrap_getpwuid(1000) : NULL;
}

void
__wrap_setpwent(void)
{
    s_usersRead = 0;
}

void
__wrap_endpwent(void)
{
    s_usersRead = 0;
}

struct group*
__wrap_getgrgid(gid_t group)
{
    s_group.gr_gid = group;
    return &s_group;
}

struct group*
__wrap_getgrnam(const char* name)
{
    return strcmp(name, "via") == 0 ? __wrap_getgrgid(1000) : NULL;
}

int
__wrap_getgrgid_r(gid_t group, struct group* out, char* room, size_t bytes, struct group** found)
{
    (void)room;
    (void)bytes;
    *out = *__wrap_getgrgid(group);
    *found = out;
    return 0;
}

int
__wrap_getgrnam_r(const char* name,
                  struct group* out,
                  char* room,
                  size_t bytes,
                  struct group** found)
{
    *found = NULL;
    return strcmp(name, "via") == 0 ? __wrap_getgrgid_r(1000, out, room, bytes, found) : 0;
}

struct group*
__wrap_getgrent(void)
{
    return s_groupsRead++ == 0 ? __wrap_getgrgid(1000) : NULL;
}

void
__wrap_setgrent(void)
{
    s_groupsRead = 0;
}

void
__wrap_endgrent(void)
{
    s_groupsRead = 0;
}

int
__wrap_getgrouplist(const char* user, gid_t group, gid_t* list, int* count)
{
    const int room = *count;
    (void)user;
    *count = 1;
    if (room < 1)
    {
        return -1;
    }
    list[0] = group;
    return 1;
}

char*
__wrap_getlogin(void)
{
    return (char*)"via";
}

int
__wrap_getlogin_r(char* name, size_t room)
{
    if (room < sizeof("via"))
    {
        return ERANGE;
    }
    strcpy(name, "via");
    return 0;
}

/* ---- groups of processes */

static int
IsOwn(pid_t process)
{
    return process == 0 || process == VIA_CALL(process_id);
}

pid_t
__wrap_getpgrp(void)
{
    return VIA_CALL(process_id);
}

pid_t
__wrap_getpgid(pid_t process)
{
    return IsOwn(process) ? VIA_CALL(process_id) : ViaFail(ESRCH);
}

/* The session is that of the process' parent, as for a program that a shell has started. */
pid_t
__wrap_getsid(pid_t process)
{
    return IsOwn(process) ? 1 : ViaFail(ESRCH);
}

int
__wrap_setpgid(pid_t process, pid_t group)
{
    return !IsOwn(process) ? ViaFail(ESRCH)
           : IsOwn(group)  ? 0
                           : ViaFail(group < 0 ? EINVAL : EPERM);
}

int
__wrap_setpgrp(void)
{
    return 0;
}

pid_t
__wrap_setsid(void)
{
    return ViaFail(EPERM); /* it leads its group */
}

int
__wrap_killpg(pid_t group, int number)
{
    return group < 0 ? ViaFail(EINVAL) : __wrap_kill(IsOwn(group) ? 0 : -group, number);
}
