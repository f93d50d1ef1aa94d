/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/*
 * Event server: rank 0 answers the requests of many clients, each with a VI of its own, from a loop
 * around one completion queue. The other ranks share the clients among themselves.
 *
 * Clients come at different times, send requests with pauses between, say goodbye, disconnect, and
 * come again. A thread of the server waits for them and gives each a place; if there is none left,
 * it rejects the client, which tries again later. That the server stops serving a client is seen
 * from the completion queue, too: the receives of a connection that has ended come back flushed.
 *
 * usage: event-server [-c clients] [-v visits] [-n requests] [-w window] [-s bytes] [-m places]
 *                     [-t think]
 * The server prints: clients, visits, requests, rejected visits; and of the clients' mean times
 * from request to reply, in microseconds, the least, the median and the greatest, the longest time
 * of all, and Jain's index of fairness: 1 if all means are equal, 1 / clients if one waits for all.
 */

#include "event.h"

#include <stddef.h>

Host host;
Settings settings = {100, 2, 20, 2, 200, 100, 500};

static const Option options[] = {
    {'c', &settings.clients, 1, 10000, NULL, NULL, "clients"},
    {'v', &settings.visits, 1, 1000, NULL, NULL, "visits of each client"},
    {'n', &settings.requests, 1, 1000000, NULL, NULL, "requests of each visit"},
    {'w', &settings.window, 1, 64, NULL, NULL, "requests without a reply yet"},
    {'s', &settings.payload, 0, 32768, NULL, NULL, "bytes of the longest request or reply"},
    {'m', &settings.places, 1, 1000, NULL, NULL, "clients that are served at once"},
    {'t',
     &settings.think_us,
     0,
     1000000,
     NULL,
     NULL,
     "microseconds between requests, in the mean"}};

int
main(int argc, char** argv)
{
    parse_options(&host, argc, argv, options, COUNT(options));
    if (host.size < 2)
    {
        fail("event-server needs 2 processes or more");
    }
    if (host.rank == 0)
    {
        be_server();
    }
    else
    {
        be_clients();
    }
    return 0;
}
