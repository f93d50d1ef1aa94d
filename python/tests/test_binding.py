# SPDX-License-Identifier: GPL-2.0-only
"""The compiled module reads tables as this numpy lays them out, or says that it does not."""

import pytest
from via import _core
from via._base import binding


def test_the_known_table_is_read_as_it_is():
    binding.check(_core.known_table(), _core.build())


@pytest.mark.parametrize("column", ["u32", "u64", "ps", "bool"])
def test_a_column_that_repeats_its_first_row_is_noticed(column):
    table = _core.known_table()
    table[column][:] = table[column][0]
    with pytest.raises(ImportError, match="built with pybind11 .* misreads the tables of numpy"):
        binding.check(table, _core.build())


def test_texts_that_repeat_the_first_row_are_noticed():
    table = _core.known_table()
    table["text"][0][:] = 0
    with pytest.raises(ImportError, match="pybind11 2.12 or later"):
        binding.check(table, _core.build())
