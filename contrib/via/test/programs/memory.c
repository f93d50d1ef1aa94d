/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Uses malloc and its family; prints the addresses. */

#define _GNU_SOURCE
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKS 1000

int
main(void)
{
    static char* blocks[BLOCKS];
    char* line = NULL;
    size_t capacity = 0;
    char* text;
    void* aligned;
    char* path;
    int i;
    for (i = 0; i < BLOCKS; i++)
    {
        blocks[i] = malloc(1 + i * 37 % 5000);
        memset(blocks[i], i, 1 + i * 37 % 5000);
    }
    for (i = 0; i < BLOCKS; i += 3)
    {
        free(blocks[i]);
        blocks[i] = calloc(3, i + 1);
    }
    for (i = 0; i < BLOCKS; i++)
    {
        blocks[i] = realloc(blocks[i], 2 * i + 1);
        printf("%p\n", (void*)blocks[i]);
    }
    if (posix_memalign(&aligned, 4096, 10000) != 0 || (uintptr_t)aligned % 4096 != 0)
    {
        return 1;
    }
    text = malloc(200u << 20); /* grows the heap */
    text[0] = text[(200u << 20) - 1] = 1;
    free(text);
    if (malloc((size_t)8 << 30) != NULL) /* more than a process may have */
    {
        return 2;
    }
    path = realpath("/", NULL); /* memory of the C library's own malloc */
    free(path);
    if (asprintf(&text, "%d %s", 42, "answers") != 10 || strcmp(text, "42 answers") != 0)
    {
        return 3;
    }
    free(text);
    text = strdup("kept");
    printf("%s %p %p\n", text, (void*)text, aligned);
    while (getline(&line, &capacity, stdin) > 0)
    {
        printf("%s", line);
    }
    free(line);
    return 0;
}
