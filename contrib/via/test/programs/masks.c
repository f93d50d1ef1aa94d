/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* A mask for the files of this process alone: makes the file argv[2] with the mask argv[1]. */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int
main(int argc, char** argv)
{
    const mode_t mask = (mode_t)strtoul(argv[argc - 2], NULL, 8);
    struct stat about;
    umask(mask);
    sleep(1); /* the others set theirs */
    close(open(argv[argc - 1], O_CREAT | O_WRONLY, 0666));
    stat(argv[argc - 1], &about);
    printf("%o %o\n", about.st_mode & 0777, umask(0));
    return 0;
}
