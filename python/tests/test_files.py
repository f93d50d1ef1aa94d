# SPDX-License-Identifier: GPL-2.0-only
"""Files are whole or not there."""

from pathlib import Path

import pytest
from via._base.files import check_writable, make_folder, written
from via.errors import ConfigError


def test_a_file_takes_its_name_when_it_is_complete(tmp_path):
    place = tmp_path / "result.csv"
    with written(place) as file:
        file.write("half")
        assert not place.exists()
        file.write(" and half")
    assert place.read_text() == "half and half"
    assert list(tmp_path.iterdir()) == [place]


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path):
    place = tmp_path / "result.csv"
    place.write_text("old")
    with pytest.raises(ZeroDivisionError), written(place) as file:
        file.write("new")
        raise ZeroDivisionError
    assert place.read_text() == "old"
    assert list(tmp_path.iterdir()) == [place]


def test_a_device_is_written_to_as_it_is():
    with written(Path("/dev/null")) as file:
        file.write("gone")
    assert not Path("/dev/null").is_file()


def test_a_folder_is_no_place_for_a_file(tmp_path):
    with pytest.raises(ConfigError, match=r"^--json = .*: a file is needed, this is a folder"):
        check_writable(tmp_path, "--json")


def test_a_file_in_a_missing_folder_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="does not exist"):
        check_writable(tmp_path / "nowhere" / "run.json", "--json")


def test_a_place_where_no_file_can_be_made_is_refused():
    with pytest.raises(ConfigError, match=r"^--json = .*: cannot write there"):
        check_writable(Path("/proc/run.json"), "--json")


def test_a_folder_is_made_with_its_parents(tmp_path):
    assert make_folder(tmp_path / "a" / "b", "--out").is_dir()


def test_a_file_in_the_way_of_a_folder_is_refused(tmp_path):
    (tmp_path / "a").write_text("")
    with pytest.raises(ConfigError, match=r"^--out = .*: cannot be made a folder"):
        make_folder(tmp_path / "a" / "b", "--out")
