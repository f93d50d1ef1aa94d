/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/*
 * Random messages between all ranks, with random ways to wait for them and random pauses between.
 *
 * All ranks draw the same messages; each draws its own ways: polling, blocking with short, long and
 * no timeouts, completion queues, a second thread that takes what arrives. Datagrams pass beside
 * them, and ranks write into boards of others, which poll their memory. Threads of a rank share a
 * mutex and a condition. Every byte is checked. At the end each rank prints the time, the datagrams
 * that it had and a number made of what it saw on its board and when, which tells whether two runs
 * were the same to the nanosecond.
 *
 * random-waits SEED ROUNDS [SOCKETS]: 1 for datagrams, which MPI ranks do not carry; 2 for some on
 * the control network, too
 */

#define _GNU_SOURCE
#include "sockets.h"
#include "vipl-util.h"

#include <poll.h>
#include <pthread.h>
#include <sched.h>

#define RANKS 16
#define MOST 160 /* messages of a run */
#define LARGEST 3000

typedef struct Message
{
    int from;
    int to;
    VIP_ULONG bytes;
} Message;

static Host host;
static Message messages[MOST];
static int count;
static VIP_VI_HANDLE vis[RANKS];
static int on_cq[RANKS]; /* receives of that rank are reaped by way of the CQ */
static VIP_CQ_HANDLE queue;
static int taken[RANKS];          /* receives, by sender */
static int sent[RANKS];           /* sends whose completion nobody has looked at, by receiver */
static volatile int thread_takes; /* a second thread takes all receives */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int udp = -1; /* none: no datagrams are asked for, or these hosts have no IP */
static int datagrams;
static int has_control; /* hosts have second names, on the control network */

/* Each rank has a word on the board of each other one, which its VI of this pair may write. */
typedef struct Word
{
    VIP_VI_HANDLE vi;
    Target target;
    VIP_DESCRIPTOR* write;
    VIP_UINT64* source;
    int is_written; /* by a write whose completion nobody has looked at */
} Word;

static Word words[RANKS];
static volatile VIP_UINT64* board;
static VIP_UINT64 seen = 1;

static VIP_UINT32
below(VIP_UINT32* state, VIP_UINT32 limit)
{
    return next_random(state) % limit;
}

static void
spin(double us)
{
    const double until = now_us() + us;

    while (now_us() < until)
    {
    }
}

static void*
idle_thread(void* state)
{
    spin(below((VIP_UINT32*)state, 20));
    return NULL;
}

static void
say(const char* what)
{
    printf("%d %s at %ld ns\n", host.rank, what, Nanoseconds());
}

/* Give somebody a datagram, and take those that are here or come in time. */
static void
exchange_datagrams(VIP_UINT32* state)
{
    struct pollfd arrival = {udp, POLLIN, 0};
    char data[1400] = {0};
    const int peer = (int)below(state, host.size);
    char name[16];
    struct sockaddr_in to;

    if (udp < 0)
    {
        return;
    }
    snprintf(name,
             sizeof(name),
             has_control && below(state, 2) ? "c%d" : "n%d",
             peer / host.per_host);
    to = AddressOf(name, PORT + peer);
    sendto(udp, data, below(state, sizeof(data)), 0, (struct sockaddr*)&to, sizeof(to));
    while (poll(&arrival, 1, (int)below(state, 2)) == 1 &&
           recv(udp, data, sizeof(data), MSG_DONTWAIT) >= 0)
    {
        datagrams++;
    }
}

/* Write the time to the board of a rank, unless the last write there goes on. */
static void
write_word(VIP_UINT32* state)
{
    Word* word = &words[(host.rank + 1 + (int)below(state, host.size - 1)) % host.size];
    VIP_DESCRIPTOR* done;

    pthread_mutex_lock(&lock);
    if (!word->is_written || VipSendDone(word->vi, &done) == VIP_SUCCESS)
    {
        *word->source = (VIP_UINT64)Nanoseconds();
        describe_write(&host, word->write, word->source, sizeof(VIP_UINT64), &word->target);
        CHECK(VipPostSend(word->vi, word->write, host.handle));
        word->is_written = 1;
    }
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

/* Poll the word of a rank until it changes, for some time or for some turns. */
static void
watch_word(VIP_UINT32* state)
{
    const int from = (int)below(state, host.size);
    const VIP_UINT64 before = board[from];
    const int by_time = (int)below(state, 2);
    const double until = now_us() + below(state, 60);
    VIP_UINT32 turns = by_time ? 0 : below(state, 500);

    while (board[from] == before && (by_time ? now_us() < until : turns-- > 0))
    {
    }
    seen = seen * 31 + board[from] + (VIP_UINT64)Nanoseconds();
}

/* Sleep until another thread of this rank writes a word, or some time has passed. */
static void
await_change(VIP_UINT32* state)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += below(state, 50000);
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&lock);
    seen = seen * 31 + (VIP_UINT64)pthread_cond_timedwait(&changed, &lock, &until);
    pthread_mutex_unlock(&lock);
}

/* Something else than waiting for messages. */
static void
pause_a_bit(VIP_UINT32* state)
{
    const struct timespec some = {0, (long)below(state, 90000)};
    pthread_t thread;
    char* memory;

    switch (below(state, 16))
    {
    case 0:
        spin(below(state, 40));
        break;
    case 1:
        usleep(below(state, 200));
        break;
    case 2:
        nanosleep(&some, NULL);
        break;
    case 3:
        sched_yield();
        break;
    case 4:
        memory = (char*)malloc(1 + below(state, 60000));
        memset(memory, 1, 1);
        free(memory);
        break;
    case 5:
        if (pthread_create(&thread, NULL, idle_thread, state) == 0)
        {
            pthread_join(thread, NULL);
        }
        break;
    case 6:
        say("now");
        break;
    case 7:
    case 8:
    case 9:
        exchange_datagrams(state);
        break;
    case 10:
    case 11:
        write_word(state);
        break;
    case 12:
    case 13:
        watch_word(state);
        break;
    case 14:
        await_change(state);
        break;
    default:
        break;
    }
}

/* Messages of one pair: which one is the number-th? */
static const Message*
nth(int from, int to, int number)
{
    int i;

    for (i = 0; i < count; i++)
    {
        if (messages[i].from == from && messages[i].to == to && number-- == 0)
        {
            return &messages[i];
        }
    }
    fail("%d has more from %d than there is", to, from);
    return NULL;
}

static void
check_message(int from, const VIP_DESCRIPTOR* descriptor)
{
    const Message* message = nth(from, host.rank, taken[from]++);
    const void* data = (const void*)descriptor->DS[0].Local.Data.Address;

    if (descriptor->CS.Length != message->bytes ||
        bytes_differ(data, message->bytes, (VIP_UINT32)(message - messages), 0) >= 0)
    {
        fail("message %d from %d is wrong", (int)(message - messages), from);
    }
}

static int
rank_of(VIP_VI_HANDLE vi)
{
    int i;

    for (i = 0; i < host.size; i++)
    {
        if (vis[i] == vi)
        {
            return i;
        }
    }
    fail("a VI of nobody");
    return -1;
}

/* One attempt to find a completion, which may find none. */
static VIP_RETURN
look(VIP_UINT32* state, VIP_VI_HANDLE vi, int receive, VIP_DESCRIPTOR** descriptor)
{
    static const VIP_ULONG timeouts[] = {0, 1, 2, 50};
    const VIP_UINT32 way = below(state, 8);

    if (way < 5)
    {
        return receive ? VipRecvDone(vi, descriptor) : VipSendDone(vi, descriptor);
    }
    const VIP_ULONG timeout = way < 7 ? timeouts[below(state, 4)] : VIP_INFINITE;
    return receive ? VipRecvWait(vi, timeout, descriptor) : VipSendWait(vi, timeout, descriptor);
}

static VIP_RETURN
look_at_queue(VIP_UINT32* state, VIP_VI_HANDLE* vi)
{
    VIP_BOOLEAN receive;
    const VIP_UINT32 way = below(state, 8);

    return way < 5 ? VipCQDone(queue, vi, &receive)
                   : VipCQWait(queue, way < 7 ? way - 4 : VIP_INFINITE, vi, &receive);
}

static int
is_nothing(VIP_RETURN result)
{
    return result == VIP_NOT_DONE || result == VIP_TIMEOUT;
}

/* Take the next message of a rank, or of any rank whose receives have the completion queue. */
static void
take(VIP_UINT32* state, int from)
{
    VIP_VI_HANDLE vi = vis[from];
    VIP_DESCRIPTOR* descriptor = NULL;
    VIP_RETURN result;

    do
    {
        result = on_cq[from] ? look_at_queue(state, &vi) : look(state, vi, 1, &descriptor);
        if (is_nothing(result) && below(state, 12) == 0)
        {
            pause_a_bit(state);
        }
    } while (is_nothing(result));
    CHECK(result);
    if (on_cq[from])
    {
        CHECK(VipRecvDone(vi, &descriptor));
    }
    check_message(rank_of(vi), descriptor);
}

/* All messages for this rank of one round, or of all of them. */
static void
take_round(VIP_UINT32* state, int first, int last)
{
    int i;

    for (i = first; i < last; i++)
    {
        if (messages[i].to == host.rank)
        {
            take(state, messages[i].from);
        }
    }
}

static void*
taker(void* state)
{
    take_round((VIP_UINT32*)state, 0, count);
    return NULL;
}

static void
reap_send(VIP_UINT32* state, int to)
{
    VIP_DESCRIPTOR* descriptor;
    VIP_RETURN result;

    do
    {
        result = look(state, vis[to], 0, &descriptor);
    } while (is_nothing(result));
    CHECK(result);
    sent[to]--;
}

static void
send_round(VIP_UINT32* state, int first, int last)
{
    int i;

    for (i = first; i < last; i++)
    {
        const Message* message = &messages[i];
        VIP_DESCRIPTOR* descriptor;
        char* data;
        VIP_UINT32 pauses;

        if (message->from != host.rank)
        {
            continue;
        }
        for (pauses = below(state, 7); pauses > 0; pauses--)
        {
            pause_a_bit(state);
        }
        descriptor = (VIP_DESCRIPTOR*)host_take(&host, sizeof(VIP_DESCRIPTOR));
        data = (char*)host_take(&host, message->bytes + 1);
        bytes_fill(data, message->bytes, (VIP_UINT32)i, 0);
        describe(&host, descriptor, data, message->bytes);
        CHECK(VipPostSend(vis[message->to], descriptor, host.handle));
        sent[message->to]++;
        while (sent[message->to] > 0 && below(state, 3) == 0)
        {
            reap_send(state, message->to);
        }
    }
}

static void
draw_messages(VIP_UINT32* state, int rounds)
{
    count = rounds * host.size < MOST ? rounds * host.size : MOST;
    for (int i = 0; i < count; i++)
    {
        Message* one = &messages[i];

        one->from = (int)below(state, host.size);
        one->to = (one->from + 1 + (int)below(state, host.size - 1)) % host.size;
        one->bytes = below(state, 3) == 0 ? below(state, LARGEST) : below(state, 100);
    }
}

static void
post_receives(int from)
{
    int i;

    for (i = 0; i < count; i++)
    {
        if (messages[i].from == from && messages[i].to == host.rank)
        {
            VIP_DESCRIPTOR* descriptor = (VIP_DESCRIPTOR*)host_take(&host, sizeof(VIP_DESCRIPTOR));

            describe(&host, descriptor, host_take(&host, messages[i].bytes + 1), messages[i].bytes);
            CHECK(VipPostRecv(vis[from], descriptor, host.handle));
        }
    }
}

static void
open_board(void)
{
    int i;

    board = (volatile VIP_UINT64*)host_take(&host, RANKS * sizeof(VIP_UINT64));
    for (i = 0; i < host.size; i++)
    {
        Word* word = &words[i];

        if (i != host.rank)
        {
            word->write = (VIP_DESCRIPTOR*)host_take(&host, sizeof(VIP_DESCRIPTOR));
            word->source = (VIP_UINT64*)host_take(&host, sizeof(VIP_UINT64));
            word->vi = vi_open(&host);
            target_expect(&host, word->vi);
        }
    }
}

/* All ranks learn where they may write. */
static void
share_board(void)
{
    int i;

    for (i = 0; i < host.size; i++)
    {
        if (i != host.rank)
        {
            target_offer(&host, words[i].vi, (void*)&board[i], sizeof(VIP_UINT64));
        }
    }
    for (i = 0; i < host.size; i++)
    {
        if (i != host.rank)
        {
            words[i].target = target_learn(words[i].vi);
        }
    }
}

static void
connect_all(VIP_UINT32* state)
{
    int i;

    CHECK(VipCreateCQ(host.nic, MOST, &queue));
    for (i = 0; i < host.size; i++)
    {
        if (i != host.rank)
        {
            on_cq[i] = below(state, 3) == 0;
            vis[i] = vi_open_on(&host, NULL, on_cq[i] ? queue : NULL);
            post_receives(i);
        }
    }
    for (i = 0; i < mesh_rounds(&host); i++)
    {
        const int partner = mesh_partner(&host, i);

        if (partner > host.rank)
        {
            vi_request(&host, vis[partner], partner, 0);
            vi_request(&host, words[partner].vi, partner, 1);
        }
        else if (partner >= 0)
        {
            vi_wait(&host, vis[partner], partner, 0);
            vi_wait(&host, words[partner].vi, partner, 1);
        }
    }
}

static void
open_udp(void)
{
    struct sockaddr_in own = {0};

    own.sin_family = AF_INET;
    own.sin_port = htons((uint16_t)(PORT + host.rank));
    udp = socket(AF_INET, SOCK_DGRAM, 0);
    if (udp >= 0 && bind(udp, (struct sockaddr*)&own, sizeof(own)) != 0)
    {
        fail("bind: %s", strerror(errno));
    }
}

int
main(int argc, char** argv)
{
    VIP_UINT32 common = (VIP_UINT32)(argc > 1 ? atol(argv[1]) : 1) * 2654435761U + 1;
    const int rounds = argc > 2 ? atoi(argv[2]) : 4;
    VIP_UINT32 mine;
    VIP_UINT32 other;
    pthread_t thread;
    int i;

    parse_options(&host, 1, argv, NULL, 0);
    if (host.size < 2 || host.size > RANKS)
    {
        fail("2 to %d processes are needed", RANKS);
    }
    draw_messages(&common, rounds);
    mine = common + (VIP_UINT32)host.rank * 97;
    if (argc > 3 && atoi(argv[3]) > 0)
    {
        open_udp();
        has_control = atoi(argv[3]) == 2;
    }
    host_open(&host, MOST * (LARGEST + 512) + RANKS * 2048);
    open_board();
    connect_all(&mine);
    share_board();
    thread_takes = below(&mine, 3) == 0;
    other = mine + 5;
    if (thread_takes && pthread_create(&thread, NULL, taker, &other) != 0)
    {
        fail("no thread");
    }
    for (i = 0; i < count; i += host.size)
    {
        const int last = i + host.size < count ? i + host.size : count;

        send_round(&mine, i, last);
        if (!thread_takes)
        {
            take_round(&mine, i, last);
        }
    }
    if (thread_takes)
    {
        pthread_join(thread, NULL);
    }
    for (i = 0; i < host.size; i++)
    {
        while (sent[i] > 0)
        {
            reap_send(&mine, i);
        }
    }
    say("ends");
    printf("%d datagrams, board %llx\n", datagrams, (unsigned long long)seen);
    return 0;
}
