/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/*
 * Shared memory: two programs on top of pages that are shared in software (dsm.h).
 *
 * The first relaxes the points of a grid towards the mean of their neighbours, red points and black
 * points in turn, with a barrier between. Like the squares of a chess board, every second point is
 * red; each colour has an array of its own, so that what a rank writes lies together. Each rank
 * owns some rows; rows do not end where pages end, so that two ranks write in one page. The second
 * multiplies matrices of integers; who is free takes the next row, whose number all share under a
 * lock. Each rank compares all results with those of a serial run, bit for bit.
 *
 * usage: shared-memory [-s side] [-n sweeps] [-m side] [-w]
 * Rank 0 prints: side of the grid, sweeps, microseconds; side of the matrices, microseconds, most
 * rows that one rank has taken; and over all ranks: pages fetched, twins, updates, bytes in them,
 * pages forgotten.
 */

#include "dsm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROW_LOCK 0

static long side = 60;
static long sweeps = 5;
static long matrix_side = 24;
static int waiting = 0;

static const Option options[] = {
    {'s', &side, 4, 2000, NULL, NULL, "points of the grid in each direction"},
    {'n', &sweeps, 1, 100000, NULL, NULL, "sweeps over the grid"},
    {'m', &matrix_side, 1, 1000, NULL, NULL, "rows and columns of the matrices"},
    {'w', NULL, 0, 0, NULL, &waiting, "serve requests only while waiting, without a handler"}};

static Host host;

/* Everything that is shared, in this order: the grid, the matrices, the next row, and what each
 * rank has to tell at the end. */
static double* grid; /* the red points row by row, then the black ones */
static VIP_UINT32* left;
static VIP_UINT32* right;
static VIP_UINT32* product;
static VIP_UINT32* next_row;

typedef struct Told
{
    VIP_UINT64 rows;
    VIP_UINT64 counts[5];
} Told;

static Told* told;

static VIP_ULONG
matrix_bytes(void)
{
    return (VIP_ULONG)matrix_side * matrix_side * sizeof(VIP_UINT32);
}

static VIP_ULONG
grid_bytes(void)
{
    return (VIP_ULONG)side * side * sizeof(double);
}

/* ---- The grid ---- */

/* Points of one colour. */
static long
points(void)
{
    return side * (side / 2);
}

static void
fill_grid(double* values)
{
    VIP_UINT32 random = 1;
    long i;

    for (i = 0; i < 2 * points(); i++)
    {
        values[i] = (double)next_random(&random) / 65536;
    }
}

/* Half a sweep over some inner rows: the points of one colour. In a row, point k of a colour is in
 * column 2 k or 2 k + 1, and has beside it point k of the other colour and the one before or behind
 * that. */
static void
relax_rows(double* values, long first, long end, int colour)
{
    const long half = side / 2;
    double* own = values + (colour != 0 ? points() : 0);
    const double* other = values + (colour != 0 ? 0 : points());
    long row;
    long k;

    for (row = first; row < end; row++)
    {
        const long odd = (row + colour) % 2;
        const double* above = other + (row - 1) * half;
        const double* beside = other + row * half;
        const double* below = other + (row + 1) * half;

        for (k = 1 - odd; k < half - odd; k++)
        {
            own[row * half + k] =
                (above[k] + below[k] + beside[k] + beside[odd != 0 ? k + 1 : k - 1]) / 4;
        }
    }
}

/* This rank's part of so many things. */
static long
part(long things, int rank)
{
    return things * rank / host.size;
}

/* Half a sweep, for which the rows around those of this rank are needed, too. */
static void
relax_part(long first, long end, int colour)
{
    const VIP_ULONG row = (VIP_ULONG)(side / 2) * sizeof(double);
    double* own = grid + (colour != 0 ? points() : 0);
    double* other = grid + (colour != 0 ? 0 : points());

    if (first < end)
    {
        dsm_read(other + (first - 1) * (side / 2), (end - first + 2) * row);
        dsm_write(own + first * (side / 2), (end - first) * row);
        relax_rows(grid, first, end, colour);
    }
}

static double
relax_together(void)
{
    const long first = 1 + part(side - 2, host.rank);
    const long end = 1 + part(side - 2, host.rank + 1);
    double start;
    long sweep;

    if (host.rank == 0)
    {
        dsm_write(grid, grid_bytes());
        fill_grid(grid);
    }
    dsm_barrier();
    start = now_us();
    for (sweep = 0; sweep < 2 * sweeps; sweep++)
    {
        relax_part(first, end, (int)(sweep % 2));
        dsm_barrier();
    }
    return now_us() - start;
}

static void
check_grid(void)
{
    double* serial = (double*)malloc(grid_bytes());
    long sweep;

    if (serial == NULL)
    {
        fail("no memory for a serial run");
    }
    fill_grid(serial);
    for (sweep = 0; sweep < 2 * sweeps; sweep++)
    {
        relax_rows(serial, 1, side - 1, (int)(sweep % 2));
    }
    dsm_read(grid, grid_bytes());
    if (memcmp(grid, serial, grid_bytes()) != 0)
    {
        fail("the grid is not that of a serial run");
    }
    free(serial);
}

/* ---- The matrices ---- */

static void
fill_matrices(void)
{
    VIP_UINT32 random = 1;
    long i;

    dsm_write(left, matrix_bytes());
    dsm_write(right, matrix_bytes());
    for (i = 0; i < matrix_side * matrix_side; i++)
    {
        left[i] = next_random(&random);
        right[i] = next_random(&random);
    }
}

static void
multiply_row(VIP_UINT32* row, long number)
{
    long column;
    long i;

    for (column = 0; column < matrix_side; column++)
    {
        VIP_UINT32 sum = 0;

        for (i = 0; i < matrix_side; i++)
        {
            sum += left[number * matrix_side + i] * right[i * matrix_side + column];
        }
        row[column] = sum;
    }
}

/* Returns the number of the next row that nobody has taken. */
static long
take_row(void)
{
    long row;

    dsm_lock(ROW_LOCK);
    dsm_read(next_row, sizeof(*next_row));
    row = (long)*next_row;
    if (row < matrix_side)
    {
        dsm_write(next_row, sizeof(*next_row));
        *next_row = (VIP_UINT32)(row + 1);
    }
    dsm_unlock(ROW_LOCK);
    return row;
}

/* Returns how many rows this rank has taken. */
static long
multiply_together(double* used_us)
{
    double start;
    long rows = 0;
    long row;

    if (host.rank == 0)
    {
        fill_matrices();
    }
    dsm_barrier();
    start = now_us();
    for (row = take_row(); row < matrix_side; row = take_row())
    {
        dsm_read(left, matrix_bytes());
        dsm_read(right, matrix_bytes());
        dsm_write(product + row * matrix_side, matrix_side * sizeof(VIP_UINT32));
        multiply_row(product + row * matrix_side, row);
        rows++;
    }
    dsm_barrier();
    *used_us = now_us() - start;
    return rows;
}

static void
check_product(void)
{
    VIP_UINT32* serial = (VIP_UINT32*)malloc(matrix_side * sizeof(VIP_UINT32));
    long row;

    dsm_read(left, matrix_bytes());
    dsm_read(right, matrix_bytes());
    dsm_read(product, matrix_bytes());
    for (row = 0; row < matrix_side; row++)
    {
        multiply_row(serial, row);
        if (memcmp(serial, product + row * matrix_side, matrix_side * sizeof(VIP_UINT32)) != 0)
        {
            fail("row %ld of the product is wrong", row);
        }
    }
    free(serial);
}

/* ---- Both ---- */

static void
share_memory(void)
{
    char* at;

    dsm_open(&host,
             grid_bytes() + 3 * TAKEN(matrix_bytes()) + 2 * TAKEN(1) +
                 TAKEN(host.size * sizeof(Told)),
             !waiting);
    at = dsm_memory();
    grid = (double*)at;
    at += TAKEN(grid_bytes());
    left = (VIP_UINT32*)at;
    at += TAKEN(matrix_bytes());
    right = (VIP_UINT32*)at;
    at += TAKEN(matrix_bytes());
    product = (VIP_UINT32*)at;
    at += TAKEN(matrix_bytes());
    next_row = (VIP_UINT32*)at;
    at += TAKEN(1);
    told = (Told*)at;
    dsm_spread(grid, grid_bytes() / 2);
    dsm_spread(grid + points(), grid_bytes() / 2);
    dsm_spread(product, matrix_bytes());
}

static void
tell(long rows)
{
    const DsmCounts* counts = dsm_counts();
    Told* mine = told + host.rank;

    dsm_write(mine, sizeof(*mine));
    mine->rows = (VIP_UINT64)rows;
    mine->counts[0] = (VIP_UINT64)counts->fetches;
    mine->counts[1] = (VIP_UINT64)counts->twins;
    mine->counts[2] = (VIP_UINT64)counts->updates;
    mine->counts[3] = (VIP_UINT64)counts->updated_bytes;
    mine->counts[4] = (VIP_UINT64)counts->invalidations;
    dsm_barrier();
}

static void
report(double grid_us, double matrix_us)
{
    unsigned long sums[5] = {0, 0, 0, 0, 0};
    unsigned long rows = 0;
    unsigned long most = 0;
    int rank;
    int i;

    dsm_read(told, host.size * sizeof(Told));
    for (rank = 0; rank < host.size; rank++)
    {
        rows += (unsigned long)told[rank].rows;
        most = told[rank].rows > most ? (unsigned long)told[rank].rows : most;
        for (i = 0; i < 5; i++)
        {
            sums[i] += (unsigned long)told[rank].counts[i];
        }
    }
    if (rows != (unsigned long)matrix_side)
    {
        fail("%lu rows of %ld were taken", rows, matrix_side);
    }
    printf("grid %ld %ld %.0f\n", side, sweeps, grid_us);
    printf("matrix %ld %.0f %lu\n", matrix_side, matrix_us, most);
    printf("pages %lu %lu %lu %lu %lu\n", sums[0], sums[1], sums[2], sums[3], sums[4]);
    printf("PASS\n");
}

int
main(int argc, char** argv)
{
    double grid_us;
    double matrix_us;
    long rows;

    parse_options(&host, argc, argv, options, COUNT(options));
    if (side % 2 != 0)
    {
        fail("-s %ld: an even number is needed", side);
    }
    share_memory();
    grid_us = relax_together();
    check_grid();
    rows = multiply_together(&matrix_us);
    check_product();
    tell(rows);
    if (host.rank == 0)
    {
        report(grid_us, matrix_us);
    }
    dsm_close();
    return 0;
}
