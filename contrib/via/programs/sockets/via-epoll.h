/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A set of descriptors that epoll_wait watches.

#ifndef VIA_EPOLL_H
#define VIA_EPOLL_H

#include "ns3/via-open-file.h"

#include <map>
#include <memory>
#include <sys/epoll.h>
#include <utility>

namespace ns3
{
namespace via
{

/**
 * @brief See OpenFile. A closed descriptor leaves the set.
 *
 * Who waits for the set waits for each descriptor in it, also for one that is added meanwhile. A
 * set may be in another one.
 */
class EpollDescriptor final : public OpenFile
{
  public:
    /// @param process that it belongs to; must outlive it
    explicit EpollDescriptor(FiberProcess& process)
        : m_process(process)
    {
    }

    /// @return 0 or an error, as epoll_ctl
    int Control(int operation,
                int number,
                const std::shared_ptr<OpenFile>& descriptor,
                epoll_event event);

    /**
     * @brief Takes at most @p most events that are ready; those with EPOLLET only after a change.
     *
     * If there may be more, the next call begins behind the last: no descriptor keeps others out.
     */
    std::vector<epoll_event> Take(std::size_t most);

    short Ready() override;
    unsigned Kind() const override;
    void Add(FiberThread& thread, short events) override;
    void Remove(FiberThread& thread) override;
    std::uint64_t Changes() const override;
    bool IsFree() const override;
    bool WokeFreely() const override;

  private:
    struct Item
    {
        std::weak_ptr<OpenFile> descriptor;
        epoll_event event;
        std::uint64_t seen{0}; ///< changes when it was last taken, plus 1
    };

    static bool IsEdge(const Item& item)
    {
        return (item.event.events & EPOLLET) != 0;
    }

    /// As Linux: so many sets may be in another one, in each other.
    static constexpr unsigned MOST_NESTED = 4;

    static std::uint32_t ReadyOf(const Item& item);

    /// @return the descriptors that are watched, each with its events
    std::vector<std::pair<std::shared_ptr<OpenFile>, short>> Watched() const;

    /// @return how many sets are in each other here; more than MOST_NESTED if @p set is among them
    unsigned Depth(const EpollDescriptor& set) const;

    /// At most @p level sets are around this one.
    void Sink(unsigned level);

    Moment WakeUp() override;
    int Enter(int number, const std::shared_ptr<OpenFile>& descriptor, epoll_event event);
    void Leave(int number);

    FiberProcess& m_process;
    std::map<int, Item> m_items; ///< by number
    unsigned m_level{0};         ///< so many sets have been around this one, in each other
    int m_last{-1};              ///< the number after which Take begins
};

} // namespace via
} // namespace ns3

#endif // VIA_EPOLL_H
