# SPDX-License-Identifier: GPL-2.0-only
"""`via cc`: how it reads its command line and its lists. Compiled programs are C++ tests."""

import re
from pathlib import Path

import pytest
from via._programs import compiler


def test_sources_objects_and_flags_are_told_apart():
    request = compiler.parse(["-Wall", "a.c", "b.cc", "c.o", "-Iinc", "-lm", "-o", "x.so"])
    assert request.sources == ["a.c", "b.cc"]
    assert request.objects == ["c.o"]
    assert request.compile_args == ["-Wall", "-Iinc"]
    assert request.link_args == ["-lm"]
    assert request.output == "x.so"


def test_values_of_options_are_not_taken_for_sources():
    request = compiler.parse(["-include", "first.c", "-MF", "a.d", "prog.c"])
    assert request.sources == ["prog.c"]
    assert request.compile_args == ["-include", "first.c", "-MF", "a.d"]


def test_the_output_is_named_after_the_first_source():
    assert compiler.parse(["dir/prog.c", "more.c"]).default_output == "prog.so"


@pytest.mark.parametrize("words", [["-obarrier.so"], ["-o", "barrier.so"]])
def test_the_output_may_be_a_word_of_its_own_or_a_part_of_the_option(words):
    assert compiler.parse(["prog.c", *words]).output == "barrier.so"


def test_compiling_alone_does_not_link():
    assert not compiler.parse(["-c", "prog.c"]).link


def test_an_option_without_its_value_is_refused():
    with pytest.raises(compiler.CompileError, match="-o needs a value"):
        compiler.parse(["prog.c", "-o"])


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["-O2"], "no source files"),
        (["prog.c", "-o"], "-o needs a value"),
        (["-fopenmp", "prog.c"], "-fopenmp is refused"),
    ],
)
def test_a_wrong_command_line_is_a_usage_error(words, says, capsys):
    assert compiler.main(words) == 2
    assert says in capsys.readouterr().err


def test_help_explains_and_succeeds(capsys):
    assert compiler.main(["--help"]) == 0
    assert "usage: via cc" in capsys.readouterr().out


@pytest.mark.parametrize("option", ["-fopenmp", "-fopenmp=libomp", "-fopenacc", "-lgomp"])
def test_options_that_start_real_threads_are_refused(option):
    with pytest.raises(compiler.CompileError, match=f"{option} is refused: .*real machine"):
        compiler.parse([option, "prog.c"])


def test_an_object_made_for_openmp_is_refused_by_the_name_of_what_it_calls(tmp_path: Path, capfd):
    source = tmp_path / "team.c"
    source.write_text(
        "int omp_get_num_threads(void);\nint main(void) { return omp_get_num_threads(); }\n"
    )
    assert compiler.main([str(source), "-o", str(tmp_path / "team.so")]) == 1
    assert "team.c calls omp_get_num_threads(): OpenMP starts" in capfd.readouterr().err


@pytest.mark.parametrize("macro", ["VIA_REFUSED", "VIA_FAILS"])
def test_every_refused_symbol_has_a_reason(macro):
    host_calls = compiler.find_places().host_calls
    refused = compiler.listed_symbols(host_calls / "via-refused-symbols.h", macro)
    lines = (host_calls / "via-refused-symbols.h").read_text(encoding="ascii").splitlines()
    assert len(refused) == sum(line.startswith(f"{macro}(") for line in lines)
    assert all(reason for _, reason in refused)


def test_every_wrapped_symbol_is_defined_by_the_shim():
    shim = compiler.find_places().shim
    code = "".join(path.read_text(encoding="ascii") for path in sorted(shim.glob("via-shim*.c*")))
    of_macros = re.findall(r"^[A-Z_]+\((\w+)[ *]*(?:,\s*(\w+))?", code, re.MULTILINE)
    made = {name for names in of_macros for name in names}  # after a type, or before one
    for part in ("via-wrapped.def", "via-wrapped-cxx.def"):
        for name, _ in compiler.listed_symbols(shim / part, r"VIA_WRAPPED(?:_ALWAYS)?"):
            macro = name in made or f"define {name} __wrap_{name}" in code
            assert macro or f"__wrap_{name}" in code, name


def test_a_mistake_in_the_program_is_the_compilers_to_report(tmp_path: Path, capfd):
    source = tmp_path / "bad.c"
    source.write_text("int main(void) { return missing; }\n")
    assert compiler.main([str(source), "-o", str(tmp_path / "bad.so")]) == 1
    assert "missing" in capfd.readouterr().err
