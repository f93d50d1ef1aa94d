# SPDX-License-Identifier: GPL-2.0-only
"""Sockets of processes in Python."""

import errno

import pytest
import via
from via._cli import main

C_PING_PONG = """
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
int main(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(5000)};
    const int rank = atoi(getenv("VIA_RANK"));
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    char byte = 0;
    if (rank == 0)
    {
        bind(fd, (struct sockaddr*)&at, sizeof at);
    }
    memcpy(&at.sin_addr, gethostbyname("n0")->h_addr_list[0], 4);
    for (int i = 0; i < 10; i++)
    {
        if (rank == 1)
        {
            sendto(fd, &byte, 1, 0, (struct sockaddr*)&at, sizeof at);
            recv(fd, &byte, 1, 0);
        }
        else
        {
            socklen_t bytes = sizeof at;
            recvfrom(fd, &byte, 1, 0, (struct sockaddr*)&at, &bytes);
            sendto(fd, &byte, 1, 0, (struct sockaddr*)&at, sizeof at);
        }
    }
    return 0;
}
"""


def on_two_nodes(serve, ask, **given):
    cluster = via.Cluster(nodes=2, **given)
    cluster.process(0)(serve)
    cluster.process(1, start="1ms")(ask)
    return cluster.run()


async def echo(p):
    listener = await p.socket()
    await listener.bind(5000)
    await listener.listen()
    stream, (address, port) = await listener.accept()
    assert stream.peer == (address, port)
    while data := await stream.recv(10_000):
        assert await stream.send(data) == len(data)
    await stream.close()
    return address


@pytest.mark.parametrize(
    ("host", "address"), [("n0", "10.0.0.2"), (0, "10.0.0.2"), ("c0", "172.16.0.2")]
)
def test_a_stream_carries_bytes_both_ways(host, address):
    async def ask(p):
        stream = await p.socket()
        await stream.connect(host, 5000)
        sent = bytes(range(256)) * 200
        await stream.send(memoryview(sent)[:30_000])
        assert await stream.recv(30_000, all=True) == sent[:30_000]
        await stream.shutdown()
        return await stream.recv(1), stream.local[0]

    run = on_two_nodes(echo, ask, control_network=host == "c0")
    assert run.returned == {0: address, 1: (b"", address)}


def test_datagrams_tell_where_they_come_from():
    async def serve(p):
        end = await p.socket("udp")
        await end.bind(5000, "n0")
        data, (host, port) = await end.recvfrom(100)
        await end.sendto(data[::-1], host, port)
        return host

    async def ask(p):
        end = await p.socket("udp")
        await end.sendto(bytearray(b"abc"), 0, 5000)
        return await end.recvfrom(2)

    assert on_two_nodes(serve, ask).returned == {0: "10.0.0.2", 1: (b"cb", ("10.0.0.1", 5000))}


def test_errors_are_those_of_pythons_own_sockets():
    async def serve(p):
        end = await p.socket("udp")
        await end.bind(5000)
        end.set_timeout("2ms")
        with pytest.raises(TimeoutError):
            await end.recv(1)
        with pytest.raises(OSError, match="Address already in use"):
            await (await p.socket("udp")).bind(5000)
        return p.now // 10**9

    async def ask(p):
        stream = await p.socket()
        with pytest.raises(ConnectionRefusedError):
            await stream.connect("n0", 5000)
        with pytest.raises(ValueError, match="host = n2: there is no such host"):
            await stream.connect("n2", 5000)
        with pytest.raises(ValueError, match="host = c0: there is no such host"):
            await stream.connect("c0", 5000)
        with pytest.raises(ValueError, match="kind = raw: tcp or udp"):
            await p.socket("raw")
        await stream.close()
        with pytest.raises(OSError, match="Bad file descriptor"):
            await stream.send(b"x")
        with pytest.raises(OSError, match="Bad file descriptor"):
            print(stream.local)

    assert on_two_nodes(serve, ask).returned[0] == 2


def test_a_process_that_ends_closes_its_sockets():
    async def serve(p):
        listener = await p.socket()
        await listener.bind(5000)
        await listener.listen()
        stream, _ = await listener.accept()
        return await stream.recv(100)

    async def ask(p):
        await (await p.socket()).connect("n0", 5000)

    assert on_two_nodes(serve, ask).returned[0] == b""


def test_calls_take_the_time_of_the_same_calls_in_c(compile_c):
    cluster = via.Cluster(nodes=2)

    @cluster.process([0, 1])
    async def ping_pong(p):
        end = await p.socket("udp")
        if p.rank == 0:
            await end.bind(5000)
        for _ in range(10):
            if p.rank == 1:
                await end.sendto(b"\0", "n0", 5000)
                await end.recv(1)
            else:
                data, (host, port) = await end.recvfrom(1)
                await end.sendto(data, host, port)

    in_python = cluster.run()
    in_c = cluster.run_program(compile_c("ping_pong", C_PING_PONG, "--no-trace-pc"))
    assert list(in_python.processes["end_ps"]) == list(in_c.processes["end_ps"])
    assert list(in_python.processes["system_ps"]) == list(in_c.processes["system_ps"])


def test_a_listener_may_be_closed_while_a_connection_is_being_set_up():
    def answer(closes_us):
        async def serve(p):
            listener = await p.socket()
            await listener.bind(5000)
            await listener.listen()
            await p.sleep(f"{closes_us}us")
            await listener.close()

        async def ask(p):
            stream = await p.socket()
            try:
                await stream.connect("n0", 5000)
                return await stream.recv(1)
            except OSError as error:
                return type(error)

        return on_two_nodes(serve, ask).returned[1]

    answers = [answer(closes_us) for closes_us in range(1020, 1100, 4)]
    assert answers[0] is ConnectionRefusedError  # closed before the first segment
    assert answers[-1] is ConnectionResetError  # closed after the last
    assert set(answers) == {ConnectionRefusedError, ConnectionResetError}


WITHOUT_A_KERNEL = "sparc20-sunos4"


async def opens(p):
    try:
        await p.socket()
    except OSError as error:
        return error.errno
    return 0


def test_a_host_without_a_kernel_has_no_sockets_until_one_is_chosen():
    def error(**given):
        cluster = via.Cluster(nodes=1, host=WITHOUT_A_KERNEL, **given)
        cluster.process(0)(opens)
        return cluster.run().returned[0]

    assert error() == errno.EAFNOSUPPORT
    assert error(kernel="linux-2.0") == 0


def test_a_program_on_such_a_host_ends_and_names_the_option(compile_c, capfd):
    program = str(compile_c("ping_pong", C_PING_PONG, "--no-trace-pc"))
    given = ["run", "--host", WITHOUT_A_KERNEL]
    assert main([*given, program]) != 0
    says = "socket(): the host has no network stack: choose one with --kernel"
    assert says in capfd.readouterr().err
    assert main([*given, "--kernel", "linux-2.0", program]) == 0


def test_a_control_network_needs_a_kernel():
    cluster = via.Cluster(nodes=1, host=WITHOUT_A_KERNEL, control_network=True)
    cluster.process(0)(opens)
    with pytest.raises(via.ConfigError, match="host sparc20-sunos4 has no network stack"):
        cluster.run()


def test_a_host_that_is_alone_finds_nobody() -> None:
    cluster = via.Cluster(nodes=1)

    @cluster.process(0)
    async def alone(p):
        socket = await p.socket()
        with pytest.raises(TimeoutError):
            await socket.connect("10.0.0.9", 5000)
        return "timed out"

    assert cluster.run().returned == {0: "timed out"}
