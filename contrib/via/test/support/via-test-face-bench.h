/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// vipl.hpp for tests: one end of a connection, and runs of one end or two.

#ifndef VIA_TEST_FACE_BENCH_H
#define VIA_TEST_FACE_BENCH_H

#include "via-test-vipl-bench.h"

#include <functional>
#include <string>
#include <vipl.hpp>

namespace ns3
{
namespace via
{
namespace test
{

/// Longer than any wait of a test.
inline constexpr vipl::Timeout LONG{500};

/// The objects of one process. Created in the process, destroyed at the end of its body.
struct FaceEnd
{
    vipl::Nic nic{"nic0"};
    vipl::NameService names{nic};
    vipl::ProtectionTag tag{nic};
    vipl::RegisteredMemory memory{nic, 65536, {tag.Get(), true}};
    vipl::DescriptorPool pool{nic, tag, 16, 4};
    vipl::CompletionQueue cq{nic, 64};
    vipl::VirtualInterface vi{nic, Attributes()};

    vipl::ViAttributes Attributes() const;

    /// The address of a node's server.
    vipl::NetAddress Server(const std::string& host) const
    {
        return names.HostByName(host).With("face");
    }

    vipl::LocalBuffer Piece(std::size_t length, std::size_t offset = 0) const
    {
        return memory.Local(offset, length);
    }

    /// Posts a receive of @p length bytes.
    void Receive(std::size_t length, std::size_t offset = 0)
    {
        vi.PostRecv(pool.Take().Receive().Add(Piece(length, offset)));
    }

    void Write(const std::string& text, std::size_t offset = 0);
    std::string Read(std::size_t length, std::size_t offset = 0) const;
};

using FaceBody = std::function<void(FaceEnd&)>;

/// Runs a body with an unconnected end.
void RunFace(const FaceBody& body, const ClusterConfig& config = {});

/**
 * @brief Runs two bodies with connected ends: the client on node 0, the server on node 1.
 *
 * The client's body begins a millisecond after the server's. Neither process ends before both
 * bodies are done.
 */
void RunFacePair(const FaceBody& client, const FaceBody& server, const ClusterConfig& config = {});

/// For BOOST_CHECK_EXCEPTION: does an exception have this code?
template <class Code>
std::function<bool(const std::system_error&)>
Is(Code code)
{
    return [code](const std::system_error& error) { return error.code() == code; };
}

} // namespace test
} // namespace via
} // namespace ns3

#endif // VIA_TEST_FACE_BENCH_H
