# SPDX-License-Identifier: GPL-2.0-only
"""The table of products is what the files say, and says when it is not."""

from pathlib import Path

import profile_catalogue
import pytest

PRODUCT = """
title = "A card"
default_host = "a-host"
{sketch}
[nic]
doorbell = {{ value = "bell", unit = "word", source = "as it is", trust = "VERIFIED" }}
data = {{ value = "cut", unit = "word", source = "as it is", trust = "assumed" }}
"""


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    (tmp_path / "card.toml").write_text(PRODUCT.format(sketch=""))
    (tmp_path / "hosts").mkdir()
    (tmp_path / "hosts" / "a-host.toml").write_text('title = "A machine"\n')
    empty = "".join(f"<!-- {name} -->\n<!-- end of {name} -->\n" for name in ("products", "hosts"))
    (tmp_path / "README.md").write_text(empty)
    return tmp_path


def test_a_stale_table_is_found_and_written(folder, capsys):
    assert profile_catalogue.check(folder, fix=False)
    assert "stale" in capsys.readouterr().out
    assert not profile_catalogue.check(folder, fix=True)
    assert not profile_catalogue.check(folder, fix=False)
    page = (folder / "README.md").read_text()
    assert "| `card` | A card | `a-host` |  | bell, cut | 1, 0, 1 |\n" in page
    assert "| `a-host` | A machine | 0, 0, 0 |\n" in page


def test_a_sketch_is_called_one(folder):
    (folder / "card.toml").write_text(PRODUCT.format(sketch='sketch = "why not"'))
    assert "| `a-host` | sketch |" in profile_catalogue.tables(folder)["products"]
