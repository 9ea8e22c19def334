"""What benchmarks/run.py makes of a fuser-run that passes, fails, crashes, hangs or prints something else."""

import concurrent.futures
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import pytest
import run as module
from processes import Memory, Outcome, Processes, parse_batch, parse_run

ROOT = pathlib.Path(__file__).parents[2]
RUN = ROOT / "benchmarks" / "run.py"

# What it does depends on the program; it writes its arguments to a file next to it.
FAKE = f"""#!{sys.executable}
import os, signal, sys, time

def act(arguments):
    program = next((each.split("=")[1] for each in arguments if each.startswith("--program=")), "")
    if program == "gelu_bias_bf16":
        os.kill(os.getpid(), signal.SIGSEGV)
    if program == "gelu_bias_f32" and "x5120,5120" in " ".join(arguments):
        time.sleep(60)
    if program == "sum_full_f32":
        sys.stdout.buffer.write(b"time \\xff us\\n")
        sys.exit()
    return program != "mul_f32"

if sys.argv[1:] == ["--batch", "-"]:
    for line in sys.stdin.read().splitlines():
        print("ok" if act(line.split()) else "FAIL", line, flush=True)
        if "mul_f32" in line:
            print("  check       output 0: WRONG", flush=True)
    sys.exit(1)
with open(os.path.join(os.path.dirname(__file__), "arguments"), "a") as file:
    print(*sys.argv[1:], file=file)
if not act(sys.argv[1:]):
    print("fuser-run: compiling: step 1", file=sys.stderr)
    sys.exit("a.mlir:1:2: error: expected something else")
print('''program     @mul_bf16
arguments   x: 4x4xbf16
device      NVIDIA H200
kernels     mul_bf16_0: grid 132, block 256 (cubin, sm_90a, 5000 bytes)
            mul_bf16_1: grid 1, block 8x16 (cubin, sm_90a, 7000 bytes)
compile     parse 1.0, preseg 2.5; total 66.1 ms
fallback    mul_bf16: refused
time        281.4 us (median of 7, spread 0.2 %), 4000 GB/s, 99.9 % of the copy rate (4010 GB/s)
outputs     0: 4x4xbf16''')
"""


@pytest.fixture
def fake(tmp_path):
    path = tmp_path / "fuser-run"
    path.write_text(FAKE)
    path.chmod(0o755)
    return path


def execute(fake, *options: str, **more) -> subprocess.CompletedProcess:
    command = [sys.executable, RUN, fake, "--commit=0123", *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=fake.parent, **more)


def read_rows(path: pathlib.Path) -> dict:
    return json.loads(path.read_text())["rows"]


def test_a_row(fake, tmp_path):
    result = execute(fake, "--only=mul.large", "--repeat=7", "--fuser-run-option=--seed=3", "--output=a.json")
    assert (result.returncode, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    share = 100 * 1207959552 / 281.4e3 / 4283
    assert lines[0].split() == [
        *("mul.large 281.4 us, spread 0.2 %," + f" {share:.1f} % of a copy, fallback: mul_bf16: refused").split()
    ]
    assert "| mul.large | bf16 | 16384x18432 | 2 | 281.4 | 0.2 | 100.2 | inductor 281.4 | 1.000 | 66.1 |" in lines
    found = json.loads((tmp_path / "a.json").read_text())
    assert found.pop("date").count("-") == 2
    assert found == {
        "version": 1,
        "device": "NVIDIA H200",
        "commit": "0123",
        "options": ["--device=cuda", "--repeat=7", "--seed=3"],
        "copy_gbs": 4283,
        "is_rate_measured": False,
        "rows": {
            "mul.large": {
                "us": 281.4,
                "spread": 0.2,
                "kernels": 2,
                "compile_ms": 66.1,
                "fallbacks": ["mul_bf16: refused"],
                "bytes": 1207959552,
                "share": 100.2,
            }
        },
    }


EXPLAIN = f"""#!{sys.executable}
import sys
if "--target=h200" not in sys.argv or any("range" in each for each in sys.argv):
    sys.exit("unexpected " + " ".join(sys.argv))
print('{{"fused": {{"microseconds": 3.21}}}}')
"""


def test_predictions(fake, tmp_path):
    explain = tmp_path / "fuser-explain"
    explain.write_text(EXPLAIN)
    explain.chmod(0o755)
    assert (
        execute(fake, "--only=embedding.small,mul.large", "--explain=fuser-explain", "--output=a.json").returncode == 0
    )
    assert {key: row["predicted_us"] for key, row in read_rows(tmp_path / "a.json").items()} == {
        "mul.large": 3.2,
        "embedding.small": 3.2,
    }
    explain.write_text(EXPLAIN.replace("fused", "parts"))
    assert execute(fake, "--only=mul.large", "--explain=fuser-explain", "--output=a.json").returncode == 0
    assert "predicted_us" not in read_rows(tmp_path / "a.json")["mul.large"]


def test_processes_share_a_lock(fake, tmp_path):
    assert execute(fake, "--only=mul.large,mul.small,embedding", "--jobs=3").returncode == 0
    arguments = [line.split() for line in (tmp_path / "arguments").read_text().splitlines()]
    assert sorted(each[0] for each in arguments) == [
        *["benchmarks/programs/embedding.mlir"] * 2,
        *["benchmarks/programs/mul.mlir"] * 2,
    ]
    locks = {each[-1] for each in arguments}
    assert len(locks) == 1
    assert locks.pop().startswith("--timing-lock=/")
    assert all("--device=cuda" in each and "--repeat=20" in each for each in arguments)


def test_failures_leave_the_other_rows(fake, tmp_path):
    options = ["--only=mul,gelu_bias,sum_full.large", "--jobs=2", "--limit=3", "--output=a.json"]
    result = execute(fake, *options)
    assert result.returncode == 1
    rows = read_rows(tmp_path / "a.json")
    assert list(rows) == [f"{f}.{s}" for f in ("mul", "gelu_bias") for s in ("large", "medium", "small")] + [
        "sum_full.large"
    ]
    errors = {key: row.get("error") for key, row in rows.items()}
    assert errors == {
        "mul.large": None,
        "mul.medium": "exit 1: a.mlir:1:2: error: expected something else",
        "mul.small": None,
        "gelu_bias.large": "signal 11",
        "gelu_bias.medium": "took longer than 3 s",
        "gelu_bias.small": "signal 11",
        "sum_full.large": "printed no time",
    }
    assert "failed: mul.medium, gelu_bias.large, gelu_bias.medium, gelu_bias.small, sum_full.large\n" in result.stdout


def test_rows_that_only_waited_run_again(fake, tmp_path):
    """A process that holds the device without end has printed its name."""
    # Both are still waiting, or running, after the limit; the second run of the other one passes.
    hold = """    if program == "embedding_bf16":
        print("device      NVIDIA H200", flush=True)
        time.sleep(60)
    if program == "mul_bf16" and not os.path.exists(__file__ + ".again"):
        open(__file__ + ".again", "w").close()
        time.sleep(60)
"""
    fake.write_text(FAKE.replace("    if program == ", hold + "    if program == ", 1))
    assert execute(fake, "--only=mul.large,embedding.small", "--jobs=2", "--limit=3", "--output=a.json").returncode == 1
    rows = read_rows(tmp_path / "a.json")
    assert rows["mul.large"]["us"] == 281.4
    assert rows["embedding.small"]["error"] == "took longer than 3 s"
    runs = [line.split()[0].rpartition("/")[2] for line in (tmp_path / "arguments").read_text().splitlines()]
    assert sorted(runs) == ["embedding.mlir", "mul.mlir", "mul.mlir"]


def test_no_row_starts_after_the_deadline(fake, tmp_path):
    # Rows start in the order of the table, and the first one takes its limit.
    options = ["--only=gelu_bias.medium,scale_bias_relu.small", "--jobs=1", "--limit=1", "--deadline=0.5"]
    assert execute(fake, *options, "--output=a.json").returncode == 1
    errors = {key: row["error"] for key, row in read_rows(tmp_path / "a.json").items()}
    assert errors == {
        "gelu_bias.medium": "took longer than 1 s",
        "scale_bias_relu.small": "not started: the deadline has passed",
    }


def test_a_comparison(fake, tmp_path):
    def write(device: str, us: float) -> str:
        old = json.loads((tmp_path / "a.json").read_text())
        old["device"], old["rows"]["mul.large"]["us"] = device, us
        (tmp_path / "old.json").write_text(json.dumps(old))
        return "--compare=old.json"

    assert execute(fake, "--only=mul.large", "--output=a.json").returncode == 0
    assert execute(fake, "--only=mul.large", write("NVIDIA H200", 281.0)).returncode == 0
    slower = execute(fake, "--only=mul.large", write("NVIDIA H200", 270.0))
    assert slower.returncode == 1
    assert "  mul.large: 270.0 to 281.4 us, +4.2 % (spread 1.0 %)\n" in slower.stdout
    other = execute(fake, "--only=mul.large", write("NVIDIA H100", 281.0))
    assert other.returncode == 2
    assert other.stderr == "run.py: --compare: expected a result of NVIDIA H200, but got one of NVIDIA H100\n"


def test_a_signal_ends_checks(fake, tmp_path):
    command = [sys.executable, RUN, fake, "--check", "--only=gelu_bias.medium", "--jobs=2"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        while not find_processes(fake, "--batch"):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        start = time.monotonic()
        _, errors = process.communicate(timeout=30)
    assert time.monotonic() - start < 5
    assert (process.returncode, errors) == (130, "run.py: interrupted\n")
    assert not find_processes(fake, "--batch")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_all_processes(fake, tmp_path, number):
    command = [sys.executable, RUN, fake, "--only=mul.large,gelu_bias.medium", "--jobs=1", "--output=a.json"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline().startswith("mul.large")
        while "gelu_bias" not in (tmp_path / "arguments").read_text():
            time.sleep(0.01)
        process.send_signal(number)
        start = time.monotonic()
        _, errors = process.communicate(timeout=30)  # which the child would hold open
    assert time.monotonic() - start < 5
    assert (process.returncode, errors) == (130, "run.py: interrupted\n")
    assert list(read_rows(tmp_path / "a.json")) == ["mul.large"]
    assert not find_processes(fake)


def find_processes(*words) -> list[str]:
    """Processes whose command line has all of these words."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if {str(word).encode() for word in words} <= set(path.read_bytes().split(b"\0")):
                found.append(path.parent.name)
        except OSError:  # it ended
            continue
    return found


def test_checks(fake):
    result = execute(fake, "--check", "--device=host", "--only=mul,gelu_bias.large", "--limit=3", "--jobs=1")
    assert result.returncode == 1
    lines = result.stdout.splitlines()
    wrong = [n for n, line in enumerate(lines) if line.startswith("FAIL fuser-run benchmarks/programs/mul.mlir ")]
    assert len(wrong) == 3
    assert all(lines[n].endswith(" --device=host --repeat=0 --check") for n in wrong)
    assert all("--program=mul_f32" in lines[n] for n in wrong)
    assert all(lines[n + 1] == "  check       output 0: WRONG" for n in wrong)
    assert lines.count("  signal 11") == 7
    assert lines.count("  took longer than 3 s") == 1
    assert lines[-1] == "9 passed, 11 failed"


def test_checks_that_pass(fake):
    result = execute(fake, "--check", "--only=embedding,softmax", "--jobs=2")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.endswith(" passed, 0 failed\n")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--jobs=0"], "--jobs: expected a whole number of at least 1, but got 0"),
        (["--repeat=1.5"], "--repeat: expected a whole number of at least 1, but got 1.5"),
        (["--deadline=-1"], "--deadline: expected a number above 0, but got -1"),
        (["--limit=nan"], "--limit: expected a number above 0, but got nan"),
        (["--only=mul,nul"], "--only: expected groups, families or rows of the table, but got nul"),
        (["--device=host"], "--device: expected cuda for times, but got host: it has none (--check)"),
        (["--check", "--output=a.json"], "--output: expected a run that takes times, but got --check"),
        (["--output=none/a.json"], "--output: none/a.json: expected a file in a folder that exists"),
        (["--output=."], "--output: .: expected a file, but got a folder"),
        (["--compare=none.json"], "--compare: none.json: No such file or directory"),
        (["--compare=fuser-run"], "--compare: fuser-run: expected JSON: "),
        (["--explain=none"], "--explain: expected a program, but there is no file "),
        (["--joobs=1"], "unrecognized arguments: --joobs=1"),
        (["--dev=host"], "unrecognized arguments: --dev=host"),
    ],
)
def test_arguments_that_are_wrong(fake, options, message):
    result = execute(fake, *options)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith(f"run.py: {message}")
    assert result.stderr.count("\n") == 1


def test_a_program_that_is_not_there(tmp_path):
    result = execute(tmp_path / "none")
    assert (result.returncode, result.stderr) == (
        2,
        f"run.py: FUSER_RUN: expected a program, but there is no file {tmp_path}/none\n",
    )


def test_a_program_that_cannot_run(fake, tmp_path):
    fake.chmod(0o644)
    result = execute(fake, "--only=mul.large", "--output=a.json")
    assert result.returncode == 1
    assert read_rows(tmp_path / "a.json")["mul.large"]["error"] == "not started: Permission denied"


# ----------------------------------------------------------------------------------------------------------------------
# Parts
# ----------------------------------------------------------------------------------------------------------------------


def test_a_copy_rate_without_peers_is_the_median():
    table = module.read_table().select(["mul"])[0]
    result = module.Result("", "", "", [], None, True, {})
    rates: list[float] = []
    for row, rate in zip(table.rows, (3000.0, 3100.0, 3500.0), strict=True):
        printed = module.Printed({"us": 100.0, "spread": 1.0}, "Some GPU", rate)
        module.add(result, row, printed, rates, table)
    assert (result.device, result.copy_gbs, result.is_rate_measured) == ("Some GPU", 3100.0, True)
    assert result.rows["mul.small"]["share"] == round(100 * 2097152 / 100e3 / 3100, 1)


def test_a_time_of_a_process_that_failed_later_does_not_count():
    text = "time        1.0 us (median of 7, spread 0.2 %), 1 GB/s, 1.0 % of the copy rate (4010 GB/s)\n"
    assert parse_run(Outcome(0, text, "")).row == {"us": 1.0, "spread": 0.2}
    assert parse_run(Outcome(1, text, "fuser-run: no memory\n")).row == {"error": "exit 1: fuser-run: no memory"}


def test_outcomes_of_a_batch():
    assert parse_batch("ok a\nFAIL b\n  x\n  y\nok c\nnoise\n1 passed, 1 failed\n") == [
        (True, []),
        (False, ["x", "y"]),
        (True, []),
    ]


def test_nothing_starts_after_the_end():
    with Processes() as processes:
        pass
    assert processes.run(["true"], 1).failure() == "not started"


def test_memory_admits_what_fits_and_a_large_one_alone():
    memory = Memory(10)
    memory.take(6)
    memory.take(4)
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        waits = pool.submit(memory.take, 100)
        memory.give_back(6)
        assert not concurrent.futures.wait([waits], timeout=0.1).done
        memory.give_back(4)
        waits.result(timeout=10)
    assert memory.used == 100


def test_the_commit(monkeypatch, tmp_path):
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setitem(os.environ, "GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert module.find_commit() == "unknown"
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.com"]
    (tmp_path / "a").write_text("1")
    for command in (["init", "-q"], ["add", "a"], ["commit", "-qm", "a"]):
        subprocess.run([*git, *command], cwd=tmp_path, check=True)
    commit = module.find_commit()
    assert len(commit) == 8
    (tmp_path / "a").write_text("2")
    assert module.find_commit() == f"{commit} with changes"
    monkeypatch.setitem(os.environ, "PATH", "")
    assert module.find_commit() == "unknown"
