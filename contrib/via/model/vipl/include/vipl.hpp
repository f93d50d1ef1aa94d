/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL for C++17: a typed face over <vipl.h>, header-only.
//
//   Nic --- ProtectionTag    Region, RegisteredMemory, DescriptorPool    CompletionQueue
//    |                                                                         |
//    `----- NameService      ConnectionRequest --- accepts ---> VirtualInterface
//
// Owners are move-only and give back what they hold when they go; what is made through another
// object must go before it, so declare them in the order of the picture. Each method is the one
// VIPL call of its name and costs what that call costs; what makes no call or several says so.
//
// Every call comes twice. With a std::error_code& as last parameter it reports there, without one
// it throws std::system_error. VIP_RETURN is an error code enum: `if (error == VIP_TIMEOUT)`, and
// `error == std::errc::timed_out` holds, too. What became of a descriptor is not an error of the
// call that finds it: look at Completion::status, or Check() it.
//
// No call is noexcept: a simulated process is ended by unwinding its stack. Timeouts are
// std::chrono::milliseconds, FOREVER waits for ever.

#ifndef VIPL_HPP
#define VIPL_HPP

#include "vipl/descriptor_pool.hpp"
#include "vipl/name_service.hpp"
#include "vipl/virtual_interface.hpp"

#endif // VIPL_HPP
