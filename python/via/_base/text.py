# SPDX-License-Identifier: GPL-2.0-only
"""Tables in plain text."""

from __future__ import annotations

from collections.abc import Sequence


def table(header: Sequence[str], rows: Sequence[Sequence[object]], indent: str = "") -> str:
    """Return aligned columns under a header; numbers right-aligned, floats with three decimals."""
    texts = [[_cell(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(header, *texts, strict=True)]
    right = [
        bool(rows) and all(_is_number(row[column]) for row in rows) for column in range(len(header))
    ]
    lines = []
    for line in [list(header), ["-" * width for width in widths], *texts]:
        cells = [
            cell.rjust(width) if to_right else cell.ljust(width)
            for cell, width, to_right in zip(line, widths, right, strict=True)
        ]
        lines.append((indent + "  ".join(cells)).rstrip())
    return "\n".join(lines)


def pipes(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return a table in Markdown."""
    lines = [header, ["---"] * len(header), *rows]
    cells = [["" if cell is None else str(cell) for cell in line] for line in lines]
    return "".join(f"| {' | '.join(line)} |\n" for line in cells)


def _is_number(cell: object) -> bool:
    return cell is None or isinstance(cell, int | float)


def _cell(cell: object) -> str:
    if cell is None:
        return ""
    return f"{cell:.3f}" if isinstance(cell, float) else str(cell)
