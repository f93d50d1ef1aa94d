/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Names of VIPL's codes for messages, in C89 and C++. An extension: no provider has it, so a
 * program that is to compile elsewhere copies this file, which needs nothing but that provider's
 * <vipl.h>. */

#ifndef VIPL_NAMES_H
#define VIPL_NAMES_H

#include <vipl.h>

#if defined(__GNUC__)
#define VIPL_NAMES_UNUSED __attribute__((unused))
#else
#define VIPL_NAMES_UNUSED
#endif

#define VIPL_NAME(code)                                                                            \
    case code:                                                                                     \
        return #code;

/** The name of a return code, e.g. "VIP_TIMEOUT"; "unknown" if it is none. */
static VIPL_NAMES_UNUSED const char*
VipReturnName(VIP_RETURN code)
{
    switch (code)
    {
        VIPL_NAME(VIP_SUCCESS)
        VIPL_NAME(VIP_NOT_DONE)
        VIPL_NAME(VIP_INVALID_PARAMETER)
        VIPL_NAME(VIP_ERROR_RESOURCE)
        VIPL_NAME(VIP_TIMEOUT)
        VIPL_NAME(VIP_REJECT)
        VIPL_NAME(VIP_INVALID_RELIABILITY_LEVEL)
        VIPL_NAME(VIP_INVALID_MTU)
        VIPL_NAME(VIP_INVALID_QOS)
        VIPL_NAME(VIP_INVALID_PTAG)
        VIPL_NAME(VIP_INVALID_RDMAREAD)
        VIPL_NAME(VIP_DESCRIPTOR_ERROR)
        VIPL_NAME(VIP_INVALID_STATE)
        VIPL_NAME(VIP_ERROR_NAMESERVICE)
        VIPL_NAME(VIP_NO_MATCH)
        VIPL_NAME(VIP_NOT_REACHABLE)
        VIPL_NAME(VIP_ERROR_NOT_SUPPORTED)
    }
    return "unknown";
}

/** The name of an asynchronous error, e.g. "VIP_ERROR_CONN_LOST"; or "unknown". */
static VIPL_NAMES_UNUSED const char*
VipErrorName(VIP_ERROR_CODE code)
{
    switch (code)
    {
        VIPL_NAME(VIP_ERROR_POST_DESC)
        VIPL_NAME(VIP_ERROR_CONN_LOST)
        VIPL_NAME(VIP_ERROR_RECVQ_EMPTY)
        VIPL_NAME(VIP_ERROR_VI_OVERRUN)
        VIPL_NAME(VIP_ERROR_RDMAW_PROT)
        VIPL_NAME(VIP_ERROR_RDMAW_DATA)
        VIPL_NAME(VIP_ERROR_RDMAW_ABORT)
        VIPL_NAME(VIP_ERROR_RDMAR_PROT)
        VIPL_NAME(VIP_ERROR_COMP_PROT)
        VIPL_NAME(VIP_ERROR_RDMA_TRANSPORT)
        VIPL_NAME(VIP_ERROR_CATASTROPHIC)
    }
    return "unknown";
}

/** The name of a VI's state, e.g. "VIP_STATE_IDLE"; or "unknown". */
static VIPL_NAMES_UNUSED const char*
VipStateName(VIP_VI_STATE code)
{
    switch (code)
    {
        VIPL_NAME(VIP_STATE_IDLE)
        VIPL_NAME(VIP_STATE_CONNECTED)
        VIPL_NAME(VIP_STATE_CONNECT_PENDING)
        VIPL_NAME(VIP_STATE_ERROR)
    }
    return "unknown";
}

#undef VIPL_NAME
#undef VIPL_NAMES_UNUSED

#endif /* VIPL_NAMES_H */
