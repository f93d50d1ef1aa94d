/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Internal to the shim: the program's own symbols, by name. */

#ifndef VIA_SHIM_LOAD_H
#define VIA_SHIM_LOAD_H

/** A function or variable. */
struct ViaSymbol
{
    const char* name;
    void* address;
};

/** The program's external symbols; the end has no name. `./via cc` writes the list for programs
 *  that call dlsym. */
extern const struct ViaSymbol via_shim_own_symbols[];

#endif /* VIA_SHIM_LOAD_H */
