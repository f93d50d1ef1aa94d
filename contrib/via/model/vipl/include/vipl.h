/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/*
 * VIPL, the VI Provider Library: the one header that a simulated program includes.
 *
 * It follows Intel's VI Architecture Developer's Guide 1.0 and takes in what the providers of the
 * day added, so that sources written for any of them compile unchanged: a descriptor answers to
 * CS/DS[], to Control/Data[] and to _CS/_DS[], Giganet's extra codes, calls and handler types are
 * there, and every struct has a tag. The header is plain C from C89 on, plain C++ from C++98 on,
 * and includes nothing. C++ programs may prefer <vipl.hpp>, a typed face over it.
 *
 * Three rules hold for every call and are not repeated below. VIP_SUCCESS comes back when nothing
 * went wrong, VIP_INVALID_PARAMETER when a handle or a pointer is not valid. What a call hands out
 * is written only when it succeeds, unless its comment says otherwise. Timeouts are milliseconds,
 * VIP_INFINITE waits for ever.
 */

/* <sys/reg.h> on x86 defines both as register numbers, and they are members here. Before the guard:
 * whoever includes <sys/reg.h> later includes this header once more, or spells them _CS and _DS. */
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

/* How Giganet's sources mark what a DLL exports and how a function is called: here like any. */
#ifndef DLLEXPORT
#define DLLEXPORT
#endif
#ifndef VI_CALL
#define VI_CALL
#endif

/* C before C11 and C++ before C++11 lack some of what follows; the compilers always had it. */
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

/* A timeout that never expires. The simulator takes an all-ones VIP_ULONG for infinite too. */
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

/** What a call returns. */
typedef enum _VIP_RETURN
{
    VIP_SUCCESS,                   /**< it worked */
    VIP_NOT_DONE,                  /**< still in progress, or nothing there yet */
    VIP_INVALID_PARAMETER,         /**< an input is not valid */
    VIP_ERROR_RESOURCE,            /**< a limit or the resources at hand are exceeded */
    VIP_TIMEOUT,                   /**< the time given ran out */
    VIP_REJECT,                    /**< the other side rejected the connection */
    VIP_INVALID_RELIABILITY_LEVEL, /**< reliability level unknown, unsupported or unequal */
    VIP_INVALID_MTU,               /**< transfer size too large, or unequal */
    VIP_INVALID_QOS,               /**< quality of service unsupported, or unequal */
    VIP_INVALID_PTAG,              /**< protection tag not valid */
    VIP_INVALID_RDMAREAD,          /**< RDMA read asked of a provider that has none */
    VIP_DESCRIPTOR_ERROR,          /**< the descriptor failed, or the queue is empty */
    VIP_INVALID_STATE,             /**< not possible in the VI's present state */
    VIP_ERROR_NAMESERVICE,         /**< the name service does not know */
    VIP_NO_MATCH,                  /**< nobody waits at the remote discriminator */
    VIP_NOT_REACHABLE,             /**< no path to the remote host */
    VIP_ERROR_NOT_SUPPORTED,       /**< this provider does not do that */
    VIP_ERROR = VIP_DESCRIPTOR_ERROR
} VIP_RETURN;

/* Not every header had these two: sources ask the preprocessor and would define their own. */
#define VIP_NOT_REACHABLE VIP_NOT_REACHABLE
#define VIP_ERROR_NOT_SUPPORTED VIP_ERROR_NOT_SUPPORTED

/** Where a VI stands between VipCreateVi and VipDestroyVi. */
typedef enum _VIP_VI_STATE
{
    VIP_STATE_IDLE,            /**< not connected: receives may be posted and wait */
    VIP_STATE_CONNECTED,       /**< descriptors are processed */
    VIP_STATE_CONNECT_PENDING, /**< a connection request is under way */
    VIP_STATE_ERROR            /**< broken: only VipDisconnect leads out */
} VIP_VI_STATE;

/** Which handle of a VIP_ERROR_DESCRIPTOR an asynchronous error is about. */
typedef enum _VIP_RESOURCE_CODE
{
    VIP_RESOURCE_NIC,
    VIP_RESOURCE_VI,
    VIP_RESOURCE_CQ,
    VIP_RESOURCE_DESCRIPTOR
} VIP_RESOURCE_CODE;

/** What an asynchronous error is. */
typedef enum _VIP_ERROR_CODE
{
    VIP_ERROR_POST_DESC,      /**< bad descriptor address, handle or alignment */
    VIP_ERROR_CONN_LOST,      /**< the connection is gone, the VI is in the error state */
    VIP_ERROR_RECVQ_EMPTY,    /**< a message found no receive descriptor */
    VIP_ERROR_VI_OVERRUN,     /**< more descriptors posted than a queue holds */
    VIP_ERROR_RDMAW_PROT,     /**< an RDMA write from outside was refused */
    VIP_ERROR_RDMAW_DATA,     /**< an RDMA write arrived corrupt */
    VIP_ERROR_RDMAW_ABORT,    /**< an RDMA write ended half way */
    VIP_ERROR_RDMAR_PROT,     /**< an RDMA read from outside was refused */
    VIP_ERROR_COMP_PROT,      /**< a completion could not be written */
    VIP_ERROR_RDMA_TRANSPORT, /**< the transport failed under an RDMA operation */
    VIP_ERROR_CATASTROPHIC    /**< the resource cannot go on */
} VIP_ERROR_CODE;

/* ---- Addresses and attributes ---- */

/**
 * Host address and discriminator. The discriminator follows the host address directly, at
 * HostAddress + HostAddressLen, so callers allocate as many bytes as both lengths need.
 */
typedef struct _VIP_NET_ADDRESS
{
    VIP_UINT16 HostAddressLen;
    VIP_UINT16 DiscriminatorLen;
    VIP_UINT8 HostAddress[1];
} VIP_NET_ADDRESS;

/** What a NIC is and can do; filled by VipQueryNic. LocalNicAddress belongs to the provider. */
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

/** A VI's attributes. Level, MaxTransferSize and QoS must be equal on both ends. */
typedef struct _VIP_VI_ATTRIBUTES
{
    VIP_RELIABILITY_LEVEL ReliabilityLevel;
    VIP_ULONG MaxTransferSize;
    VIP_QOS QoS;
    VIP_PROTECTION_HANDLE Ptag;
    VIP_BOOLEAN EnableRdmaWrite;
    VIP_BOOLEAN EnableRdmaRead;
} VIP_VI_ATTRIBUTES;

/** A registered region's attributes. */
typedef struct _VIP_MEM_ATTRIBUTES
{
    VIP_PROTECTION_HANDLE Ptag;
    VIP_BOOLEAN EnableRdmaWrite;
    VIP_BOOLEAN EnableRdmaRead;
} VIP_MEM_ATTRIBUTES;

/* ---- Descriptors ---- */

struct _VIP_DESCRIPTOR;

/** An address that takes 8 bytes whatever the word size of the host. */
typedef union _VIP_PVOID64 {
    VIP_UINT64 AddressBits;
    VIP_PVOID Address;
    struct _VIP_DESCRIPTOR* Descriptor;
} VIP_PVOID64;

/**
 * Control segment, 32 bytes. From post to completion it belongs to the provider. What the NIC
 * writes behind the compiler's back is volatile, so a loop may poll Status.
 */
typedef struct _VIP_CONTROL_SEGMENT
{
    VIP_PVOID64 Next;
    VIP_MEM_HANDLE NextHandle;
    VIP_UINT16 SegCount; /* an RDMA descriptor's address segment counts */
    VIP_UINT16 Control;
    VIP_UINT32 Reserved;
    volatile VIP_UINT32 ImmediateData;
    volatile VIP_UINT32 Length; /* in: sum of the data segments; out: bytes transferred */
    volatile VIP_UINT32 Status;
} VIP_CONTROL_SEGMENT;

/** Address segment, 16 bytes: the remote end of an RDMA operation, always segment 0. */
typedef struct _VIP_ADDRESS_SEGMENT
{
    VIP_PVOID64 Data;
    VIP_MEM_HANDLE Handle;
    VIP_UINT32 Reserved;
} VIP_ADDRESS_SEGMENT;

/** Data segment, 16 bytes: one piece of local memory. */
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
 * A descriptor: 64 bytes at an address divisible by VIP_DESCRIPTOR_ALIGNMENT, in registered
 * memory. Segments past the second simply follow it.
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
        VIP_DATA_SEGMENT Data[2]; /* an address segment: DS[0].Remote, or a cast */
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

/** What an error handler is told. Only the handle that ResourceCode names has a meaning. */
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

/** InfoType of VipQuerySystemManagementInfo whose answer is a VIP_AUTODISCOVERY_LIST. */
#define VIP_SMI_AUTODISCOVERY ((VIP_ULONG)1)

/**
 * The other hosts that can be reached, at most NumberOfHops switches away. Array and addresses
 * belong to the provider.
 */
typedef struct _VIP_AUTODISCOVERY_LIST
{
    VIP_ULONG NumberOfHops;
    VIP_NET_ADDRESS** ADAddrArray;
    VIP_ULONG NumAdAddrs;
} VIP_AUTODISCOVERY_LIST;

/** Is told of asynchronous errors; runs in the provider's context. */
typedef void (*VIP_ERROR_HANDLER)(VIP_PVOID Context, VIP_ERROR_DESCRIPTOR* ErrorDesc);

/** Is handed a completed descriptor, already dequeued. */
typedef void (*VIP_VI_CALLBACK)(VIP_PVOID Context,
                                VIP_NIC_HANDLE NicHandle,
                                VIP_VI_HANDLE ViHandle,
                                VIP_DESCRIPTOR* DescriptorPtr);

/** Is handed one entry of a completion queue; the descriptor is still on its work queue. */
typedef void (*VIP_CQ_CALLBACK)(VIP_PVOID Context,
                                VIP_NIC_HANDLE NicHandle,
                                VIP_VI_HANDLE ViHandle,
                                VIP_BOOLEAN RecvQueue);

/* ---- NIC ---- */

/** Open a NIC by its device name. Every call gives a handle of its own. ERROR_RESOURCE. */
VIP_RETURN VipOpenNic(IN const VIP_CHAR* DeviceName, OUT VIP_NIC_HANDLE* NicHandle);

/** Give a handle back. ERROR_RESOURCE while objects made through it remain. */
VIP_RETURN VipCloseNic(IN VIP_NIC_HANDLE NicHandle);

/** Read what the NIC is and can do. */
VIP_RETURN VipQueryNic(IN VIP_NIC_HANDLE NicHandle, OUT VIP_NIC_ATTRIBUTES* NicAttributes);

/* ---- Memory and protection ---- */

/**
 * Register memory of any address and length for the NIC's use. INVALID_PARAMETER also where the
 * process has no memory that can be written. ERROR_RESOURCE beyond the NIC's limits, INVALID_PTAG,
 * INVALID_RDMAREAD.
 */
VIP_RETURN VipRegisterMem(IN VIP_NIC_HANDLE NicHandle,
                          IN VIP_PVOID VirtualAddress,
                          IN VIP_ULONG Length,
                          IN VIP_MEM_ATTRIBUTES* MemAttributes,
                          OUT VIP_MEM_HANDLE* MemoryHandle);

/** Undo a registration; VirtualAddress is the registered start. */
VIP_RETURN VipDeregisterMem(IN VIP_NIC_HANDLE NicHandle,
                            IN VIP_PVOID VirtualAddress,
                            IN VIP_MEM_HANDLE MemoryHandle);

/** Read a region's attributes. */
VIP_RETURN VipQueryMem(IN VIP_NIC_HANDLE NicHandle,
                       IN VIP_PVOID VirtualAddress,
                       IN VIP_MEM_HANDLE MemoryHandle,
                       OUT VIP_MEM_ATTRIBUTES* MemAttributes);

/** Change a region's attributes for operations not yet started. Codes of VipRegisterMem. */
VIP_RETURN VipSetMemAttributes(IN VIP_NIC_HANDLE NicHandle,
                               IN VIP_PVOID VirtualAddress,
                               IN VIP_MEM_HANDLE MemoryHandle,
                               IN VIP_MEM_ATTRIBUTES* MemAttributes);

/** Make a protection tag: a VI reaches only regions that carry its tag. ERROR_RESOURCE. */
VIP_RETURN VipCreatePtag(IN VIP_NIC_HANDLE NicHandle, OUT VIP_PROTECTION_HANDLE* Ptag);

/** Give a tag back. ERROR_RESOURCE while a VI or a region carries it. */
VIP_RETURN VipDestroyPtag(IN VIP_NIC_HANDLE NicHandle, IN VIP_PROTECTION_HANDLE Ptag);

/* ---- VI ---- */

/**
 * Make an idle VI. Either completion queue may be NULL: that work queue is then reaped directly.
 * ERROR_RESOURCE, INVALID_RELIABILITY_LEVEL, INVALID_MTU, INVALID_QOS, INVALID_PTAG,
 * INVALID_RDMAREAD.
 */
VIP_RETURN VipCreateVi(IN VIP_NIC_HANDLE NicHandle,
                       IN VIP_VI_ATTRIBUTES* ViAttributes,
                       IN VIP_CQ_HANDLE SendCQHandle,
                       IN VIP_CQ_HANDLE RecvCQHandle,
                       OUT VIP_VI_HANDLE* ViHandle);

/** End a VI. INVALID_STATE unless idle, ERROR_RESOURCE while descriptors are on a queue. */
VIP_RETURN VipDestroyVi(IN VIP_VI_HANDLE ViHandle);

/** Read state, attributes and whether each work queue is empty. */
VIP_RETURN VipQueryVi(IN VIP_VI_HANDLE ViHandle,
                      OUT VIP_VI_STATE* State,
                      OUT VIP_VI_ATTRIBUTES* ViAttributes,
                      OUT VIP_BOOLEAN* SendQueueEmpty,
                      OUT VIP_BOOLEAN* RecvQueueEmpty);

/** Change an idle VI's attributes. Codes of VipCreateVi; INVALID_STATE unless idle. */
VIP_RETURN VipSetViAttributes(IN VIP_VI_HANDLE ViHandle, IN VIP_VI_ATTRIBUTES* ViAttributes);

/* ---- Connections, client and server ---- */

/**
 * Wait until somebody asks for LocalAddr (host and discriminator). Hands out the requester's
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
 * INVALID_QOS the requester still waits: change the VI and accept again, or reject. TIMEOUT when
 * the requester gave up, INVALID_STATE, ERROR_RESOURCE.
 */
VIP_RETURN VipConnectAccept(IN VIP_CONN_HANDLE ConnHandle, IN VIP_VI_HANDLE ViHandle);

/** Refuse a request; the requester gets VIP_REJECT. */
VIP_RETURN VipConnectReject(IN VIP_CONN_HANDLE ConnHandle);

/**
 * Ask for a connection and block until it stands, was refused, or Timeout (not 0) is over.
 * NO_MATCH comes at once when nobody waits there, and the same VI may try again. TIMEOUT, REJECT,
 * NOT_REACHABLE, INVALID_STATE, ERROR_RESOURCE.
 */
VIP_RETURN VipConnectRequest(IN VIP_VI_HANDLE ViHandle,
                             IN VIP_NET_ADDRESS* LocalAddr,
                             IN VIP_NET_ADDRESS* RemoteAddr,
                             IN VIP_ULONG Timeout,
                             OUT VIP_VI_ATTRIBUTES* RemoteViAttributes);

/** Make a VI idle again and flush what it still holds; harmless on an idle one. */
VIP_RETURN VipDisconnect(IN VIP_VI_HANDLE ViHandle);

/* ---- Connections, peer to peer ---- */

/**
 * Start connecting, without blocking; the other side calls it too, with the same addresses the
 * other way round. The VI is pending until then, or until Timeout. INVALID_STATE unless idle.
 */
VIP_RETURN VipConnectPeerRequest(IN VIP_VI_HANDLE ViHandle,
                                 IN VIP_NET_ADDRESS* LocalAddr,
                                 IN VIP_NET_ADDRESS* RemoteAddr,
                                 IN VIP_ULONG Timeout);

/** Look whether the connection stands. NOT_DONE, or the codes of VipConnectPeerWait. */
VIP_RETURN VipConnectPeerDone(IN VIP_VI_HANDLE ViHandle, OUT VIP_VI_ATTRIBUTES* RemoteViAttributes);

/** Wait for the connection as long as the request allowed. TIMEOUT, INVALID_STATE, unequal
 *  attributes as in VipConnectAccept, NO_MATCH, REJECT, NOT_REACHABLE. */
VIP_RETURN VipConnectPeerWait(IN VIP_VI_HANDLE ViHandle, OUT VIP_VI_ATTRIBUTES* RemoteViAttributes);

/* ---- Data transfer ---- */

/** Queue a send or an RDMA operation; never blocks. A bad descriptor is an asynchronous error. */
VIP_RETURN VipPostSend(IN VIP_VI_HANDLE ViHandle,
                       IN VIP_DESCRIPTOR* DescriptorPtr,
                       IN VIP_MEM_HANDLE MemoryHandle);

/** Take the oldest send off its queue if it is complete. NOT_DONE; DESCRIPTOR_ERROR with the
 *  failed descriptor, or with NULL when the queue is empty. */
VIP_RETURN VipSendDone(IN VIP_VI_HANDLE ViHandle, OUT VIP_DESCRIPTOR** DescriptorPtr);

/** Like VipSendDone, but wait for the oldest send. TIMEOUT, DESCRIPTOR_ERROR. */
VIP_RETURN VipSendWait(IN VIP_VI_HANDLE ViHandle,
                       IN VIP_ULONG Timeout,
                       OUT VIP_DESCRIPTOR** DescriptorPtr);

/** Have Handler called, once, with the next completed send. ERROR_RESOURCE. */
VIP_RETURN VipSendNotify(IN VIP_VI_HANDLE ViHandle,
                         IN VIP_PVOID Context,
                         IN VIP_VI_CALLBACK Handler);

/** Queue a receive; never blocks, and is allowed before the VI is connected. */
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

/** Make a completion queue for work queues of any number of VIs. ERROR_RESOURCE. */
VIP_RETURN VipCreateCQ(IN VIP_NIC_HANDLE NicHandle,
                       IN VIP_ULONG EntryCount,
                       OUT VIP_CQ_HANDLE* CQHandle);

/** End a completion queue and what was to be notified of it. ERROR_RESOURCE while VIs use it. */
VIP_RETURN VipDestroyCQ(IN VIP_CQ_HANDLE CQHandle);

/** Change the capacity, in use too. ERROR_RESOURCE, also when it holds more entries already. */
VIP_RETURN VipResizeCQ(IN VIP_CQ_HANDLE CQHandle, IN VIP_ULONG EntryCount);

/** Pop an entry: on which VI and which of its queues a descriptor is complete. NOT_DONE. */
VIP_RETURN VipCQDone(IN VIP_CQ_HANDLE CQHandle,
                     OUT VIP_VI_HANDLE* ViHandle,
                     OUT VIP_BOOLEAN* RecvQueue);

/** Like VipCQDone, but wait for an entry. TIMEOUT. */
VIP_RETURN VipCQWait(IN VIP_CQ_HANDLE CQHandle,
                     IN VIP_ULONG Timeout,
                     OUT VIP_VI_HANDLE* ViHandle,
                     OUT VIP_BOOLEAN* RecvQueue);

/** Have Handler called, once, with the next entry. ERROR_RESOURCE. */
VIP_RETURN VipCQNotify(IN VIP_CQ_HANDLE CQHandle, IN VIP_PVOID Context, IN VIP_CQ_CALLBACK Handler);

/* ---- Errors, management, names ---- */

/** Set the handler of asynchronous errors; NULL brings back the default, which logs them.
 *  ERROR_RESOURCE. */
VIP_RETURN VipErrorCallback(IN VIP_NIC_HANDLE NicHandle,
                            IN VIP_PVOID Context,
                            IN VIP_ERROR_HANDLER Handler);

/** Answer a management question: VIP_SMI_AUTODISCOVERY fills a VIP_AUTODISCOVERY_LIST. */
VIP_RETURN VipQuerySystemManagementInfo(IN VIP_NIC_HANDLE NicHandle,
                                        IN VIP_ULONG InfoType,
                                        OUT VIP_PVOID SysManInfo);

/** Start the name service; NSInitInfo may be NULL. ERROR_RESOURCE, ERROR_NAMESERVICE. */
VIP_RETURN VipNSInit(IN VIP_NIC_HANDLE NicHandle, IN VIP_PVOID NSInitInfo);

/** Host name to the NameIndex-th of its addresses, without discriminator. ERROR_NAMESERVICE,
 *  ERROR_RESOURCE. */
VIP_RETURN VipNSGetHostByName(IN VIP_NIC_HANDLE NicHandle,
                              IN VIP_CHAR* Name,
                              OUT VIP_NET_ADDRESS* Address,
                              IN VIP_ULONG NameIndex);

/** Address to host name. NameLen: size of Name in, length needed out, also when Name is too small
 *  (ERROR_RESOURCE). ERROR_NAMESERVICE. */
VIP_RETURN VipNSGetHostByAddr(IN VIP_NIC_HANDLE NicHandle,
                              IN VIP_NET_ADDRESS* Address,
                              OUT VIP_CHAR* Name,
                              IN OUT VIP_ULONG* NameLen);

/** Stop the name service; addresses obtained stay valid. */
VIP_RETURN VipNSShutdown(IN VIP_NIC_HANDLE NicHandle);

/* ---- Giganet's extras ---- */

/** The pointer that VipSetUserData left with a VI; NULL before. */
VIP_PVOID VipGetUserData(IN VIP_VI_HANDLE ViHandle);

/** Leave a pointer with a VI. */
void VipSetUserData(IN VIP_VI_HANDLE ViHandle, IN VIP_PVOID Data);

/** Tie an event to a completion queue; NULL becomes a new event. ERROR_NOT_SUPPORTED where the
 *  product has no such call. */
VIP_RETURN VipAddTagCQ(IN VIP_CQ_HANDLE CQHandle,
                       IN OUT VIP_EVENT_HANDLE* Event,
                       IN VIP_ULONG Tag,
                       IN VIP_ULONG Priority);

/** Untie an event. ERROR_NOT_SUPPORTED where the product has no such call. */
VIP_RETURN VipRemoveTagCQ(IN VIP_CQ_HANDLE CQHandle, IN VIP_EVENT_HANDLE Event, IN VIP_ULONG Tag);

/** Switch deferring on: posted sends wait without a doorbell; or off: one doorbell starts them all.
 *  WasDeferring: how the switch stood. ERROR_NOT_SUPPORTED where the product has no such call. */
VIP_RETURN VipPostDeferredSends(IN VIP_VI_HANDLE ViHandle,
                                IN VIP_BOOLEAN Defer,
                                OUT VIP_BOOLEAN* WasDeferring);

VIPL_END

#endif /* _VIPL_ */
