/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A trace source that costs nothing until somebody connects to it.

#ifndef VIA_NIC_TRACE_H
#define VIA_NIC_TRACE_H

#include "ns3/traced-callback.h"

#include <functional>
#include <string>
#include <utility>

namespace ns3
{
namespace via
{

/**
 * @brief As ns-3's TracedCallback, whose functions it has; it tells its owner of each connection.
 *
 * The owner begins to listen to the model only then.
 *
 * @tparam Arguments of the callbacks
 */
template <typename... Arguments>
class NicTrace
{
  public:
    /// @param listen called before each connection
    explicit NicTrace(std::function<void()> listen)
        : m_listen(std::move(listen))
    {
    }

    void ConnectWithoutContext(const CallbackBase& callback)
    {
        m_listen();
        m_callbacks.ConnectWithoutContext(callback);
    }

    void Connect(const CallbackBase& callback, const std::string& path)
    {
        m_listen();
        m_callbacks.Connect(callback, path);
    }

    void DisconnectWithoutContext(const CallbackBase& callback)
    {
        m_callbacks.DisconnectWithoutContext(callback);
    }

    void Disconnect(const CallbackBase& callback, const std::string& path)
    {
        m_callbacks.Disconnect(callback, path);
    }

    /// Calls what is connected.
    void operator()(Arguments... arguments) const
    {
        m_callbacks(arguments...);
    }

  private:
    std::function<void()> m_listen;
    TracedCallback<Arguments...> m_callbacks;
};

} // namespace via
} // namespace ns3

#endif // VIA_NIC_TRACE_H
