# SPDX-License-Identifier: GPL-2.0-only
"""`via cc`: compiles VIPL programs into shared objects that the simulator can load.

Every argument goes to the C or C++ compiler. `via cc` adds the folder of vipl.h, the flags that
give each simulated process its own globals, and the shim, a small static library that replaces the
C library's clocks, memory and exits with those of the simulation.

It needs only plain Python 3, not the compiled module.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

EXIT_USAGE = 2

HELP = """\
usage: via cc [options] [compiler arguments] prog.c... -o prog.so

Compiles a C or C++ program written for VIPL (#include <vipl.h>, in C++ also <vipl.hpp>) into a
shared object for `via run`. Arguments are those of cc and c++; -O2 -g come first, so yours win.

  -o FILE          the shared object (default: the first source with the suffix .so)
  -c               compile only; link the objects later with another `via cc`
  --no-trace-pc    do not report basic blocks: faster, but a loop that polls plain memory
                   without calling VIPL or the C library never sees simulated time pass
  --show           print the commands before they run
  --help           this text

CC and CXX name the compilers (default: cc and c++). The shim is compiled once per compiler and
kept in $XDG_CACHE_HOME/via (default: ~/.cache/via).

OpenMP (-fopenmp) is refused. Not possible in a simulated process: fork, exec, pthread_cancel and
others. A warning names them; a call ends the process, or returns an error code where programs
expect one (system).
"""

C_SUFFIXES = {".c"}
CXX_SUFFIXES = {".cc", ".cpp", ".cxx", ".c++", ".C", ".cp"}
OBJECT_SUFFIXES = {".o", ".a"}
# Options of the compiler whose value is the next argument.
WITH_VALUE = {
    "-I", "-D", "-U", "-L", "-l", "-x", "-include", "-imacros", "-isystem", "-idirafter",
    "-iquote", "-MF", "-MT", "-MQ", "-Xlinker", "-Xpreprocessor", "-Xassembler", "-u", "-T", "-z",
}  # fmt: skip
STOPS_BEFORE_LINK = {"-c", "-E", "-S", "-M", "-MM", "-fsyntax-only"}
# A frame of any size that crosses the end of the stack is detected at once.
COMPILE_FLAGS = ["-O2", "-g", "-fPIC", "-fstack-clash-protection"]
TRACE_FLAG = "-fsanitize-coverage=trace-pc"
SHIM_FLAGS = [
    "-O2",
    "-g",
    "-fPIC",
    "-fvisibility=hidden",
    "-ffunction-sections",
    "-fno-builtin",
    "-fexceptions",
]
# Link the C++ library into the program; if not, std::chrono and operator new would use the real
# clock and the simulator's heap. Drop unused parts, because each process loads a copy.
LINK_FLAGS = [
    "-shared",
    "-static-libgcc",
    "-Wl,-Bsymbolic",
    "-Wl,-z,defs",
    "-Wl,--gc-sections",
]
# Compilers refer to it weakly, which takes nothing out of a static library.
LINK_CXX_FLAGS = ["-static-libstdc++", "-Wl,-u,__cxa_pure_virtual"]
# Options that make the program run in threads of the real machine, and the symbols by which their
# objects are known.
REFUSED_OPTIONS = {
    "-fopenmp": "OpenMP starts threads of the real machine; call pthread_create",
    "-fopenacc": "OpenACC starts threads of the real machine; call pthread_create",
    "-ftree-parallelize-loops": "the loops would run in threads of the real machine",
    "-lgomp": "OpenMP starts threads of the real machine; call pthread_create",
}
OPENMP_SYMBOL = re.compile(r"(GOMP|GOACC|__kmpc|omp|acc|kmp)_\w+")
# Macros of via-refused-symbols.h, and what a call of one of its functions does.
CANNOT_WORK = {"VIA_REFUSED": "a call ends the process", "VIA_FAILS": "a call fails"}
SHIM_SOURCES = [
    "via-shim-buffers.c",
    "via-shim-c11.c",
    "via-shim-calls.c",
    "via-shim-copy.c",
    "via-shim-descriptors.c",
    "via-shim-errors.c",
    "via-shim-exit.c",
    "via-shim-floats.c",
    "via-shim-folders.c",
    "via-shim-getopt.c",
    "via-shim-limits.c",
    "via-shim-load.c",
    "via-shim-local-time.c",
    "via-shim-locale.c",
    "via-shim-locks.c",
    "via-shim-memory.c",
    "via-shim-mutex.c",
    "via-shim-netdb.c",
    "via-shim-old-signals.c",
    "via-shim-poll.c",
    "via-shim-process.c",
    "via-shim-random.c",
    "via-shim-refused.c",
    "via-shim-semaphore.c",
    "via-shim-services.c",
    "via-shim-signals.c",
    "via-shim-sockets.c",
    "via-shim-start.c",
    "via-shim-stream-locks.c",
    "via-shim-streams.c",
    "via-shim-system.c",
    "via-shim-temporary.c",
    "via-shim-thread-data.c",
    "via-shim-thread.c",
    "via-shim-time.c",
    "via-shim-timer.c",
    "via-shim-users.c",
    "via-shim-waits.c",
    "via-shim-wide.c",
]
SHIM_CXX_SOURCES = ["via-shim-cxx.cc"]


class CompileError(Exception):
    """The program cannot be built; the text is for the user."""


class UsageError(CompileError):
    """The command line is wrong."""


@dataclass
class Request:
    """A parsed command line."""

    sources: list[str] = field(default_factory=list)
    objects: list[str] = field(default_factory=list)
    compile_args: list[str] = field(default_factory=list)
    link_args: list[str] = field(default_factory=list)
    output: str | None = None
    link: bool = True
    trace: bool = True
    show: bool = False

    @property
    def default_output(self) -> str:
        """Name of the shared object without -o."""
        return str(Path((self.sources or self.objects)[0]).with_suffix(".so").name)


@dataclass(frozen=True)
class Places:
    """Folders of vipl.h, the shim and the host-call headers."""

    include: Path
    shim: Path
    host_calls: Path


def find_places() -> Places:
    """Find vipl.h and the shim: in the Python package, in PREFIX/share/via, or in the sources."""
    here = Path(__file__).resolve().parent
    package = here.parent if here.name == "_programs" else here  # if not, installed without package
    root = package.parent.parent
    module = root / "contrib" / "via"
    for places in (
        Places(package / "include", package / "shim", package / "shim"),
        Places(root / "include" / "via", package / "shim", package / "shim"),
        Places(
            module / "model" / "vipl" / "include",
            module / "programs" / "shim",
            module / "programs",
        ),
    ):
        needed = (places.include / "vipl.h", places.host_calls / "via-host-calls.h")
        if all(each.is_file() for each in needed):
            return places
    raise CompileError(f"vipl.h and the shim are neither in {package} nor in {module}")


def parse(argv: Sequence[str]) -> Request:
    """Split a command line into sources, objects and compiler arguments.

    Raises:
        UsageError: it has no source, a refused option, or an option without its value.
    """
    request = Request()
    args = iter(argv)
    for arg in args:
        suffix = Path(arg).suffix
        if reason := REFUSED_OPTIONS.get(arg.split("=")[0]):
            raise UsageError(f"{arg} is refused: {reason}")
        if arg == "--no-trace-pc":
            request.trace = False
        elif arg == "--show":
            request.show = True
        elif arg == "-o":
            request.output = _value(arg, args)
        elif arg.startswith("-o"):
            request.output = arg[2:]
        elif arg in STOPS_BEFORE_LINK:
            request.link = False
            request.compile_args.append(arg)
        elif arg.startswith(("-l", "-L", "-Wl,")) or arg in {"-Xlinker", "-u", "-T", "-z"}:
            request.link_args.append(arg)
            if arg in WITH_VALUE:
                request.link_args.append(_value(arg, args))
        elif arg in WITH_VALUE:
            request.compile_args += [arg, _value(arg, args)]
        elif arg.startswith("-") or (suffix not in C_SUFFIXES | CXX_SUFFIXES | OBJECT_SUFFIXES):
            request.compile_args.append(arg)
        elif suffix in OBJECT_SUFFIXES:
            request.objects.append(arg)
        else:
            request.sources.append(arg)
    if not request.sources and not request.objects:
        raise UsageError("no source files; see via cc --help")
    return request


def _value(option: str, args: Iterable[str]) -> str:
    value = next(iter(args), None)
    if value is None:
        raise UsageError(f"{option} needs a value")
    return value


def listed_symbols(path: Path, macro: str) -> list[tuple[str, str]]:
    """Read each `MACRO(name)` or `MACRO(name, ..., "text")` of a list of the shim."""
    pattern = rf'^{macro}\((\w+)(?:,\s[^"]*?)?(?:,\s*"([^"]*)")?\)$'
    return re.findall(pattern, path.read_text(encoding="ascii"), re.MULTILINE)


class Toolchain:
    """The compilers and how to call them."""

    def __init__(self, show: bool) -> None:
        self.c = shlex.split(os.environ.get("CC", "cc"))
        self.cxx = shlex.split(os.environ.get("CXX", "c++"))
        self._show = show

    def run(self, command: list[str], *, capture: bool = False) -> str:
        """Run a command; its own messages go to the user."""
        if self._show:
            print(shlex.join(command), file=sys.stderr)
        try:
            done = subprocess.run(
                command, check=True, text=True, stdout=subprocess.PIPE if capture else None
            )
        except FileNotFoundError as error:
            raise CompileError(
                f"{command[0]} is not installed (CC and CXX choose the compilers)"
            ) from error
        except subprocess.CalledProcessError as error:
            raise CompileError(
                f"{command[0]} failed with exit status {error.returncode}"
            ) from error
        return done.stdout or ""

    def for_source(self, source: str) -> list[str]:
        """Return the compiler of a source file."""
        return self.c if Path(source).suffix in C_SUFFIXES else self.cxx

    def is_clang(self, compiler: list[str]) -> bool:
        """Return whether it is clang, which has no GNU unique symbols and warns of the flag."""
        return "clang" in self.run([*compiler, "--version"], capture=True)

    def symbols(self, objects: list[str], *which: str) -> dict[str, set[str]]:
        """Return the external symbols of each object, as selected by options of nm."""
        found: dict[str, set[str]] = {}
        for path in objects:
            listing = self.run(["nm", "-g", "-P", *which, path], capture=True)
            found[path] = {
                line.split()[0] for line in listing.splitlines() if len(line.split()) > 1
            }
        return found


def compile_sources(
    request: Request, tools: Toolchain, places: Places, folder: str
) -> dict[str, str]:
    """Compile the sources; return the object of each."""
    objects = {}
    for number, source in enumerate(request.sources):
        compiler = tools.for_source(source)
        flags = [*COMPILE_FLAGS]
        if not tools.is_clang(compiler):
            flags.append("-fno-gnu-unique")
        if request.trace:
            flags.append(TRACE_FLAG)
        out = []
        if request.link:
            objects[source] = os.path.join(folder, f"{number}-{Path(source).name}.o")
            out = ["-c", "-o", objects[source]]
        elif request.output:
            out = ["-o", request.output]
        # A program's own folders come first, even those with a vipl.h.
        headers = f"-I{places.include}"
        tools.run([*compiler, *flags, *request.compile_args, headers, *out, source])
    return objects


def warn_of(undefined: dict[str, set[str]], known: set[str], host_calls: Path) -> set[str]:
    """Warn of calls of functions that a simulated process cannot use.

    Returns:
        The names of all such functions but `known`, which the program defines or was warned of.
    """
    listed = host_calls / "via-refused-symbols.h"
    reasons = {
        name: f"{what}: {why}"
        for macro, what in CANNOT_WORK.items()
        for name, why in listed_symbols(listed, macro)
        if name not in known
    }
    for source, names in undefined.items():
        for name in sorted(names & reasons.keys()):
            print(f"via cc: warning: {source} calls {name}(); {reasons[name]}", file=sys.stderr)
    return set(reasons)


def refuse_openmp(undefined: dict[str, set[str]], defined: set[str]) -> None:
    """Refuse objects that another compiler has made for OpenMP, and calls of its functions.

    Raises:
        CompileError: the text names the file and the function.
    """
    for source, names in undefined.items():
        found = sorted(name for name in names - defined if OPENMP_SYMBOL.fullmatch(name))
        if found:
            raise CompileError(f"{source} calls {found[0]}(): {REFUSED_OPTIONS['-fopenmp']}")


def shim_objects(
    tools: Toolchain, places: Places, spare: str, *, cxx: bool, trace: bool
) -> list[str]:
    """Compile the shim or take it from the cache; `spare` is used if there is no cache."""
    sources = [(tools.c, name) for name in SHIM_SOURCES]
    if cxx:
        sources += [(tools.cxx, name) for name in SHIM_CXX_SOURCES]
    flags = [
        *SHIM_FLAGS,
        f"-I{places.include}",
        f"-I{places.host_calls}",
        f"-DVIA_PROGRAM_FLAGS={int(trace)}u",
    ]
    commands = [
        ([*compiler, *flags, "-c", str(places.shim / name), "-o"], f"{name}.o")
        for compiler, name in sources
    ]
    cache = _cache_folder()
    why_not = _why_not_to_use(cache)
    folder = cache / f"shim-{_fingerprint(tools, places, flags, cxx=cxx)}"
    if not why_not and folder.is_dir():
        why_not = _why_not_to_use(folder)
    if why_not:
        print(f"via cc: the cache {cache} is not used: {why_not}", file=sys.stderr)
        folder = Path(spare)
        _compile_into(folder, commands, tools)
    elif not folder.is_dir():
        with tempfile.TemporaryDirectory(dir=cache) as building:
            _compile_into(Path(building), commands, tools)
            _publish(building, folder)
    return [str(folder / name) for _, name in commands]


def _cache_folder() -> Path:
    named = os.environ.get("XDG_CACHE_HOME")
    try:
        return Path(named or Path.home() / ".cache") / "via"
    except RuntimeError as error:
        raise CompileError("this user has no home: XDG_CACHE_HOME names a folder") from error


def _why_not_to_use(folder: Path) -> str:
    """Make a folder for programs; return why it must not be used, or "".

    Any user who can write there could make this user run arbitrary code.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        about = folder.stat()
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        return error.strerror or str(error)
    if about.st_uid != os.geteuid():
        return "it belongs to another user"
    return "all users can write there" if about.st_mode & stat.S_IWOTH else ""


def _compile_into(folder: Path, commands: list[tuple[list[str], str]], tools: Toolchain) -> None:
    for command, name in commands:
        tools.run([*command, str(folder / name)])


def _publish(building: str, folder: Path) -> None:
    """Rename a finished folder into the cache, unless another `via cc` did so first."""
    shutil.copytree(building, f"{building}.done")
    try:
        os.rename(f"{building}.done", folder)
    except OSError:
        shutil.rmtree(f"{building}.done")
        if not folder.is_dir():
            raise


def _fingerprint(tools: Toolchain, places: Places, flags: list[str], *, cxx: bool) -> str:
    """Hash everything on which the shim's objects depend."""
    digest = hashlib.sha256(repr((flags, cxx, tools.c, tools.cxx)).encode())
    for compiler in (tools.c, tools.cxx) if cxx else (tools.c,):
        digest.update(tools.run([*compiler, "--version"], capture=True).encode())
    listed = [*places.shim.iterdir(), *places.include.iterdir()]
    listed += [places.host_calls / f"via-{name}.h" for name in ("host-calls", "refused-symbols")]
    for path in sorted(path for path in listed if path.is_file()):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def own_symbols(tools: Toolchain, places: Places, names: Iterable[str], spare: str) -> str:
    """Compile the list in which dlsym() finds the program's own symbols; return the object."""
    listed = sorted(names)
    lines = ['#include "via-shim-load.h"', "#include <stddef.h>"]
    lines += [f'extern char s{i}[] __asm__("{name}");' for i, name in enumerate(listed)]
    lines += ["const struct ViaSymbol via_shim_own_symbols[] = {"]
    lines += [f'    {{"{name}", s{i}}},' for i, name in enumerate(listed)]
    lines += ["    {NULL, NULL}};"]
    source = Path(spare) / "own-symbols.c"
    source.write_text("\n".join(lines) + "\n", "ascii")
    made = f"{source}.o"
    tools.run([*tools.c, *SHIM_FLAGS, f"-I{places.shim}", "-c", str(source), "-o", made])
    return made


def is_cxx(request: Request, undefined: dict[str, set[str]]) -> bool:
    """Return whether the C++ library is needed, from suffixes and the objects' symbols."""
    if any(Path(source).suffix in CXX_SUFFIXES for source in request.sources):
        return True
    prefixes = ("_ZS", "_ZNS", "_ZN9__gnu_cxx", "_Zn", "_Zd", "__cxa_", "__gxx_personality")
    return any(name.startswith(prefixes) for names in undefined.values() for name in names)


def link(
    request: Request, tools: Toolchain, places: Places, objects: dict[str, str], spare: str
) -> None:
    """Link the program with the shim into a shared object; `spare` is for temporary files."""
    parts = [*objects.values(), *request.objects]
    undefined = tools.symbols(parts, "--undefined-only")
    defined = set().union(*tools.symbols(parts, "--defined-only").values())
    names = {path: source for source, path in objects.items()}
    by_source = {names.get(path, path): found for path, found in undefined.items()}
    refuse_openmp(by_source, defined)
    cannot_work = warn_of(by_source, defined, places.host_calls)
    if "main" not in defined:
        raise CompileError("the program has no main(); a simulated process starts there")

    cxx = is_cxx(request, undefined)
    lists = ["via-wrapped.def", "via-wrapped-cxx.def"] if cxx else ["via-wrapped.def"]
    wrapped = [
        name
        for macro, free in (("VIA_WRAPPED", defined), ("VIA_WRAPPED_ALWAYS", set()))
        for part in lists
        for name, _ in listed_symbols(places.shim / part, macro)
        if name not in free  # the program's own function of that name stays
    ]
    wrapped += sorted(cannot_work)
    if any(names & {"dlsym", "dlvsym"} for names in undefined.values()):
        parts.append(own_symbols(tools, places, defined, spare))
    output = request.output or request.default_output
    command = [
        *(tools.cxx if cxx else tools.c),
        *request.compile_args,
        *LINK_FLAGS,
        *(LINK_CXX_FLAGS if cxx else []),
        f"-Wl,--version-script={places.shim / 'via-export.map'}",
        *(f"-Wl,--wrap={name}" for name in wrapped),
        *parts,
        *shim_objects(tools, places, spare, cxx=cxx, trace=request.trace),
        *request.link_args,
        "-o",
    ]
    with _place_for(output) as place:
        tools.run([*command, place])


@contextmanager
def _place_for(output: str) -> Iterator[str]:
    """Yield a path to link to; it becomes `output` if the block succeeds."""
    real = os.path.realpath(output)
    if os.path.exists(real) and not os.path.isfile(real):
        yield real  # a device
        return
    place = os.path.join(os.path.dirname(real), f".{os.getpid()}.{os.path.basename(real)}")
    try:
        yield place
        os.replace(place, real)
    except OSError as error:
        raise CompileError(f"{output}: cannot be written: {error.strerror}") from error
    finally:
        Path(place).unlink(missing_ok=True)


def check_output(request: Request) -> None:
    """Refuse an output that is one of the inputs, before the compiler runs.

    Raises:
        UsageError: the text names the input.
    """
    output = Path(request.output or request.default_output)
    for part in (*request.sources, *request.objects):
        if output.exists() and Path(part).exists() and output.samefile(part):
            raise UsageError(f"-o {output}: another file is needed, this is {part}")
    if not output.parent.is_dir():
        raise UsageError(f"-o {output}: the folder {output.parent} does not exist")


def main(argv: Sequence[str]) -> int:
    """Run `via cc`; return the exit status: 1: it cannot be built; 2: wrong usage."""
    if not argv or "--help" in argv or "-h" in argv:
        print(HELP, end="")
        return 0 if argv else EXIT_USAGE
    try:
        request = parse(argv)
        places = find_places()
        tools = Toolchain(request.show)
        with tempfile.TemporaryDirectory(prefix="via-cc-") as folder:
            check_output(request)
            objects = compile_sources(request, tools, places, folder)
            if request.link:
                link(request, tools, places, objects, folder)
    except CompileError as error:
        for line in str(error).splitlines():
            print(f"via cc: {line}", file=sys.stderr)
        return EXIT_USAGE if isinstance(error, UsageError) else 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
