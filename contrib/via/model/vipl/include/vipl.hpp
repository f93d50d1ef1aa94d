/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL for C++17: a typed wrapper around <vipl.h>, header-only.
//
//   Nic --- ProtectionTag    Region, RegisteredMemory, DescriptorPool    CompletionQueue
//    |                                                                         |
//    `----- NameService      ConnectionRequest --- accepts ---> VirtualInterface
//
// Owners are move-only and release what they hold on destruction. An object must be destroyed
// before the one it was made through, so declare them in the order of the picture. Each method
// makes the one VIPL call of its name and costs what that call costs; methods that make no call, or
// several, say so.
//
// Every call has two overloads. With a std::error_code& as last parameter it reports there; without
// one it throws std::system_error. VIP_RETURN is an error code enum: `if (error == VIP_TIMEOUT)`
// works, and so does `error == std::errc::timed_out`. The status of a descriptor is not an error of
// the call that returns it: read Completion::status, or Check() it.
//
// No call is noexcept: a simulated process is ended by unwinding its stack. Timeouts are
// std::chrono::milliseconds; FOREVER never expires.

#ifndef VIPL_HPP
#define VIPL_HPP

#include "vipl/descriptor_pool.hpp"
#include "vipl/name_service.hpp"
#include "vipl/virtual_interface.hpp"

#endif // VIPL_HPP
