/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// How TCP connections end: RFC 793 where ns-3's state machine leaves it.

#ifndef VIA_TCP_CLOSING_H
#define VIA_TCP_CLOSING_H

#include "ns3/socket.h"
#include "ns3/tcp-socket-base.h"

namespace ns3
{
namespace via
{

/**
 * @brief From now on, segments that end a connection have the effect that RFC 793 gives them.
 *
 * ns-3 3.37 to 3.48 ignore an end whose segment begins with bytes that came before (as after a lost
 * acknowledgement), and do not acknowledge an end again, so that a peer repeats it in vain. They
 * ignore what an end acknowledges, and so repeat bytes that have arrived. They acknowledge the
 * bytes, but not the end, of a segment that comes after an own end. And once both sides have ended
 * they take any acknowledgement for that of the end: what is still on its way is not repeated, and
 * further acknowledgements are answered with a reset.
 */
void MendTcpClosing(const Ptr<Socket>& socket);

/// Ends the bytes of @p socket: the end follows what was sent. ns-3's ShutdownSend sends none while
/// bytes are unacknowledged.
void EndTcpSending(const Ptr<Socket>& socket);

/// Goes on repeating the end of @p socket if that is all that its peer has not acknowledged: ns-3
/// stops to when the peer's window is shut.
void RepeatTcpEnd(const Ptr<TcpSocketBase>& socket);

/// Closes @p socket: its bytes still leave, then its end. ns-3's Close resets a connection that
/// both sides have ended.
void CloseTcp(const Ptr<Socket>& socket);

/// Nobody will read what comes to the closed @p socket: who sends new bytes gets a reset.
void RefuseTcpData(const Ptr<Socket>& socket);

/// @return whether the peer still has to acknowledge bytes or the end of a closed connection
bool AwaitsTcpAcknowledgement(const Ptr<Socket>& socket);

/// Ends a connection with a reset, without a last word of its data.
void ResetTcp(const Ptr<Socket>& socket);

/// Resets a connection that nobody will read, and lets go of it. For events: not inside of its
/// calls.
void ResetAndEndTcp(Ptr<Socket> socket);

} // namespace via
} // namespace ns3

#endif // VIA_TCP_CLOSING_H
