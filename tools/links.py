#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Finds dead links inside the tree: Markdown links and images, and files that .rst pages name.

It does not follow links to other hosts: the result must not depend on a network.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parent.parent
MARKDOWN_LINK = re.compile(r"!?\[[^\]]*\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
HTML_LINK = re.compile(r"(?:src|href)=\"([^\"]+)\"")
RST_FILE = re.compile(r"^\.\. (?:image|figure|include|literalinclude)::\s+(\S+)", re.M)


def pages() -> list[Path]:
    listing = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "-co", "--exclude-standard", "*.md", "*.rst"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return sorted(ROOT / name for name in listing.split() if (ROOT / name).is_file())


def without_code(text: str) -> str:
    text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    return re.sub(r"`[^`\n]*`", "", text)


def anchors(page: Path) -> set[str]:
    """Return the anchors that GitHub and Sphinx give to the headings of a Markdown page."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    headings = re.findall(r"^#{1,6}\s+(.*?)\s*#*$", text, re.M)
    return {re.sub(r"[^a-z0-9 _-]", "", h.lower()).replace(" ", "-") for h in headings}


def dead_links(page: Path) -> list[str]:
    text = page.read_text(encoding="utf-8")
    if page.suffix == ".md":
        body = without_code(text)
        targets = MARKDOWN_LINK.findall(body) + HTML_LINK.findall(body)
    else:
        targets = RST_FILE.findall(text)
    found = []
    for target in targets:
        if re.match(r"[a-z][a-z0-9+.-]*:", target):
            continue
        name, _, anchor = unquote(target).partition("#")
        aim = (page.parent / name).resolve() if name else page
        if not aim.exists():
            found.append(f"{page.relative_to(ROOT)}: {target}: no such file")
        elif anchor and aim.suffix == ".md" and anchor not in anchors(aim):
            found.append(f"{page.relative_to(ROOT)}: {target}: no such heading")
    return found


def main() -> int:
    found = [complaint for page in pages() for complaint in dead_links(page)]
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
