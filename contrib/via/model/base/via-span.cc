/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Spans: the owner of each picosecond of a message, and what each span waited for.

#include "via-span.h"

#include "ns3/abort.h"

namespace ns3
{
namespace via
{

const char*
StageName(Stage stage)
{
    switch (stage)
    {
    case Stage::COMPUTE:
        return "compute";
    case Stage::CALL_POST_SEND:
        return "post-send";
    case Stage::CALL_POST_RECV:
        return "post-recv";
    case Stage::CALL_REAP:
        return "reap";
    case Stage::CALL_POLL:
        return "poll";
    case Stage::CALL_CQ_REAP:
        return "cq-reap";
    case Stage::CALL_CQ_POLL:
        return "cq-poll";
    case Stage::CALL_WAIT:
        return "wait-call";
    case Stage::CALL_SETUP:
        return "set-up-call";
    case Stage::CALL_CONNECT:
        return "connect-call";
    case Stage::CALL_CLOCK:
        return "clock-call";
    case Stage::INTERRUPT:
        return "interrupt";
    case Stage::CONTEXT_SWITCH:
        return "context-switch";
    case Stage::CACHE_MISS:
        return "cache-miss";
    case Stage::KERNEL_SEND:
        return "kernel-send";
    case Stage::KERNEL_RECEIVE:
        return "kernel-receive";
    case Stage::COPY:
        return "copy";
    case Stage::TRAP:
        return "trap";
    case Stage::KERNEL_DESCRIPTOR:
        return "kernel-descriptor";
    case Stage::KERNEL_TRANSLATE:
        return "kernel-translate";
    case Stage::KERNEL_RESIDUAL:
        return "kernel-residual";
    case Stage::SYSTEM_CALL:
        return "system-call";
    case Stage::SOCKET:
        return "socket";
    case Stage::PROTOCOL:
        return "protocol";
    case Stage::CHECKSUM:
        return "checksum";
    case Stage::MAP_PAGES:
        return "map-pages";
    case Stage::DRIVER:
        return "driver";
    case Stage::SOFT_INTERRUPT:
        return "soft-interrupt";
    case Stage::WAKE_UP:
        return "wake-up";
    case Stage::DOORBELL:
        return "doorbell";
    case Stage::DESCRIPTOR_WRITE:
        return "descriptor-write";
    case Stage::RING_FETCH:
        return "ring-fetch";
    case Stage::TRANSLATION_FETCH:
        return "translation-fetch";
    case Stage::DESCRIPTOR_FETCH:
        return "descriptor-fetch";
    case Stage::PAYLOAD_READ:
        return "payload-read";
    case Stage::PAYLOAD_WRITE:
        return "payload-write";
    case Stage::STATUS_WRITE:
        return "status-write";
    case Stage::CQ_WRITE:
        return "cq-write";
    case Stage::DOORBELL_SCAN:
        return "doorbell-scan";
    case Stage::DOORBELL_DECODE:
        return "doorbell-decode";
    case Stage::DMA_START:
        return "dma-start";
    case Stage::DESCRIPTOR_READ:
        return "descriptor-read";
    case Stage::TRANSLATE:
        return "translate";
    case Stage::TRANSLATION_HIT:
        return "translation-hit";
    case Stage::TRANSLATION_MISS:
        return "translation-miss";
    case Stage::SEGMENT:
        return "segment";
    case Stage::DEMUX:
        return "demux";
    case Stage::RESIDUAL:
        return "residual";
    case Stage::COMPLETE:
        return "complete";
    case Stage::CONNECTION:
        return "connection";
    case Stage::TRANSPORT:
        return "transport";
    case Stage::SERIALIZE:
        return "serialize";
    case Stage::PROPAGATE:
        return "propagate";
    case Stage::SWITCH:
        return "switch";
    case Stage::ALIGN:
        return "align";
    case Stage::CPU_WAIT:
        return "cpu-wait";
    case Stage::BUS_WAIT:
        return "bus-wait";
    case Stage::ENGINE_WAIT:
        return "engine-wait";
    case Stage::LINK_WAIT:
        return "link-wait";
    case Stage::CREDIT_WAIT:
        return "credit-wait";
    case Stage::DOORBELL_WAIT:
        return "doorbell-wait";
    case Stage::DESCRIPTOR_WAIT:
        return "descriptor-wait";
    case Stage::COALESCE:
        return "coalesce";
    case Stage::RECEIVER_LATE:
        return "receiver-late";
    case Stage::BLOCKED:
        return "blocked";
    case Stage::TIME_OUT:
        return "time-out";
    case Stage::RESEQUENCE:
        return "resequence";
    case Stage::BARRIER_STEP:
        return "barrier-step";
    case Stage::CONGESTION_WAIT:
        return "congestion-wait";
    }
    NS_ABORT_MSG("no such stage: " << static_cast<int>(stage));
}

const char*
EngineName(Engine engine)
{
    switch (engine)
    {
    case Engine::CPU:
        return "cpu";
    case Engine::BUS:
        return "bus";
    case Engine::NIC_SEND:
        return "nic-send";
    case Engine::NIC_RECEIVE:
        return "nic-receive";
    case Engine::LINK:
        return "link";
    case Engine::CROSSBAR:
        return "crossbar";
    case Engine::PROGRAM:
        return "program";
    }
    NS_ABORT_MSG("no such engine: " << static_cast<int>(engine));
}

} // namespace via
} // namespace ns3
