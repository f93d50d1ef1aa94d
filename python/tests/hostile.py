# SPDX-License-Identifier: GPL-2.0-only
"""Files that are nearly right, thrown at every reader: each is read, or refused in one line.

A child process reads them, one after the other, and notes the number of each before it begins. So a
crash or a hang has a number, and `python3 python/tests/hostile.py FIRST LAST` shows what it was.
"""

from __future__ import annotations

import contextlib
import io
import json
import mmap
import os
import random
import shutil
import signal
import struct
import sys
import tempfile
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import via
from via import profiles
from via._base.files import read_json
from via._cli import main, reproducing
from via._cli.sources import breakdown_of
from via._cli.sweep import _file
from via._runs import provenance, store
from via.errors import ConfigError
from via.faults import load as load_faults
from via.sweeps.grid import points
from via.sweeps.store import Store

SECONDS = 60  # for one file, on a busy machine
_FAULTS = """\
schema = "via-faults/1"
[[loss]]
where = "n0>s0"
corrupt_ppb = 1000
at = "1.5 us"
until = "2 ms"
[[partition]]
sets = [["n0"], ["n1"]]
[[storm]]
kind = "link_down"
where = "all"
per_second = 1000
least = "1 us"
most = "20 us"
until = "3 ms"
"""
_SWEEP = 'what = "barrier"\nseed = 1\n[grid]\nnodes = [2, 4]\nprofile = ["ideal"]\n'
_WORDS = [
    b"[", b"]", b"{", b"}", b'"', b"'", b'"""', b"#", b"\\", b"\0", b"\n", b"\xff\xfe", b"\xc3",
    b"<", b">", b"</", b"<a>", b"<!--", b"<![CDATA[", b"&lt;", b"&#x0;", b"&a;", b",", b"=",
    b".", b"-1", b"0", b"1e999", b"nan", b"inf", b"-0", b"18446744073709551616",
    b"9223372036854775807", b"1" * 400, b"0x7f", b"1979-05-27T07:32:00Z", b"true", b"null",
    b"[[", b"../../etc/passwd", b"/dev/zero", b"\\u0000", b"\\ud800", "\N{PILE OF POO}".encode(),
    b"%s%n", b"a.a.a.a", b"\x1b[2J",
]  # fmt: skip


@dataclass(frozen=True)
class Reader:
    """A kind of file: what a right one holds, what it is called, and who reads it."""

    name: str
    content: bytes
    read: Callable[[Path], object]


def readers(made: Path) -> list[Reader]:
    """Return all readers; `made` is a folder with a run and figures in it."""
    home = Path(profiles.load().entries[0].file).parent
    home = home if home.name != "hosts" else home.parent
    ring = via.topology.parse("ring", 4)
    via.topology.write_graphml(ring, made / "ring.graphml")
    edges = "a,b,length_mm\n" + "".join(f"n{i},s0.{i},5000\n" for i in range(4))
    graph = (made / "ring.graphml").read_bytes()
    found = [
        Reader("p.toml", (home / "giganet-clan1000.toml").read_bytes(), lambda p: _load(p)),
        Reader("h.toml", (home / "hosts" / "pii300-linux22.toml").read_bytes(), _host),
        Reader("k.toml", (home / "kernels" / "linux-2.2.toml").read_bytes(), _kernel),
        Reader("f.toml", _FAULTS.encode(), _faults),
        Reader("f.json", _as_json(_FAULTS), _faults),
        Reader("t.graphml", graph, _topology),
        Reader("t.csv", edges.encode(), _topology),
        Reader("s.toml", _SWEEP.encode(), lambda p: points(_file(p).get("grid", {}))),
        Reader("s.json", b'[{"nodes": 2}, {"nodes": 4}]', lambda p: points(read_json(p, "x"))),
        Reader("b.csv", (made / "run" / "breakdown.csv").read_bytes(), _breakdown),
        Reader("c.json", (made / "run" / "run.json").read_bytes(), _compare),
        Reader("provenance.json", (made / "provenance.json").read_bytes(), _provenance),
    ]
    for figure in ("x.png", "x.svg", "x.pdf"):
        found.append(Reader(figure, (made / figure).read_bytes(), provenance.of_figure))
    for file in sorted((made / "run").iterdir()):
        found.append(Reader(f"run/{file.name}", file.read_bytes(), _run))
    kept = next((made / "cache").rglob("*.json"))
    found.append(Reader("k.json", kept.read_bytes(), lambda p, key=kept.stem: _cache(p, key)))
    return found


def make(folder: Path) -> None:
    """Make what the readers begin with."""
    run = via.Cluster(profile="ideal").run("ping-pong", rounds=3)
    run.save(folder / "run")
    for name in ("x.png", "x.svg", "x.pdf"):
        with via.charts.figure(folder / name, provenance=run.provenance) as panel:
            panel.plot([1, 2], [3, 4])
    table = folder / "t.csv"
    point = {"nodes": 2, "profile": "ideal"}
    via.sweep("barrier", [point], jobs=1, out=table, cache=folder / "cache")
    provenance.beside(table).rename(folder / "provenance.json")


def _as_json(text: str) -> bytes:
    import tomllib

    return json.dumps(tomllib.loads(text), indent=1).encode()


def _load(path: Path) -> None:
    profiles.entries(profiles.load(str(path)))


def _host(path: Path) -> None:
    profiles.load("giganet-clan1000", str(path))


def _kernel(path: Path) -> None:
    profiles.load("giganet-clan1000").with_kernel(str(path))


def _faults(path: Path) -> None:
    plan, _ = load_faults(path)
    plan.check(via.topology.parse("star", 2))


def _topology(path: Path) -> None:
    via.topology.describe(via.topology.parse(f"file:{path}"))


def _quiet(*words: object) -> None:
    """Run a command; its exit code must be one of those that promise no traceback."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main([str(word) for word in words])
    if code not in (0, 1, 2) or "Traceback" in err.getvalue():
        raise AssertionError(f"exit code {code}: {err.getvalue()}")
    if code == 2 and len(err.getvalue().splitlines()) != 1:
        raise AssertionError(f"not one line: {err.getvalue()}")


def _breakdown(path: Path) -> None:
    rows = breakdown_of(path, "source")
    _quiet("trace", path, "--message", rows["message"].iloc[0] if len(rows) else "0.0.0")


def _compare(path: Path) -> None:
    _quiet("compare", path, path)


def _provenance(path: Path) -> None:
    reproducing.commands(path.parent)
    reproducing.changes(path.parent)


def _run(path: Path) -> None:
    folder = path.parent
    _quiet("trace", folder, "--out", folder.parent / "out.json")
    _quiet("trace", folder, "--message", "0.0.1", "--all")
    _quiet("compare", folder, folder)
    run = via.Run.load(folder)
    for name in store.TABLES:
        run.table(name)


def _cache(path: Path, key: str) -> None:
    place = path.parent / "store" / key[:2]
    place.mkdir(parents=True, exist_ok=True)
    shutil.copy(path, place / f"{key}.json")
    Store(path.parent / "store").get(key)


def mutated(content: bytes, chance: random.Random) -> bytes:
    """Return a file that is wrong somewhere, or nowhere."""
    text = bytearray(content)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(text) + 1)
        until = min(len(text), at + chance.choice((1, 1, 2, 8, 80, 4000)))
        chance.choice(_MUTATIONS)(text, at, until, chance)
    return bytes(text)


def _flip(text: bytearray, at: int, until: int, chance: random.Random) -> None:
    if at < until:
        text[at] ^= 1 << chance.randrange(8)


def _nest(text: bytearray, at: int, until: int, chance: random.Random) -> None:
    word = chance.choice((b"[", b"{", b"<a>", b"[{a=", b'{"a":', b".a", b"(", b'["'))
    text[at:at] = word * chance.choice((3, 65, 1000, 30_000))


def _change_number(text: bytearray, at: int, until: int, chance: random.Random) -> None:
    begin = next((i for i in range(at, len(text)) if text[i : i + 1].isdigit()), len(text))
    end = next((i for i in range(begin, len(text)) if not text[i : i + 1].isdigit()), len(text))
    values = (0, 1, -1, 2**31, 2**32, 2**63, 2**64, 10**30, chance.randrange(10**6))
    text[begin:end] = str(chance.choice(values)).encode()


def _double_line(text: bytearray, at: int, until: int, chance: random.Random) -> None:
    end = text.find(b"\n", at) + 1
    line = bytes(text[text.rfind(b"\n", 0, at) + 1 : end])
    text[end:end] = line * chance.choice((1, 1, 2, 300))


_MUTATIONS: list[Callable[[bytearray, int, int, random.Random], None]] = [
    _flip, _flip, _nest, _change_number, _change_number, _double_line,
    lambda text, at, until, chance: text.__delitem__(slice(at, until)),
    lambda text, at, until, chance: text.__delitem__(slice(at, None)),
    lambda text, at, until, chance: text.__setitem__(slice(at, at), chance.choice(_WORDS)),
    lambda text, at, until, chance: text.__setitem__(slice(at, until), chance.choice(_WORDS)),
    lambda text, at, until, chance: text.__setitem__(slice(at, at), bytes(text[at:until])),
    lambda text, at, until, chance: text.__setitem__(
        slice(at, until), struct.pack("<Q", chance.getrandbits(64))
    ),
]  # fmt: skip


def read_one(number: int, all_readers: list[Reader], folder: Path, made: Path) -> str:
    """Read a hostile file; return what was wrong with how it went, or nothing."""
    chance = random.Random(number)
    reader = all_readers[number % len(all_readers)]
    place = folder / reader.name
    if place.parent != folder:
        shutil.copytree(made / "run", place.parent, dirs_exist_ok=True)
    place.write_bytes(mutated(reader.content, chance))
    try:
        reader.read(place)
    except ConfigError as error:
        if "\n" in str(error).strip():
            return f"{number} {reader.name}: not one line: {error}"
    except BaseException:
        return f"{number} {reader.name}: {traceback.format_exc()}"
    return ""


def throw(first: int, last: int, made: Path) -> list[str]:
    """Throw the files with these numbers; return what went wrong, a text each."""
    wrong: list[str] = []
    number = first
    while number < last:
        number, told = _throw_apart(number, last, made)
        wrong += told
    return wrong


def _throw_apart(first: int, last: int, made: Path) -> tuple[int, list[str]]:
    """Throw files in a child process until one ends it; return the next number."""
    now = mmap.mmap(-1, 8)
    with tempfile.TemporaryDirectory(prefix="via-hostile-") as name:
        folder = Path(name)
        child = os.fork()
        if child == 0:
            _be_child(first, last, made, folder, now)
        _, status = os.waitpid(child, 0)
        code = os.waitstatus_to_exitcode(status)
        report = folder / "wrong.txt"
        told = report.read_text("utf-8").split("\0")[:-1] if report.exists() else []
    if code == 0:
        return last, told
    at = int(struct.unpack("<q", now[:8])[0])
    how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
    return at + 1, [*told, f"{at}: the reader ended by {how}"]


def _be_child(first: int, last: int, made: Path, folder: Path, now: mmap.mmap) -> None:
    code = 1
    try:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        all_readers = readers(made)
        with (folder / "wrong.txt").open("w", encoding="utf-8", errors="backslashreplace") as wrong:
            for number in range(first, last):
                now[:8] = struct.pack("<q", number)
                signal.alarm(SECONDS)
                told = read_one(number, all_readers, folder, made)
                if told:
                    wrong.write(told + "\0")
                    wrong.flush()
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def _main(words: Mapping[int, str]) -> None:
    with tempfile.TemporaryDirectory() as name:
        make(Path(name))
        wrong = throw(int(words[1]), int(words[2]), Path(name))
    print("\n".join(wrong))
    print(f"{len(wrong)} of {int(words[2]) - int(words[1])} went wrong")


if __name__ == "__main__":
    _main(dict(enumerate(sys.argv)))
