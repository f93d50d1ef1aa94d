# SPDX-License-Identifier: GPL-2.0-only
"""What commands write: checked before time starts, whole or not there, never lost in silence."""

import json
import os
import resource
import shutil
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
import via
from via._base.files import check_outputs, check_writable, place_for, read_json, written
from via._cli import main
from via.errors import ConfigError

FULL = Path("/dev/full")


def call(*words: object, shell: str = "", cwd: Path | None = None, limit: int | None = None):
    """Run a command of via in an OS process of its own, its streams as the shell says."""
    texts = [sys.executable, "-m", "via", *map(str, words)]
    before = None if limit is None else lambda: resource.setrlimit(
        resource.RLIMIT_FSIZE, (limit, limit)
    )  # fmt: skip
    return subprocess.run(
        ["bash", "-c", f'"$@" {shell}', "-", *texts], cwd=cwd, capture_output=True, text=True,
        check=False, preexec_fn=before, timeout=120,
    )  # fmt: skip


def one_line(text: str) -> str:
    """Return the only line of a text that is not the digest of a run."""
    (line,) = [each for each in text.splitlines() if not each.startswith("via: digest")]
    return line


# ---- places that are refused ----


def test_an_output_that_is_an_input_is_refused(tmp_path):
    (tmp_path / "in").write_text("precious")
    (tmp_path / "link").symlink_to("in")
    os.link(tmp_path / "in", tmp_path / "other-name")
    for name in ("in", "link", "other-name", "../" + tmp_path.name + "/in"):
        with pytest.raises(ConfigError, match="^--json = .*: another file is needed, this is prog"):
            check_outputs({"--json": tmp_path / name}, [("program", tmp_path / "in")])


def test_an_output_in_a_folder_that_is_read_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="another folder is needed, this is SOURCE"):
        check_outputs({"--out": tmp_path / "x.json"}, [("SOURCE", tmp_path)])
    check_outputs({"--out": tmp_path / "x.json"}, [("SOURCE", tmp_path / "not-there"), ("A", None)])


def test_two_outputs_in_one_file_are_refused(tmp_path):
    (tmp_path / "dangling").symlink_to("b")
    for first, second in (("a", "a"), ("a", "./a"), ("b", "dangling")):
        with pytest.raises(ConfigError, match="^--trace = .*: another file is needed, --json goes"):
            check_outputs({"--json": tmp_path / first, "--trace": tmp_path / second})
    check_outputs({"--json": Path("/dev/null"), "--trace": Path("/dev/null"), "--save": None})


def test_an_output_where_a_folder_will_be_made_is_refused(tmp_path):
    for name in ("r", "r/..//r", "r/in"):
        with pytest.raises(ConfigError, match=r"^--json = .*: (.* --save makes|the folder .* not)"):
            check_outputs({"--json": tmp_path / name}, folders={"--save": tmp_path / "r"})
    with pytest.raises(ConfigError, match="another file is needed, --save makes a folder there"):
        check_outputs({"--json": tmp_path / "r"}, folders={"--save": tmp_path / "r" / "run"})
    check_outputs({"--json": tmp_path / "j"}, folders={"--save": tmp_path / "r"})


def test_a_place_that_takes_no_file_is_refused(tmp_path):
    (tmp_path / "loop").symlink_to("loop")
    for bad in (
        tmp_path,
        tmp_path / "loop",
        tmp_path / "no" / "x",
        tmp_path / ("x" * 300),
        Path("/proc/x"),
    ):
        with pytest.raises(ConfigError, match=r"^--json = .*: .*(needed|exist|cannot write)"):
            check_writable(bad, "--json")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_file_that_is_protected_is_refused(tmp_path):
    place = tmp_path / "x"
    place.touch(mode=0o444)
    with pytest.raises(ConfigError, match="Permission denied"):
        check_writable(place, "--json")


def test_a_folder_for_a_run_is_made_with_its_parents_or_refused_early(ping_pong, tmp_path, capfd):
    words = [str(ping_pong), "--", "-n", "2"]
    assert main(["run", "--save", str(tmp_path / "a" / "b" / "run"), *words]) == 0
    capfd.readouterr()
    (tmp_path / "file").touch()
    for place in ("/proc/run", tmp_path / "file" / "run"):
        assert main(["run", "--save", str(place), *words]) == 2
        (line,) = capfd.readouterr().err.splitlines()  # no digest: nothing was run
        assert line.startswith(f"via: --save = {place}: cannot write there")


# ---- how they are written ----


def test_a_link_stays_and_what_it_leads_to_is_replaced(tmp_path):
    (tmp_path / "target").write_text("old")
    (tmp_path / "target").chmod(0o640)
    (tmp_path / "link").symlink_to("target")
    with written(tmp_path / "link") as file:
        file.write("new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_text() == "new"
    assert stat.S_IMODE((tmp_path / "target").stat().st_mode) == 0o640


def test_a_full_disk_leaves_the_old_file_and_says_so(tmp_path):
    with pytest.raises(ConfigError, match=r"/dev/full: cannot be written: No space left"), \
         written(FULL) as file:  # fmt: skip
        file.write("x" * 100_000)
    assert stat.S_ISCHR(FULL.stat().st_mode)
    place = tmp_path / "x"
    place.write_text("old")
    with pytest.raises(ConfigError, match="cannot be written"), place_for(place):
        raise OSError(28, "No space left on device")
    assert place.read_text() == "old" and list(tmp_path.iterdir()) == [place]


def test_a_pipe_gets_the_whole_content(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE, text=True) as reader:
        with written(pipe) as file:
            file.write("all of it")
        assert reader.communicate()[0] == "all of it"
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_nested_file_of_json_is_refused(tmp_path):
    (tmp_path / "x.json").write_text("[" * 20_000 + "]" * 20_000)
    with pytest.raises(ConfigError, match=r"x.json:1: nested more than 64 levels deep"):
        read_json(tmp_path / "x.json", "file")


# ---- every command ----

RUN_OUTPUTS = ("--json", "--breakdown", "--trace", "--pcap")


@pytest.mark.parametrize("option", RUN_OUTPUTS)
def test_run_writes_over_nothing_that_it_reads(option, ping_pong, tmp_path, capfd):
    program = shutil.copy(ping_pong, tmp_path / "p.so")
    before = program.read_bytes()
    assert main(["run", option, str(program), str(program)]) == 2
    assert f"via: {option} = {program}: another file is needed" in capfd.readouterr().err
    assert program.read_bytes() == before
    others = {"--stdin": "in.txt", "--faults": "f.toml", "--profile": "p.toml"}
    shutil.copy(via.profiles.load().entries[0].file, tmp_path / "p.toml")
    (tmp_path / "f.toml").write_text('schema = "via-faults/1"\n')
    (tmp_path / "in.txt").touch()
    for read, name in others.items():
        path = str(tmp_path / name)
        if read == "--profile":
            path = next(e.file for e in via.profiles.load().entries if "hosts" not in e.file)
            words = []  # of a product by name, too
        else:
            words = [read, path]
        assert main(["run", option, path, *words, str(program)]) == 2
        assert f"another file is needed, this is {read}" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("words", "file", "said"),
    [
        ("sweep socket-ping-pong rounds=1 kernel=k.toml", "k.toml", "this is kernel"),
        ("sweep socket-ping-pong rounds=1 kernel=mine", "kernels/mine.toml", "this is profile"),
        ("sweep ping-pong rounds=1 host=h.toml", "h.toml", "this is host"),
        ("uncertainty socket-ping-pong --samples 10 --kernel k.toml", "k.toml", "is --kernel"),
        (
            "uncertainty socket-ping-pong --samples 10 --kernel mine",
            "kernels/mine.toml",
            "is --pro",
        ),
        ("uncertainty ping-pong --samples 10 --host h.toml", "h.toml", "this is --host"),
    ],
)
def test_a_table_is_not_written_over_what_its_cluster_reads(
    words, file, said, tmp_path, monkeypatch, capfd
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("VIA_PROFILE_PATH", str(tmp_path))
    home = Path(via._core.profile_folder())
    (tmp_path / "kernels").mkdir()
    for name in ("k.toml", "kernels/mine.toml"):
        shutil.copy(home / "kernels" / "linux-2.4.toml", tmp_path / name)
    shutil.copy(home / "hosts" / "pii300-linux22.toml", tmp_path / "h.toml")
    before = (tmp_path / file).read_bytes()
    assert main([*words.split(), "--out", file]) == 2
    assert f"out = {file}: another file is needed, " in (told := capfd.readouterr().err)
    assert said in told
    assert (tmp_path / file).read_bytes() == before


def test_a_table_is_not_written_over_the_profile_of_a_node(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copy(Path(via._core.profile_folder()) / "giganet-clan1000.toml", "p.toml")
    point = {"rounds": 1, "node_profiles": {1: "p.toml"}}
    with pytest.raises(ConfigError, match="^out = p.toml: another file .* this is node_profiles"):
        via.sweep("ping-pong", [point], out="p.toml")


@pytest.mark.ci
@pytest.mark.parametrize("option", RUN_OUTPUTS)
def test_run_says_that_a_disk_is_full(option, ping_pong):
    done = call("run", option, FULL, ping_pong, "--", "-n", 2)
    assert done.returncode == 2
    assert one_line(done.stderr) == "via: /dev/full: cannot be written: No space left on device"


def test_a_program_that_cannot_be_copied_is_refused(ping_pong):
    done = call("run", ping_pong, limit=512)
    assert done.returncode == 2
    assert one_line(done.stderr) == (
        f"via: program = {ping_pong}: cannot be copied: File too large"
    )


def test_two_outputs_of_a_run_and_its_folder_are_told_apart(ping_pong, tmp_path, capfd):
    out = str(tmp_path / "x")
    assert main(["run", "--json", out, "--trace", out, str(ping_pong)]) == 2
    assert "--trace" in capfd.readouterr().err
    run = tmp_path / "run"
    assert main(["run", "--save", str(run), "--json", str(run), str(ping_pong)]) == 2
    assert "--save makes a folder there" in capfd.readouterr().err and not run.exists()
    assert main(["run", "--save", str(run), str(ping_pong), "--", "-n", "2"]) == 0
    assert main(["run", "--save", str(run), "--json", str(run / "x"), str(ping_pong)]) == 2
    (run / "mine.txt").write_text("precious")
    assert main(["run", "--save", str(run), str(ping_pong)]) == 2
    assert "or more than a run" in capfd.readouterr().err
    assert (run / "mine.txt").read_text() == "precious"


def test_commands_that_look_at_results_write_over_none(ping_pong, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    assert main(["run", "--save", "r", "--json", "a.json", str(ping_pong), "--", "-n", "2"]) == 0
    capfd.readouterr()
    shutil.copy("a.json", "b.json")
    Path("t.csv").write_text("a,b\nn0,s0\nn1,s0\n")
    Path("w.toml").write_text('what = "barrier"\n[grid]\nnodes = [2]\n')
    for words in (
        ["compare", "a.json", "b.json", "--json", "b.json"],
        ["trace", "r", "--out", "r/trace.json"],
        ["breakdown", "r", "--json", "r/run.json"],
        ["breakdown", "r", "--json", "x.png", "--plot", "x.png"],
        ["topology", "file:t.csv", "--graphml", "t.csv"],
        ["topology", "ring", "--graphml", "x", "--netanim", "x"],
        ["sweep", "w.toml", "--out", "w.toml"],
        ["sweep", "barrier", "topology=file:t.csv", "--out", "t.csv"],
        ["study", "barrier", "--quick", "--out", "s", "--json", "s/barrier.csv"],
        ["study", "barrier", "--quick", "--out", "s", "--json", "s/provenance.json"],
    ):
        files = {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
        assert main(words) == 2, words
        assert len(capfd.readouterr().err.splitlines()) == 1, words
        assert files == {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}


def test_a_compiler_writes_over_no_source(tmp_path, capfd):
    source = tmp_path / "x.c"
    source.write_text("int main(void) { return 0; }\n")
    assert main(["cc", str(source), "-o", str(source)]) == 2
    assert f"another file is needed, this is {source}" in capfd.readouterr().err
    assert main(["cc", str(source), "-o", str(tmp_path / "no" / "x.so")]) == 2
    assert "does not exist" in capfd.readouterr().err
    assert list(tmp_path.iterdir()) == [source]


@pytest.mark.night
def test_a_study_that_is_killed_leaves_no_half_files_and_can_be_made_again(tmp_path):
    words = [sys.executable, "-m", "via", "study", "barrier", "--quick", "--profile", "ideal"]
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    subprocess.run([*words, "--out", whole], check=True, capture_output=True)
    names = {file.name: file.read_bytes() for file in whole.iterdir()}
    for seconds in (0.5, 1.0, 1.5, 2.0, 2.5):
        with subprocess.Popen([*words, "--out", killed], stdout=subprocess.DEVNULL) as study:
            time.sleep(seconds)
            study.kill()
        for file in killed.iterdir() if killed.exists() else ():
            is_whole = file.read_bytes() == names.get(file.name)
            assert is_whole or file.name.startswith(".") or file.name == "barrier.json"
    subprocess.run([*words, "--out", killed], check=True, capture_output=True)
    for name in ("barrier.csv", "barrier.png", "provenance.json"):
        assert (killed / name).read_bytes() == names[name]


# ---- standard streams ----


@pytest.mark.parametrize(
    ("shell", "why"),
    [
        (">/dev/full", "No space left on device"),
        pytest.param(">&-", "Bad file descriptor", marks=pytest.mark.ci),
    ],
)
def test_lost_output_is_a_line_and_an_exit_code(shell, why, ping_pong):
    for words in (["run", ping_pong, "--", "-n", 2], ["profiles"], ["breakdown"], ["--help"]):
        done = call(*words, shell=shell)
        assert done.returncode == 2, words
        assert one_line(done.stderr) == f"via: standard output: cannot be written: {why}", words


@pytest.mark.parametrize("shell", [pytest.param("2>/dev/full", marks=pytest.mark.ci), "2>&-"])
def test_without_standard_error_the_results_are_there_and_the_exit_code_tells(shell, ping_pong):
    done = call("run", ping_pong, "--", "-n", 2, shell=shell)
    assert done.returncode == 2  # the digest is lost
    assert done.stdout.startswith("8 2 ")
    assert call("run", "no.so", shell=shell).returncode == 2
    done = call("profiles", shell=shell)
    assert done.returncode == 0 and "giganet-clan1000" in done.stdout


def test_a_closed_stream_is_no_file_that_is_opened_later(ping_pong, tmp_path):
    done = call("run", "--json", tmp_path / "x", ping_pong, "--", "-n", 2, shell="<&- >&- 2>&-")
    assert done.returncode == 2
    assert (tmp_path / "x").read_text().startswith("{")


def test_a_reader_that_is_gone_ends_nothing_with_a_traceback(ping_pong):
    done = call(
        "topology", "ring", "--nodes", 400, "--routes", shell="| head -1; exit ${PIPESTATUS[0]}"
    )
    assert done.stdout == "switch,host,port,lane,choices\n"
    assert done.returncode == 2
    assert one_line(done.stderr) == "via: standard output: cannot be written: Broken pipe"


def test_a_stream_as_a_file_gets_the_content(ping_pong, tmp_path):
    out = tmp_path / "out"
    done = call("run", "--json", "/dev/stdout", ping_pong, "--", "-n", 2, shell=f"> {out}")
    assert done.returncode == 0
    text = out.read_text()
    assert text.startswith("8 2 ") and text.endswith("}\n")
    done = call("run", "--json", out, ping_pong, shell=f"> {out}")
    assert done.returncode == 2 and "standard output goes there already" in done.stderr


def test_a_hyphen_as_a_file_is_standard_output(ping_pong, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = call("run", "--json", "-", ping_pong, "--", "-n", 2)
    assert done.returncode == 0 and json.loads(done.stdout[done.stdout.index("{") :])["exit"] == 0
    done = call("run", "--json", "-", "--breakdown", "/dev/stdout", ping_pong, shell="| cat")
    assert one_line(done.stderr).endswith("another file is needed, --json goes there")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "words",
    [["run", "--save", "-", "x.so"], ["study", "barrier", "--out", "-"], ["demo", "--out", "-"]],
)
def test_a_hyphen_as_a_folder_is_refused(words, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    assert "a folder is needed, this is standard output" in capfd.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.ci
def test_the_table_of_a_sweep_goes_into_a_stream_and_nothing_beside_it(tmp_path):
    done = call("sweep", "barrier", "nodes=2", "--cache", "none", "--out", "/dev/stdout")
    assert done.returncode == 0 and "nodes,latency_us,latency_p99_us" in done.stdout
    assert not Path("/dev/stdout.provenance.json").exists()
    done = call("sweep", "barrier", "nodes=2", "--cache", "none", "--out", FULL)
    assert done.returncode == 2
    assert one_line(done.stderr) == "via: /dev/full: cannot be written: No space left on device"


@pytest.mark.ci
def test_a_program_that_prints_much_loses_nothing_into_a_slow_pipe(compile_c):
    program = compile_c(
        "prints-much",
        '#include <stdio.h>\nint main(void) { for (int i = 0; i < 20000; ++i) printf("%d\\n", i);'
        " return 0; }",
    )
    done = call("run", "--nodes", 1, program, shell="| (sleep 0.3; tail -1; cat)")
    assert done.stdout == "19999\n"


# ---- what is kept ----


def test_a_cache_that_fills_up_costs_a_line_and_no_results(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    cache = tmp_path / "cache"
    cache.mkdir()
    for i in range(256):  # where folders for points would be
        (cache / f"{i:02x}").symlink_to("/nowhere/at/all")
    assert main(["sweep", "barrier", "nodes=2", "--cache", str(cache), "--out", "t.csv"]) == 0
    err = capfd.readouterr().err.splitlines()
    assert len(err) == 1 and err[0].startswith("via: results are not kept: ")
    assert "digest" in Path("t.csv").read_text()


def test_a_folder_that_cannot_be_a_cache_is_refused(tmp_path, capfd):
    (tmp_path / "file").touch()
    (tmp_path / "loop").symlink_to("loop")
    for place in ("/proc/cache", tmp_path / "file", tmp_path / "loop"):
        assert main(["sweep", "barrier", "nodes=2", "--cache", str(place)]) == 2
        assert len(capfd.readouterr().err.splitlines()) == 1


@pytest.mark.night
def test_a_cache_of_another_is_not_used_for_programs(tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "via").mkdir()
    (tmp_path / "via").chmod(0o777)
    source = tmp_path / "x.c"
    source.write_text("int main(void) { return 0; }\n")
    assert main(["cc", str(source), "-o", str(tmp_path / "x.so")]) == 0
    assert "is not used: all users can write there" in capfd.readouterr().err
    assert list((tmp_path / "via").iterdir()) == []
    (tmp_path / "via").rmdir()
    (tmp_path / "via").touch()
    assert main(["cc", str(source), "-o", str(tmp_path / "x.so")]) == 0
    assert "is not used" in capfd.readouterr().err


@pytest.mark.parametrize("which", ["faults", "topology", "profile", "stdin"])
def test_a_capture_does_not_replace_what_the_run_reads(which, tmp_path):
    file = tmp_path / ("read.csv" if which == "topology" else "read.toml")
    if which == "faults":
        file.write_text('schema = "via-faults/1"\n', "ascii")
        cluster = via.Cluster(nodes=2, faults=file)
    elif which == "topology":
        file.write_text("a,b\nn0,s0\nn1,s0\n", "ascii")
        cluster = via.Cluster(f"file:{file}", nodes=2)
    elif which == "profile":
        texts = (Path(each.file).read_text("utf-8") for each in via.profiles.load("ideal").entries)
        file.write_text(next(text for text in texts if "via-product/1" in text), "utf-8")
        cluster = via.Cluster(nodes=2, node_profiles={1: str(file)})
    else:
        file.write_text("", "ascii")
        cluster = via.Cluster(nodes=2)
        cluster.spawn(0, file, stdin=file)
    before = file.read_bytes()
    with pytest.raises(via.ConfigError, match=f"pcap = .*this is {which}|this is program"):
        cluster.run(None if which == "stdin" else "ping-pong", pcap=file)
    assert file.read_bytes() == before
