/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL for one process: checks arguments, charges the call, does it, and blocks where VIPL does.

#ifndef VIA_VIPL_H
#define VIA_VIPL_H

#include "ns3/via-completion-claims.h"
#include "ns3/via-fiber-process.h"
#include "ns3/via-program-memory.h"
#include "ns3/via-vi-library.h"
#include "ns3/via-vipl-handles.h"
#include "ns3/via-vipl-setting.h"

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>
#include <vipl.h>

namespace ns3
{
namespace via
{

/**
 * @brief The VI Provider Library as linked into one simulated process.
 *
 * Each method is the VIPL function of the same name; <vipl.h> says what it returns. Arguments
 * are checked before anything is charged or changed. Simulated programs cannot hurt the
 * simulator through handles, descriptors or addresses: pointers are followed by ProgramMemory
 * alone, so any call may throw MemoryFault, which ends the process that calls.
 */
class Vipl final : public AsyncListener
{
  public:
    /**
     * @param process the caller
     * @param nic of its node
     * @param setting the product's library and the cluster; must outlive this
     * @param first the same of the node's first NIC, if this one is of a further one
     */
    Vipl(FiberProcess& process, Nic& nic, const ViplSetting& setting, Vipl* first = nullptr);

    /// Which of the node's NICs @p handle belongs to, whatever its kind; garbage may give any.
    static std::uint32_t CardOf(const void* handle)
    {
        return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(handle) >> 24 & 0xFF) /
               KINDS_PER_CARD;
    }

    /**
     * @brief The NIC that programs mean by a device name such as "VINIC1".
     * @param cards how many the node has; of a single one any number will do
     * @return its number; @p cards if there is none
     */
    static std::uint32_t CardNamed(const VIP_CHAR* name, std::uint32_t cards);

    /// Called with every handler of the program, e.g. to guard against its exit() in there.
    void SetGuard(std::function<void(const std::function<void()>&)> guard)
    {
        m_guard = std::move(guard);
    }

    /**
     * @brief The process' memory lies at the same place in a page in every run.
     *
     * True of hosted programs. What a C++ body registers comes from the simulator's own heap, so
     * its pages are counted as if it began at a page: no address of ours may decide a time.
     */
    void SetAddressesRepeat()
    {
        m_addressesRepeat = true;
    }

    /**
     * @brief The process shares its memory with others: no handle of it is one of theirs.
     *
     * True of C++ bodies: what they keep by handle, in statics, lies beside what others keep.
     */
    void SetHandlesDiffer();

    /// A thread has ended; its number may be used again.
    void OnThreadEnd(const FiberThread& thread);

    /**
     * @param timer when the process' signal timer expires: waits for completions end there, too
     * @param waitEnd where the next such wait ends at the latest; it sets PS_NEVER
     */
    void SetTimer(const std::int64_t* timer, std::int64_t* waitEnd)
    {
        m_timer = timer;
        m_waitEnd = waitEnd;
    }

    /// Gets a line for the standard error of the process: errors that nobody handles.
    void SetLog(std::function<void(const std::string&)> log)
    {
        m_log = std::move(log);
    }

    /// The process has ended: whatever it left open is closed, peers are told.
    void OnProcessEnd();

    /// Whether the process has registered any of @p bytes bytes at @p address with this NIC.
    bool HasRegistered(const void* address, std::size_t bytes);

    /// VIs of the process that are connected.
    std::uint32_t ConnectedVis();

    /// Asynchronous errors that no handler of the program took.
    const std::vector<AsyncError>& UnhandledErrors() const
    {
        return m_unhandled;
    }

    void OnAsyncError(const AsyncError& error) override;

    // via-vipl-nic.cc: NIC
    VIP_RETURN OpenNic(const VIP_CHAR* name, VIP_NIC_HANDLE* nic);
    VIP_RETURN CloseNic(VIP_NIC_HANDLE nic);
    VIP_RETURN QueryNic(VIP_NIC_HANDLE nic, VIP_NIC_ATTRIBUTES* attributes);

    // via-vipl-memory.cc: tags, memory
    VIP_RETURN CreatePtag(VIP_NIC_HANDLE nic, VIP_PROTECTION_HANDLE* tag);
    VIP_RETURN DestroyPtag(VIP_NIC_HANDLE nic, VIP_PROTECTION_HANDLE tag);
    VIP_RETURN RegisterMem(VIP_NIC_HANDLE nic,
                           VIP_PVOID address,
                           VIP_ULONG length,
                           VIP_MEM_ATTRIBUTES* attributes,
                           VIP_MEM_HANDLE* handle);
    VIP_RETURN DeregisterMem(VIP_NIC_HANDLE nic, VIP_PVOID address, VIP_MEM_HANDLE handle);
    VIP_RETURN QueryMem(VIP_NIC_HANDLE nic,
                        VIP_PVOID address,
                        VIP_MEM_HANDLE handle,
                        VIP_MEM_ATTRIBUTES* attributes);
    VIP_RETURN SetMemAttributes(VIP_NIC_HANDLE nic,
                                VIP_PVOID address,
                                VIP_MEM_HANDLE handle,
                                VIP_MEM_ATTRIBUTES* attributes);

    // via-vipl-names.cc: name service, system management
    VIP_RETURN QuerySystemManagementInfo(VIP_NIC_HANDLE nic, VIP_ULONG type, VIP_PVOID info);
    VIP_RETURN NsInit(VIP_NIC_HANDLE nic, VIP_PVOID info);
    VIP_RETURN NsShutdown(VIP_NIC_HANDLE nic);
    VIP_RETURN NsGetHostByName(VIP_NIC_HANDLE nic,
                               const VIP_CHAR* name,
                               VIP_NET_ADDRESS* address,
                               VIP_ULONG index);
    VIP_RETURN NsGetHostByAddr(VIP_NIC_HANDLE nic,
                               const VIP_NET_ADDRESS* address,
                               VIP_CHAR* name,
                               VIP_ULONG* length);

    // via-vipl-vi.cc: VIs
    VIP_RETURN CreateVi(VIP_NIC_HANDLE nic,
                        VIP_VI_ATTRIBUTES* attributes,
                        VIP_CQ_HANDLE sendCq,
                        VIP_CQ_HANDLE receiveCq,
                        VIP_VI_HANDLE* vi);
    VIP_RETURN DestroyVi(VIP_VI_HANDLE vi);
    VIP_RETURN QueryVi(VIP_VI_HANDLE vi,
                       VIP_VI_STATE* state,
                       VIP_VI_ATTRIBUTES* attributes,
                       VIP_BOOLEAN* sendEmpty,
                       VIP_BOOLEAN* receiveEmpty);
    VIP_RETURN SetViAttributes(VIP_VI_HANDLE vi, VIP_VI_ATTRIBUTES* attributes);

    // via-vipl-connect.cc: client-server connections, and the end of connections
    VIP_RETURN ConnectWait(VIP_NIC_HANDLE nic,
                           VIP_NET_ADDRESS* local,
                           VIP_ULONG timeout,
                           VIP_NET_ADDRESS* remote,
                           VIP_VI_ATTRIBUTES* remoteAttributes,
                           VIP_CONN_HANDLE* connection);
    VIP_RETURN ConnectAccept(VIP_CONN_HANDLE connection, VIP_VI_HANDLE vi);
    VIP_RETURN ConnectReject(VIP_CONN_HANDLE connection);
    VIP_RETURN ConnectRequest(VIP_VI_HANDLE vi,
                              VIP_NET_ADDRESS* local,
                              VIP_NET_ADDRESS* remote,
                              VIP_ULONG timeout,
                              VIP_VI_ATTRIBUTES* remoteAttributes);
    VIP_RETURN Disconnect(VIP_VI_HANDLE vi);

    // via-vipl-peer.cc: peer-to-peer connections
    VIP_RETURN ConnectPeerRequest(VIP_VI_HANDLE vi,
                                  VIP_NET_ADDRESS* local,
                                  VIP_NET_ADDRESS* remote,
                                  VIP_ULONG timeout);
    VIP_RETURN ConnectPeerDone(VIP_VI_HANDLE vi, VIP_VI_ATTRIBUTES* remoteAttributes);
    VIP_RETURN ConnectPeerWait(VIP_VI_HANDLE vi, VIP_VI_ATTRIBUTES* remoteAttributes);

    // via-vipl-data.cc: descriptors and completions
    VIP_RETURN Post(VIP_VI_HANDLE vi,
                    VIP_DESCRIPTOR* descriptor,
                    VIP_MEM_HANDLE handle,
                    bool receive);
    VIP_RETURN Done(VIP_VI_HANDLE vi, VIP_DESCRIPTOR** descriptor, bool receive);
    VIP_RETURN CreateCq(VIP_NIC_HANDLE nic, VIP_ULONG entries, VIP_CQ_HANDLE* cq);
    VIP_RETURN DestroyCq(VIP_CQ_HANDLE cq);
    VIP_RETURN ResizeCq(VIP_CQ_HANDLE cq, VIP_ULONG entries);
    VIP_RETURN CqDone(VIP_CQ_HANDLE cq, VIP_VI_HANDLE* vi, VIP_BOOLEAN* receive);

    // via-vipl-extras.cc: Giganet's own
    VIP_PVOID GetUserData(VIP_VI_HANDLE vi);
    void SetUserData(VIP_VI_HANDLE vi, VIP_PVOID data);
    VIP_RETURN AddTagCq(VIP_CQ_HANDLE cq,
                        VIP_EVENT_HANDLE* event,
                        VIP_ULONG tag,
                        VIP_ULONG priority);
    VIP_RETURN RemoveTagCq(VIP_CQ_HANDLE cq, VIP_EVENT_HANDLE event, VIP_ULONG tag);
    VIP_RETURN PostDeferredSends(VIP_VI_HANDLE vi, VIP_BOOLEAN defer, VIP_BOOLEAN* deferred);

    // via-vipl-wait.cc: blocking until something completes
    VIP_RETURN Wait(VIP_VI_HANDLE vi, VIP_ULONG timeout, VIP_DESCRIPTOR** descriptor, bool receive);
    VIP_RETURN CqWait(VIP_CQ_HANDLE cq, VIP_ULONG timeout, VIP_VI_HANDLE* vi, VIP_BOOLEAN* receive);

    // via-vipl-notify.cc: handlers of the program
    VIP_RETURN Notify(VIP_VI_HANDLE vi, VIP_PVOID context, VIP_VI_CALLBACK handler, bool receive);
    VIP_RETURN CqNotify(VIP_CQ_HANDLE cq, VIP_PVOID context, VIP_CQ_CALLBACK handler);
    VIP_RETURN ErrorCallback(VIP_NIC_HANDLE nic, VIP_PVOID context, VIP_ERROR_HANDLER handler);

    /// What the process' handler thread runs: calls handlers in the order of time, for ever.
    void ServeHandlers();

  private:
    /// A handler of asynchronous errors, and the handle through which it was set.
    struct ErrorTarget
    {
        VIP_NIC_HANDLE nic;
        VIP_ERROR_HANDLER handler;
        VIP_PVOID context;
    };

    /// The NIC as a handle names it; the product decides whether handles share it.
    struct OpenedNic
    {
        std::uint32_t owner{0}; ///< whose objects these are, at the NIC
        std::uint32_t handles{0};
        std::vector<ErrorTarget> targets; ///< the last one counts; one for each handle
        bool nameService{false};
    };

    /// The other hosts of the cluster, as VipQuerySystemManagementInfo shows them.
    struct Discovery
    {
        std::vector<std::uint8_t> bytes;         ///< of the addresses, one after the other
        std::vector<VIP_NET_ADDRESS*> addresses; ///< empty until somebody asks
        VIP_ULONG hops{0};                       ///< switches between here and the farthest
    };

    struct OpenedVi
    {
        ViId id{0};
        VIP_PVOID userData{nullptr};
        std::uint32_t uses{0}; ///< calls that work on it and may give way to other threads
    };

    /// Wakes the handler thread, unless a handler is at work: then it looks by itself.
    class HandlerWakeUp final : public Waiter
    {
      public:
        explicit HandlerWakeUp(FiberProcess& process)
            : m_process(process)
        {
        }

        void OnReady(Moment visible) override
        {
            FiberThread& thread = m_process.HandlerThread(); // starts idle
            if (!m_busy)
            {
                thread.OnReady(visible);
            }
        }

        void SetBusy(bool busy)
        {
            m_busy = busy;
        }

      private:
        FiberProcess& m_process;
        bool m_busy{false};
    };

    /// What the handler thread does next.
    struct Event
    {
        CompletionClaims::Notification completion;
        bool isError; ///< the first of m_errors; else the completion
        Moment due;   ///< PS_NEVER: nothing is known to come
    };

    /// While it lives, no other thread can destroy a VI or a CQ.
    class Use
    {
      public:
        explicit Use(OpenedVi* vi)
            : Use(vi == nullptr ? nullptr : &vi->uses)
        {
        }

        explicit Use(CompletionQueue* cq)
            : Use(&cq->bindings)
        {
        }

        ~Use()
        {
            if (m_count != nullptr)
            {
                --*m_count;
            }
        }

        Use(const Use&) = delete;
        Use& operator=(const Use&) = delete;

      private:
        explicit Use(std::uint32_t* count)
            : m_count(count)
        {
            if (m_count != nullptr)
            {
                ++*m_count;
            }
        }

        std::uint32_t* m_count;
    };

    /// An asynchronous error, and what its handler will be told.
    struct PendingError
    {
        AsyncError error;
        VIP_ERROR_DESCRIPTOR description;
    };

    /// An event and a tag that belong to a CQ.
    struct CqTie
    {
        VIP_CQ_HANDLE cq;
        VIP_EVENT_HANDLE event;
        VIP_ULONG tag;
        VIP_ULONG priority;
    };

    struct Request
    {
        ConnectionManager::RequestId number{0};
    };

    /// What belongs to one thread that calls.
    struct ThreadState
    {
        ViLibrary library;
        Moment woken; ///< what ended the last wait; {} when it did not block
    };

    /// Who calls.
    FiberThread& Caller() const
    {
        return m_process.Runner();
    }

    /// The caller's state. Look it up once in a call.
    ThreadState& Mine()
    {
        const std::uint32_t number = Caller().Number();
        return number < m_threads.size() && m_threads[number] != nullptr ? *m_threads[number]
                                                                         : AddThread(number);
    }

    ThreadState& AddThread(std::uint32_t number);

    /// The caller's fast path.
    ViLibrary& Library()
    {
        return Mine().library;
    }

    OpenedNic* FindNic(VIP_NIC_HANDLE nic);
    static void DropTarget(OpenedNic& opened, VIP_NIC_HANDLE nic);
    VIP_RETURN TagOf(const OpenedNic& nic, VIP_PROTECTION_HANDLE handle, Ptag& tag);
    void DropDefaultTag();
    VIP_RETURN Charge(Stage stage, Cycles n, VIP_RETURN result = VIP_SUCCESS);
    VIP_RETURN MakeRights(const OpenedNic& nic,
                          const VIP_MEM_ATTRIBUTES* attributes,
                          MemoryRights& rights);
    VIP_RETURN CheckAttributes(const OpenedNic& nic,
                               const VIP_VI_ATTRIBUTES* attributes,
                               ViAttributes& checked);
    VIP_VI_ATTRIBUTES Present(const ViAttributes& attributes);
    /// Lets what the NIC has begun in this memory end, before the program may use it otherwise.
    void Quiesce(const void* address, std::uint64_t length);
    const Region* OurRegion(VIP_NIC_HANDLE nic, VIP_PVOID address, VIP_MEM_HANDLE handle);

    VirtualInterface* FindVi(const OpenedVi* opened)
    {
        return opened == nullptr ? nullptr : m_nic.FindVi(opened->id);
    }

    VirtualInterface* FindVi(VIP_VI_HANDLE vi)
    {
        return FindVi(m_vis.Find(vi));
    }

    VirtualInterface* CurrentVi(VIP_VI_HANDLE vi);
    VIP_VI_HANDLE HandleOf(ViId vi);
    bool ReadAddress(const VIP_NET_ADDRESS* from, NetAddress& to) const;
    static void WriteAddress(const NetAddress& from, VIP_NET_ADDRESS* to);
    static VIP_RETURN CodeOf(ConnectResult result);
    /// @param waiter the caller, if it waited for the result; null: it has not
    VIP_RETURN TakePeerResult(VIP_VI_HANDLE vi,
                              VIP_VI_ATTRIBUTES* remoteAttributes,
                              const Waiter* waiter = nullptr);
    std::uint64_t Pages(std::uint64_t address, std::uint64_t length) const;
    Ps Deadline(VIP_ULONG milliseconds) const;

    /// Whether there is such a node, and a path to it.
    bool IsReachable(NodeId node) const;

    Ps DeadlineOrTimer(VIP_ULONG milliseconds) const;
    void EndWaits(ViId vi, Moment at);
    void WakeUp();
    void Drain(VirtualInterface& vi);
    /**
     * @brief Waits for the completion of a descriptor of @p vi, or of one before it.
     * @return whether there is nothing left to wait for: it has completed, or was reaped, or the
     * process is being killed
     */
    bool AwaitCompletion(VirtualInterface& vi, bool receive, RingSerial serial, const char* what);
    VIP_RETURN Answer(const Harvest& harvest, VIP_DESCRIPTOR** descriptor);
    VIP_RETURN Answer(const Completion& completion, VIP_VI_HANDLE* vi, VIP_BOOLEAN* receive);
    VIP_ERROR_DESCRIPTOR Describe(const AsyncError& error);
    void Log(const AsyncError& error);
    bool Await(const CompletionClaims::Key& key,
               const CompletionSource& source,
               Ps deadline,
               const char* what);
    VIP_RETURN Arm(const CompletionClaims::Key& key,
                   const CompletionSource& source,
                   CompletionClaim claim);
    VIP_NIC_HANDLE NicHandleOf(std::uint32_t owner);
    void TellError();
    void TellCompletion(const CompletionClaims::Notification& next, const Moment& woken);
    void ForgetErrors(ViId vi, Ps after);
    Event NextEvent() const;
    Vipl& NextToServe();
    void CallProgram(const std::function<void()>& handler);
    VIP_RETURN Tie(VIP_CQ_HANDLE cq, VIP_EVENT_HANDLE* event, VIP_ULONG tag, VIP_ULONG priority);
    std::vector<CqTie>::iterator FindTie(VIP_CQ_HANDLE cq, VIP_EVENT_HANDLE event, VIP_ULONG tag);
    void Untie(std::vector<CqTie>::iterator tie);
    void UntieAll(VIP_CQ_HANDLE cq);
    static std::string NameOf(NodeId node);
    void Discover();

    FiberProcess& m_process;
    /// Kinds of handles that a card has numbers for.
    static constexpr std::uint32_t KINDS_PER_CARD = 8;

    static std::uintptr_t KindOf(const Nic& nic, std::uint32_t kind)
    {
        return nic.Card() * KINDS_PER_CARD + kind;
    }

    Nic& m_nic;
    Vipl& m_first;                ///< of the first NIC: its handler thread serves all
    std::vector<Vipl*> m_further; ///< of the first one: those of the other NICs
    const ViplSetting& m_setting;
    std::vector<std::unique_ptr<ThreadState>> m_threads; ///< by number
    bool m_addressesRepeat{false};
    bool m_handlesDiffer{false};
    std::string m_address; ///< of this node; VIP_NIC_ATTRIBUTES points at it
    Discovery m_discovery; ///< VIP_AUTODISCOVERY_LIST points at it
    HandleTable<std::shared_ptr<OpenedNic>> m_opened{KindOf(m_nic, 1)};
    HandleTable<Ptag> m_tags{KindOf(m_nic, 2)};
    HandleTable<OpenedVi> m_vis{KindOf(m_nic, 3)};
    HandleTable<CompletionQueue*> m_cqs{KindOf(m_nic, 4)};
    HandleTable<Request> m_requests{KindOf(m_nic, 5)};
    HandleTable<std::uint32_t> m_events{KindOf(m_nic, 6)}; ///< how many ties each has
    std::vector<CqTie> m_ties;
    Ptag m_defaultTag{0};            ///< what a NULL tag stands for; made when first used
    std::uint32_t m_defaultOwner{0}; ///< of that tag, at the NIC
    CompletionClaims m_claims;
    const std::int64_t* m_timer{nullptr};
    std::int64_t* m_waitEnd{nullptr};
    HandlerWakeUp m_handlerWakeUp;
    std::deque<PendingError> m_errors;   ///< not told to the program yet, in order of time
    std::vector<AsyncError> m_unhandled; ///< of all NICs, at the first
    std::function<void(const std::function<void()>&)> m_guard;
    std::function<void(const std::string&)> m_log;
};

} // namespace via
} // namespace ns3

#endif // VIA_VIPL_H
