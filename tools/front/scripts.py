# SPDX-License-Identifier: GPL-2.0-only
"""ns-3 scripts as targets of the build: those in scratch/, and files of the user's elsewhere."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from front.shell import ROOT, fail

SCRATCH = ROOT / "scratch"


def is_script(word: str) -> bool:
    """Return whether a target is the file of an ns-3 script."""
    return word.endswith(".cc")


def named(word: str) -> Path | None:
    """Return the script that scratch/NAME or FILE.cc means; None: the word is another file."""
    folder, _, name = word.rpartition("/")
    if folder in ("scratch", "./scratch") and not name.endswith(".so"):
        return SCRATCH / f"{name.removesuffix('.cc')}.cc"
    return Path(word) if is_script(word) else None


def target_of(script: Path) -> str:
    """Return the build's name of a script."""
    return f"script-{script.stem}"


def add(folder: Path, words: Iterable[str | Path]) -> list[Path]:
    """Make scripts known to a build folder; scratch/CMakeLists.txt reads the list.

    Args:
        folder: build/PRESET
        words: names of files; of one name, the last is known
    """
    scripts = [_existing(word) for word in words]
    listed = folder / "scripts.txt"
    known = listed.read_text("utf-8").splitlines() if listed.is_file() else []
    by_name = {Path(line).stem: line for line in known if Path(line).is_file()}
    for script in scripts:
        if script.parent == SCRATCH:
            continue
        if (SCRATCH / script.name).is_file():
            fail(2, f"{script}: scratch/{script.name} has the same name")
        by_name[script.stem] = str(script)
    lines = [*by_name.values()]
    if lines != known:
        folder.mkdir(parents=True, exist_ok=True)
        listed.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return scripts


def _existing(word: str | Path) -> Path:
    script = Path(word).resolve()
    if not script.is_file():
        fail(2, f"{word}: no such file")
    if not script.stem.replace("-", "").replace("_", "").isalnum() or not script.stem.isascii():
        fail(2, f"{word}: the name may have letters, digits, - and _")
    return script
