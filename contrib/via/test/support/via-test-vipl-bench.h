/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// VIPL for tests: processes as C++ bodies, and parties with guarded memory.

#ifndef VIA_TEST_VIPL_BENCH_H
#define VIA_TEST_VIPL_BENCH_H

#include "ns3/via-cluster.h"

#include <array>
#include <boost/test/unit_test.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>
#include <vipl.h>

namespace ns3
{
namespace via
{
namespace test
{

// ---- time of the running process

Ps Now();
void Pause(Ps span);

// ---- addresses

/// A VIP_NET_ADDRESS with room for its bytes.
class Address
{
  public:
    explicit Address(std::uint32_t node, const std::string& discriminator = "vipl");

    operator VIP_NET_ADDRESS*()
    {
        return reinterpret_cast<VIP_NET_ADDRESS*>(m_bytes.data());
    }

    VIP_NET_ADDRESS* operator->()
    {
        return *this;
    }

    /// The host's and the discriminator's bytes.
    std::string Bytes();

  private:
    alignas(8) std::array<char, 512> m_bytes{};
};

// ---- profile

/**
 * A cluster with the tests' profile: the one named by the environment variable VIA_TEST_PROFILE,
 * else the default of ClusterConfig.
 */
ClusterConfig TestConfig();

/// The default reliability level of a party: reliable delivery if the profile has it.
VIP_USHORT UsualLevel();

/// The default transfer size of a party: the profile's, but at most 64 KB.
VIP_ULONG UsualTransfer();

// ---- parties

/// The settings of a party.
struct Setup
{
    VIP_USHORT level{UsualLevel()};
    VIP_ULONG maxTransfer{UsualTransfer()};
    bool viRdma{true};      ///< the VI's EnableRdmaWrite
    bool regionRdma{true};  ///< the region's EnableRdmaWrite
    bool rdmaRead{false};   ///< EnableRdmaRead of both
    VIP_ULONG cqEntries{0}; ///< size of the CQ of both queues; 0: no CQ
    std::string device{"nic0"};
};

/// A piece of memory in a descriptor.
struct Extent
{
    const void* address;
    VIP_UINT32 length;
    VIP_MEM_HANDLE handle;
};

/**
 * @brief One process' NIC handle, tag, memory and VI.
 *
 * Its memory is one registered region between two guards, all filled with CANARY. It lives until
 * the end of the test, not of the process.
 */
class Party
{
  public:
    static constexpr std::uint8_t CANARY = 0xA5;
    static constexpr std::uint32_t REGION = 131072;
    static constexpr std::uint32_t GUARD = 4096;
    static constexpr std::uint32_t POOL = 1 << 18; ///< bytes for descriptors

    Party();

    /// Opens the NIC and creates everything. Call it in the process.
    void Open(const Setup& setup);
    VIP_VI_ATTRIBUTES ViAttributes() const;
    VIP_MEM_ATTRIBUTES MemAttributes() const;
    VIP_VI_HANDLE CreateVi(VIP_CQ_HANDLE sendCq = nullptr, VIP_CQ_HANDLE receiveCq = nullptr);
    VIP_RETURN Register(void* address, VIP_ULONG length, VIP_MEM_HANDLE* handle);

    /// Waits for one request at @p discriminator and accepts it for @p on.
    VIP_RETURN Listen(VIP_VI_HANDLE on, const std::string& discriminator = "vipl");

    /// Requests a connection until the peer waits for it.
    VIP_RETURN Connect(VIP_VI_HANDLE on,
                       std::uint32_t node,
                       const std::string& discriminator = "vipl");

    // ---- memory

    std::uint8_t* At(std::int64_t offset)
    {
        return m_memory.data() + GUARD + offset;
    }

    Extent At(std::int64_t offset, VIP_UINT32 length)
    {
        return {At(offset), length, region};
    }

    /// The memory of the descriptors.
    std::uint8_t* Pool()
    {
        return m_poolStart;
    }

    void Fill(std::int64_t offset, std::uint32_t length, int seed);
    bool Holds(std::int64_t offset, std::uint32_t length, int seed);
    bool Untouched(std::int64_t offset, std::uint32_t length);

    /// True if region and guards are unchanged.
    bool Untouched()
    {
        return Untouched(-static_cast<std::int64_t>(GUARD), REGION + 2 * GUARD);
    }

    // ---- descriptors

    VIP_DESCRIPTOR* Make(const std::vector<Extent>& pieces, VIP_UINT16 control = 0);
    VIP_DESCRIPTOR* Write(const Extent& remote,
                          const std::vector<Extent>& pieces,
                          VIP_UINT16 control = 0);
    VIP_DESCRIPTOR* Read(const Extent& remote,
                         const std::vector<Extent>& pieces,
                         VIP_UINT16 control = 0);
    VIP_DESCRIPTOR* Immediate(VIP_DESCRIPTOR* descriptor, VIP_UINT32 data);

    VIP_RETURN Send(VIP_DESCRIPTOR* descriptor)
    {
        return VipPostSend(vi, descriptor, pool);
    }

    VIP_RETURN Receive(VIP_DESCRIPTOR* descriptor)
    {
        return VipPostRecv(vi, descriptor, pool);
    }

    /// Waits for the next completion. @return its status; 0 after a long time without one
    VIP_UINT32 Sent();
    VIP_UINT32 Received();

    VIP_VI_STATE State() const;

    /// Asynchronous errors so far, e.g. "RECVQ_EMPTY CONN_LOST".
    std::string Errors();

    VIP_NIC_HANDLE nic{nullptr};
    VIP_PROTECTION_HANDLE tag{nullptr};
    VIP_MEM_HANDLE region{0};
    VIP_MEM_HANDLE pool{0}; ///< handle of the descriptors' memory
    VIP_CQ_HANDLE cq{nullptr};
    VIP_VI_HANDLE vi{nullptr};
    VIP_DESCRIPTOR* last{nullptr}; ///< the descriptor that Sent or Received took
    std::vector<VIP_ERROR_DESCRIPTOR> errors;

  private:
    static void OnError(VIP_PVOID self, VIP_ERROR_DESCRIPTOR* error);
    VIP_DESCRIPTOR* Rdma(const Extent& remote, std::vector<Extent> pieces, VIP_UINT16 control);

    Setup m_setup;
    std::vector<std::uint8_t> m_memory;
    std::unique_ptr<std::uint8_t[]> m_pool;
    std::uint8_t* m_poolStart;
    std::uint8_t* m_free; ///< free part of the pool
};

// ---- status of successful completions

constexpr VIP_UINT32 SENT = VIP_STATUS_DONE | VIP_STATUS_OP_SEND;
constexpr VIP_UINT32 RECEIVED = VIP_STATUS_DONE | VIP_STATUS_OP_RECEIVE;
constexpr VIP_UINT32 WROTE = VIP_STATUS_DONE | VIP_STATUS_OP_RDMA_WRITE;
constexpr VIP_UINT32 READ = VIP_STATUS_DONE | VIP_STATUS_OP_RDMA_READ;
constexpr VIP_UINT32 WAS_WRITTEN = VIP_STATUS_DONE | VIP_STATUS_OP_REMOTE_RDMA_WRITE;

// ---- runs

using Body = std::function<void()>;
using PartyBody = std::function<void(Party& self)>;
using PairBody = std::function<void(Party& self, Party& peer)>;

/// Runs body i on node i, each to its end.
RunReport RunEach(const std::vector<Body>& bodies, ClusterConfig config = TestConfig());

/// Runs a body with an unconnected party.
void RunAlone(const PartyBody& body, const Setup& setup = {}, ClusterConfig config = TestConfig());

/**
 * @brief Runs two bodies with connected parties: the client on node 0, the server on node 1.
 *
 * The client's body begins a millisecond after the server's, so that the server's first receives
 * are posted in time. Neither process exits before both bodies are done.
 */
RunReport RunPair(const PairBody& client,
                  const PairBody& server,
                  const Setup& setup = {},
                  const ClusterConfig& config = TestConfig());

/// A body that does nothing.
void Nothing(Party& self, Party& peer);

/// A cluster with one key of the profile changed.
ClusterConfig With(const std::string& key, const std::string& value);

/// A cluster with a strict provider: tags required everywhere, handles not shared.
ClusterConfig Strict();

/// The value of a profile's key.
std::uint64_t Key(const std::string& key);

/// Time of @p cycles of the test bed's CPU, rounded down to a picosecond.
Ps CpuTime(std::uint64_t cycles);

} // namespace test
} // namespace via
} // namespace ns3

#endif // VIA_TEST_VIPL_BENCH_H
