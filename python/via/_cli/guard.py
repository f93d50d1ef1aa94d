# SPDX-License-Identifier: GPL-2.0-only
"""Runs the simulator in a child process, so that a crash becomes an exit code and a message.

An internal error of the simulator aborts its OS process in every build. The parent process reports
how the child ended.
"""

from __future__ import annotations

import ctypes
import os
import re
import signal
import sys
import time
import traceback
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from via._cli import streams

EXIT_INTERNAL = 4
_INTERRUPTED = "via: interrupted"
_STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_HELD = (*_STOPS, signal.SIGCHLD)
_HEARING_S = 0.2  # a signal right before a wait is heard after it
_PATIENCE_S = 1.0  # after an interrupt, a second one ends what does not react
_SHELL_SIGNAL = 128
_PR_SET_PDEATHSIG = 1  # of Linux's prctl


def guarded(work: Callable[[], int], parser: ArgumentParser | None = None) -> int:
    """Run work in a child process and return its exit code; 4 if it crashed."""
    sys.stdout.flush()
    sys.stderr.flush()
    ended, end = os.pipe()  # a child that ends normally reports it here
    unheld = signal.pthread_sigmask(signal.SIG_BLOCK, _HELD)  # until both know what to do
    with _passed_on() as (receiver, told):
        try:
            child = os.fork()
            if child == 0:
                code = _in_child(work, parser, unheld)
                os.write(end, b".")
                os._exit(code)
            receiver.append(child)
            for number, _ in told:  # to another thread, which does not hold signals back
                os.kill(child, number)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, {*unheld, signal.SIGCHLD})
        os.close(end)
        while os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
            signal.sigtimedwait([signal.SIGCHLD], _HEARING_S)
    signal.pthread_sigmask(signal.SIG_SETMASK, unheld)
    _, status = os.waitpid(child, 0)
    with os.fdopen(ended, "rb") as pipe:
        by_itself = pipe.read(1) == b"."
    return _explained(
        os.waitstatus_to_exitcode(status), by_itself=by_itself, interrupted=told != []
    )


@contextmanager
def _passed_on() -> Iterator[tuple[list[int], list[tuple[int, float]]]]:
    """Pass SIGINT, SIGTERM and SIGHUP on to the OS processes of a list, which remove their
    temporary files; kill them if one comes again after a second.

    A shell's Ctrl-C reaches them anyway, kill -INT of the parent does not.
    """
    receiver: list[int] = []
    told: list[tuple[int, float]] = []

    def pass_on(number: int, _: object) -> None:
        told.append((number, time.monotonic()))
        is_again = told[-1][1] - told[0][1] > _PATIENCE_S
        for process in receiver:
            os.kill(process, signal.SIGKILL if is_again else number)

    previous = {number: signal.signal(number, pass_on) for number in _heard()}
    try:
        yield receiver, told
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def _heard() -> list[signal.Signals]:
    """Return the signals that end a command; under nohup, SIGHUP does not."""
    return [
        each
        for each in _STOPS
        if each == signal.SIGINT or signal.getsignal(each) is not signal.SIG_IGN
    ]


def _in_child(
    work: Callable[[], int], parser: ArgumentParser | None, unheld: set[int | signal.Signals]
) -> int:
    for each in _heard():
        signal.signal(each, _interrupt_once)
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)  # do not outlive the parent
    try:
        signal.pthread_sigmask(signal.SIG_SETMASK, unheld)
        code = answered(work, parser)
    except KeyboardInterrupt as interrupt:
        number = interrupt.args[0] if interrupt.args else signal.SIGINT
        if number == signal.SIGINT:
            print(_INTERRUPTED, file=sys.stderr)
        code = _SHELL_SIGNAL + number
    except BaseException:
        traceback.print_exc()
        code = EXIT_INTERNAL
    return streams.finished(code)


def _interrupt_once(number: int, _: object) -> None:
    """Raise KeyboardInterrupt, so that temporary files go; not while they do."""
    for each in _STOPS:
        signal.signal(each, signal.SIG_IGN)  # from a shell and passed on, it comes twice
    raise KeyboardInterrupt(number)


def answered(work: Callable[[], int], parser: ArgumentParser | None = None) -> int:
    """Run work; user errors become one line and exit code 2.

    Args:
        work: what the command does.
        parser: the command's parser; error texts name its options instead of Python keywords.
    """
    from via.errors import ConfigError, NoProgress, RankDied, ViaError

    try:
        return work()
    except ConfigError as error:
        text = re.sub(r"^([a-z_]+)(?= = )", lambda word: _option(word[1], parser), str(error))
        print(f"via: {text}", file=sys.stderr)
        return 2
    except ViaError as error:
        print(f"via: {error}", file=sys.stderr)
        return EXIT_INTERNAL if isinstance(error, NoProgress | RankDied) else 1
    except OSError as error:  # it names the file or stream
        print(f"via: {_told(error)}", file=sys.stderr)
        return 2


def _told(error: OSError) -> str:
    what = f"{error.filename}: " if error.filename is not None else ""
    return f"{what}{error.strerror or error}"


def _option(keyword: str, parser: ArgumentParser | None) -> str:
    """Return the option for a Python keyword; the keyword itself if there is no such option."""
    known = () if parser is None else parser._option_string_actions
    option = f"--{keyword.replace('_', '-')}"
    one = option.removesuffix("s")  # for plural keywords, such as node_profiles
    return option if option in known else one if one in known else keyword


def _explained(code: int, *, by_itself: bool, interrupted: bool) -> int:
    if code >= 0:
        if not by_itself:
            print(
                f"via: the program has ended the simulator itself, with exit code {code}: it made "
                "a system call directly, or called a function that does. There are no results",
                file=sys.stderr,
            )
        return code if by_itself else EXIT_INTERNAL
    number = -code
    if number == signal.SIGINT or (number == signal.SIGKILL and interrupted):
        print(_INTERRUPTED, file=sys.stderr)
        return _SHELL_SIGNAL + signal.SIGINT
    if number == signal.SIGTERM:
        return _SHELL_SIGNAL + number
    print(
        f"via: internal error: the simulator ended by {signal.Signals(number).name}; the message "
        "above says where. Please report it with the command line and the seed",
        file=sys.stderr,
    )
    return EXIT_INTERNAL
