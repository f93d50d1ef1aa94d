/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// C++ in a hosted program: statics of templates, exceptions, chrono, streams, destructors.

#include <chrono>
#include <exception>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace shapes // not a nameless one, whose classes the compiler knows all
{

struct Shape
{
    Shape()
    {
        Shape* volatile unknown = this; // the compiler must not see what it calls
        unknown->Sides();
    }

    virtual ~Shape() = default;
    virtual int Sides() = 0;
};

struct Square : Shape
{
    int Sides() override
    {
        return 4;
    }
};

} // namespace shapes

namespace
{

template <class T>
struct Counter
{
    static int s_count;

    static int Next()
    {
        static int calls = 0;
        s_count++;
        return ++calls;
    }
};

template <class T>
int Counter<T>::s_count = 0;

struct Noisy
{
    std::string name;

    ~Noisy()
    {
        std::cout << "~" << name << "\n";
    }
};

Noisy g_noisy{"static"};

[[noreturn]] void
LeaveInGoodOrder()
{
    try
    {
        std::rethrow_exception(std::current_exception());
    }
    catch (const std::exception& error)
    {
        std::cout << "handled: " << error.what() << "\n";
    }
    std::exit(3);
}

int
Check(const std::string& how)
{
    using std::chrono::duration_cast;
    using std::chrono::milliseconds;
    using std::chrono::seconds;
    using std::chrono::steady_clock;
    using std::chrono::system_clock;
    if (how == "uncaught")
    {
        Noisy local{"automatic"};
        throw std::logic_error("nobody listens");
    }
    if (how == "number")
    {
        throw 42;
    }
    if (how == "terminate" || how == "terminate-thread")
    {
        std::set_terminate(&LeaveInGoodOrder);
        const auto fails = [] { throw std::logic_error("nobody listens"); };
        how == "terminate" ? fails() : std::thread(fails).join();
    }
    if (how == "pure")
    {
        return shapes::Square().Sides();
    }
    if (how == "noexcept")
    {
        []() noexcept { throw 1; }();
    }
    if (how == "exit")
    {
        Noisy local{"automatic"};
        std::exit(4);
    }
    if (how == "wait")
    {
        Noisy local{"automatic"};
        sleep(1000000);
    }
    if (how == "wait-noexcept")
    {
        Noisy local{"automatic"};
        []() noexcept { sleep(1000000); }();
    }
    if (how == "spin")
    {
        try
        {
            sleep(1000000);
        }
        catch (...)
        {
        }
        for (volatile int i = 0;;)
        {
            i = i + 1;
        }
    }
    if (how == "swallow")
    {
        for (;;)
        {
            try
            {
                sleep(1000000);
            }
            catch (...)
            {
                std::cout << "caught\n";
            }
        }
    }
    const auto steady = steady_clock::now();
    const auto wall = system_clock::now();
    std::this_thread::sleep_for(milliseconds(1500));
    std::cout << "steady " << duration_cast<milliseconds>(steady_clock::now() - steady).count()
              << "\nwall " << duration_cast<seconds>(wall.time_since_epoch()).count() << "\n";
    return 0;
}

} // namespace

int
main(int argc, char** argv)
{
    for (int i = 0; i < argc; i++)
    {
        Counter<int>::Next();
    }
    std::cout << "template " << Counter<int>::s_count << " " << Counter<int>::Next() << "\n";
    std::map<std::string, std::vector<int>> table;
    table["a"].assign(1000, 1);
    try
    {
        table.at("b");
    }
    catch (const std::out_of_range&)
    {
        sleep(1); // other processes throw meanwhile
        try
        {
            throw;
        }
        catch (const std::exception&)
        {
            std::cout << "caught again\n";
        }
    }
    return Check(argc > 1 ? argv[1] : "");
}
