# SPDX-License-Identifier: GPL-2.0-only
"""Calls of C programs that do the same as on Linux: each program runs on both."""

from pathlib import Path

SIGNALS = r"""
static int caught;
static void count(int number) { caught++; }
int main(void)
{
    struct itimerval none;
    SHOW(sigset(SIGUSR1, count) == SIG_DFL);
    SHOW(sighold(SIGUSR1));
    SHOW(raise(SIGUSR1) + 10 * caught);
    SHOW(sigrelse(SIGUSR1) + 10 * caught);
    SHOW(sigset(SIGUSR1, SIG_HOLD) == count);
    SHOW(sigset(SIGUSR1, count) == SIG_HOLD);
    SHOW(gsignal(SIGUSR1) + 10 * caught);
    SHOW(sigblock(sigmask(SIGUSR1)));
    SHOW(siggetmask());
    SHOW(raise(SIGUSR1) + 10 * caught);
    SHOW(sigsetmask(0) + 10 * caught);
    SHOW(sigignore(SIGUSR1));
    SHOW(raise(SIGUSR1) + 10 * caught);
    SHOW(sysv_signal(SIGUSR1, count) == SIG_IGN);
    SHOW(raise(SIGUSR1) + 10 * caught);
    SHOW(signal(SIGUSR1, SIG_IGN) == SIG_DFL);
    SHOW(setitimer(ITIMER_REAL, NULL, &none));
    SHOW(sighold(0));
    SHOW(signal(SIGKILL, count) == SIG_ERR);
    SHOW(kill(getpid(), 1000));
    return 0;
}
"""


def test_the_older_calls_of_signals_have_their_effect(both):
    assert "gsignal(SIGUSR1) + 10 * caught: 20, errno 0" in both("old-signals", SIGNALS)


FILES = r"""
int main(void)
{
    char name[] = "x-XXXXXX.c", folder[] = "y-XXXXXX", none[] = "z-XXXXX";
    struct rlimit limit;
    FILE* stream;
    struct stat about;
    int fd = creat64("made", 0600);
    SHOW(fd);
    SHOW(mkstemps64(name, 2));
    SHOW(strlen(name) == 10 && strcmp(name, "x-XXXXXX.c") != 0 && stat(name, &about) == 0);
    SHOW(mkdtemp(folder) == folder && stat(folder, &about) == 0 && S_ISDIR(about.st_mode));
    SHOW(mkstemp64(none));
    SHOW(write(fd, "text\n", 5));
    SHOW(dup2(open("/dev/fd/3", O_RDWR), 9));
    stream = freopen64("made", "r", stdin);
    SHOW(stream == stdin && getchar() == 't');
    SHOW(fileno(stdin));
    SHOW(fclose(stdin));
    SHOW(read(0, name, 1));
    SHOW(getrlimit64(RLIMIT_NOFILE, (struct rlimit64*)&limit));
    SHOW(setrlimit64(RLIMIT_NOFILE, (struct rlimit64*)&limit));
    SHOW(setrlimit64(-1, (struct rlimit64*)&limit));
    SHOW(fstat(77, &about));
    SHOW(isatty(77));
    SHOW(close_range(5, 4, 0));
    closefrom(4);
    SHOW(fcntl(9, F_GETFD));
    SHOW(fcntl(3, F_GETFD));
    SHOW(tmpfile64() != NULL);
    SHOW(memfd_create("memory", 0) >= 0);
    SHOW(fileno(freopen("out", "w", stdout)));
    puts("into the file");
    fclose(stdout);
    return puts("nowhere") != EOF;
}
"""


def test_files_have_the_same_calls_with_64_bits(both, tmp_path: Path):
    both("files-of-64-bits", FILES)
    for folder in ("real", "simulated"):
        assert (tmp_path / folder / "out").read_text().startswith("fileno(freopen")


RWLOCKS = r"""
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static void* change(void* unused)
{
    printf("write %d\n", pthread_rwlock_wrlock(&lock));
    pthread_rwlock_unlock(&lock);
    return NULL;
}
int main(void)
{
    struct timespec bad = {0, 1000000000};
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_t writer;
    char name[16];
    SHOW(pthread_rwlock_rdlock(&lock));
    pthread_create(&writer, NULL, change, NULL);
    usleep(20000);
    SHOW(pthread_rwlock_rdlock(&lock));
    SHOW(pthread_rwlock_unlock(&lock));
    fflush(stdout);
    pthread_rwlock_unlock(&lock);
    pthread_join(writer, NULL);
    pthread_mutex_lock(&mutex);
    SHOW(pthread_mutex_timedlock(&mutex, &bad));
    SHOW(pthread_setname_np(pthread_self(), "worker"));
    SHOW(pthread_getname_np(pthread_self(), name, sizeof(name)));
    puts(name);
    SHOW(pthread_setname_np(pthread_self(), "a name that is too long"));
    SHOW(pthread_getname_np(pthread_self(), name, 3));
    return 0;
}
"""


def test_a_read_lock_can_be_taken_again_while_a_writer_waits(both):
    assert "write 0" in both("read-again", RWLOCKS)


RANDOM = r"""
int main(void)
{
    static char state[64], other[128];
    unsigned short parameters[7] = {1, 2, 3, 4, 5, 6, 7};
    char* before = initstate(7, state, sizeof(state));
    long first = random();
    srandom(7);
    SHOW(first == random());
    SHOW(random());
    SHOW(setstate(before) == state);
    SHOW(random());
    SHOW(setstate(state) == before);
    SHOW(random());
    SHOW(initstate(3, other, sizeof(other)) == state);
    SHOW(random());
    lcong48(parameters);
    SHOW(lrand48());
    SHOW(arc4random_uniform(1));
    return 0;
}
"""


def test_random_numbers_with_a_state_of_the_programs_are_those_of_linux(both):
    both("random-states", RANDOM)


BETWEEN_THREADS = r"""
static volatile int caught;
static sem_t never;
static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static int ends[2];
static void count(int number) { caught++; }
static void* await(void* unused)
{
    sigset_t one;
    int number = 0;
    sigemptyset(&one);
    sigaddset(&one, SIGUSR1);
    printf("sigwait %d", sigwait(&one, &number));
    printf(" %d\n", number == SIGUSR1);
    return NULL;
}
static void* rest(void* unused)
{
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, SIGUSR2);
    pthread_sigmask(SIG_UNBLOCK, &one, NULL);
    SHOW(pause() + 10 * caught);
    SHOW(read(ends[0], &one, 1) + 10 * caught);
    SHOW(sleep(20) > 10);
    SHOW(sem_wait(&never) + 10 * caught);
    SHOW(pthread_mutex_lock(&held) + 10 * caught);
    return NULL;
}
int main(void)
{
    struct sigaction action = {.sa_handler = count};
    struct timespec brief = {0, 1000000};
    sigset_t both;
    pthread_t first, second;
    int i;
    sigaction(SIGUSR2, &action, NULL);
    sem_init(&never, 0, 0);
    pipe(ends);
    sigemptyset(&both);
    sigaddset(&both, SIGUSR1);
    sigaddset(&both, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &both, NULL);
    pthread_mutex_lock(&held);
    pthread_create(&first, NULL, await, NULL);
    usleep(50000);
    kill(getpid(), SIGUSR1);
    pthread_join(first, NULL);
    pthread_create(&second, NULL, rest, NULL);
    for (i = 0; i < 5; i++)
    {
        usleep(50000);
        i % 2 ? pthread_kill(second, SIGUSR2) : kill(getpid(), SIGUSR2);
    }
    usleep(50000);
    pthread_mutex_unlock(&held);
    pthread_join(second, NULL);
    SHOW(sigtimedwait(&both, NULL, &brief));
    kill(getpid(), SIGUSR1);
    SHOW(sigpending(&both) + 10 * sigismember(&both, SIGUSR1));
    SHOW(sigwaitinfo(&both, NULL) == SIGUSR1);
    SHOW(tgkill(getpid(), gettid(), 0));
    SHOW(pthread_kill(pthread_self(), 1000));
    return 0;
}
"""


def test_a_signal_wakes_the_thread_that_does_not_block_it(both):
    assert "read(ends[0], &one, 1) + 10 * caught: 19, errno 4" in both(
        "thread-signals", BETWEEN_THREADS
    )


TIMERS = r"""
static volatile int caught;
static volatile pthread_t catcher;
static sem_t never, go;
static int ends[2];
static void count(int number)
{
    caught++;
    catcher = pthread_self();
}
static void start(int ms, int interval)
{
    struct itimerval timer = {{0, interval * 1000}, {ms / 1000, ms % 1000 * 1000}};
    setitimer(ITIMER_REAL, &timer, NULL);
}
static void mask(int how)
{
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, SIGALRM);
    pthread_sigmask(how, &one, NULL);
}
static void* await(void* unused)
{
    sigset_t one;
    int number;
    sigemptyset(&one);
    sigaddset(&one, SIGALRM);
    for (int i = 0; i < 3; i++)
    {
        number = 0;
        sigwait(&one, &number);
        SHOW(number);
    }
    start(0, 0);
    return NULL;
}
static void* rest(void* unused)
{
    char byte;
    mask(SIG_UNBLOCK);
    SHOW(pause());
    SHOW(read(ends[0], &byte, 1));
    SHOW(sem_wait(&never));
    SHOW(sleep(20) > 10);
    return NULL;
}
static void* leave(void* unused)
{
    mask(SIG_UNBLOCK);
    sem_wait(&go);
    return NULL;
}
static void* begin(void* unused)
{
    usleep(100000);
    start(200, 0);
    sem_post(&go);
    usleep(400000);
    SHOW(caught);
    return NULL;
}
static pthread_t run(void* (*body)(void*))
{
    pthread_t thread;
    pthread_create(&thread, NULL, body, NULL);
    return thread;
}
int main(void)
{
    struct sigaction action = {.sa_handler = count};
    pthread_t thread;
    sigaction(SIGALRM, &action, NULL);
    sem_init(&never, 0, 0);
    sem_init(&go, 0, 0);
    pipe(ends);
    mask(SIG_BLOCK);
    thread = run(await);
    usleep(100000);
    start(20, 20);
    pthread_join(thread, NULL);
    start(100000, 0);
    thread = run(rest);
    for (int i = 0; i < 4; i++)
    {
        usleep(100000);
        start(20, 0); /* earlier than it was, or when none ran */
    }
    pthread_join(thread, NULL);
    SHOW(caught + 100 * (catcher == thread));
    run(rest); /* of two that wait, one ends before the timer does */
    run(leave);
    usleep(100000);
    pthread_join(run(begin), NULL);
    mask(SIG_UNBLOCK);
    thread = run(begin); /* the main thread comes first */
    pthread_join(thread, NULL);
    SHOW(catcher == pthread_self());
    return 0;
}
"""


def test_the_timer_reaches_the_thread_that_waited_before_it_was_started(both):
    assert both("timers-and-threads", TIMERS) == [
        *3 * ["number: 14, errno 0"],
        "pause(): -1, errno 4",
        "read(ends[0], &byte, 1): -1, errno 4",
        "sem_wait(&never): -1, errno 4",
        "sleep(20) > 10: 1, errno 4",
        "caught + 100 * (catcher == thread): 104, errno 0",
        "pause(): -1, errno 4",
        "caught: 5, errno 0",
        "caught: 6, errno 0",
        "catcher == pthread_self(): 1, errno 0",
    ]


OPTIONS = r"""
static void parse(const char* letters, int only, const char* line)
{
    static const struct option longs[] = {{"add", no_argument, NULL, 1000},
                                          {"append", no_argument, NULL, 1001},
                                          {"file", required_argument, NULL, 1002},
                                          {"level", optional_argument, NULL, 1003},
                                          {NULL, 0, NULL, 0}};
    char copy[100], *argv[20];
    int argc = 0, got, i, which;
    strcpy(copy, line);
    for (argv[0] = strtok(copy, " "); argv[argc]; argv[++argc] = strtok(NULL, " "))
    {
    }
    printf("'%s' %d: %s\n", letters, only, line);
    optind = 0;
    do
    {
        which = -1;
        optarg = NULL;
        got = only == 2   ? getopt_long_only(argc, argv, letters, longs, &which)
              : only == 1 ? getopt_long(argc, argv, letters, longs, &which)
                          : getopt(argc, argv, letters);
        printf("%d %s %d\n", got, optarg ? optarg : "-", which);
        if (got == '?' || got == ':')
        {
            printf("optopt %d\n", optopt);
        }
    } while (got != -1);
    for (i = optind; i < argc; i++)
    {
        printf("operand %s\n", argv[i]);
    }
}
int main(void)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    dup2(1, 2);
    parse("-ab:", 0, "p one -a two -b x three -- four");
    parse("-ab:", 1, "p one -a two --add three -- four");
    parse("+ab:", 0, "p -a one -b x");
    parse("ab:", 0, "p one -a two -bx -z -b");
    parse(":ab:", 0, "p -z -b");
    parse("+:ab:", 0, "p -z -b");
    parse("ab:c::", 0, "p -cx -c x -acb y");
    parse("af:", 2, "p -a -add -f x -file y -file=z -fx -level=3 -level -nope -ax");
    parse("af:W;", 1, "p -W file=a -Wfile b -W add -Wnope -W");
    parse("af:", 1, "p --a --ad --fi x --file --level=2 --add=3 --nope -x y");
    return 0;
}
"""


def test_options_are_parsed_as_on_linux(both):
    both("options-of-linux", OPTIONS)
