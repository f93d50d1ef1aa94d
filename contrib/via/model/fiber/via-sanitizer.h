/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// One spelling of "is AddressSanitizer on?" for g++ and clang++.

#ifndef VIA_SANITIZER_H
#define VIA_SANITIZER_H

#if defined(__SANITIZE_ADDRESS__)
#define VIA_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define VIA_ASAN 1
#endif
#endif

#ifdef VIA_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#include <sanitizer/lsan_interface.h>
#endif

#endif // VIA_SANITIZER_H
