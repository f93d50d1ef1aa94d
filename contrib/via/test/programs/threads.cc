/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What C++ programs do with threads: they reduce to those of POSIX.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <future>
#include <mutex>
#include <pthread.h>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace
{

struct Witness
{
    explicit Witness(std::string text)
        : name(std::move(text))
    {
    }

    ~Witness()
    {
        std::printf("end of %s\n", name.c_str());
    }

    std::string name;
};

std::once_flag g_once;
thread_local Witness t_witness("a thread's own");

void
Library()
{
    std::mutex mutex;
    std::condition_variable condition;
    bool ready = false;
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i)
    {
        threads.emplace_back([&, i] {
            std::call_once(g_once, [] { std::puts("once"); });
            std::unique_lock<std::mutex> lock(mutex);
            condition.wait(lock, [&] { return ready; });
            std::printf("thread %d\n", i);
        });
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    {
        const std::lock_guard<std::mutex> lock(mutex);
        ready = true;
    }
    condition.notify_all();
    for (std::thread& thread : threads)
    {
        thread.join();
    }
    std::unique_lock<std::mutex> lock(mutex);
    const auto start = std::chrono::steady_clock::now();
    const auto status = condition.wait_for(lock, std::chrono::milliseconds(20));
    const auto span = std::chrono::steady_clock::now() - start;
    std::printf("%s after %d ms\n",
                status == std::cv_status::timeout ? "timeout" : "woken",
                static_cast<int>(span / std::chrono::milliseconds(1)));
    std::shared_timed_mutex shared;
    const std::shared_lock<std::shared_timed_mutex> reader(shared);
    std::printf("writer %d\n", shared.try_lock_for(std::chrono::milliseconds(1)) ? 1 : 0);
}

void
Futures()
{
    auto answer = std::async(std::launch::async, [] {
        std::this_thread::sleep_for(std::chrono::seconds(1));
        return 42;
    });
    std::printf("ready %d\n",
                answer.wait_for(std::chrono::milliseconds(10)) == std::future_status::ready ? 1
                                                                                            : 0);
    std::printf("answer %d\n", answer.get());
    auto failure = std::async(std::launch::async, []() -> int { throw std::runtime_error("no"); });
    try
    {
        failure.get();
    }
    catch (const std::exception& error)
    {
        std::printf("caught %s\n", error.what());
    }
}

void
Exceptions()
{
    // both threads are inside a catch block when the other one throws
    const auto body = [](const char* name) {
        for (int i = 0; i < 2; ++i)
        {
            try
            {
                throw std::runtime_error(name);
            }
            catch (const std::exception& error)
            {
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
                try
                {
                    throw;
                }
                catch (const std::exception& again)
                {
                    std::printf("%s %s\n", error.what(), again.what());
                }
            }
        }
    };
    std::thread one(body, "one");
    std::thread two(body, "two");
    one.join();
    two.join();
}

void
Own()
{
    std::thread([] {
        t_witness.name += " (the first's)";
        const Witness local("a scope left by pthread_exit");
        pthread_exit(nullptr);
    }).join();
    std::thread([] { t_witness.name += " (the second's)"; }).join();
    std::printf("%s\n", t_witness.name.c_str());
}

} // namespace

int
main(int, char** argv)
{
    const std::string what = argv[1];
    if (what == "library")
    {
        Library();
    }
    else if (what == "futures")
    {
        Futures();
    }
    else if (what == "exceptions")
    {
        Exceptions();
    }
    else if (what == "own")
    {
        Own();
    }
    else if (what == "uncaught")
    {
        std::thread([] { throw std::runtime_error("out of luck"); }).join();
    }
    else if (what == "kill")
    {
        std::thread([] {
            const Witness witness("a killed thread");
            std::this_thread::sleep_for(std::chrono::hours(1));
        }).join();
    }
    return 0;
}
