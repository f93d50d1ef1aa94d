/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/*
 * VIPL, the VI Provider Library: the one header that a simulated program includes.
 *
 * It follows Intel's VI Architecture Developer's Guide 1.0 and adds the extensions of the period's
 * providers, so that sources written for any of them compile unchanged: a descriptor has the
 * members CS/DS[], Control/Data[] and _CS/_DS[]; Giganet's extra codes, calls and handler types
 * exist; and every struct has a tag. The header is plain C from C89 on and plain C++ from C++98 on,
 * and includes nothing. C++ programs may prefer <vipl.hpp>, a typed wrapper.
 *
 * Three rules hold for every call and are not repeated below. A call returns VIP_SUCCESS if it
 * succeeds, and VIP_INVALID_PARAMETER if a handle or a pointer is invalid. Output parameters are
 * written only on success, unless the comment says otherwise. Timeouts are in milliseconds;
 * VIP_INFINITE waits forever.
 */

/* <sys/reg.h> on x86 defines both as register numbers; here they are members. This is before the
 * guard: a source that includes <sys/reg.h> later includes this header once more, or writes _CS and
 * _DS. */
#undef CS
#undef DS

#ifndef _VIPL_
#define _VIPL_
#define _VIPL_H

#ifndef IN
#define IN
#endif
#ifndef OUT
#define OUT
#endif

/* Giganet's sources mark DLL exports and calling conventions with these: here they are empty. */
#ifndef DLLEXPORT
#define DLLEXPORT
#endif
#ifndef VI_CALL
#define VI_CALL
#endif

/* C before C11 and C++ before C++11 lack some of what follows; compilers always had it. */
#ifdef __GNUC__
#define VIPL_EXTENSION __extension__
#else
#define VIPL_EXTENSION
#endif

#ifdef __cplusplus
#define VIPL_BEGIN                                                                                 \
    extern "C"                                                                                     \
    {
#define VIPL_END }
#else
#define VIPL_BEGIN
#define VIPL_END
#endif

VIPL_BEGIN

/* ---- Scalars and handles ---- */

typedef void* VIP_PVOID;
typedef int VIP_BOOLEAN;
typedef char VIP_CHAR;
typedef unsigned char VIP_UCHAR;
typedef short VIP_SHORT;
typedef unsigned short VIP_USHORT;
typedef long VIP_LONG;
typedef unsigned long VIP_ULONG;
typedef unsigned char VIP_UINT8;
typedef unsigned short VIP_UINT16;
typedef unsigned int VIP_UINT32;
#ifdef __UINT64_TYPE__
VIPL_EXTENSION typedef __UINT64_TYPE__ VIP_UINT64;
#else
typedef unsigned long long VIP_UINT64;
#endif

#define VIP_TRUE 1
#define VIP_FALSE 0

/* A timeout that never expires. The simulator also treats an all-ones VIP_ULONG as infinite. */
#define VIP_INFINITE 0xFFFFFFFFUL

typedef VIP_PVOID VIP_NIC_HANDLE;
typedef VIP_PVOID VIP_VI_HANDLE;
typedef VIP_PVOID VIP_CQ_HANDLE;
typedef VIP_PVOID VIP_PROTECTION_HANDLE;
typedef VIP_PVOID VIP_CONN_HANDLE;
typedef VIP_PVOID VIP_EVENT_HANDLE;
typedef VIP_PVOID VIP_QOS;
typedef VIP_UINT32 VIP_MEM_HANDLE;

/* Reliability levels are bits: a VI asks for exactly one, a NIC reports a mask of them. */
typedef VIP_USHORT VIP_RELIABILITY_LEVEL;

#define VIP_SERVICE_UNRELIABLE 0x0001
#define VIP_SERVICE_RELIABLE_DELIVERY 0x0002
#define VIP_SERVICE_RELIABLE_RECEPTION 0x0004
#define VIP_BASE_SERVICES 0x0007
#define VIP_SERVICE_ACK 0x4000
#define VIP_SERVICE_DFC 0x8000

/* ---- Codes ---- */

/** Return codes of the calls. */
typedef enum _VIP_RETURN
{
    VIP_SUCCESS,                   /**< success */
    VIP_NOT_DONE,                  /**< still in progress, or nothing there yet */
    VIP_INVALID_PARAMETER,         /**< an input is invalid */
    VIP_ERROR_RESOURCE,            /**< a limit is exceeded, or resources are exhausted */
    VIP_TIMEOUT,                   /**< the timeout expired */
    VIP_REJECT,                    /**< the other side rejected the connection */
    VIP_INVALID_RELIABILITY_LEVEL, /**< reliability level unknown, unsupported or unequal */
    VIP_INVALID_MTU,               /**< transfer size too large, or unequal */
    VIP_INVALID_QOS,               /**< quality of service unsupported, or unequal */
    VIP_INVALID_PTAG,              /**< invalid protection tag */
    VIP_INVALID_RDMAREAD,          /**< the provider has no RDMA read */
    VIP_DESCRIPTOR_ERROR,          /**< the descriptor failed, or the queue is empty */
    VIP_INVALID_STATE,             /**< not possible in the VI's current state */
    VIP_ERROR_NAMESERVICE,         /**< no process waits at the remote discriminator */
    VIP_NO_MATCH,                  /**< no request waits at the remote discriminator */
    VIP_NOT_REACHABLE,             /**< no path to the remote host */
    VIP_ERROR_NOT_SUPPORTED,       /**< the provider does not support this */
    VIP_ERROR = VIP_DESCRIPTOR_ERROR
} VIP_RETURN;

/* Some providers' headers lack these: sources test for them with #ifdef and define their own. */
#define VIP_NOT_REACHABLE VIP_NOT_REACHABLE
#define VIP_ERROR_NOT_SUPPORTED VIP_ERROR_NOT_SUPPORTED

/** States of a VI between VipCreateVi and VipDestroyVi. */
typedef enum _VIP_VI_STATE
{
    VIP_STATE_IDLE,            /**< not connected; receives may be posted, and wait */
    VIP_STATE_CONNECTED,       /**< descriptors are processed */
    VIP_STATE_CONNECT_PENDING, /**< a connection request is under way */
    VIP_STATE_ERROR            /**< broken; only VipDisconnect leaves this state */
} VIP_VI_STATE;

/** The handle in a VIP_ERROR_DESCRIPTOR that an asynchronous error refers to. */
typedef enum _VIP_RESOURCE_CODE
{
    VIP_RESOURCE_NIC,
    VIP_RESOURCE_VI,
    VIP_RESOURCE_CQ,
    VIP_RESOURCE_DESCRIPTOR
} VIP_RESOURCE_CODE;

/** Asynchronous errors. */
typedef enum _VIP_ERROR_CODE
{
    VIP_ERROR_POST_DESC,      /**< bad descriptor address, handle or alignment */
    VIP_ERROR_CONN_LOST,      /**< the connection is lost, the VI is in the error state */
    VIP_ERROR_RECVQ_EMPTY,    /**< a message found no receive descriptor */
    VIP_ERROR_VI_OVERRUN,     /**< more descriptors posted than the queue holds */
    VIP_ERROR_RDMAW_PROT,     /**< a remote RDMA write was refused */
    VIP_ERROR_RDMAW_DATA,     /**< an RDMA write arrived corrupt */
    VIP_ERROR_RDMAW_ABORT,    /**< an RDMA write was cut short */
    VIP_ERROR_RDMAR_PROT,     /**< a remote RDMA read was refused */
    VIP_ERROR_COMP_PROT,      /**< a completion could not be written */
    VIP_ERROR_RDMA_TRANSPORT, /**< the transport failed during an RDMA operation */
    VIP_ERROR_CATASTROPHIC    /**< the resource is unusable */
} VIP_ERROR_CODE;

/* ---- Addresses and attributes ---- */

/**
 * Host address and discriminator. The discriminator starts at HostAddress + HostAddressLen, so
 * callers allocate as many bytes as both lengths need.
 */
typedef struct _VIP_NET_ADDRESS
{
    VIP_UINT16 HostAddressLen;
    VIP_UINT16 DiscriminatorLen;
    VIP_UINT8 HostAddress[1];
} VIP_NET_ADDRESS;

/** Properties of a NIC, filled in by VipQueryNic. LocalNicAddress belongs to the provider. */
typedef struct _VIP_NIC_ATTRIBUTES
{
    VIP_CHAR Name[64];
    VIP_ULONG HardwareVersion;
    VIP_ULONG ProviderVersion;
    VIP_UINT16 NicAddressLen;
    const VIP_UINT8* LocalNicAddress;
    VIP_BOOLEAN ThreadSafe;
    VIP_UINT16 MaxDiscriminatorLen;
    VIP_ULONG MaxRegisterBytes;
    VIP_ULONG MaxRegisterRegions;
    VIP_ULONG MaxRegisterBlockBytes;
    VIP_ULONG MaxVI;
    VIP_ULONG MaxDescriptorsPerQueue;
    VIP_ULONG MaxSegmentsPerDesc;
    VIP_ULONG MaxCQ;
    VIP_ULONG MaxCQEntries;
    VIP_ULONG MaxTransferSize;
    VIP_ULONG NativeMTU;
    VIP_ULONG MaxPtags;
    VIP_RELIABILITY_LEVEL ReliabilityLevelSupport;
    VIP_RELIABILITY_LEVEL RDMAReadSupport;
} VIP_NIC_ATTRIBUTES;

/** Attributes of a VI. Level, MaxTransferSize and QoS must be equal at both ends. */
typedef struct _VIP_VI_ATTRIBUTES
{
    VIP_RELIABILITY_LEVEL ReliabilityLevel;
    VIP_ULONG MaxTransferSize;
    VIP_QOS QoS;
    VIP_PROTECTION_HANDLE Ptag;
    VIP_BOOLEAN EnableRdmaWrite;
    VIP_BOOLEAN EnableRdmaRead;
} VIP_VI_ATTRIBUTES;

/** Attributes of a registered region. */
typedef struct _VIP_MEM_ATTRIBUTES
{
    VIP_PROTECTION_HANDLE Ptag;
    VIP_BOOLEAN EnableRdmaWrite;
    VIP_BOOLEAN EnableRdmaRead;
} VIP_MEM_ATTRIBUTES;

/* ---- Descriptors ---- */

struct _VIP_DESCRIPTOR;

/** A pointer that takes 8 bytes whatever the word size of the host. */
typedef union _VIP_PVOID64 {
    VIP_UINT64 AddressBits;
    VIP_PVOID Address;
    struct _VIP_DESCRIPTOR* Descriptor;
} VIP_PVOID64;

/**
 * Control segment, 32 bytes. The provider owns it from post to completion. Fields that the NIC
 * writes are volatile, so that a loop may poll Status.
 */
typedef struct _VIP_CONTROL_SEGMENT
{
    VIP_PVOID64 Next;
    VIP_MEM_HANDLE NextHandle;
    VIP_UINT16 SegCount; /* includes the address segment of an RDMA descriptor */
    VIP_UINT16 Control;
    VIP_UINT32 Reserved;
    volatile VIP_UINT32 ImmediateData;
    volatile VIP_UINT32 Length; /* in: sum of the data segments; out: bytes transferred */
    volatile VIP_UINT32 Status;
} VIP_CONTROL_SEGMENT;

/** Address segment, 16 bytes: the remote end of an RDMA operation. Always segment 0. */
typedef struct _VIP_ADDRESS_SEGMENT
{
    VIP_PVOID64 Data;
    VIP_MEM_HANDLE Handle;
    VIP_UINT32 Reserved;
} VIP_ADDRESS_SEGMENT;

/** Data segment, 16 bytes: one range of local memory. */
typedef struct _VIP_DATA_SEGMENT
{
    VIP_PVOID64 Data;
    VIP_MEM_HANDLE Handle;
    VIP_UINT32 Length;
} VIP_DATA_SEGMENT;

typedef union _VIP_DESCRIPTOR_SEGMENT {
    VIP_ADDRESS_SEGMENT Remote;
    VIP_DATA_SEGMENT Local;
} VIP_DESCRIPTOR_SEGMENT;

/**
 * A descriptor: 64 bytes in registered memory, at an address divisible by VIP_DESCRIPTOR_ALIGNMENT.
 * Segments past the second follow directly.
 */
VIPL_EXTENSION typedef struct _VIP_DESCRIPTOR
{
    VIPL_EXTENSION union {
        VIP_CONTROL_SEGMENT CS;
        VIP_CONTROL_SEGMENT Control;
        VIP_CONTROL_SEGMENT _CS;
    };

    VIPL_EXTENSION union {
        VIP_DESCRIPTOR_SEGMENT DS[2];
        VIP_DATA_SEGMENT Data[2]; /* for an address segment: DS[0].Remote, or a cast */
        VIP_DESCRIPTOR_SEGMENT _DS[2];
    };
} VIP_DESCRIPTOR;

#define VIP_DESCRIPTOR_ALIGNMENT 64

/* Bits of CS.Control. */
#define VIP_CONTROL_OP_SENDRECV 0x0000
#define VIP_CONTROL_OP_RDMAWRITE 0x0001
#define VIP_CONTROL_OP_RDMAREAD 0x0002
#define VIP_CONTROL_OP_RESERVED 0x0003
#define VIP_CONTROL_OP_MASK 0x0003
#define VIP_CONTROL_IMMEDIATE 0x0004
#define VIP_CONTROL_QFENCE 0x0008
#define VIP_CONTROL_RESERVED 0xFFF0

/* Bits of CS.Status. */
#define VIP_STATUS_DONE 0x00000001
#define VIP_STATUS_FORMAT_ERROR 0x00000002
#define VIP_STATUS_PROTECTION_ERROR 0x00000004
#define VIP_STATUS_LENGTH_ERROR 0x00000008
#define VIP_STATUS_PARTIAL_ERROR 0x00000010
#define VIP_STATUS_DESC_FLUSHED_ERROR 0x00000020
#define VIP_STATUS_TRANSPORT_ERROR 0x00000040
#define VIP_STATUS_RDMA_PROT_ERROR 0x00000080
#define VIP_STATUS_REMOTE_DESC_ERROR 0x00000100
#define VIP_STATUS_ERROR_MASK 0x000001FE
#define VIP_STATUS_OP_SEND 0x00000000
#define VIP_STATUS_OP_RECEIVE 0x00010000
#define VIP_STATUS_OP_RDMA_WRITE 0x00020000
#define VIP_STATUS_OP_REMOTE_RDMA_WRITE 0x00030000
#define VIP_STATUS_OP_RDMA_READ 0x00040000
#define VIP_STATUS_OP_MASK 0x00070000
#define VIP_STATUS_IMMEDIATE 0x00080000
#define VIP_STATUS_RESERVED 0xFFF0FE00

/* ---- Errors, management, handlers ---- */

/** The argument of an error handler. Only the handle that ResourceCode names is valid. */
typedef struct _VIP_ERROR_DESCRIPTOR
{
    VIP_NIC_HANDLE NicHandle;
    VIP_VI_HANDLE ViHandle;
    VIP_CQ_HANDLE CQHandle;
    VIP_DESCRIPTOR* DescriptorPtr;
    VIP_ULONG OpCode;
    VIP_RESOURCE_CODE ResourceCode;
    VIP_ERROR_CODE ErrorCode;
} VIP_ERROR_DESCRIPTOR;

/** The InfoType of VipQuerySystemManagementInfo that fills in a VIP_AUTODISCOVERY_LIST. */
#define VIP_SMI_AUTODISCOVERY ((VIP_ULONG)1)

/**
 * The other reachable hosts, at most NumberOfHops switches away. The provider owns the array and
 * the addresses.
 */
typedef struct _VIP_AUTODISCOVERY_LIST
{
    VIP_ULONG NumberOfHops;
    VIP_NET_ADDRESS** ADAddrArray;
    VIP_ULONG NumAdAddrs;
} VIP_AUTODISCOVERY_LIST;

/** Receives asynchronous errors; runs in the provider's context. */
typedef void (*VIP_ERROR_HANDLER)(VIP_PVOID Context, VIP_ERROR_DESCRIPTOR* ErrorDesc);

/** Receives a completed descriptor, already dequeued. */
typedef void (*VIP_VI_CALLBACK)(VIP_PVOID Context,
                                VIP_NIC_HANDLE NicHandle,
                                VIP_VI_HANDLE ViHandle,
                                VIP_DESCRIPTOR* DescriptorPtr);

/** Receives one entry of a completion queue; the descriptor is still on its work queue. */
typedef void (*VIP_CQ_CALLBACK)(VIP_PVOID Context,
                                VIP_NIC_HANDLE NicHandle,
                                VIP_VI_HANDLE ViHandle,
                                VIP_BOOLEAN RecvQueue);

/* ---- NIC ---- */

/** Open a NIC by its device name. Every call returns a new handle. ERROR_RESOURCE. */
VIP_RETURN VipOpenNic(IN const VIP_CHAR* DeviceName, OUT VIP_NIC_HANDLE* NicHandle);

/** Close a handle. ERROR_RESOURCE while objects created through it remain. */
VIP_RETURN VipCloseNic(IN VIP_NIC_HANDLE NicHandle);

/** Read the NIC's attributes. */
VIP_RETURN VipQueryNic(IN VIP_NIC_HANDLE NicHandle, OUT VIP_NIC_ATTRIBUTES* NicAttributes);

/* ---- Memory and protection ---- */

/**
 * Register memory for the NIC's use, at any address and of any length. INVALID_PARAMETER also if
 * the process has no writable memory there. ERROR_RESOURCE beyond the NIC's limits, INVALID_PTAG,
 * INVALID_RDMAREAD.
 */
VIP_RETURN VipRegisterMem(IN VIP_NIC_HANDLE NicHandle,
                          IN VIP_PVOID VirtualAddress,
                          IN VIP_ULONG Length,
                          IN VIP_MEM_ATTRIBUTES* MemAttributes,
                          OUT VIP_MEM_HANDLE* MemoryHandle);

/** Deregister a region; VirtualAddress is the registered start. */
VIP_RETURN VipDeregisterMem(IN VIP_NIC_HANDLE NicHandle,
                            IN VIP_PVOID VirtualAddress,
                            IN VIP_MEM_HANDLE MemoryHandle);

/** Read a region's attributes. */
VIP_RETURN VipQueryMem(IN VIP_NIC_HANDLE NicHandle,
                       IN VIP_PVOID VirtualAddress,
                       IN VIP_MEM_HANDLE MemoryHandle,
                       OUT VIP_MEM_ATTRIBUTES* MemAttributes);

/** Change a region's attributes for operations not yet started. Return codes: see
 * VipRegisterMem. */
VIP_RETURN VipSetMemAttributes(IN VIP_NIC_HANDLE NicHandle,
                               IN VIP_PVOID VirtualAddress,
                               IN VIP_MEM_HANDLE MemoryHandle,
                               IN VIP_MEM_ATTRIBUTES* MemAttributes);

/** Create a protection tag: a VI accesses only regions with its own tag. ERROR_RESOURCE. */
VIP_RETURN VipCreatePtag(IN VIP_NIC_HANDLE NicHandle, OUT VIP_PROTECTION_HANDLE* Ptag);

/** Destroy a tag. ERROR_RESOURCE while a VI or a region uses it. */
VIP_RETURN VipDestroyPtag(IN VIP_NIC_HANDLE NicHandle, IN VIP_PROTECTION_HANDLE Ptag);

/* ---- VI ---- */

/**
 * Create an idle VI. Either completion queue may be NULL: that work queue is then reaped directly.
 * ERROR_RESOURCE, INVALID_RELIABILITY_LEVEL, INVALID_MTU, INVALID_QOS, INVALID_PTAG,
 * INVALID_RDMAREAD.
 */
VIP_RETURN VipCreateVi(IN VIP_NIC_HANDLE NicHandle,
                       IN VIP_VI_ATTRIBUTES* ViAttributes,
                       IN VIP_CQ_HANDLE SendCQHandle,
                       IN VIP_CQ_HANDLE RecvCQHandle,
                       OUT VIP_VI_HANDLE* ViHandle);

/** Destroy a VI. INVALID_STATE unless idle, ERROR_RESOURCE while descriptors are on a queue. */
VIP_RETURN VipDestroyVi(IN VIP_VI_HANDLE ViHandle);

/** Read a VI's state and attributes, and whether each work queue is empty. */
VIP_RETURN VipQueryVi(IN VIP_VI_HANDLE ViHandle,
                      OUT VIP_VI_STATE* State,
                      OUT VIP_VI_ATTRIBUTES* ViAttributes,
                      OUT VIP_BOOLEAN* SendQueueEmpty,
                      OUT VIP_BOOLEAN* RecvQueueEmpty);

/** Change an idle VI's attributes. Return codes: see VipCreateVi; INVALID_STATE unless idle. */
VIP_RETURN VipSetViAttributes(IN VIP_VI_HANDLE ViHandle, IN VIP_VI_ATTRIBUTES* ViAttributes);

/* ---- Connections, client and server ---- */

/**
 * Wait for a connection request to LocalAddr (host and discriminator). Returns the requester's
 * address, its VI's attributes and a handle to accept or reject. TIMEOUT, ERROR_RESOURCE.
 */
VIP_RETURN VipConnectWait(IN VIP_NIC_HANDLE NicHandle,
                          IN VIP_NET_ADDRESS* LocalAddr,
                          IN VIP_ULONG Timeout,
                          OUT VIP_NET_ADDRESS* RemoteAddr,
                          OUT VIP_VI_ATTRIBUTES* RemoteViAttributes,
                          OUT VIP_CONN_HANDLE* ConnHandle);

/**
 * Connect an idle VI with the requester's. After INVALID_RELIABILITY_LEVEL, INVALID_MTU or
 * INVALID_QOS the requester still waits: change the VI and accept again, or reject. TIMEOUT if the
 * requester gave up, INVALID_STATE, ERROR_RESOURCE.
 */
VIP_RETURN VipConnectAccept(IN VIP_CONN_HANDLE ConnHandle, IN VIP_VI_HANDLE ViHandle);

/** Reject a request; the requester gets VIP_REJECT. */
VIP_RETURN VipConnectReject(IN VIP_CONN_HANDLE ConnHandle);

/**
 * Request a connection and block until it is established or refused, or Timeout (not 0) expires.
 * NO_MATCH returns at once if no process waits there, and the same VI may try again. TIMEOUT,
 * REJECT, NOT_REACHABLE, INVALID_STATE, ERROR_RESOURCE.
 */
VIP_RETURN VipConnectRequest(IN VIP_VI_HANDLE ViHandle,
                             IN VIP_NET_ADDRESS* LocalAddr,
                             IN VIP_NET_ADDRESS* RemoteAddr,
                             IN VIP_ULONG Timeout,
                             OUT VIP_VI_ATTRIBUTES* RemoteViAttributes);

/** Make a VI idle again and flush its descriptors; harmless on an idle one. */
VIP_RETURN VipDisconnect(IN VIP_VI_HANDLE ViHandle);

/* ---- Connections, peer to peer ---- */

/**
 * Start connecting, without blocking. The other side makes the same call with the two addresses
 * exchanged. The VI is pending until then, or until Timeout. INVALID_STATE unless idle.
 */
VIP_RETURN VipConnectPeerRequest(IN VIP_VI_HANDLE ViHandle,
                                 IN VIP_NET_ADDRESS* LocalAddr,
                                 IN VIP_NET_ADDRESS* RemoteAddr,
                                 IN VIP_ULONG Timeout);

/** Test whether the connection is established. NOT_DONE, or the codes of VipConnectPeerWait. */
VIP_RETURN VipConnectPeerDone(IN VIP_VI_HANDLE ViHandle, OUT VIP_VI_ATTRIBUTES* RemoteViAttributes);

/** Wait for the connection, up to the request's timeout. TIMEOUT, INVALID_STATE, unequal attributes
 * as in VipConnectAccept, NO_MATCH, REJECT, NOT_REACHABLE. */
VIP_RETURN VipConnectPeerWait(IN VIP_VI_HANDLE ViHandle, OUT VIP_VI_ATTRIBUTES* RemoteViAttributes);

/* ---- Data transfer ---- */

/** Post a send or an RDMA operation; never blocks. A bad descriptor is an asynchronous error. */
VIP_RETURN VipPostSend(IN VIP_VI_HANDLE ViHandle,
                       IN VIP_DESCRIPTOR* DescriptorPtr,
                       IN VIP_MEM_HANDLE MemoryHandle);

/** Dequeue the oldest send if it is complete. NOT_DONE; DESCRIPTOR_ERROR with the failed
 * descriptor, or with NULL if the queue is empty. */
VIP_RETURN VipSendDone(IN VIP_VI_HANDLE ViHandle, OUT VIP_DESCRIPTOR** DescriptorPtr);

/** Like VipSendDone, but wait for the oldest send. TIMEOUT, DESCRIPTOR_ERROR. */
VIP_RETURN VipSendWait(IN VIP_VI_HANDLE ViHandle,
                       IN VIP_ULONG Timeout,
                       OUT VIP_DESCRIPTOR** DescriptorPtr);

/** Call Handler, once, with the next completed send. ERROR_RESOURCE. */
VIP_RETURN VipSendNotify(IN VIP_VI_HANDLE ViHandle,
                         IN VIP_PVOID Context,
                         IN VIP_VI_CALLBACK Handler);

/** Post a receive; never blocks, and is allowed before the VI is connected. */
VIP_RETURN VipPostRecv(IN VIP_VI_HANDLE ViHandle,
                       IN VIP_DESCRIPTOR* DescriptorPtr,
                       IN VIP_MEM_HANDLE MemoryHandle);

/** VipSendDone for receives. */
VIP_RETURN VipRecvDone(IN VIP_VI_HANDLE ViHandle, OUT VIP_DESCRIPTOR** DescriptorPtr);

/** VipSendWait for receives. */
VIP_RETURN VipRecvWait(IN VIP_VI_HANDLE ViHandle,
                       IN VIP_ULONG Timeout,
                       OUT VIP_DESCRIPTOR** DescriptorPtr);

/** VipSendNotify for receives. */
VIP_RETURN VipRecvNotify(IN VIP_VI_HANDLE ViHandle,
                         IN VIP_PVOID Context,
                         IN VIP_VI_CALLBACK Handler);

/* ---- Completion queues ---- */

/** Create a completion queue for work queues of any number of VIs. ERROR_RESOURCE. */
VIP_RETURN VipCreateCQ(IN VIP_NIC_HANDLE NicHandle,
                       IN VIP_ULONG EntryCount,
                       OUT VIP_CQ_HANDLE* CQHandle);

/** Destroy a completion queue and its pending notifications. ERROR_RESOURCE while VIs use it. */
VIP_RETURN VipDestroyCQ(IN VIP_CQ_HANDLE CQHandle);

/** Change the capacity, even in use. ERROR_RESOURCE, also if it already holds more entries. */
VIP_RETURN VipResizeCQ(IN VIP_CQ_HANDLE CQHandle, IN VIP_ULONG EntryCount);

/** Pop an entry: the VI and the queue whose oldest descriptor is complete. NOT_DONE. */
VIP_RETURN VipCQDone(IN VIP_CQ_HANDLE CQHandle,
                     OUT VIP_VI_HANDLE* ViHandle,
                     OUT VIP_BOOLEAN* RecvQueue);

/** Like VipCQDone, but wait for an entry. TIMEOUT. */
VIP_RETURN VipCQWait(IN VIP_CQ_HANDLE CQHandle,
                     IN VIP_ULONG Timeout,
                     OUT VIP_VI_HANDLE* ViHandle,
                     OUT VIP_BOOLEAN* RecvQueue);

/** Call Handler, once, with the next entry. ERROR_RESOURCE. */
VIP_RETURN VipCQNotify(IN VIP_CQ_HANDLE CQHandle, IN VIP_PVOID Context, IN VIP_CQ_CALLBACK Handler);

/* ---- Errors, management, names ---- */

/** Set the handler of asynchronous errors; NULL restores the default, which logs them.
 * ERROR_RESOURCE. */
VIP_RETURN VipErrorCallback(IN VIP_NIC_HANDLE NicHandle,
                            IN VIP_PVOID Context,
                            IN VIP_ERROR_HANDLER Handler);

/** Answer a management query: VIP_SMI_AUTODISCOVERY fills in a VIP_AUTODISCOVERY_LIST. */
VIP_RETURN VipQuerySystemManagementInfo(IN VIP_NIC_HANDLE NicHandle,
                                        IN VIP_ULONG InfoType,
                                        OUT VIP_PVOID SysManInfo);

/** Start the name service; NSInitInfo may be NULL. ERROR_RESOURCE, ERROR_NAMESERVICE. */
VIP_RETURN VipNSInit(IN VIP_NIC_HANDLE NicHandle, IN VIP_PVOID NSInitInfo);

/** Look up address number NameIndex of a host name, without discriminator. ERROR_NAMESERVICE,
 * ERROR_RESOURCE. */
VIP_RETURN VipNSGetHostByName(IN VIP_NIC_HANDLE NicHandle,
                              IN VIP_CHAR* Name,
                              OUT VIP_NET_ADDRESS* Address,
                              IN VIP_ULONG NameIndex);

/** Look up the host name of an address. NameLen: size of Name in, length needed out, also if Name
 * is too small (ERROR_RESOURCE). ERROR_NAMESERVICE. */
VIP_RETURN VipNSGetHostByAddr(IN VIP_NIC_HANDLE NicHandle,
                              IN VIP_NET_ADDRESS* Address,
                              OUT VIP_CHAR* Name,
                              IN OUT VIP_ULONG* NameLen);

/** Stop the name service; addresses obtained from it stay valid. */
VIP_RETURN VipNSShutdown(IN VIP_NIC_HANDLE NicHandle);

/* ---- Giganet's extras ---- */

/** The pointer that VipSetUserData stored with a VI; NULL before. */
VIP_PVOID VipGetUserData(IN VIP_VI_HANDLE ViHandle);

/** Store a pointer with a VI. */
void VipSetUserData(IN VIP_VI_HANDLE ViHandle, IN VIP_PVOID Data);

/** Attach an event to a completion queue; NULL becomes a new event. ERROR_NOT_SUPPORTED if the
 * product has no such call. */
VIP_RETURN VipAddTagCQ(IN VIP_CQ_HANDLE CQHandle,
                       IN OUT VIP_EVENT_HANDLE* Event,
                       IN VIP_ULONG Tag,
                       IN VIP_ULONG Priority);

/** Detach an event. ERROR_NOT_SUPPORTED if the product has no such call. */
VIP_RETURN VipRemoveTagCQ(IN VIP_CQ_HANDLE CQHandle, IN VIP_EVENT_HANDLE Event, IN VIP_ULONG Tag);

/** Turn deferring on: posted sends wait without a doorbell; or off: one doorbell starts them all.
 * WasDeferring: the previous setting. ERROR_NOT_SUPPORTED if the product has no such call. */
VIP_RETURN VipPostDeferredSends(IN VIP_VI_HANDLE ViHandle,
                                IN VIP_BOOLEAN Defer,
                                OUT VIP_BOOLEAN* WasDeferring);

VIPL_END

#endif /* _VIPL_ */
